//! Anytime A*: a route at once, and better ones until the cheapest.

pub(crate) mod state;

use crate::nodes::Node;
use crate::successors::{Canonical, General, Plain};
use crate::{
    Capabilities, Capability, Guarantee, Manhattan, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch,
    search,
};
use state::{AraState, MAX_LINKS_INTO_A_CELL, ONE};
use throng_grid::{Cell, Ground, Steps};

/// Anytime Repairing A*: a weighted search finds a route at once, and each round that follows lowers the weight of the
/// estimate. It goes on from the results of the rounds before, until the route is optimal.
///
/// M. Likhachev, G. Gordon, S. Thrun: ARA*: Anytime A* with provable bounds on sub-optimality. NIPS 2003. In a round of
/// weight w cells are expanded in the order of g + w·h, each at most once. g is the cost so far and h the octile
/// estimate of the rest (Manhattan, where there are four neighbours). A cell to which a better way is found afterwards
/// waits for the next round (the paper's INCONS). Cells that cannot be on a better route than the one known are
/// dropped.
///
/// [`Planner::advance`] returns [`Progress::Route`] for each better route with the bound that is proven for it: its cost
/// over the least g + h of the cells that wait. [`Progress::Done`] comes
///
/// - with bound 1, where the route is optimal, or with the bound of the last weight, where that is above 1;
/// - with the best route so far ([`Status::Found`](crate::Status::Found)) where the limit is reached, or
///   [`Status::Partial`](crate::Status::Partial) where none is known by then;
/// - with the best route so far and [`Status::Cancelled`](crate::Status::Cancelled) where it is cancelled; cost 0 and no cells
///   where none is known.
///
/// A weight that would prove no better bound than the proven one is skipped.
///
/// On plain ground only canonical steps are taken, as by [`AStar`](crate::AStar). In any order of expansion, a cell s
/// whose g*(s) + h(s) is below that of all cells that wait has its least cost g*(s). (By induction over g*, as for A*:
/// the cells on its cheapest routes are no dearer.) So the proven bound holds. That it is at most w is less sure, since
/// cells are closed before their least cost is known: where a cell stands against it, it is expanded once more before
/// the route is reported.
///
/// On ground with more than 119 links into one cell it does not plan: [`PlanError::Cannot`].
///
/// - **Result**: routes whose cost falls, with bounds that fall, each at most the weight of its round.
/// - **Complexity**: an expansion costs O(1): the open list is a bucket queue. Its buckets are coarse, at most a 2048th of
///   the start's priority, so that it holds priorities that fall as well. Each cell is expanded once a round, but for those
///   that stand against a bound. Between rounds all cells that wait are looked at once. 8 bytes a cell.
/// - **Ties**: of one bucket the cell that was reached last comes first, and of two equal ways to a cell the one found
///   first stays. So a query has one sequence of routes, whatever the budgets of [`Planner::advance`].
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Ara, Path, Planner, Progress, Query, Scratch};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let planner = Ara::new(&[3.0, 1.5, 1.0])?;
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// planner.begin(&ground, &query, &mut scratch)?;
/// let outcome = loop {
///     match planner.advance(&ground, &query, &mut scratch, 1000) {
///         Progress::Route(better) => {
///             planner.path(&ground, &query, &scratch, &mut path);
///             println!("{} cells, at most {:.2} times as long as the shortest", path.cells.len(), better.bound);
///         }
///         Progress::Done(outcome) => break outcome,
///         _ => {}
///     }
/// };
/// assert_eq!(outcome.bound, 1.0);
/// assert!(Ara::new(&[1.0, 2.0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ara {
    weights: Vec<f64>,
    /// The same in units of 1 / [`ONE`].
    fixed: Vec<u64>,
}

impl Ara {
    /// The greatest weight.
    pub const MAX_WEIGHT: f64 = 1000.0;

