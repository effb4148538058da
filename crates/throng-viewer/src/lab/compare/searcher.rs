//! The searches behind the panes: what to do next, and doing it.

mod cells;
mod grounds;

use super::cell_facts::{CellFacts, CellRequest};
use super::costs::Costs;
use super::replanner::{Replan, Replanner};
use super::rerun::{self, Improvement, PartialSearch, Rerun};
use super::trace::Trace;
use crate::shell::graphics::panic_message;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;
use throng_compare::{Clock, Timed, timed_by};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Steps};
use throng_plan::{Cancel, Outcome, Path, PlanError, Planner, PlannerChoice, Query, Scratch, Status, plan};
use throng_scene::edits::toggled;

/// Once all panes are up to date, each search is repeated for a steadier time: at most this often, and for at most this long.
const MAX_REPETITIONS: usize = 15;
const MAX_REPETITION_TIME: Duration = Duration::from_millis(250);

/// The searches to make.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// Later tasks have greater numbers; the first is 1.
    pub number: u64,
    pub grid: Arc<Grid>,
    /// Start and goal, where there are any.
    pub trip: Option<(Cell, Cell)>,
    /// The planner of each pane.
    pub planners: Vec<PlannerChoice>,
    /// The steps that are legal.
    pub steps: Steps,
    /// What they cost beside their length.
    pub costs: Costs,
    /// The cell of the agent that walks to the goal.
    pub walker: Option<Cell>,
}

/// News of the searches.
#[derive(Debug)]
pub(super) enum SearchNews {
    /// The ground after an edit.
    Ground(Arc<Ground>),
    /// A search is at its end, or cannot be made: why, in words.
    Search { pane: usize, task: u64, result: Result<Box<Found>, String> },
    /// A better figure for how long it takes, to its end and to its first route.
    Time { pane: usize, task: u64, time: Duration, first: Option<Duration> },
    /// A search as it was on the way.
    PartialSearch { pane: usize, task: u64, look: Box<PartialSearch> },
    /// The route of the agent that walks, or why it has none, in words.
    Replan { task: u64, result: Result<Box<Replan>, String> },
    /// What a search knows of the cell under the pointer.
    Cell(Box<CellFacts>),
    /// Length of the shortest route (cells), as [`Found::length`]; `None` where there is none.
    Optimum { task: u64, length: Option<f64> },
    /// A search was given up for a newer task.
    GivenUp,
}

/// A search that is at its end.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub outcome: Outcome,
    /// Bytes of the memory it searched in, where they are known.
    pub memory: Option<usize>,
    /// How long it took, tables apart.
    pub time: Duration,
    /// When there was a first route, or a first part of one, of planners that report it.
    pub first: Option<Duration>,
    /// Of the planners that keep some.
    pub tables: Option<Tables>,
    /// Length of the route (cells); with terrain or links its cost, where a cell of plain ground costs 1.
    pub length: f64,
    /// The turns of the route, start and goal included (m).
    pub route: Vec<Vec2>,
    /// The routes reported on the way.
    pub improvements: Vec<Improvement>,
    /// Expansions, and the parts that were refined after them.
    pub end: u64,
    /// Steps along a side of the clusters of each level, of hierarchical planners.
    pub clusters: Vec<u32>,
    /// `None` where the planner leaves none.
    pub trace: Option<Trace>,
}

/// The tables that a planner made before it searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    /// How long that took.
    pub time: Duration,
    pub bytes: usize,
    /// True where they were repaired after an edit.
    pub repaired: bool,
}

/// The state of a pane's search.
struct PaneSearch {
    choice: PlannerChoice,
    planner: Option<Result<BuiltPlanner, String>>,
    /// The task that was done last.
    done: u64,
    /// When it had its last turn: later turns have greater numbers.
    turn: u64,
    /// How long its searches took, to the end and to the first route.
    times: Vec<(Duration, Option<Duration>)>,
    /// True where a repetition makes sense.
    repeat: bool,
    /// Its own, so that its size is that of one planner's searches.
    scratch: Scratch,
    /// The search once more, for looks at it.
    rerun: Rerun,
    /// After how many expansions it is to be looked at, and when it was last.
    wanted: Option<u64>,
    looked: u64,
    /// Of its trace.
    furthest: u64,
}

