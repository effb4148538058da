//! Straight ways from cell to cell.

use super::cost::line_cost;
mod room;

use super::{Cell, Cost, Direction, Ground, STRAIGHT, Steps, pace};

/// Tells which cells of a [`Ground`] see each other: whether a unit may walk straight from the centre of one to the
/// centre of another, at any angle.
///
/// A straight segment passes from cell to cell through their edges and, where it meets one exactly, through a corner.
/// It is free where each of these passages is a legal step of the ground: a straight one through an edge, a diagonal one
/// through a corner. So every cell that the segment enters is passable (the supercover of the segment, for the unit's
/// size), and corners are cut as much as the ground's steps cut them. Between neighbours a segment is free exactly where
/// the step is legal, and cells that see each other are in one region. Sight is mutual.
///
/// All arithmetic is on integers and exact. A box around the segment without a closed cell answers at once; else each half
/// of the segment is looked at, until they are short enough to be walked cell by cell. So open ground costs O(1), a
/// segment that passes k corners closely O(k log n) for n cells, and the worst is O(n). The first look over a ground makes
/// its table, O(cells), 4 bytes a cell.
///
/// As a grid's steps do, this asks for the body's room on the centres of the cells only. On the way a unit of half a
/// cell and less may touch a corner of a wall that its centre passes by, unless [`LineOfSight::with_room`] asks for room
/// there too; walls are kept from bodies by [`walls`](super::walls).
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice, LineOfSight};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
/// let at = |x, y| grid.lattice().cell(x, y);
/// let (a, b, c, wall) = (at(1, 1), at(7, 4), at(8, 3), at(4, 3));
/// grid.set_open(wall, false);
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let sight = LineOfSight::new(&ground);
/// assert!(!sight.sees(a, b), "through the wall");
/// assert!(sight.sees(a, c), "above it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LineOfSight<'a> {
    ground: &'a Ground,
    moves: &'a [u8],
    closed: &'a [u32],
    stride: i32,
    /// No step is diagonal: no way leads through a corner.
    avoids_corners: bool,
    /// Clearance (m) that each cell must have, where that is more than the ground asks for.
    clearance: Option<(&'a [f32], f32)>,
    /// The distance (m) that lines keep from walls on the whole way, and how far cells are from them (m).
    room: Option<(f32, &'a [f32])>,
}

/// Columns of a piece of a segment that is walked cell by cell.
const PIECE_COLUMNS: u32 = 6;

impl<'a> LineOfSight<'a> {
    /// The lines of sight over a ground.
    pub fn new(ground: &'a Ground) -> Self {
        let closed = &ground.closed_before().0.cells;
        let (moves, stride) = (&ground.moves_layer().cells, ground.lattice().stride as i32);
        let avoids_corners = matches!(ground.steps(), Steps::Four);
        Self { ground, moves, closed, stride, avoids_corners, clearance: None, room: None }
    }

    /// The same for bodies of `radius` metres, where that is more than the ground's: a cell is passable where such a body
    /// is clear of walls on its centre. Each segment is then walked cell by cell.
    #[must_use]
    pub fn for_radius(mut self, radius: f32) -> Self {
        self.clearance = (radius > self.ground.radius()).then(|| (&*self.ground.grid().clearance().cells, radius));
        self
    }

    /// The legal steps out of a cell, as [`Ground::moves`].
    #[inline]
    pub fn moves(&self, cell: Cell) -> u8 {
        let legal = self.moves[cell.index()];
        self.clearance.map_or(legal, |clearance| self.wide_moves(cell, legal, clearance))
    }

    fn wide_moves(&self, cell: Cell, legal: u8, (clearance, radius): (&[f32], f32)) -> u8 {
        let mut free = 0;
        for (d, &offset) in self.ground.lattice().offsets().iter().enumerate() {
            let wide = clearance[cell.index().wrapping_add_signed(offset as isize)] >= radius;
            free |= u8::from(wide) << d;
        }
        // Of a side the legal steps say whether terrain allows it, of a diagonal neighbour only its own step matters.
        legal & self.ground.steps().mask(free & (legal | 0xf0))
    }

    /// True where a unit may stand on the centre of a cell.
    fn is_passable(&self, cell: Cell) -> bool {
        self.ground.is_passable(cell)
            && self.clearance.is_none_or(|(clearance, radius)| clearance[cell.index()] >= radius)
    }

    /// True where a unit may walk straight from `a` to `b`. A passable cell sees itself; a closed one sees nothing.
    ///
    /// Both cells must be on the map.
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        let lattice = self.ground.lattice();
        let ((ax, ay), (bx, by)) = (lattice.column_row(a), lattice.column_row(b));
        self.is_passable(a) && self.sees_by(a, bx as i32 - ax as i32, by as i32 - ay as i32)
    }

    /// Cost of the straight way from `a` to `b`: its length × [`STRAIGHT`], rounded up, and on ground that is not uniform
    /// each part of it times the cost of the terrain there. To a neighbour it is that of the step,
    /// [`Ground::step_cost`]. `None` where `a` does not see `b`.
    ///
    /// On uniform ground costs of lines are a metric: no way round is cheaper. On other ground O(width + height).
    ///
    /// ```
    /// use throng_grid::{Grid, Ground, Lattice, LineOfSight, STRAIGHT};
    /// let ground = Ground::new(Grid::open_plain(Lattice::new(9, 9, 1.0)?).into(), 0.4)?;
    /// let at = |x, y| ground.lattice().cell(x, y);
    /// assert_eq!(LineOfSight::new(&ground).cost(at(1, 1), at(4, 5)), Some(5 * u64::from(STRAIGHT)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost(&self, a: Cell, b: Cell) -> Option<Cost> {
        let lattice = self.ground.lattice();
        let ((ax, ay), (bx, by)) = (lattice.column_row(a), lattice.column_row(b));
        let (dx, dy) = (bx as i32 - ax as i32, by as i32 - ay as i32);
        if !(self.is_passable(a) && self.sees_by(a, dx, dy)) {
            return None;
        }
        if self.ground.is_uniform() {
            return Some(line_cost(dx, dy).into());
        }
        if let Some(direction) = Direction::ALL.into_iter().find(|direction| direction.step() == (dx, dy)) {
            return Some(self.ground.step_cost(a, b, direction).into());
        }
        let line = self.line(a, dx, dy);
        let length = f64::from(dx * dx + dy * dy).sqrt();
        if !self.ground.is_level() {
            return Some(line.sloping_cost(length));
        }
        Some((length * f64::from(STRAIGHT) * line.mean_weight()).ceil() as Cost)
    }

    /// The cells that the straight way from `a` to `b` enters, both included, each a neighbour of the one before. Where it is
    /// free, all steps between them are legal.
    ///
    /// ```
    /// use throng_grid::{Grid, Ground, Lattice, LineOfSight};
    /// let ground = Ground::new(Grid::open_plain(Lattice::new(9, 9, 1.0)?).into(), 0.4)?;
    /// let at = |x, y| ground.lattice().cell(x, y);
    /// let cells: Vec<_> = LineOfSight::new(&ground).cells(at(1, 1), at(3, 2)).collect();
    /// assert_eq!(cells, [at(1, 1), at(2, 1), at(2, 2), at(3, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cells(&self, a: Cell, b: Cell) -> impl Iterator<Item = Cell> {
        let lattice = self.ground.lattice();
        let ((ax, ay), (bx, by)) = (lattice.column_row(a), lattice.column_row(b));
        let line = self.line(a, bx as i32 - ax as i32, by as i32 - ay as i32);
        let mut passages = line.passages(0, 0);
        let next =
            move |&cell: &Cell| (cell != b).then(|| Cell(cell.0.wrapping_add_signed(line.steps[passages.next()])));
        std::iter::successors(Some(a), next)
    }

    /// As [`LineOfSight::sees`], for the cell that is `dx` columns and `dy` rows from `a`, which must be on the map; `a` must be
    /// passable.
    #[inline]
    pub fn sees_by(&self, a: Cell, dx: i32, dy: i32) -> bool {
        if self.avoids_corners && meets_corner(dx, dy) {
            return false;
        }
        self.clearance.is_none() && self.box_is_free(a, dx, dy)
            || self.line(a, dx, dy).is_free() && self.has_room(a, dx, dy)
    }

    /// True where no cell is closed in the box that has these corners.
    #[inline]
    fn box_is_free(&self, a: Cell, dx: i32, dy: i32) -> bool {
        let before = a.0 as i32 + dx.min(0) - 1 + (dy.min(0) - 1) * self.stride;
        let (width, height) = (dx.abs() + 1, (dy.abs() + 1) * self.stride);
        let closed = |cell: i32| self.closed[cell as usize];
        closed(before + width + height) + closed(before) == closed(before + width) + closed(before + height)
    }

    #[inline]
    fn line(&self, a: Cell, dx: i32, dy: i32) -> Line<'_> {
        let across = if dx < 0 { (Direction::West, -1) } else { (Direction::East, 1) };
        let down = if dy < 0 { (Direction::North, -self.stride) } else { (Direction::South, self.stride) };
        let diagonal = match (dx < 0, dy < 0) {
            (false, true) => Direction::NorthEast,
            (false, false) => Direction::SouthEast,
            (true, false) => Direction::SouthWest,
            (true, true) => Direction::NorthWest,
        };
        let (nx, ny) = (dx.unsigned_abs(), dy.unsigned_abs());
        let (length, height, along, beside) = if nx >= ny { (nx, ny, across, down) } else { (ny, nx, down, across) };
        Line {
            sight: self,
            start: a.0 as i32,
            length,
            height,
            slope: (height << 16) / length.max(1),
            steps: [along.1, along.1 + beside.1, beside.1],
            bits: [along.0, diagonal, beside.0].map(|d| 1 << d as u8),
        }
    }
}

