//! The workers of a pool and their shared state.

use super::{AnswerKind, Priority, Request};
use crate::promise::{self, Watch};
use crate::{Outcome, Path, PlanError, Progress, Query, Scratch};
use std::any::Any;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
#[cfg(feature = "priority")]
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};
use throng_grid::Cell;

/// Expansions after which a worker says how far it is and looks whether to stop.
pub(super) const PIECE_EXPANSIONS: u64 = 4096;

/// Searches that no worker has begun, and some that a worker has: by priority, then in the order asked.
type Waiting = BTreeMap<(Reverse<Priority>, u64), Arc<Job>>;

/// The state that the pool and its workers share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    queue: Mutex<Waiting>,
    /// The queue has a job more, or the workers shall stop.
    more: Condvar,
    stop: AtomicBool,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Searches under way.
    pub(super) running: AtomicUsize,
    /// Nodes that searches have expanded, once they have ended.
    pub(super) expansions: AtomicU64,
    /// Workers that took the place of one whose planner panicked.
    pub(super) replaced: AtomicUsize,
}

/// One search, for every request that asks for the same.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) request: Request,
    planner: &'static str,
    begun: AtomicBool,
    /// No request waits for it any more.
    pub(super) gone: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Nodes expanded, as far as the worker has said.
    expanded: u64,
    /// The routes of the search, better and better.
    parts: Vec<Arc<Part>>,
    /// Expansions that requests have paid for.
    paid: u64,
    /// Expansions above which no request waits any longer.
    patience: u64,
    /// Parts that were handed out to some request.
    delivered: usize,
    /// Requests that wait for it.
    askers: usize,
}

/// A route on the way to the best, or the end.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: AnswerKind,
    /// Nodes expanded up to it.
    expanded: u64,
    pub(super) result: Result<Outcome, PlanError>,
    pub(super) turns: Box<[Cell]>,
}

impl Job {
    pub(super) fn new(request: Request) -> Self {
        let planner = request.planner.name();
        let (begun, gone) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { request, planner, begun, gone, state: Mutex::default(), changed: Condvar::new() }
    }

    /// A request joins: the part that it begins with, the best of those handed out so far.
    pub(super) fn join(&self) -> usize {
        let mut state = lock(&self.state);
        state.askers += 1;
        state.delivered.saturating_sub(1)
    }

    /// A request goes on that was in another pool, where so much was paid for this search.
    pub(super) fn rejoin(&self, paid: u64, delivered: usize) {
        let mut state = lock(&self.state);
        state.askers += 1;
        state.paid = state.paid.max(paid);
        state.delivered = state.delivered.max(delivered);
    }

    /// Expansions paid for, and parts handed out.
    pub(super) fn payments(&self) -> (u64, usize) {
        let state = lock(&self.state);
        (state.paid, state.delivered)
    }

    /// A request leaves; true where it was the last.
    pub(super) fn leave(&self) -> bool {
        let mut state = lock(&self.state);
        state.askers -= 1;
        let gone = state.askers == 0;
        self.gone.store(gone, Relaxed);
        gone
    }

