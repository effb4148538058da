//! One memory for all planners in turn: the traces of a search change nothing in the next one.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Corners, Direction, Edit, Grid, Ground, Lattice, Link, Mobility, Steps, TerrainCosts};
use throng_plan::{
    Cancel, Capability, Cost, Dijkstra, Goal, Guarantee, Limits, Outcome, Path, PlanError, Planner, PlannerChoice,
    Query, Scratch, Status, plan,
};

fn one_of<T: Copy>(random: &mut Pcg32, of: &[T]) -> T {
    of[random.random_range(0..of.len())]
}

/// A ground of any kind, from a line of cells to a hall.
fn ground(random: &mut Pcg32) -> Arc<Ground> {
    let (width, height) = match random.random_range(0..6) {
        0 => (1, random.random_range(1..40)),
        1 => (random.random_range(1..40), 1),
        _ => (random.random_range(2..40), random.random_range(2..40)),
    };
    let lattice = Lattice::new(width, height, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    let cells: Vec<Cell> = lattice.cells().collect();
    let walls = one_of(random, &[0, 5, 20, 35, 100]);
    let edits: Vec<Edit> = cells.iter().map(|&cell| Edit::Close(cell)).collect();
    let edits: Vec<Edit> = edits.into_iter().filter(|_| random.random_range(0..100) < walls).collect();
    grid.edit(&edits, &mut Vec::new());
    let mut mobility = Mobility::new(one_of(random, &[0.4, 0.4, 0.4, 1.2]));
    // Every second ground is one for all planners.
    if random.random_bool(0.5) {
        for &cell in &cells {
            grid.set_terrain(cell, random.random_range(0..3));
        }
        let others = [Steps::Four, Steps::Eight(Corners::OneSide), Steps::Eight(Corners::Always), Steps::default()];
        mobility.steps = one_of(random, &others);
        if random.random_bool(0.5) {
            mobility.terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(3)), (2, Some(9))]));
        }
        if random.random_bool(0.3) {
            mobility.sizes = vec![mobility.radius + 1.0];
        }
        let standing = Ground::build(Arc::new(grid.clone()), mobility.clone()).unwrap();
        let standing: Vec<Cell> = cells.iter().copied().filter(|&cell| standing.is_passable(cell)).collect();
        if random.random_bool(0.5) && !standing.is_empty() {
            let costs = one_of(random, &[[0, 0], [0, 3000], [1, 500_000]]);
            let count = random.random_range(1..9);
            let mut link = || Link::new(one_of(random, &standing), one_of(random, &standing), one_of(random, &costs));
            mobility.links = (0..count).map(|_| link()).collect();
        }
    }
    Arc::new(Ground::build(Arc::new(grid), mobility).unwrap())
}

/// A query of any kind, of which some are errors.
fn query(random: &mut Pcg32, ground: &Ground) -> Query {
    let lattice = ground.lattice();
    let cells: Vec<Cell> = lattice.cells().collect();
    let standing: Vec<Cell> = cells.iter().copied().filter(|&cell| ground.is_passable(cell)).collect();
    let cell = |random: &mut Pcg32| {
        let standing = if standing.is_empty() || random.random_range(0..30) == 0 { &cells } else { &standing };
        if random.random_range(0..60) == 0 { Cell::NONE } else { one_of(random, standing) }
    };
    let (from, to) = (cell(random), cell(random));
    let goal = match random.random_range(0..10) {
        0 => Goal::AnyOf((0..random.random_range(0..6)).map(|_| cell(random)).collect()),
        1 => Goal::AnyOf([to, from].into()),
        2 => Goal::Nearest(one_of(random, &cells)),
        3 => Goal::Within {
            centre: Vec2::new(random.random_range(-3.0..40.0), random.random_range(-3.0..40.0)),
            distance: one_of(random, &[0.0, 0.7, 3.0, 50.0, -1.0]),
        },
        4 => Goal::Cell(from),
        _ => Goal::Cell(to),
    };
    let cancel = (random.random_range(0..12) == 0).then(Cancel::default);
    if let Some(cancel) = &cancel {
        cancel.cancel();
    }
    let radius = one_of(random, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.4, 2.2, f32::INFINITY]);
    let limits = Limits { expansions: one_of(random, &[u64::MAX, u64::MAX, u64::MAX, 0, 1, 20, 300]) };
    Query { from, goal, radius, limits, cancel }
}

type Answer = Result<Outcome, PlanError>;

/// Everything that a search tells.
#[derive(Debug, PartialEq)]
struct Told {
    answer: Answer,
    path: Path,
    expanded: u64,
    trace: Vec<(bool, bool, Option<Cost>)>,
}

