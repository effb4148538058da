//! What is seen of the world.

use super::{Stage, Way};
use crate::geom::{Vec2, Vec3};
use crate::grid::{Cell, Grid};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a battle ended.
///
/// ```
/// use throng::world::{ArmyId, Verdict};
/// assert_ne!(Verdict::Winner(ArmyId(0)), Verdict::Draw);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Verdict {
    /// This army holds the field: none of its enemies lives. Of allies who hold it together it is the first.
    Winner(super::ArmyId),
    /// Time is up, or nobody is left.
    Draw,
}

/// The strength of an army.
///
/// ```
/// let count = throng::world::ArmyCount { name: "red".into(), alive: 2, dead: 1 };
/// assert_eq!(count.alive + count.dead, 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArmyCount {
    /// Name of the army.
    pub name: String,
    /// Living soldiers.
    pub alive: u32,
    /// Dead ones.
    pub dead: u32,
}

/// A shot in the air.
///
/// ```
/// use throng::{geom::Vec3, world::Flight};
/// let arrow = Flight { at: Vec3::new(4.0, 4.0, 9.0), velocity: Vec3::new(20.0, 0.0, -5.0), army: 0 };
/// assert!(arrow.velocity.z < 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Where it is (m); z is its height above the height 0 of the map.
    pub at: Vec3,
    /// Its velocity (m/s).
    pub velocity: Vec3,
    /// Whose it is: an index into the armies.
    pub army: u8,
}

/// A copy of the state of the world after a tick, for viewers and recorders: one row an agent: those awake in
/// the order of the cells they stand in, then those who sleep.
///
/// ```
/// use throng::world::Frame;
/// let frame = Frame::default();
/// assert!(frame.position.is_empty() && frame.verdict.is_none());
/// ```
#[derive(Debug, Default, PartialEq)]
pub struct Frame {
    /// Ticks done.
    pub tick: u64,
    /// Simulated time (s).
    pub time: f64,
    /// The map as it is now: another one after an edit.
    pub grid: Option<Arc<Grid>>,
    /// Which agent; constant over its life.
    pub id: Vec<u32>,
    /// Centres (m).
    pub position: Vec<Vec2>,
    /// Unit vectors of where they look.
    pub heading: Vec<Vec2>,
    /// Radii (m).
    pub radius: Vec<f32>,
    /// Indices into `armies`.
    pub army: Vec<u8>,
    /// Kinds of soldier: indices into `units`.
    pub unit: Vec<u16>,
    /// Health as a share of the full one, above 0 and at most 1.
    pub health: Vec<f32>,
    /// Strength of each army.
    pub armies: Vec<ArmyCount>,
    /// Names of the kinds of soldier, by [`UnitId`](super::UnitId).
    pub units: Vec<String>,
    /// Where soldiers died in this tick (m).
    pub fallen: Vec<Vec2>,
    /// Shots in the air, in the order in which they were shot.
    pub shots: Vec<Flight>,
    /// Ways still to go; there only where [`World::ways`](super::World::ways) was asked for them.
    pub ways: Vec<Way>,
    /// Walls and gates that can be broken, each with the share of its health that is left; recordings have none.
    pub ramparts: Vec<(Cell, f32)>,
    /// How many sleep.
    pub asleep: usize,
    /// Time that each stage of the tick took (ms), by [`Stage`].
    pub stage_ms: [f32; Stage::COUNT],
    /// Time that the whole tick took (ms).
    pub tick_ms: f32,
    /// How the battle ended; `None` while it goes on.
    pub verdict: Option<Verdict>,
}

/// [`Clone::clone_from`] uses the memory that is there again.
impl Clone for Frame {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self {
            tick,
            time,
            grid,
            id,
            position,
            heading,
            radius,
            army,
            unit,
            health,
            armies,
            units,
            fallen,
            shots,
            ways,
            ramparts,
            asleep,
            stage_ms,
            tick_ms,
            verdict,
        } = source;
        (self.tick, self.time, self.asleep, self.verdict) = (*tick, *time, *asleep, *verdict);
        (self.stage_ms, self.tick_ms) = (*stage_ms, *tick_ms);
        self.grid.clone_from(grid);
        self.id.clone_from(id);
        self.position.clone_from(position);
        self.heading.clone_from(heading);
        self.radius.clone_from(radius);
        self.army.clone_from(army);
        self.unit.clone_from(unit);
        self.health.clone_from(health);
        self.armies.clone_from(armies);
        self.fallen.clone_from(fallen);
        self.shots.clone_from(shots);
        self.units.clone_from(units);
        self.ways.clone_from(ways);
        self.ramparts.clone_from(ramparts);
    }
}
