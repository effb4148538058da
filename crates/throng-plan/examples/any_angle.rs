//! Routes over the grid and at any angle: `cargo run --release --example any_angle`.
//!
//! Five ways to cross the same caves: along the grid, along the grid and pulled straight afterwards, and by searches that
//! turn at any angle. Each row says how long the route is (in cells of 1 m), through how many cells or turning points it
//! leads, and how much work the search took.

use std::sync::Arc;
use std::time::Instant;
use throng_grid::generate::{Kind, generate};
use throng_grid::{Ground, LineOfSight};
use throng_plan::{Path, PlannerChoice, Query, Scratch, Smoother, plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ground = Arc::new(Ground::new(Arc::new(generate(Kind::Caverns, 512, 512, 7)?), 0.4)?);
    let lattice = ground.lattice();
    let near = |share: f32| ground.nearest_passable(lattice.size() * share).ok_or("nothing is open");
    let query = Query::new(near(0.05)?, near(0.95)?);
    // Any-angle searches need one table per map. It is made here, so that the times below are those of the searches.
    let _ = LineOfSight::new(&ground);

    let (mut scratch, mut path, mut smoother) = (Scratch::default(), Path::default(), Smoother::default());
    println!("{:20} {:>9} {:>8} {:>9} {:>7}", "planner", "length", "cells", "expanded", "µs");
    for (name, pulled) in [("astar", false), ("astar", true), ("theta", false), ("lazy-theta", false), ("theta", true)]
    {
        let planner = name.parse::<PlannerChoice>()?.build(&ground)?;
        let begin = Instant::now();
        let outcome = plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path)?;
        if pulled {
            smoother.smooth(&ground, query.radius, &mut path);
        }
        let (time, length) = (begin.elapsed().as_micros(), path.length(lattice));
        let name = format!("{name}{}", if pulled { ", pulled" } else { "" });
        println!("{name:20} {length:9.2} {:8} {:9} {time:7}", path.cells.len(), outcome.expanded);
    }
    Ok(())
}
