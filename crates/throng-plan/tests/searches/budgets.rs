//! Searches without a budget, and goals, links and requests that are given twice.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use throng_grid::{Cell, Grid, Ground, Lattice, Link, Mobility};
use throng_plan::{
    Capability, Goal, Limits, Outcome, Path, Planner, PlannerChoice, Pool, Query, Request, Scratch, Status, plan,
};

/// 24 × 24 cells with a wall across, open at the right.
fn walled() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(24, 24, 1.0).unwrap());
    (0..20).for_each(|x| grid.set_open(grid.lattice().cell(x, 12), false));
    grid
}

fn planners(ground: &Arc<Ground>) -> Vec<Arc<dyn Planner>> {
    PlannerChoice::NAMES.iter().map(|name| name.parse::<PlannerChoice>().unwrap().build(ground).unwrap()).collect()
}

fn solve(planner: &dyn Planner, ground: &Ground, query: &Query) -> (Outcome, Vec<Cell>) {
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let outcome = plan(planner, ground, query, &mut scratch, &mut path).unwrap();
    (outcome, path.cells)
}

#[test]
fn a_search_that_may_expand_nothing_stays_where_it_is() {
    let ground = Arc::new(Ground::new(walled().into(), 0.4).unwrap());
    let at = |x, y| ground.lattice().cell(x, y);
    let limits = Limits { expansions: 0 };
    for planner in planners(&ground) {
        let name = planner.name();
        let (outcome, cells) = solve(planner.as_ref(), &ground, &Query { limits, ..Query::new(at(2, 2), at(2, 21)) });
        assert_eq!((outcome.status, outcome.cost, cells), (Status::Partial, 0, vec![at(2, 2)]), "{name}");
        assert!(outcome.expanded <= u64::from(name == "flow-field"), "{name}: {outcome:?}");
        let (outcome, cells) = solve(planner.as_ref(), &ground, &Query { limits, ..Query::new(at(2, 2), at(2, 2)) });
        assert_eq!((outcome.status, outcome.cost, cells), (Status::Found, 0, vec![at(2, 2)]), "{name}");
    }
}

#[test]
fn a_pool_without_a_budget_keeps_everybody_waiting() {
    let ground = Arc::new(Ground::new(walled().into(), 0.4).unwrap());
    let at = |x, y| ground.lattice().cell(x, y);
    for planner in planners(&ground) {
        let mut pool = Pool::new(1).unwrap();
        // The second is asked like the first; it waits in line for itself.
        for _ in 0..2 {
            pool.ask(Request::new(planner.clone(), ground.clone(), Query::new(at(2, 2), at(2, 21))));
        }
        for _ in 0..3 {
            pool.deliver(0, |answer| panic!("{}: {answer:?} for nothing", planner.name()));
        }
        assert_eq!((pool.queued(), pool.statistics().joined), (2, 1));
        let mut found = 0;
        pool.deliver(u64::MAX, |answer| found += usize::from(answer.result.unwrap().status == Status::Found));
        // A credit that cannot grow further is no reason to fail.
        pool.deliver(u64::MAX, |_| panic!("all are answered"));
        assert!(found >= 2 && pool.queued() == 0, "{}", planner.name());
    }
}

#[test]
fn what_is_given_twice_counts_once() {
    let grid = Arc::new(walled());
    let at = |x, y| grid.lattice().cell(x, y);
    let links = |links: &[Link]| {
        let mobility = Mobility { links: links.to_vec(), ..Mobility::new(0.4) };
        Arc::new(Ground::build(grid.clone(), mobility).unwrap())
    };
    let door = Link::new(at(2, 11), at(2, 13), 5000);
    let dearer = Link { cost: 9000, ..door };
    let (once, twice) = (links(&[door]), links(&[dearer, door, door]));
    let goal = |cells: &[Cell]| Goal::AnyOf(cells.into());
    for name in PlannerChoice::NAMES {
        let choice: PlannerChoice = name.parse().unwrap();
        let can = choice.build(&Arc::new(Ground::new(grid.clone(), 0.4).unwrap())).unwrap().capabilities();
        if !can.can(Capability::Links) {
            continue;
        }
        let answer = |ground: &Arc<Ground>, goal: Goal| {
            let planner = choice.build(ground).unwrap();
            let (outcome, cells) = solve(planner.as_ref(), ground, &Query { goal, ..Query::new(at(2, 2), at(2, 21)) });
            (outcome.status, outcome.cost, cells)
        };
        let expected = answer(&once, Goal::Cell(at(2, 21)));
        assert_eq!(answer(&twice, Goal::Cell(at(2, 21))), expected, "{name}: links");
        if can.can(Capability::GoalSets) {
            let alone = answer(&once, goal(&[at(2, 21), at(20, 3)]));
            assert_eq!(answer(&once, goal(&[at(20, 3), at(2, 21), at(2, 21), at(20, 3)])), alone, "{name}: goals");
        }
    }
}
