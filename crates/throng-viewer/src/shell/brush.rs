//! Cells under a brush.

use throng_grid::{Cell, Grid, Lattice};

/// Column and row.
pub(crate) type ColumnRow = (u32, u32);

/// The places from one to another, without the first: one column or one row at a time, so that no diagonal gap is left.
pub(crate) fn line(from: ColumnRow, to: ColumnRow) -> impl Iterator<Item = ColumnRow> {
    let way = [to.0.abs_diff(from.0), to.1.abs_diff(from.1)].map(u64::from);
    let mut last = from;
    std::iter::from_fn(move || {
        if last == to {
            return None;
        }
        let done = [last.0.abs_diff(from.0), last.1.abs_diff(from.1)].map(u64::from);
        if done[0] * way[1] <= done[1] * way[0] && last.0 != to.0 {
            last.0 = if to.0 > last.0 { last.0 + 1 } else { last.0 - 1 };
        } else {
            last.1 = if to.1 > last.1 { last.1 + 1 } else { last.1 - 1 };
        }
        Some(last)
    })
}

/// The square of `width` cells around a place, as much of it as is on the map.
pub(crate) fn dab(lattice: Lattice, (x, y): ColumnRow, width: u32) -> impl Iterator<Item = Cell> {
    let (before, after) = ((width.max(1) - 1) / 2, width.max(1) / 2);
    let low = (x.saturating_sub(before), y.saturating_sub(before));
    rectangle(lattice, low, ((x + after).min(lattice.width - 1), (y + after).min(lattice.height - 1)))
}

/// All cells from one corner to another.
pub(crate) fn rectangle(lattice: Lattice, one: ColumnRow, other: ColumnRow) -> impl Iterator<Item = Cell> {
    let columns = one.0.min(other.0)..=one.0.max(other.0);
    let rows = one.1.min(other.1)..=one.1.max(other.1);
    rows.flat_map(move |row| columns.clone().map(move |column| lattice.cell(column, row)))
}

/// The cells that hang together with one by their sides and are `alike`, that one first.
pub(crate) fn fill(grid: &Grid, from: Cell, alike: impl Fn(Cell) -> bool) -> Vec<Cell> {
    let lattice = grid.lattice();
    let mut seen = vec![false; lattice.len()];
    let mut cells = Vec::new();
    let mut ahead = vec![from];
    seen[from.index()] = true;
    while let Some(cell) = ahead.pop() {
        if !alike(cell) {
            continue;
        }
        cells.push(cell);
        let (x, y) = lattice.column_row(cell);
        let (x, y) = (i64::from(x), i64::from(y));
        let sides = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        for next in sides.into_iter().filter_map(|(x, y)| lattice.checked_cell(x, y)) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                ahead.push(next);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_no_diagonal_gaps() {
        for (from, to) in [((0, 0), (7, 3)), ((9, 2), (1, 8)), ((4, 4), (4, 0)), ((3, 3), (3, 3))] {
            let mut last = from;
            for place in line(from, to) {
                assert_eq!(place.0.abs_diff(last.0) + place.1.abs_diff(last.1), 1, "{last:?} to {place:?}");
                last = place;
            }
            assert_eq!(last, to);
            assert_eq!(line(from, to).count() as u32, to.0.abs_diff(from.0) + to.1.abs_diff(from.1));
        }
    }

    #[test]
    fn squares_end_at_the_edge_and_fills_at_walls() {
        let mut grid = Grid::open_plain(Lattice::new(6, 5, 1.0).unwrap());
        let lattice = grid.lattice();
        assert_eq!(dab(lattice, (0, 0), 3).count(), 4);
        assert_eq!(dab(lattice, (3, 2), 2).count(), 4);
        for row in 0..5 {
            grid.set_open(lattice.cell(2, row), false);
        }
        let filled = fill(&grid, lattice.cell(0, 0), |cell| grid.is_open(cell));
        assert_eq!((filled[0], filled.len()), (lattice.cell(0, 0), 10));
        assert_eq!(fill(&grid, lattice.cell(2, 4), |cell| !grid.is_open(cell)).len(), 5);
    }
}
