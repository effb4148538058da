//! Squads that mind where it is crowded spread over several gates.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Crowding, Direction, Edit, Grid, Ground, Lattice, Mobility};
use throng_plan::{Path, PlannerChoice, Query, Scratch, plan};
use throng_scenario::Scenario;
use throng_sim::battle::{Order, Unit};
use throng_sim::world::{Resume, Settings, SquadSpec, World};

/// A hall of 80 x 60 m, cut in two by a wall with three gates of 2 m: one in the middle, one on each side.
fn gates() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(80, 60, 1.0).unwrap());
    for y in 0..60 {
        let gate = [12, 29, 46].iter().any(|&gate| (gate..gate + 2).contains(&y));
        grid.set_open(grid.lattice().cell(45, y), gate);
    }
    grid
}

/// Twelve squads of 30 on the left that go to the right, all nearest to the gate in the middle.
fn crowd(congestion: f32, planner: &str, threads: usize) -> World {
    let mut world = World::new(gates(), Settings { threads, plan_budget: 400, ..Settings::default() }).unwrap();
    let army = world.add_army("red").unwrap();
    let unit = world.add_unit(Unit { congestion, ..Unit::default() }).unwrap();
    let planner: PlannerChoice = planner.parse().unwrap();
    for s in 0..12 {
        let corner = Vec2::new(6.0 + 9.0 * (s / 3) as f32, 18.0 + 8.0 * (s % 3) as f32);
        let positions: Vec<Vec2> = (0..30).map(|i| corner + Vec2::new((i % 6) as f32, (i / 6) as f32)).collect();
        let squad = world
            .spawn_squad(SquadSpec { planner: planner.clone(), ..SquadSpec::new(army, unit, &positions) })
            .unwrap();
        world.order(squad, Order::GoTo(Vec2::new(64.5 + 4.0 * (s / 3) as f32, 20.5 + 8.0 * (s % 3) as f32))).unwrap();
    }
    world
}

/// Seconds until 95 of 100 are through, and how many went through each gate.
fn seconds_to_pass(mut world: World) -> (f64, [usize; 3]) {
    let (mut through, mut side) = ([0; 3], vec![false; world.agents()]);
    while through.iter().sum::<usize>() * 100 < world.agents() * 95 {
        world.tick().unwrap();
        for (id, at) in world.positions() {
            if at.x > 46.0 && !std::mem::replace(&mut side[id.slot as usize], true) {
                through[((at.y / 20.0) as usize).min(2)] += 1;
            }
        }
        assert!(world.ticks() < 8000, "{through:?} are through after 400 s");
    }
    (world.ticks() as f64 * 0.05, through)
}

#[test]
fn three_gates_are_a_tenth_sooner_passed_than_one() {
    for planner in ["astar", "flow-field"] {
        let (queueing, one) = seconds_to_pass(crowd(0.0, planner, 2));
        let (spread, three) = seconds_to_pass(crowd(8.0, planner, 2));
        println!("{planner}: {queueing} s through {one:?}, {spread} s through {three:?}");
        assert!(spread < 0.9 * queueing, "{planner}: {queueing} s through {one:?}, {spread} s through {three:?}");
        assert!(three.iter().all(|&count| count > 20), "{planner}: {three:?}");
    }
}

/// The hash after so many ticks in which a gate closes and opens.
fn hash(threads: usize, planner: &str) -> u64 {
    let mut world = crowd(6.0, planner, threads);
    let lattice = world.grid().lattice();
    for tick in 0..900 {
        let gate = [12, 13].map(|y| lattice.cell(45, y));
        match tick {
            300 => world.edit(&gate.map(Edit::Close)).unwrap(),
            500 => world.edit(&gate.map(Edit::Open)).unwrap(),
            _ => {}
        }
        world.tick().unwrap();
    }
    world.position_hash()
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    for planner in ["astar", "ara", "flow-field"] {
        assert_eq!(hash(1, planner), hash(3, planner), "{planner}");
    }
}

#[test]
fn a_world_restored_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gates.snapshot");
    for planner in ["astar", "ara", "flow-field"] {
        let mut world = crowd(6.0, planner, 2);
        let lattice = world.grid().lattice();
        let mut waiting = 0;
        let steps = |world: &mut World, until: u64| {
            while world.ticks() < until {
                match world.ticks() {
                    210 => world.edit(&[12, 13].map(|y| Edit::Close(lattice.cell(45, y)))).unwrap(),
                    330 => world.edit(&[12, 13].map(|y| Edit::Open(lattice.cell(45, y)))).unwrap(),
                    _ => {}
                }
                world.tick().unwrap();
            }
        };
        let mut hashes = Vec::new();
        for (saved, threads) in [(0, 1), (3, 3), (21, 2), (103, 1), (205, 2), (211, 3), (230, 1), (347, 2)] {
            steps(&mut world, saved);
            waiting += world.routes_pending();
            world.save(&file).unwrap();
            let mut other = World::restore(&file, Resume { threads, ..Resume::default() }).unwrap();
            steps(&mut other, 420);
            hashes.push((saved, other.position_hash()));
        }
        steps(&mut world, 420);
        let expected = world.position_hash();
        assert!(hashes.iter().all(|&(_, hash)| hash == expected), "{planner}: {hashes:?}, {expected} expected");
        assert!(waiting > 0 || planner == "flow-field", "{planner}: nothing was under way");
    }
}

