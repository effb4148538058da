//! What planners promise, and whether they keep it.

use super::Trip;
use crate::grid::{Cell, Cost, Ground};
use crate::plan::{Outcome, Path, Status};
use std::fmt;

/// The greatest difference (cells) between the length of an optimal route and that of a query file, which is rounded.
const TOLERANCE: f64 = 0.01;

/// Query files give six digits; of lengths above 2000 cells these are coarser than [`TOLERANCE`].
const SIX_DIGITS: f64 = 5e-6;

/// A promise that a planner has broken.
///
/// ```
/// use throng::compare::Breach;
/// let breach = Breach {
///     planner: "hasty".into(),
///     query: 3,
///     from: (1, 2),
///     to: (9, 2),
///     found: "cost 20000".into(),
///     expected: "19024, the optimal cost".into(),
/// };
/// assert_eq!(breach.to_string(), "hasty, query 3 (1,2 to 9,2): found cost 20000, expected 19024, the optimal cost");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Name of the planner.
    pub planner: String,
    /// Number of the query, from 1.
    pub query: usize,
    /// Column and row of the start.
    pub from: (u32, u32),
    /// Column and row of the goal.
    pub to: (u32, u32),
    /// What it answered.
    pub found: String,
    /// What it should have answered.
    pub expected: String,
}

impl fmt::Display for Breach {
    /// In one line, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { planner, query, from, to, found, expected } = self;
        let ((x, y), (to_x, to_y)) = (from, to);
        write!(f, "{planner}, query {query} ({x},{y} to {to_x},{to_y}): found {found}, expected {expected}")
    }
}

/// What was found and what was expected, where they differ.
pub(super) type Fault = (String, String);

/// Checks an answer: that there is one, that its route is legal and costs what was said, and that it costs no more than
/// `bound` times `optimal`, the least cost.
pub(super) fn check(
    ground: &Ground,
    trip: &Trip,
    optimal: Cost,
    bound: f64,
    outcome: &Outcome,
    path: &Path,
) -> Option<Fault> {
    if outcome.status != Status::Found {
        return Some((format!("\"{}\"", outcome.status), "a route: there is one".into()));
    }
    if let Some(fault) = illegal(ground, trip, path) {
        return Some(fault);
    }
    let cost = path.cost(ground.lattice());
    if cost != outcome.cost {
        return Some((format!("a route that costs {cost}"), format!("{}, the cost it reports", outcome.cost)));
    }
    if cost < optimal {
        return Some((format!("cost {cost}"), format!("no less than {optimal}, the optimal cost")));
    }
    if bound <= 1.0 {
        if cost > optimal {
            return Some((format!("cost {cost}"), format!("{optimal}, the optimal cost")));
        }
        return off_file(trip, path.length(ground.lattice()));
    }
    // A cost is a whole number; the product may be rounded.
    let most = bound * optimal as f64;
    if cost as f64 > most * (1.0 + 1e-12) {
        return Some((format!("cost {cost}"), format!("at most {most:.0}, {bound} times the optimal cost {optimal}")));
    }
    None
}

/// Checks an optimal length against that of the query file.
fn off_file(trip: &Trip, length: f64) -> Option<Fault> {
    let optimal = trip.optimal?;
    let tolerance = TOLERANCE.max(optimal * SIX_DIGITS);
    ((length - optimal).abs() > tolerance)
        .then(|| (format!("length {length:.5}"), format!("{optimal}, the optimal length of the query file")))
}

/// The first step that may not be taken, or the end that is not reached.
fn illegal(ground: &Ground, trip: &Trip, path: &Path) -> Option<Fault> {
    let text = |cell: Option<&Cell>| match cell.map(|&cell| ground.lattice().column_row(cell)) {
        Some((x, y)) => format!("{x},{y}"),
        None => "nowhere".into(),
    };
    let (first, last) = (path.cells.first(), path.cells.last());
    if (first, last) != (Some(&trip.from), Some(&trip.to)) {
        let found = format!("a route from {} to {}", text(first), text(last));
        return Some((found, "one from the start to the goal".into()));
    }
    let step = path.cells.windows(2).find(|step| !is_legal(ground, step[0], step[1]))?;
    Some((format!("a step from {} to {}", text(step.first()), text(step.last())), "legal steps only".into()))
}

fn is_legal(ground: &Ground, from: Cell, to: Cell) -> bool {
    let offset = to.0.wrapping_sub(from.0) as i32;
    let direction = ground.lattice().offsets().iter().position(|&step| step == offset);
    direction.is_some_and(|d| ground.lattice().contains(from) && ground.moves(from) >> d & 1 == 1)
}
