//! An index over all agents, awake and asleep, for questions between ticks.

use super::parts::State;
use crate::crowd::AgentId;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use throng_grid::geom::Vec2;
use throng_spatial::volume::{Ball, Sweep};
use throng_spatial::{Bodies, Index, IndexKind, SpatialIndex};

/// The index of the state that was asked about last. It is built at the first question after a change.
#[derive(Debug, Default)]
pub(super) struct Everyone {
    built: Mutex<Option<(Stamp, Arc<Placed>)>>,
    /// How often agents have been put elsewhere between ticks.
    pub(super) moved: u64,
}

/// Tells states apart in which agents are in other places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    tick: u64,
    arrivals: u32,
    agents: usize,
    moved: u64,
}

/// All agents as they stand, in the order of their rows, and an index over them.
#[derive(Debug)]
pub(super) struct Placed {
    position: Vec<[f32; 2]>,
    radius: Vec<f32>,
    slot: Vec<u32>,
    index: Index,
}

impl Everyone {
    /// The index of a state. O(agents) for the first question after a change, O(1) for others.
    pub(super) fn of(&self, state: &State) -> Arc<Placed> {
        let crowd = &state.crowd;
        let stamp = Stamp { tick: state.tick, arrivals: crowd.arrivals(), agents: crowd.len(), moved: self.moved };
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = built.as_ref().filter(|(of, _)| *of == stamp) {
            return Arc::clone(known);
        }
        let mut placed = Placed {
            position: crowd.rows.position.iter().map(Vec2::to_array).collect(),
            radius: crowd.rows.radius.clone(),
            slot: crowd.rows.slot.clone(),
            index: Index::new(IndexKind::Grid),
        };
        let bodies = Bodies::new(&placed.position, &placed.radius, &placed.slot);
        if placed.index.rebuild(bodies).is_err() {
            // A grid takes all bodies that a world can have.
            placed.index = Index::new(IndexKind::Brute);
        }
        let placed = Arc::new(placed);
        *built = Some((stamp, Arc::clone(&placed)));
        placed
    }
}

impl Placed {
    fn bodies(&self) -> Bodies<'_, 2> {
        Bodies::new(&self.position, &self.radius, &self.slot)
    }

    /// The agents whose middles are nearer to a point (m) than `radius` (m), each with its distance (m): the nearest first, of
    /// equals the one with the smaller slot.
    pub(super) fn within(
        &self,
        state: &State,
        point: Vec2,
        radius: f32,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<(AgentId, f32)> {
        let mut found = Vec::new();
        let _ = self.index.within(self.bodies(), point.to_array(), radius, |row, squared| {
            let slot = self.slot[row as usize];
            if is_wanted(slot as usize) {
                found.push((squared.to_bits(), slot));
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found.into_iter().map(|(squared, slot)| (state.crowd.id(slot), f32::from_bits(squared).sqrt())).collect()
    }

    /// The first of these.
    pub(super) fn nearest(
        &self,
        state: &State,
        point: Vec2,
        reach: f32,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<(AgentId, f32)> {
        let accept = |row: u32| is_wanted(self.slot[row as usize] as usize);
        let (row, squared) = self.index.nearest(self.bodies(), point.to_array(), reach, accept)?;
        Some((state.crowd.id(self.slot[row as usize]), squared.sqrt()))
    }

    /// The first body that a disc meets on its way (m), and the part of the way that it has gone then.
    pub(super) fn cast(
        &self,
        state: &State,
        from: Vec2,
        way: Vec2,
        radius: f32,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<(AgentId, f32)> {
        let sweep = Sweep::new(&Ball { centre: from.to_array(), radius }, way.to_array());
        let accept = |row: u32| is_wanted(self.slot[row as usize] as usize);
        let (row, time) = self.index.cast(self.bodies(), &sweep, accept)?;
        Some((state.crowd.id(self.slot[row as usize]), time as f32))
    }
}