    /// A part and its cost, where that is at most `credit`, waiting for it; `None` where it costs more.
    pub(super) fn wait(&self, part: usize, credit: u64) -> Option<(Arc<Part>, u64)> {
        let mut state = lock(&self.state);
        loop {
            // After the last part there is no other to wait for.
            let ended = || state.parts.last().filter(|last| last.kind == AnswerKind::Final);
            let found = state.parts.get(part).or_else(ended).cloned();
            let expanded = found.as_ref().map_or(state.expanded, |part| part.expanded);
            let cost = expanded.saturating_sub(state.paid).max(1);
            if cost > credit {
                return None;
            }
            if let Some(found) = found {
                state.paid = state.paid.max(expanded);
                state.delivered = state.delivered.max(part + 1);
                return Some((found, cost));
            }
            state.patience = state.paid.saturating_add(credit);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says how far the search is. A waiting thread is woken where that is too far, not for nothing after every slice.
    fn progress(&self, expanded: u64) {
        let mut state = lock(&self.state);
        state.expanded = expanded;
        if expanded > state.patience {
            self.changed.notify_one();
        }
    }

    fn add(&self, kind: AnswerKind, result: Result<Outcome, PlanError>, turns: &[Cell]) {
        let mut state = lock(&self.state);
        if let Ok(outcome) = &result {
            state.expanded = outcome.expanded;
        }
        let part = Part { kind, expanded: state.expanded, result, turns: turns.into() };
        state.parts.push(Arc::new(part));
        self.changed.notify_one();
    }

    /// Searches to the end, or until no request wants it.
    fn search(&self, stop: &AtomicBool, memory: &mut Memory) {
        let Request { planner, ground, query, .. } = &self.request;
        let Memory { scratch, path, turns } = memory;
        if let Err(error) = planner.begin(ground, query, scratch) {
            return self.add(AnswerKind::Final, Err(error), &[]);
        }
        let mut watch = Watch::default();
        while !stop.load(Relaxed) && !self.gone.load(Relaxed) {
            let (kind, outcome) = match planner.advance(ground, query, scratch, PIECE_EXPANSIONS) {
                Progress::Running => {
                    if let Err(error) = watch.goes_on(planner.as_ref(), ground, query, scratch) {
                        return self.add(AnswerKind::Final, Err(error), &[]);
                    }
                    self.progress(scratch.expanded());
                    continue;
                }
                Progress::Route(outcome) => (AnswerKind::Interim, outcome),
                Progress::Done(outcome) => (AnswerKind::Final, outcome),
            };
            path.cells.clear();
            planner.path(ground, query, scratch, path);
            let is_last = kind == AnswerKind::Final;
            if let Err(error) = promise::check(planner.as_ref(), ground, query, (&outcome, is_last), path) {
                return self.add(AnswerKind::Final, Err(error), &[]);
            }
            path.turning_points_on(ground, turns);
            self.add(kind, Ok(outcome), turns);
            if is_last {
                return;
            }
        }
    }
}

/// The memory that a worker keeps from one search to the next.
#[derive(Default)]
struct Memory {
    scratch: Scratch,
    path: Path,
    turns: Vec<Cell>,
}

#[cfg(feature = "priority")]
/// The priority of a planner's thread, of 99: somewhat less than that of others (12 nicer, where that is counted).
const PRIORITY: u8 = 20;

/// Lets other threads, those of a tick above all, go first where there are more than cores. Routes fall due by what was
/// searched, not by the clock, so nothing but the time depends on it; where it is not allowed, planning goes on all the same.
#[cfg(feature = "priority")]
fn give_way() {
    let _ = ThreadPriorityValue::try_from(PRIORITY)
        .map(|priority| set_current_thread_priority(ThreadPriority::Crossplatform(priority)));
}

impl Shared {
    /// Queues a search, once more where its priority has risen.
    pub(super) fn queue(&self, priority: Priority, number: u64, job: &Arc<Job>) {
        lock(&self.queue).insert((Reverse(priority), number), job.clone());
        self.more.notify_one();
    }

    /// Searches that no worker has begun.
    pub(super) fn queued(&self) -> usize {
        let mut seen = lock(&self.queue);
        seen.retain(|_, job| !job.begun.load(Relaxed) && !job.gone.load(Relaxed));
        let mut jobs: Vec<_> = seen.values().map(Arc::as_ptr).collect();
        jobs.sort_unstable();
        jobs.dedup();
        jobs.len()
    }

    /// Starts a worker.
    pub(super) fn hire(self: &Arc<Self>, number: usize) -> Result<(), PlanError> {
        let shared = self.clone();
        let thread = Builder::new().name(format!("planner {number}")).spawn(move || {
            #[cfg(feature = "priority")]
            give_way();
            shared.work(number);
        });
        lock(&self.threads).push(thread.map_err(|error| PlanError::Worker { message: error.to_string() })?);
        Ok(())
    }

    /// Stops the workers and waits for them.
    pub(super) fn dismiss(&self) {
        let mut queue = lock(&self.queue);
        queue.clear();
        // Written under the lock, so that no worker misses it between looking and waiting.
        self.stop.store(true, Relaxed);
        drop(queue);
        self.more.notify_all();
        // A worker that hires another is joined before that one.
        while let Some(thread) = { lock(&self.threads).pop() } {
            // A worker catches panics of planners; where it died all the same there is nothing left to do.
            let _ = thread.join();
        }
    }

    /// The next job, waiting for one; `None` where the pool stops.
    fn next(&self) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        loop {
            if self.stop.load(Relaxed) {
                return None;
            }
            match queue.pop_first() {
                Some((_, job)) if job.gone.load(Relaxed) || job.begun.swap(true, Relaxed) => {}
                Some((_, job)) => return Some(job),
                None => queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// A worker's life.
    fn work(self: &Arc<Self>, number: usize) {
        let mut memory = Memory::default();
        while let Some(job) = self.next() {
            self.running.fetch_add(1, Relaxed);
            let result = catch_unwind(AssertUnwindSafe(|| job.search(&self.stop, &mut memory)));
            self.running.fetch_sub(1, Relaxed);
            self.expansions.fetch_add(memory.scratch.expanded(), Relaxed);
            let Err(panic) = result else { continue };
            // All that the search and the planner wrote, even to the thread's own variables, ends with the thread.
            memory = Memory::default();
            let hired = !self.stop.load(Relaxed) && self.hire(number).is_ok();
            self.replaced.fetch_add(usize::from(hired), Relaxed);
            let Query { from, ref goal, .. } = job.request.query;
            let (planner, goal, message) = (job.planner, goal.clone(), said(panic.as_ref()));
            job.add(AnswerKind::Final, Err(PlanError::Panicked { planner, from, goal, message }), &[]);
            if hired {
                return;
            }
        }
    }
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// No lock is held while a planner runs, so none is ever poisoned by one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
