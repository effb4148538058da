//! The promises of planners, and whether they keep them.

use super::Trip;
use std::fmt;
use throng_grid::{Cell, Corners, Cost, Direction, Ground, Steps};
use throng_plan::{Guarantee, Outcome, Path, Status};

/// The greatest difference (cells) between the length of an optimal route and that of a query file, which is rounded.
const TOLERANCE: f64 = 0.01;

/// Query files give six digits; of lengths above 2000 cells these are coarser than [`TOLERANCE`].
const SIX_DIGITS: f64 = 5e-6;

/// A promise that a planner has broken.
///
/// ```
/// use throng_compare::Breach;
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
    /// Its answer.
    pub found: String,
    /// The expected answer.
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

/// The answer and the expected one, where they differ.
pub(super) type Fault = (String, String);

/// Checks an answer: that there is one, and that its route is legal and costs what was said. It must cost no more than
/// planner and outcome promise, where `optimal` is the least cost.
pub(super) fn check(
    ground: &Ground,
    trip: &Trip,
    optimal: Cost,
    guarantee: Guarantee,
    outcome: &Outcome,
    path: &Path,
) -> Option<Fault> {
    if outcome.status != Status::Found {
        return Some((format!("\"{}\"", outcome.status), "a route: there is one".into()));
    }
    let bound = match guarantee {
        Guarantee::Optimal => 1.0,
        Guarantee::Bounded(bound) => bound.min(outcome.bound),
        _ => outcome.bound,
    };
    // Only planners that promise nothing may leave the steps of the grid for straight lines at any angle.
    let route = match walk(ground, trip, path, guarantee == Guarantee::Unproven) {
        Ok(route) => route,
        Err(fault) => return Some(fault),
    };
    let cost = route.cost;
    if cost != outcome.cost {
        return Some((format!("a route that costs {cost}"), format!("{}, the cost it reports", outcome.cost)));
    }
    if cost < optimal && !route.has_lines {
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

/// Checks that the same question has the same answer.
pub(super) fn differ(first: &Outcome, again: &Outcome) -> Option<Fault> {
    let text =
        |outcome: &Outcome| format!("\"{}\", cost {}, {} expanded", outcome.status, outcome.cost, outcome.expanded);
    (first != again).then(|| (text(again), format!("{}, as the first time", text(first))))
}

/// Checks an optimal length against that of the query file.
fn off_file(trip: &Trip, length: f64) -> Option<Fault> {
    let optimal = trip.optimal?;
    let tolerance = TOLERANCE.max(optimal * SIX_DIGITS);
    ((length - optimal).abs() > tolerance)
        .then(|| (format!("length {length:.5}"), format!("{optimal}, the optimal length of the query file")))
}

/// A route that may be walked.
struct Walked {
    cost: Cost,
    /// It has straight lines to cells further than the neighbours.
    has_lines: bool,
}

/// Walks a route.
///
/// # Errors
/// The first step that may not be taken, or the end that is not reached.
fn walk(ground: &Ground, trip: &Trip, path: &Path, lines: bool) -> Result<Walked, Fault> {
    let lattice = ground.lattice();
    let text = |cell: Option<&Cell>| match cell.map(|&cell| lattice.column_row(cell)) {
        Some((x, y)) => format!("{x},{y}"),
        None => "nowhere".into(),
    };
    let (first, last) = (path.cells.first(), path.cells.last());
    if (first, last) != (Some(&trip.from), Some(&trip.to)) {
        let found = format!("a route from {} to {}", text(first), text(last));
        return Err((found, "one from the start to the goal".into()));
    }
    let mut route = Walked { cost: 0, has_lines: false };
    for pair in path.cells.windows(2) {
        match step(ground, pair[0], pair[1]) {
            Some(cost) => route.cost += cost,
            None if lines && is_clear(ground, pair[0], pair[1]) => route.has_lines = true,
            None => {
                let found = format!("a step from {} to {}", text(pair.first()), text(pair.last()));
                return Err((found, "legal steps only".into()));
            }
        }
    }
    if route.has_lines {
        route.cost = path.cost(lattice);
    }
    Ok(route)
}

/// The least cost of a legal step, or of a link, from one cell to another.
fn step(ground: &Ground, from: Cell, to: Cell) -> Option<Cost> {
    let (lattice, offset) = (ground.lattice(), to.0.wrapping_sub(from.0) as i32);
    if !lattice.contains(from) {
        return None;
    }
    let legal = |d: &Direction| {
        let d = *d as usize;
        lattice.offsets()[d] == offset && ground.moves(from) >> d & 1 == 1
    };
    let step = Direction::ALL.into_iter().find(legal).map(|d| Cost::from(ground.step_cost(from, to, d)));
    let link = ground.links().from(from).filter(|(_, link)| link.to == to).map(|(_, link)| Cost::from(link.cost)).min();
    step.into_iter().chain(link).min()
}

/// True where the straight line between the centres of two cells touches no cell that cannot be stood on; not even at a
/// corner, unless the ground's units may cut corners.
fn is_clear(ground: &Ground, from: Cell, to: Cell) -> bool {
    let lattice = ground.lattice();
    if !(lattice.contains(from) && lattice.contains(to)) {
        return false;
    }
    let [(x0, y0), (x1, y1)] = [from, to].map(|cell| {
        let (x, y) = lattice.column_row(cell);
        (i64::from(x), i64::from(y))
    });
    let (dx, dy) = (x1 - x0, y1 - y0);
    // The line touches a cell where that lies no further aside than half of both sides of their box.
    let cuts = matches!(ground.steps(), Steps::Eight(Corners::OneSide | Corners::Always));
    let reach = dx.abs() + dy.abs() - i64::from(cuts);
    let touched = |x: i64, y: i64| 2 * (dx * (y - y0) - dy * (x - x0)).abs() <= reach;
    (y0.min(y1)..=y0.max(y1)).all(|y| {
        (x0.min(x1)..=x0.max(x1))
            .filter(|&x| touched(x, y))
            .all(|x| lattice.checked_cell(x, y).is_some_and(|cell| ground.is_passable(cell)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice, Link, Mobility, TerrainCosts};

    /// A plain of 9 x 9 cells with a wall in the middle.
    fn pillar() -> Grid {
        let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap());
        grid.set_open(grid.lattice().cell(4, 4), false);
        grid
    }

    #[test]
    fn lines_keep_off_walls() {
        let never = Ground::new(pillar().into(), 0.4).unwrap();
        let always = Mobility { steps: Steps::Eight(Corners::Always), ..Mobility::new(0.4) };
        let always = Ground::build(pillar().into(), always).unwrap();
        let at = |(x, y)| never.lattice().cell(x, y);
        for (from, to, clear, cutting) in [
            ((0, 0), (8, 0), true, true),
            ((0, 0), (8, 8), false, false),
            ((0, 1), (8, 7), false, false),
            ((0, 2), (8, 4), true, true),
            ((4, 3), (3, 4), false, true),
            ((0, 7), (7, 0), false, true),
            ((0, 6), (6, 0), true, true),
            ((4, 0), (4, 8), false, false),
            ((2, 2), (2, 2), true, true),
        ] {
            for (from, to) in [(from, to), (to, from)] {
                assert_eq!(is_clear(&never, at(from), at(to)), clear, "{from:?} to {to:?}");
                assert_eq!(is_clear(&always, at(from), at(to)), cutting, "{from:?} to {to:?}, cutting corners");
            }
        }
    }

    #[test]
    fn steps_cost_what_the_ground_says() {
        let mut grid = pillar();
        let at = |x, y| grid.lattice().cell(x, y);
        let (a, b, c, d) = (at(0, 0), at(1, 0), at(1, 1), at(8, 8));
        grid.set_terrain(b, 1);
        let mobility = Mobility {
            terrain: Some(TerrainCosts::new([(0, Some(1)), (1, Some(3))])),
            links: vec![Link::new(a, d, 7), Link::new(a, b, 5000)],
            ..Mobility::new(0.4)
        };
        let ground = Ground::build(grid.into(), mobility).unwrap();
        assert_eq!(step(&ground, a, c), Some(3363));
        assert_eq!(step(&ground, b, a), Some(2 * 2378), "the link leads the other way");
        assert_eq!(step(&ground, a, b), Some(2 * 2378), "which is less than the link");
        assert_eq!(step(&ground, a, d), Some(7));
        assert_eq!(step(&ground, d, a), None);
        assert_eq!(step(&ground, Cell(0), a), None);
    }
}
