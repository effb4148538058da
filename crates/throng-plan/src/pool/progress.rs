//! Requests that another pool goes on with.

use super::worker::Job;
use super::{Asked, Pool, Request, Ticket, Turn, key};
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;

/// How far a request in the line has come.
///
/// The findings of its search so far are not in it: the same search finds the same again, and expansions that have been
/// paid for cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RequestProgress {
    /// The request.
    pub ticket: Ticket,
    /// Which of the answers of its search comes next; the first is 0.
    part: u32,
    /// It has had an answer.
    answered: bool,
    /// Expansions of its search that have been paid for.
    paid: u64,
    /// Answers of its search that some request has had.
    delivered: u32,
}

/// The counters of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counters {
    /// The next ticket.
    next: u64,
    /// Expansions granted and not used.
    credit: u64,
}

impl Pool {
    /// The requests in line, the first first.
    pub fn line(&self) -> impl Iterator<Item = (RequestProgress, &Request)> {
        self.line.iter().map(|(turn, asked)| {
            let (paid, delivered) = asked.job.payments();
            let Turn { answered, priority: _, ticket } = *turn;
            let (part, delivered) = (asked.part as u32, delivered as u32);
            (RequestProgress { ticket, part, answered, paid, delivered }, &asked.request)
        })
    }

    /// The counters of this pool.
    pub fn counters(&self) -> Counters {
        Counters { next: self.next, credit: self.credit }
    }

    /// Goes on where another pool was: answers fall due at the same calls of [`Pool::deliver`] as they would have there.
    /// Searches that were at work there begin again. Requests share a search where their planners and grounds are the
    /// same ones and their queries equal.
    pub fn go_on(&mut self, counters: Counters, line: impl IntoIterator<Item = (RequestProgress, Request)>) {
        let Counters { next, credit } = counters;
        (self.next, self.credit) = (next, credit);
        for (progress, request) in line {
            let RequestProgress { ticket, part, answered, paid, delivered } = progress;
            let jobs = self.jobs.entry(key(&request)).or_default();
            let known = jobs.iter().find(|job| job.request.asks_the_same(&request)).cloned();
            let job = known.unwrap_or_else(|| {
                let job = Arc::new(Job::new(request.clone()));
                jobs.push(job.clone());
                self.shared.queue(request.priority, ticket.0, &job);
                job
            });
            job.rejoin(paid, delivered as usize);
            let turn = Turn { answered, priority: Reverse(request.priority), ticket };
            self.line.insert(turn, Asked { request, job, part: part as usize, since: Instant::now() });
        }
    }
}
