//! The common parts of searches at any angle: straight lines instead of steps.

pub(crate) mod lazy_theta;
pub(crate) mod smooth;
pub(crate) mod theta;

use crate::engine::Halt;
use crate::goal_set::GoalSet;
use crate::memory::SearchMemory;
use crate::nodes::Nodes;
use crate::open::Buckets;
use crate::open::OpenList;
use crate::rows::Rows;
use crate::scratch::{SearchCounters, SearchState};
use crate::search;
use crate::{Capabilities, Capability, Cost, Guarantee, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::line_cost;
use throng_grid::{Cell, Direction, Ground, Lattice, LineOfSight};

/// A ground without its grid of steps: straight lines between cells, to a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<'a> {
    sight: LineOfSight<'a>,
    offsets: [i32; 8],
    rows: Rows,
    goals: &'a GoalSet,
}

/// Column and row of a cell, counted from the padding.
pub(crate) type Place = (i32, i32);

/// The cost of the straight line between two places.
#[inline]
pub(crate) fn line((ax, ay): Place, (bx, by): Place) -> u32 {
    line_cost(bx - ax, by - ay)
}

/// The steps of the eight directions.
const STEPS: [Place; 8] = {
    let mut steps = [(0, 0); 8];
    let mut d = 0;
    while d < 8 {
        steps[d] = Direction::ALL[d].step();
        d += 1;
    }
    steps
};

impl<'a> Plane<'a> {
    fn new(ground: &'a Ground, query: &Query, goals: &'a GoalSet) -> Self {
        let lattice = ground.lattice();
        let sight = LineOfSight::new(ground).for_radius(query.radius).with_room();
        Self { sight, offsets: lattice.offsets(), rows: Rows::new(lattice), goals }
    }

    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> Place {
        let (x, y) = self.rows.place(cell);
        (x as i32, y as i32)
    }

    /// Calls `visit(to, its place)` for each legal step out of a cell.
    #[inline]
    pub(crate) fn each(&self, cell: Cell, (x, y): Place, mut visit: impl FnMut(Cell, Place)) {
        let mut mask = self.sight.moves(cell);
        while mask != 0 {
            let d = mask.trailing_zeros() as usize % 8;
            mask &= mask - 1;
            let (dx, dy) = STEPS[d];
            visit(Cell(cell.0.wrapping_add_signed(self.offsets[d])), (x + dx, y + dy));
        }
    }

    /// The cost of the straight line to the goal: no line raises the cost so far by less than it lowers this.
    #[inline]
    pub(crate) fn estimate(&self, (x, y): Place) -> u32 {
        let (dx, dy) = self.goals.away((x as u32, y as u32));
        line_cost(dx as i32, dy as i32)
    }

    /// True where the straight line from a cell at a place to another place is free.
    #[inline]
    pub(crate) fn sees(&self, cell: Cell, (ax, ay): Place, (bx, by): Place) -> bool {
        self.sight.sees_by(cell, bx - ax, by - ay)
    }

    /// True where a search may end.
    #[inline]
    pub(crate) fn is_goal(&self, cell: Cell) -> bool {
        self.goals.contains(cell)
    }
}

/// The memory of searches at any angle.
#[derive(Debug, Default)]
struct AnyAngle {
    open: Buckets,
    /// The cells before those that the search has seen, on the way from the start; other cells hold anything.
    parents: Vec<u32>,
}

impl AnyAngle {
    /// Makes room for the parents of a search from a cell: none is cleared.
    fn start(&mut self, lattice: Lattice, start: Cell) {
        if self.parents.len() < lattice.len() {
            self.parents = vec![0; lattice.len()];
        }
        self.parents[start.index()] = start.0;
    }
}

impl SearchMemory for AnyAngle {
    fn bytes(&self) -> usize {
        self.open.bytes() + size_of_val(self.parents.as_slice())
    }
}

