//! The walkable area of a map, as the text of a polygon.

use std::cmp::Reverse;
use std::fmt::Write;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Outlines};

/// A walkable area: one polygon, whose holes are obstacles.
#[derive(Debug)]
pub(super) struct WalkableArea {
    /// The polygon in well-known text (m).
    pub wkt: String,
    /// Least and greatest x, least and greatest y (m).
    pub bounds: [f64; 4],
}

impl WalkableArea {
    /// A rectangle of `size` (m) whose least corner is `origin` (m).
    pub fn rectangle([x0, y0]: [f64; 2], size: Vec2) -> Self {
        let (x1, y1) = (x0 + f64::from(size.x), y0 + f64::from(size.y));
        let wkt = format!("POLYGON (({x0} {y0}, {x1} {y0}, {x1} {y1}, {x0} {y1}, {x0} {y0}))");
        Self { wkt, bounds: [x0, x1, y0, y1] }
    }

    /// The largest connected part of a map's open cells: readers expect one polygon, not several.
    /// The whole map where nothing is open. O(cells).
    pub fn of(grid: &Grid) -> Self {
        let lattice = grid.lattice();
        let outlines = Outlines::of(lattice, |cell| grid.is_open(cell).then_some(0));
        // The one with the most cells, and of equal ones that of the first cell.
        let parts = (1..).zip(outlines.parts()).max_by_key(|&(number, &(_, cells))| (cells, Reverse(number)));
        let Some((largest, _)) = parts else { return Self::rectangle([0.0; 2], lattice.size()) };
        let metres = |corner: u32| f64::from(corner) * f64::from(lattice.cell_size);
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        let rings: Vec<String> = outlines
            .rings(|part| part == largest)
            .iter()
            .map(|(_, ring)| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    fn area(rows: &[&str]) -> WalkableArea {
        let lattice = Lattice::new(rows[0].len() as u32, rows.len() as u32, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.bytes().enumerate() {
                grid.set_open(lattice.cell(x as u32, y as u32), letter == b'.');
            }
        }
        WalkableArea::of(&grid)
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
