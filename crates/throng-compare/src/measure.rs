//! Has every contender answer, and takes the time.

use super::promise::{Fault, check, differ};
use super::{Breach, Clock, CompareError, Contender, Trip};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg32;
use std::ops::ControlFlow;
use std::time::Duration;
use throng_grid::{Cost, Ground, Steps};
use throng_plan::{
    AStar, Manhattan, Octile, Outcome, Path, PlanError, Planner, Progress, Query, Scratch, Status, plan,
};

/// Trips that a contender answers in a row before the next one has its turn.
pub const BLOCK_TRIPS: usize = 10;

/// The longest trips, as many as this, are answered by every contender before any time is taken.
const WARM_UP: usize = 4;

/// How a comparison is made.
///
/// By default three rounds with seed 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seed of the order of trips and contenders.
    pub seed: u64,
    /// How often every contender answers every trip; the least of the times counts: the work is
    /// the same in every round, and the rest of the time is the machine's.
    pub rounds: usize,
}

impl Default for Settings {
    /// Three rounds, seed 1.
    fn default() -> Self {
        Self { seed: 1, rounds: 3 }
    }
}

/// The answer of a contender to a trip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// From the question to the cells of the route: the least of the rounds.
    pub time: Duration,
    /// The first route or the first part of it, in the least time of the rounds; for planners that report one.
    pub first: Option<First>,
    /// Cost of the route.
    pub cost: Cost,
    /// Nodes expanded.
    pub expanded: u64,
    /// Cost of the route over the least cost; 1 where both are 0.
    pub ratio: f64,
    /// The route is as cheap as the cheapest.
    pub optimal: bool,
}

/// How a contender did.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Its name.
    pub planner: String,
    /// How long it took to make the planner for the ground.
    pub preprocess: Duration,
    /// Memory (bytes) of its searches, and of its tables between them; `None` where that of its searches is not known
    /// ([`Planner::search_bytes`]).
    pub bytes: Option<usize>,
    /// Its answers, in the order of the trips; those with no route are left out.
    pub answers: Vec<(usize, Answer)>,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// In the order of the contenders.
    pub scores: Vec<Score>,
    /// Length (cells) of a shortest route, in the order of the trips, answered or not.
    pub lengths: Vec<f64>,
    /// Promises that were broken, in the order of the contenders, then of the trips: at most one an answer.
    pub breaches: Vec<Breach>,
}

/// Has every contender answer every trip.
///
/// The least costs are found by [`AStar`] beforehand. Then every contender answers the longest trips to warm up, and
/// the rounds begin. `progress` hears how many of how many answers have been given, and may stop the comparison: then the
/// scores are of the trips that all contenders have answered so far, none before the first round. Routes are checked in the
/// first round, and in the others that the answer is the same.
///
/// # Errors
/// Where a planner does not take a query, or there is nothing to compare. Broken promises are no error: they are in the
/// result.
pub fn compare(
    ground: &Ground,
    contenders: &[Contender],
    trips: &[Trip],
    settings: &Settings,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Comparison, CompareError> {
    let rounds = settings.rounds;
    if contenders.is_empty() || trips.is_empty() || rounds == 0 {
        return Err(CompareError::Nothing { contenders: contenders.len(), trips: trips.len(), rounds });
    }
    let queries: Vec<Query> = trips.iter().map(|trip| Query::new(trip.from, trip.to)).collect();
    let all = rounds * trips.len() * contenders.len();
    let (least, lengths) = shortest(ground, &queries)?;
    let mut lanes: Vec<_> = contenders.iter().map(|contender| Lane::new(contender, trips.len())).collect();

    let mut longest: Vec<usize> = (0..trips.len()).collect();
    longest.sort_by_key(|&trip| std::cmp::Reverse(least[trip]));
    longest.truncate(WARM_UP);
    let mut goes_on = true;
    for lane in &mut lanes {
        longest.iter().try_for_each(|&trip| lane.ask(ground, &queries[trip], trip).map(drop))?;
        goes_on &= progress(0, all).is_continue();
        if !goes_on {
            break;
        }
    }

    let mut random = Pcg32::seed_from_u64(settings.seed);
    let (mut order, mut turns): (Vec<_>, Vec<_>) = ((0..trips.len()).collect(), (0..lanes.len()).collect());
    let mut done = 0;
    'rounds: for round in 0..rounds {
        order.shuffle(&mut random);
        for block in order.chunks(BLOCK_TRIPS) {
            turns.shuffle(&mut random);
            for &turn in &turns {
                if !goes_on {
                    // A trip counts where all have answered it.
                    for lane in &mut lanes {
                        for &trip in block {
                            lane.times[trip].truncate(round);
                        }
                    }
                    break 'rounds;
                }
                for &trip in block {
                    let lane = &mut lanes[turn];
                    let timed = lane.ask(ground, &queries[trip], trip)?;
                    lane.faults[trip] = match lane.times[trip].first() {
                        None => {
                            let guarantee = lane.contender.planner.capabilities().guarantee;
                            check(ground, &trips[trip], least[trip], guarantee, &timed.outcome, &lane.path)
                        }
                        Some(first) => lane.faults[trip].take().or_else(|| differ(&first.outcome, &timed.outcome)),
                    };
                    lane.times[trip].push(timed);
                }
                done += block.len();
                goes_on = progress(done, all).is_continue();
            }
        }
    }

    let breaches = lanes.iter().flat_map(|lane| lane.breaches(ground, trips)).collect();
    Ok(Comparison { scores: lanes.into_iter().map(|lane| lane.score(&least)).collect(), lengths, breaches })
}

