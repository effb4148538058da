//! The cells or nodes of a spatial index over the map: outlines, the fuller the stronger.

use super::agents::Sprite;
use crate::shell::camera::Camera;
use std::ops::ControlFlow;
use throng_grid::geom::Vec2;
use throng_spatial::volume::Aabb;
use throng_spatial::{Index, SpatialIndex};

/// A cell, bucket or node of a spatial index that holds bodies.
///
/// See [`InspectReply::cells`](crate::InspectReply::cells).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexCell {
    /// The corner with the least coordinates (m).
    pub low: Vec2,
    /// The corner with the greatest (m).
    pub high: Vec2,
    /// How many bodies are kept in the cell itself.
    pub held: u32,
}

impl IndexCell {
    /// The most that are shown at once.
    pub const MAX_CELLS: usize = 20_000;
}

/// The ink of cells (sRGB): dark, so that its opacity alone shows how full a cell is.
const CELL_INK: [u8; 3] = [46, 20, 92];
/// Opacity of the emptiest and of the fullest.
const MIN_OPACITY: f32 = 0.28;
const MAX_OPACITY: f32 = 0.95;

/// Writes the cells that share a point with what lies between two corners (m); true where there were more than
/// [`IndexCell::MAX_CELLS`], which are left out. Some cells have no end: they are cut far outside of the region.
pub(crate) fn collect(index: &Index, [low, high]: [Vec2; 2], found: &mut Vec<IndexCell>) -> bool {
    found.clear();
    let margin = high - low;
    let ends = [low - margin, high + margin];
    let region = Aabb { low: low.to_array(), high: high.to_array() };
    let more = index.cells(&region, |cell, held| {
        if found.len() == IndexCell::MAX_CELLS {
            return ControlFlow::Break(());
        }
        let [low, high] = [cell.low, cell.high].map(|corner| Vec2::from(corner).clamp(ends[0], ends[1]));
        found.push(IndexCell { low, high, held: held as u32 });
        ControlFlow::Continue(())
    });
    more.is_break()
}

/// Writes the four sides of each cell.
pub(crate) fn lines(cells: &[IndexCell], camera: &Camera, out: &mut Vec<Sprite>) {
    out.clear();
    let fullest = cells.iter().map(|cell| cell.held).max().unwrap_or(0);
    // A hair's breadth inside, so that neighbours do not hide each other.
    let inside = Vec2::splat(0.5 / camera.zoom);
    for cell in cells {
        let opacity = MIN_OPACITY + (MAX_OPACITY - MIN_OPACITY) * share(cell.held, fullest);
        let [red, green, blue] = CELL_INK;
        let rgba = [red, green, blue, (opacity * 255.0) as u8];
        let (middle, half) = ((cell.low + cell.high) * 0.5, ((cell.high - cell.low) * 0.5 - inside).max(Vec2::ZERO));
        for side in [-1.0, 1.0] {
            out.push(Sprite::new(middle + Vec2::new(0.0, side * half.y), Vec2::X, half.x, rgba));
            out.push(Sprite::new(middle + Vec2::new(side * half.x, 0.0), Vec2::Y, half.y, rgba));
        }
    }
}

/// How full a cell is, from 0 to 1: by the logarithm, since a few cells hold many times as much as the others.
fn share(held: u32, fullest: u32) -> f32 {
    if fullest <= 1 { 0.5 } else { (held.max(1) as f32).ln() / (fullest as f32).ln() }
}

/// The notice if there are more than can be shown.
pub(crate) const TOO_MANY_TEXT: &str = "more than 20 000 cells: the others are left out; zoom in to see all";

#[cfg(test)]
mod tests {
    use super::*;
    use throng_spatial::{Bodies, IndexKind};

    #[test]
    fn every_index_has_finite_cells_and_those_hold_the_bodies() {
        let position: Vec<[f32; 2]> = (0..400).map(|i| [(i % 20) as f32 * 3.0, (i / 20) as f32 * 3.0]).collect();
        let (radius, id): (Vec<f32>, Vec<u32>) = (vec![1.0; 400], (0..400).collect());
        let bodies = Bodies::new(&position, &radius, &id);
        let mut cells = Vec::new();
        for kind in IndexKind::ALL {
            let mut index = Index::new(kind);
            index.rebuild(bodies).unwrap();
            assert!(!collect(&index, [Vec2::splat(-2.0), Vec2::splat(60.0)], &mut cells));
            assert!(cells.iter().all(|cell| cell.low.is_finite() && cell.high.is_finite()), "{kind}");
            assert!(cells.iter().all(|cell| cell.low.cmple(cell.high).all() && cell.held > 0), "{kind}");
            // Some keep a body in several cells, brute force has none.
            let held: u32 = cells.iter().map(|cell| cell.held).sum();
            assert!(held >= 400 || kind == IndexKind::Brute, "{kind} {held}");
        }
    }

    #[test]
    fn too_many_are_cut_off_and_that_is_told() {
        let count = IndexCell::MAX_CELLS + 100;
        let position: Vec<[f32; 2]> = (0..count).map(|i| [(i % 200) as f32 * 9.0, (i / 200) as f32 * 9.0]).collect();
        let (radius, id): (Vec<f32>, Vec<u32>) = (vec![1.0; count], (0..count as u32).collect());
        let mut index = Index::new(IndexKind::Hash);
        index.rebuild(Bodies::new(&position, &radius, &id)).unwrap();
        let mut cells = Vec::new();
        let whole = [Vec2::ZERO, Vec2::splat(2000.0)];
        let cut = collect(&index, whole, &mut cells);
        assert_eq!(cut, cells.len() == IndexCell::MAX_CELLS);
        assert!(!collect(&index, [Vec2::ZERO, Vec2::splat(100.0)], &mut cells) && cells.len() < 1000);
    }

    #[test]
    fn fuller_cells_are_stronger() {
        let camera = Camera::new(Vec2::splat(100.0), Vec2::splat(200.0), 0.0);
        let cell = |held| IndexCell { low: Vec2::ZERO, high: Vec2::splat(10.0), held };
        let mut out = Vec::new();
        lines(&[cell(1), cell(5), cell(40)], &camera, &mut out);
        assert_eq!(out.len(), 12);
        assert!(out[0].rgba[3] < out[4].rgba[3] && out[4].rgba[3] < out[8].rgba[3]);
    }
}
