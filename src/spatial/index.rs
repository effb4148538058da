//! The choice of an index by name.

use super::{Bodies, BruteForce, DenseGrid, NearRows, SpatialIndex};
use std::fmt;
use std::str::FromStr;

/// The kinds of index that can be chosen by name.
///
/// ```
/// use throng::spatial::IndexKind;
/// assert_eq!("grid".parse::<IndexKind>()?, IndexKind::Grid);
/// assert_eq!(IndexKind::Brute.to_string(), "brute-force");
/// # Ok::<(), throng::spatial::UnknownIndex>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexKind {
    /// [`BruteForce`]: `brute-force`.
    Brute,
    /// [`DenseGrid`]: `grid`.
    #[default]
    Grid,
}

impl IndexKind {
    /// All kinds.
    pub const ALL: [IndexKind; 2] = [IndexKind::Brute, IndexKind::Grid];

    /// The name in scenario files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            IndexKind::Brute => "brute-force",
            IndexKind::Grid => "grid",
        }
    }
}

impl fmt::Display for IndexKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An index of an unknown name was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown index \"{found}\"; known are brute-force and grid")]
pub struct UnknownIndex {
    /// The name.
    pub found: String,
}

impl FromStr for IndexKind {
    type Err = UnknownIndex;

    fn from_str(name: &str) -> Result<Self, UnknownIndex> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownIndex { found: name.to_owned() })
    }
}

/// An index of one kind or another; the choice is made once a query, not once a body.
///
/// ```
/// use throng::spatial::{Bodies, Index, IndexKind, SpatialIndex};
/// let bodies = Bodies { position: &[[0.0, 0.0], [3.0, 0.0]], radius: &[0.5, 0.5], id: &[0, 1] };
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies);
/// assert_eq!(index.nearest(bodies, [1.0, 0.0], 5.0, |_| true), Some((0, 1.0)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Index {
    /// No index at all.
    Brute(BruteForce),
    /// The spatial hash as a dense grid.
    Grid(DenseGrid),
}

impl Index {
    /// An empty index of a kind.
    pub fn new(kind: IndexKind) -> Self {
        match kind {
            IndexKind::Brute => Self::Brute(BruteForce),
            IndexKind::Grid => Self::Grid(DenseGrid::default()),
        }
    }

    /// An empty index of a kind that is tuned for questions about `reach` metres. The answers are the same.
    pub fn tuned(kind: IndexKind, reach: f32) -> Self {
        match kind {
            IndexKind::Brute => Self::Brute(BruteForce),
            IndexKind::Grid => Self::Grid(DenseGrid::tuned(reach)),
        }
    }

    /// What kind of index this is.
    pub fn kind(&self) -> IndexKind {
        match self {
            Self::Brute(_) => IndexKind::Brute,
            Self::Grid(_) => IndexKind::Grid,
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Brute(_) => 0,
            Self::Grid(grid) => grid.bytes(),
        }
    }
}

/// The same call for whichever index there is.
macro_rules! each {
    ($index:expr, $it:ident => $call:expr) => {
        match $index {
            Index::Brute($it) => $call,
            Index::Grid($it) => $call,
        }
    };
}

impl SpatialIndex<2> for Index {
    fn rebuild(&mut self, bodies: Bodies<2>) {
        each!(self, index => index.rebuild(bodies));
    }

    fn pairs(&self, bodies: Bodies<2>, visit: impl FnMut(u32, u32)) {
        each!(self, index => index.pairs(bodies, visit));
    }

    fn within(&self, bodies: Bodies<2>, point: [f32; 2], radius: f32, visit: impl FnMut(u32, f32)) {
        each!(self, index => index.within(bodies, point, radius, visit));
    }

    fn nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        each!(self, index => index.nearest(bodies, point, reach, accept))
    }

    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        each!(self, index => index.neighbours(bodies, first, reach, near));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for kind in IndexKind::ALL {
            assert_eq!(kind.to_string().parse::<IndexKind>().unwrap(), kind);
            assert_eq!(Index::new(kind).kind(), kind);
        }
        let error = "quadtree".parse::<IndexKind>().unwrap_err().to_string();
        assert_eq!(error, "unknown index \"quadtree\"; known are brute-force and grid");
    }
}
