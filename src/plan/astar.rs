//! A*: the shortest route, with an estimate of what is left.

use super::moves::{Canonical, Moves, Octile};
use super::search::{self, Queue};
use super::{Path, PlanError, Planner, Progress, Query, Scratch};
use crate::grid::{Cell, Ground};

/// A*: expands cells in the order of f = g + h, where g is the cost so far and h the octile estimate of the rest, the
/// cost on a map without walls.
///
/// P. E. Hart, N. J. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths. IEEE
/// Transactions on Systems Science and Cybernetics 4(2), 1968.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: each cell is expanded at most once, in O(1), since the open list is a bucket queue; O(cells) time in
///   the worst case, 8 bytes a cell.
/// - **Ties**: of equal f the cell that was reached last comes first, and of two equal ways to a cell the one found first
///   stays. Neighbours are taken in the order of [`Direction`](crate::grid::Direction). So a query has one answer.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{AStar, Path, Query, Scratch, Status, plan};
/// let mut grid = Grid::open_plain(Lattice::new(5, 3, 1.0)?);
/// let at = |x, y| grid.lattice().cell(x, y);
/// let (from, wall, to) = (at(1, 1), at(2, 1), at(3, 1));
/// grid.set_open(wall, false);
/// let ground = Ground::new(grid.into(), 0.4)?;
///
/// let mut path = Path::default();
/// let outcome = plan(&AStar, &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(outcome.status, Status::Found);
/// // Four straight steps: the wall's corners are not cut.
/// assert_eq!(path.length(ground.lattice()), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AStar;

impl Planner for AStar {
    fn name(&self) -> &'static str {
        "astar"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if search::begin(ground, query, scratch)? {
            let estimate = Octile::new(ground, search::goal(query)).estimate(query.from);
            scratch.buckets.restart(estimate, query.from);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let moves = Canonical(Octile::new(ground, search::goal(query)));
        let f = |g: u32, cell: Cell| g + moves.estimate(cell);
        search::advance(scratch, Scratch::by_bucket, query, &moves, f, 1.0, expansions)
    }

    fn path(&self, ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        search::path(ground, scratch, path);
    }
}
