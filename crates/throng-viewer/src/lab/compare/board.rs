//! The map under the mouse: the start and the goal that are dragged, the walls that are painted and erased.

use crate::shell::brush;
use crate::shell::undo_stack::UndoStack;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg32;
use std::convert::Infallible;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Lattice};

/// A random trip is the longest of this number.
const RANDOM_TRIP_TRIES: u32 = 8;

/// A drag of the mouse while its button is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardDrag {
    /// The start.
    From,
    /// The goal.
    To,
    /// A brush that opens or closes cells, last over this column and row.
    Brush { open: bool, last: (u32, u32) },
}

/// The cells that a stroke has changed, and whether they were open before.
type CellStroke = Vec<(Cell, bool)>;

/// The map as it is now, and the trip on it.
#[derive(Debug)]
pub(super) struct Board {
    grid: Grid,
    /// The map as it was at first.
    original: Arc<Grid>,
    /// Start and goal; `None` while nothing is open.
    trip: Option<(Cell, Cell)>,
    hold: Option<BoardDrag>,
    /// Cells that were opened or closed since they were taken.
    dirty: Vec<Cell>,
    strokes: UndoStack<CellStroke>,
    random: Pcg32,
}

impl Board {
    /// The ground's map with this trip, or a random one.
    pub fn new(ground: &Ground, trip: Option<(Cell, Cell)>, seed: u64) -> Self {
        let original = Arc::clone(ground.grid());
        let random = Pcg32::seed_from_u64(seed);
        let mut board = Self {
            grid: (*original).clone(),
            original,
            trip,
            hold: None,
            dirty: Vec::new(),
            strokes: UndoStack::default(),
            random,
        };
        if trip.is_none() {
            board.scatter(ground);
        }
        board
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Start and goal.
    pub fn trip(&self) -> Option<(Cell, Cell)> {
        self.trip
    }

    /// The present drag.
    pub fn hold(&self) -> Option<BoardDrag> {
        self.hold
    }

    /// The cells that were opened or closed since the last call.
    pub fn take_dirty(&mut self) -> Vec<Cell> {
        std::mem::take(&mut self.dirty)
    }

    /// The drag that a press at a point (m) starts: of the start or the goal within `reach` metres of it, the goal
    /// where both are as near, or a brush that does to all cells what it does to the first; nothing off the map.
    pub fn under(&self, point: Vec2, reach: f32) -> Option<BoardDrag> {
        let lattice = self.lattice();
        let distance = |cell: Cell| lattice.centre(cell).distance(point);
        if let Some((from, to)) = self.trip {
            let (to_start, to_goal) = (distance(from), distance(to));
            if to_goal.min(to_start) <= reach {
                return Some(if to_start < to_goal { BoardDrag::From } else { BoardDrag::To });
            }
        }
        lattice.covers(point).then(|| {
            let cell = lattice.at(point);
            BoardDrag::Brush { open: !self.grid.is_open(cell), last: lattice.column_row(cell) }
        })
    }

    /// Starts the drag under a point (m); a brush begins to paint. `width` is that of the brush (cells).
    pub fn press(&mut self, point: Vec2, reach: f32, width: u32) {
        self.hold = self.under(point, reach);
        if let Some(BoardDrag::Brush { open, last }) = self.hold {
            self.strokes.done.push(Vec::new());
            self.dab(last, open, width);
        }
    }

    /// Follows the pointer to another point (m). Start and goal go to the nearest cell that is passable. True where
    /// something has changed.
    pub fn drag(&mut self, point: Vec2, width: u32, ground: &Ground) -> bool {
        match self.hold {
            None => false,
            Some(hold @ (BoardDrag::From | BoardDrag::To)) => {
                let near = self.grid.nearest(point, |cell| self.grid.is_open(cell) && ground.is_passable(cell));
                let (Some((from, to)), Some(cell)) = (self.trip, near) else { return false };
                let moved = if hold == BoardDrag::From { (cell, to) } else { (from, cell) };
                self.trip.replace(moved) != Some(moved)
            }
            Some(BoardDrag::Brush { open, mut last }) => {
                let before = self.dirty.len();
                let lattice = self.lattice();
                let end = lattice.column_row(lattice.at(point));
                for place in brush::line(last, end) {
                    self.dab(place, open, width);
                }
                last = end;
                self.hold = Some(BoardDrag::Brush { open, last });
                self.dirty.len() > before
            }
        }
    }

    /// Ends the drag.
    pub fn release(&mut self) {
        self.hold = None;
    }

    /// Takes a random trip between passable cells that hang together, where there are any.
    pub fn scatter(&mut self, ground: &Ground) {
        let lattice = self.lattice();
        let cells: Vec<Cell> = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
        if cells.is_empty() {
            return;
        }
        let mut best = None;
        for _ in 0..RANDOM_TRIP_TRIES {
            let from = cells[self.random.random_range(0..cells.len())];
            // If regions are small, chance alone would seldom find another cell of the same.
            let other = (0..256).map(|_| cells[self.random.random_range(0..cells.len())]);
            let to = other.into_iter().find(|&to| ground.region(to) == ground.region(from)).unwrap_or(from);
            let distance = lattice.centre(from).distance(lattice.centre(to));
            if best.is_none_or(|(longest, _)| distance > longest) {
                best = Some((distance, (from, to)));
            }
        }
        self.trip = best.map(|(_, trip)| trip);
    }

    /// Takes another start and goal; they are opened where they were painted over.
    pub fn travel(&mut self, (from, to): (Cell, Cell)) {
        self.hold = None;
        self.trip = Some((from, to));
        self.strokes.done.push(Vec::new());
        for cell in [from, to] {
            self.dab(self.lattice().column_row(cell), true, 1);
        }
    }

    /// Makes the map what it was at first.
    pub fn restore(&mut self) {
        let changed = self.lattice().cells().filter(|&cell| self.grid.is_open(cell) != self.original.is_open(cell));
        let changed: Vec<Cell> = changed.collect();
        self.dirty.extend_from_slice(&changed);
        self.strokes.push(changed.into_iter().map(|cell| (cell, self.grid.is_open(cell))).collect());
        self.grid.clone_from(&self.original);
        self.hold = None;
    }

    /// Opens or closes the square of cells around a column and row; start and goal stay open.
    fn dab(&mut self, (x, y): (u32, u32), open: bool, width: u32) {
        let cells: Vec<_> = brush::dab(self.lattice(), (x, y), width).map(|cell| (cell, open)).collect();
        let changed = self.make(&cells);
        if !changed.is_empty() {
            self.strokes.undone.clear();
        }
        if let Some(stroke) = self.strokes.done.last_mut() {
            stroke.extend(changed);
        }
    }

    /// Undoes the last stroke, or the last restoration of the map; start and goal stay open. Strokes that have changed nothing, or
    /// nothing that can be changed now, are skipped. False where none is left.
    pub fn undo(&mut self) -> bool {
        self.shift(false)
    }

    /// Redoes the stroke that was undone last, unless another was drawn since. False where there is none.
    pub fn redo(&mut self) -> bool {
        self.shift(true)
    }

    fn shift(&mut self, forth: bool) -> bool {
        self.hold = None;
        let mut strokes = std::mem::take(&mut self.strokes);
        let apply =
            |stroke: &CellStroke| Ok::<_, Infallible>(Some(self.make(stroke)).filter(|changed| !changed.is_empty()));
        let shifted = if forth { strokes.redo(apply) } else { strokes.undo(apply) };
        self.strokes = strokes;
        shifted == Ok(true)
    }

    /// Opens and closes cells, but start and goal stay open; the cells that this has changed, and their state before.
    fn make(&mut self, cells: &[(Cell, bool)]) -> CellStroke {
        let mut changed = Vec::new();
        for &(cell, open) in cells {
            let is_end = self.trip.is_some_and(|(from, to)| cell == from || cell == to);
            if self.grid.is_open(cell) != open && (open || !is_end) {
                self.grid.set_open(cell, open);
                self.dirty.push(cell);
                changed.push((cell, !open));
            }
        }
        changed
    }

    fn lattice(&self) -> Lattice {
        self.grid.lattice()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(wall: impl Fn(u32, u32) -> bool, trip: ((u32, u32), (u32, u32))) -> (Board, Ground) {
        let mut grid = Grid::open_plain(Lattice::new(20, 10, 2.0).unwrap());
        let lattice = grid.lattice();
        for cell in lattice.cells() {
            let (x, y) = lattice.column_row(cell);
            grid.set_open(cell, !wall(x, y));
        }
        let ground = Ground::new(Arc::new(grid), 0.4).unwrap();
        let cell = |(x, y)| lattice.cell(x, y);
        (Board::new(&ground, Some((cell(trip.0), cell(trip.1))), 1), ground)
    }

    fn at(x: u32, y: u32) -> Vec2 {
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * 2.0
    }

    #[test]
    fn ends_are_dragged_to_the_nearest_open_cell() {
        let (mut board, ground) = board(|x, _| x > 12, ((2, 2), (4, 2)));
        let lattice = ground.lattice();
        board.press(at(2, 2) + Vec2::splat(0.9), 1.5, 1);
        assert_eq!(board.hold(), Some(BoardDrag::From));
        assert!(board.drag(at(18, 5), 1, &ground));
        assert_eq!(board.trip(), Some((lattice.cell(12, 5), lattice.cell(4, 2))));
        assert!(!board.drag(at(19, 5), 1, &ground), "the same cell is no change");
        board.release();
        assert!(!board.drag(at(3, 3), 1, &ground));
        board.press(at(4, 2), 1.5, 1);
        assert!(board.hold() == Some(BoardDrag::To) && board.drag(at(1, 1), 1, &ground));
        assert_eq!(board.trip().unwrap().1, lattice.cell(1, 1));
        assert!(board.take_dirty().is_empty());
    }

    #[test]
    fn a_brush_goes_on_as_it_began_without_gaps_and_spares_the_ends() {
        let (mut board, ground) = board(|x, y| x == 10 && y == 3, ((2, 2), (4, 3)));
        let lattice = ground.lattice();
        board.press(at(0, 1), 0.5, 1);
        assert!(board.drag(at(9, 5), 1, &ground));
        board.release();
        let walls: Vec<_> = lattice.cells().filter(|&cell| !board.grid().is_open(cell)).collect();
        assert!(board.grid().is_open(lattice.cell(2, 2)) && board.grid().is_open(lattice.cell(4, 3)));
        assert!((13..=15).contains(&walls.len()), "{}", walls.len());
        let mut dirty = board.take_dirty();
        dirty.sort_unstable();
        assert!(dirty.len() + 1 == walls.len() && dirty.iter().all(|cell| walls.contains(cell)));
        // Begun on a wall it erases, here with a width of three.
        board.press(at(10, 3), 0.5, 3);
        board.drag(at(9, 5), 3, &ground);
        board.drag(at(0, 1), 3, &ground);
        let left = lattice.cells().filter(|&cell| !board.grid().is_open(cell)).count();
        assert_eq!(left, 0);
        assert!(board.undo());
        let left = lattice.cells().filter(|&cell| !board.grid().is_open(cell)).count();
        assert_eq!(left, walls.len(), "the walls are back");
        let walled = board.grid().clone();
        assert!(board.redo() && !board.redo());
        assert_eq!(lattice.cells().filter(|&cell| !board.grid().is_open(cell)).count(), 0, "and gone again");
        assert!(board.undo() && *board.grid() == walled);
        board.press(at(1, 1), 0.5, 1);
        board.release();
        assert!(!board.redo(), "something else was drawn since");
        assert!(board.undo());
        board.restore();
        assert!(board.grid() == &**ground.grid() && board.hold().is_none());
        assert_eq!(lattice.cells().filter(|&cell| !board.grid().is_open(cell)).count(), 1);
    }

    #[test]
    fn what_start_and_goal_forbid_is_not_counted_as_taken_back() {
        let (mut board, ground) = board(|x, y| (x, y) == (10, 3), ((2, 2), (4, 3)));
        let lattice = ground.lattice();
        let (wall, to) = (lattice.cell(10, 3), lattice.cell(4, 3));
        board.press(at(10, 3), 0.5, 1);
        board.release();
        assert!(board.grid().is_open(wall));
        // The goal stands there now: the wall cannot come back under it.
        board.trip = Some((lattice.cell(2, 2), wall));
        assert!(!board.undo() && !board.redo() && board.grid().is_open(wall));
        // A stroke closes it, another opens it; with the goal there the second cannot be taken back, and the first then leaves it open.
        board.trip = Some((lattice.cell(2, 2), to));
        for _ in 0..2 {
            board.press(at(10, 3), 0.5, 1);
            board.release();
        }
        board.trip = Some((lattice.cell(2, 2), wall));
        assert!(!board.undo());
        board.trip = Some((lattice.cell(2, 2), to));
        assert!(!board.undo() && board.grid().is_open(wall));
    }

    #[test]
    fn nothing_is_painted_off_the_map() {
        let (mut board, ground) = board(|_, _| false, ((2, 2), (4, 3)));
        board.press(Vec2::new(-1.0, 5.0), 0.5, 1);
        assert!(board.hold().is_none() && !board.drag(at(5, 5), 1, &ground) && board.take_dirty().is_empty());
        board.press(at(19, 9), 0.5, 9);
        assert_eq!(board.take_dirty().len(), 25);
    }

    #[test]
    fn random_trips_stay_in_a_region_and_repeat_with_their_seed() {
        let (mut board, ground) = board(|x, _| x == 7, ((0, 0), (0, 0)));
        let mut other = Board::new(&ground, None, 1);
        for _ in 0..50 {
            board.scatter(&ground);
            let (from, to) = board.trip().unwrap();
            assert!(ground.region(from) == ground.region(to) && ground.is_passable(from));
            let lattice = ground.lattice();
            assert!(lattice.centre(from).distance(lattice.centre(to)) > 4.0);
            assert_eq!(other.trip(), board.trip());
            other.scatter(&ground);
        }
        let closed = Ground::new(Arc::new(Grid::closed(ground.lattice())), 0.4).unwrap();
        assert_eq!(Board::new(&closed, None, 1).trip(), None);
    }
}
