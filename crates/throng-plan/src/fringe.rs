//! Fringe search: A* without a sorted open list.

use super::engine::Halt;
use super::memory::SearchMemory;
use super::nodes::Nodes;
use super::scratch::{SearchCounters, SearchState};
use super::search;
use super::successors::{General, Plain, Successors};
use super::{Capabilities, Capability, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::{Cell, Ground};

/// Fringe search: goes over the open cells again and again, and expands those whose f = g + h is within a threshold,
/// deepest first. After each round the threshold is the least f that was above it.
///
/// Y. Björnsson, M. Enzenberger, R. C. Holte, J. Schaeffer: Fringe search: beating A* at pathfinding on game maps. IEEE
/// Symposium on Computational Intelligence and Games, 2005.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: no open list is sorted, but a cell may be expanded more than once, and every round looks at the whole
///   fringe. There are as many rounds as different values of f, which are many where diagonal steps cost √2: on such maps
///   [`AStar`](super::AStar) is faster.
/// - **Ties**: children come right after their parent, the last one first; neighbours are taken in the order of
///   [`Direction`](throng_grid::Direction), links after them. Of two equal ways to a cell the one found first stays.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{FringeSearch, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(9, 9, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(4, 4), ground.lattice().cell(6, 5));
/// let mut path = Path::default();
/// plan(&FringeSearch, &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FringeSearch;

/// The open cells of a fringe search, each with the g it was noted with: a cell to which a better way is found is noted
/// once more, and the older entry no longer counts.
#[derive(Debug, Default)]
pub(super) struct Fringe {
    /// Those of this round that are left; the next one is the last.
    now: Vec<(Cell, u32)>,
    /// Those of the next round, in the order in which they were looked at.
    later: Vec<(Cell, u32)>,
    threshold: u64,
    /// The least f of those of the next round.
    next: u64,
}

impl SearchMemory for Fringe {
    fn bytes(&self) -> usize {
        (self.now.capacity() + self.later.capacity()) * size_of::<(Cell, u32)>()
    }
}

impl Fringe {
    fn restart(&mut self, cell: Cell, estimate: u32) {
        self.now.clear();
        self.later.clear();
        self.now.push((cell, 0));
        (self.threshold, self.next) = (estimate.into(), u64::MAX);
    }

    /// The next cell to look at, of a new round where need be.
    fn pop(&mut self) -> Option<(Cell, u32)> {
        if self.now.is_empty() {
            // Not swapped: so each list needs as much memory as the last time that the same was asked.
            self.now.extend(self.later.drain(..).rev());
            (self.threshold, self.next) = (self.next, u64::MAX);
        }
        self.now.pop()
    }
}

impl Planner for FringeSearch {
    fn name(&self) -> &'static str {
        "fringe"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if search::begin(self, ground, query, scratch)? {
            let estimate = General::<Octile>::new(ground, query, &scratch.goals).estimate(query.from);
            scratch.memory::<Fringe>().restart(query.from, estimate);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let Scratch { goals, state, memories } = scratch;
        let fringe = memories.of();
        if Plain::fits(ground, query, goals) {
            advance(&Plain::new(ground, goals.first()), query, state, fringe, expansions)
        } else {
            advance(&General::<Octile>::new(ground, query, goals), query, state, fringe, expansions)
        }
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        search::rank::<Octile>(ground, query, scratch, cell, |g, h| g + h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }
}

fn advance(
    moves: &impl Successors,
    query: &Query,
    state: &mut SearchState,
    fringe: &mut Fringe,
    expansions: u64,
) -> Progress {
    let limited = query.limits.expansions != u64::MAX;
    search::drive(state, query, moves.reached(), 1.0, expansions, |state, stop| {
        expand(moves, limited, &mut state.nodes, fringe, &mut state.counters, stop)
    })
}

/// Expands nodes until `counters.expanded` is `stop`.
fn expand(
    moves: &impl Successors,
    limited: bool,
    nodes: &mut Nodes,
    fringe: &mut Fringe,
    counters: &mut SearchCounters,
    stop: u64,
) -> Halt {
    while let Some((cell, g)) = fringe.pop() {
        let stands = nodes.of(cell).is_some_and(|node| node.g() == g && !node.closed());
        if !stands {
            continue;
        }
        let f = u64::from(g) + u64::from(moves.estimate(cell));
        if f > fringe.threshold {
            fringe.next = fringe.next.min(f);
            fringe.later.push((cell, g));
            continue;
        }
        if counters.expanded == stop && !moves.is_goal(cell) {
            fringe.now.push((cell, g));
            return Halt::Stop;
        }
        nodes.close(cell);
        if moves.is_goal(cell) {
            return Halt::Goal(cell);
        }
        if limited {
            counters.expand(cell, moves.estimate(cell));
        } else {
            counters.expanded += 1;
        }
        moves.each(cell, super::successors::START, |to, cost, incoming_step| {
            let Some(g) = g.checked_add(cost) else { return };
            if nodes.improve_or_reopen(to, g, incoming_step) {
                fringe.now.push((to, g));
            }
        });
    }
    Halt::Exhausted
}
