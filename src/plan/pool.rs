//! Worker threads that search while the simulation goes on.

use super::{Outcome, Path, PlanError, Planner, Progress, Query, Scratch};
use crate::grid::{Cell, Ground};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Expansions after which a worker says how far it is and looks whether to stop.
const SLICE: u64 = 4096;

/// Names a request of a [`Pool`]: counted from 0 in the order asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A trip that a [`Pool`] is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Who shall search.
    pub planner: Arc<dyn Planner>,
    /// Where.
    pub ground: Arc<Ground>,
    /// From where to where.
    pub query: Query,
}

/// What [`Pool::deliver`] hands out.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// What [`Pool::ask`] returned.
    pub ticket: Ticket,
    /// What was asked.
    pub request: &'a Request,
    /// How the search ended.
    pub result: Result<Outcome, PlanError>,
    /// The cells at which the route changes direction, start and goal included; empty where there is no route.
    pub turns: &'a [Cell],
}

/// Worker threads, each with a [`Scratch`] of its own, and the requests that are under way.
///
/// Routes fall due in the order asked, under a budget of expansions: a simulation that calls [`Pool::deliver`] once a tick
/// with the same budget gets the same routes at the same ticks, whatever the number of threads and however fast they
/// are. A tick waits for a search only where that search is due.
///
/// A planner that panics costs its own request, which gets [`PlanError::Panicked`]; the worker goes on with fresh
/// memory. Dropping the pool stops queued and running searches within some thousand expansions and joins the threads; a
/// planner that cannot be paused is waited for.
///
/// ```
/// use std::sync::Arc;
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{PlannerChoice, Pool, Query, Request};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?);
/// let at = |x, y| ground.lattice().cell(x, y);
/// let query = Query::new(at(1, 1), at(60, 30));
/// let mut pool = Pool::new(2)?;
/// let ticket = pool.ask(Request { planner: PlannerChoice::AStar.build(&ground)?, ground: ground.clone(), query });
/// let mut routes = Vec::new();
/// for _tick in 0..100 {
///     pool.deliver(1000, |answer| routes.push((answer.ticket, answer.turns.to_vec())));
/// }
/// assert_eq!(routes.len(), 1);
/// assert_eq!(routes[0].0, ticket);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// What is asked and not delivered, in the order asked.
    asked: VecDeque<Arc<Job>>,
    next: u64,
    /// Expansions that the first of `asked` was granted in earlier ticks.
    credit: u64,
}

/// What the pool and its workers share.
#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<VecDeque<Arc<Job>>>,
    /// The queue has a job more, or the workers shall stop.
    more: Condvar,
    stop: AtomicBool,
}

#[derive(Debug)]
struct Job {
    request: Request,
    planner: &'static str,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Nodes expanded, as far as the worker has said.
    expanded: u64,
    /// How the search ended, once it has.
    result: Option<Result<Outcome, PlanError>>,
    turns: Box<[Cell]>,
}

impl Pool {
    /// A pool of `threads` workers, at least one.
    ///
    /// # Errors
    /// [`PlanError::Worker`] where the operating system gives no thread.
    pub fn new(threads: usize) -> Result<Self, PlanError> {
        let shared = Arc::new(Shared::default());
        let mut pool = Self { shared, threads: Vec::new(), asked: VecDeque::new(), next: 0, credit: 0 };
        for i in 0..threads.max(1) {
            let shared = pool.shared.clone();
            let thread = Builder::new().name(format!("planner {i}")).spawn(move || shared.work());
            pool.threads.push(thread.map_err(|error| PlanError::Worker { message: error.to_string() })?);
        }
        Ok(pool)
    }

    /// How many workers there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// How many requests are asked and not delivered.
    pub fn queued(&self) -> usize {
        self.asked.len()
    }

