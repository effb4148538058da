//! D* Lite: one agent's route, kept up while the map changes.

use super::goal_set::{GoalSet, check};
use super::successors::{General, START, Successors};
use super::{Cost, Octile, Outcome, Path, PlanError, Query, Status};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use throng_grid::{Cell, Ground, Layer};

/// The route of one agent to one goal, kept while it walks and the map changes: after an edit only what the edit changes
/// is searched again.
///
/// S. Koenig, M. Likhachev: D* Lite. AAAI 2002 (the optimised version). The search runs from the goal to the agent, so
/// that most of it stays good while it walks.
///
/// - **Result**: a cheapest route (bound 1), on any ground: terrain costs, links, every neighbourhood.
/// - **Complexity**: the first search is an A* with a heap; later ones expand the cells whose distance to the goal has
///   changed, as far as they matter; where a link costs nothing, all is searched anew after an edit. 8 bytes a cell of
///   its own and the open list, so it is for the few agents that walk over a map that is being discovered or rebuilt;
///   crowds ask a [`Pool`](super::Pool) again.
/// - **Ties**: of equal keys the smaller cell; of equal steps the first direction, links after them.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Edit, Grid, Ground, Lattice};
/// use throng_plan::{DStarLite, Path};
/// let mut grid = Grid::open_plain(Lattice::new(9, 5, 1.0)?);
/// let at = |x, y| grid.lattice().cell(x, y);
/// let (from, to, wall) = (at(1, 2), at(7, 2), [at(4, 1), at(4, 2), at(4, 3)]);
/// let mut agent = DStarLite::new(Arc::new(Ground::new(grid.clone().into(), 0.4)?), from, to)?;
/// let mut path = Path::default();
/// assert_eq!(agent.route(&mut path).cost, 6 * 2378);
///
/// // It takes a step, and a wall appears.
/// agent.walk_to(path.cells[1])?;
/// let mut dirty = Vec::new();
/// grid.edit(&wall.map(Edit::Close), &mut dirty);
/// agent.edited(Arc::new(Ground::new(grid.into(), 0.4)?), &dirty)?;
/// assert_eq!(agent.route(&mut path).cost, 3 * 2378 + 3 * 3363);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DStarLite {
    ground: Arc<Ground>,
    at: Cell,
    goal: Cell,
    /// Cost to the goal, as it was when the cell was expanded last.
    g: Layer<u32>,
    /// Cost to the goal by the best of the neighbours' g. A cell whose g is another is open.
    rhs: Layer<u32>,
    /// Open cells by key; entries of cells that are no longer open count for nothing.
    open: BinaryHeap<Reverse<(Key, Cell)>>,
    /// The growth of keys since the agent has walked: keys of open cells are bounds, and need no new order.
    walked: u64,
    /// Where the agent was when `walked` was counted last.
    counted: Cell,
    expanded: u64,
    /// The cells that the last [`DStarLite::route`] has expanded, in order, where they are kept.
    watched: Option<Vec<Cell>>,
    /// Memory: where the agent is.
    goals: GoalSet,
}

/// Least cost of a route from the agent over a cell, and from the cell on.
type Key = (u64, u32);

/// No way is known.
const NONE: u32 = u32::MAX;

impl DStarLite {
    /// The route of an agent that stands in `from`.
    ///
    /// # Errors
    /// Where one of the cells is off the map or closed.
    pub fn new(ground: Arc<Ground>, from: Cell, to: Cell) -> Result<Self, PlanError> {
        check(&ground, "start", from, 0.0)?;
        check(&ground, "goal", to, 0.0)?;
        let lattice = ground.lattice();
        let (g, rhs) = (Layer::new(lattice, NONE), Layer::new(lattice, NONE));
        let open = BinaryHeap::new();
        let (counted, goals) = (from, GoalSet::default());
        let mut search =
            Self { ground, at: from, goal: to, g, rhs, open, walked: 0, counted, expanded: 0, watched: None, goals };
        search.restart();
        Ok(search)
    }

    /// Where the agent stands.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// The map as the agent knows it.
    pub fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// Cells expanded since the search was made.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Keeps the cells that each search expands, or no longer: 4 bytes an expansion of the last search.
    pub fn watch(&mut self, watches: bool) {
        self.watched = watches.then(Vec::new);
    }

