//! Cost of a tick: `cargo bench --bench tick [-- AGENTS]`.
//!
//! 10,000 agents in two armies on the town map, ORCA, planning, fighting, two threads: median, 99th percentile and
//! worst tick, the medians of the stages, and bytes an agent. Then 10,000 new orders in one tick. With a number: that
//! many agents, and nothing else. At the end, the cost of summing up the distances walked.
#![allow(clippy::unwrap_used, missing_docs)]

mod town;

use std::collections::BTreeSet;
use throng::battle::{Order, Unit};
use throng::geom::Vec2;
use throng::world::{Settings, SquadId, SquadSpec, Stage, World};
use town::{battle, places, town};

const TICKS: usize = 1200;

fn quantile(sorted: &[f32], q: f64) -> f32 {
    sorted[((sorted.len() - 1) as f64 * q).round() as usize]
}

fn report(label: &str, ticks: &mut [[f32; Stage::COUNT]]) {
    let mut totals: Vec<f32> = ticks.iter().map(|stages| stages.iter().sum()).collect();
    totals.sort_by(f32::total_cmp);
    println!(
        "{label}: median {:.2} ms, p99 {:.2} ms, worst {:.2} ms",
        quantile(&totals, 0.5),
        quantile(&totals, 0.99),
        quantile(&totals, 1.0)
    );
    for stage in Stage::ALL {
        let mut times: Vec<f32> = ticks.iter().map(|stages| stages[stage as usize]).collect();
        times.sort_by(f32::total_cmp);
        println!(
            "    {:<10} median {:.3} ms, worst {:.3} ms",
            stage.name(),
            quantile(&times, 0.5),
            quantile(&times, 1.0)
        );
    }
}

fn main() {
    let asked = std::env::args().skip(1).find_map(|number| number.parse().ok());
    for threads in [1, 2] {
        let mut world = battle(threads, Order::Attack, asked.unwrap_or(10_000));
        let agents = world.agents();
        let mut ticks = Vec::with_capacity(TICKS);
        let mut memory = world.memory();
        for _ in 0..TICKS {
            world.tick().unwrap();
            ticks.push(world.profile().stage_ms);
            if world.memory().total() > memory.total() {
                memory = world.memory();
            }
        }
        let label = format!("town, {agents} agents, {} left after {TICKS} ticks, {threads} thread(s)", world.agents());
        report(&label, &mut ticks);
        println!("    at most {} bytes an agent: {memory:?}", memory.total() / agents);
    }
    if asked.is_some() {
        return;
    }
    // Every squad is told to go elsewhere in the same tick.
    let mut world = battle(2, Order::Hold, 10_000);
    for _ in 0..10 {
        world.tick().unwrap();
    }
    let size = world.grid().lattice().size();
    let squads = world.squads().len() as u32;
    for squad in 0..squads {
        let corner = Vec2::new(f32::from(u8::from(squad % 2 == 0)), f32::from(u8::from(squad % 3 == 0)));
        world.order(SquadId(squad), Order::GoTo(size * (corner * 0.9 + 0.05))).unwrap();
    }
    let mut ticks: Vec<_> = (0..200)
        .map(|_| {
            world.tick().unwrap();
            world.profile().stage_ms
        })
        .collect();
    report(
        "6 squads, 10,000 agents, all told to go elsewhere in one tick; the 200 ticks after it, 2 threads",
        &mut ticks,
    );
    lone_wolves();
    counted_walks();
}

/// The same battle twice, a tick of one after a tick of the other: with the ways walked summed up, and without.
fn counted_walks() {
    let [mut plain, mut counted] = [(); 2].map(|()| battle(2, Order::Attack, 100_000));
    counted.count_walks();
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..60 {
        for (world, times) in [&mut plain, &mut counted].into_iter().zip(&mut times) {
            world.tick().unwrap();
            times.push(world.profile().stage_ms[Stage::Integrate as usize]);
        }
    }
    let [plain, counted] = times.map(|mut times| {
        times.sort_by(f32::total_cmp);
        quantile(&times, 0.5)
    });
    println!("100,000 agents, integrate: {plain:.3} ms median, with the ways walked summed up {counted:.3} ms");
}

/// 10,000 squads of one, each told to go to a place of its own in the same tick.
fn lone_wolves() {
    let grid = town();
    let size = grid.lattice().size();
    let positions = places(&grid, size * 0.5, 10_000, &mut BTreeSet::new());
    let mut world = World::new(grid, Settings { threads: 2, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    let army = world.add_army("wolves").unwrap();
    for (i, at) in positions.iter().enumerate() {
        let goal = positions[(i * 7919 + 13) % positions.len()] * 2.0 - size * 0.5;
        let order = Order::GoTo(goal.clamp(Vec2::ONE, size - 1.0));
        world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, std::slice::from_ref(at)) }).unwrap();
    }
    let mut ticks: Vec<_> = (0..300)
        .map(|_| {
            world.tick().unwrap();
            world.profile().stage_ms
        })
        .collect();
    let label = format!(
        "10,000 squads of one, each with an order of its own in one tick; the 300 ticks after it, 2 threads, {} routes not yet due",
        world.routes_pending()
    );
    report(&label, &mut ticks);
}
