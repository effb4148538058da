//! The outlines of equal cells of a map.

use super::{Cell, Lattice, Layer};

/// Corners of cells in columns and rows, in order; the last is joined to the first.
pub type Ring = Vec<(u32, u32)>;

/// Parts of a map: cells that are alike and hang together by their sides.
pub struct Outlines {
    lattice: Lattice,
    /// For each cell the number of its part, from 1; 0 in none and in the padding.
    label: Layer<u32>,
    /// Kind and number of cells of each part.
    parts: Vec<(u8, u64)>,
}

impl Outlines {
    /// Parts by the kind of each cell; cells without one are in none. O(cells).
    pub fn of(lattice: Lattice, kind: impl Fn(Cell) -> Option<u8>) -> Self {
        let mut label = Layer::new(lattice, 0);
        let (mut parts, mut stack) = (Vec::new(), Vec::new());
        for start in lattice.cells() {
            let Some(found) = kind(start).filter(|_| label[start] == 0) else { continue };
            let number = parts.len() as u32 + 1;
            label[start] = number;
            stack.push(start);
            let mut cells = 0_u64;
            while let Some(Cell(cell)) = stack.pop() {
                cells += 1;
                for beside in [cell - 1, cell + 1, cell - lattice.stride, cell + lattice.stride].map(Cell) {
                    if label[beside] == 0 && lattice.contains(beside) && kind(beside) == Some(found) {
                        label[beside] = number;
                        stack.push(beside);
                    }
                }
            }
            parts.push((found, cells));
        }
        Self { lattice, label, parts }
    }

    /// Kind and number of cells of each part; the first has the number 1.
    pub fn parts(&self) -> &[(u8, u64)] {
        &self.parts
    }

    /// The boundaries of the parts that are wanted, each with the number of its part; of one part the outer ring first.
    ///
    /// Where two cells touch at a corner only, a ring stays at the wall that it goes around: so no ring touches itself,
    /// and the polygon is a valid one.
    pub fn rings(&self, wanted: impl Fn(u32) -> bool) -> Vec<(u32, Ring)> {
        let Lattice { stride, .. } = self.lattice;
        // The cells whose upper sides were walked; every ring has such a side.
        let mut walked = Layer::new(self.lattice, false);
        let mut rings = Vec::new();
        for cell in self.lattice.cells() {
            let part = self.label[cell];
            if part == 0 || walked[cell] || self.label[Cell(cell.0 - stride)] == part || !wanted(part) {
                continue;
            }
            let start = self.lattice.column_row(cell);
            let (mut corner, mut heading) = (start, EAST);
            let mut ring = Vec::new();
            loop {
                if heading == EAST {
                    walked[self.below_right(corner)] = true;
                }
                corner = match heading {
                    EAST => (corner.0 + 1, corner.1),
                    SOUTH => (corner.0, corner.1 + 1),
                    WEST => (corner.0 - 1, corner.1),
                    _ => (corner.0, corner.1 - 1),
                };
                // To the left, straight on, to the right.
                let turns = [heading + 3, heading, heading + 1].map(|turn| turn % 4);
                let next = turns.into_iter().find(|&turn| self.is_side(part, corner, turn)).unwrap_or(EAST);
                if next != heading {
                    ring.push(corner);
                }
                heading = next;
                if corner == start && heading == EAST {
                    break;
                }
            }
            rings.push((part, ring));
        }
        rings
    }

    /// The cell below and to the right of a corner; padding at the margins of the map.
    fn below_right(&self, (x, y): (u32, u32)) -> Cell {
        Cell((y + 1) * self.lattice.stride + x + 1)
    }

    /// True where the side of cells that leaves a corner in a direction has the part on its right and something else on
    /// its left.
    fn is_side(&self, part: u32, corner: (u32, u32), heading: u8) -> bool {
        let Cell(south_east) = self.below_right(corner);
        let (south_west, north_east) = (south_east - 1, south_east - self.lattice.stride);
        let north_west = north_east - 1;
        let (inside, outside) = match heading {
            EAST => (south_east, north_east),
            SOUTH => (south_west, south_east),
            WEST => (north_west, south_west),
            _ => (north_east, north_west),
        };
        self.label[Cell(inside)] == part && self.label[Cell(outside)] != part
    }
}

const EAST: u8 = 0;
const SOUTH: u8 = 1;
const WEST: u8 = 2;
