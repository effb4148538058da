//! A thread beside the window: requests go in, states and news come out, and neither side waits for the other.

use super::graphics::panic_message;
use super::handover::{Publisher, Reader, handover};
use crate::ViewError;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The requests of a window to its worker, changed in place: newer ones overwrite older ones that were not taken in time.
pub(crate) trait Requests: Send + 'static {
    /// How long a closing window waits for the thread; `None` = until it ends.
    const CLOSING_TIME: Option<Duration> = None;

    /// Stops the work under way, since the window closes.
    fn cancel(&mut self) {}
}

/// The requests, and whether the window has closed.
struct Inbox<R> {
    requests: R,
    closed: bool,
}

/// The part that both threads share.
struct Shared<R> {
    inbox: Mutex<Inbox<R>>,
    changed: Condvar,
    failure: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The window's end of a thread with requests `R`, states `S` and news `N`. Dropping it ends the thread after its current step.
pub(crate) struct Worker<R: Requests, S, N> {
    shared: Arc<Shared<R>>,
    /// The states, as they come.
    pub states: Reader<S>,
    news: Receiver<N>,
    thread: Option<JoinHandle<()>>,
}

/// The thread's end.
pub(crate) struct Desk<R, S, N> {
    shared: Arc<Shared<R>>,
    pub states: Publisher<S>,
    /// The news have no reader once the window has closed.
    pub news: Sender<N>,
}

/// The answer to the question for the next step.
pub(crate) enum Next<T> {
    Step(T),
    /// Nothing to do for so long, unless the requests change.
    Wait(Duration),
    /// Nothing to do until the requests change.
    Idle,
}

impl<T> Next<T> {
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Next<U> {
        match self {
            Self::Step(step) => Next::Step(convert(step)),
            Self::Wait(time) => Next::Wait(time),
            Self::Idle => Next::Idle,
        }
    }
}

impl<R: Requests, S: Default + Send + 'static, N: Send + 'static> Worker<R, S, N> {
    /// Starts a thread of this name. Panics of `work` are caught and become its [failure](Self::failure).
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn start<E: Display>(
        name: &str,
        requests: R,
        work: impl FnOnce(Desk<R, S, N>) -> Result<(), E> + Send + 'static,
    ) -> Result<Self, ViewError> {
        let inbox = Mutex::new(Inbox { requests, closed: false });
        let shared = Arc::new(Shared { inbox, changed: Condvar::new(), failure: Mutex::new(None) });
        let (publisher, states) = handover();
        let (sender, news) = channel();
        let theirs = Arc::clone(&shared);
        let desk = Desk { shared: Arc::clone(&shared), states: publisher, news: sender };
        let guarded = move || {
            let failure = match panic::catch_unwind(AssertUnwindSafe(|| work(desk))) {
                Ok(result) => result.err().map(|error| error.to_string()),
                Err(payload) => Some(format!("panic: {}", panic_message(payload.as_ref()))),
            };
            *lock(&theirs.failure) = failure;
        };
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(8 << 20).spawn(guarded);
        let thread = thread.map_err(|error| ViewError::Thread { found: error.to_string() })?;
        Ok(Self { shared, states, news, thread: Some(thread) })
    }
}

impl<R: Requests, S, N> Worker<R, S, N> {
    /// Changes the requests, and wakes the thread.
    pub fn request<T>(&self, change: impl FnOnce(&mut R) -> T) -> T {
        let result = change(&mut lock(&self.shared.inbox).requests);
        self.shared.changed.notify_one();
        result
    }

    /// The news since the last call. A state that is taken after this shows what they tell of.
    pub fn news(&self) -> impl Iterator<Item = N> {
        self.news.try_iter()
    }

    /// Why the thread ended early.
    pub fn failure(&self) -> Option<String> {
        lock(&self.shared.failure).clone()
    }
}

impl<R: Requests + AsMut<StepClock>, S, N> Worker<R, S, N> {
    /// Sets the time between two steps.
    pub fn set_interval(&self, interval: Duration) {
        self.request(|requests| requests.as_mut().interval = interval);
    }

    /// Stops or goes on.
    pub fn set_paused(&self, paused: bool) {
        self.request(|requests| {
            let pace = requests.as_mut();
            (pace.paused, pace.single) = (paused, 0);
        });
    }