    /// The most weights of a schedule.
    pub const MAX_ROUNDS: usize = 64;

    /// The planner whose rounds have these weights; it ends with an optimal route where the last one is 1.
    ///
    /// # Errors
    /// [`PlanError::Schedule`] where there are none or more than [`Ara::MAX_ROUNDS`], where one is no number, below 1 or
    /// above [`Ara::MAX_WEIGHT`], or where one is not lower than the one before.
    pub fn new(weights: &[f64]) -> Result<Self, PlanError> {
        let falls = weights.windows(2).all(|pair| pair[0] > pair[1]);
        let fits = weights.iter().all(|weight| (1.0..=Self::MAX_WEIGHT).contains(weight));
        if weights.is_empty() || weights.len() > Self::MAX_ROUNDS || !falls || !fits {
            let found: Vec<String> = weights.iter().map(|&weight| super::error::short(weight)).collect();
            let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
            return Err(PlanError::Schedule { found, rounds: Self::MAX_ROUNDS, limit: Self::MAX_WEIGHT });
        }
        const { assert!(Self::MAX_ROUNDS < Node::MAX_ROUND_NUMBER) };
        // Rounded down, so that the bound holds to the last digit.
        let fixed = weights.iter().map(|weight| (weight * ONE as f64) as u64).collect();
        Ok(Self { weights: weights.to_vec(), fixed })
    }

    /// The weights, greatest first.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

impl Default for Ara {
    /// The weights 3, 2, 1.5 and 1.
    fn default() -> Self {
        let weights = [3.0, 2.0, 1.5, 1.0];
        Self { weights: weights.to_vec(), fixed: weights.map(|weight| (weight * ONE as f64) as u64).to_vec() }
    }
}

impl Planner for Ara {
    fn name(&self) -> &'static str {
        "ara"
    }

    fn capabilities(&self) -> Capabilities {
        let bound = self.weights.last().copied().unwrap_or(1.0);
        let guarantee = if bound > 1.0 { Guarantee::Bounded(bound) } else { Guarantee::Optimal };
        Capabilities { guarantee, can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if !search::begin(self, ground, query, scratch)? {
            return Ok(());
        }
        let links = ground.links();
        let many = links.len() > MAX_LINKS_INTO_A_CELL;
        if many && links.all().iter().any(|link| links.to(link.to).nth(MAX_LINKS_INTO_A_CELL).is_some()) {
            return Err(PlanError::Cannot { planner: self.name(), what: Capability::Links });
        }
        let Scratch { goals, memories, .. } = scratch;
        let rounds = memories.of::<AraState>();
        if ground.steps() == Steps::Four {
            rounds.restart(query.from, &General::<Manhattan>::new(ground, query, goals), self.fixed[0]);
        } else {
            rounds.restart(query.from, &General::<Octile>::new(ground, query, goals), self.fixed[0]);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let Scratch { goals, state, memories } = scratch;
        let rounds = memories.of();
        if Plain::fits(ground, query, goals) {
            let moves = Canonical(Plain::new(ground, goals.first()));
            return state::advance(state, rounds, ground, query, &moves, &self.fixed, expansions);
        }
        if ground.steps() == Steps::Four {
            let moves = General::<Manhattan>::new(ground, query, goals);
            state::advance(state, rounds, ground, query, &moves, &self.fixed, expansions)
        } else {
            let moves = General::<Octile>::new(ground, query, goals);
            state::advance(state, rounds, ground, query, &moves, &self.fixed, expansions)
        }
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        let round = scratch.memory_of::<AraState>()?.round_weight();
        let weight = self.weights.get(round).copied().unwrap_or(1.0);
        search::rank::<Octile>(ground, query, scratch, cell, |g, h| g + weight * h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        path.cells.clear();
        if scratch.state.nodes.of(cell).is_some() {
            state::way_to(&scratch.state.nodes, ground, cell, &mut path.cells);
        }
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}
