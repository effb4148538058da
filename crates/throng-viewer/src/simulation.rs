//! The simulation on a thread of its own.

use super::deed::{Brought, Deed, Gaze, Sight};
use super::graphics::panic_message;
use super::handover::{Publisher, Reader, handover};
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng_sim::world::{Frame, World};

mod deeds;

use deeds::{Deeds, Wanted};

/// What a window can show: something that ticks and can be copied out.
///
/// ```
/// use throng_viewer::Simulation;
/// use throng_sim::world::Frame;
///
/// struct Clock(u64);
///
/// impl Simulation for Clock {
///     fn tick(&mut self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
///         self.0 += 1;
///         Ok(())
///     }
///
///     fn frame(&self, frame: &mut Frame) {
///         frame.tick = self.0;
///     }
/// }
///
/// // It has no time line, and nothing of it can be changed.
/// let mut clock = Clock(0);
/// assert_eq!(clock.span(), None);
/// let halt = throng_viewer::Deed::Order(Vec::new());
/// assert_eq!(clock.perform(&halt).unwrap_err().to_string(), "a recording cannot be changed");
/// ```
pub trait Simulation: Send {
    /// Advances by one step.
    ///
    /// # Errors
    /// Where the simulation cannot go on; unless it can [skip](Simulation::skip) what is wrong, the window shows the message and stops
    /// ticking.
    fn tick(&mut self) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Writes the state into `frame`, which may hold an older one.
    fn frame(&self, frame: &mut Frame);

    /// The first and the last tick, where one can go to any between them: then the window has a time line.
    fn span(&self) -> Option<[u64; 2]> {
        None
    }

    /// What was left out before the first frame, in words for the user; asked once. That frame is then as after
    /// [`Simulation::go_to`].
    fn left_out(&mut self) -> Option<String> {
        None
    }

    /// Does what the user wants, at once; what undoes it, where that can be undone.
    ///
    /// # Errors
    /// Where it cannot be done, in words for the user; then nothing has changed.
    fn perform(&mut self, _deed: &Deed) -> Result<Option<Deed>, Box<dyn Error + Send + Sync>> {
        Err("a recording cannot be changed".into())
    }

    /// Writes what the window wants to know beside the frame; `sight` may hold something older.
    fn look(&self, _gaze: &Gaze, _sight: &mut Sight) {}

    /// Goes to a tick of [`Simulation::span`], or the nearest before it that there is. The fallen of the next frame are
    /// then all that fell so far. What is missing there, in words for the user, where anything is.
    ///
    /// # Errors
    /// Where it cannot be gone there, in words for the user; then it stays where it is.
    fn go_to(&mut self, _tick: u64) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
        Ok(None)
    }

    /// Goes on after a tick that has failed with `error`, as after [`Simulation::go_to`]; what was left out, in words for the user.
    ///
    /// # Errors
    /// Where that is not possible; then it stays where it is.
    fn skip(&mut self, error: Box<dyn Error + Send + Sync>) -> Result<String, Box<dyn Error + Send + Sync>> {
        Err(error)
    }
}

impl Simulation for World {
    fn tick(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(World::tick(self)?)
    }

    fn frame(&self, frame: &mut Frame) {
        World::frame(self, frame);
    }

    fn perform(&mut self, deed: &Deed) -> Result<Option<Deed>, Box<dyn Error + Send + Sync>> {
        Ok(deed.perform(self)?)
    }

    fn look(&self, gaze: &Gaze, sight: &mut Sight) {
        sight.look(self, gaze);
    }
}

/// What the window wants of the simulation.
struct Wish {
    interval: Duration,
    paused: bool,
    /// Ticks to do although paused.
    single: u32,
    /// Where to go to next; the latest wish counts.
    go_to: Option<u64>,
    /// What to do to the world next, in order.
    deeds: Vec<Wanted>,
    /// What the window wants to know.
    gaze: Gaze,
    /// It wants to know something else than before.
    looks: bool,
    quit: bool,
}

struct Shared {
    wish: Mutex<Wish>,
    changed: Condvar,
    failure: Mutex<Option<String>>,
    /// What has become of the user's deeds, and what could not be shown.
    news: Mutex<Vec<String>>,
}

