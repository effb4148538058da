//! Requests for single agents from outside.

use crate::crowd::AgentId;
use crate::walk::Shove;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;

/// Requests for single agents: some are carried out in the next tick, some last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Given {
    /// Damage that is done in the next tick, in this order.
    pub(crate) blows: Vec<Blow>,
    /// Shots of the next tick, in this order: the shooter, and where to (m).
    pub(crate) shots: Vec<(AgentId, Vec2)>,
    /// The speeds of agents that do not walk at that of their unit (m/s), by slot.
    pub(crate) speeds: BTreeMap<u32, f32>,
    /// Agents that were pushed and have not come to rest, by slot.
    pub(crate) shoves: BTreeMap<u32, Shove>,
    /// The largest radius that an agent was given (m).
    pub(crate) widest: f32,
}

/// Damage from outside.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Blow {
    pub(crate) to: AgentId,
    /// The agent that is said to have done it.
    pub(crate) by: Option<AgentId>,
    /// In points.
    pub(crate) damage: f32,
}

impl Given {
    /// Forgets all that lasts of an agent in a slot.
    pub(crate) fn forget(&mut self, slot: u32) {
        self.speeds.remove(&slot);
        self.shoves.remove(&slot);
    }
}
