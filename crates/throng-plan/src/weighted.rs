//! Weighted A*: longer routes, found sooner.

use super::open::Heap;
use super::open::OpenList;
use super::search;
use super::successors::{General, Plain, Successors};
use super::{Capabilities, Capability, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::{Cell, Ground};

/// Weighted A*: expands cells in the order of f = w1·g + w2·h, where g is the cost so far and h the octile estimate of
/// the rest.
///
/// I. Pohl: Heuristic search viewed as path finding in a graph. Artificial Intelligence 1, 1970. Closed cells are not
/// opened again (M. Likhachev, G. Gordon, S. Thrun: ARA*, NIPS 2003, show that the bound holds all the same).
///
/// Only the ratio of the weights matters:
///
/// | weights | search | cost of the route |
/// |---|---|---|
/// | w2 = 0 | Dijkstra's | optimal |
/// | w2 < w1 | between Dijkstra's and A* | optimal |
/// | w2 = w1 | A* | optimal |
/// | w2 > w1 | drawn to the goal, the more the greater the ratio | at most w2/w1 times the optimal one |
/// | w2 ≫ w1 | nearly greedy best-first | hardly bounded |
///
/// - **Result**: a route that costs at most max(1, w2/w1) times the optimal one; [`bound`](Self::bound) says so.
/// - **Complexity**: each cell is expanded at most once, in O(log n) for n open cells, since priorities may fall and the
///   open list has to be a heap.
/// - **Ties**: of equal f the smaller [`Cell`](throng_grid::Cell), and of two equal ways to a cell the one found first stays. Weights are
///   turned into integers once, so that the order, and with it the route, is the same on every machine.
/// - **Limits**: a way that costs more than a node can hold (1.2 million steps) is not followed.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Path, Query, Scratch, WeightedAStar, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let planner = WeightedAStar::new(1.0, 1.5)?;
/// let outcome = plan(&planner, &ground, &query, &mut Scratch::default(), &mut Path::default())?;
/// assert_eq!(outcome.bound, 1.5);
/// assert!(WeightedAStar::new(0.0, 1.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedAStar {
    w1: f64,
    w2: f64,
    /// The weights as integers: at most `ONE`, in the ratio of the weights or slightly less greedy.
    fixed: (u64, u64),
}

/// The greater of the two weights as an integer. `ONE` times the dearest node and the dearest estimate add up to less
/// than 2^64.
const ONE: f64 = (1_u64 << 31) as f64;

impl WeightedAStar {
    /// The greatest weight.
    pub const MAX_WEIGHT: f64 = 1e6;

    /// The planner with the weights `w1` of the cost so far and `w2` of the estimate.
    ///
    /// # Errors
    /// [`PlanError::Weights`] where `w1` is not above 0, `w2` is negative, one of them is no number, infinite, or above
    /// [`WeightedAStar::MAX_WEIGHT`].
    pub fn new(w1: f64, w2: f64) -> Result<Self, PlanError> {
        let limit = Self::MAX_WEIGHT;
        if !(w1 > 0.0 && w1 <= limit && (0.0..=limit).contains(&w2)) {
            return Err(PlanError::Weights { w1, w2, limit });
        }
        // Rounded towards the less greedy side, so that the bound holds to the last digit. At least 1: g must count.
        let unit = w1.max(w2);
        let fixed = (((w1 / unit * ONE).ceil() as u64).max(1), (w2 / unit * ONE).floor() as u64);
        Ok(Self { w1, w2, fixed })
    }

    /// Weights of the cost so far and of the estimate.
    pub fn weights(&self) -> (f64, f64) {
        (self.w1, self.w2)
    }

    /// No route costs more than this many times the optimal one: max(1, w2/w1).
    pub fn bound(&self) -> f64 {
        (self.w2 / self.w1).max(1.0)
    }

    #[inline]
    fn f(self, g: u32, h: u32) -> u64 {
        self.fixed.0 * u64::from(g) + self.fixed.1 * u64::from(h)
    }
}

impl Planner for WeightedAStar {
    fn name(&self) -> &'static str {
        "weighted-astar"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Bounded(self.bound()), can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if search::begin(self, ground, query, scratch)? {
            let estimate = General::<Octile>::new(ground, query, &scratch.goals).estimate(query.from);
            scratch.memory::<Heap>().restart(self.f(0, estimate), query.from);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        // Every legal step: cells are expanded before their least cost is known, so none is needless for sure.
        let Scratch { goals, state, memories } = scratch;
        let (open, f) = (memories.of::<Heap>(), |g, h| self.f(g, h));
        if Plain::fits(ground, query, goals) {
            let moves = Plain::new(ground, goals.first());
            return search::advance(state, open, query, &moves, f, self.bound(), expansions);
        }
        let moves = General::<Octile>::new(ground, query, goals);
        search::advance(state, open, query, &moves, f, self.bound(), expansions)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        search::rank::<Octile>(ground, query, scratch, cell, |g, h| self.w1 * g + self.w2 * h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }
}
