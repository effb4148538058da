//! The numbers by which a world knows armies, kinds of soldiers and squads.

use serde::{Deserialize, Serialize};

/// An army of a world: its place in [`Frame::armies`](super::Frame::armies).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ArmyId(pub u8);

/// A kind of soldier of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub u16);

/// A squad of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SquadId(pub u32);
