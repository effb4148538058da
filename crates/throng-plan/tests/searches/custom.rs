//! A planner from outside the library, with memory of its own.

use crate::flood::{Flood, FloodMemory};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::{Cell, Grid, Ground, Lattice};
use throng_plan::{
    BreadthFirst, Path, PlanError, Planner, PlannerChoice, Pool, Progress, Query, Request, Scratch, Status, plan,
};

/// A map of 24 x 24 cells with walls, and its free cells.
fn broken(seed: u64) -> (Arc<Ground>, Vec<Cell>) {
    let mut grid = Grid::open_plain(Lattice::new(24, 24, 1.0).unwrap());
    let lattice = grid.lattice();
    let mut random = Pcg32::seed_from_u64(seed);
    for cell in lattice.cells() {
        grid.set_open(cell, random.random_range(0..100) >= 30);
    }
    let ground = Ground::new(grid.into(), 0.4).unwrap();
    let free = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
    (Arc::new(ground), free)
}

proptest! {
    /// It answers as our own breadth-first search does, in a scratch that both use in turn, and in pieces.
    #[test]
    fn it_finds_as_few_steps_as_breadth_first(seed: u64, piece in 1_u64..50) {
        let (ground, free) = broken(seed);
        let (mut scratch, mut path, mut ours) = (Scratch::default(), Path::default(), Path::default());
        for pair in free.windows(7).step_by(13) {
            let query = Query::new(pair[0], pair[6]);
            let expected = plan(&BreadthFirst, &ground, &query, &mut scratch, &mut ours).unwrap();
            Flood.begin(&ground, &query, &mut scratch).unwrap();
            let outcome = loop {
                match Flood.advance(&ground, &query, &mut scratch, piece) {
                    Progress::Done(outcome) => break outcome,
                    _ => prop_assert!(scratch.is_closed(query.from)),
                }
            };
            Flood.path(&ground, &query, &scratch, &mut path);
            prop_assert_eq!((outcome.status, path.cells.len()), (expected.status, ours.cells.len()));
            if outcome.status == Status::Found {
                prop_assert_eq!(outcome.cost, path.cost(ground.lattice()));
                prop_assert_eq!(scratch.cost(pair[6]), Some(outcome.cost));
                prop_assert!(scratch.is_closed(pair[6]));
            }
            prop_assert_eq!(outcome.expanded, scratch.expanded());
        }
    }
}

#[test]
fn its_memory_is_kept_between_searches_and_counted() {
    let (ground, free) = broken(3);
    let mut scratch = Scratch::default();
    let query = Query::new(free[0], free[1]);
    plan(&Flood, &ground, &query, &mut scratch, &mut Path::default()).unwrap();
    let bytes = scratch.bytes();
    assert!(bytes > 16 * ground.lattice().len());
    let place = std::ptr::from_ref(scratch.memory::<FloodMemory>());
    plan(&BreadthFirst, &ground, &query, &mut scratch, &mut Path::default()).unwrap();
    plan(&Flood, &ground, &query, &mut scratch, &mut Path::default()).unwrap();
    assert!(std::ptr::eq(place, scratch.memory::<FloodMemory>()));
}

#[test]
fn a_pool_delivers_its_routes_whatever_the_threads() {
    let (ground, free) = broken(11);
    let delivered = |threads| {
        let mut pool = Pool::new(threads).unwrap();
        for pair in free.windows(40).step_by(9) {
            let planner = PlannerChoice::Custom(Arc::new(Flood)).build(&ground).unwrap();
            pool.ask(Request::new(planner, ground.clone(), Query::new(pair[0], pair[39])));
        }
        let mut log = Vec::new();
        while pool.queued() > 0 {
            pool.deliver(200, |answer| log.push((answer.ticket, answer.result.clone(), answer.turns.to_vec())));
        }
        log
    };
    assert!(delivered(1).len() > 10);
    assert_eq!(delivered(1), delivered(3));
}

#[test]
fn it_is_named_but_not_made_by_its_name() {
    let choice = PlannerChoice::Custom(Arc::new(Flood));
    assert_eq!((choice.name(), choice.to_string()), ("flood", "custom:flood".to_owned()));
    assert_eq!(choice, choice.clone());
    assert_ne!(choice, PlannerChoice::Custom(Arc::new(Flood)), "another object");
    let error = "custom:flood".parse::<PlannerChoice>().unwrap_err();
    assert_eq!(error, PlanError::Custom { name: "flood".into() });
    assert!(error.to_string().contains("PlannerChoice::Custom"));
}
