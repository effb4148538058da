//! The search of jump point search: nodes, the loop, the route.

use crate::jps::nodes::{Node, Nodes};
use crate::jps::place::Place;
use crate::memory::SearchMemory;
use crate::open::TwoLevel;
use crate::requirements::needed;
use crate::scratch::{Scratch, SearchCounters};
use crate::search::{self, CANCEL_CHECK_EXPANSIONS};
use crate::successors::{KEPT, START};
use crate::{
    Cancel, Capabilities, Capability, Cost, DIAGONAL, Guarantee, Outcome, Path, PlanError, Planner, Progress, Query,
    STRAIGHT, Status,
};
use throng_grid::{Cell, Ground, Lattice};

/// Where jumps stop.
pub(crate) trait Jumps {
    /// The ground whose jumps they are.
    fn ground(&self) -> u64;

    /// A bit a direction: for straight ones, whether a jump from here finds a jump point; for diagonal ones, whether the
    /// step is legal.
    fn mask(&self, place: Place) -> u8;

    /// Steps to where a jump in direction `d` stops. Straight ones stop on the next wall or jump point. Diagonal ones
    /// stop on the next cell from which a straight one to a side finds a jump point, or from which no step leads on.
    fn jump(&self, place: Place, d: usize) -> u32;
}

/// The memory of jump point search.
#[derive(Debug, Default)]
struct JumpSearch {
    nodes: Nodes,
    open: TwoLevel,
    goal: Sight,
    stride: u32,
}

/// The goal, and from where it is seen straight on.
#[derive(Clone, Copy, Debug, Default)]
struct Sight {
    place: Place,
    /// The first and the last column of the goal's row, and row of its column, with no wall in between.
    columns: (u32, u32),
    rows: (u32, u32),
}

impl Sight {
    fn new(jumps: &impl Jumps, ground: &Ground, goal: Place, stride: u32) -> Self {
        let end = |d: usize| {
            let mut place = goal;
            loop {
                let next = place.go(d, jumps.jump(place, d));
                if ground.moves(Cell(next.index(stride) as u32)) == 0 {
                    return next;
                }
                place = next;
            }
        };
        let [north, east, south, west] = std::array::from_fn(end);
        Self { place: goal, columns: (west.x + 1, east.x - 1), rows: (north.y + 1, south.y - 1) }
    }

    /// True where diagonal and then straight steps, as few as on a map without walls, lead from `place` to the goal.
    #[inline]
    fn is_seen(&self, jumps: &impl Jumps, place: Place) -> bool {
        let goal = self.place;
        let (dx, dy) = (place.x.abs_diff(goal.x), place.y.abs_diff(goal.y));
        let mut left = dx.min(dy);
        let d = match (place.x < goal.x, place.y < goal.y) {
            (true, false) => 4,
            (true, true) => 5,
            (false, true) => 6,
            (false, false) => 7,
        };
        let turn = place.go(d, left);
        let in_line = if dx > dy {
            (self.columns.0..=self.columns.1).contains(&turn.x)
        } else {
            (self.rows.0..=self.rows.1).contains(&turn.y)
        };
        if !in_line {
            return false;
        }
        let mut place = place;
        while left > 0 {
            if jumps.mask(place) & 1 << d == 0 {
                return false;
            }
            let steps = jumps.jump(place, d);
            left = left.saturating_sub(steps);
            place = place.go(d, steps);
        }
        true
    }
}

impl SearchMemory for JumpSearch {
    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.bytes()
    }

    /// A way to the cell is known that is still to be followed on.
    fn is_open(&self, cell: Cell) -> bool {
        self.of(cell).is_some_and(|node| node.open != 0)
    }

    /// All known ways to the cell have been followed on.
    fn is_closed(&self, cell: Cell) -> bool {
        self.of(cell).is_some_and(|node| node.open == 0)
    }

    fn cost(&self, cell: Cell) -> Option<Cost> {
        self.of(cell).map(|node| node.g.into())
    }
}

