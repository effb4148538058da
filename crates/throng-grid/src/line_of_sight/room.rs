//! Lines that keep a body's distance from the corners of walls.

use super::LineOfSight;
use crate::{Cell, Corners, Steps};

impl LineOfSight<'_> {
    /// The same for lines on which the whole body is clear of walls: every point of a line of more than one step is at
    /// least its radius from every closed cell and from the edge of the map. The radius is that of
    /// [`LineOfSight::for_radius`], or the ground's where that is more. On ground whose steps cut corners lines cut them too. A
    /// single step is one of the grid: half-way along a diagonal step a body with a radius of 1.42 to 1.58 cells is up to
    /// 0.17 cells nearer to a corner.
    ///
    /// A line that passes walls costs O(its length × radius in cells) near them; where it is far from all, the distance of a cell
    /// from the nearest wall is skipped at once.
    ///
    /// ```
    /// use throng_grid::{Grid, Ground, Lattice, LineOfSight};
    /// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
    /// let at = |x, y| grid.lattice().cell(x, y);
    /// let (a, b, wall) = (at(1, 1), at(6, 3), at(4, 3));
    /// grid.set_open(wall, false);
    /// let ground = Ground::new(grid.into(), 0.45)?;
    /// let sight = LineOfSight::new(&ground);
    /// assert!(sight.sees(a, b), "the centre of the body passes the corner");
    /// assert!(!sight.with_room().sees(a, b), "its side does not");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_room(mut self) -> Self {
        let cuts = matches!(self.ground.steps(), Steps::Eight(Corners::OneSide | Corners::Always));
        let radius = self.clearance.map_or(self.ground.radius(), |(_, radius)| radius);
        self.room = (!cuts).then(|| (radius, &*self.ground.grid().clearance().cells));
        self
    }

    /// True where no corner of a closed cell is nearer than the room to the inside of the line from `a`. At its ends the
    /// centres of cells are clear, and a line that enters no closed cell is nearest to one at a corner or at an end.
    pub(super) fn has_room(&self, a: Cell, dx: i32, dy: i32) -> bool {
        let Some((room, clearance)) = self.room.filter(|_| dx.abs().max(dy.abs()) > 1) else { return true };
        let lattice = self.ground.lattice();
        let cell_size = f64::from(lattice.cell_size);
        // In half cells.
        let room = f64::from(room) / cell_size * 2.0;
        let length = (f64::from(dx) * f64::from(dx) + f64::from(dy) * f64::from(dy)).sqrt();
        let (x0, y0) = (a.0 as i32 % self.stride, a.0 as i32 / self.stride);
        let is_flat = dx.abs() >= dy.abs();
        // Along the longer side and across it.
        let (long, short, from, across, ends) = if is_flat {
            (dx, dy, x0, y0, (lattice.width, lattice.height))
        } else {
            (dy, dx, y0, x0, (lattice.height, lattice.width))
        };
        let (last, last_across) = (ends.0 as i32 + 1, ends.1 as i32 + 1);
        let slope = f64::from(short) / f64::from(long);
        let beyond = (room * 0.5).ceil() as i32;
        let reach = room * 0.5 * length / f64::from(long.abs());
        let (first, end) = (from.min(from + long) + 1 - beyond, from.max(from + long) + beyond);
        let (a_metre, a_step) = (1.0 / cell_size, f64::from(long.abs()) / length);
        let mut next = first.max(1);
        while next <= end.min(last) {
            let i = next;
            let along = 2 * (i - from) - 1;
            let middle = f64::from(across) + 0.5 + f64::from(along) * 0.5 * slope;
            let row = middle as i32;
            if i < last && row >= 1 && row < last_across {
                let (x, y) = if is_flat { (i, row) } else { (row, i) };
                // The middle of the cell is no further than half its diagonal.
                let free = f64::from(clearance[(x + y * self.stride) as usize]) * a_metre - 0.708;
                // A corner of a later column that is too near to the line is no further from here than these columns and the room.
                let columns = free * a_step - room * 0.5;
                if columns > 0.0 {
                    next += columns as i32 + 1;
                    continue;
                }
            }
            next += 1;
            let (low, high) = ((middle - reach).max(0.0), (middle + reach) as i32);
            let low = low as i32 + i32::from(low > f64::from(low as i32));
            for j in low.max(1)..=high.min(last_across) {
                let beside = 2 * (j - across) - 1;
                let on_way = i64::from(along) * i64::from(long) + i64::from(beside) * i64::from(short);
                let on_way = on_way > 0 && (on_way as f64) < 2.0 * length * length;
                let away = (i64::from(along) * i64::from(short) - i64::from(beside) * i64::from(long)).abs() as f64;
                let corner = if is_flat { (i, j) } else { (j, i) };
                if on_way && away < room * length * (1.0 - 1e-9) && self.is_solid(corner) {
                    return false;
                }
            }
        }
        true
    }

    /// True where one of the four cells around the upper left corner of a cell is closed.
    fn is_solid(&self, (x, y): (i32, i32)) -> bool {
        let cell = (x + y * self.stride) as usize;
        let words = self.ground.grid().words();
        !(are_open(words, cell - 1) && are_open(words, cell - 1 - self.stride as usize))
    }
}

/// True where a cell and the next one are open.
fn are_open(words: &[u64], cell: usize) -> bool {
    let (word, bit) = (cell / 64, cell % 64);
    let next = if bit == 63 { words[word + 1] << 1 } else { 0 };
    (words[word] >> bit | next) & 3 == 3
}
