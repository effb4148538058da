//! What the units of a world have that stages need to be told of: models of their own, limits, masks.

use super::World;
use crate::battle::{Unit, army_layer};
use crate::crowd::{Avoidance, Crowd, masks, models};
use crate::world::parts::{Derived, Scratch, State};

/// What is in use. While all units are alike, nothing of this costs an agent anything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix {
    /// By which models somebody moves, in the order of [`Avoidance::ALL`].
    kinds: [bool; Avoidance::ALL.len()],
    /// Some unit has a limit of acceleration.
    pub(super) limited: bool,
    /// Some unit keeps a headway.
    pub(super) headway: bool,
    /// Some unit ignores somebody.
    pub(super) masked: bool,
}

impl Mix {
    /// Reckons with a unit of a world that avoids by `world`.
    pub(super) fn add(&mut self, unit: &Unit, world: Avoidance) {
        self.kinds[unit.avoidance.unwrap_or(world) as usize] = true;
        self.limited |= unit.acceleration.is_finite();
        self.headway |= unit.headway > 0.0;
        self.masked |= unit.ignores != 0;
    }

    /// True where somebody moves by this model.
    pub(super) fn uses(self, kind: Avoidance) -> bool {
        self.kinds[kind as usize]
    }

    /// True where somebody's model looks at neighbours.
    pub(super) fn looks(self) -> bool {
        [Avoidance::Separation, Avoidance::SocialForce, Avoidance::Orca].into_iter().any(|kind| self.uses(kind))
    }

    /// True where everybody moves by one model.
    fn single(self) -> bool {
        self.kinds.iter().filter(|&&used| used).count() <= 1
    }
}

impl World {
    /// The unit of each row of those awake, where a stage of this tick will ask for it.
    pub(super) fn look_up_units(&mut self) {
        self.scratch.unit_of.clear();
        if !self.derived.mix.single() || self.derived.mix.limited || self.derived.mix.headway || self.derived.mix.masked
        {
            let crowd = &self.state.crowd;
            self.scratch.unit_of.extend(crowd.slot[..crowd.awake()].iter().map(|&slot| crowd.unit[slot as usize]));
        }
    }

    /// How many neighbours are asked for: twice as many as are wanted where some will be ignored.
    pub(super) fn neighbours_asked(&self) -> usize {
        let k = self.settings.avoidance.orca.k;
        if self.derived.mix.masked { 2 * k } else { k }
    }

    /// Takes those out of the lists of neighbours who are ignored.
    pub(super) fn mask(&mut self) {
        if !self.derived.mix.masked {
            return;
        }
        let Self { settings, state, scratch, .. } = self;
        let State { units, crowd, .. } = state;
        let Scratch { unit_of, near, .. } = scratch;
        let layers = |row: usize| units[kind(crowd, row)].layers | army_layer(crowd.army[row]);
        let ignores = |row: usize| units[usize::from(unit_of[row])].ignores;
        masks::masks(settings.avoidance.orca.k, layers, ignores, near);
    }

    /// Brings those who sleep into the lists of neighbours, and notes who wakes by that.
    pub(super) fn join_sleepers(&mut self) {
        let reach = self.reach();
        let Self { settings, state, derived, scratch, .. } = self;
        let State { units, crowd, .. } = state;
        let Derived { mix, sleepers, .. } = derived;
        let Scratch { near, waking, wants, .. } = scratch;
        let unit = |row: usize| &units[kind(crowd, row)];
        let minds = |sleeper: usize, other: usize| {
            !mix.masked || unit(sleeper).ignores & (unit(other).layers | army_layer(crowd.army[other])) == 0
        };
        let beside = sleepers.join(crowd, settings.sleep, reach, wants, minds, near, waking);
        // Where so many are awake among them, sleep costs more than it saves.
        if 2 * beside > crowd.len() - crowd.awake() {
            waking.extend_from_slice(&crowd.slot[crowd.awake()..]);
        }
    }

    /// The velocities that avoid collisions, by the model of each unit, within its limit of acceleration.
    pub(super) fn avoid(&mut self) {
        let Self { settings, grid, state, derived, scratch, .. } = self;
        let State { units, crowd, .. } = state;
        let Derived { mix, .. } = derived;
        let Scratch { unit_of, near, duty, .. } = scratch;
        let map = (&**grid, grid.clearance());
        let (avoidance, step) = (&settings.avoidance, settings.step);
        // Who has arrived gives way, as if he weighed less.
        std::mem::swap(&mut crowd.weight, duty);
        // ORCA, the last of them, is written for everybody: so it goes first.
        for kind in Avoidance::ALL.into_iter().rev().filter(|&kind| mix.uses(kind)) {
            if mix.single() {
                models::avoid(kind, avoidance, step, map, near, |_| true, crowd);
            } else {
                let own = |row: usize| units[usize::from(unit_of[row])].avoidance.unwrap_or(avoidance.kind);
                models::avoid(kind, avoidance, step, map, near, |row| own(row) == kind, crowd);
            }
        }
        std::mem::swap(&mut crowd.weight, duty);
        if mix.limited {
            let acceleration = |row: usize| units[usize::from(unit_of[row])].acceleration;
            crate::crowd::acceleration::limit(step, &crowd.velocity, acceleration, &mut crowd.next[..unit_of.len()]);
        }
    }

    /// Where everybody is before the move, and how fast, if that will be asked for.
    pub(super) fn remember(&mut self) {
        self.scratch.before.clear();
        if self.derived.mix.uses(Avoidance::Push) && self.settings.avoidance.passes > 0 {
            let awake = ..self.state.crowd.awake();
            let (position, velocity) = (&self.state.crowd.position[awake], &self.state.crowd.velocity[awake]);
            self.scratch.before.extend(position.iter().copied().zip(velocity.iter().copied()));
        }
    }

    /// Those who move by `push` have the velocity they really moved by.
    pub(super) fn settle(&mut self) {
        if self.scratch.before.is_empty() {
            return;
        }
        let Self { settings, state, derived, scratch, .. } = self;
        let State { units, crowd, .. } = state;
        let Derived { mix, .. } = derived;
        let Scratch { unit_of, before, .. } = scratch;
        let (single, kind) = (mix.single(), settings.avoidance.kind);
        let unit = |row: usize| &units[usize::from(unit_of[row])];
        let who = |row: usize| single || unit(row).avoidance.unwrap_or(kind) == Avoidance::Push;
        let acceleration = |row: usize| if mix.limited { unit(row).acceleration } else { f32::INFINITY };
        let velocity = &mut crowd.velocity[..before.len()];
        let relaxation = models::relaxation::settle;
        relaxation(settings.step, before, &crowd.position, &crowd.top_speed, acceleration, who, velocity);
    }
}

/// The kind of soldier in a row.
fn kind(crowd: &Crowd, row: usize) -> usize {
    crowd.unit[crowd.slot[row] as usize].into()
}
