//! Cost of a whole tick by agent: `cargo bench --bench crowd [-- NAME...]`.
//!
//! Nanoseconds an agent and tick, medians of 40 ticks after 5, stage by stage, on one and two threads, and bytes an agent:
//! - `plain`: 100,000 agents that cover 30 % of an open plain; the same with ten
//!   neighbours instead of eight, and without looking aside and pushing apart;
//! - `sizes`: the same crowd with 10,000 and 1,000,000;
//! - `fields`: 1,000,000 in four squads that change sides by flow fields and push each other apart, without ORCA;
//! - `sleep`: 100,000 sleeping agents without a goal, none of them, 1,000 or 10,000 sent across; then with no agent
//!   asleep;
//! - `spawn`: 10,000 of 100,000 leave and 10,000 come in each tick, without the tick itself.
#![allow(clippy::unwrap_used, missing_docs)]

mod rand30;

use rand30::{Rand30, rand30, side};
use std::time::Instant;
use throng::battle::{Order, Unit};
use throng::crowd::{Avoidance, Bias, Sleep};
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::plan::PlannerChoice;
use throng::world::{Profile, Settings, SquadSpec, Stage, World};

const STEP: f32 = 0.1;
const WARM_UP: usize = 5;
const TICKS: usize = 40;

/// A world with a unit of 0.5 m radius, and settings that `change` has seen.
fn empty(n: usize, threads: usize, change: impl Fn(&mut Settings)) -> World {
    let side = side(n);
    let mut settings = Settings { threads, step: STEP, ..Settings::default() };
    change(&mut settings);
    let mut world = World::new(Grid::open_plain(Lattice::new(side, side, 1.0).unwrap()), settings).unwrap();
    world.add_unit(Unit { radius: 0.5, speed: 1.5, top_speed: 2.0, ..Unit::default() }).unwrap();
    world.add_army("crowd").unwrap();
    world
}

/// Every agent on its own way.
fn walkers(n: usize, threads: usize, change: impl Fn(&mut Settings)) -> World {
    let mut world = empty(n, threads, change);
    let Rand30 { start, goal } = rand30(n, side(n) as f32);
    world.spawn_walkers(throng::world::ArmyId(0), throng::world::UnitId(0), &start, &goal).unwrap();
    world
}

/// Four squads, a quarter of the plain each, that change sides by flow fields. Their members are numbered as they stand, `in_ranks`, or
/// in no order.
fn squads(n: usize, threads: usize, in_ranks: bool) -> World {
    let mut world = empty(n, threads, |settings| settings.avoidance.kind = Avoidance::Push);
    let side = side(n) as f32;
    let start = rand30(n, side).start;
    for quarter in 0..4 {
        let corner = Vec2::new((quarter % 2) as f32, (quarter / 2) as f32);
        let here =
            |at: &&Vec2| (u32::from(at.x > side * 0.5), u32::from(at.y > side * 0.5)) == (quarter % 2, quarter / 2);
        let mut positions: Vec<Vec2> = start.iter().filter(here).copied().collect();
        if in_ranks {
            positions.sort_by_key(|at| ((at.y / 4.0) as u32, (at.x / 4.0) as u32));
        }
        let order = Order::GoTo(Vec2::splat(side * 0.25) + (Vec2::ONE - corner) * side * 0.5);
        let (army, unit) = (throng::world::ArmyId(0), throng::world::UnitId(0));
        let planner = PlannerChoice::FlowField;
        world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(army, unit, positions) }).unwrap();
    }
    world
}

/// A crowd that has fallen asleep where `sleep` lets it, of which some are sent to others' places.
fn sleepers(n: usize, sent: usize, threads: usize, sleep: Sleep) -> World {
    let mut world = empty(n, threads, |settings| settings.sleep = sleep);
    let Rand30 { start, goal } = rand30(n, side(n) as f32);
    let ids = world.spawn_walkers(throng::world::ArmyId(0), throng::world::UnitId(0), &start, &[]).unwrap();
    for _ in 0..60 {
        world.tick().unwrap();
    }
    for (&id, &goal) in ids.iter().zip(&goal).take(sent) {
        world.walk_straight_to(id, goal).unwrap();
    }
    world
}

