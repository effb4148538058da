//! Trips a second of the worker pool by the number of its threads, on a map of noise and on one of rooms.
//!
//! `cargo bench --bench pool -- [PLANNER [TRIPS]]`, on a machine with nothing else to do.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use std::time::Instant;
use throng::grid::{Cell, Grid, Ground, Lattice};
use throng::plan::{PlannerChoice, Pool, Query, Request};

const SIDE: u32 = 512;
const ROUNDS: usize = 7;

/// Every fourth cell is a wall, or rooms of 15 cells with doors.
fn ground(rooms: bool) -> Arc<Ground> {
    let mut random = Pcg32::seed_from_u64(1);
    let mut grid = Grid::open_plain(Lattice::new(SIDE, SIDE, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        let wall = if rooms { x % 16 == 0 || y % 16 == 0 } else { true };
        grid.set_open(cell, !wall || random.random_range(0..100) >= if rooms { 92 } else { 25 });
    }
    Arc::new(Ground::new(grid.into(), 0.4).unwrap())
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let planner: PlannerChoice = arguments.next().map_or(Ok(PlannerChoice::AStar), |text| text.parse()).unwrap();
    let trips: usize = arguments.next().map_or(Ok(1000), |text| text.parse()).unwrap();
    for (name, rooms) in [("noise", false), ("rooms", true)] {
        let ground = ground(rooms);
        let planner = planner.build(&ground).unwrap();
        let cells: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
        let mut random = Pcg32::seed_from_u64(2);
        let mut any = || cells[random.random_range(0..cells.len())];
        let queries: Vec<Query> = (0..trips).map(|_| Query::new(any(), any())).collect();
        // The pools take turns, so that what else the machine does hits both alike.
        let mut rates = [Vec::new(), Vec::new()];
        for round in 0..=ROUNDS {
            for (threads, rates) in (1..).zip(&mut rates) {
                let mut pool = Pool::new(threads).unwrap();
                let start = Instant::now();
                for query in &queries {
                    pool.ask(Request::new(planner.clone(), ground.clone(), query.clone()));
                }
                pool.deliver(u64::MAX, |answer| assert!(answer.result.is_ok()));
                let rate = trips as f64 / start.elapsed().as_secs_f64();
                // The first round warms up.
                if round > 0 {
                    rates.push(rate);
                }
            }
        }
        let [one, two] = rates.map(|mut rates| {
            rates.sort_by(f64::total_cmp);
            (rates[rates.len() / 2], rates[rates.len() - 1])
        });
        println!("{name}: {:.0} trips/s on 1 thread, {:.0} on 2: {:.2} times (medians)", one.0, two.0, two.0 / one.0);
        println!("{name}: {:.0} trips/s on 1 thread, {:.0} on 2: {:.2} times (the best)", one.1, two.1, two.1 / one.1);
    }
}
