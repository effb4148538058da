//! The cells in which a search may end.

use super::rows::Rows;
use super::{Goal, PlanError, Query, Status};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground, Lattice, Layer};

/// The cells in which a search may end, and the rectangle around them: estimates are taken to that.
#[derive(Clone, Debug, Default)]
pub(super) struct GoalSet {
    /// In order, each once.
    cells: Vec<Cell>,
    /// Least and greatest column and row, counted from the padding.
    least: (u32, u32),
    most: (u32, u32),
    /// The wanted cell, where the cells are only near it.
    wanted: Option<Cell>,
    /// Regions that can be reached from the start, in order.
    regions: Vec<u32>,
}

impl GoalSet {
    /// Makes it one cell.
    pub(super) fn restart(&mut self, lattice: Lattice, cell: Cell) {
        self.cells.clear();
        self.cells.push(cell);
        self.wanted = None;
        self.regions.clear();
        self.enclose(lattice);
    }

    /// The cells, in order.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>() + self.regions.capacity() * size_of::<u32>()
    }

    /// The goal, where there is one cell and no more.
    #[inline]
    pub(super) fn only(&self) -> Option<Cell> {
        match self.cells[..] {
            [cell] => Some(cell),
            _ => None,
        }
    }

    /// The first of the cells; the padding where there is none.
    pub(super) fn first(&self) -> Cell {
        self.cells.first().copied().unwrap_or(Cell::NONE)
    }

    /// True where a search may end.
    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.only().map_or_else(|| self.cells.binary_search(&cell).is_ok(), |only| only == cell)
    }

    /// The status of a search that has come to one of the cells: [`Status::Partial`] where they are only near the
    /// wanted one.
    pub(super) fn reached(&self) -> Status {
        if self.wanted.is_some_and(|wanted| !self.contains(wanted)) { Status::Partial } else { Status::Found }
    }

    /// Columns and rows from a place to the rectangle around the goal.
    #[inline]
    pub(super) fn away(&self, (x, y): (u32, u32)) -> (u32, u32) {
        (
            self.least.0.saturating_sub(x).max(x.saturating_sub(self.most.0)),
            self.least.1.saturating_sub(y).max(y.saturating_sub(self.most.1)),
        )
    }

    /// Writes the cells in which the search that a query asks for may end: passable for its radius, and in regions that
    /// hang together with the start's. `false` where there is none, so that there is no route.
    ///
    /// # Errors
    /// Where the goal is off the map or closed.
    pub(super) fn resolve(&mut self, ground: &Ground, query: &Query) -> Result<bool, PlanError> {
        let radius = query.radius.max(ground.radius());
        let regions = ground.regions(radius);
        let start = regions[query.from];
        self.cells.clear();
        self.wanted = None;
        if ground.links().is_empty() {
            self.regions.clear();
            self.regions.push(start);
        } else {
            ground.links().reachable(regions, start, &mut self.regions);
        }
        match &query.goal {
            &Goal::Cell(cell) => {
                check(ground, "goal", cell, query.radius)?;
                self.cells.push(cell);
            }
            &Goal::Within { centre, distance } => {
                within(ground, centre, distance, &mut self.cells)?;
                self.keep_passable(ground, query)?;
            }
            Goal::AnyOf(cells) => {
                if cells.iter().any(|&cell| !ground.lattice().contains(cell)) {
                    return Err(PlanError::OffMap { end: "goal" });
                }
                self.cells.extend_from_slice(cells);
                self.cells.sort_unstable();
                self.cells.dedup();
                self.keep_passable(ground, query)?;
            }
            &Goal::Nearest(cell) => {
                if !ground.lattice().contains(cell) {
                    return Err(PlanError::OffMap { end: "goal" });
                }
                if radius > ground.radius() && !ground.mobility().sizes.contains(&radius) {
                    return Err(PlanError::NotASize { radius });
                }
                self.wanted = Some(cell);
                self.nearest(ground.lattice(), regions, cell);
            }
        }
        self.cells.retain(|&cell| self.regions.binary_search(&regions[cell]).is_ok());
        self.enclose(ground.lattice());
        Ok(!self.cells.is_empty())
    }

    /// # Errors
    /// [`PlanError::NoGoal`] where none is left.
    fn keep_passable(&mut self, ground: &Ground, query: &Query) -> Result<(), PlanError> {
        self.cells.retain(|&cell| fits(ground, cell, query.radius));
        if self.cells.is_empty() { Err(PlanError::NoGoal) } else { Ok(()) }
    }

    /// Writes the reachable cells whose centres are nearest to that of `wanted`: all of them, where several are as near.
    ///
    /// O(d²) for a distance of d cells.
    fn nearest(&mut self, lattice: Lattice, regions: &Layer<u32>, wanted: Cell) {
        let (column, row) = lattice.column_row(wanted);
        let (column, row) = (i64::from(column), i64::from(row));
        let mut best = i64::MAX;
        for ring in 0..i64::from(lattice.width.max(lattice.height)) {
            // Every cell of this ring and of those further out is at least this far away.
            if ring * ring > best {
                break;
            }
            for y in row - ring..=row + ring {
                let whole_row = (y - row).abs() == ring;
                let step = if whole_row || ring == 0 { 1 } else { 2 * ring };
                for x in (column - ring..=column + ring).step_by(step as usize) {
                    let Some(cell) = lattice.checked_cell(x, y) else { continue };
                    if self.regions.binary_search(&regions[cell]).is_err() {
                        continue;
                    }
                    let far = (x - column).pow(2) + (y - row).pow(2);
                    if far < best {
                        best = far;
                        self.cells.clear();
                    }
                    if far == best {
                        self.cells.push(cell);
                    }
                }
            }
        }
        self.cells.sort_unstable();
    }

    fn enclose(&mut self, lattice: Lattice) {
        let rows = Rows::new(lattice);
        (self.least, self.most) = ((u32::MAX, u32::MAX), (0, 0));
        for &cell in &self.cells {
            let (x, y) = rows.place(cell);
            self.least = (self.least.0.min(x), self.least.1.min(y));
            self.most = (self.most.0.max(x), self.most.1.max(y));
        }
    }
}

