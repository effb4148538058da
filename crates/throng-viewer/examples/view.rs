//! A small battle in a window: `cargo run --release --example view -- [FRAMES]`.
//!
//! With FRAMES the window closes after so many frames. Where none can be opened, the program says why and exits with 1.

use std::process::ExitCode;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{Settings, SquadSpec, World};
use throng_viewer::{Scene, Shown, ViewOptions, Window};

/// Two armies of 200 on a plain of 96 m x 64 m.
fn battle() -> Result<World, Box<dyn std::error::Error>> {
    let mut world = World::new(Grid::open_plain(Lattice::new(96, 64, 1.0)?), Settings::default())?;
    let soldier = world.add_unit(Unit::default())?;
    for (name, x, facing) in [("red", 24.0, 0.0), ("blue", 72.0, 180.0)] {
        let army = world.add_army(name)?;
        let positions = Block { facing, ..Block::new(Vec2::new(x, 32.0), 200) }.positions();
        world.spawn_squad(SquadSpec { facing, order: Order::Attack, ..SquadSpec::new(army, soldier, &positions) })?;
    }
    Ok(world)
}

fn show() -> Result<Shown, Box<dyn std::error::Error>> {
    let frames = std::env::args().nth(1).map(|frames| frames.parse()).transpose()?;
    let world = battle()?;
    let scene = Scene {
        title: "a skirmish".into(),
        grid: world.grid().clone(),
        step: world.settings().step,
        simulation: Box::new(world),
        scenario: None,
        deploys: false,
    };
    Ok(Window::open("a skirmish")?.show(scene, ViewOptions { frames, ..ViewOptions::default() })?)
}

fn main() -> ExitCode {
    match show() {
        Ok(shown) => {
            println!("{} frames, {:.1} s of the battle", shown.frames, shown.last.time);
            shown.last.armies.iter().for_each(|army| println!("{}: {} alive", army.name, army.alive));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
