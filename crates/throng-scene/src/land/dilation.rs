//! Dilation of a set by a square.

use super::raster::Raster;

/// The set with the cells so near to it along both axes.
pub(super) fn grown(set: &Raster<bool>, by: usize) -> Raster<bool> {
    let Raster { width, height, .. } = *set;
    let rows = Raster::from_fn(width, height, |x, y| {
        set.cells[y * width + x.saturating_sub(by)..y * width + (x + by + 1).min(width)].contains(&true)
    });
    Raster::from_fn(width, height, |x, y| (y.saturating_sub(by)..(y + by + 1).min(height)).any(|y| rows.at(x, y)))
}