#[test]
fn planners_that_cannot_count_crowds_say_so() {
    for planner in PlannerChoice::NAMES {
        let mut world = World::new(gates(), Settings::default()).unwrap();
        let army = world.add_army("red").unwrap();
        let unit = world.add_unit(Unit { congestion: 2.0, ..Unit::default() }).unwrap();
        let choice: PlannerChoice = planner.parse().unwrap();
        let at = [Vec2::new(3.5, 3.5)];
        let error = world.spawn_squad(SquadSpec { planner: choice, ..SquadSpec::new(army, unit, at) }).err();
        let cannot = ["jps", "jps-plus", "labels", "hpa", "breadth-first", "theta", "lazy-theta"].contains(planner);
        let expected = format!("the planner {planner} cannot count where it is crowded; choose one that can, as astar");
        assert_eq!(error.map(|error| error.to_string()), cannot.then_some(expected));
    }
}

proptest! {
    /// Costs told from the positions alone; and nothing changes where congestion is 0.
    #[test]
    fn planners_are_exact_in_a_crowd(
        seed in any::<u64>(), closed in 0_u32..40, bodies in 0_usize..200, congestion in 0.0_f32..9.0,
    ) {
        let mut random = Pcg32::seed_from_u64(seed);
        let mut grid = Grid::open_plain(Lattice::new(23, 17, 1.0).unwrap());
        let lattice = grid.lattice();
        for cell in lattice.cells() {
            grid.set_open(cell, random.random_range(0..100) >= closed);
        }
        let grid = Arc::new(grid);
        let bodies: Vec<(Vec2, f32)> = (0..bodies)
            .map(|_| (Vec2::new(random.random_range(0.0..23.0), random.random_range(0.0..17.0)), 0.4))
            .collect();
        let crowding = Arc::new(Crowding::new(&grid).unwrap().counted(bodies.iter().copied()));
        let plain = Ground::new(grid.clone(), 0.4).unwrap();
        prop_assert!(plain.crowded(crowding.clone()) == plain);
        let mobility = Mobility { congestion, ..Mobility::new(0.4) };
        let ground = Arc::new(Ground::build(grid.clone(), mobility).unwrap().crowded(crowding));
        let block = |cell: Cell| {
            let (x, y) = lattice.column_row(cell);
            (x / 4, y / 4)
        };
        let full = |cell: Cell| {
            let inside = bodies.iter().filter(|(at, _)| block(lattice.at(*at)) == block(cell)).count() as u64;
            let open = lattice.cells().filter(|&other| grid.is_open(other) && block(other) == block(cell)).count() as u64;
            (inside * 6400 * 255).checked_div(open * 10_000).unwrap_or(0).min(255)
        };
        let fullness: Vec<u64> = (0..lattice.len() as u32).map(|cell| if lattice.contains(Cell(cell)) { full(Cell(cell)) } else { 0 }).collect();
        let toll = u64::from((256.0 * congestion).round() as u32);
        let standing: Vec<Cell> = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
        prop_assume!(standing.len() > 1);
        let (from, to) = (standing[random.random_range(0..standing.len())], standing[random.random_range(0..standing.len())]);
        let steps = |cell: Cell| {
            let legal = Direction::ALL.into_iter().filter(|&d| ground.moves(cell) >> d as u8 & 1 == 1).collect::<Vec<_>>();
            legal.into_iter().map(|d| {
                let next = Cell(cell.0.wrapping_add_signed(lattice.offsets()[d as usize]));
                let length: u64 = if d.is_diagonal() { 3363 } else { 2378 };
                (next, length + length * (fullness[cell.index()] + fullness[next.index()]) * toll / (2 * 255 * 256))
            }).collect::<Vec<_>>()
        };
        let least = pathfinding::prelude::dijkstra(&from, |&cell| steps(cell), |&cell| cell == to).map(|(_, cost)| cost);
        for name in ["astar", "dijkstra", "bidirectional", "fringe", "flow-field", "ara", "petgraph-astar"] {
            let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
            let mut path = Path::default();
            let outcome = plan(planner.as_ref(), &ground, &Query::new(from, to), &mut Scratch::default(), &mut path).unwrap();
            prop_assert_eq!(outcome.cost, least.unwrap_or(0), "{}", name);
        }
    }
}

#[test]
fn scenarios_say_what_a_crowd_costs() {
    let folder = tempfile::tempdir().unwrap();
    gates().save_map(folder.path().join("gates.map")).unwrap();
    let file = folder.path().join("s.toml");
    let load = |top: &str, unit: &str| {
        let text = format!(
            "map = \"gates.map\"\n{top}\n[[unit]]\nname = \"guest\"\n{unit}\n[[army]]\nname = \"red\"\n\
             squad = [{{ unit = \"guest\", count = 9, position = [9, 9] }}, {{ count = 9, position = [20, 9] }}]\n"
        );
        std::fs::write(&file, text).unwrap();
        let loaded =
            Scenario::load(&file).map_err(|error| error.to_string().replace(&format!("{}", file.display()), "s.toml"));
        loaded.map(|(scenario, _)| scenario.units.iter().map(|unit| unit.congestion).collect::<Vec<_>>())
    };
    assert_eq!(load("", ""), Ok(vec![0.0, 0.0]));
    assert_eq!(load("congestion = 2.0", ""), Ok(vec![2.0, 2.0]));
    assert_eq!(load("congestion = 2", "congestion = 0.5"), Ok(vec![0.5, 2.0]));
    assert_eq!(
        load("congestion = -1", "").unwrap_err(),
        "s.toml:2:14: congestion must be between 0 and 1000 (times), found -1"
    );
    assert_eq!(
        load("", "congestion = 2000").unwrap_err(),
        "s.toml:5:14: congestion of unit \"guest\" must be between 0 and 1000 (times), found 2000"
    );
}
