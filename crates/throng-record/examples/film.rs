//! A battle as a GIF, a PNG and a table, in the folder `out`: `cargo run --release --example film`.

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_record::{Film, Sink, Statistics, Still};
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{Frame, Settings, SquadSpec, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A field of 96 m x 64 m. Two walls part it, with a pass of 12 m between them.
    let mut grid = Grid::open_plain(Lattice::new(96, 64, 1.0)?);
    let lattice = grid.lattice();
    for y in (0..26).chain(38..64) {
        for x in 46..50 {
            grid.set_open(lattice.cell(x, y), false);
        }
    }
    let mut world = World::new(grid, Settings::default())?;
    let soldier = world.add_unit(Unit::default())?;
    for (name, x, facing, count) in [("red", 16.0, 0.0, 150), ("blue", 80.0, 180.0, 120)] {
        let army = world.add_army(name)?;
        let positions = Block { facing, ..Block::new(Vec2::new(x, 32.0), count) }.positions();
        world.spawn_squad(SquadSpec { facing, order: Order::Attack, ..SquadSpec::new(army, soldier, &positions) })?;
    }

    std::fs::create_dir_all("out")?;
    let mut sinks: Vec<Box<dyn Sink>> = vec![
        Box::new(Film::new("out/pass.gif", world.grid(), 768)),
        Box::new(Still::new("out/pass.png", world.grid(), 960)),
        Box::new(Statistics::create("out/pass.csv")?),
    ];
    // Every sink sees every tick, and so each agent that falls.
    let mut frame = Frame::default();
    loop {
        world.frame(&mut frame);
        for sink in &mut sinks {
            sink.frame(&frame)?;
        }
        if world.verdict().is_some() {
            break;
        }
        world.tick()?;
    }
    for sink in sinks {
        println!("wrote {}", sink.finish()?.display());
    }
    Ok(())
}