impl Shared {
    fn wish(&self) -> MutexGuard<'_, Wish> {
        self.wish.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, news: impl IntoIterator<Item = String>) {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).extend(news);
    }
}

/// The window's end of the thread. Dropping it ends the thread after the tick it is in.
pub(super) struct Runner {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// The frames, as they come.
    pub frames: Reader<Seen>,
    /// The first and the last tick, where one can go to any between them.
    pub span: Option<[u64; 2]>,
}

/// A frame on its way to the window.
#[derive(Default)]
pub(super) struct Seen {
    pub frame: Frame,
    /// It does not follow the one before: its fallen are all there are.
    pub jumped: bool,
    /// None follows, unless one goes back.
    pub over: bool,
    /// What the window wanted to know.
    pub sight: Sight,
    /// The squads that the user has brought and not taken back.
    pub brought: Arc<Vec<Brought>>,
}

impl Runner {
    /// Starts a thread that hands over the state at once, and then after each tick.
    pub fn start(simulation: Box<dyn Simulation>, interval: Duration) -> std::io::Result<Self> {
        let wish = Wish {
            interval,
            paused: false,
            single: 0,
            go_to: None,
            deeds: Vec::new(),
            gaze: Gaze::default(),
            looks: false,
            quit: false,
        };
        let span = simulation.span();
        let shared = Arc::new(Shared {
            wish: Mutex::new(wish),
            changed: Condvar::new(),
            failure: Mutex::new(None),
            news: Mutex::default(),
        });
        let (publisher, frames) = handover();
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("simulation".into()).stack_size(8 << 20).spawn(move || {
            let work = AssertUnwindSafe(|| run(simulation, publisher, &theirs));
            let failure = match panic::catch_unwind(work) {
                Ok(result) => result.err().map(|error| error.to_string()),
                Err(payload) => Some(format!("panic: {}", panic_message(payload.as_ref()))),
            };
            *theirs.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        })?;
        Ok(Self { shared, thread: Some(thread), frames, span })
    }

    fn change(&self, change: impl FnOnce(&mut Wish)) {
        change(&mut self.shared.wish());
        self.shared.changed.notify_one();
    }

    /// Sets the time between two ticks.
    pub fn set_interval(&self, interval: Duration) {
        self.change(|wish| wish.interval = interval);
    }

    /// Stops or goes on.
    pub fn set_paused(&self, paused: bool) {
        self.change(|wish| {
            wish.paused = paused;
            wish.single = 0;
        });
    }

    /// Does one tick while paused.
    pub fn single_tick(&self) {
        self.change(|wish| wish.single += 1);
    }

    /// Goes to a tick. What was wished for before and not yet begun is forgotten.
    pub fn go_to(&self, tick: u64) {
        self.change(|wish| wish.go_to = Some(tick));
    }

    /// Does something to the world, between two ticks.
    pub fn perform(&self, deed: Deed) {
        self.change(|wish| wish.deeds.push(Wanted::Deed(deed)));
    }

    /// Takes the last deed back.
    pub fn undo(&self) {
        self.change(|wish| wish.deeds.push(Wanted::Undo));
    }

    /// Does again what was taken back last.
    pub fn redo(&self) {
        self.change(|wish| wish.deeds.push(Wanted::Redo));
    }

    /// Tells with each frame what the window wants to know.
    pub fn gaze(&self, gaze: Gaze) {
        self.change(|wish| {
            wish.looks |= wish.gaze != gaze;
            wish.gaze = gaze;
        });
    }

    /// What has become of deeds since this was asked last. A frame that is taken after this shows them.
    pub fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.news.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Why the simulation ended early.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.change(|wish| wish.quit = true);
        if let Some(thread) = self.thread.take() {
            // Its panics are caught inside.
            let _ = thread.join();
        }
    }
}

/// How often it is said again that a moment cannot be shown, while a held knob asks for it.
const AGAIN: Duration = Duration::from_secs(1);

