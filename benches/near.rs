//! Nanoseconds an agent and tick of the stages around avoidance: 10,000 agents of radius 0.5 m, 30 % of the ground
//! covered, each on its way to another's start, on an open plain.
//!
//! `cargo bench --bench near -- [AGENTS]`; whole ticks are in `benches/crowd.rs`.
#![allow(clippy::unwrap_used, missing_docs)]

mod rand30;

use rand::{RngExt, SeedableRng};
use rand30::{Rand30, rand30, side};
use std::time::{Duration, Instant};
use throng::crowd::bias::{bias, progress as progress_of};
use throng::crowd::orca::orca;
use throng::crowd::order::cell_order;
use throng::crowd::push::push;
use throng::crowd::walls::{HORIZON, along_walls};
use throng::crowd::{AgentColumns, AgentView, Avoidance, AvoidanceSettings};
use throng::geom::{Vec2, clamp_length};
use throng::grid::clearance::clearance;
use throng::grid::walls::line_of_sight;
use throng::grid::{Grid, Lattice};
use throng::spatial::{Bodies, Index, IndexKind, Near, SpatialIndex, Tuning};
use throng::walk::integrate::{Moving, displace, integrate};
use throng::walk::neighbours::neighbours;

const STEP: f32 = 0.1;
const WARM_UP: usize = 5;
const TICKS: usize = 60;
const STAGES: [&str; 9] = ["order", "rebuild", "neighbours", "walls", "bias", "orca", "integrate", "push", "displace"];

struct Crowd {
    position: Vec<Vec2>,
    velocity: Vec<Vec2>,
    goal: Vec<Vec2>,
    slot: Vec<u32>,
}

/// The crowd before it walks.
fn crowd(n: usize, side: f32) -> Crowd {
    let Rand30 { start: position, goal } = rand30(n, side);
    Crowd { velocity: vec![Vec2::ZERO; n], position, goal, slot: (0..n as u32).collect() }
}

/// Medians of the stages (ns an agent and tick).
fn run(n: usize, grid: &Grid, kind: IndexKind) -> [f64; STAGES.len()] {
    let settings = AvoidanceSettings::new(Avoidance::Orca);
    let clearance = grid.clearance();
    let size = grid.lattice().size();
    let order_lattice = Lattice::new((size.x / 2.5) as u32 + 1, (size.y / 2.5) as u32 + 1, 2.5).unwrap();
    let mut crowd = crowd(n, size.x);
    let (radius, top_speed, weight) = (vec![0.5; n], vec![2.0; n], vec![1.0; n]);
    let mut index = Index::tuned(kind, &Tuning::for_reach(settings.orca.reach));
    let (mut near, mut order, mut keys, mut start) = (Near::default(), vec![0; n], vec![[0; 2]; n], Vec::new());
    let (mut next, mut pushed, mut room) = (vec![Vec2::ZERO; n], vec![Vec2::ZERO; n], vec![0.0; n]);
    // By row, not by agent: near enough for its cost.
    let (mut progress, mut turned) = (vec![1.0; n], vec![Vec2::ZERO; n]);
    let mut times = vec![Vec::new(); STAGES.len()];
    for tick in 0..WARM_UP + TICKS {
        let mut spent = [Duration::ZERO; STAGES.len()];
        let mut stage = 0;
        let mut clock = Instant::now();
        let mut lap = |stage: &mut usize| {
            spent[*stage] += clock.elapsed();
            clock = Instant::now();
            *stage += 1;
        };
        if cell_order(order_lattice, &crowd.position, &crowd.slot, &mut order, &mut keys, &mut start) {
            let permute = |column: &mut Vec<Vec2>| {
                *column = order.iter().map(|&row| column[row as usize]).collect();
            };
            permute(&mut crowd.position);
            permute(&mut crowd.velocity);
            permute(&mut crowd.goal);
            crowd.slot = order.iter().map(|&row| crowd.slot[row as usize]).collect();
        }
        let mut preferred: Vec<Vec2> =
            (0..n).map(|i| clamp_length((crowd.goal[i] - crowd.position[i]) / STEP, 1.5)).collect();
        let wants: Vec<bool> = (0..n).map(|i| crowd.goal[i].distance_squared(crowd.position[i]) > 4.0).collect();
        lap(&mut stage);
        let bodies = Bodies::new(bytemuck::cast_slice(&crowd.position), &radius, &crowd.slot);
        index.rebuild(bodies).unwrap();
        lap(&mut stage);
        neighbours(&index, bodies, settings.orca.k, settings.orca.reach, &mut near);
        lap(&mut stage);
        along_walls(grid, clearance, HORIZON, &crowd.position, &radius, &mut preferred);
        lap(&mut stage);
        // That of the move of the tick before, which the tick itself asks for once all have moved.
        progress_of(settings.bias, STEP, &wants, &preferred, &crowd.velocity, &mut progress);
        let fixed = AgentColumns {
            radius: &radius,
            top_speed: &top_speed,
            weight: &weight,
            progress: &progress,
            slot: &crowd.slot,
            ..AgentColumns::default()
        };
        let (position, velocity) = (&crowd.position, &crowd.velocity);
        let columns = AgentColumns { position, velocity, preferred_velocity: &preferred, ..fixed };
        let view = |columns| AgentView::new(STEP, grid, clearance, columns, &near).unwrap();
        bias(settings.bias, &view(columns), &wants, &mut turned);
        lap(&mut stage);
        orca(settings.orca, &view(AgentColumns { preferred_velocity: &turned, ..columns }), &mut next);
        lap(&mut stage);
        let moving = Moving { position: &mut crowd.position, velocity: &mut crowd.velocity, room: &mut room };
        integrate(STEP, grid, &next, &radius, &top_speed, moving);
        lap(&mut stage);
        let (position, velocity) = (&crowd.position, &crowd.velocity);
        let columns = AgentColumns { position, velocity, preferred_velocity: &turned, ..fixed };
        let view = AgentView::new(STEP, grid, clearance, columns, &near).unwrap();
        for _ in 0..settings.passes {
            push(settings.cap, &view, &mut pushed);
        }
        lap(&mut stage);
        for _ in 0..settings.passes {
            displace(grid, &pushed, &radius, &mut crowd.position, &mut room);
        }
        lap(&mut stage);
        if tick >= WARM_UP {
            for (times, spent) in times.iter_mut().zip(spent) {
                times.push(spent.as_nanos() as f64 / n as f64);
            }
        }
    }
    std::array::from_fn(|stage| {
        times[stage].sort_by(f64::total_cmp);
        times[stage][TICKS / 2]
    })
}