/// A planner with its tables.
#[derive(Clone)]
struct BuiltPlanner {
    planner: Arc<dyn Planner>,
    /// The map that they were made for.
    grid: Arc<Grid>,
    tables: Option<Tables>,
}

impl PaneSearch {
    fn new(choice: PlannerChoice) -> Self {
        Self {
            choice,
            planner: None,
            done: 0,
            turn: 0,
            times: Vec::new(),
            repeat: false,
            scratch: Scratch::default(),
            rerun: Rerun::default(),
            wanted: None,
            looked: 0,
            furthest: 1,
        }
    }
}

/// Runs the searches of all panes, one after the other, so that they take no time from each other.
pub(super) struct Searcher {
    ground: Arc<Ground>,
    /// The ground of the beginning: it has all that can count.
    base: Arc<Ground>,
    costs: Costs,
    /// The newest map.
    grid: Arc<Grid>,
    /// Why there is no ground for the newest map.
    failure: Option<String>,
    task: Option<Task>,
    seats: Vec<PaneSearch>,
    turns: u64,
    path: Path,
    /// The cell that is pointed at, and the order of expansions of a task in a pane: of the last one that was pointed at.
    pointed: Option<CellRequest>,
    order: Option<(u64, usize, Vec<u32>)>,
    /// The task whose shortest route is known, and the memory to find it.
    measured: u64,
    scratch: Scratch,
    /// The task whose walking agent has its route, and its search.
    replanned: u64,
    replanner: Replanner,
}

impl Searcher {
    pub fn new(ground: Arc<Ground>) -> Self {
        Self {
            grid: Arc::clone(ground.grid()),
            // The first task that does not count the crowd gets another ground.
            costs: Costs { crowds: ground.crowding().is_some(), ..Costs::of(&ground) },
            base: Arc::clone(&ground),
            ground,
            failure: None,
            task: None,
            seats: Vec::new(),
            turns: 0,
            path: Path::default(),
            pointed: None,
            order: None,
            measured: 0,
            scratch: Scratch::default(),
            replanned: 0,
            replanner: Replanner::default(),
        }
    }

    /// Turns to another task.
    pub fn take(&mut self, task: Task) -> Option<SearchNews> {
        self.seats.truncate(task.planners.len());
        for (pane, choice) in task.planners.iter().enumerate() {
            match self.seats.get_mut(pane) {
                Some(seat) if seat.choice == *choice => {}
                Some(seat) => *seat = PaneSearch { turn: seat.turn, ..PaneSearch::new(choice.clone()) },
                None => self.seats.push(PaneSearch::new(choice.clone())),
            }
        }
        let news = if task.steps != self.ground.steps() || task.costs != self.costs {
            self.step_otherwise(&task)
        } else if Arc::ptr_eq(&task.grid, &self.grid) {
            None
        } else {
            self.edit(&task)
        };
        for seat in &mut self.seats {
            seat.rerun.restart();
            seat.wanted = None;
        }
        if task.walker.is_none() {
            self.replanner.forget();
        }
        self.task = Some(task);
        news
    }

    /// Requests the searches of a task as they are after `places` expansions each.
    pub fn want(&mut self, task: u64, places: &[Option<u64>]) {
        if self.task.as_ref().is_some_and(|own| own.number == task) {
            for (seat, place) in self.seats.iter_mut().zip(places) {
                seat.wanted = *place;
            }
        }
    }

    /// Requests what a search knows of a cell, in place of the request before.
    pub fn point(&mut self, request: CellRequest) {
        self.pointed = Some(request);
    }

