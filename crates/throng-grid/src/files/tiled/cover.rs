//! Shapes into cells. Lengths are in cells, so that the centre of cell `(3, 2)` is at `(3.5, 2.5)`.
//!
//! A cell is covered where its centre is inside a shape or on its outline. Where a shape lies between the centres of two
//! cells side by side and covers neither, the one nearer to it is covered: so no wall that parts two cells vanishes,
//! however thin it is.

use std::ops::Range;

/// Points nearer to each other than this touch.
const TOUCHING: f64 = 1e-6;

/// A shape: its corners in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outline {
    pub corners: Vec<[f64; 2]>,
    /// What it encloses belongs to it, and the last corner leads to the first.
    pub is_filled: bool,
}

impl Outline {
    /// The shape elsewhere.
    pub fn map(&self, place: impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        Self { corners: self.corners.iter().map(|&corner| place(corner)).collect(), is_filled: self.is_filled }
    }

    fn edges(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        let back = self.corners.first().filter(|_| self.is_filled);
        self.corners.iter().copied().zip(self.corners.iter().skip(1).chain(back).copied())
    }
}

/// Cells within which shapes are looked at.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub columns: Range<i64>,
    pub rows: Range<i64>,
}

/// Calls `take` with each covered cell in the window, with some more than once. `left` is the work that may be done;
/// `None` where it is not enough.
pub(super) fn cover(outline: &Outline, window: &Window, left: &mut u64, mut take: impl FnMut(i64, i64)) -> Option<()> {
    if !outline.corners.iter().flatten().all(|at| at.is_finite()) {
        return Some(());
    }
    let mut places = Vec::new();
    for along in [0, 1] {
        let (cells, lines) = if along == 0 { (&window.columns, &window.rows) } else { (&window.rows, &window.columns) };
        for line in lines_of(outline, 1 - along, lines) {
            // A hair to both sides, so that outlines along the line count.
            for at in [line as f64 + 0.5 - TOUCHING, line as f64 + 0.5 + TOUCHING] {
                *left = left.checked_sub(outline.corners.len() as u64 + 1)?;
                crossings(outline, along, at, &mut places);
                let step = if outline.is_filled { 2 } else { 1 };
                for stretch in places.chunks(step) {
                    let covered = stretch_cells(stretch[0], stretch[stretch.len() - 1]);
                    let covered = covered.start.max(cells.start)..covered.end.min(cells.end);
                    *left = left.checked_sub((covered.end - covered.start).max(0) as u64)?;
                    covered.for_each(|cell| if along == 0 { take(cell, line) } else { take(line, cell) });
                }
            }
        }
    }
    Some(())
}

/// The lines through centres of cells that a shape can reach.
fn lines_of(outline: &Outline, across: usize, lines: &Range<i64>) -> Range<i64> {
    let places = outline.corners.iter().map(|corner| corner[across]);
    let (least, most) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), at| (a.min(at), b.max(at)));
    (((least - 1.0).floor() as i64).max(lines.start))..(((most + 1.0).ceil() as i64).min(lines.end))
}

/// Where a shape crosses a line, in order.
fn crossings(outline: &Outline, along: usize, at: f64, places: &mut Vec<f64>) {
    let across = 1 - along;
    places.clear();
    for (a, b) in outline.edges() {
        if (a[across] <= at) != (b[across] <= at) {
            let part = (at - a[across]) / (b[across] - a[across]);
            places.push(a[along] + part * (b[along] - a[along]));
        }
    }
    places.sort_unstable_by(f64::total_cmp);
}

/// The cells that a stretch of the line through their centres covers: at least one.
fn stretch_cells(from: f64, to: f64) -> Range<i64> {
    let (first, last) = ((from - TOUCHING - 0.5).ceil() as i64, (to + TOUCHING - 0.5).floor() as i64);
    if first <= last {
        return first..last.saturating_add(1);
    }
    let nearer = (f64::midpoint(from, to) + TOUCHING).floor() as i64;
    nearer..nearer.saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(corners: &[[f64; 2]], is_filled: bool) -> String {
        let outline = Outline { corners: corners.to_vec(), is_filled };
        let mut cells = [[b'.'; 4]; 4];
        let window = Window { columns: 0..4, rows: 0..4 };
        cover(&outline, &window, &mut 10_000, |x, y| cells[y as usize][x as usize] = b'#').unwrap();
        cells.map(|row| String::from_utf8_lossy(&row).into_owned()).join(" ")
    }

    #[test]
    fn shapes_cover_the_cells_whose_centres_they_cover_and_no_wall_vanishes() {
        let rectangle = |[x, y, w, h]: [f64; 4]| rows(&[[x, y], [x + w, y], [x + w, y + h], [x, y + h]], true);
        assert_eq!(rectangle([1.0, 1.0, 2.0, 1.0]), ".... .##. .... ....");
        assert_eq!(rectangle([1.5, 1.5, 1.0, 1.0]), ".... .##. .##. ....", "its sides are on centres");
        assert_eq!(rectangle([-9.0, 0.6, 90.0, 1.2]), ".... #### .... ....");
        // Half cells: the edge is on the centre.
        for half in [[1.0, 1.0, 0.5, 1.0], [1.5, 1.0, 0.5, 1.0], [1.0, 1.0, 1.0, 0.5], [1.0, 1.5, 1.0, 0.5]] {
            assert_eq!(rectangle(half), ".... .#.. .... ....", "{half:?}");
        }
        // Thin ones between centres, and one that parts no two cells.
        assert_eq!(rectangle([0.8, 0.0, 0.1, 4.0]), "#... #... #... #...");
        assert_eq!(rectangle([0.9, 0.0, 0.4, 4.0]), ".#.. .#.. .#.. .#..");
        assert_eq!(rectangle([1.6, 1.6, 0.2, 0.2]), ".... .... .... ....");
        // Half of a cell, cut from corner to corner.
        assert_eq!(rows(&[[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]], true), ".... .#.. .... ....");
        // Lines: along a border, through centres, across corners.
        assert_eq!(rows(&[[0.0, 2.0], [4.0, 2.0]], false), ".... .... #### ....");
        assert_eq!(rows(&[[0.5, 0.5], [0.5, 3.5]], false), "#... #... #... #...");
        assert_eq!(rows(&[[0.0, 0.0], [4.0, 4.0]], false), "#... .#.. ..#. ...#");
        assert_eq!(rows(&[[f64::NAN, 0.0], [4.0, 4.0]], false), ".... .... .... ....");
    }
}