/// Prints the cost of a tenth of a crowd that leaves and as many that come, for each of them.
fn come_and_go(n: usize) {
    let mut world = walkers(n, 1, |_| ());
    let ids: Vec<_> = world.positions().map(|(id, _)| id).collect();
    let Rand30 { start, goal } = rand30(n, side(n) as f32);
    let (unit, some) = (throng::world::UnitId(0), n / 10);
    let mut times = [const { Vec::new() }; 2];
    for round in 0..9 {
        world.tick().unwrap();
        let range = round * some..(round + 1) * some;
        let clock = Instant::now();
        assert_eq!(world.remove(&ids[range.clone()]), some);
        times[0].push(clock.elapsed().as_nanos() as f64 / some as f64);
        let clock = Instant::now();
        world.spawn_walkers(throng::world::ArmyId(0), unit, &start[range.clone()], &goal[range]).unwrap();
        times[1].push(clock.elapsed().as_nanos() as f64 / some as f64);
    }
    let [gone, came] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!("{some} of {n} leave: {gone:.0} ns each; as many come: {came:.0} ns each");
}

/// Prints the medians of the stages, and of the whole tick.
fn measure(label: &str, mut world: World) {
    let n = world.agents() as f64;
    let mut ticks = Vec::new();
    for tick in 0..WARM_UP + TICKS {
        world.tick().unwrap();
        if tick >= WARM_UP {
            ticks.push(world.profile().clone());
        }
    }
    let median = |of: &dyn Fn(&Profile) -> f32| {
        let mut times: Vec<f32> = ticks.iter().map(of).collect();
        times.sort_by(f32::total_cmp);
        f64::from(times[TICKS / 2]) * 1e6 / n
    };
    print!("{label:36}");
    for stage in Stage::ALL {
        print!("{:11.1}", median(&|profile| profile.stage_ms[stage as usize]));
    }
    let memory = world.memory();
    let (total, bytes) = (median(&Profile::total_ms), memory.total() / world.agents());
    println!("{total:11.1}{bytes:8}{:8}   {memory:?}", world.asleep());
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let asked = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    print!("{:36}", "ns an agent and tick");
    for stage in Stage::ALL {
        print!("{:>11}", stage.name());
    }
    println!("{:>11}{:>8}{:>8}", "total", "bytes", "asleep");
    for threads in [1, 2] {
        let label = |what: &str| format!("{what}, {threads} thread(s)");
        if asked("plain") {
            measure(&label("100,000"), walkers(100_000, threads, |_| ()));
            let ten = |settings: &mut Settings| settings.avoidance.orca.k = 10;
            measure(&label("100,000, k 10"), walkers(100_000, threads, ten));
            let bare = |settings: &mut Settings| {
                settings.avoidance.orca.k = 10;
                settings.avoidance.bias = Bias::OFF;
                settings.avoidance.passes = 0;
            };
            measure(&label("100,000, k 10, ORCA alone"), walkers(100_000, threads, bare));
        }
        if asked("sizes") {
            measure(&label("10,000"), walkers(10_000, threads, |_| ()));
            measure(&label("1,000,000"), walkers(1_000_000, threads, |_| ()));
        }
        if asked("sleep") {
            for (sent, sleep, what) in [
                (0, Sleep::default(), "100,000 sleep"),
                (1000, Sleep::default(), "1,000 walk among 100,000"),
                (1000, Sleep::NEVER, "1,000 walk, nobody sleeps"),
                (10_000, Sleep::default(), "10,000 walk among 100,000"),
                (10_000, Sleep::NEVER, "10,000 walk, nobody sleeps"),
            ] {
                measure(&label(what), sleepers(100_000, sent, threads, sleep));
            }
        }
        if asked("fields") {
            measure(&label("1,000,000, fields, push, ranks"), squads(1_000_000, threads, true));
            measure(&label("1,000,000, fields, push, no order"), squads(1_000_000, threads, false));
        }
    }
    if asked("spawn") {
        come_and_go(100_000);
    }
}
