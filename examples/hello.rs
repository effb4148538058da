//! Two squads meet: `cargo run --release --example hello`.

use throng::battle::{Block, Order, Unit};
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::world::{Settings, SquadSpec, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Grid::open_plain(Lattice::new(120, 80, 1.0)?); // or Grid::load("my.map")?
    let mut world = World::new(map, Settings::default())?;
    let soldier = world.add_unit(Unit::default())?;
    for (name, x) in [("red", 40.0), ("blue", 80.0)] {
        let army = world.add_army(name)?;
        let positions = Block::new(Vec2::new(x, 40.0), 20).positions();
        let squad = world.spawn_squad(SquadSpec::new(army, soldier, &positions))?;
        world.order(squad, Order::Attack)?;
    }
    while world.verdict().is_none() {
        world.tick()?;
    }
    println!("{:?}: {:?}", world.verdict(), world.armies());
    Ok(())
}