fn ask(planner: &dyn Planner, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Told {
    let mut path = Path::default();
    let answer = plan(planner, ground, query, scratch, &mut path);
    let has_trace = planner.capabilities().can(Capability::Trace);
    let cells = ground.lattice().cells().filter(|_| has_trace);
    let trace = cells.map(|cell| (scratch.is_open(cell), scratch.is_closed(cell), scratch.cost(cell))).collect();
    Told { expanded: scratch.expanded(), answer, path, trace }
}

/// The least cost of each step of a route, by steps and links.
fn cost_of(ground: &Ground, path: &Path) -> Cost {
    let step = |pair: &[Cell]| {
        let steps = Direction::ALL.into_iter().filter_map(|d| {
            let to = Cell(pair[0].0.wrapping_add_signed(ground.lattice().offsets()[d as usize]));
            let legal = ground.moves(pair[0]) >> d as u8 & 1 == 1 && to == pair[1];
            legal.then(|| ground.step_cost(pair[0], to, d))
        });
        let links = ground.links().from(pair[0]).filter(|(_, link)| link.to == pair[1]);
        steps.chain(links.map(|(_, link)| link.cost)).min().map(Cost::from).expect("a step or a link")
    };
    path.cells.windows(2).map(step).sum()
}

fn check(planner: &dyn Planner, ground: &Ground, query: &Query, told: &Told, least: &Answer) {
    let Ok(outcome) = &told.answer else {
        assert!(told.path.cells.is_empty());
        return;
    };
    let found = outcome.status == Status::Found;
    if query.cancel.is_some() {
        assert!(matches!(outcome.status, Status::Cancelled | Status::NoRoute), "{} {outcome:?}", planner.name());
    }
    // The routes of a search in rounds stay where it is cancelled.
    if outcome.status == Status::Cancelled && planner.name() == "ara" {
        return;
    }
    let leads = found || outcome.status == Status::Partial;
    assert_eq!(told.path.cells.first().copied(), leads.then_some(query.from), "{} {outcome:?}", planner.name());
    if !planner.name().contains("theta") {
        // Beside a step there may be a cheaper link, which not every planner takes.
        let (cost, any) =
            (cost_of(ground, &told.path), planner.name() == "breadth-first" || planner.name() == "greedy");
        assert!(outcome.cost == cost || any && outcome.cost > cost, "{} {outcome:?} {cost}", planner.name());
    }
    // Limits and switches apart, all say the same.
    if query.limits == Limits::default() && query.cancel.is_none() {
        let least = least.as_ref().unwrap();
        assert_eq!(outcome.status, least.status, "{}", planner.name());
        match planner.capabilities().guarantee {
            Guarantee::Optimal => assert_eq!(outcome.cost, least.cost, "{}", planner.name()),
            Guarantee::Bounded(bound) => assert!(outcome.cost as f64 <= least.cost as f64 * bound),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 40 } else { 400 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_used_memory_answers_as_a_fresh_one(seed in any::<u64>()) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let grounds: Vec<Arc<Ground>> = (0..3).map(|_| ground(random)).collect();
        let mut planners: Vec<(usize, Arc<dyn Planner>)> = Vec::new();
        for name in PlannerChoice::NAMES {
            let choice: PlannerChoice = name.parse().unwrap();
            planners.extend((0..3).filter_map(|place| Some((place, choice.build(&grounds[place]).ok()?))));
        }
        let mut used = Scratch::default();
        for _ in 0..60 {
            // On another ground than it was made for now and then.
            let (mut place, planner) = planners[random.random_range(0..planners.len())].clone();
            if random.random_range(0..8) == 0 {
                place = random.random_range(0..3);
            }
            let ground = &grounds[place];
            let query = query(random, ground);
            let told = ask(&*planner, ground, &query, &mut used);
            let fresh = ask(&*planner, ground, &query, &mut Scratch::default());
            prop_assert_eq!((&told.answer, &told.path), (&fresh.answer, &fresh.path), "{} {:?}", planner.name(), &query);
            let differs = told.trace.iter().zip(&fresh.trace).position(|(told, fresh)| told != fresh);
            prop_assert_eq!((differs, told.expanded), (None, fresh.expanded), "{} {:?} {:?}", planner.name(), &query, &told.answer);
            let unlimited = Query { limits: Limits::default(), cancel: None, ..query.clone() };
            let least = plan(&Dijkstra, ground, &unlimited, &mut Scratch::default(), &mut Path::default());
            check(&*planner, ground, &query, &told, &least);
        }
    }
}
