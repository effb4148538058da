//! Requests that another pool goes on with.

use super::worker::Job;
use super::{Asked, Counters, Pool, Request, RequestProgress, Turn, key};
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;

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
