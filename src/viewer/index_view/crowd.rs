//! The discs that an index is tried on.

use super::IndexTrial;
use crate::geom::Vec2;
use crate::spatial::{Bodies, Contacts, Discs, Pairs, Scene, SceneError, SceneKind};
use std::fmt;

/// How the discs lie, and whether they bounce.
///
/// ```
/// use throng::{spatial::SceneKind, viewer::Arrangement};
/// assert_eq!(Arrangement::Scene(SceneKind::Line).to_string(), "line");
/// assert_eq!(Arrangement::default().to_string(), "bouncing");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Anywhere in a square; they bounce at each other ([`Discs`]).
    #[default]
    Bouncing,
    /// As in a [`Scene`], where they pass through each other.
    Scene(SceneKind),
}

impl Arrangement {
    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Bouncing).chain(SceneKind::ALL.into_iter().map(Self::Scene))
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bouncing => "bouncing",
            Self::Scene(kind) => kind.name(),
        }
    }
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The discs.
pub(super) enum Crowd {
    Bouncing(Discs, Contacts),
    Passing(Scene),
}

impl Crowd {
    pub fn new(trial: &IndexTrial) -> Result<Self, SceneError> {
        let count = trial.discs.clamp(1, IndexTrial::MOST);
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
