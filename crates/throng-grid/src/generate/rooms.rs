//! A building of many rooms.

use super::dice::Dice;
use super::sheet::Sheet;
use crate::{Grid, Lattice};

/// A room is cut while one of its sides is longer than this (cells), most of the time.
const MAX_SIDE_CELLS: i32 = 22;

/// No side of a room is shorter (cells).
const MIN_SIDE_CELLS: i32 = 6;

/// Cuts the building in two by a wall with one or two doors, and the parts again, until rooms are left (binary space
/// partition).
pub(super) fn rooms(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut sheet = Sheet::new(lattice, true);
    let (width, height) = (sheet.width, sheet.height);
    for x in 0..width {
        sheet.set(x, 0, false);
        sheet.set(x, height - 1, false);
    }
    for y in 0..height {
        sheet.set(0, y, false);
        sheet.set(width - 1, y, false);
    }
    let mut parts = vec![(1, 1, width - 2, height - 2)];
    while let Some((x, y, w, h)) = parts.pop() {
        let long = w.max(h);
        if long < 2 * MIN_SIDE_CELLS + 1 || (long <= MAX_SIDE_CELLS && dice.chance(0.6)) {
            continue;
        }
        let upright = w >= h;
        // Where no door of another wall is blocked.
        let free = |at: i32| {
            if upright {
                sheet.at(x + at, y - 1) || sheet.at(x + at, y + h)
            } else {
                sheet.at(x - 1, y + at) || sheet.at(x + w, y + at)
            }
        };
        let cuts: Vec<i32> = (MIN_SIDE_CELLS..long - MIN_SIDE_CELLS).filter(|&at| !free(at)).collect();
        if cuts.is_empty() {
            continue;
        }
        let at = cuts[dice.below(cuts.len())];
        let across = w.min(h);
        for i in 0..across {
            if upright { sheet.set(x + at, y + i, false) } else { sheet.set(x + i, y + at, false) }
        }
        for _ in 0..1 + across / 40 + i32::from(dice.chance(0.25)) {
            let door = 3 + dice.below(2) as i32;
            let from = 1 + dice.below((across - door - 1).max(1) as usize) as i32;
            for i in from..(from + door).min(across) {
                if upright { sheet.set(x + at, y + i, true) } else { sheet.set(x + i, y + at, true) }
            }
        }
        if upright {
            parts.push((x, y, at, h));
            parts.push((x + at + 1, y, w - at - 1, h));
        } else {
            parts.push((x, y, w, at));
            parts.push((x, y + at + 1, w, h - at - 1));
        }
    }
    sheet.into_grid(lattice)
}
