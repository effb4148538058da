//! Whether a search keeps what [`Planner`] promises: that it ends, and that its route is one.

use super::{Goal, Outcome, Path, PlanError, Planner, Query, Scratch, Status};
use throng_grid::{Cell, Ground};

/// A search may expand so many times the cells of the map: searches in rounds expand cells again.
const MOST_ROUNDS: u64 = 100;

/// A small map has no fewer expansions than this.
const LEAST_EXPANSIONS: u64 = 10_000;

/// So many calls in a row may come back without a node expanded.
const MOST_IDLE_CALLS: u32 = 1000;

/// Watches a search from call to call.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    expanded: u64,
    idle_calls: u32,
}

impl Watch {
    /// The search goes on after a call of [`Planner::advance`].
    ///
    /// # Errors
    /// Where it will not end.
    pub(crate) fn goes_on(
        &mut self,
        planner: &dyn Planner,
        ground: &Ground,
        query: &Query,
        scratch: &Scratch,
    ) -> Result<(), PlanError> {
        let expanded = scratch.expanded();
        self.idle_calls = if expanded == self.expanded { self.idle_calls + 1 } else { 0 };
        self.expanded = expanded;
        let most = LEAST_EXPANSIONS.max(ground.lattice().len() as u64 * MOST_ROUNDS);
        if self.idle_calls > MOST_IDLE_CALLS {
            return Err(broken(planner, query, format!("{MOST_IDLE_CALLS} calls of advance expanded no node")));
        }
        if expanded > most {
            return Err(broken(planner, query, format!("it does not end: more than {most} nodes were expanded")));
        }
        Ok(())
    }
}

/// Checks the route of a search that has found one; only the last one has to end at the goal. O(cells of the route).
///
/// # Errors
/// Where it has no cells, begins or ends elsewhere, or has a cell on which no body of the ground can stand.
pub(crate) fn check(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    (outcome, is_last): (&Outcome, bool),
    path: &Path,
) -> Result<(), PlanError> {
    if outcome.status != Status::Found && path.cells.is_empty() {
        return Ok(());
    }
    let told = |cell: Cell| {
        let (x, y) = ground.lattice().column_row(cell);
        format!("({x}, {y})")
    };
    let fault = match (path.cells.first(), path.cells.last()) {
        (Some(&first), Some(&last)) => {
            let is_off = |cell: &&Cell| !(ground.lattice().contains(**cell) && ground.is_passable(**cell));
            match path.cells.iter().find(is_off) {
                Some(&cell) if !ground.lattice().contains(cell) => {
                    Some(format!("{cell:?} of its route is off the map"))
                }
                Some(&cell) => Some(format!("its route leads through a wall at {}", told(cell))),
                None if first != query.from => Some(format!("its route begins at {}", told(first))),
                None if is_last && outcome.status == Status::Found && !ends(ground, &query.goal, last) => {
                    Some(format!("its route ends at {}", told(last)))
                }
                None => None,
            }
        }
        _ => Some("its route has no cells".to_owned()),
    };
    fault.map_or(Ok(()), |fault| Err(broken(planner, query, fault)))
}

/// True where a route to a goal may end on a cell.
fn ends(ground: &Ground, goal: &Goal, cell: Cell) -> bool {
    match goal {
        Goal::Cell(goal) => cell == *goal,
        Goal::AnyOf(goals) => goals.contains(&cell),
        // A hair more, for rounding.
        Goal::Within { centre, distance } => ground.lattice().centre(cell).distance(*centre) <= 1.001 * distance,
        Goal::Nearest(_) => true,
    }
}

fn broken(planner: &dyn Planner, query: &Query, fault: String) -> PlanError {
    PlanError::BrokenPromise { planner: planner.name(), from: query.from, goal: query.goal.clone(), fault }
}
