//! Which way to go from every cell.

use crate::distances::{UNREACHED, check_goals, passable};
use crate::wave::{self, WaveDirection, Waves};
use crate::{Cost, Path, PlanError, Scratch};
use throng_grid::{Cell, Direction, Ground, Lattice, Layer};

/// Which way to go from every cell to the nearest of some goals, and the cost of the rest.
///
/// One field serves every agent with these goals, wherever it stands and is pushed to; share it in an
/// [`Arc`](std::sync::Arc). It takes 5 bytes a cell: a direction of one byte, and a cost of four that lets
/// [`FlowField::repair`] mend it after an edit of the map.
///
/// E. W. Dijkstra's algorithm (1959) backwards from the goals, see [`distances_to`](crate::distances_to); flow fields:
/// E. Emerson: Crowd pathfinding and steering using flow field tiles, in: Game AI Pro, 2013.
///
/// - **Result**: from every cell a cheapest route (bound 1).
/// - **Complexity**: O(cells) to build; O(1) a step.
/// - **Ties**: of several first steps of cheapest routes the one whose [`Direction`] has the lowest number, and a link
///   only where no step will do. So the field depends on the ground and the goals alone, not on how it came about: one
///   that was repaired is equal to a new one.
/// - **Goals**: those that are closed do not count until an edit opens them.
///
/// ```
/// use throng_grid::{Direction, Grid, Ground, Lattice};
/// use throng_plan::{DIAGONAL, FlowField, Path, STRAIGHT, Scratch};
/// let lattice = Lattice::new(7, 3, 1.0)?;
/// let mut grid = Grid::open_plain(lattice);
/// grid.set_open(lattice.cell(3, 1), false);
/// let ground = Ground::new(grid.clone().into(), 0.4)?;
/// let mut scratch = Scratch::default();
/// let mut field = FlowField::new(&ground, &[lattice.cell(6, 1)], &mut scratch)?;
/// assert_eq!(field.direction(lattice.cell(2, 1)), Some(Direction::North));
/// assert_eq!(field.cost(lattice.cell(2, 1)), Some(u64::from(4 * STRAIGHT + DIAGONAL)));
/// let mut path = Path::default();
/// assert!(field.descend(lattice.cell(0, 0), &mut path));
/// assert_eq!(path.cells.len(), 7);
///
/// // The wall falls.
/// grid.set_open(lattice.cell(3, 1), true);
/// let ground = Ground::new(grid.into(), 0.4)?;
/// field.repair(&ground, &[lattice.cell(3, 1)], &mut scratch)?;
/// assert_eq!(field.direction(lattice.cell(2, 1)), Some(Direction::East));
/// assert_eq!(field, FlowField::new(&ground, &[lattice.cell(6, 1)], &mut scratch)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FlowField {
    /// In the order of the cells, each once.
    pub(super) goals: Vec<Cell>,
    pub(super) costs: Layer<u32>,
    pub(super) headings: Layer<u8>,
    /// Start and end of each link that is taken, in the order of the starts.
    pub(super) links: Vec<(Cell, Cell)>,
}

impl FlowField {
    /// The heading of a goal in [`FlowField::headings`].
    pub const GOAL: u8 = 8;

    /// The heading of a closed cell and of one from which no goal can be reached.
    pub const NOWHERE: u8 = 9;

    /// The heading of a cell from which a link is to be taken.
    pub const LINK: u8 = 10;

    /// The field towards the nearest of `goals`.
    ///
    /// # Errors
    /// Where a goal is off the map, or all are closed.
    pub fn new(ground: &Ground, goals: &[Cell], scratch: &mut Scratch) -> Result<Self, PlanError> {
        let mut field = Self::empty(ground.lattice());
        field.rebuild(ground, goals, scratch)?;
        Ok(field)
    }

    /// A field that leads nowhere.
    pub(super) fn empty(lattice: Lattice) -> Self {
        let (costs, headings) = (Layer::new(lattice, UNREACHED), Layer::new(lattice, Self::NOWHERE));
        Self { goals: Vec::new(), costs, headings, links: Vec::new() }
    }

