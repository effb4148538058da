//! Estimates of the cost to the goal.

use super::{DIAGONAL, STRAIGHT};
use std::fmt::Debug;
use throng_grid::{Corners, Steps};

/// The least cost of a route over so many columns and rows, on a map without walls.
///
/// An estimate that is never above the true cost makes A* exact; one that is nearer to it makes it faster. Which one can
/// be used depends on the steps: [`Estimate::fits`].
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice, Steps};
/// use throng_plan::{AStar, Estimate, Octile, Path, Query, Scratch, plan};
/// /// The longer of the two ways; every step covers at most one column and one row.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Chebyshev;
/// impl Estimate for Chebyshev {
///     const NAME: &'static str = "chebyshev";
///     fn cost(dx: u32, dy: u32) -> u32 {
///         2378 * dx.max(dy)
///     }
///     fn fits(_steps: Steps) -> bool {
///         true
///     }
/// }
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let chebyshev = plan(&AStar(Chebyshev), &ground, &query, &mut scratch, &mut path)?;
/// let octile = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?;
/// assert_eq!(chebyshev.cost, octile.cost);
/// assert!(chebyshev.expanded > 10 * octile.expanded, "it is further from the true cost");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Estimate: Copy + Debug + Default + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;

    /// The least cost over `dx` columns and `dy` rows. No step may lower it by more than the step costs.
    fn cost(dx: u32, dy: u32) -> u32;

    /// True where the estimate is never above the cost of such steps.
    fn fits(steps: Steps) -> bool;
}

/// The cost of the steps to all eight neighbours: diagonal as far as possible, then straight. Exact on an open plain.
///
/// ```
/// use throng_plan::{Estimate, Octile};
/// assert_eq!(Octile::cost(3, 2), 2378 + 2 * 3363);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octile;

impl Estimate for Octile {
    const NAME: &'static str = "octile";

    #[inline]
    fn cost(dx: u32, dy: u32) -> u32 {
        STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
    }

    fn fits(_steps: Steps) -> bool {
        true
    }
}

/// The cost of the steps to four neighbours: columns and rows added. Exact on an open plain without diagonal steps, and
/// too much with them.
///
/// ```
/// use throng_grid::{Corners, Steps};
/// use throng_plan::{Estimate, Manhattan};
/// assert_eq!(Manhattan::cost(3, 2), 5 * 2378);
/// assert!(!Manhattan::fits(Steps::Eight(Corners::Never)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manhattan;

impl Estimate for Manhattan {
    const NAME: &'static str = "manhattan";

    #[inline]
    fn cost(dx: u32, dy: u32) -> u32 {
        STRAIGHT * (dx + dy)
    }

    fn fits(steps: Steps) -> bool {
        steps == Steps::Four
    }
}

/// The cost of the straight line, rounded down. Never above the true cost, and below it where the way is neither straight
/// nor diagonal.
///
/// ```
/// use throng_plan::{Estimate, Euclidean};
/// assert_eq!(Euclidean::cost(3, 4), 5 * 2378);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Euclidean;

impl Estimate for Euclidean {
    const NAME: &'static str = "euclidean";

    #[inline]
    fn cost(dx: u32, dy: u32) -> u32 {
        let squared = u64::from(dx) * u64::from(dx) + u64::from(dy) * u64::from(dy);
        // Below 2^53, and the square root is exact: whole numbers come out whole.
        ((squared * u64::from(STRAIGHT) * u64::from(STRAIGHT)) as f64).sqrt() as u32
    }

    fn fits(_steps: Steps) -> bool {
        true
    }
}

/// Nothing: A* is then Dijkstra's algorithm.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, Zero, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let blind = plan(&AStar(Zero), &ground, &query, &mut scratch, &mut path)?;
/// let guided = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?;
/// assert_eq!(blind.cost, guided.cost);
/// assert_eq!((blind.expanded, guided.expanded), (3798, 57));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zero;

impl Estimate for Zero {
    const NAME: &'static str = "zero";

    #[inline]
    fn cost(_dx: u32, _dy: u32) -> u32 {
        0
    }

    fn fits(_steps: Steps) -> bool {
        true
    }
}

/// Kinds of steps, as an error names them.
pub(super) fn steps_in_words(steps: Steps) -> &'static str {
    match steps {
        Steps::Four => "steps to four neighbours",
        Steps::Eight(Corners::Never) => "steps to eight neighbours",
        Steps::Eight(Corners::OneSide | Corners::Always) => "steps to eight neighbours that cut corners",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No step changes an estimate by more than it costs.
    fn assert_consistent<E: Estimate>(steps: Steps) {
        assert!(E::fits(steps));
        for (dx, dy) in (0..60).flat_map(|dx| (0..60).map(move |dy| (dx, dy))).chain([(16_000, 3), (16_383, 16_383)]) {
            let here = E::cost(dx, dy);
            for (x, y, cost) in [(dx + 1, dy, STRAIGHT), (dx, dy + 1, STRAIGHT), (dx + 1, dy + 1, DIAGONAL)] {
                if cost == DIAGONAL && steps == Steps::Four {
                    continue;
                }
                assert!(E::cost(x, y).abs_diff(here) <= cost, "{} at {dx}, {dy}", E::NAME);
            }
            if dy > 0 && steps != Steps::Four {
                assert!(E::cost(dx + 1, dy - 1).abs_diff(here) <= DIAGONAL, "{} at {dx}, {dy}", E::NAME);
            }
        }
        assert_eq!(E::cost(0, 0), 0);
    }

    #[test]
    fn no_step_changes_an_estimate_by_more_than_it_costs() {
        for steps in [Steps::Four, Steps::default()] {
            assert_consistent::<Octile>(steps);
            assert_consistent::<Euclidean>(steps);
            assert_consistent::<Zero>(steps);
        }
        assert_consistent::<Manhattan>(Steps::Four);
    }
}
