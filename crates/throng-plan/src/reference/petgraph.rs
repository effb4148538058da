//! A* and Dijkstra of the `petgraph` crate, to compare with.

use crate::reference::{Watched, advance};
use crate::search::begin;
use crate::{Capabilities, Capability, Cost, Guarantee, Path, PlanError, Planner, Progress, Query, Scratch};
use petgraph::Direction::Incoming;
use petgraph::visit::{EdgeFiltered, IntoEdgesDirected};
use std::collections::HashMap;
use throng_grid::{Cell, GridGraph, Ground, Step};

/// A* of the `petgraph` crate on the [`GridGraph`], with the octile estimate.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: O(n log n) for n cells seen; hash maps of costs and of the ways are made anew for each query.
/// - **Ties**: those of the crate, of equal f the lesser estimate first; the same on every machine.
/// - **Cannot be paused**: [`advance`](Planner::advance) runs to the end whatever its budget. It does look at the query's
///   limits and cancel switch; a partial route comes from a second search. The [`Scratch`] holds the route and no trace.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, PetgraphAStar, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(9, 5));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let theirs = plan(&PetgraphAStar, &ground, &query, &mut scratch, &mut path)?;
/// let ours = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?;
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
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Path, PetgraphDijkstra, Query, Scratch, plan};
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

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn search_bytes(&self, _scratch: &Scratch) -> Option<usize> {
        None
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        let graph = GridGraph::new(ground);
        advance(ground, query, scratch, |from, watched| astar(&graph, from, watched))
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}

impl Planner for PetgraphDijkstra {
    fn name(&self) -> &'static str {
        "petgraph-dijkstra"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn search_bytes(&self, _scratch: &Scratch) -> Option<usize> {
        None
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        let graph = GridGraph::new(ground);
        advance(ground, query, scratch, |from, watched| dijkstra(&graph, from, watched))
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}

/// The capabilities of these planners: the [`GridGraph`] knows nothing of the bodies of a query.
const CAN: &[Capability] = &[
    Capability::FourNeighbours,
    Capability::CutCorners,
    Capability::Terrain,
    Capability::Heights,
    Capability::Crowds,
    Capability::Links,
    Capability::GoalSets,
];

fn astar(graph: &GridGraph, from: Cell, watched: &dyn Watched) -> Option<(Vec<Cell>, Cost)> {
    // Ending on any cell but a goal is a fault to the crate: so a search that shall stop finds no more steps.
    let stopped = std::cell::Cell::new(false);
    let steps = EdgeFiltered::from_fn(graph, |_| !stopped.get());
    let ends = |cell| {
        let is_goal = watched.is_goal(cell);
        stopped.set(!is_goal && watched.ends(cell));
        is_goal
    };
    // The crate takes some cells off its list without expanding them. For a cell that it expands it asks for the steps'
    // costs.
    let mut last = Cell::NONE;
    let cost = |step: Step| {
        if step.from != last {
            watched.expand(step.from);
            last = step.from;
        }
        step.cost
    };
    let (cost, cells) = petgraph::algo::astar(&steps, from, ends, cost, |cell| watched.estimate(cell))?;
    Some((cells, cost))
}

fn dijkstra(graph: &GridGraph, from: Cell, watched: &dyn Watched) -> Option<(Vec<Cell>, Cost)> {
    // Links may cost nothing and lead round: then the order of expansion tells which step came first.
    let has_links = !graph.ground().links().is_empty();
    let mut order: HashMap<Cell, usize> = HashMap::new();
    let ends = |&cell: &Cell| {
        let ends = watched.ends(cell);
        if !ends {
            watched.expand(cell);
            if has_links {
                order.insert(cell, order.len());
            }
        }
        ends
    };
    let tree = petgraph::algo::dijkstra::with_dynamic_goal(graph, from, ends, |step| step.cost);
    let score = |cell| tree.scores.get(&cell).copied();
    let turn = |cell| order.get(&cell).copied().unwrap_or(usize::MAX);
    let mut cell = tree.goal_node?;
    let cost = score(cell)?;
    let mut cells = vec![cell];
    while cell != from {
        let here = score(cell)?;
        let fits = |step: &Step| score(step.from).is_some_and(|score| score + step.cost == here);
        let earlier = |step: &Step| !has_links || turn(step.from) < turn(step.to);
        cell = graph.edges_directed(cell, Incoming).find(|step| fits(step) && earlier(step))?.from;
        cells.push(cell);
    }
    cells.reverse();
    Some((cells, cost))
}
