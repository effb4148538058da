//! A tick beside a loop that draws.

use super::tick::stages;
use super::{World, WorldError};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A world, and how its tick went.
pub type Ticked = (World, Result<(), WorldError>);

/// A tick that is under way on the threads of its world: a game draws on meanwhile, and asks in each frame whether it is done.
///
/// The world is in it until then, so that nothing can be asked or told in the midst of a tick: the bytes are those of [`World::tick`].
///
/// ```
/// use std::time::Duration;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Frame, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
/// let mut before = Frame::default();
/// world.frame(&mut before);
/// let mut ticking = world.start_tick();
/// world = loop {
///     // Here a game draws `before`.
///     match ticking.within(Duration::from_millis(4)) {
///         Ok((world, result)) => {
///             result?;
///             break world;
///         }
///         Err(still) => ticking = still,
///     }
/// };
/// assert_eq!((before.tick, world.ticks()), (0, 1));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug)]
pub struct Ticking {
    done: Receiver<Ticked>,
}

impl World {
    /// Starts a tick on the threads of the world, and returns at once. A world with threads of its caller's
    /// ([`World::with_pool`]) must not be waited for on one of those.
    pub fn start_tick(self) -> Ticking {
        let (send, done) = channel();
        let threads = Arc::clone(&self.threads);
        threads.spawn(move || {
            let mut world = self;
            let result = stages(&mut world, None);
            // The caller may have dropped it.
            let _ = send.send((world, result));
        });
        Ticking { done }
    }
}

impl Ticking {
    /// Waits for the end of the tick, for so long at most: the world and how its tick went, or the tick that is under way still.
    ///
    /// # Errors
    /// The tick itself, where it needs more time.
    pub fn within(self, budget: Duration) -> Result<Ticked, Self> {
        match self.done.recv_timeout(budget) {
            Ok(ticked) => Ok(ticked),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Err(self),
        }
    }
}
