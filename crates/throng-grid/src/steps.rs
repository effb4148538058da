//! Which steps a unit takes from cell to cell.

use super::Direction;

/// The condition of a diagonal step on the two cells beside it.
///
/// ```
/// use throng_grid::Corners;
/// assert!(!Corners::Never.allow(true, false));
/// assert!(Corners::OneSide.allow(true, false));
/// assert!(Corners::Always.allow(false, false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Corners {
    /// Both must be free: no corner is cut.
    #[default]
    Never,
    /// One must be free: corners are cut, but no agent slips between two walls that touch.
    OneSide,
    /// Nothing: diagonal steps only need a free cell to go to.
    Always,
}

impl Corners {
    /// True where a diagonal step is allowed between two cells that are free or not.
    #[inline]
    pub const fn allow(self, one: bool, other: bool) -> bool {
        match self {
            Corners::Never => one && other,
            Corners::OneSide => one || other,
            Corners::Always => true,
        }
    }
}

/// The neighbours that a step can reach.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice, Mobility, Steps};
/// let grid = Arc::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?));
/// let ground = Ground::build(grid, Mobility { steps: Steps::Four, ..Mobility::new(0.4) })?;
/// assert_eq!(ground.moves(ground.lattice().cell(4, 4)).count_ones(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Steps {
    /// The four beside, above and below.
    Four,
    /// All eight, the diagonal ones by this rule.
    Eight(Corners),
}

impl Default for Steps {
    /// All eight, without cutting corners.
    fn default() -> Self {
        Steps::Eight(Corners::Never)
    }
}

impl Steps {
    /// The mask of legal steps of a cell whose free neighbours are the bits of `free`, both in the order of
    /// [`Direction`].
    #[inline]
    pub const fn mask(self, free: u8) -> u8 {
        let Steps::Eight(corners) = self else { return free & 0b1111 };
        let mut mask = free & 0b1111;
        let mut d = 0;
        while d < 4 {
            // The diagonal 4 + d lies between the straight directions d and d + 1.
            let (one, other) = (free >> d & 1 == 1, free >> ((d + 1) % 4) & 1 == 1);
            if corners.allow(one, other) {
                mask |= free & 1 << (4 + d);
            }
            d += 1;
        }
        mask
    }
}

// The diagonals follow the straight directions they lie after.
const _: () = assert!(Direction::NorthEast as u8 == 4 && Direction::NorthWest as u8 == 7);