    /// Does one step while paused.
    pub fn single_step(&self) {
        self.request(|requests| requests.as_mut().single += 1);
    }
}

impl<R: Requests, S, N> Drop for Worker<R, S, N> {
    fn drop(&mut self) {
        let mut inbox = lock(&self.shared.inbox);
        inbox.closed = true;
        inbox.requests.cancel();
        drop(inbox);
        self.shared.changed.notify_one();
        let Some(thread) = self.thread.take() else { return };
        let begun = Instant::now();
        let may_wait = || R::CLOSING_TIME.is_none_or(|longest| begun.elapsed() < longest);
        while R::CLOSING_TIME.is_some() && !thread.is_finished() && may_wait() {
            std::thread::sleep(Duration::from_millis(2));
        }
        if may_wait() {
            // Panics are caught inside.
            let _ = thread.join();
        }
    }
}

impl<R, S, N> Desk<R, S, N> {
    /// Looks at the requests without waiting.
    pub fn read<T>(&self, look: impl FnOnce(&mut R) -> T) -> T {
        look(&mut lock(&self.shared.inbox).requests)
    }

    /// Waits until `next` finds something to do; `None` once the window has closed.
    pub fn wait<T>(&self, mut next: impl FnMut(&mut R) -> Next<T>) -> Option<T> {
        let (changed, mut inbox) = (&self.shared.changed, lock(&self.shared.inbox));
        while !inbox.closed {
            inbox = match next(&mut inbox.requests) {
                Next::Step(step) => return Some(step),
                Next::Wait(time) => changed.wait_timeout(inbox, time).unwrap_or_else(PoisonError::into_inner).0,
                Next::Idle => changed.wait(inbox).unwrap_or_else(PoisonError::into_inner),
            };
        }
        None
    }
}

/// When the next step of something that runs by the clock is due.
pub(crate) struct StepClock {
    pub interval: Duration,
    pub paused: bool,
    /// Steps to do although paused.
    pub single: u32,
    /// When the last step was due.
    pub last: Instant,
    /// A step that is later than this is not made up for by quicker ones.
    longest_delay: Duration,
}

impl StepClock {
    pub fn new(interval: Duration, longest_delay: Duration) -> Self {
        Self { interval, paused: false, single: 0, last: Instant::now(), longest_delay }
    }

    /// The next step after so much time; none by the clock where `stopped`, and only single ones.
    pub fn next(&mut self, interval: Duration, stopped: bool) -> Next<()> {
        let now = Instant::now();
        if stopped {
            self.last = now;
            if self.single == 0 {
                return Next::Idle;
            }
            self.single -= 1;
            return Next::Step(());
        }
        // Measured from the last step, so that a change of speed counts at once.
        let due = self.last + interval;
        if due > now {
            return Next::Wait(due - now);
        }
        self.last = if now - due > self.longest_delay { now } else { due };
        Next::Step(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers(Vec<u32>);

    impl Requests for Numbers {}

    #[test]
    fn requests_are_answered_until_the_window_closes_and_panics_are_told() {
        let worker = Worker::<_, u32, u32>::start("adder", Numbers(Vec::new()), |mut desk| {
            let next = |requests: &mut Numbers| requests.0.pop().map_or(Next::Idle, Next::Step);
            while let Some(number) = desk.wait(next) {
                assert!(number != 13, "unlucky");
                *desk.states.back() = number;
                desk.states.publish(|_, _| {});
                desk.news.send(2 * number)?;
            }
            Ok::<(), std::sync::mpsc::SendError<u32>>(())
        });
        let mut worker = worker.unwrap();
        worker.request(|requests| requests.0.push(4));
        let wait = |done: &mut dyn FnMut() -> bool| {
            while !done() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        wait(&mut || worker.news().next() == Some(8));
        assert!(worker.states.take() && *worker.states.front() == 4 && worker.failure().is_none());
        worker.request(|requests| requests.0.push(13));
        wait(&mut || worker.failure().is_some());
        assert_eq!(worker.failure().unwrap(), "panic: unlucky");
    }

    #[test]
    fn late_steps_are_made_up_for_only_where_the_delay_is_short() {
        let second = Duration::from_secs(1);
        let mut pace = StepClock::new(second, Duration::from_millis(100));
        assert!(matches!(pace.next(second, false), Next::Wait(_)));
        let due = pace.last;
        pace.last = due.checked_sub(second).unwrap();
        assert!(matches!(pace.next(second, false), Next::Step(())) && pace.last == due);
        pace.last = due.checked_sub(3 * second).unwrap();
        assert!(matches!(pace.next(second, false), Next::Step(())) && pace.last > due);
        pace.single = 1;
        assert!(matches!(pace.next(second, true), Next::Step(())));
        assert!(matches!(pace.next(second, true), Next::Idle));
    }
}
