//! The time of the stages of a tick.

use std::time::Instant;

/// A stage of the tick, in the order they run.
///
/// ```
/// use throng_sim::world::Stage;
/// assert_eq!(Stage::ALL[Stage::Avoid as usize].name(), "avoid");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// The map is edited.
    Edits,
    /// Routes that fall due are handed out.
    Deliver,
    /// The dead leave; rows are put in cell order; the index is rebuilt; agents at rest fall asleep.
    Reap,
    /// Targets are looked for, strikes land.
    Battle,
    /// Squads and their members decide where to go.
    Command,
    /// Wishes: the velocity that each agent would like.
    Steer,
    /// Lists of neighbours.
    Neighbours,
    /// Velocities that avoid collisions.
    Avoid,
    /// All agents move, sliding along walls.
    Integrate,
    /// Routes are asked for.
    Ask,
}

impl Stage {
    /// How many stages there are.
    pub const COUNT: usize = 10;

    /// All stages, in order.
    pub const ALL: [Stage; Self::COUNT] = [
        Stage::Edits,
        Stage::Deliver,
        Stage::Reap,
        Stage::Battle,
        Stage::Command,
        Stage::Steer,
        Stage::Neighbours,
        Stage::Avoid,
        Stage::Integrate,
        Stage::Ask,
    ];

    /// The name as it appears in statistics.
    pub fn name(self) -> &'static str {
        ["edits", "deliver", "reap", "battle", "command", "steer", "neighbours", "avoid", "integrate", "ask"]
            [self as usize]
    }
}

/// How long the stages of the last tick took.
///
/// ```
/// # use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Settings, Stage, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// world.tick()?;
/// let avoid = world.profile().stage_ms[Stage::Avoid as usize];
/// println!("{avoid} ms of {} ms", world.profile().total_ms());
/// assert!(avoid < world.profile().total_ms());
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// Time of each stage (ms), by [`Stage`].
    pub stage_ms: [f32; Stage::COUNT],
}

impl Profile {
    /// Time of the whole tick (ms).
    pub fn total_ms(&self) -> f32 {
        self.stage_ms.iter().sum()
    }

    /// Adds the time since `since` to `stage` and starts anew.
    pub(super) fn add(&mut self, stage: Stage, since: &mut Instant) {
        let now = Instant::now();
        self.stage_ms[stage as usize] += (now - *since).as_secs_f32() * 1e3;
        *since = now;
    }
}