/// Ticks until the window goes or an error comes. When the battle or the recording is over it only waits.
fn run(
    mut simulation: Box<dyn Simulation>,
    mut frames: Publisher<Seen>,
    shared: &Shared,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut due = Instant::now();
    let span = simulation.span();
    let left_out = simulation.left_out();
    let (mut jumped, mut ticked, mut stuck) = (left_out.is_some(), true, false);
    // Told with the frame that shows it: what is said to be done is there to be saved.
    let mut news: Vec<String> = left_out.into_iter().collect();
    let mut refused: Option<(u64, Instant)> = None;
    let mut history = Deeds::default();
    loop {
        let gaze = shared.wish().gaze;
        let seen = frames.back();
        let Seen { frame, sight, .. } = seen;
        simulation.frame(frame);
        simulation.look(&gaze, sight);
        if !ticked {
            // They have been told of with this tick before.
            frame.fallen.clear();
        }
        let over = stuck || span.map_or(frame.verdict.is_some(), |[_, last]| frame.tick >= last);
        (seen.jumped, seen.over) = (jumped, over);
        seen.brought.clone_from(&history.brought);
        // The dead of a frame that nobody saw must still get their marks.
        frames.publish(|new, missed| {
            if !new.jumped {
                new.frame.fallen.append(&mut missed.frame.fallen);
                new.jumped = missed.jumped;
            }
        });
        shared.tell(news.drain(..));
        // A moment that cannot be shown leaves nothing new to hand over.
        (jumped, ticked) = loop {
            match wait(shared, &mut due, over) {
                Next::Tick => {
                    match simulation.tick().map(|()| None).or_else(|error| simulation.skip(error).map(Some)) {
                        Ok(skipped) => {
                            news.extend(skipped);
                            break (!news.is_empty(), true);
                        }
                        // One can still go back.
                        Err(error) if span.is_some() => {
                            stuck = true;
                            news.push(error.to_string());
                            break (false, false);
                        }
                        Err(error) => return Err(error),
                    }
                }
                Next::GoTo(tick) => match simulation.go_to(tick) {
                    Ok(skipped) => {
                        (stuck, refused) = (false, None);
                        news.extend(skipped);
                        break (true, true);
                    }
                    Err(error) => {
                        if refused.is_none_or(|(of, since)| of != tick || since.elapsed() > AGAIN) {
                            refused = Some((tick, Instant::now()));
                            shared.tell([error.to_string()]);
                        }
                    }
                },
                Next::Deeds(deeds) => {
                    news.extend(deeds.into_iter().map(|wanted| history.perform(simulation.as_mut(), wanted)));
                    break (false, false);
                }
                Next::Look => break (false, false),
                Next::Quit => return Ok(()),
            }
        };
    }
}

/// How late ticks may come and still be followed by quicker ones.
const LAG: Duration = Duration::from_millis(100);

/// What to do next.
enum Next {
    Tick,
    GoTo(u64),
    Deeds(Vec<Wanted>),
    Look,
    Quit,
}

/// Waits until there is something to do; where it is over that is no tick.
fn wait(shared: &Shared, due: &mut Instant, over: bool) -> Next {
    let mut wish = shared.wish();
    loop {
        let now = Instant::now();
        if wish.quit {
            return Next::Quit;
        }
        if let Some(tick) = wish.go_to.take() {
            *due = now;
            return Next::GoTo(tick);
        }
        if !wish.deeds.is_empty() {
            return Next::Deeds(std::mem::take(&mut wish.deeds));
        }
        if std::mem::take(&mut wish.looks) {
            return Next::Look;
        }
        if wish.paused || over {
            *due = now;
            if wish.single > 0 {
                wish.single -= 1;
                if !over {
                    return Next::Tick;
                }
                continue;
            }
            wish = shared.changed.wait(wish).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        // Measured from the last tick, so that a change of speed counts at once.
        let next = *due + wish.interval;
        if next <= now {
            // What could not be done in time is not made up for later.
            *due = if now - next > LAG { now } else { next };
            return Next::Tick;
        }
        wish = shared.changed.wait_timeout(wish, next - now).unwrap_or_else(PoisonError::into_inner).0;
    }
}

#[cfg(test)]
mod tests;