/// The capabilities of both.
pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    guarantee: Guarantee::Unproven,
    can: &[Capability::CutCorners, Capability::Radius, Capability::GoalSets, Capability::Pause, Capability::Trace],
};

/// Starts a search. Where the start sees the only goal, nothing else is open.
pub(crate) fn begin(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<(), PlanError> {
    if search::begin(planner, ground, query, scratch)? {
        let Scratch { goals, state, memories } = scratch;
        let memory = memories.of::<AnyAngle>();
        memory.start(ground.lattice(), query.from);
        let plane = Plane::new(ground, query, goals);
        let start = plane.place(query.from);
        let estimate = plane.estimate(start);
        let seen = goals.only().filter(|&goal| plane.sees(query.from, start, plane.place(goal)));
        if let Some(goal) = seen
            && state.nodes.improve(goal, estimate, 0)
        {
            memory.parents[goal.index()] = query.from.0;
        }
        memory.open.restart(estimate, seen.unwrap_or(query.from));
    }
    Ok(())
}

/// The parts of a search at any angle.
pub(crate) struct Parts<'a> {
    pub(crate) plane: Plane<'a>,
    pub(crate) nodes: &'a mut Nodes,
    pub(crate) open: &'a mut Buckets,
    pub(crate) counters: &'a mut SearchCounters,
    /// The cell before each that was seen; of the start itself.
    pub(crate) parents: &'a mut [u32],
    /// The nearest cell to the goal may be asked for.
    pub(crate) limited: bool,
}

impl Parts<'_> {
    /// Counts the expansion of a cell.
    #[inline]
    pub(crate) fn count(&mut self, cell: Cell, place: Place) {
        if self.limited {
            self.counters.expand(cell, self.plane.estimate(place));
        } else {
            self.counters.expanded += 1;
        }
    }
}

/// Goes on with a search; `expand` expands cells until so many are expanded as it is told.
pub(crate) fn advance(
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    expansions: u64,
    expand: impl Fn(Parts, u64) -> Halt,
) -> Progress {
    let Scratch { goals, state, memories } = scratch;
    let AnyAngle { open, parents } = memories.of();
    let plane = Plane::new(ground, query, goals);
    let limited = query.limits.expansions != u64::MAX;
    search::drive(state, query, goals.reached(), f64::INFINITY, expansions, |state, stop| {
        let SearchState { nodes, counters, .. } = state;
        expand(Parts { plane, nodes, open, counters, parents, limited }, stop)
    })
}

/// The greatest rise of the priority that the bucket queue can take.
const WINDOW: u32 = 8000;

/// The place of a cell in the queue, from the priority it should have and that of the cell just taken.
///
/// Here f may fall from a cell to the next, and rise by more than two steps: it is kept within the limits of a bucket
/// queue. A cell with a lower f than the last comes next, as with the path maximum of Mérő (1984).
#[inline]
pub(crate) fn rank(f: u32, taken: u32) -> u32 {
    f.clamp(taken, taken + WINDOW)
}

/// The straight line to the goal, and the cost so far with it.
pub(crate) fn rank_of(ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
    let g = scratch.cost(cell)?;
    let plane = Plane::new(ground, query, &scratch.goals);
    let h = Cost::from(plane.estimate(plane.place(cell)));
    Some(Rank { h, f: (g + h) as f64 })
}

/// Writes the turning points of the way by which a search in `scratch` came to a cell.
pub(crate) fn way_to(scratch: &Scratch, mut cell: Cell, path: &mut Path) {
    path.cells.clear();
    let Some(memory) = scratch.memory_of::<AnyAngle>().filter(|_| scratch.cost(cell).is_some()) else { return };
    path.cells.push(cell);
    while let Some(parent) = memory.parents.get(cell.index()).map(|&parent| Cell(parent))
        && parent != cell
    {
        path.cells.push(parent);
        cell = parent;
    }
    path.cells.reverse();
}