fn main() {
    let n = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let side = side(n);
    let plain = Grid::open_plain(Lattice::new(side, side, 1.0).unwrap());
    // The same with a pillar every five metres.
    let mut pillars = plain.clone();
    for cell in plain.lattice().cells() {
        let (x, y) = plain.lattice().column_row(cell);
        pillars.set_open(cell, x % 5 != 0 || y % 5 != 0);
    }
    print!("{:24}", "ns an agent and tick");
    for stage in STAGES {
        print!("{stage:>11}");
    }
    println!("{:>11}", "total");
    for (name, grid) in [("plain", &plain), ("pillars", &pillars)] {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let spent = pool.install(|| run(n, grid, IndexKind::Grid));
            print!("{:24}", format!("{name}, {threads} thread(s)"));
            for spent in &spent {
                print!("{spent:11.1}");
            }
            println!("{:11.1}", spent.iter().sum::<f64>());
        }
    }

    let big = Grid::open_plain(Lattice::new(768, 512, 1.0).unwrap());
    let clock = Instant::now();
    let layer = clearance(&big);
    println!("clearance of 768 x 512 cells: {:.1} ms", clock.elapsed().as_secs_f64() * 1e3);
    drop(layer);

    let clearance = clearance(&pillars);
    let mut random = rand_pcg::Pcg32::seed_from_u64(2);
    let lines: Vec<(Vec2, Vec2)> = (0..10_000)
        .map(|_| {
            let from = Vec2::new(random.random_range(0.0..1.0), random.random_range(0.0..1.0)) * (side as f32 - 45.0);
            (from + 22.0, from + 22.0 + throng::geom::direction(random.random_range(0.0..360.0)) * 20.0)
        })
        .collect();
    let clock = Instant::now();
    let seen = lines.iter().filter(|(a, b)| line_of_sight(&pillars, &clearance, *a, *b, 0.3)).count();
    println!(
        "line of sight over 20 cells among pillars: {:.0} ns, {seen} of 10000 free",
        clock.elapsed().as_nanos() as f64 / 1e4
    );
}