/// The least cost and the shortest length (cells) of each trip.
fn shortest(ground: &Ground, queries: &[Query]) -> Result<(Vec<Cost>, Vec<f64>), CompareError> {
    let planner: &dyn Planner = if ground.steps() == Steps::Four { &AStar(Manhattan) } else { &AStar(Octile) };
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let (mut costs, mut lengths) = (Vec::with_capacity(queries.len()), Vec::with_capacity(queries.len()));
    for (query, number) in queries.iter().zip(1..) {
        let outcome = plan(planner, ground, query, &mut scratch, &mut path).map_err(|source| CompareError::Plan {
            planner: planner.name().into(),
            query: number,
            source,
        })?;
        if outcome.status != Status::Found {
            return Err(CompareError::NoRoute { query: number });
        }
        costs.push(outcome.cost);
        lengths.push(path.length(ground.lattice()));
    }
    Ok((costs, lengths))
}

/// The result of a search, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// How it ended.
    pub outcome: Outcome,
    /// From the question to the cells of the route.
    pub time: Duration,
    /// The first route, or the first part of one, of planners that report one.
    pub first: Option<First>,
}

/// The first route that a planner reports before it is done, or the first part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct First {
    /// From the question to the report.
    pub time: Duration,
    /// The cost of the route.
    pub cost: Cost,
    /// How long it is (steps).
    pub steps: usize,
}

/// As [`plan`]: runs a search to its end and writes the route into `path`, with an eye on the clock of the wall.
///
/// # Errors
/// Where the planner lacks a capability that the query needs, or the start or the goal is off the map or closed.
///
/// ```
/// use throng_compare::timed;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{DIAGONAL, Dijkstra, Path, Query, STRAIGHT, Scratch};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let timed = timed(&Dijkstra, &ground, &query, &mut Scratch::default(), &mut Path::default())?;
/// println!("{} µs, {} expanded", timed.time.as_micros(), timed.outcome.expanded);
/// assert_eq!(timed.outcome.cost, u64::from(37 * DIAGONAL + 20 * STRAIGHT));
/// assert_eq!(timed.first, None, "it reports no route before the last");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn timed(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    path: &mut Path,
) -> Result<Timed, PlanError> {
    timed_by(Clock::Wall, planner, ground, query, scratch, path)
}

/// The same by another clock.
///
/// # Errors
/// As [`timed`].
pub fn timed_by(
    clock: Clock,
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    path: &mut Path,
) -> Result<Timed, PlanError> {
    let start = clock.now();
    let elapsed = || clock.now().saturating_sub(start);
    let (mut first, mut paused) = (None, Duration::ZERO);
    path.cells.clear();
    planner.begin(ground, query, scratch)?;
    let outcome = loop {
        match planner.advance(ground, query, scratch, u64::MAX) {
            Progress::Route(outcome) if first.is_none() => {
                let time = elapsed();
                planner.path(ground, query, scratch, path);
                first = Some(First { time, cost: outcome.cost, steps: path.cells.len().saturating_sub(1) });
                paused = elapsed().saturating_sub(time);
            }
            Progress::Running | Progress::Route(_) => {}
            Progress::Done(outcome) => break outcome,
        }
    };
    planner.path(ground, query, scratch, path);
    Ok(Timed { outcome, time: elapsed().saturating_sub(paused), first })
}

/// A contender, its memory, and its results.
struct Lane<'a> {
    contender: &'a Contender,
    scratch: Scratch,
    path: Path,
    /// By trip, one a round.
    times: Vec<Vec<Timed>>,
    /// By trip.
    faults: Vec<Option<Fault>>,
}

impl<'a> Lane<'a> {
    fn new(contender: &'a Contender, trips: usize) -> Self {
        Self {
            contender,
            scratch: Scratch::default(),
            path: Path::default(),
            times: vec![Vec::new(); trips],
            faults: vec![None; trips],
        }
    }

    /// Searches; the cells of the route are in `path` afterwards.
    fn ask(&mut self, ground: &Ground, query: &Query, trip: usize) -> Result<Timed, CompareError> {
        let planner = self.contender.planner.as_ref();
        timed(planner, ground, query, &mut self.scratch, &mut self.path).map_err(|source| CompareError::Plan {
            planner: self.contender.name.clone(),
            query: trip + 1,
            source,
        })
    }

    fn breaches(&self, ground: &Ground, trips: &[Trip]) -> Vec<Breach> {
        let place = |cell| ground.lattice().column_row(cell);
        let broken = self.faults.iter().zip(trips).zip(1..).filter_map(|((fault, trip), query)| {
            let (found, expected) = fault.clone()?;
            let (from, to) = (place(trip.from), place(trip.to));
            Some(Breach { planner: self.contender.name.clone(), query, from, to, found, expected })
        });
        broken.collect()
    }

    fn score(self, least: &[Cost]) -> Score {
        let answers = self.times.iter().zip(least).enumerate().filter_map(|(trip, (times, &least))| {
            let outcome = times.first()?.outcome;
            if outcome.status != Status::Found {
                return None;
            }
            let ratio = if least == 0 { 1.0 } else { outcome.cost as f64 / least as f64 };
            let answer = Answer {
                time: times.iter().map(|timed| timed.time).min().unwrap_or_default(),
                first: times.iter().filter_map(|timed| timed.first).min_by_key(|first| first.time),
                cost: outcome.cost,
                expanded: outcome.expanded,
                ratio,
                optimal: outcome.cost <= least,
            };
            Some((trip, answer))
        });
        let planner = &self.contender.planner;
        Score {
            planner: self.contender.name.clone(),
            preprocess: self.contender.preprocess,
            bytes: planner.search_bytes(&self.scratch).map(|bytes| bytes + planner.bytes()),
            answers: answers.collect(),
        }
    }
}
