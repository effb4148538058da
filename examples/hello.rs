//! Two squads meet: `cargo run --release --example hello`.

use throng::battle::{Order, Unit};
use throng::geom::Vec2;
use throng::grid::Grid;
use throng::plan::PlannerChoice;
use throng::world::{Muster, Settings, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Grid::load(concat!(env!("CARGO_MANIFEST_DIR"), "/maps/field.map"))?;
    let mut world = World::new(map, Settings::default())?;
    let unit = world.add_unit(Unit::default())?;
    for (name, x) in [("red", 590.0), ("blue", 630.0)] {
        let positions: Vec<_> = (0..20_u8).map(|i| Vec2::new(x, 280.0 + f32::from(i))).collect();
        let (army, order, planner) = (world.add_army(name)?, Order::Hold, PlannerChoice::AStar);
        let squad = world.muster(Muster { army, unit, positions: &positions, facing: 0.0, order, planner })?;
        world.order(squad, Order::Attack)?;
    }
    while world.verdict().is_none() {
        world.tick()?;
        world.events().deaths.iter().for_each(|death| println!("tick {}: {death:?}", world.ticks()));
    }
    println!("{:?}", world.armies());
    Ok(())
}
