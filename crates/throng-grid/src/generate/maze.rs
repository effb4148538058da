//! A maze.

use super::dice::Dice;
use super::sheet::Sheet;
use crate::geom::Vec2;
use crate::{Grid, Lattice};

/// Width of a corridor (cells).
const CORRIDOR: usize = 4;

/// From one corridor to the next (cells): a wall is one cell thick.
const PITCH: usize = CORRIDOR + 1;

/// Share of the walls between corridors that have a hole, so that there is more than one way.
const HOLES: f32 = 0.04;

/// Corridors of four cells by depth-first search in random order (the "recursive backtracker"), with a few holes.
pub(super) fn maze(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut sheet = Sheet::new(lattice, false);
    let (columns, rows) = ((lattice.width as usize - 1) / PITCH, (lattice.height as usize - 1) / PITCH);
    let mut seen = vec![false; columns * rows];
    let mut trail = vec![dice.below(columns * rows)];
    while let Some(&room) = trail.last() {
        open(&mut sheet, columns, room, room);
        seen[room] = true;
        let ways: Vec<usize> = beside(room, columns, rows).filter(|&next| !seen[next]).collect();
        if ways.is_empty() {
            trail.pop();
        } else {
            let next = ways[dice.below(ways.len())];
            open(&mut sheet, columns, room, next);
            trail.push(next);
        }
    }
    for room in 0..columns * rows {
        for next in beside(room, columns, rows).filter(|&next| next > room) {
            if dice.chance(HOLES) {
                open(&mut sheet, columns, room, next);
            }
        }
    }
    sheet.into_grid(lattice)
}

/// The rooms left and right of a room, above and below it.
fn beside(room: usize, columns: usize, rows: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (room % columns, room / columns);
    let ways = [
        (x > 0).then(|| room - 1),
        (x + 1 < columns).then(|| room + 1),
        (y > 0).then(|| room - columns),
        (y + 1 < rows).then(|| room + columns),
    ];
    ways.into_iter().flatten()
}

/// Opens two rooms and all between them.
fn open(sheet: &mut Sheet, columns: usize, a: usize, b: usize) {
    let corner = |room: usize| Vec2::new((room % columns * PITCH + 1) as f32, (room / columns * PITCH + 1) as f32);
    let (least, most) = (corner(a).min(corner(b)), corner(a).max(corner(b)) + Vec2::splat(CORRIDOR as f32));
    sheet.paint(least, most, true, |_| true);
}
