//! Causes are looked for, effects are performed.

use super::{Act, Armed, Cause, LOOK_EVERY, Triggers};
use crate::battle;
use crate::world::{SquadId, World};
use throng_spatial::SpatialIndex;

impl World {
    /// Performs what is due in this tick, before anything else happens in it.
    pub(in crate::world) fn perform(&mut self) {
        for t in 0..self.state.triggers.armed.len() {
            if self.state.triggers.armed[t].due.is_none_or(|due| due > self.state.tick) {
                continue;
            }
            if !self.perform_one(t) {
                // There is no room.
                self.state.triggers.armed[t].due = Some(self.state.tick + self.ticks_of(1.0));
                continue;
            }
            let next = self.state.tick + self.ticks_from(self.state.triggers.armed[t].repeat.every).max(1);
            let armed = &mut self.state.triggers.armed[t];
            armed.performed = 0;
            armed.fired += 1;
            armed.due = (armed.fired < armed.repeat.times).then_some(next);
            if armed.fired > 1 {
                continue;
            }
            for other in 0..self.state.triggers.armed.len() {
                if let Cause::After { trigger, delay } = self.state.triggers.armed[other].when
                    && trigger.0 as usize == t
                {
                    self.state.triggers.armed[other].due = Some(self.state.tick + self.ticks_from(delay).max(1));
                }
            }
        }
    }

    /// Performs the effects of a trigger that are left; false where there is no room for a wave.
    fn perform_one(&mut self, t: usize) -> bool {
        let acts = std::mem::take(&mut self.state.triggers.armed[t].then);
        let first = self.state.triggers.armed[t].fired == 0;
        while let Some(act) = acts.get(self.state.triggers.armed[t].performed as usize) {
            let is_done = match act {
                // Both were checked when the trigger was added.
                &Act::Order { squad, order } => {
                    let _ = self.order(squad, order);
                    true
                }
                Act::Muster { squad, positions, facing, order } => self.come(*squad, positions, *facing, *order, first),
            };
            if !is_done {
                break;
            }
            self.state.triggers.armed[t].performed += 1;
        }
        let is_done = self.state.triggers.armed[t].performed as usize == acts.len();
        self.state.triggers.armed[t].then = acts;
        is_done
    }

    /// Looks for the causes that are no times, in ticks in which that is due.
    pub(in crate::world) fn look_for_causes(&mut self) {
        if !looks(self.state.tick) {
            return;
        }
        for t in 0..self.state.triggers.armed.len() {
            let armed = &self.state.triggers.armed[t];
            if armed.due.is_some() || armed.fired > 0 {
                continue;
            }
            if let Cause::Lost { squad, .. } = armed.when {
                let living = self.living(squad) as u32;
                let most = &mut self.state.triggers.armed[t].most;
                *most = (*most).max(living);
            }
            if self.has_come_about(&self.state.triggers.armed[t]) {
                self.state.triggers.armed[t].due = Some(self.state.tick + 1);
            }
        }
    }

    fn has_come_about(&self, armed: &Armed) -> bool {
        let members = |squad: SquadId| self.state.squads.get(squad.0 as usize).map_or(&[][..], |squad| &squad.members);
        let crowd = &self.state.crowd;
        match &armed.when {
            Cause::At { .. } | Cause::After { .. } => false,
            &Cause::Lost { squad, share } => {
                let lost = armed.most.saturating_sub(self.living(squad) as u32);
                armed.most > 0 && lost as f32 >= share * armed.most as f32
            }
            Cause::Enters { army, area } => self.armies_in(area) >> army.0 & 1 == 1,
            // That somebody looks at an enemy means that he sees one.
            &Cause::Sees { squad } => members(squad).iter().any(|&id| {
                crowd.row(id).is_some() && crowd.row(self.state.soldiers.target(id.slot as usize)).is_some()
            }),
            &Cause::Near { squad, metres } => {
                let hostile =
                    self.state.squads.get(squad.0 as usize).map_or(0, |squad| self.state.relations.enemies(squad.army));
                let accept: &dyn Fn(u32) -> bool =
                    &|row: u32| hostile >> crowd.army[row as usize] & 1 == 1 && !self.is_dead(crowd.slot[row as usize]);
                let mut places = members(squad).iter().filter_map(|&id| crowd.row(id)).map(|row| crowd.position[row]);
                places.any(|at| {
                    let bodies = battle::bodies(crowd);
                    self.derived.index.nearest(bodies, at.to_array(), metres, accept).is_some()
                        || self.derived.sleepers.nearest(crowd, at, metres, accept).is_some()
                })
            }
            Cause::Breached { .. } => armed.cells.iter().any(|&cell| self.state.ramparts.get(cell).is_none()),
        }
    }

    /// The armies (a bit each) of which a wave is sure to come, and whether that is known for good: where a wave waits for
    /// what was not looked for in this tick, it is not.
    pub(in crate::world) fn armies_to_come(&self) -> (u16, bool) {
        let Triggers { armed } = &self.state.triggers;
        let (mut coming, mut is_known) = (0, true);
        for one in armed {
            let bits = one.then.iter().fold(0, |bits, act| match act {
                Act::Muster { squad, .. } => bits | 1 << self.state.squads[squad.0 as usize].army,
                Act::Order { .. } => bits,
            });
            if bits == 0 || one.due.is_none() && one.fired > 0 {
                continue;
            }
            // Up the chain, to one that is due or waits for something that may never be.
            let mut root = one;
            for _ in 0..armed.len() {
                match root.when {
                    Cause::After { trigger, .. } if root.due.is_none() => root = &armed[trigger.0 as usize],
                    _ => break,
                }
            }
            if root.due.is_some() {
                coming |= bits;
            } else {
                // The tick has been counted already.
                is_known &= looks(self.state.tick.wrapping_sub(1));
            }
        }
        (coming, is_known)
    }
}

/// True in ticks in which causes are looked for.
fn looks(tick: u64) -> bool {
    tick.is_multiple_of(LOOK_EVERY)
}
