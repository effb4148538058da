//! What the units of a world have that stages need to be told of: models of their own, limits, masks.

use crate::battle::Unit;
use crate::crowd::Avoidance;

/// What is in use. While all units are alike, nothing of this costs an agent anything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix {
    /// The models by which agents move, in the order of [`Avoidance::ALL`], then the one from outside.
    kinds: [bool; Avoidance::ALL.len() + 1],
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
        [Avoidance::Separation, Avoidance::SocialForce, Avoidance::Orca, Avoidance::Custom]
            .into_iter()
            .any(|kind| self.uses(kind))
    }

    /// True where everybody moves by one model.
    pub(super) fn single(self) -> bool {
        self.kinds.iter().filter(|&&used| used).count() <= 1
    }
}