    /// Makes this the field towards other goals, on the same ground or another. Allocates nothing where the map has the
    /// same size and there are no more goals than before.
    ///
    /// # Errors
    /// Where a goal is off the map, or all are closed; the field is then as it was.
    pub fn rebuild(&mut self, ground: &Ground, goals: &[Cell], scratch: &mut Scratch) -> Result<(), PlanError> {
        check_goals(ground, goals)?;
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        self.goals.sort_unstable();
        self.goals.dedup();
        self.fill(ground, scratch);
        Ok(())
    }

    /// Writes all costs and headings.
    pub(super) fn fill(&mut self, ground: &Ground, scratch: &mut Scratch) {
        self.fill_while(ground, scratch.memory(), |_| true);
    }

    /// The same as long as `settled` returns true of the cells of each wave; false where it does not, and the field is of
    /// no use.
    pub(super) fn fill_while(
        &mut self,
        ground: &Ground,
        waves: &mut Waves,
        settled: impl FnMut(&[Cell]) -> bool,
    ) -> bool {
        let lattice = ground.lattice();
        if self.lattice() != lattice {
            self.costs = Layer::new(lattice, UNREACHED);
            self.headings = Layer::new(lattice, Self::NOWHERE);
        }
        let goals = passable(ground, &self.goals);
        if !wave::fill(ground, WaveDirection::Backward, goals, waves, &mut self.costs.cells, settled) {
            return false;
        }
        let last = lattice.cell(lattice.width - 1, lattice.height - 1);
        self.point(ground, lattice.cell(0, 0).index()..last.index() + 1);
        self.take_links(ground);
        true
    }

    /// The geometry.
    pub fn lattice(&self) -> Lattice {
        self.costs.lattice
    }

    /// The goals, in the order of the cells, each once.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// The step to take from a cell; `None` at a goal, where no goal can be reached, and where a link is to be taken.
    #[inline]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        Direction::ALL.get(usize::from(self.headings[cell])).copied()
    }

    /// The neighbouring cell to step to; `None` at a goal, where no goal can be reached, and where a link is to be taken.
    #[inline]
    pub fn step(&self, cell: Cell) -> Option<Cell> {
        let offset = *self.lattice().offsets().get(usize::from(self.headings[cell]))?;
        Some(Cell(cell.0.wrapping_add_signed(offset)))
    }

    /// The cell to go to next; `None` at a goal and where no goal can be reached.
    #[inline]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        self.step(cell).or_else(|| self.link(cell))
    }

    /// The cell to which the link leads that is to be taken from a cell; `None` where none is.
    #[inline]
    pub fn link(&self, cell: Cell) -> Option<Cell> {
        if self.headings[cell] != Self::LINK {
            return None;
        }
        let place = self.links.binary_search_by_key(&cell, |&(from, _)| from).ok()?;
        Some(self.links[place].1)
    }

    /// The cost of the way to the nearest goal; `None` where none can be reached.
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let cost = self.costs[cell];
        (cost != UNREACHED).then_some(Cost::from(cost))
    }

    /// True for the goals.
    #[inline]
    pub fn is_goal(&self, cell: Cell) -> bool {
        self.headings[cell] == Self::GOAL
    }

    /// Writes the cells from `from` to the goal, both included, and returns true; none and false where no goal can be
    /// reached.
    pub fn descend(&self, from: Cell, path: &mut Path) -> bool {
        path.cells.clear();
        if self.headings[from] == Self::NOWHERE {
            return false;
        }
        path.cells.push(from);
        let mut cell = from;
        while let Some(next) = self.next(cell) {
            path.cells.push(next);
            cell = next;
        }
        true
    }

    /// The cost of every cell, [`UNREACHED`] where no goal can be reached.
    pub fn costs(&self) -> &Layer<u32> {
        &self.costs
    }

    /// The heading of every cell: the number of a [`Direction`], [`FlowField::GOAL`], [`FlowField::NOWHERE`] or
    /// [`FlowField::LINK`].
    pub fn headings(&self) -> &Layer<u8> {
        &self.headings
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.costs.cells)
            + size_of_val(&*self.headings.cells)
            + self.goals.capacity() * size_of::<Cell>()
            + self.links.capacity() * size_of::<(Cell, Cell)>()
    }
}
