//! Parts of cells that hang together by their sides.

use super::raster::{Raster, Window};

/// Where a part is and how large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Component {
    /// What holds it.
    pub window: Window,
    /// Its cells.
    pub cells: usize,
}

/// The parts of equal, non-zero classes: for each cell the number of its part, from 1, and the parts in the order of
/// their first cells. Of `seen`, cells that are true count. O(cells).
pub(super) fn components(class: &Raster<u8>) -> (Raster<u32>, Vec<Component>) {
    let Raster { width, height, .. } = *class;
    let mut label = Raster::new(width, height, 0_u32);
    let (mut parts, mut stack) = (Vec::new(), Vec::new());
    for start in 0..class.cells.len() {
        if class.cells[start] == 0 || label.cells[start] != 0 {
            continue;
        }
        let number = parts.len() as u32 + 1;
        parts.push(flood(class, &mut label, start, number, &mut stack));
    }
    (label, parts)
}

/// Gives the part of one class around a cell a number.
pub(super) fn flood(
    class: &Raster<u8>,
    label: &mut Raster<u32>,
    start: usize,
    number: u32,
    stack: &mut Vec<usize>,
) -> Component {
    let Raster { width, height, .. } = *class;
    let kind = class.cells[start];
    let mut part = Component { window: Window::of(start % width, start / width), cells: 0 };
    label.cells[start] = number;
    stack.push(start);
    while let Some(at) = stack.pop() {
        let (x, y) = (at % width, at / width);
        part.cells += 1;
        part.window.join(Window::of(x, y));
        let mut take = |beside: usize| {
            if class.cells[beside] == kind && label.cells[beside] != number {
                label.cells[beside] = number;
                stack.push(beside);
            }
        };
        if x > 0 {
            take(at - 1);
        }
        if x + 1 < width {
            take(at + 1);
        }
        if y > 0 {
            take(at - width);
        }
        if y + 1 < height {
            take(at + width);
        }
    }
    part
}
