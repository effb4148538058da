//! Keeps the picture of the map true to a map that is edited.

use super::int_rect::IntRect;
use super::map_image::MapImage;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::{Cell, Grid};
use throng_scene::edits::changed;

/// Side of the squares (cells) in which changes are gathered: an edit here and one there are painted apart.
const TILE_CELLS: u32 = 32;

/// The map that is shown, and its picture.
pub(super) struct MapPainter {
    shown: Arc<Grid>,
    /// The image on the card, made at the first edit: most maps are painted once, and a picture takes as much memory here as
    /// there.
    image: Option<MapImage>,
}

impl MapPainter {
    /// For a map, with its picture or without.
    pub fn new(shown: Arc<Grid>, image: Option<MapImage>) -> Self {
        Self { shown, image }
    }

    /// The picture, if there is one here.
    pub fn image(&self) -> Option<&MapImage> {
        self.image.as_ref()
    }

    /// Paints the cells that differ on `grid`, if that has another revision than the shown map, and hands each
    /// area, by level, to `send`.
    ///
    /// O(cells) for another revision, and O(texels) at the first; else O(1).
    pub fn follow(&mut self, grid: Option<&Arc<Grid>>, mut send: impl FnMut(&MapImage, Vec<IntRect>)) {
        let Some(grid) = grid.filter(|grid| grid.revision() != self.shown.revision()) else { return };
        let lattice = grid.lattice();
        if lattice != self.shown.lattice() {
            // No edit does that; there is no room for another map.
            return;
        }
        let cells = changed(&self.shown, grid);
        let shown = std::mem::replace(&mut self.shown, Arc::clone(grid));
        if !cells.is_empty() {
            let image = self.image.get_or_insert_with(|| MapImage::new(&shown));
            repaint(image, grid, &cells, &mut send);
        }
    }
}

/// Paints the surroundings of changed cells anew, and hands each area, by level, to `send`.
pub(crate) fn repaint(
    image: &mut MapImage,
    grid: &Grid,
    changed: &[Cell],
    mut send: impl FnMut(&MapImage, Vec<IntRect>),
) {
    let mut tiles = BTreeMap::<(u32, u32), Vec<(u32, u32)>>::new();
    for &cell in changed {
        let (x, y) = grid.lattice().column_row(cell);
        tiles.entry((y / TILE_CELLS, x / TILE_CELLS)).or_default().push((x, y));
    }
    for area in tiles.into_values().filter_map(IntRect::around) {
        let areas = image.repaint(grid, area);
        send(image, areas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Edit, Lattice};

    /// The number of areas that are sent for a map; the picture must be that of the map.
    fn sent(painter: &mut MapPainter, grid: Option<&Arc<Grid>>) -> usize {
        let mut count = 0;
        painter.follow(grid, |_, _| count += 1);
        if let (Some(image), Some(grid)) = (&painter.image, grid) {
            let fresh = MapImage::new(grid);
            assert!((0..fresh.levels()).all(|level| image.level(level) == fresh.level(level)));
        }
        count
    }

    fn edited(grid: &Arc<Grid>, edits: &[Edit]) -> Arc<Grid> {
        let mut grid = Grid::clone(grid);
        grid.edit(edits, &mut Vec::new());
        Arc::new(grid)
    }

    #[test]
    fn a_map_is_painted_where_it_has_changed_and_once_for_each_revision() {
        let grid = Arc::new(Grid::open_plain(Lattice::new(90, 70, 1.0).unwrap()));
        let at = |x, y| grid.lattice().cell(x, y);
        let mut painter = MapPainter::new(Arc::clone(&grid), None);
        assert_eq!(sent(&mut painter, None), 0);
        assert_eq!(sent(&mut painter, Some(&grid)), 0);
        assert_eq!(sent(&mut painter, Some(&Arc::new(Grid::clone(&grid)))), 0, "the same revision");
        assert!(painter.image.is_none());

        let first = edited(&grid, &[Edit::Close(at(3, 4)), Edit::Close(at(5, 4)), Edit::Close(at(80, 60))]);
        assert_eq!(sent(&mut painter, Some(&first)), 2, "two places");
        assert_eq!(sent(&mut painter, Some(&first)), 0, "they are there");
        // Frames may be missed: the shown map catches up.
        let second = edited(&edited(&first, &[Edit::Open(at(3, 4))]), &[Edit::Close(at(40, 40))]);
        assert_eq!(sent(&mut painter, Some(&second)), 2);

        let swamp = edited(&second, &[Edit::Terrain(at(9, 9), 1), Edit::Height(at(89, 69), 300)]);
        assert_eq!(sent(&mut painter, Some(&swamp)), 2, "terrain and heights");
        let other = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
        assert_eq!(sent(&mut MapPainter::new(Arc::clone(&second), None), Some(&Arc::new(other))), 0, "another map");
    }
}
