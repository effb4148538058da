//! Greedy best-first search: straight at the goal.

use super::open::Heap;
use super::open::OpenList;
use super::search;
use super::successors::{General, Plain, Successors};
use super::{Capabilities, Capability, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::{Cell, Ground};

/// Greedy best-first search: expands cells in the order of h, the octile estimate of the rest; their cost so far
/// does not count.
///
/// J. E. Doran, D. Michie: Experiments with the Graph Traverser program. Proceedings of the Royal Society A 294, 1966.
///
/// - **Result**: a route, where there is one. It may cost any number of times the least ([`Outcome::bound`] is infinite):
///   the search walks into every pocket of the walls that opens towards it.
/// - **Complexity**: each cell is expanded at most once, in O(log n) for n open cells. On open ground only the cells of the
///   route are.
/// - **Ties**: of equal h the smaller [`Cell`](throng_grid::Cell); of two ways to an open cell the cheaper one, of equal ones the first.
///
/// [`Outcome::bound`]: super::Outcome::bound
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{GreedyBestFirst, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let outcome = plan(&GreedyBestFirst, &ground, &query, &mut Scratch::default(), &mut Path::default())?;
/// assert_eq!(outcome.expanded, 57); // as many as the route has steps
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GreedyBestFirst;

impl Planner for GreedyBestFirst {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Unproven, can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if search::begin(self, ground, query, scratch)? {
            let estimate = General::<Octile>::new(ground, query, &scratch.goals).estimate(query.from);
            scratch.memory::<Heap>().restart(estimate.into(), query.from);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let bound = f64::INFINITY;
        let Scratch { goals, state, memories } = scratch;
        let (open, h) = (memories.of::<Heap>(), |_, h| u64::from(h));
        if Plain::fits(ground, query, goals) {
            let moves = Plain::new(ground, goals.first());
            return search::advance(state, open, query, &moves, h, bound, expansions);
        }
        let moves = General::<Octile>::new(ground, query, goals);
        search::advance(state, open, query, &moves, h, bound, expansions)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        search::rank::<Octile>(ground, query, scratch, cell, |_, h| h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }
}