    /// Queues a request; the workers start on it as soon as one is free.
    pub fn ask(&mut self, request: Request) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        let planner = request.planner.name();
        let job = Arc::new(Job { request, planner, state: Mutex::default(), changed: Condvar::new() });
        self.asked.push_back(job.clone());
        lock(&self.shared.queue).push_back(job);
        self.shared.more.notify_one();
        ticket
    }

    /// Grants `budget` more expansions and hands out the routes that fall due, in the order asked.
    ///
    /// A search costs what it has expanded, at least 1. The first request is due where its cost is within the credit:
    /// the budget and what the same request was granted in earlier calls and did not need. It is then waited for, handed
    /// out and its cost taken from the credit, and the next one has its turn. While nothing is asked, nothing is saved
    /// up. A search that has counted beyond the credit is not waited for.
    ///
    /// Planners that cannot be paused count at their end, so they are waited for in any case.
    pub fn deliver(&mut self, budget: u64, mut take: impl FnMut(Answer<'_>)) {
        self.credit = self.credit.saturating_add(budget);
        while let Some(job) = self.asked.front() {
            let Some((state, result)) = job.wait(self.credit) else { return };
            self.credit -= state.cost();
            let Some(job) = self.asked.pop_front() else { return };
            let ticket = Ticket(self.next - 1 - self.asked.len() as u64);
            take(Answer { ticket, request: &job.request, result, turns: &state.turns });
        }
        self.credit = 0;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = lock(&self.shared.queue);
        queue.clear();
        // Written under the lock, so that no worker misses it between looking and waiting.
        self.shared.stop.store(true, Ordering::Relaxed);
        drop(queue);
        self.shared.more.notify_all();
        for thread in self.threads.drain(..) {
            // A worker catches panics of planners; where it died all the same there is nothing left to do.
            let _ = thread.join();
        }
    }
}

impl State {
    fn cost(&self) -> u64 {
        self.expanded.max(1)
    }
}

impl Job {
    /// The end of the search where it costs at most `credit`, waiting for it; `None` where it costs more.
    fn wait(&self, credit: u64) -> Option<(State, Result<Outcome, PlanError>)> {
        let mut state = lock(&self.state);
        loop {
            if state.cost() > credit {
                return None;
            }
            if let Some(result) = state.result.take() {
                return Some((std::mem::take(&mut *state), result));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, result: Result<Outcome, PlanError>, turns: &[Cell]) {
        let mut state = lock(&self.state);
        if let Ok(outcome) = &result {
            state.expanded = outcome.expanded;
        }
        state.turns = turns.into();
        state.result = Some(result);
        self.changed.notify_one();
    }

    /// Searches to the end and writes the route into `path`; `None` where the pool stops.
    fn search(&self, stop: &AtomicBool, scratch: &mut Scratch, path: &mut Path) -> Option<Result<Outcome, PlanError>> {
        let Request { planner, ground, query } = &self.request;
        path.cells.clear();
        if let Err(error) = planner.begin(ground, query, scratch) {
            return Some(Err(error));
        }
        while !stop.load(Ordering::Relaxed) {
            if let Progress::Done(outcome) = planner.advance(ground, query, scratch, SLICE) {
                planner.path(ground, query, scratch, path);
                return Some(Ok(outcome));
            }
            lock(&self.state).expanded = scratch.expanded();
            self.changed.notify_one();
        }
        None
    }
}

impl Shared {
    /// The next job, waiting for one; `None` where the pool stops.
    fn next(&self) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(job) = queue.pop_front() {
                return Some(job);
            }
            queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A worker's life.
    fn work(&self) {
        let (mut scratch, mut path, mut turns) = (Scratch::default(), Path::default(), Vec::new());
        while let Some(job) = self.next() {
            let search = || job.search(&self.stop, &mut scratch, &mut path);
            // What the panicking search wrote is dropped, so nothing half-written is seen.
            let result = match catch_unwind(AssertUnwindSafe(search)) {
                Ok(Some(result)) => result,
                Ok(None) => return,
                Err(panic) => {
                    (scratch, path) = (Scratch::default(), Path::default());
                    let Query { from, goal, .. } = job.request.query.clone();
                    Err(PlanError::Panicked { planner: job.planner, from, goal, message: said(panic.as_ref()) })
                }
            };
            path.turning_points(&mut turns);
            job.finish(result, &turns);
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// No lock is held while a planner runs, so none is ever poisoned by one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
