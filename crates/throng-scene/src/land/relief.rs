//! The light on slopes, and the classes of the ground.

use crate::view::SUN;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Layer};

/// The class of the ground of each open cell, 0 elsewhere; `None` where all is plain. O(cells).
pub(super) fn terrain(grid: &Grid) -> Option<Layer<u8>> {
    let classes = grid.terrain_layer()?;
    let mut terrain = Layer::new(grid.lattice(), 0);
    for cell in grid.lattice().cells().filter(|&cell| grid.is_open(cell)) {
        terrain[cell] = classes[cell];
    }
    terrain.cells.iter().any(|&class| class != 0).then_some(terrain)
}

/// How bright the slope of each cell is: 1 on the level, more towards the sun; `None` where all is level. O(cells).
pub(super) fn relief(grid: &Grid) -> Option<Layer<f32>> {
    let heights = grid.height_layer()?;
    let lattice = grid.lattice();
    let mut relief = Layer::new(lattice, 1.0);
    let height = |x: i64, y: i64| -> f32 {
        let (x, y) = (x.clamp(0, i64::from(lattice.width) - 1), y.clamp(0, i64::from(lattice.height) - 1));
        lattice.checked_cell(x, y).map_or(0.0, |cell: Cell| f32::from(heights[cell]) * 0.01)
    };
    let far = 1.0 / (2.0 * lattice.cell_size);
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        let (x, y) = (i64::from(x), i64::from(y));
        let gradient = Vec2::new(height(x + 1, y) - height(x - 1, y), height(x, y + 1) - height(x, y - 1)) * far;
        let light = (SUN.z - gradient.dot(SUN.truncate())) / (1.0 + gradient.length_squared()).sqrt();
        relief[cell] = (1.0 + STRENGTH * (light / SUN.z - 1.0)).clamp(0.72, 1.2);
    }
    Some(relief)
}

/// How much of the light on slopes is shown: gentle hills are seen, too.
const STRENGTH: f32 = 0.9;
