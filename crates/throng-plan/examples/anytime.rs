//! Better and better routes as they are found: `cargo run --release --example anytime -- [MAP [WEIGHTS]]`.
//!
//! MAP is a map file, such as a Moving AI `.map`; without it a town is generated. WEIGHTS is the schedule of the search:
//! with the weight 3, a route costs at most three times the optimal one.

use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_grid::generate::{Kind, generate};
use throng_grid::{Grid, Ground};
use throng_plan::{Path, PlannerChoice, Query, Scratch, plan_within};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let grid = match args.next() {
        Some(map) => Grid::load(map)?,
        None => generate(Kind::Town, 512, 512, 7)?,
    };
    let weights = args.next().unwrap_or_else(|| "10,5,3,2,1.5,1.2,1".to_owned());
    let ground = Arc::new(Ground::new(grid.into(), 0.4)?);
    let planner = format!("ara:{weights}").parse::<PlannerChoice>()?.build(&ground)?;
    let lattice = ground.lattice();
    // From the first cell to the last one that can be reached from it.
    let passable = || lattice.cells().filter(|&cell| ground.is_passable(cell));
    let from = passable().next().ok_or("there is no open cell")?;
    let to = passable().filter(|&cell| ground.region(cell) == ground.region(from)).last().unwrap_or(from);

    let start = Instant::now();
    let report = |cells: usize, length: f64, bound: f64| {
        println!("{:8.2?}: {cells} cells, length {length:.1}, at most {bound:.3} times the shortest", start.elapsed());
    };
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let (query, time) = (Query::new(from, to), Duration::from_secs(1));
    let outcome = plan_within(planner.as_ref(), &ground, &query, &mut scratch, &mut path, time, |better, path| {
        report(path.cells.len(), path.length(lattice), better.bound);
    })?;
    report(path.cells.len(), path.length(lattice), outcome.bound);
    println!("{}; {} nodes expanded", outcome.status, outcome.expanded);
    Ok(())
}
