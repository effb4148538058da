//! A squad in ten lines: `cargo run --release --example hello`.

use std::error::Error;
use throng::battle::{Order, Unit};
use throng::geom::Vec2;
use throng::grid::Grid;
use throng::plan::PlannerChoice;
use throng::world::{Muster, Settings, World};

fn main() -> Result<(), Box<dyn Error>> {
    let map = Grid::load(concat!(env!("CARGO_MANIFEST_DIR"), "/maps/town.map"))?;
    let [here, there] = [Vec2::new(40.0, 40.0), Vec2::new(300.0, 300.0)];
    let positions =
        [map.nearest_open(here), map.nearest_open(there)].map(|cell| map.lattice().centre(cell.unwrap_or_default()));

    let mut world = World::new(map, Settings::default())?;
    let soldier = world.add_unit(Unit::default())?;
    for (name, position) in [("red", &positions[..1]), ("blue", &positions[1..])] {
        let (facing, planner) = (0.0, PlannerChoice::AStar);
        let army = world.add_army(name)?;
        let squad =
            world.muster(Muster { army, unit: soldier, positions: position, facing, order: Order::Hold, planner })?;
        world.order(squad, Order::Attack)?;
    }
    while world.verdict().is_none() {
        world.tick()?;
        for death in &world.events().deaths {
            println!("tick {}: {death:?}", world.ticks());
        }
    }
    println!("{:?} after {} ticks", world.verdict(), world.ticks());
    Ok(())
}
