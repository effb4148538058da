//! Broken promises, and the pieces together.

use super::*;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use throng_grid::{Cell, Grid, Ground, Lattice};
use throng_plan::{
    AStar, Capabilities, Guarantee, Octile, Outcome, Path, PlanError, Planner, PlannerChoice, Progress, Query,
    STRAIGHT, Scratch, Status,
};

/// Makes a false promise about the routes of A*.
#[derive(Debug)]
struct Liar(Lie);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    /// The route goes one step back and forth, and the cost with it; the bound stays.
    Detour,
    /// The same, with a bound that covers it.
    Bounded,
    /// The same, with a bound that is a little too low.
    Barely,
    /// A step of the route is missing.
    Jump,
    /// The cost is one too low.
    Cost,
    /// The route ends one cell before the goal.
    Short,
    /// There is no route.
    NoRoute,
    /// None: the first parts of the route are reported on the way.
    Piecemeal,
}

impl Planner for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn capabilities(&self) -> Capabilities {
        let guarantee = match self.0 {
            Lie::Bounded | Lie::Barely => Guarantee::Bounded(2.0),
            _ => Guarantee::Optimal,
        };
        Capabilities { guarantee, can: &[] }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        AStar(Octile).begin(ground, query, scratch)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let expansions = if self.0 == Lie::Piecemeal { 2 } else { expansions };
        let Progress::Done(mut outcome) = AStar(Octile).advance(ground, query, scratch, expansions) else {
            let expanded = scratch.expanded();
            return Progress::Route(Outcome { status: Status::Found, cost: 0, bound: f64::INFINITY, expanded });
        };
        let more = outcome.cost + 2 * u64::from(STRAIGHT);
        match self.0 {
            Lie::Detour => outcome.cost = more,
            Lie::Bounded => (outcome.bound, outcome.cost) = (more as f64 / outcome.cost as f64, more),
            Lie::Barely => (outcome.bound, outcome.cost) = ((more - 1) as f64 / outcome.cost as f64, more),
            Lie::Cost => outcome.cost -= 1,
            Lie::NoRoute => (outcome.status, outcome.cost) = (Status::NoRoute, 0),
            Lie::Jump | Lie::Short | Lie::Piecemeal => {}
        }
        Progress::Done(outcome)
    }

    fn path(&self, ground: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
        AStar(Octile).path(ground, query, scratch, path);
        match self.0 {
            Lie::Detour | Lie::Bounded | Lie::Barely => {
                let (first, second) = (path.cells[0], path.cells[1]);
                path.cells.splice(0..0, [first, second]);
            }
            Lie::Jump => drop(path.cells.remove(1)),
            Lie::Short => drop(path.cells.pop()),
            Lie::NoRoute => path.cells.clear(),
            Lie::Cost | Lie::Piecemeal => {}
        }
    }
}

/// A plain, a straight trip of six steps, and the faults found in a planner.
fn found_out(planner: impl Planner + 'static) -> Comparison {
    let ground = Ground::new(Grid::open_plain(Lattice::new(9, 3, 1.0).unwrap()).into(), 0.4).unwrap();
    let at = |x| ground.lattice().cell(x, 1);
    let trip = Trip { from: at(1), to: at(7), optimal: Some(6.0) };
    let (name, preprocess) = (planner.name().to_owned(), Duration::ZERO);
    let contender = Contender { name, planner: Arc::new(planner), preprocess };
    compare(&ground, &[contender], &[trip], &Settings::default(), &mut |_, _| Continue(())).unwrap()
}

#[test]
fn lies_are_found_out() {
    for (lie, found, expected) in [
        (Lie::Detour, "cost 19024", "14268, the optimal cost"),
        (Lie::Barely, "cost 19024", "at most 19023, 1.3332632464255676 times the optimal cost 14268"),
        (Lie::Jump, "a step from 1,1 to 3,1", "legal steps only"),
        (Lie::Cost, "a route that costs 14268", "14267, the cost it reports"),
        (Lie::Short, "a route from 1,1 to 6,1", "one from the start to the goal"),
        (Lie::NoRoute, "\"no route: the goal is in another part of the map\"", "a route: there is one"),
    ] {
        let comparison = found_out(Liar(lie));
        let expected = Breach {
            planner: "liar".into(),
            query: 1,
            from: (1, 1),
            to: (7, 1),
            found: found.into(),
            expected: expected.into(),
        };
        assert_eq!(comparison.breaches, [expected], "{lie:?}");
        assert_eq!(comparison.scores[0].answers.is_empty(), lie == Lie::NoRoute);
    }
}