    /// Does the next piece of work: the search of the pane that waits longest, or else a look that is output for, or the
    /// shortest route, or a repetition of a search that took little. `None` where nothing is left to do. Searches watch
    /// `cancel`.
    pub fn step(&mut self, cancel: &Cancel) -> Option<SearchNews> {
        let task = self.task.as_ref()?;
        let (number, trip) = (task.number, task.trip);
        if let (Some(at), Some((_, goal)), None) = (task.walker, trip, &self.failure)
            && self.replanned < number
        {
            self.replanned = number;
            let result = self.replanner.replan(&self.ground, at, goal, cancel);
            return Some(SearchNews::Replan { task: number, result: result.map(Box::new) });
        }
        let waiting = (0..self.seats.len()).filter(|&pane| self.seats[pane].done < number);
        if let Some(pane) = waiting.min_by_key(|&pane| self.seats[pane].turn) {
            self.turns += 1;
            self.seats[pane].turn = self.turns;
            let result = match (&self.failure, trip) {
                (Some(failure), _) => Err(failure.clone()),
                (None, None) => Err("no open cell: erase walls, then press R".to_owned()),
                (None, Some(trip)) => self.search(pane, trip, cancel),
            };
            let status = result.as_ref().ok().map(|found: &Found| found.outcome.status);
            if status == Some(Status::Cancelled) {
                return Some(SearchNews::GivenUp);
            }
            let seat = &mut self.seats[pane];
            seat.times.clear();
            seat.times.extend(result.as_ref().ok().map(|found| (found.time, found.first)));
            seat.repeat = status == Some(Status::Found);
            seat.done = number;
            return Some(SearchNews::Search { pane, task: number, result: result.map(Box::new) });
        }
        let trip = trip?;
        let wanted = (0..self.seats.len()).filter(|&pane| self.seats[pane].wanted.is_some());
        if let Some(pane) = wanted.min_by_key(|&pane| self.seats[pane].looked) {
            let look = self.look(pane, trip, cancel);
            return Some(look.map_or(SearchNews::GivenUp, |look| SearchNews::PartialSearch {
                pane,
                task: number,
                look: Box::new(look),
            }));
        }
        if let Some(request) = self.pointed.take().filter(|request| request.task == number) {
            return Some(
                self.cell(request, trip, cancel).map_or(SearchNews::GivenUp, |facts| SearchNews::Cell(Box::new(facts))),
            );
        }
        if self.measured < number {
            self.measured = number;
            return Some(SearchNews::Optimum { task: number, length: self.shortest(trip, cancel) });
        }
        let pane = self.next_repetition()?;
        let result = self.run(pane, trip, cancel);
        let seat = &mut self.seats[pane];
        match result {
            Ok(run) if run.outcome.status == Status::Found => {
                seat.times.push((run.time, run.first.map(|first| first.time)));
            }
            _ => seat.repeat = false,
        }
        let mut times = seat.times.clone();
        times.sort_unstable();
        let (time, first) = times[times.len() / 2];
        Some(SearchNews::Time { pane, task: number, time, first })
    }

    /// The pane whose search was made the fewest times and may be made again.
    fn next_repetition(&self) -> Option<usize> {
        let may = |seat: &PaneSearch| {
            seat.repeat
                && seat.times.len() < MAX_REPETITIONS
                && seat.times.iter().map(|(time, _)| *time).sum::<Duration>() < MAX_REPETITION_TIME
        };
        (0..self.seats.len()).filter(|&pane| may(&self.seats[pane])).min_by_key(|&pane| self.seats[pane].times.len())
    }

    /// One search with all that is shown of it.
    fn search(&mut self, pane: usize, trip: (Cell, Cell), cancel: &Cancel) -> Result<Found, String> {
        let Timed { outcome, time, first } = self.run(pane, trip, cancel)?;
        let BuiltPlanner { planner, tables, .. } = self.planner(pane)?;
        let (ground, seat) = (&*self.ground, &mut self.seats[pane]);
        let (mut improvements, mut end) = (Vec::new(), outcome.expanded);
        if first.is_some() {
            let query = Query { cancel: Some(cancel.clone()), ..Query::new(trip.0, trip.1) };
            let all = seat.rerun.improvements(&*planner, ground, &query).map_err(|error| error.to_string())?;
            (improvements, end) = all.unwrap_or((improvements, end));
        }
        let trace = rerun::trace(&*planner, ground, &seat.scratch, None);
        seat.furthest = trace.as_ref().map_or(1, |trace| trace.furthest);
        Ok(Found {
            outcome,
            memory: planner.search_bytes(&seat.scratch),
            time,
            first: first.map(|first| first.time),
            tables,
            length: rerun::length(ground, &self.path, outcome.cost),
            route: rerun::turns(ground, &self.path),
            improvements,
            end,
            clusters: planner
                .hierarchy()
                .map(|hpa| (0..hpa.levels()).filter_map(|level| hpa.cluster_side(level)).collect())
                .unwrap_or_default(),
            trace,
        })
    }

