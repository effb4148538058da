//! Dijkstra's algorithm: the shortest route, without an estimate.

use super::search;
use super::successors::Plain;
use super::{
    Capabilities, Capability, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch, Zero,
};
use throng_grid::{Cell, Ground};

mod waves;

/// Dijkstra's algorithm: expands cells in the order of their cost from the start, until the goal's turn comes.
///
/// E. W. Dijkstra: A note on two problems in connexion with graphs. Numerische Mathematik 1, 1959. The open list is a
/// bucket queue (R. B. Dial: Algorithm 360, Communications of the ACM 12(11), 1969).
///
/// - **Result**: a cheapest route (bound 1). [`AStar`](super::AStar) finds one of the same cost and expands fewer cells.
/// - **Complexity**: each cell is expanded at most once, in O(1): O(cells) time, 8 bytes a cell. With terrain costs or
///   links the open list is a heap, and an expansion costs O(log n) for n open cells.
/// - **Plain ground** (uniform, eight neighbours, no corner cut, no links) and one goal: cells are expanded a wave at a
///   time, a wave being all cells whose costs divided by [`STRAIGHT`](super::STRAIGHT) are equal when rounded down (E. V.
///   Denardo, B. L. Fox: Shortest-route methods 1, Operations Research 27(1), 1979), and the search ends before the wave
///   of the goal.
/// - **Ties**: of equal cost the cell that was reached last comes first; in a wave those come first that were reached by
///   an earlier [`Direction`](throng_grid::Direction), and of these the one that was reached first. Of two equal ways to
///   a cell the one found first stays. Neighbours are taken in the order of directions.
/// - **Limits**: which expanded cell is nearest to the goal is told by the octile estimate, the cost on a map without
///   walls.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Dijkstra, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(9, 9, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(4, 4), ground.lattice().cell(6, 5));
/// let mut path = Path::default();
/// plan(&Dijkstra, &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dijkstra;

impl Planner for Dijkstra {
    fn name(&self) -> &'static str {
        "dijkstra"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        waves::begin(scratch);
        search::begin_exact::<Octile>(self, ground, query, scratch, |g, _| g.into())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        if Plain::fits(ground, query, &scratch.goals) {
            return waves::advance(ground, query, scratch, expansions);
        }
        search::advance_exact::<Octile>(ground, query, scratch, |g, _| g.into(), expansions)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        search::rank::<Zero>(ground, query, scratch, cell, |g, _| g)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }
}