impl JumpSearch {
    fn restart(&mut self, lattice: Lattice, from: Cell, goal: Sight) {
        self.nodes.restart();
        self.goal = goal;
        self.stride = lattice.stride;
        let from = Place::new(from, lattice.stride);
        self.open.restart(from.octile(goal.place));
        self.reach(from, 0, 0, START.into());
    }

    fn of(&self, cell: Cell) -> Option<&Node> {
        self.nodes.get(Place::new(cell, self.stride))
    }

    /// Notes the way that leads from the node `parent` to a jump point.
    #[inline]
    fn reach(&mut self, place: Place, g: u32, parent: u32, d: usize) {
        let Some(id) = self.nodes.reach(place, g, parent, d) else { return };
        // A way that does not fit is longer than every shortest one.
        if let Some(f) = g.checked_add(place.octile(self.goal.place)) {
            self.open.push(f, id);
        }
    }

    /// Expands nodes, those of the least f first, until `counters.expanded` is `stop`, the goal is reached (true), or nothing
    /// is left.
    fn expand(&mut self, jumps: &impl Jumps, limited: bool, counters: &mut SearchCounters, stop: u64) -> Option<bool> {
        while let Some((f, id)) = self.open.pop() {
            let Node { g, open, .. } = self.nodes[id];
            let place = self.nodes[id].place();
            if open == 0 {
                continue;
            }
            if counters.expanded == stop && place != self.goal.place {
                self.open.push(f, id);
                return None;
            }
            let node = &mut self.nodes[id];
            node.closed |= open;
            node.open = 0;
            if place == self.goal.place {
                return Some(true);
            }
            if limited {
                counters.expand(Cell(place.index(self.stride) as u32), place.octile(self.goal.place));
            } else {
                counters.expanded += 1;
            }
            if self.goal.is_seen(jumps, place) {
                // No open node has a lower f, and this way costs no more than f.
                let g = g + place.octile(self.goal.place);
                self.nodes.end(self.goal.place, g, id);
                return Some(true);
            }
            self.expand_node(jumps, id, place, g, open);
        }
        Some(false)
    }

    #[inline]
    fn expand_node(&mut self, jumps: &impl Jumps, id: u32, place: Place, g: u32, arrivals: u16) {
        let mask = jumps.mask(place);
        let mut kept = 0;
        let mut arrivals = arrivals;
        while arrivals != 0 {
            kept |= KEPT[arrivals.trailing_zeros() as usize % 16][usize::from(mask)];
            arrivals &= arrivals - 1;
        }
        while kept != 0 {
            let d = kept.trailing_zeros() as usize;
            kept &= kept - 1;
            if d < 4 {
                let steps = jumps.jump(place, d);
                self.reach(place.go(d, steps), g.saturating_add(STRAIGHT * steps), id, d);
                continue;
            }
            let (left, right) = (d - 4, (d - 3) % 4);
            let (mut at, mut g) = (place, g);
            loop {
                let steps = jumps.jump(at, d);
                at = at.go(d, steps);
                g = g.saturating_add(DIAGONAL * steps);
                let mask = jumps.mask(at);
                for side in [left, right] {
                    if mask & 1 << side != 0 {
                        let steps = jumps.jump(at, side);
                        self.reach(at.go(side, steps), g.saturating_add(STRAIGHT * steps), id, side);
                    }
                }
                if mask & 1 << d == 0 {
                    break;
                }
            }
        }
    }
}

/// The capabilities of jump point search.
pub(crate) const CAPABILITIES: Capabilities =
    Capabilities { guarantee: Guarantee::Optimal, can: &[Capability::Pause, Capability::Trace] };

