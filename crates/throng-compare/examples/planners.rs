//! Planners on the same random trips, as a table: `cargo run --release --example planners -- [MAP]`.
//!
//! MAP is a map file, such as a Moving AI `.map`; without it a town is generated. Each planner answers every trip, and
//! each answer is checked: the route is legal, and its cost is what the planner guarantees.

use std::ops::ControlFlow::Continue;
use std::sync::Arc;
use throng_compare::{Contender, Figures, Settings, compare, random_trips};
use throng_grid::generate::{Kind, generate};
use throng_grid::{Grid, Ground};

const PLANNERS: [&str; 8] =
    ["dijkstra", "bidirectional", "astar", "jps", "hpa", "weighted-astar:1,2", "greedy", "theta"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (name, grid) = match std::env::args().nth(1) {
        Some(map) => (map.clone(), Grid::load(&map)?),
        None => ("a generated town".to_owned(), generate(Kind::Town, 256, 256, 7)?),
    };
    let ground = Arc::new(Ground::new(grid.into(), 0.4)?);
    let trips = random_trips(&ground, 100, 1)?;
    let mut contenders = Vec::new();
    for name in PLANNERS {
        match Contender::new(&name.parse()?, &ground) {
            Ok(contender) => contenders.push(contender),
            Err(error) => println!("left out: {name}: {error}"),
        }
    }
    let settings = Settings::default();
    let comparison = compare(&ground, &contenders, &trips, &settings, &mut |_done, _of| Continue(()))?;

    let lattice = ground.lattice();
    println!("{} random trips on {name}, {} x {} cells;", trips.len(), lattice.width, lattice.height);
    println!("times are the least of {} rounds.\n", settings.rounds);
    println!(
        "{:18}{:>10}{:>10}{:>10}{:>12}{:>10}",
        "planner", "mean µs", "99 % µs", "expanded", "cost ratio", "optimal"
    );
    for row in comparison.scores.iter().map(Figures::of) {
        let Figures { planner, mean_us, p99_us, expanded, cost_ratio, optimal, .. } = row;
        println!("{planner:18}{mean_us:10.1}{p99_us:10.1}{expanded:10.0}{cost_ratio:12.4}{optimal:10}");
    }
    println!(
        "\nexpanded: nodes, mean of the trips; cost ratio: mean cost over the least cost of steps from cell to cell."
    );
    println!("theta turns at any angle, so its routes can cost less than that.");
    match comparison.breaches.as_slice() {
        [] => println!("All routes are legal, and all guarantees hold."),
        breaches => breaches.iter().for_each(|breach| println!("broken guarantee: {breach}")),
    }
    Ok(())
}
