//! The world and its tick.

mod frame;
mod profile;

pub use frame::{ArmyCount, Frame, Verdict};
pub use profile::{Profile, Stage};

/// An army of a world: its place in [`Frame::armies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArmyId(pub u8);

/// A kind of soldier of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub u16);

/// A squad of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquadId(pub u32);