/// # Errors
/// [`PlanError::Cannot`] where jump point search cannot plan on such a ground.
pub(crate) fn require(planner: &'static str, ground: &Ground) -> Result<(), PlanError> {
    let any = Query::new(Cell::NONE, Cell::NONE);
    match needed(ground, &any).find(|&what| !CAPABILITIES.can(what)) {
        Some(what) => Err(PlanError::Cannot { planner, what }),
        None => Ok(()),
    }
}

/// Starts a search.
///
/// # Errors
/// As [`search::begin`]; [`PlanError::OtherGround`] where the jumps are not those of the ground.
pub(crate) fn begin(
    planner: &dyn Planner,
    jumps: &impl Jumps,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<(), PlanError> {
    if jumps.ground() != ground.id() {
        // As after every other error, nothing is told of the search before.
        scratch.reset(ground.lattice());
        return Err(PlanError::OtherGround { planner: planner.name() });
    }
    if search::begin(planner, ground, query, scratch)? {
        let lattice = ground.lattice();
        let goal = Place::new(scratch.goals.first(), lattice.stride);
        let goal = Sight::new(jumps, ground, goal, lattice.stride);
        scratch.memory::<JumpSearch>().restart(lattice, query.from, goal);
        scratch.traced_by::<JumpSearch>();
    }
    Ok(())
}

/// Goes on with a search for up to `expansions` nodes.
pub(crate) fn advance(jumps: &impl Jumps, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
    let Scratch { goals, state, memories } = scratch;
    let (goal, search) = (goals.first(), memories.of::<JumpSearch>());
    let limit = query.limits.expansions;
    let end = state.counters.expanded.saturating_add(expansions).min(limit);
    while state.outcome.is_none() {
        let expanded = state.counters.expanded;
        let (status, cell) = if query.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            (Status::Cancelled, None)
        } else {
            let stop = end.min(expanded.saturating_add(CANCEL_CHECK_EXPANSIONS));
            match search.expand(jumps, limit != u64::MAX, &mut state.counters, stop) {
                Some(true) => (Status::Found, Some(goal)),
                Some(false) => (Status::NoRoute, None),
                None if stop == limit => (Status::Partial, Some(state.counters.nearest_or(query.from))),
                None if stop == end => return Progress::Running,
                None => continue,
            }
        };
        let cost = cell.and_then(|cell| search.cost(cell)).unwrap_or(0);
        state.end = cell;
        state.outcome = Some(Outcome { status, cost, bound: 1.0, expanded: state.counters.expanded });
    }
    state.outcome.map_or(Progress::Running, Progress::Done)
}

/// Writes the cells of the way by which a search came to a cell.
pub(crate) fn way_to(ground: &Ground, scratch: &Scratch, cell: Cell, path: &mut Path) {
    path.cells.clear();
    let Some(jumps) = scratch.memory_of::<JumpSearch>() else { return };
    let Some(mut node) = jumps.of(cell) else { return };
    let lattice = ground.lattice();
    let mut walk = |from: Cell, back: i32, steps: u32| {
        path.cells.extend((0..steps as i32).map(|i| Cell(from.0.wrapping_add_signed(back * i))));
        Cell(from.0.wrapping_add_signed(back * steps as i32))
    };
    while !node.is_start() {
        let parent = &jumps.nodes[node.parent];
        let (to, from) = (node.place(), parent.place());
        let (dx, dy) = (from.x as i32 - to.x as i32, from.y as i32 - to.y as i32);
        // Backwards: the straight steps come first.
        let diagonal = dx.abs().min(dy.abs());
        let (sx, sy) = (dx.signum(), dy.signum());
        let straight = if dx.abs() > dy.abs() { sx } else { sy * lattice.stride as i32 };
        let turn =
            walk(Cell(to.index(lattice.stride) as u32), straight, (dx.abs().max(dy.abs()) - diagonal).unsigned_abs());
        walk(turn, sx + sy * lattice.stride as i32, diagonal.unsigned_abs());
        node = parent;
    }
    path.cells.push(Cell(node.place().index(lattice.stride) as u32));
    path.cells.reverse();
}