#[test]
fn kept_promises_are_no_breach() {
    assert_eq!(found_out(AStar(Octile)).breaches, []);
    let bounded = found_out(Liar(Lie::Bounded));
    assert_eq!(bounded.breaches, []);
    let (_, answer) = bounded.scores[0].answers[0];
    assert!((answer.ratio - 4.0 / 3.0).abs() < 1e-12 && !answer.optimal);
}

/// Expands more from one question to the next.
#[derive(Debug, Default)]
struct Fickle(AtomicU64);

impl Planner for Fickle {
    fn name(&self) -> &'static str {
        "fickle"
    }

    fn capabilities(&self) -> Capabilities {
        AStar(Octile).capabilities()
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        AStar(Octile).begin(ground, query, scratch)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        match AStar(Octile).advance(ground, query, scratch, expansions) {
            Progress::Done(outcome) => {
                Progress::Done(Outcome { expanded: self.0.fetch_add(1, Ordering::Relaxed), ..outcome })
            }
            other => other,
        }
    }

    fn path(&self, ground: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
        AStar(Octile).path(ground, query, scratch, path);
    }
}

#[test]
fn who_answers_differently_is_found_out() {
    let comparison = found_out(Fickle::default());
    // The first question is the warm-up.
    assert_eq!(
        comparison.breaches[0].to_string(),
        "fickle, query 1 (1,1 to 7,1): found \"found\", cost 14268, 2 expanded, \
         expected \"found\", cost 14268, 1 expanded, as the first time"
    );
}

#[test]
fn the_first_route_is_timed() {
    let comparison = found_out(Liar(Lie::Piecemeal));
    assert_eq!(comparison.breaches, []);
    let (_, answer) = comparison.scores[0].answers[0];
    assert!(answer.first.is_some_and(|first| first.time <= answer.time), "{answer:?}");
    assert_eq!(found_out(AStar(Octile)).scores[0].answers[0].1.first, None);
}

#[test]
fn everybody_answers_every_trip_in_every_round() {
    let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(32, 32, 1.0).unwrap()).into(), 0.4).unwrap());
    let trips = random_trips(&ground, 25, 3).unwrap();
    let contender = |name: &str| Contender::new(&name.parse().unwrap(), &ground).unwrap();
    let contenders = ["astar", "dijkstra", "weighted-astar"].map(contender);
    let settings = Settings { seed: 4, rounds: 2 };
    let mut heard = Vec::new();
    let comparison = compare(&ground, &contenders, &trips, &settings, &mut |done, of| {
        heard.push((done, of));
        Continue(())
    })
    .unwrap();
    // Each contender is heard of once while they warm up.
    let heard: Vec<(usize, usize)> = heard.split_off(3);
    assert!(heard.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert_eq!((heard.len(), heard.last()), (2 * 3 * 3, Some(&(150, 150))));
    for score in &comparison.scores {
        let numbers: Vec<_> = score.answers.iter().map(|answer| answer.0).collect();
        assert_eq!(numbers, (0..25).collect::<Vec<_>>());
        assert!(score.answers.iter().all(|(_, answer)| answer.time > Duration::ZERO && answer.ratio >= 1.0));
    }
    assert!(comparison.scores[0].answers.iter().all(|(_, answer)| answer.optimal));
}

/// A comparison that is stopped has the figures of the trips that all have answered, and of no others.
#[test]
fn a_comparison_that_is_stopped_is_fair() {
    let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(48, 48, 1.0).unwrap()).into(), 0.4).unwrap());
    let trips = random_trips(&ground, 25, 3).unwrap();
    let contender = |name: &str| Contender::new(&name.parse().unwrap(), &ground).unwrap();
    let contenders = ["astar", "dijkstra", "weighted-astar"].map(contender);
    let settings = Settings { seed: 4, rounds: 2 };
    for stop in 0..22_usize {
        let mut calls = 0;
        let comparison = compare(&ground, &contenders, &trips, &settings, &mut |_, _| {
            calls += 1;
            if calls > stop { Break(()) } else { Continue(()) }
        })
        .unwrap();
        let answered = |score: &Score| score.answers.iter().map(|answer| answer.0).collect::<Vec<_>>();
        let first = answered(&comparison.scores[0]);
        assert!(comparison.scores.iter().all(|score| answered(score) == first), "stopped at call {stop}");
        // Three calls to warm up, three a block of ten trips.
        let blocks = stop.saturating_sub(2) / 3;
        assert_eq!(first.len(), [0, 10, 20, 25][blocks.min(3)], "stopped at call {stop}");
    }
}