/// True where the segment to the cell that is `dx` columns and `dy` rows away meets a corner of a cell: once both are divided by what they
/// have in common, they are odd.
fn meets_corner(dx: i32, dy: i32) -> bool {
    dx != 0 && dy != 0 && dx.trailing_zeros() == dy.trailing_zeros()
}

/// A segment, turned so that it leads along the rows: `length` columns on and `height` ≤ `length` rows up.
struct Line<'a> {
    sight: &'a LineOfSight<'a>,
    start: i32,
    length: u32,
    height: u32,
    /// Rows a column in 65536ths, rounded down.
    slope: u32,
    /// In memory: to the next column, to both, to the next row.
    steps: [i32; 3],
    /// Of a mask of legal moves.
    bits: [u8; 3],
}

impl Line<'_> {
    /// Whether the segment is free, where the box around it is not.
    fn is_free(&self) -> bool {
        if self.length <= PIECE_COLUMNS || self.sight.clearance.is_some() {
            return self.walk(0, self.length);
        }
        // The columns in which the pieces end that are left to look at; the next begins in `column`.
        let mut ends = [self.length; 16];
        ends[1] = self.length / 2;
        let (mut left, mut column) = (2, 0);
        loop {
            let end = ends[left - 1];
            if !self.box_is_free(column, end) {
                if end - column > PIECE_COLUMNS {
                    ends[left] = column.midpoint(end);
                    left += 1;
                    continue;
                }
                if !self.walk(column, end) {
                    return false;
                }
            }
            left -= 1;
            if left == 0 {
                return true;
            }
            column = end;
        }
    }

    /// The row in which the segment comes into a column; where it comes through a corner, the further of the two.
    #[inline]
    fn entry(&self, column: u32) -> u32 {
        // It comes in (column - 1/2) height / length above the middle of row 0.
        if column == 0 { 0 } else { ((2 * column - 1) * self.height + self.length) / (2 * self.length) }
    }

    #[inline]
    fn cell(&self, column: u32, row: u32) -> i32 {
        self.start + column as i32 * self.steps[0] + row as i32 * self.steps[2]
    }

    /// True where no cell around the segment from one column to another is closed.
    #[inline]
    fn box_is_free(&self, column: u32, end: u32) -> bool {
        // The rows in which it comes in and goes out, or one more: below 2^32, since no side is longer than 2^14.
        let row = ((2 * column).saturating_sub(1) * self.slope + (1 << 16)) >> 17;
        let top = (((2 * end + 1) * (self.slope + 1) + (1 << 16)) >> 17).min(self.height);
        let [along, _, beside] = self.steps;
        let first = self.cell(if along < 0 { end } else { column }, if beside < 0 { top } else { row });
        let before = first - 1 - self.sight.stride;
        let width = along.abs() * (end - column + 1) as i32;
        let height = beside.abs() * (top - row + 1) as i32;
        let closed = |cell: i32| self.sight.closed[cell as usize];
        closed(before + width + height) + closed(before) == closed(before + width) + closed(before + height)
    }

    /// True where every passage is legal from the first cell of the segment in a column to its first in another, or to
    /// its end.
    fn walk(&self, column: u32, end: u32) -> bool {
        let row = self.entry(column);
        let mut cell = self.cell(column, row);
        let to = self.cell(end, if end == self.length { self.height } else { self.entry(end) });
        let mut passages = self.passages(column, row);
        while cell != to {
            let next = passages.next();
            if self.sight.moves(Cell(cell as u32)) & self.bits[next] == 0 {
                return false;
            }
            cell += self.steps[next];
        }
        true
    }

    /// The passages after the first cell of the segment in a column.
    #[inline]
    fn passages(&self, column: u32, row: u32) -> Passages {
        let (nx, ny) = (self.length as i32, self.height as i32);
        let ahead = (2 * column as i32 + 1) * ny - (2 * row as i32 + 1) * nx;
        Passages { ahead, changes: [2 * ny, 2 * (ny - nx), -2 * nx] }
    }

    /// The cost of terrain, averaged along a segment that is free.
    /// Cost of the line where heights differ: it is as many pieces of one length as it passes cells, each as steep as it
    /// takes from one cell to the next.
    fn sloping_cost(&self, length: f64) -> Cost {
        let ground = self.sight.ground;
        let to = self.cell(self.length, self.height);
        let (mut pieces, mut cell, mut passages) = (0_u32, self.cell(0, 0), self.passages(0, 0));
        while cell != to {
            cell += self.steps[passages.next()];
            pieces += 1;
        }
        let piece = length / f64::from(pieces.max(1));
        let metres = piece * f64::from(ground.lattice().cell_size);
        let (mut sum, mut cell, mut passages) = (0.0, self.cell(0, 0), self.passages(0, 0));
        while cell != to {
            let next = cell + self.steps[passages.next()];
            let (here, there) = (Cell(cell as u32), Cell(next as u32));
            let weight = f64::from(u32::from(ground.weight(here)) + u32::from(ground.weight(there))) * 0.5;
            let slope = f64::from(ground.rise(here, there)) / (100.0 * metres);
            sum += weight / f64::from(pace(slope as f32));
            cell = next;
        }
        (sum * piece * f64::from(STRAIGHT)).ceil() as Cost
    }

    fn mean_weight(&self) -> f64 {
        // In 1 / (2 length height) of the segment, which every passage is a multiple of.
        let (nx, ny) = (u64::from(self.length.max(1)), u64::from(self.height.max(1)));
        let weight = |cell: i32| u64::from(self.sight.ground.weight(Cell(cell as u32)));
        let to = self.cell(self.length, self.height);
        let mut passages = self.passages(0, 0);
        let (mut cell, mut column, mut row, mut done, mut sum) = (self.cell(0, 0), 0, 0, 0, 0);
        while cell != to {
            let next = passages.next();
            // Through a corner both are the same.
            let here = if next == 2 { (2 * row + 1) * nx } else { (2 * column + 1) * ny };
            sum += (here - done) * weight(cell);
            done = here;
            column += u64::from(next < 2);
            row += u64::from(next > 0);
            cell += self.steps[next];
        }
        let all = 2 * nx * ny;
        sum += (all - done) * weight(to);
        sum as f64 / all as f64
    }
}

/// How a segment passes from cell to cell: 0 to the next column, 1 to both, 2 to the next row.
struct Passages {
    /// The i-th edge between columns is met at (2i + 1) / 2nx of the way, the j-th between rows at (2j + 1) / 2ny; this is
    /// (2i + 1)ny - (2j + 1)nx, i and j counted from 0: at most 2^29, since sides are at most 2^14.
    ahead: i32,
    changes: [i32; 3],
}

impl Passages {
    #[inline]
    fn next(&mut self) -> usize {
        let next = (self.ahead.signum() + 1) as usize;
        self.ahead += self.changes[next];
        next
    }
}
