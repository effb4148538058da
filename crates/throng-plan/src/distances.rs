//! Costs from some cells to all, and from all cells to some.

use super::goal_set::check;
use super::wave::{self, WaveDirection, Waves};
use super::{PlanError, Scratch};
use throng_grid::{Cell, Ground, Layer};

/// The value that [`distances_from`] and [`distances_to`] write for a cell that no way joins to the others.
pub const UNREACHED: u32 = wave::UNREACHED;

/// Writes the cost of a cheapest route to each cell from the nearest of `sources`: 0 for these, [`UNREACHED`] where there
/// is none.
///
/// Dijkstra's algorithm without a goal, its open list in waves as wide as a straight step (E. V. Denardo, B. L. Fox:
/// Shortest-route methods 1, Operations Research 27(1), 1979) and with the steps of the canonical ordering (N. R.
/// Sturtevant, S. Rabin: Canonical orderings on grids, IJCAI 2016), where the ground is plain: uniform, eight neighbours,
/// no corner cut, no links. On other ground all steps and links are looked at.
///
/// - **Result**: exact; there is nothing to break ties about.
/// - **Complexity**: each cell is expanded once: O(cells) time. A layer of another geometry than the ground's is made
///   anew; else nothing is allocated once `scratch` has grown to the longest wave.
///
/// # Errors
/// Where a source is off the map or closed; the layer is then as it was.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice, Layer};
/// use throng_plan::{DIAGONAL, STRAIGHT, Scratch, distances_from};
/// let lattice = Lattice::new(9, 9, 1.0)?;
/// let ground = Ground::new(Grid::open_plain(lattice).into(), 0.4)?;
/// let mut costs = Layer::new(lattice, 0);
/// distances_from(&ground, &[lattice.cell(4, 4), lattice.cell(0, 4)], &mut Scratch::default(), &mut costs)?;
/// assert_eq!(costs[lattice.cell(7, 3)], DIAGONAL + 2 * STRAIGHT);
/// assert_eq!(costs[lattice.cell(1, 4)], STRAIGHT);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distances_from(
    ground: &Ground,
    sources: &[Cell],
    scratch: &mut Scratch,
    costs: &mut Layer<u32>,
) -> Result<(), PlanError> {
    for &source in sources {
        check(ground, "start", source, 0.0)?;
    }
    fit(ground, costs);
    wave::fill(
        ground,
        WaveDirection::Forward,
        sources.iter().copied(),
        scratch.memory::<Waves>(),
        &mut costs.cells,
        |_| true,
    );
    Ok(())
}

/// Writes the cost of a cheapest route from each cell to the nearest of `goals`: 0 for these, [`UNREACHED`] where there
/// is none.
///
/// As [`distances_from`], with the links walked backwards. Closed goals do not count. A [`FlowField`](super::FlowField)
/// also knows which way to go.
///
/// # Errors
/// Where a goal is off the map, or all are closed; the layer is then as it was.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice, Layer};
/// use throng_plan::{STRAIGHT, Scratch, UNREACHED, distances_to};
/// let lattice = Lattice::new(9, 9, 1.0)?;
/// let mut grid = Grid::open_plain(lattice);
/// for x in 0..9 {
///     grid.set_open(lattice.cell(x, 5), false);
/// }
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let mut costs = Layer::new(lattice, 0);
/// distances_to(&ground, &[lattice.cell(4, 4)], &mut Scratch::default(), &mut costs)?;
/// assert_eq!(costs[lattice.cell(4, 1)], 3 * STRAIGHT);
/// assert_eq!(costs[lattice.cell(4, 6)], UNREACHED);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distances_to(
    ground: &Ground,
    goals: &[Cell],
    scratch: &mut Scratch,
    costs: &mut Layer<u32>,
) -> Result<(), PlanError> {
    check_goals(ground, goals)?;
    fit(ground, costs);
    wave::fill(
        ground,
        WaveDirection::Backward,
        passable(ground, goals),
        scratch.memory::<Waves>(),
        &mut costs.cells,
        |_| true,
    );
    Ok(())
}

/// # Errors
/// [`PlanError::OffMap`] where one is off the map, [`PlanError::NoGoal`] where none is passable.
pub(super) fn check_goals(ground: &Ground, goals: &[Cell]) -> Result<(), PlanError> {
    if goals.iter().any(|&goal| !ground.lattice().contains(goal)) {
        return Err(PlanError::OffMap { end: "goal" });
    }
    passable(ground, goals).next().map(drop).ok_or(PlanError::NoGoal)
}

/// Those of the cells that are passable.
pub(super) fn passable(ground: &Ground, cells: &[Cell]) -> impl Iterator<Item = Cell> {
    cells.iter().copied().filter(|&cell| ground.is_passable(cell))
}

/// Makes the layer fit the ground.
fn fit(ground: &Ground, costs: &mut Layer<u32>) {
    if costs.lattice != ground.lattice() {
        *costs = Layer::new(ground.lattice(), UNREACHED);
    }
}
