//! Open hills.

use super::buildings::trees;
use super::dice::Dice;
use super::noise::fractal;
use super::sheet::{Sheet, centre};
use crate::geom::Vec2;
use crate::{Grid, Lattice};

/// Rounded hills, up to a seventh of the shorter side high, with slopes of up to about one in one; small woods grow in the
/// valleys.
pub(super) fn hills(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut sheet = Sheet::new(lattice, true);
    let side = lattice.width.min(lattice.height) as f32;
    let (seed, grove) = (dice.seed(), dice.seed());
    // Flat valleys, and hills that are steeper the higher they are.
    let height = |point: Vec2| {
        let rise = (0.5 + 0.9 * fractal(seed, point, side * 0.3)).clamp(0.0, 1.0);
        rise * rise * side * 0.14
    };
    let taken = Sheet::new(lattice, false);
    trees(&mut sheet, &taken, dice, |point| {
        4.0 * fractal(grove, point, side * 0.2) - 0.4 - 20.0 * height(point) / side
    });
    sheet.drop_patches(false, 2);
    let mut grid = sheet.into_grid(lattice);
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        grid.set_height(cell, (100.0 * height(centre(x as i32, y as i32))).clamp(0.0, 65_535.0) as u16);
    }
    grid
}
