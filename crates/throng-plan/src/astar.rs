//! A*: the shortest route, with an estimate of the rest.

use super::requirements::require_estimate;
use super::search;
use super::{
    Capabilities, Capability, Estimate, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch,
};
use throng_grid::{Cell, Ground};

/// A*: expands cells in the order of f = g + h, where g is the cost so far and h the estimate of the rest, the cost on a
/// map without walls. The estimate is a type: [`Octile`], [`Manhattan`](super::Manhattan),
/// [`Euclidean`](super::Euclidean), [`Zero`](super::Zero).
///
/// P. E. Hart, N. J. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths. IEEE
/// Transactions on Systems Science and Cybernetics 4(2), 1968.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: each cell is expanded at most once, in O(1), since the open list is a bucket queue; O(cells) time in
///   the worst case, 8 bytes a cell. With terrain costs or links the open list is a heap, and an expansion costs
///   O(log n) for n open cells.
/// - **Ties**: of equal f the cell that was reached last comes first, and of two equal ways to a cell the one found first
///   stays. Neighbours are taken in the order of [`Direction`](throng_grid::Direction). So a query has one answer.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, Status, plan};
/// let mut grid = Grid::open_plain(Lattice::new(5, 3, 1.0)?);
/// let at = |x, y| grid.lattice().cell(x, y);
/// let (from, wall, to) = (at(1, 1), at(2, 1), at(3, 1));
/// grid.set_open(wall, false);
/// let ground = Ground::new(grid.into(), 0.4)?;
///
/// let mut path = Path::default();
/// let outcome = plan(&AStar(Octile), &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(outcome.status, Status::Found);
/// // Four straight steps: the wall's corners are not cut.
/// assert_eq!(path.length(ground.lattice()), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AStar<E = Octile>(pub E);

/// f = g + h.
fn f(g: u32, h: u32) -> u64 {
    u64::from(g) + u64::from(h)
}

impl<E: Estimate> Planner for AStar<E> {
    fn name(&self) -> &'static str {
        "astar"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        // As after every other error, nothing is told of the search before.
        require_estimate::<E>(ground).inspect_err(|_| scratch.reset(ground.lattice()))?;
        search::begin_exact::<E>(self, ground, query, scratch, f)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        search::advance_exact::<E>(ground, query, scratch, f, expansions)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        search::rank::<E>(ground, query, scratch, cell, |g, h| g + h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }
}
