//! The figures of a map, without the layers that searches need.

use super::clearance::widest;
use super::regions::{Passable, region_sizes};
use super::{Cell, Grid, Lattice, Steps};

/// The figures of a map.
///
/// ```
/// use throng_grid::{Grid, Lattice, Survey};
/// let mut grid = Grid::open_plain(Lattice::new(9, 5, 1.0)?);
/// for row in 0..5 {
///     grid.set_open(grid.lattice().cell(3, row), false);
/// }
/// let survey = Survey::of(&grid, 0.4);
/// assert_eq!((survey.open, survey.regions, survey.largest), (40, 2, 25));
/// assert_eq!(survey.widest, Some((grid.lattice().cell(6, 2), 2.5)));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Open cells.
    pub open: u64,
    /// How many parts there are between which no body can go.
    pub regions: u64,
    /// Cells of the largest one on which such a body can stand.
    pub largest: u64,
    /// The open cell that is furthest from all walls, the first of such ones, and how far that is (m).
    pub widest: Option<(Cell, f32)>,
    /// Open cells of each class of terrain.
    pub terrain: [u64; 256],
    /// The least and the greatest height (cm), where any is not 0.
    pub heights: Option<(u16, u16)>,
}

impl Survey {
    /// The figures for bodies of a radius (m), which go to all eight neighbours and cut no corner.
    ///
    /// On two threads. O(cells); two bytes a cell of memory meanwhile, and no layer of the map is kept. Where the body reaches over more than 24
    /// cells, the map's layer of clearances is made.
    pub fn of(grid: &Grid, radius: f32) -> Self {
        let regions = || region_sizes(&Passable::eroded(grid, radius), Steps::default());
        let (sizes, widest) = std::thread::scope(|scope| {
            let regions = scope.spawn(regions);
            let widest = widest(grid);
            (regions.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), widest)
        });
        Self {
            open: grid.open_cells().into(),
            regions: sizes.len() as u64,
            largest: sizes.into_iter().max().unwrap_or(0),
            widest,
            terrain: classes(grid),
            heights: heights(grid),
        }
    }
}

fn classes(grid: &Grid) -> [u64; 256] {
    let mut classes = [0; 256];
    match grid.terrain_layer() {
        None => classes[0] = grid.open_cells().into(),
        Some(_) => grid
            .lattice()
            .cells()
            .filter(|&cell| grid.is_open(cell))
            .for_each(|cell| classes[usize::from(grid.terrain(cell))] += 1),
    }
    classes
}

fn heights(grid: &Grid) -> Option<(u16, u16)> {
    let layer = grid.height_layer()?;
    let Lattice { width, height, .. } = grid.lattice();
    let (mut low, mut high) = (u16::MAX, 0);
    for row in 0..height {
        let first = grid.lattice().cell(0, row).index();
        for &height in &layer.cells[first..first + width as usize] {
            (low, high) = (low.min(height), high.max(height));
        }
    }
    (high > 0).then_some((low, high))
}
