//! The discs that an index is tried on.

use super::IndexTrial;
use super::arrangement::Arrangement;
use throng_grid::geom::Vec2;
use throng_spatial::{Bodies, Contacts, Discs, Pairs, Scene, SceneError};

/// The discs.
pub(super) enum Crowd {
    Bouncing(Discs, Contacts),
    Passing(Scene),
}

impl Crowd {
    pub fn new(trial: &IndexTrial) -> Result<Self, SceneError> {
        let count = trial.discs.clamp(1, IndexTrial::MAX_DISCS);
        Ok(match trial.arrangement {
            Arrangement::Bouncing => Self::Bouncing(Discs::new(count, trial.seed), Contacts::default()),
            Arrangement::Scene(kind) => Self::Passing(Scene::new(kind, count, trial.density, trial.seed)?),
        })
    }

    pub fn bodies(&self) -> Bodies<'_, 2> {
        match self {
            Self::Bouncing(discs, _) => discs.bodies(),
            Self::Passing(scene) => scene.bodies(),
        }
    }

    /// The corners of the walls (m).
    pub fn walls(&self) -> [Vec2; 2] {
        match self {
            Self::Bouncing(discs, _) => [Vec2::ZERO, Vec2::splat(discs.side)],
            Self::Passing(scene) => [scene.walls.low.into(), scene.walls.high.into()],
        }
    }

    /// Moves all by a frame.
    pub fn walk(&mut self) {
        match self {
            Self::Bouncing(discs, _) => discs.walk(),
            Self::Passing(scene) => scene.step(),
        }
    }

    /// Does what overlapping does to them.
    pub fn meet(&mut self, pairs: &Pairs) {
        if let Self::Bouncing(discs, contacts) = self {
            contacts.update(discs.bodies(), pairs);
            discs.bounce(contacts);
        }
    }
}
