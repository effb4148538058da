//! The features that the units of a world use: models of their own, limits of acceleration, headways, masks.

use crate::battle::Unit;
use crate::crowd::Avoidance;

/// The features in use. An unused one costs an agent nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ModelUsage {
    /// The models by which agents move, in the order of [`Avoidance::ALL`], then the one from outside.
    kinds: [bool; Avoidance::ALL.len() + 1],
    /// Some unit has a limit of acceleration.
    pub(crate) limited: bool,
    /// Some unit keeps a headway.
    pub(crate) headway: bool,
    /// The least and the greatest radius (m) of the units that go by gaps.
    pub(crate) people: Option<[f32; 2]>,
    /// Some unit ignores others.
    pub(crate) masked: bool,
}

impl ModelUsage {
    /// Adds a unit; `world` is the model of a unit without its own.
    pub(crate) fn add(&mut self, unit: &Unit, world: Avoidance) {
        self.kinds[unit.avoidance.unwrap_or(world) as usize] = true;
        if unit.avoidance.unwrap_or(world) == Avoidance::Gap {
            let [least, greatest] = self.people.unwrap_or([unit.radius; 2]);
            self.people = Some([least.min(unit.radius), greatest.max(unit.radius)]);
        }
        self.limited |= unit.acceleration.is_finite();
        self.headway |= unit.headway > 0.0;
        self.masked |= unit.ignores != 0;
    }

    /// True where an agent may move by this model.
    pub(crate) fn uses(self, kind: Avoidance) -> bool {
        self.kinds[kind as usize]
    }

    /// True where a model in use reads the lists of neighbours.
    pub(crate) fn looks(self) -> bool {
        [Avoidance::Separation, Avoidance::SocialForce, Avoidance::Orca, Avoidance::Gap, Avoidance::Custom]
            .into_iter()
            .any(|kind| self.uses(kind))
    }

    /// True where all agents move by one model.
    pub(crate) fn single(self) -> bool {
        self.kinds.iter().filter(|&&used| used).count() <= 1
    }
}
