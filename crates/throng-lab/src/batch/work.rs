//! Running a batch.

use super::{ArmyResult, Batch, BatchError, Row, Run};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use throng_scenario::Scenario;
use throng_sim::world::{Verdict, World};

/// Time between two calls of the caller while runs are under way.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

impl Batch {
    /// Says before anything is run whether the scenarios of some points can be, on so many threads; `seen` is called after
    /// each. Stops where `stop` is set.
    ///
    /// # Errors
    /// Of the first point that cannot be.
    pub fn check(
        &self,
        points: &[usize],
        jobs: usize,
        stop: &AtomicBool,
        seen: impl Fn() + Sync,
    ) -> Result<(), BatchError> {
        self.check_all(points, jobs, stop, &seen)
    }

    fn check_all(
        &self,
        points: &[usize],
        jobs: usize,
        stop: &AtomicBool,
        seen: &(dyn Fn() + Sync),
    ) -> Result<(), BatchError> {
        let next = AtomicUsize::new(0);
        let first: Mutex<Option<(usize, BatchError)>> = Mutex::new(None);
        let check = |point: usize| {
            let scenario = self.scenario(point)?;
            scenario.build(1).map(drop).map_err(|source| self.refused(point, source))
        };
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(points.len()) {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&point) = points.get(place) else { break };
                        let Err(error) = check(point) else {
                            seen();
                            continue;
                        };
                        // Points before this one are being looked at already: the first that cannot be is told.
                        next.store(points.len(), Ordering::Relaxed);
                        let mut first = first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        if first.as_ref().is_none_or(|&(other, _)| place < other) {
                            *first = Some((place, error));
                        }
                    }
                });
            }
        });
        match first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Does these runs, `jobs` at a time and each on one thread, until all are done or `stop` is set; `done` gets the row of
    /// each with the number beside it in `runs`, in any order; `pause` is called now and then. A row depends on its run alone.
    ///
    /// # Errors
    /// The first of a scenario, of a run or of `done`. Runs that are finished are told also after one, but for those after an error
    /// of `done`.
    pub fn work(
        &self,
        runs: &[(usize, Run)],
        jobs: usize,
        stop: &AtomicBool,
        mut done: impl FnMut(usize, Row) -> Result<(), BatchError>,
        mut pause: impl FnMut(),
    ) -> Result<(), BatchError> {
        self.work_through(runs, jobs, stop, &mut done, &mut pause)
    }

    fn work_through(
        &self,
        runs: &[(usize, Run)],
        jobs: usize,
        stop: &AtomicBool,
        done: &mut dyn FnMut(usize, Row) -> Result<(), BatchError>,
        pause: &mut dyn FnMut(),
    ) -> Result<(), BatchError> {
        let next = AtomicUsize::new(0);
        let ended = AtomicBool::new(false);
        let stopped = || ended.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
        let (tell, told) = channel();
        let (next, stopped) = (&next, &stopped);
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(runs.len()) {
                let tell = tell.clone();
                scope.spawn(move || {
                    // That of the point at hand: the next seed of the point finds all squads in place.
                    let mut scenario = None;
                    while let Some(&(number, run)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let row = self.turn(&mut scenario, run, stopped);
                        // A finished run is told, also where it was stopped since.
                        if matches!(row, Ok(None)) || tell.send((number, row)).is_err() || stopped() {
                            break;
                        }
                    }
                });
            }
            drop(tell);
            let (mut result, mut takes) = (Ok(()), true);
            loop {
                match told.recv_timeout(REPORT_INTERVAL) {
                    Ok((number, row)) => {
                        let taken = match row {
                            Ok(Some(row)) if takes => done(number, row).inspect_err(|_| takes = false),
                            other => other.map(drop),
                        };
                        if taken.is_err() {
                            ended.store(true, Ordering::Relaxed);
                            result = result.and(taken);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                pause();
            }
            result
        })
    }

    /// A run, with the scenario of the run before where that is of the same point.
    fn turn(
        &self,
        known: &mut Option<(usize, Scenario)>,
        run: Run,
        stopped: &(impl Fn() -> bool + Sync),
    ) -> Result<Option<Row>, BatchError> {
        let mut scenario = match known.take() {
            Some((point, scenario)) if point == run.point => scenario,
            _ => self.scenario(run.point)?,
        };
        scenario.settings.seed = run.seed;
        let row = self.run(&scenario, run, stopped);
        *known = Some((run.point, scenario));
        row
    }

    /// `None` where it was stopped before its end.
    fn run(
        &self,
        scenario: &Scenario,
        run: Run,
        stopped: &(impl Fn() -> bool + Sync),
    ) -> Result<Option<Row>, BatchError> {
        let mut world = scenario.build(1).map_err(|source| self.refused(run.point, source))?;
        let ends = |world: &World| world.verdict().is_some() || world.ticks() >= self.ticks;
        world.tick_until(|world| ends(world) || stopped()).map_err(|error| {
            let (point, seed, message) = (self.label(run.point), run.seed, error.to_string());
            BatchError::Run { point, seed, message }
        })?;
        if !ends(&world) {
            return Ok(None);
        }
        let winner = match world.verdict() {
            Some(Verdict::Winner(army)) => Some(usize::from(army.0)),
            _ => None,
        };
        let armies = world.armies().iter().map(|army| ArmyResult {
            spawned: army.spawned,
            alive: army.alive,
            routed: army.routed,
            dead: army.dead(),
            left: army.left,
        });
        let (ticks, seconds) = (world.ticks(), world.seconds());
        Ok(Some(Row { run, winner, ticks, seconds, armies: armies.collect() }))
    }
}
