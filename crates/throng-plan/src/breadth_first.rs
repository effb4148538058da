//! Breadth-first search: the fewest steps.

use super::open::{Fifo, OpenList};
use super::search;
use super::successors::{General, Successors};
use super::{
    Capabilities, Capability, DIAGONAL, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, STRAIGHT,
    Scratch, Status,
};
use throng_grid::{Cell, Ground, Steps};

/// Breadth-first search: expands cells in the order in which they were reached, ring by ring round the start.
///
/// E. F. Moore: The shortest path through a maze. Proceedings of the International Symposium on the Theory of Switching,
/// 1959.
///
/// - **Result**: a route of the fewest steps, where a diagonal step and a link count as much as a straight one. It costs at
///   most [`DIAGONAL`] / [`STRAIGHT`] (√2) times the least ([`Outcome::bound`]), and exactly the least where steps go to four
///   neighbours only; with links it may cost any number of times the least.
/// - **Complexity**: each cell is expanded at most once, in O(1): O(cells) time.
/// - **Ties**: of equally many steps the cell that was reached first; of two ways to a cell the first stays, though the
///   other cost less. Neighbours are taken in the order of [`Direction`](throng_grid::Direction).
///
/// [`Outcome::bound`]: super::Outcome::bound
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{BreadthFirst, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(9, 5));
/// let mut path = Path::default();
/// plan(&BreadthFirst, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.cells.len(), 9); // eight steps
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BreadthFirst;

impl Planner for BreadthFirst {
    fn name(&self) -> &'static str {
        "breadth-first"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Unproven, can: CAN }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if search::begin(self, ground, query, scratch)? {
            scratch.memory::<Fifo>().restart((), query.from);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let bound = match ground.steps() {
            _ if !ground.links().is_empty() => f64::INFINITY,
            Steps::Four => 1.0,
            Steps::Eight(_) => f64::from(DIAGONAL) / f64::from(STRAIGHT),
        };
        let Scratch { goals, state, memories } = scratch;
        let moves = FirstWay(General::<Octile>::new(ground, query, goals));
        search::advance(state, memories.of::<Fifo>(), query, &moves, |_, _| (), bound, expansions)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }
}

/// All but to count what terrain costs.
const CAN: &[Capability] = &[
    Capability::FourNeighbours,
    Capability::CutCorners,
    Capability::Links,
    Capability::Radius,
    Capability::GoalSets,
    Capability::Pause,
    Capability::Trace,
];

/// The same moves for a search in which the first way to a cell stays.
struct FirstWay<M>(M);

impl<M: Successors> Successors for FirstWay<M> {
    const FIRST_WAY_STAYS: bool = true;

    #[inline]
    fn each(&self, cell: Cell, incoming_step: u16, visit: impl FnMut(Cell, u32, u16)) {
        self.0.each(cell, incoming_step, visit);
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        self.0.estimate(cell)
    }

    #[inline]
    fn is_goal(&self, cell: Cell) -> bool {
        self.0.is_goal(cell)
    }

    fn reached(&self) -> Status {
        self.0.reached()
    }
}