#[test]
fn what_cannot_be_compared() {
    let ground = Ground::new(Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap()).into(), 0.4).unwrap();
    let error = compare(&ground, &[], &[], &Settings::default(), &mut |_, _| Continue(())).unwrap_err();
    assert_eq!(error.to_string(), "there is nothing to compare: 0 planners, 0 trips, 3 rounds");
    let planner = Contender { name: "mine".into(), planner: Arc::new(AStar(Octile)), preprocess: Duration::ZERO };
    let trip = Trip { from: ground.lattice().cell(0, 0), to: Cell(0), optimal: None };
    let error = compare(&ground, &[planner], &[trip], &Settings::default(), &mut |_, _| Continue(())).unwrap_err();
    assert_eq!(error.to_string(), "the planner astar does not take query 1: the goal is off the map");
}

/// So many planners, each a little slower than the one before.
fn crowd(planners: usize) -> Comparison {
    let answer = |us: usize| Answer {
        time: Duration::from_micros(us as u64),
        first: None,
        cost: 1,
        expanded: 1,
        ratio: 1.0,
        optimal: true,
    };
    let score = |planner: usize| Score {
        planner: format!("p<{planner}>"),
        preprocess: Duration::ZERO,
        bytes: Some(0),
        answers: (0..50).map(|trip| (trip, answer(trip * (planner + 1)))).collect(),
    };
    Comparison {
        scores: (0..planners).map(score).collect(),
        // Of no length, and of 4 to 200 cells.
        lengths: (0..50).map(|trip| f64::from(trip) * 4.0).collect(),
        breaches: Vec::new(),
    }
}

#[test]
fn plots_of_one_and_of_many() {
    for planners in [1, 28] {
        let svg = plot(&crowd(planners), "a & b").unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains("a &amp; b") && svg.contains("p&lt;0&gt;") && !svg.contains("NaN"), "{svg}");
        for y in svg.split(" y=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!((0..680).contains(&y.parse::<i32>().unwrap()), "{planners} planners: y = {y}");
        }
    }
}

#[test]
fn plots_of_nothing_and_of_one_point() {
    let mut comparison = crowd(1);
    comparison.scores[0].answers.truncate(2);
    assert_eq!(plot(&comparison, "").unwrap().matches("r=\"2\"").count(), 1);
    comparison.scores[0].answers.clear();
    assert!(plot(&comparison, "").unwrap().contains("</svg>"));
    comparison.scores.clear();
    assert!(plot(&comparison, "").unwrap().contains("</svg>"));
}

#[path = "../../throng-plan/tests/flood/mod.rs"]
mod flood;

#[test]
fn a_planner_from_outside_takes_part_with_memory_of_its_own() {
    let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0).unwrap()).into(), 0.4).unwrap());
    let at = |x, y| ground.lattice().cell(x, y);
    let trips =
        [Trip { from: at(1, 1), to: at(12, 4), optimal: None }, Trip { from: at(9, 9), to: at(2, 3), optimal: None }];
    let contenders = [PlannerChoice::Custom(Arc::new(flood::Flood)), PlannerChoice::AStar]
        .map(|choice| Contender::new(&choice, &ground).unwrap());
    assert_eq!(contenders[0].name, "custom:flood");
    let comparison = compare(&ground, &contenders, &trips, &Settings::default(), &mut |_, _| Continue(())).unwrap();
    assert_eq!(comparison.breaches, []);
    let expanded =
        |score: usize| comparison.scores[score].answers.iter().map(|(_, answer)| answer.expanded).sum::<u64>();
    assert!(expanded(0) > expanded(1) && expanded(1) > 0);
}