    /// The cells that the last [`DStarLite::route`] has expanded, in order, some of them twice; none where they are not
    /// [watched](DStarLite::watch).
    pub fn expanded_cells(&self) -> &[Cell] {
        self.watched.as_deref().unwrap_or_default()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.g.cells) + size_of_val(&*self.rhs.cells) + self.open.capacity() * size_of::<(Key, Cell)>()
    }

    /// The agent has gone to another cell.
    ///
    /// # Errors
    /// Where it is off the map or closed.
    pub fn walk_to(&mut self, cell: Cell) -> Result<(), PlanError> {
        check(&self.ground, "start", cell, 0.0)?;
        self.at = cell;
        Ok(())
    }

    /// The map has changed: `dirty` cells, and no others, are different on `ground`.
    ///
    /// # Errors
    /// Where the agent or the goal is in a wall now; the next [`DStarLite::route`] finds none then, unless the map is
    /// edited again or the agent leaves the wall.
    pub fn edited(&mut self, ground: Arc<Ground>, dirty: &[Cell]) -> Result<(), PlanError> {
        let old = std::mem::replace(&mut self.ground, ground);
        if old.lattice() != self.ground.lattice()
            || old.mobility() != self.ground.mobility()
            || old.least_share() != self.ground.least_share()
            || self.ground.links().all().iter().any(|link| link.cost == 0)
        {
            // Other estimates, other steps: nothing of the old search is good. And cells that free links join in a ring
            // would keep each other's cost alive after their way to the goal is gone.
            self.restart();
        } else {
            self.count_walked();
            let changed = changed(&self.ground, dirty);
            self.with_moves(|search, moves| {
                for cell in changed {
                    search.update(moves, cell);
                }
                search.tidy(moves);
            });
        }
        check(&self.ground, "start", self.at, 0.0)?;
        check(&self.ground, "goal", self.goal, 0.0)
    }

    /// Searches as far as need be, and writes the route from the agent to the goal. The outcome counts the cells that
    /// were expanded for it.
    pub fn route(&mut self, path: &mut Path) -> Outcome {
        let before = self.expanded;
        self.watched.iter_mut().for_each(Vec::clear);
        path.cells.clear();
        let passable = self.ground.is_passable(self.at) && self.ground.is_passable(self.goal);
        if passable {
            self.count_walked();
            self.compute_shortest_path();
        }
        let expanded = self.expanded - before;
        let cost = self.rhs[self.at];
        if !passable || cost == NONE {
            return Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded };
        }
        self.with_moves(|search, moves| search.descend(moves, path));
        Outcome { status: Status::Found, cost: Cost::from(cost), bound: 1.0, expanded }
    }

    /// Writes the cells from the agent to the goal, each of which costs less than the one before but where links are free.
    fn descend(&self, moves: &General<'_, Octile>, path: &mut Path) {
        path.cells.push(self.at);
        let mut cell = self.at;
        while cell != self.goal {
            let (cost, to) = self.cheapest(moves, cell);
            if self.g[to] == cost {
                cell = self.over_free_links(moves, cell, cost, path);
            } else {
                path.cells.push(to);
                cell = to;
            }
        }
    }

    /// The cost to the goal from a cell over the best of its steps, and the end of that step; of equal ones to the
    /// least g.
    fn cheapest(&self, moves: &General<'_, Octile>, cell: Cell) -> (u32, Cell) {
        let mut best = ((NONE, NONE), self.goal);
        moves.each(cell, START, |to, cost, _| {
            let through = (cost.saturating_add(self.g[to]), self.g[to]);
            if through < best.0 {
                best = (through, to);
            }
        });
        (best.0.0, best.1)
    }

    /// Writes the fewest free links from a cell to one of the same cost from which a step leads on, and returns that. Free
    /// links may lead round, so that no single one is known to be on the way.
    fn over_free_links(&self, moves: &General<'_, Octile>, cell: Cell, cost: u32, path: &mut Path) -> Cell {
        // With the place of the one before.
        let mut seen = vec![(cell, 0)];
        let mut at = 0;
        while let Some(&(here, _)) = seen.get(at) {
            if here == self.goal || self.g[self.cheapest(moves, here).1] < cost {
                let first = path.cells.len();
                while at != 0 {
                    path.cells.push(seen[at].0);
                    at = seen[at].1;
                }
                path.cells[first..].reverse();
                return here;
            }
            moves.each(here, START, |to, step, _| {
                if step == 0 && self.g[to] == cost && !seen.iter().any(|&(known, _)| known == to) {
                    seen.push((to, at));
                }
            });
            at += 1;
        }
        self.goal
    }

    /// Calls `work` with the steps of the ground; estimates are to the agent.
    fn with_moves(&mut self, work: impl FnOnce(&mut Self, &General<'_, Octile>)) {
        let (ground, query) = (Arc::clone(&self.ground), Query::new(self.goal, self.at));
        let mut goals = std::mem::take(&mut self.goals);
        goals.restart(ground.lattice(), self.at);
        work(self, &General::new(&ground, &query, &goals));
        self.goals = goals;
    }

    /// Forgets all; only the goal is open.
    fn restart(&mut self) {
        self.g.cells.fill(NONE);
        self.rhs.cells.fill(NONE);
        self.open.clear();
        (self.walked, self.counted) = (0, self.at);
        self.rhs[self.goal] = 0;
        self.with_moves(|search, moves| search.push(moves, search.goal));
    }

    /// The estimates of open cells were to where the agent was: now that it has walked, a bound below their keys is that
    /// much less. Instead all keys from now on are that much more.
    fn count_walked(&mut self) {
        if self.counted != self.at {
            self.with_moves(|search, moves| search.walked += u64::from(moves.estimate(search.counted)));
            self.counted = self.at;
        }
    }

    fn key(&self, moves: &General<'_, Octile>, cell: Cell) -> Key {
        let least = self.g[cell].min(self.rhs[cell]);
        (u64::from(least) + u64::from(moves.estimate(cell)) + self.walked, least)
    }

    /// Opens a cell.
    fn push(&mut self, moves: &General<'_, Octile>, cell: Cell) {
        self.open.push(Reverse((self.key(moves, cell), cell)));
    }

    /// Writes the rhs of a cell from its neighbours, and opens it where it is another than its g.
    fn update(&mut self, moves: &General<'_, Octile>, cell: Cell) {
        if cell != self.goal {
            let mut least = NONE;
            moves.each(cell, START, |to, cost, _| least = least.min(cost.saturating_add(self.g[to])));
            self.rhs[cell] = least;
        }
        if self.rhs[cell] != self.g[cell] {
            self.push(moves, cell);
        }
    }

    /// Opens each open cell once. Far from the agent nothing is ever expanded, and every edit there leaves entries behind.
    fn tidy(&mut self, moves: &General<'_, Octile>) {
        if self.open.len() <= 2 * self.g.cells.len() {
            return;
        }
        let mut cells: Vec<Cell> = self.open.drain().map(|Reverse((_, cell))| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|&cell| self.g[cell] != self.rhs[cell]);
        for cell in cells {
            self.push(moves, cell);
        }
    }

    fn compute_shortest_path(&mut self) {
        self.with_moves(Self::expand);
    }

    /// Expands cells until the agent's cost to the goal is known.
    fn expand(&mut self, moves: &General<'_, Octile>) {
        while let Some(&Reverse((key, cell))) = self.open.peek() {
            let (g, rhs) = (self.g[cell], self.rhs[cell]);
            if g == rhs {
                self.open.pop();
                continue;
            }
            // Ties too, unlike in the paper: links may cost nothing.
            if key > self.key(moves, self.at) && self.rhs[self.at] <= self.g[self.at] {
                break;
            }
            self.open.pop();
            if key < self.key(moves, cell) {
                self.push(moves, cell);
                continue;
            }
            self.expanded += 1;
            if let Some(watched) = &mut self.watched {
                watched.push(cell);
            }
            if g > rhs {
                self.g[cell] = rhs;
                moves.each_back(cell, |from, cost, _| {
                    let through = rhs.saturating_add(cost);
                    if from != self.goal && through < self.rhs[from] {
                        self.rhs[from] = through;
                        self.push(moves, from);
                    }
                });
            } else {
                self.g[cell] = NONE;
                self.update(moves, cell);
                moves.each_back(cell, |from, cost, _| {
                    if self.rhs[from] == g.saturating_add(cost) {
                        self.update(moves, from);
                    }
                });
            }
        }
    }
}

/// The cells out of which other steps lead, or which cost something else, after `dirty` cells have changed.
fn changed(ground: &Ground, dirty: &[Cell]) -> Vec<Cell> {
    let lattice = ground.lattice();
    // So far away a wall makes a cell too narrow; a cell changes the steps of its neighbours.
    let reach = (ground.radius() / lattice.cell_size).ceil() as i64 + 2;
    let mut cells = Vec::new();
    for &cell in dirty {
        let (x, y) = lattice.column_row(cell);
        for y in i64::from(y) - reach..=i64::from(y) + reach {
            cells.extend((-reach..=reach).filter_map(|dx| lattice.checked_cell(i64::from(x) + dx, y)));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}