/// True where a body of the query's radius, or else the ground's, can stand.
fn fits(ground: &Ground, cell: Cell, radius: f32) -> bool {
    ground.is_passable(cell) && (radius <= ground.radius() || ground.grid().clearance()[cell] >= radius)
}

/// # Errors
/// Where the cell is off the map, closed, or too narrow for the radius.
pub(super) fn check(ground: &Ground, end: &'static str, cell: Cell, radius: f32) -> Result<(), PlanError> {
    if !ground.lattice().contains(cell) {
        return Err(PlanError::OffMap { end });
    }
    let (x, y) = ground.lattice().column_row(cell);
    if !ground.is_passable(cell) {
        return Err(PlanError::Closed { end, x, y });
    }
    if !fits(ground, cell, radius) {
        return Err(PlanError::Narrow { end, x, y, radius });
    }
    Ok(())
}

/// Writes the cells whose centres are at most `distance` (m) from a point, in order.
fn within(ground: &Ground, centre: Vec2, distance: f32, cells: &mut Vec<Cell>) -> Result<(), PlanError> {
    if !(centre.is_finite() && distance.is_finite() && distance >= 0.0) {
        return Err(PlanError::Distance { x: centre.x, y: centre.y, distance });
    }
    let lattice = ground.lattice();
    let reach = Vec2::splat(distance);
    let (x0, y0) = lattice.column_row(lattice.at(centre - reach));
    let (x1, y1) = lattice.column_row(lattice.at(centre + reach));
    for y in y0..=y1 {
        let row = (x0..=x1).map(|x| lattice.cell(x, y));
        cells.extend(row.filter(|&cell| lattice.centre(cell).distance_squared(centre) <= distance * distance));
    }
    Ok(())
}
