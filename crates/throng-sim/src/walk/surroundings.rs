//! What agents that walk read beside their own columns.

use super::ModelUsage;
use crate::battle::{Soldiers, Squad, Unit};
use crate::crowd::models::CustomModel;
use crate::crowd::{AgentId, AgentSlots, AvoidanceSettings, Sleep, Sleepers, UpdateSchedule};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::Grid;
use throng_grid::geom::Vec2;

/// All that agents that walk read beside their own columns.
pub(crate) struct Surroundings<'a> {
    pub step: f32,
    pub seed: u64,
    /// Which agents look around in this tick.
    pub schedule: UpdateSchedule,
    pub grid: &'a Grid,
    pub avoidance: &'a AvoidanceSettings,
    pub model: Option<&'a CustomModel>,
    /// A stage of the caller's before avoidance.
    pub stage: Option<&'a CustomModel>,
    pub sleep: Sleep,
    pub usage: ModelUsage,
    /// How far neighbours are looked for (m); `None` where no stage needs lists of them.
    pub reach: Option<f32>,
    /// The largest radius of an agent (m).
    pub widest: f32,
    pub units: &'a [Unit],
    pub squads: &'a [Squad],
    pub soldiers: &'a Soldiers,
    pub slots: &'a AgentSlots,
    pub sleepers: &'a Sleepers,
    pub driven: &'a BTreeMap<u32, Driven>,
    /// The speeds of agents that do not walk at that of their unit (m/s), by slot.
    pub speeds: &'a BTreeMap<u32, f32>,
    /// Agents that slide, since they were pushed, by slot.
    pub shoves: &'a BTreeMap<u32, Shove>,
    /// Slots of agents that others at rest hold up.
    pub pressing: &'a [u32],
    /// Agents that are moved by other means: they stand while the others move.
    pub still: Vec<AgentId>,
}

/// The place and velocity that were set for a body that is moved from outside.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Driven {
    pub id: AgentId,
    /// In m.
    pub position: Vec2,
    /// In m/s.
    pub velocity: Vec2,
    /// Of its body, in m.
    pub radius: f32,
}

/// An agent that slides, since it was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shove {
    pub id: AgentId,
    /// In m/s.
    pub velocity: Vec2,
}
