//! The simulation on a thread of its own.

use super::deed::{Deed, Gaze, Sight};
use super::graphics::panic_message;
use super::handover::{Publisher, Reader, handover};
use crate::world::{Frame, World};
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a window can show: something that ticks and can be copied out.
///
/// ```
/// use throng::{viewer::Simulation, world::Frame};
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
/// ```
pub trait Simulation: Send {
    /// Advances by one step.
    ///
    /// # Errors
    /// Where the simulation cannot go on; the window shows the message and stops ticking.
    fn tick(&mut self) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Writes the state into `frame`, which may hold an older one.
    fn frame(&self, frame: &mut Frame);

    /// The first and the last tick, where one can go to any between them: then the window has a time line.
    fn span(&self) -> Option<[u64; 2]> {
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
    /// then all that fell so far.
    ///
    /// # Errors
    /// As [`Simulation::tick`].
    fn go_to(&mut self, _tick: u64) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
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

/// How fast the simulation goes: powers of two of its own time, or as fast as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Speed(i8);

impl Speed {
    const SLOWEST: i8 = -3;
    const FASTEST: i8 = 6;

    /// As in life.
    pub const REAL: Self = Self(0);

    /// Twice as fast; after 32 times comes as fast as possible.
    pub fn faster(self) -> Self {
        Self((self.0 + 1).min(Self::FASTEST))
    }

    /// Half as fast.
    pub fn slower(self) -> Self {
        Self((self.0 - 1).max(Self::SLOWEST))
    }

    /// Time between two ticks of `step` seconds; zero for as fast as possible.
    pub fn interval(self, step: f32) -> Duration {
        if self.0 == Self::FASTEST {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f32(step / 2.0_f32.powi(self.0.into())).unwrap_or_default()
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Self::FASTEST => f.write_str("max"),
            0.. => write!(f, "{}x", 1 << self.0),
            _ => write!(f, "1/{}x", 1 << -self.0),
        }
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

/// What the user does.
enum Wanted {
    Deed(Deed),
    /// Takes the last deed back.
    Undo,
}

struct Shared {
    wish: Mutex<Wish>,
    changed: Condvar,
    failure: Mutex<Option<String>>,
    /// What has become of the user's deeds.
    news: Mutex<Vec<String>>,
}

impl Shared {
    fn wish(&self) -> MutexGuard<'_, Wish> {
        self.wish.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// What the window wanted to know.
    pub sight: Sight,
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

    /// Tells with each frame what the window wants to know.
    pub fn gaze(&self, gaze: Gaze) {
        self.change(|wish| {
            wish.looks |= wish.gaze != gaze;
            wish.gaze = gaze;
        });
    }

    /// What has become of deeds since this was asked last.
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

/// Ticks until the window goes or an error comes. When the battle or the recording is over it only waits.
fn run(
    mut simulation: Box<dyn Simulation>,
    mut frames: Publisher<Seen>,
    shared: &Shared,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut due = Instant::now();
    let span = simulation.span();
    let (mut jumped, mut ticked) = (false, true);
    let mut undo = Vec::new();
    loop {
        let gaze = shared.wish().gaze;
        let Seen { frame, jumped: of_frame, sight } = frames.back();
        simulation.frame(frame);
        simulation.look(&gaze, sight);
        *of_frame = jumped;
        if !ticked {
            // They have been told of with this tick before.
            frame.fallen.clear();
        }
        let over = span.map_or(frame.verdict.is_some(), |[_, last]| frame.tick >= last);
        // The dead of a frame that nobody saw must still get their marks.
        frames.publish(|new, missed| {
            if !new.jumped {
                new.frame.fallen.append(&mut missed.frame.fallen);
                new.jumped = missed.jumped;
            }
        });
        let next = wait(shared, &mut due, over);
        jumped = matches!(next, Next::GoTo(_));
        ticked = jumped || matches!(next, Next::Tick);
        match next {
            Next::Tick => simulation.tick()?,
            Next::GoTo(tick) => simulation.go_to(tick)?,
            Next::Deeds(deeds) => {
                let news = deeds.into_iter().map(|wanted| perform(simulation.as_mut(), wanted, &mut undo));
                let news: Vec<String> = news.collect();
                shared.news.lock().unwrap_or_else(PoisonError::into_inner).extend(news);
            }
            Next::Look => {}
            Next::Quit => return Ok(()),
        }
    }
}

/// Does a deed, or takes the last one back; what has become of it, in words.
fn perform(simulation: &mut dyn Simulation, wanted: Wanted, undo: &mut Vec<Deed>) -> String {
    let (deed, is_undone) = match wanted {
        Wanted::Deed(deed) => (deed, false),
        Wanted::Undo => match undo.pop() {
            Some(deed) => (deed, true),
            None => return "nothing to undo".to_owned(),
        },
    };
    match simulation.perform(&deed) {
        Ok(_) if is_undone => format!("undone: {}", deed.name()),
        Ok(back) => {
            undo.extend(back);
            format!("done: {}", deed.name())
        }
        Err(error) => format!("refused: {error}"),
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
mod tests {
    use super::*;
    use crate::geom::Vec2;
    use crate::world::Verdict;

    struct Count(u64);

    impl Simulation for Count {
        fn tick(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
            self.0 += 1;
            assert!(self.0 != 500, "five hundred");
            if self.0 == 1000 { Err("a thousand".into()) } else { Ok(()) }
        }

        fn frame(&self, frame: &mut Frame) {
            frame.tick = self.0;
            frame.fallen.clear();
            frame.fallen.push(Vec2::splat(self.0 as f32));
            frame.verdict = (self.0 == 40).then_some(Verdict::Draw);
        }
    }

    fn until(runner: &mut Runner, done: impl Fn(&Runner) -> bool) {
        let start = Instant::now();
        while !done(runner) {
            assert!(start.elapsed() < Duration::from_secs(20), "at tick {}", runner.frames.front().frame.tick);
            runner.frames.take();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn it_stops_when_the_battle_is_over_and_no_death_is_missed() {
        let mut runner = Runner::start(Box::new(Count(0)), Duration::from_micros(200)).unwrap();
        let mut deaths = 0;
        let start = Instant::now();
        while runner.frames.front().frame.verdict.is_none() && start.elapsed() < Duration::from_secs(20) {
            if runner.frames.take() {
                deaths += runner.frames.front().frame.fallen.len();
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        assert_eq!((runner.frames.front().frame.tick, deaths), (40, 41));
        assert_eq!(runner.failure(), None);
    }

    #[test]
    fn it_pauses_and_does_single_ticks() {
        let mut runner = Runner::start(Box::new(Count(100)), Duration::from_secs(1000)).unwrap();
        runner.set_paused(true);
        runner.single_tick();
        runner.single_tick();
        until(&mut runner, |runner| runner.frames.front().frame.tick == 102);
        std::thread::sleep(Duration::from_millis(20));
        assert!(!runner.frames.take());
        runner.set_interval(Duration::from_millis(1));
        runner.set_paused(false);
        until(&mut runner, |runner| runner.frames.front().frame.tick > 110);
    }

    #[test]
    fn errors_and_panics_are_reported() {
        let mut runner = Runner::start(Box::new(Count(900)), Duration::ZERO).unwrap();
        until(&mut runner, |runner| runner.failure().as_deref() == Some("a thousand"));
        let mut runner = Runner::start(Box::new(Count(490)), Duration::ZERO).unwrap();
        until(&mut runner, |runner| runner.failure().as_deref() == Some("panic: five hundred"));
    }

    #[test]
    fn speeds_are_powers_of_two_up_to_as_fast_as_possible() {
        let mut speed = Speed::REAL;
        for _ in 0..9 {
            speed = speed.slower();
        }
        let mut names = Vec::new();
        for _ in 0..10 {
            names.push(format!("{speed} {}", speed.interval(0.1).as_millis()));
            speed = speed.faster();
        }
        assert_eq!(
            names,
            ["1/8x 800", "1/4x 400", "1/2x 200", "1x 100", "2x 50", "4x 25", "8x 12", "16x 6", "32x 3", "max 0"]
        );
    }
}
