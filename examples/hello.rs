//! Two squads meet: `cargo run --release --example hello`.

use throng::battle::{Block, Order, Unit};
use throng::geom::Vec2;
use throng::grid::Grid;
use throng::world::{Muster, Settings, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Grid::load(concat!(env!("CARGO_MANIFEST_DIR"), "/maps/field.map"))?;
    let mut world = World::new(map, Settings::default())?;
    let soldier = world.add_unit(Unit::default())?;
    for (name, x) in [("red", 590.0), ("blue", 630.0)] {
        let army = world.add_army(name)?;
        let positions = Block::new(Vec2::new(x, 290.0), 20).positions();
        let squad = world.muster(Muster::new(army, soldier, &positions))?;
        world.order(squad, Order::Attack)?;
    }
    while world.verdict().is_none() {
        world.tick()?;
        world.events().deaths.iter().for_each(|death| println!("tick {}: {death:?}", world.ticks()));
    }
    println!("{:?}: {:?}", world.verdict(), world.armies());
    Ok(())
}
