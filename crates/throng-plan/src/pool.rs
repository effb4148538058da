//! Worker threads that search while the simulation goes on.

use super::{Limits, PlanError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use throng_grid::Cell;

mod answer;
mod counters;
mod priority;
mod progress;
mod request;
mod request_progress;
mod statistics;
mod ticket;
mod worker;

pub use answer::{Answer, AnswerKind};
pub use counters::Counters;
pub use priority::Priority;
pub use request::Request;
pub use request_progress::RequestProgress;
use statistics::Latency;
pub use statistics::Statistics;
pub use ticket::Ticket;
use worker::{Job, Shared};

/// Worker threads, each with a [`Scratch`](super::Scratch) of its own, and the requests that are under way.
///
/// Answers fall due in line, under a budget of expansions: a simulation that calls [`Pool::deliver`] once a tick with the
/// same budget gets the same answers at the same ticks, whatever the number of threads and however fast they are. A tick
/// waits for a search only where its next answer is due.
///
/// - **Line**: requests that have had no answer before those that wait for a better one, so that every request has a
///   route before any has a perfect one; among them by priority, and of equal priority in the order asked.
/// - **Better routes**: a planner that reports routes on the way ([`Progress::Route`](super::Progress::Route)) gives each
///   as an answer ([`AnswerKind::Interim`]) that costs what was expanded since the one before.
/// - **Equal requests** (the same planner and ground, an equal query) share one search. Expansions that one has paid
///   for cost the others no more than 1. A request that joins late begins with the best answer handed out so far.
/// - **Cancelling** takes a request out of line: it gets no more answers.
/// - **Panics** of a planner cost its own search, which gets [`PlanError::Panicked`]; the thread is replaced by a new one.
///
/// Dropping the pool stops queued and running searches within some thousand expansions and joins the threads; a
/// planner that cannot be paused is waited for.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{PlannerChoice, Pool, Query, Request};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?);
/// let at = |x, y| ground.lattice().cell(x, y);
/// let query = Query::new(at(1, 1), at(60, 30));
/// let mut pool = Pool::new(2)?;
/// let planner = PlannerChoice::AStar.build(&ground)?;
/// let ticket = pool.ask(Request::new(planner, ground.clone(), query));
/// let mut routes = Vec::new();
/// for _tick in 0..100 {
///     pool.deliver(1000, |answer| routes.push((answer.ticket, answer.turns.to_vec())));
/// }
/// assert_eq!(routes.len(), 1);
/// assert_eq!(routes[0].0, ticket);
/// assert_eq!(pool.statistics().served, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: usize,
    /// The requests that wait for an answer.
    line: BTreeMap<Turn, Asked>,
    /// Their searches, by a key that is quickly compared. Only looked up, never walked.
    jobs: HashMap<Key, Vec<Arc<Job>>>,
    next: u64,
    /// Expansions granted and not used.
    credit: u64,
    served: u64,
    cancelled: u64,
    joined: u64,
    latency: Latency,
}

type Key = (u64, Cell, Limits);

fn key(request: &Request) -> Key {
    (request.ground.id(), request.query.from, request.query.limits)
}

/// A place in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    /// It has had an answer.
    answered: bool,
    priority: Reverse<Priority>,
    ticket: Ticket,
}

/// A request in the line.
#[derive(Debug)]
struct Asked {
    request: Request,
    job: Arc<Job>,
    /// Which of the job's parts comes next.
    part: usize,
    since: Instant,
}

impl Pool {
    /// A pool of `threads` workers, at least one.
    ///
    /// # Errors
    /// [`PlanError::Worker`] where the operating system gives no thread.
    pub fn new(threads: usize) -> Result<Self, PlanError> {
        let pool = Self {
            shared: Arc::default(),
            threads: threads.max(1),
            line: BTreeMap::new(),
            jobs: HashMap::new(),
            next: 0,
            credit: 0,
            served: 0,
            cancelled: 0,
            joined: 0,
            latency: Latency::default(),
        };
        for number in 0..pool.threads {
            pool.shared.hire(number)?;
        }
        Ok(pool)
    }

