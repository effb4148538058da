//! How the discs lie.

use std::fmt;
use throng_spatial::SceneKind;

/// How the discs lie, and whether they bounce.
///
/// ```
/// use throng_spatial::SceneKind;
/// use throng_viewer::Arrangement;
/// assert_eq!(Arrangement::Scene(SceneKind::Line).to_string(), "line");
/// assert_eq!(Arrangement::default().to_string(), "bouncing");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Anywhere in a square; they bounce at each other ([`Discs`](throng_spatial::Discs)).
    #[default]
    Bouncing,
    /// As in a [`Scene`](throng_spatial::Scene), where they pass through each other.
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