    /// The search of a pane as it was after as many expansions as are wanted.
    fn look(&mut self, pane: usize, (from, to): (Cell, Cell), cancel: &Cancel) -> Option<PartialSearch> {
        self.turns += 1;
        let turn = self.turns;
        let planner = self.planner(pane);
        let seat = &mut self.seats[pane];
        seat.looked = turn;
        let (at, ready) = (seat.wanted.take()?, planner.ok()?);
        let query = Query { cancel: Some(cancel.clone()), ..Query::new(from, to) };
        let (ground, rerun, furthest) = (&*self.ground, &mut seat.rerun, seat.furthest);
        let look = caught(|| rerun.look(&*ready.planner, ground, &query, at, furthest));
        if look.is_err() {
            seat.rerun = Rerun::default();
        }
        look.ok()?.ok()?
    }

    /// Length of the shortest route.
    fn shortest(&mut self, (from, to): (Cell, Cell), cancel: &Cancel) -> Option<f64> {
        let ground = &self.ground;
        let planner = PlannerChoice::AStar.build(ground).ok()?;
        let query = Query { cancel: Some(cancel.clone()), ..Query::new(from, to) };
        let outcome = plan(&*planner, ground, &query, &mut self.scratch, &mut self.path).ok()?;
        (outcome.status == Status::Found).then(|| rerun::length(ground, &self.path, outcome.cost))
    }

    /// One search, and how long it took.
    fn run(&mut self, pane: usize, (from, to): (Cell, Cell), cancel: &Cancel) -> Result<Timed, String> {
        let BuiltPlanner { planner, .. } = self.planner(pane)?;
        let query = Query { cancel: Some(cancel.clone()), ..Query::new(from, to) };
        let (ground, scratch, path) = (&*self.ground, &mut self.seats[pane].scratch, &mut self.path);
        let result = caught(|| {
            timed_by(Clock::of_thread(), &*planner, ground, &query, scratch, path).map_err(|error| error.to_string())
        });
        if result.is_err() {
            // A panic may have left anything in it.
            self.seats[pane].scratch = Scratch::default();
        }
        result?
    }

    /// The planner of a pane: made where it is not yet, repaired where the map was edited since.
    fn planner(&mut self, pane: usize) -> Result<BuiltPlanner, String> {
        let (seat, ground) = (&mut self.seats[pane], &self.ground);
        match seat.planner.take() {
            Some(Ok(ready)) if Arc::ptr_eq(&ready.grid, ground.grid()) => seat.planner = Some(Ok(ready)),
            old => {
                let old = old.and_then(Result::ok);
                let made = caught(|| make(&seat.choice, old, ground).map_err(|error| error.to_string()));
                seat.planner = Some(made.and_then(|made| made));
            }
        }
        seat.planner.clone().unwrap_or_else(|| Err("no planner".to_owned()))
    }
}

/// The planner for a ground, from that for a map before where it knows how.
fn make(choice: &PlannerChoice, old: Option<BuiltPlanner>, ground: &Arc<Ground>) -> Result<BuiltPlanner, PlanError> {
    let begun = Clock::of_thread().now();
    let mut repaired = false;
    let planner = match old {
        None => choice.build(ground)?,
        Some(old) => {
            let updated = old.planner.updated(ground, &toggled(&old.grid, ground.grid()).collect::<Vec<_>>())?;
            repaired = updated.is_some();
            updated.unwrap_or(old.planner)
        }
    };
    let (time, bytes) = (Clock::of_thread().now().saturating_sub(begun), planner.bytes());
    let tables = (bytes > 0).then_some(Tables { time, bytes, repaired });
    Ok(BuiltPlanner { planner, grid: Arc::clone(ground.grid()), tables })
}

/// The result of `work`, or the message of its panic.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work))
        .map_err(|payload| format!("the planner panicked: {}", panic_message(payload.as_ref())))
}

#[cfg(test)]
mod tests;
