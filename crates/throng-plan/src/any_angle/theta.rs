//! Theta*: routes that turn at any angle.

use crate::any_angle::{self, Parts, line, rank};
use crate::engine::Halt;
use crate::nodes::Node;
use crate::open::OpenList;
use crate::{Capabilities, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::{Cell, Ground};

/// Theta*: A* whose cells have as parent not the cell they were reached from, but that one's parent where they see it.
///
/// A. Nash, K. Daniel, S. Koenig, A. Felner: Theta*: any-angle path planning on grids. AAAI 2007.
///
/// The [`Path`] holds turning points, each in [sight](throng_grid::LineOfSight) of the one before. Costs are straight
/// lengths × [`STRAIGHT`](crate::STRAIGHT), and that of each line is rounded up to a whole number. So they compare with
/// those of the grid planners, and a query has one answer on every machine; [`Path::length`] gives the length itself.
///
/// - **Result**: a route where there is one, mostly shorter than the cheapest of a grid planner and hardly longer than
///   the shortest at any angle: on the maps of the Moving AI Lab on average 4 to 5 % shorter than the former, and none of
///   1200 routes longer. None of that is proven (no bound, [`Outcome::bound`](crate::Outcome::bound) is infinite).
/// - **Complexity**: each cell is expanded at most once; each way to a cell that would be shorter costs a line of sight,
///   O(width + height). 12 bytes a cell.
/// - **Ties**: f = g + the straight length to the goal may fall from a cell to the next, which then has its turn at once.
///   Of equal f the cell that was reached last comes first, and of two equal ways to a cell the one found first stays.
///   Neighbours are taken in the order of [`Direction`](throng_grid::Direction).
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Path, Query, Scratch, ThetaStar, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(1, 1), ground.lattice().cell(13, 6));
/// let mut path = Path::default();
/// plan(&ThetaStar, &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.cells, [from, to]);
/// assert_eq!(path.length(ground.lattice()), 13.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThetaStar;

impl Planner for ThetaStar {
    fn name(&self) -> &'static str {
        "theta"
    }

    fn capabilities(&self) -> Capabilities {
        any_angle::CAPABILITIES
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        any_angle::begin(self, ground, query, scratch)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        any_angle::advance(ground, query, scratch, expansions, expand)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        any_angle::rank_of(ground, query, scratch, cell)
    }

    fn way_to(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        any_angle::way_to(scratch, cell, path);
    }
}

/// Expands cells, those of the lowest f first, until `stop` are expanded.
fn expand(mut parts: Parts, stop: u64) -> Halt {
    while let Some((taken, cell)) = parts.open.pop() {
        let Some(node) = parts.nodes.close(cell) else { continue };
        if parts.plane.is_goal(cell) {
            return Halt::Goal(cell);
        }
        if parts.counters.expanded == stop {
            parts.nodes.reopen(cell);
            parts.open.push(taken, cell);
            return Halt::Stop;
        }
        let place = parts.plane.place(cell);
        parts.count(cell, place);
        let Parts { plane, nodes, open, parents, .. } = &mut parts;
        let parent = Cell(parents[cell.index()]);
        let parent_place = plane.place(parent);
        let parent_g = nodes.of(parent).map_or(0, Node::g);
        plane.each(cell, place, |to, to_place| {
            let seen = nodes.of(to);
            // A cell with the same parent costs the same from there, and no less from here.
            if seen.is_some_and(|seen| seen.closed() || parents[to.index()] == parent.0) {
                return;
            }
            let known = seen.map_or(u32::MAX, Node::g);
            // The second path of the paper; the first, through this cell, is never shorter.
            let mut g = parent_g.saturating_add(line(parent_place, to_place));
            if g >= known {
                return;
            }
            let mut by = parent;
            if !plane.sees(parent, parent_place, to_place) {
                g = node.g().saturating_add(line(place, to_place));
                by = cell;
            }
            if g < known && nodes.improve(to, g, 0) {
                parents[to.index()] = by.0;
                open.push(rank(g + plane.estimate(to_place), taken), to);
            }
        });
    }
    Halt::Exhausted
}
