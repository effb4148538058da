//! Collision avoidance of throng against that of `dodgy_2d`: same crowd, same neighbours, same run, one thread.
//!
//! ```sh
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin crowds -- [AGENTS]
//! ```
//!
//! Agents of radius 0.5 m cover 30 % of an open plain, each on its way to another's start. In each tick throng finds the
//! ten nearest within 5 m of all; then both solve for the same agents with the same lists, and what throng solved is
//! walked. Measured is the time that the thread is on its processor. `dodgy_2d` solves for one agent a call; its own
//! simulator, which looks at all pairs, is left out.

#[path = "../indices/clock.rs"]
#[expect(dead_code, reason = "one thread is measured here")]
mod clock;
#[path = "../../../../rand30/mod.rs"]
mod rand30;

use clock::now;
use dodgy_2d::{Agent, AvoidanceOptions};
use rand30::{Rand30, rand30};
use std::borrow::Cow;
use std::error::Error;
use throng::crowd::orca::orca;
use throng::crowd::order::cell_order;
use throng::crowd::{Orca, neighbours::neighbours};
use throng::geom::{Vec2, clamp_length};
use throng::grid::clearance::clearance;
use throng::grid::{Grid, Lattice};
use throng::spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};

const STEP: f32 = 0.1;
const TICKS: usize = 40;
const RADIUS: f32 = 0.5;
/// Speed that all would like, and their greatest (m/s).
const SPEEDS: [f32; 2] = [1.5, 2.0];
/// As far ahead as RVO2's own scenes look.
const HORIZON: f32 = 2.0;

fn main() -> Result<(), Box<dyn Error>> {
    let agents = match std::env::args().nth(1) {
        Some(number) => number.parse().map_err(|_| format!("found \"{number}\", expected how many agents"))?,
        None => 100_000,
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(one.install(|| run(agents).map_err(|error| error.to_string()))?)
}

fn run(n: usize) -> Result<(), Box<dyn Error>> {
    let params = Orca { k: 10, reach: 5.0, horizon: HORIZON, ..Orca::default() };
    let side = rand30::side(n);
    let Rand30 { start: mut position, mut goal } = rand30(n, side as f32);
    let mut slot: Vec<u32> = (0..n as u32).collect();
    let mut velocity = vec![Vec2::ZERO; n];
    let side = side / 4 + 1;
    let lattice = Lattice::new(side, side, 4.0)?;
    // No walls but the edges of the map.
    let grid = Grid::open_plain(lattice);
    let clearance = clearance(&grid);
    let (radius, top_speed, weight) = (vec![RADIUS; n], vec![SPEEDS[1]; n], vec![1.0; n]);
    let (mut order, mut keys, mut start) = (vec![0; n], vec![[0; 2]; n], Vec::new());
    let (mut index, mut near) = (Index::new(IndexKind::Grid), Near::default());
    let (mut next, mut theirs) = (vec![Vec2::ZERO; n], vec![Vec2::ZERO; n]);
    let options = AvoidanceOptions { obstacle_margin: RADIUS, time_horizon: HORIZON, obstacle_time_horizon: 1.0 };
    let [mut asking, mut ours, mut peer] = [const { Vec::new() }; 3];
    let (mut alike, mut solved) = (0, 0);
    for tick in 0..TICKS {
        if cell_order(lattice, &position, &slot, &mut order, &mut keys, &mut start) {
            let permute = |column: &mut Vec<Vec2>| *column = order.iter().map(|&row| column[row as usize]).collect();
            [&mut position, &mut velocity, &mut goal].into_iter().for_each(permute);
            slot = order.iter().map(|&row| slot[row as usize]).collect();
        }
        let wish: Vec<Vec2> =
            position.iter().zip(&goal).map(|(&at, &goal)| clamp_length((goal - at) / STEP, SPEEDS[0])).collect();

        let start = now();
        let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
        index.rebuild(bodies)?;
        neighbours(&index, bodies, params.k, params.reach, &mut near);
        let asked = now();
        let (at, moves) = (&position, &velocity);
        orca(params, STEP, &grid, &clearance, at, moves, &wish, &radius, &top_speed, &weight, &slot, &near, &mut next);
        let avoided = now();
        solve(&options, &position, &velocity, &wish, &near, &mut theirs);
        let end = now();

        let per_agent = |time: f64| time / n as f64;
        asking.push(per_agent(asked - start));
        ours.push(per_agent(avoided - asked));
        peer.push(per_agent(end - avoided));
        if tick > 0 {
            alike += next.iter().zip(&theirs).filter(|(a, b)| a.distance(**b) < 1e-3).count();
            solved += n;
        }
        velocity.copy_from_slice(&next);
        for (at, &velocity) in position.iter_mut().zip(&velocity) {
            *at += velocity * STEP;
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let [asking, ours, peer] = [asking, ours, peer].map(|mut times| median(&mut times));
    println!("{n} agents, {TICKS} ticks, one thread; ns an agent and tick, medians");
    println!("neighbours (index and lists) {asking:8.1}");
    println!("throng's ORCA                {ours:8.1}");
    println!("dodgy_2d's                   {peer:8.1}");
    println!(
        "with neighbours: {:.1} against {:.1}, {:.1} times faster",
        asking + ours,
        asking + peer,
        (asking + peer) / (asking + ours)
    );
    println!("solving alone: {:.1} times faster", peer / ours);
    println!(
        "velocities within 1 mm/s of each other: {:.2} %",
        100.0 * f64::from(alike as u32) / f64::from(solved as u32)
    );
    Ok(())
}

/// One call an agent, with the memory for its neighbours used again.
fn solve(
    options: &AvoidanceOptions,
    position: &[Vec2],
    velocity: &[Vec2],
    wish: &[Vec2],
    near: &Near,
    next: &mut [Vec2],
) {
    let theirs = |v: Vec2| dodgy_2d::Vec2::new(v.x, v.y);
    let agents: Vec<Agent> = position
        .iter()
        .zip(velocity)
        .map(|(&at, &velocity)| Agent {
            position: theirs(at),
            velocity: theirs(velocity),
            radius: RADIUS,
            avoidance_responsibility: 1.0,
        })
        .collect();
    let mut around = Vec::new();
    for (row, next) in next.iter_mut().enumerate() {
        around.clear();
        around.extend(near.of(row).iter().map(|&other| Cow::Borrowed(&agents[other as usize])));
        let wish = theirs(wish[row]);
        let found = agents[row].compute_avoiding_velocity(&around, &[], wish, SPEEDS[1], STEP, options);
        *next = Vec2::new(found.x, found.y);
    }
}
