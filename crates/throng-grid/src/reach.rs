//! The cells that a body can reach: the nearest of them to a point, and the gap that stops it on the way to others.

use super::geom::Vec2;
use super::{Cell, Ground};
use std::collections::VecDeque;

impl Ground {
    /// The cell nearest to a point (m) of those to which steps and open links lead from a place (m), or from the passable cell nearest
    /// to it; ties by the smaller cell. O(d²) for a distance of d cells, and O(links · regions).
    ///
    /// ```
    /// use throng_grid::{Grid, Ground, Lattice, geom::Vec2};
    /// // A closet of one cell in a wall.
    /// let mut grid = Grid::open_plain(Lattice::new(8, 3, 1.0)?);
    /// (0..9).filter(|&i| i != 4).for_each(|i| grid.set_open(grid.lattice().cell(i % 3, i / 3), false));
    /// let ground = Ground::new(grid.into(), 0.4)?;
    /// let (from, wanted) = (Vec2::new(6.5, 1.5), Vec2::new(1.5, 0.5));
    /// assert_eq!(ground.nearest_passable(wanted), Some(ground.lattice().cell(1, 1)));
    /// assert_eq!(ground.nearest_reached(from, wanted), Some(ground.lattice().cell(3, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_reached(&self, from: Vec2, point: Vec2) -> Option<Cell> {
        let (regions, from) = (self.regions(self.radius()), self.region(self.nearest_passable(from)?));
        let mut reached = vec![from];
        if !self.links().is_empty() {
            self.links().reachable(regions, from, &mut reached);
        }
        self.grid().nearest(point, |cell| reached.binary_search(&self.region(cell)).is_ok())
    }

    /// The cell to which one at a place is to go that is sent to a point (both m): the cell of the point where a body can stand there,
    /// whether a way leads there or not, else the [nearest that it can reach](Ground::nearest_reached).
    pub fn goal_cell(&self, from: Vec2, point: Vec2) -> Option<Cell> {
        let lattice = self.lattice();
        let cell = lattice.at(point);
        if !(lattice.covers(point) && self.is_passable(cell)) {
            return self.nearest_reached(from, point);
        }
        // On a border between cells the smaller one counts, if the two are joined.
        self.nearest_passable(point).filter(|&near| self.region(near) == self.region(cell)).or(Some(cell))
    }

    /// The first cell that is too narrow for this ground's body on a way on which a point gets from a cell to another: of all such
    /// ways, one with the fewest narrow cells. `None` where a body gets there, or a point does not.
    ///
    /// O(cells): a breadth-first search with costs of 0 and 1 (Dial 1969).
    ///
    /// ```
    /// use throng_grid::{Grid, Ground, Lattice};
    /// // A gap of 1 m in a wall, and a body 1.2 m wide.
    /// let mut grid = Grid::open_plain(Lattice::new(9, 7, 1.0)?);
    /// (0..7).filter(|&y| y != 3).for_each(|y| grid.set_open(grid.lattice().cell(4, y), false));
    /// let (from, to, gap) = (grid.lattice().cell(1, 3), grid.lattice().cell(7, 3), grid.lattice().cell(4, 3));
    /// assert_eq!(Ground::new(grid.clone().into(), 0.6)?.bottleneck(from, to), Some(gap));
    /// assert_eq!(Ground::new(grid.into(), 0.4)?.bottleneck(from, to), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bottleneck(&self, from: Cell, to: Cell) -> Option<Cell> {
        let lattice = self.lattice();
        if self.leads(from, to) {
            return None;
        }
        // Weights are kept only where some differ.
        let terrain = self.mobility().terrain.as_ref();
        let is_barred = |cell: Cell| terrain.is_some_and(|costs| costs.of(self.grid().terrain(cell)) == Some(None));
        let may_enter = |cell: Cell| self.grid().is_open(cell) && !is_barred(cell);
        let mut links: Vec<(Cell, Cell)> =
            self.mobility().links.iter().filter(|link| link.is_open).map(|link| (link.from, link.to)).collect();
        links.sort_unstable();
        let mut seen = vec![false; lattice.len()];
        let mut open = VecDeque::from([(from, Cell::NONE)]);
        while let Some((cell, first)) = open.pop_front() {
            if std::mem::replace(&mut seen[cell.index()], true) {
                continue;
            }
            let first = if first == Cell::NONE && !self.is_passable(cell) { cell } else { first };
            if cell == to {
                return Some(first).filter(|&first| first != Cell::NONE);
            }
            let (x, y) = lattice.column_row(cell);
            let (x, y) = (i64::from(x), i64::from(y));
            let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            let beside = beside.into_iter().filter_map(|(x, y)| lattice.checked_cell(x, y));
            let starts = links.partition_point(|&(start, _)| start < cell);
            let ends = links[starts..].iter().take_while(|&&(start, _)| start == cell).map(|&(_, end)| end);
            for next in beside.chain(ends).filter(|&next| may_enter(next) && !seen[next.index()]) {
                if self.is_passable(next) { open.push_front((next, first)) } else { open.push_back((next, first)) }
            }
        }
        None
    }
}
