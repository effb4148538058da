//! What planners and searches say of their memory is what they hold of the heap. A program of its own with one test, so that
//! nothing else allocates meanwhile.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../throng-spatial/tests/heap/mod.rs"]
mod heap;

use heap::HELD;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use throng_grid::generate::{Kind, generate};
use throng_grid::{Cell, Ground};
use throng_plan::{Path, PlannerChoice, Query, Scratch, plan};

/// The bytes that are held of the heap after `make` and were not before, and those that `bytes` tells of it.
fn compared<T>(make: impl Fn() -> T, bytes: impl Fn(&T) -> usize) -> [usize; 2] {
    // The first time, the ground makes tables of its own.
    drop(make());
    let before = HELD.load(Ordering::Relaxed);
    let thing = make();
    [bytes(&thing), HELD.load(Ordering::Relaxed) - before]
}

#[test]
fn planners_and_searches_say_how_much_memory_they_hold() {
    let ground = Arc::new(Ground::new(generate(Kind::Rooms, 150, 90, 4).unwrap().into(), 0.4).unwrap());
    let cells: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.region(cell) == 1).collect();
    let mut wrong = Vec::new();
    for &name in PlannerChoice::NAMES {
        let choice: PlannerChoice = name.parse().unwrap();
        let mut check = |what: &str, [said, held]: [usize; 2]| {
            // Labels count what is in their tables, and not the room beyond.
            let share = if name == "labels" { 6 } else { 20 };
            if held.abs_diff(said) > 2048 + held / share {
                wrong.push(format!("{name}: {what}: says {said}, holds {held}"));
            }
        };
        check("tables", compared(|| choice.build(&ground).unwrap(), |planner| planner.bytes()));
        let planner = choice.build(&ground).unwrap();
        let searched = || {
            let (mut scratch, mut path) = (Scratch::default(), Path::default());
            for pair in cells.windows(cells.len() / 2).step_by(cells.len() / 9) {
                let query = Query::new(pair[0], pair[pair.len() - 1]);
                plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path).unwrap();
            }
            scratch
        };
        if planner.search_bytes(&Scratch::default()).is_some() {
            check("search", compared(searched, |scratch| planner.search_bytes(scratch).unwrap()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
