//! A* and Dijkstra of the `petgraph` crate, to compare with.

use super::moves::Moves;
use super::reference::advance;
use super::search::begin;
use super::{Cost, Path, PlanError, Planner, Progress, Query, Scratch};
use crate::grid::{Cell, GridGraph, Ground};
use petgraph::visit::{EdgeFiltered, IntoEdges};

/// A* of the `petgraph` crate on the [`GridGraph`], with the octile estimate.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: O(n log n) for n cells seen; hash maps of costs and of the ways are made anew for each query.
/// - **Ties**: those of the crate, of equal f the lesser estimate first; the same on every machine.
/// - **Cannot be paused**: [`advance`](Planner::advance) runs to the end whatever its budget. It does look at the query's
///   limits and cancel switch; a partial route comes from a second search. The [`Scratch`] holds the route and no trace.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{AStar, Path, PetgraphAStar, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(9, 5));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let theirs = plan(&PetgraphAStar, &ground, &query, &mut scratch, &mut path)?;
/// let ours = plan(&AStar, &ground, &query, &mut scratch, &mut path)?;
/// assert_eq!(theirs.cost, ours.cost);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PetgraphAStar;

/// Dijkstra's algorithm of the `petgraph` crate on the [`GridGraph`].
///
/// As [`PetgraphAStar`], without the estimate: a cheapest route (bound 1), cannot be paused, no trace. The crate gives
/// costs alone, so the route is read off them: back from the goal, over the first step whose cost fits.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{Path, PetgraphDijkstra, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(3, 2));
/// let mut path = Path::default();
/// plan(&PetgraphDijkstra, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PetgraphDijkstra;

impl Planner for PetgraphAStar {
    fn name(&self) -> &'static str {
        "petgraph-astar"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        let graph = GridGraph::new(ground);
        advance(ground, query, scratch, |moves, watch| {
            // Ending on any cell but the goal is a fault to the crate: so a search that shall stop finds no more steps.
            let stopped = std::cell::Cell::new(false);
            let steps = EdgeFiltered::from_fn(&graph, |_| !stopped.get());
            let ends = |cell| {
                let ends = watch.ends(cell);
                stopped.set(ends && cell != watch.end);
                ends && cell == watch.end
            };
            // The crate takes cells off its list that it does not expand; those that it does ask for their edges' costs.
            let mut last = Cell::NONE;
            let cost = |(from, _, &cost): (Cell, Cell, &Cost)| {
                if from != last {
                    watch.expand(from, moves.estimate(from));
                    last = from;
                }
                cost
            };
            let estimate = |cell| Cost::from(moves.estimate(cell));
            let (cost, cells) = petgraph::algo::astar(&steps, query.from, ends, cost, estimate)?;
            Some((cells, cost))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}

impl Planner for PetgraphDijkstra {
    fn name(&self) -> &'static str {
        "petgraph-dijkstra"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        let graph = GridGraph::new(ground);
        advance(ground, query, scratch, |moves, watch| {
            let ends = |&cell: &Cell| {
                let ends = watch.ends(cell);
                if !ends {
                    watch.expand(cell, moves.estimate(cell));
                }
                ends
            };
            let tree = petgraph::algo::dijkstra::with_dynamic_goal(&graph, query.from, ends, |(_, _, &cost)| cost);
            let mut cell = tree.goal_node?;
            let cost = *tree.scores.get(&cell)?;
            let mut cells = vec![cell];
            while cell != query.from {
                let here = *tree.scores.get(&cell)?;
                // Every step can be walked both ways at the same cost.
                let before = |&(_, before, &step): &(Cell, Cell, &Cost)| {
                    tree.scores.get(&before).is_some_and(|score| score + step == here)
                };
                cell = graph.edges(cell).find(before)?.1;
                cells.push(cell);
            }
            cells.reverse();
            Some((cells, cost))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}