    /// How many workers there are.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many requests wait for an answer, the first or a better one.
    pub fn queued(&self) -> usize {
        self.line.len()
    }

    /// Queues a request; the workers start on it as soon as one is free.
    pub fn ask(&mut self, request: Request) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        let priority = request.priority;
        let jobs = self.jobs.entry(key(&request)).or_default();
        let job = if let Some(job) = jobs.iter().find(|job| job.request.asks_the_same(&request)) {
            self.joined += 1;
            if priority > job.request.priority {
                self.shared.queue(priority, ticket.0, job);
            }
            job.clone()
        } else {
            let job = Arc::new(Job::new(request.clone()));
            jobs.push(job.clone());
            self.shared.queue(priority, ticket.0, &job);
            job
        };
        let turn = Turn { answered: false, priority: Reverse(priority), ticket };
        let part = job.join();
        self.line.insert(turn, Asked { request, job, part, since: Instant::now() });
        ticket
    }

    /// Takes a request out of the line: it gets no more answers, and its search stops unless another request shares it.
    /// False where it has had its last answer.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        for answered in [false, true] {
            for priority in [Priority::Low, Priority::Normal, Priority::High].map(Reverse) {
                if let Some(asked) = self.line.remove(&Turn { answered, priority, ticket }) {
                    self.leave(&asked);
                    self.cancelled += 1;
                    return true;
                }
            }
        }
        false
    }

    /// Grants `budget` more expansions and hands out the answers that fall due.
    ///
    /// An answer costs what its search has expanded since the last answer paid for, at least 1. That of the first in line is
    /// due where its cost is within the credit: the budget and what is left of earlier calls. It is then waited for, handed
    /// out and its cost taken from the credit, and the next in line has its turn. While nothing is asked, nothing is
    /// saved up. A search that has counted beyond the credit is not waited for.
    ///
    /// Planners that cannot be paused count at their end, so they are waited for in any case.
    pub fn deliver(&mut self, budget: u64, mut take: impl FnMut(Answer<'_>)) {
        self.credit = self.credit.saturating_add(budget);
        while let Some(first) = self.line.first_entry() {
            let Some((part, cost)) = first.get().job.wait(first.get().part, self.credit) else { return };
            self.credit -= cost;
            let (turn, mut asked) = first.remove_entry();
            if !turn.answered {
                self.latency.add(asked.since.elapsed());
            }
            let (ticket, kind, result, turns) = (turn.ticket, part.kind, part.result.clone(), &*part.turns);
            take(Answer { ticket, request: &asked.request, kind, result, turns });
            if kind == AnswerKind::Final {
                self.served += 1;
                self.leave(&asked);
            } else {
                asked.part += 1;
                self.line.insert(Turn { answered: true, ..turn }, asked);
            }
        }
        self.credit = 0;
    }

    /// The statistics of the pool so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            queued: self.shared.queued(),
            running: self.shared.running.load(Relaxed),
            served: self.served,
            cancelled: self.cancelled,
            joined: self.joined,
            expansions: self.shared.expansions.load(Relaxed),
            replaced: self.shared.replaced.load(Relaxed),
            mean_latency: self.latency.mean(),
            p99_latency: self.latency.percentile(99),
        }
    }

    /// Stops queued and running searches, joins the threads and tells what was done. To answer everything first, call
    /// [`Pool::deliver`] with [`u64::MAX`].
    pub fn shut_down(self) -> Statistics {
        self.shared.dismiss();
        self.statistics()
    }

    /// A request is out of the line.
    fn leave(&mut self, asked: &Asked) {
        if !asked.job.leave() {
            return;
        }
        let key = key(&asked.request);
        if let Some(jobs) = self.jobs.get_mut(&key) {
            jobs.retain(|job| !Arc::ptr_eq(job, &asked.job));
            if jobs.is_empty() {
                self.jobs.remove(&key);
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.dismiss();
    }
}

#[cfg(test)]
mod tests;
