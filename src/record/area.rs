//! Where one can walk, as the text of a polygon.

use crate::geom::Vec2;
use crate::grid::{Cell, Grid, Lattice, Layer};
use std::fmt::Write;

/// A walkable area: one polygon, whose holes are obstacles.
#[derive(Debug)]
pub(super) struct Area {
    /// The polygon in well-known text (m).
    pub wkt: String,
    /// Least and greatest x, least and greatest y (m).
    pub bounds: [f64; 4],
}

impl Area {
    /// A rectangle of `size` (m) whose least corner is `origin` (m).
    pub fn rectangle([x0, y0]: [f64; 2], size: Vec2) -> Self {
        let (x1, y1) = (x0 + f64::from(size.x), y0 + f64::from(size.y));
        let wkt = format!("POLYGON (({x0} {y0}, {x1} {y0}, {x1} {y1}, {x0} {y1}, {x0} {y0}))");
        Self { wkt, bounds: [x0, x1, y0, y1] }
    }

    /// The largest part of a map's open cells that hangs together by their sides: readers want one polygon, not several.
    /// The whole map where nothing is open. O(cells).
    pub fn of(grid: &Grid) -> Self {
        let lattice = grid.lattice();
        let Some(part) = Part::largest(grid) else { return Self::rectangle([0.0; 2], lattice.size()) };
        let metres = |corner: u32| f64::from(corner) * f64::from(lattice.cell_size);
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        let rings: Vec<String> = part
            .rings()
            .iter()
            .map(|ring| {
                let mut text = String::new();
                for (i, &(x, y)) in ring.iter().chain(ring.first()).enumerate() {
                    let (x, y) = (metres(x), metres(y));
                    bounds = [bounds[0].min(x), bounds[1].max(x), bounds[2].min(y), bounds[3].max(y)];
                    // Writing into a string cannot fail.
                    let _ = write!(text, "{}{x} {y}", if i == 0 { "" } else { ", " });
                }
                format!("({text})")
            })
            .collect();
        Self { wkt: format!("POLYGON ({})", rings.join(", ")), bounds }
    }
}

/// Open cells that hang together by their sides.
struct Part {
    lattice: Lattice,
    /// For each cell the number of its part, from 1; 0 in walls and in the padding.
    label: Layer<u32>,
    number: u32,
}

impl Part {
    /// The one with the most cells, and of equal ones that of the first cell; `None` where nothing is open.
    fn largest(grid: &Grid) -> Option<Self> {
        let lattice = grid.lattice();
        let mut label = Layer::new(lattice, 0);
        let (mut number, mut most) = (0, 0);
        let mut stack = Vec::new();
        for (next, start) in (1..).zip(lattice.cells().filter(|&cell| grid.is_open(cell))) {
            if label[start] != 0 {
                continue;
            }
            label[start] = next;
            stack.push(start);
            let mut cells = 0_u64;
            while let Some(Cell(cell)) = stack.pop() {
                cells += 1;
                for beside in [cell - 1, cell + 1, cell - lattice.stride, cell + lattice.stride].map(Cell) {
                    if label[beside] == 0 && grid.is_open(beside) {
                        label[beside] = next;
                        stack.push(beside);
                    }
                }
            }
            if cells > most {
                (number, most) = (next, cells);
            }
        }
        (most > 0).then_some(Self { lattice, label, number })
    }

    /// The boundary: corners of cells in columns and rows, the outer ring first.
    ///
    /// Where two cells touch at a corner only, a ring stays at the wall that it goes around: so no ring touches itself,
    /// and the polygon is a valid one.
    fn rings(&self) -> Vec<Vec<(u32, u32)>> {
        let Lattice { stride, .. } = self.lattice;
        // The cells whose upper sides were walked; every ring has such a side.
        let mut walked = Layer::new(self.lattice, false);
        let mut rings = Vec::new();
        for cell in self.lattice.cells() {
            if walked[cell] || !self.has(cell.0) || self.has(cell.0 - stride) {
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
                let next = turns.into_iter().find(|&turn| self.is_side(corner, turn)).unwrap_or(EAST);
                if next != heading {
                    ring.push(corner);
                }
                heading = next;
                if corner == start && heading == EAST {
                    break;
                }
            }
            rings.push(ring);
        }
        rings
    }

    fn has(&self, cell: u32) -> bool {
        self.label[Cell(cell)] == self.number
    }

    /// The cell below and to the right of a corner; padding at the margins of the map.
    fn below_right(&self, (x, y): (u32, u32)) -> Cell {
        Cell((y + 1) * self.lattice.stride + x + 1)
    }

    /// True where the side of cells that leaves a corner in a direction has the part on its right and something else on
    /// its left.
    fn is_side(&self, corner: (u32, u32), heading: u8) -> bool {
        let Cell(south_east) = self.below_right(corner);
        let (south_west, north_east) = (south_east - 1, south_east - self.lattice.stride);
        let north_west = north_east - 1;
        let (inside, outside) = match heading {
            EAST => (south_east, north_east),
            SOUTH => (south_west, south_east),
            WEST => (north_west, south_west),
            _ => (north_east, north_west),
        };
        self.has(inside) && !self.has(outside)
    }
}

const EAST: u8 = 0;
const SOUTH: u8 = 1;
const WEST: u8 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn area(rows: &[&str]) -> Area {
        let lattice = Lattice::new(rows[0].len() as u32, rows.len() as u32, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.bytes().enumerate() {
                grid.set_open(lattice.cell(x as u32, y as u32), letter == b'.');
            }
        }
        Area::of(&grid)
    }

    #[test]
    fn walls_are_holes_and_islands_are_left_out() {
        assert_eq!(area(&["..", ".."]).wkt, "POLYGON ((2 0, 2 2, 0 2, 0 0, 2 0))");
        assert_eq!(area(&["...", ".@.", "..."]).wkt, "POLYGON ((3 0, 3 3, 0 3, 0 0, 3 0), (2 2, 2 1, 1 1, 1 2, 2 2))");
        let islands = area(&["..@.", "..@."]);
        assert_eq!(islands.wkt, "POLYGON ((2 0, 2 2, 0 2, 0 0, 2 0))");
        assert_eq!(islands.bounds, [0.0, 2.0, 0.0, 2.0]);
        assert_eq!(area(&["@@", "@@"]).wkt, "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))");
    }
}
