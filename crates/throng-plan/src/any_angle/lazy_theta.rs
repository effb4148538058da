//! Lazy Theta*: routes that turn at any angle, with fewer lines of sight.

use crate::any_angle::{self, Parts, line, rank};
use crate::engine::Halt;
use crate::nodes::Node;
use crate::open::OpenList;
use crate::{Capabilities, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::{Cell, Ground};

/// Lazy Theta*: [`ThetaStar`](crate::ThetaStar) that takes for granted that a cell sees its parent until the cell's turn
/// comes. Only then it looks; where it was wrong, the best neighbour among those expanded becomes the parent.
///
/// A. Nash, S. Koenig, C. Tovey: Lazy Theta*: any-angle path planning and path length analysis in 3D. AAAI 2010.
///
/// - **Result**: as of [`ThetaStar`](crate::ThetaStar): turning points, each in sight of the one before, no bound. The
///   routes are about as long.
/// - **Complexity**: each cell is expanded at most once and costs one line of sight, O(width + height). 12 bytes a cell.
/// - **Ties**: as of [`ThetaStar`](crate::ThetaStar); of equally good neighbours the first in the order of
///   [`Direction`](throng_grid::Direction).
/// - **Trace**: the [cost](Scratch::cost) of open cells is the promised one, that of closed ones is certain.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{LazyThetaStar, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(1, 1), ground.lattice().cell(13, 6));
/// let mut path = Path::default();
/// plan(&LazyThetaStar, &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.cells, [from, to]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LazyThetaStar;

impl Planner for LazyThetaStar {
    fn name(&self) -> &'static str {
        "lazy-theta"
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
        if parts.nodes.close(cell).is_none() {
            continue;
        }
        if parts.counters.expanded == stop && !parts.plane.is_goal(cell) {
            parts.nodes.reopen(cell);
            parts.open.push(taken, cell);
            return Halt::Stop;
        }
        let place = parts.plane.place(cell);
        let Parts { plane, nodes, parents, .. } = &mut parts;
        let mut parent = Cell(parents[cell.index()]);
        let mut parent_place = plane.place(parent);
        if !plane.sees(parent, parent_place, place) {
            let mut least = u32::MAX;
            plane.each(cell, place, |near, near_place| {
                let Some(near_node) = nodes.of(near).filter(|near| near.closed()) else { return };
                let g = near_node.g().saturating_add(line(near_place, place));
                if g < least {
                    (least, parent, parent_place) = (g, near, near_place);
                }
            });
            nodes.correct(cell, least);
            parents[cell.index()] = parent.0;
        }
        if parts.plane.is_goal(cell) {
            return Halt::Goal(cell);
        }
        parts.count(cell, place);
        let Parts { plane, nodes, open, parents, .. } = &mut parts;
        let parent_g = nodes.of(parent).map_or(0, Node::g);
        plane.each(cell, place, |to, to_place| {
            let seen = nodes.of(to);
            // A cell with the same parent costs the same from there.
            if seen.is_some_and(|seen| seen.closed() || parents[to.index()] == parent.0) {
                return;
            }
            let g = parent_g.saturating_add(line(parent_place, to_place));
            if nodes.improve(to, g, 0) {
                parents[to.index()] = parent.0;
                open.push(rank(g + plane.estimate(to_place), taken), to);
            }
        });
    }
    Halt::Exhausted
}
