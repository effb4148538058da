//! Falling asleep and waking.

use super::World;
use super::parts::{Derived, Scratch, State};
use crate::battle::Errand;
use crate::crowd::{AgentId, Crowd, Rest, STANDS};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Layer};

/// Who is at rest is looked at this often (s).
const LOOK_EVERY: f32 = 1.0;

/// Who is within this of where he was at the last look (m) has stayed there.
const STAYS: f32 = 0.01;

/// So near to a change of the map (m) nobody sleeps through it.
const EDITED: f32 = 8.0;

impl World {
    /// How many agents sleep: see [`Sleep`](crate::crowd::Sleep).
    pub fn asleep(&self) -> usize {
        self.state.crowd.len() - self.state.crowd.awake()
    }

    /// Sorts those who sleep now.
    pub(super) fn sort_sleepers(&mut self) {
        self.derived.sleepers.rebuild(&self.state.crowd);
    }

    /// Wakes those who have been noted.
    pub(super) fn rouse(&mut self) {
        for slot in self.scratch.waking.drain(..) {
            self.state.crowd.wake(slot);
        }
        // Most of those who slept are awake: nobody shall look through them for the others.
        if self.derived.sleepers.len() > 2 * self.asleep() {
            self.sort_sleepers();
        }
    }

    /// Notes those for waking whom somebody who leaves has touched: they may have leant on him.
    pub(super) fn wake_around(&mut self, gone: &[AgentId]) {
        let Self { settings, state, derived, scratch, .. } = self;
        let State { crowd, .. } = state;
        let Derived { sleepers, .. } = derived;
        let Scratch { waking, .. } = scratch;
        for row in gone.iter().filter_map(|&id| crowd.row(id)) {
            let (at, radius) = (crowd.position[row], crowd.radius[row]);
            sleepers.around(crowd, at, radius, settings.sleep.margin, |slot| waking.push(slot));
        }
    }

    /// Notes those for waking who sleep near changed cells. O(sleepers + cells changed).
    pub(super) fn wake_beside(&mut self, dirty: &[Cell]) {
        if self.asleep() == 0 {
            return;
        }
        let (fine, coarse) = (self.grid.lattice(), self.derived.home);
        let mut near = Layer::new(coarse, false);
        let mut last = None;
        for &cell in dirty {
            let at = fine.centre(cell);
            // Cells come in rows.
            if last.replace(coarse.at(at)) == Some(coarse.at(at)) {
                continue;
            }
            let reach = EDITED + coarse.cell_size;
            let [low, high] = [at - reach, at + reach].map(|corner| coarse.column_row(coarse.at(corner)));
            for y in low.1..=high.1 {
                for x in low.0..=high.0 {
                    near[coarse.cell(x, y)] = true;
                }
            }
        }
        for row in self.state.crowd.awake()..self.state.crowd.len() {
            if near[coarse.at(self.state.crowd.position[row])] {
                self.scratch.waking.push(self.state.crowd.slot[row]);
            }
        }
    }

    /// Lets those fall asleep who have been at rest for long enough; then wakes those who have been noted in this tick.
    pub(super) fn sleep(&mut self) {
        let after = self.settings.sleep.after;
        let every = ((LOOK_EVERY / self.settings.step).round() as u64).max(1);
        if after.is_finite() && self.state.tick.is_multiple_of(every) {
            self.look_who_rests();
            let looks = (after / LOOK_EVERY).ceil().clamp(1.0, f32::from(u16::MAX)) as u16;
            let rests = |&row: &usize| self.state.crowd.rest[self.state.crowd.slot[row] as usize].looks >= looks;
            let mut tired: Vec<usize> = (0..self.state.crowd.awake()).filter(rests).collect();
            tired.retain(|&row| self.may_sleep(row));
            // From the last on, so that those awake keep their rows.
            for &row in tired.iter().rev() {
                self.state.crowd.lay_down(row);
            }
            if !tired.is_empty() {
                self.sort_sleepers();
            }
        }
        self.rouse();
    }

    /// Counts for how many looks everybody has been at rest: where he wants to be, standing, and where he was.
    fn look_who_rests(&mut self) {
        let awake = self.state.crowd.awake();
        let Crowd { position, velocity, wish, slot, rest, .. } = &mut self.state.crowd;
        for (row, &slot) in slot[..awake].iter().enumerate() {
            let (at, rest) = (position[row], &mut rest[slot as usize]);
            let slow = |velocity: Vec2| velocity.length_squared() < STANDS * STANDS;
            let stands = !self.scratch.wants[row] && slow(velocity[row]) && slow(wish[row]);
            if stands && at.distance_squared(rest.place) < STAYS * STAYS {
                rest.looks = rest.looks.saturating_add(1);
            } else {
                *rest = Rest::none(at);
            }
        }
    }

    /// True where one at rest has nothing to do, and nobody would wake him soon.
    fn may_sleep(&self, row: usize) -> bool {
        let (crowd, soldiers) = (&self.state.crowd, &self.state.soldiers);
        let slot = crowd.slot[row] as usize;
        let waits =
            self.state.squads.get(crowd.squad[slot] as usize).is_some_and(|squad| {
                matches!(squad.errand, Errand::New | Errand::Wanted { .. } | Errand::Asked { .. })
            });
        if waits
            || crowd.trip[slot].lost > 0
            || self.state.driven.contains_key(&(slot as u32))
            || soldiers.health[slot] <= 0.0
        {
            return false;
        }
        if crowd.row(soldiers.target(slot)).is_some() {
            return false;
        }
        let deep = self.settings.sleep.deep();
        let disturbed = |&other: &u32| {
            let other = other as usize;
            let touch = crowd.radius[row] + crowd.radius[other];
            let (way, wants) = (crowd.position[other] - crowd.position[row], self.scratch.wants[other]);
            deep.wakes(way, crowd.velocity[other], touch) || wants && deep.wakes(way, crowd.wish[other], touch)
        };
        !self.derived.looks_around(&self.settings) || !self.scratch.near.of(row).iter().any(disturbed)
    }
}
