//! The trial on a thread of its own: the window never waits for a slow index.

use super::IndexTrial;
use super::growth::Growth;
use super::trial::{Moment, Trial};
use crate::handover::{Publisher, Reader, handover};
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;

/// Time between two frames while the number of discs grows: quick, but slow enough to be watched.
const GROWING: Duration = Duration::from_millis(8);

/// What the window wants.
#[allow(clippy::struct_excessive_bools)] // they are independent of one another
struct Wish {
    trial: IndexTrial,
    /// It is another one than before.
    changed: bool,
    /// To begin to grow, or to stop.
    grows: Option<bool>,
    paused: bool,
    /// Frames to do although paused.
    single: u32,
    interval: Duration,
    /// Where cells are looked for, and whether that is elsewhere than before.
    region: Option<[Vec2; 2]>,
    looks: bool,
    quit: bool,
}

struct Shared {
    wish: Mutex<Wish>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Wish> {
        self.wish.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A point of a curve: what was tried, and the median of what a frame took (µs).
pub(super) type Point = (IndexTrial, f64);

/// The window's end of the thread. Dropping it ends the thread after the frame it is in.
pub(super) struct Worker {
    shared: Arc<Shared>,
    /// The states, as they come.
    pub moments: Reader<Moment>,
    points: Receiver<Point>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread.
    pub fn start(trial: IndexTrial, interval: Duration) -> io::Result<Self> {
        let wish = Wish {
            trial,
            changed: false,
            grows: None,
            paused: false,
            single: 0,
            interval,
            region: None,
            looks: false,
            quit: false,
        };
        let shared = Arc::new(Shared { wish: Mutex::new(wish), changed: Condvar::new() });
        let (publisher, moments) = handover();
        let (sender, points) = channel();
        let theirs = Arc::clone(&shared);
        let work = move || work(&theirs, publisher, &sender, Trial::new(trial));
        let thread = std::thread::Builder::new().name("index".to_owned()).spawn(work)?;
        Ok(Self { shared, moments, points, thread: Some(thread) })
    }

    fn change(&self, change: impl FnOnce(&mut Wish)) {
        change(&mut self.shared.lock());
        self.shared.changed.notify_one();
    }

    /// Tries something else; what grows stops.
    pub fn set_trial(&self, trial: IndexTrial) {
        self.change(|wish| (wish.trial, wish.changed, wish.grows) = (trial, true, None));
    }

    /// Lets the number of discs grow from the least to the most, or stops that.
    pub fn grow(&self, grows: bool) {
        self.change(|wish| wish.grows = Some(grows));
    }

    /// Stops or goes on.
    pub fn set_paused(&self, paused: bool) {
        self.change(|wish| (wish.paused, wish.single) = (paused, 0));
    }

    /// Does one frame while paused.
    pub fn single_frame(&self) {
        self.change(|wish| wish.single += 1);
    }

    /// Sets the time between two frames.
    pub fn set_interval(&self, interval: Duration) {
        self.change(|wish| wish.interval = interval);
    }

    /// Tells with each state the cells in a part of the ground (m), or none.
    pub fn look(&self, region: Option<[Vec2; 2]>) {
        self.change(|wish| {
            wish.looks |= wish.region != region;
            wish.region = region;
        });
    }

    /// The points that were measured since the last call.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.points.try_iter()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.change(|wish| wish.quit = true);
        if let Some(thread) = self.thread.take() {
            // There is nobody to tell of a panic.
            let _ = thread.join();
        }
    }
}

/// What to do next.
enum Next {
    Frame,
    Try(IndexTrial),
    Grow(bool),
    Look,
    Quit,
}

fn work(shared: &Shared, mut moments: Publisher<Moment>, points: &Sender<Point>, mut trial: Trial) {
    let mut growth: Option<Growth> = None;
    let mut due = Instant::now();
    loop {
        let region = shared.lock().region;
        let moment = moments.back();
        trial.show(region, moment);
        moment.grows = growth.is_some();
        moments.publish(|_, _| ());
        match wait(shared, &mut due, growth.is_some()) {
            Next::Frame => {
                let took = trial.step();
                let Some((grown, micros)) = growth.as_mut().zip(took) else { continue };
                let Some(micros) = grown.add(micros) else { continue };
                if points.send((trial.of(), micros)).is_err() {
                    return;
                }
                let discs = grown.discs();
                if grown.is_over() {
                    growth = None;
                } else {
                    trial.change(IndexTrial { discs, ..trial.of() });
                }
            }
            Next::Try(other) => {
                growth = None;
                trial.change(other);
            }
            Next::Grow(grows) => {
                growth = grows.then(Growth::default);
                if let Some(growth) = &growth {
                    trial.change(IndexTrial { discs: growth.discs(), ..trial.of() });
                }
            }
            Next::Look => {}
            Next::Quit => return,
        }
    }
}

/// Waits until there is something to do. What grows is not paused.
fn wait(shared: &Shared, due: &mut Instant, grows: bool) -> Next {
    let mut wish = shared.lock();
    loop {
        let now = Instant::now();
        if wish.quit {
            return Next::Quit;
        }
        if std::mem::take(&mut wish.changed) {
            return Next::Try(wish.trial);
        }
        if let Some(grows) = wish.grows.take() {
            return Next::Grow(grows);
        }
        if std::mem::take(&mut wish.looks) {
            return Next::Look;
        }
        if wish.paused && !grows {
            *due = now;
            if wish.single > 0 {
                wish.single -= 1;
                return Next::Frame;
            }
            wish = shared.changed.wait(wish).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let next = *due + if grows { GROWING } else { wish.interval };
        if next <= now {
            // What could not be done in time is not made up for later.
            *due = now;
            return Next::Frame;
        }
        wish = shared.changed.wait_timeout(wish, next - now).unwrap_or_else(PoisonError::into_inner).0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_spatial::IndexKind;

    #[test]
    fn it_grows_pauses_steps_and_takes_another_index() {
        let mut worker = Worker::start(IndexTrial::default(), Duration::ZERO).unwrap();
        worker.set_paused(true);
        worker.grow(true);
        let begun = Instant::now();
        let mut points = Vec::new();
        while points.len() < 9 {
            assert!(begun.elapsed() < Duration::from_mins(2), "{points:?}");
            points.extend(worker.points());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(points.windows(2).all(|pair| pair[0].0.discs < pair[1].0.discs && pair[1].1 > 0.0));
        assert_eq!(points[8].0.discs, IndexTrial::MOST);
        worker.set_trial(IndexTrial { index: IndexKind::Bvh, discs: 60, ..IndexTrial::default() });
        worker.single_frame();
        worker.look(Some([Vec2::ZERO, Vec2::splat(100.0)]));
        let is_done = |moment: &Moment| moment.frame == 1 && moment.trial.discs == 60 && !moment.cells.is_empty();
        while !is_done(worker.moments.front()) {
            assert!(begun.elapsed() < Duration::from_mins(2));
            worker.moments.take();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!worker.moments.front().grows);
    }
}
