//! Changes of the map while agents walk on it.

use super::links::is_cut_off;
use super::parts::{Derived, MapView, State};
use super::{Settings, World, WorldError, fields, posts, route_requests, siege, sleep};
use crate::battle::{RetryBackoff, RouteState};
use crate::crowd::{ARRIVAL_RADIUS, AgentId, RouteFollower, RouteId, RouteProgress, Waypoint, entry};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Ground, Lattice, walls};
use throng_plan::{Capability, PlanError};

/// A requested change of a cell.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Change {
    open: Option<bool>,
    terrain: Option<u8>,
    height: Option<u16>,
}

impl Change {
    /// The edits of a cell that make it so.
    fn edits(self, cell: Cell) -> impl Iterator<Item = Edit> {
        let open = self.open.map(|open| if open { Edit::Open(cell) } else { Edit::Close(cell) });
        let terrain = self.terrain.map(|class| Edit::Terrain(cell, class));
        [terrain, self.height.map(|height| Edit::Height(cell, height)), open].into_iter().flatten()
    }
}

/// Edits that wait for the next tick, or for an agent to step aside.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Edits {
    pub(super) pending: BTreeMap<Cell, Change>,
}

impl Edits {
    /// True where a cell is to be closed.
    pub(super) fn closes(&self, cell: Cell) -> bool {
        !self.pending.is_empty() && self.pending.get(&cell).is_some_and(|change| change.open == Some(false))
    }

    /// Asks for an edit of a cell of the map.
    pub(super) fn add(&mut self, edit: Edit) {
        let change = self.pending.entry(edit.cell()).or_default();
        match edit {
            Edit::Open(_) => change.open = Some(true),
            Edit::Close(_) => change.open = Some(false),
            Edit::Terrain(_, class) => change.terrain = Some(class),
            Edit::Height(_, height) => change.height = Some(height),
        }
    }
}

/// So thin a body (cells) must still get from point to point of a route, or it is cut. A wider body that does not get through
/// notices that on the way.
const THIN: f32 = 0.25;

impl World {
    /// Changes the map at the start of the next tick. Of several edits of one cell the last counts.
    ///
    /// A cell is not closed while an agent stands in it: that edit waits until the agent has gone. Routes through closed cells
    /// are cut and asked for again, and so are those for which an opened cell may be a short cut. Searches that are
    /// under way go on over the old map. Their routes are walked where they are still free, though a way that has been opened
    /// since may be shorter.
    ///
    /// # Errors
    /// Where a cell is off the map; then nothing is changed.
    ///
    /// ```
    /// use throng_grid::{Edit, Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// let gate = world.grid().lattice().cell(30, 12);
    /// world.edit(&[Edit::Close(gate)])?;
    /// world.tick()?;
    /// assert!(!world.grid().is_open(gate));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), WorldError> {
        let lattice = self.grid.lattice();
        if let Some(edit) = edits.iter().find(|edit| !lattice.contains(edit.cell())) {
            return Err(WorldError::EditOffMap { cell: edit.cell() });
        }
        for &edit in edits {
            self.state.edits.add(edit);
        }
        Ok(())
    }

    /// The edits at the start of the next tick of cells that are opened then, in their order: as [asked for](World::edit), or
    /// since they were broken in this one.
    pub fn pending_openings(&self) -> impl Iterator<Item = Edit> {
        let opened = self.state.edits.pending.iter().filter(|(_, change)| change.open == Some(true));
        opened.flat_map(|(&cell, change)| change.edits(cell))
    }

    /// How many cells wait to be changed.
    pub fn edits_pending(&self) -> usize {
        self.state.edits.pending.len()
    }
}

/// Reads the edits that are asked for; writes the map, grounds, planners and fields, and which agents and squads ask for another
/// route. Global.
///
/// # Errors
/// Where a unit or a planner cannot use the new map; then the map stays as it is, and the edits are dropped.
pub(super) fn apply(
    settings: &Settings,
    grid: &mut Arc<Grid>,
    derived: &mut Derived,
    state: &mut State,
) -> Result<(), WorldError> {
    if state.edits.pending.is_empty() {
        return Ok(());
    }
    let mut edits = Vec::new();
    let taken = occupied(grid.lattice(), state);
    state.edits.pending.retain(|&cell, change| {
        // The terrain under a new wall waits together with the wall.
        if change.open == Some(false) && taken.binary_search(&cell).is_ok() {
            return true;
        }
        edits.extend(change.edits(cell));
        false
    });
    // While all of them wait, the map is not copied tick after tick.
    if edits.is_empty() {
        return Ok(());
    }
    let mut edited = grid.as_ref().clone();
    let mut dirty = Vec::new();
    edited.edit(&edits, &mut dirty);
    if dirty.is_empty() {
        return Ok(());
    }
    let before = replace_map(Arc::new(edited), &dirty, grid, derived)?;
    // Terrain and heights alone cut no route.
    let turned = dirty.iter().filter(|&&cell| grid.is_open(cell) != before.is_open(cell));
    let (opened, closed): (Vec<Cell>, Vec<Cell>) = turned.partition(|&&cell| grid.is_open(cell));
    route_requests::forget_walked(state);
    fields::repair(derived, state, &dirty, |_| true);
    derived.escape_fields.clear();
    let map = MapView::new(settings, grid, derived);
    if !closed.is_empty() {
        cut_routes(map, state);
    }
    look_for_short_cuts(grid.lattice(), state, &opened);
    if !opened.is_empty() {
        look_for_nearer_goals(map, state);
    }
    siege::lift(state, &opened);
    // Agents that wait to ask again for a route ask at once.
    state.requests.backoffs.values_mut().for_each(RetryBackoff::hopes);
    sleep::wake_beside(&dirty, grid.lattice(), derived.home, state);
    Ok(())
}

/// The cells to be closed that a body touches, in order.
fn occupied(lattice: Lattice, state: &State) -> Vec<Cell> {
    let closing = |cell: &Cell| state.edits.closes(*cell);
    let mut taken = Vec::new();
    if !state.edits.pending.keys().any(closing) {
        return taken;
    }
    let crowd = &state.crowd;
    // An agent on a link needs room where it comes down.
    let landing = state.links.crossers.values();
    let landing = landing.filter_map(|one| Some((one.to, crowd.rows.radius[crowd.row(one.id)?])));
    for (at, radius) in crowd.rows.position.iter().copied().zip(crowd.rows.radius.iter().copied()).chain(landing) {
        let (x0, y0) = lattice.column_row(lattice.at(at - radius));
        let (x1, y1) = lattice.column_row(lattice.at(at + radius));
        let touched = (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| lattice.cell(x, y)));
        taken.extend(touched.filter(|cell| closing(cell)));
    }
    taken.sort_unstable();
    taken.dedup();
    taken
}

/// Puts the grounds and planners on an edited map, and returns the map that was there before.
///
/// # Errors
/// Where a unit or a planner cannot use it; then nothing is changed.
fn replace_map(
    edited: Arc<Grid>,
    dirty: &[Cell],
    grid: &mut Arc<Grid>,
    derived: &mut Derived,
) -> Result<Arc<Grid>, WorldError> {
    let update = |ground: &Arc<Ground>| ground.edited(Arc::clone(&edited), dirty).map(Arc::new);
    let grounds = derived.grounds.iter().map(update).collect::<Result<Vec<_>, _>>()?;
    let mut planners = derived.planners.clone();
    for (_, built) in &mut planners {
        for (&ground, planner) in built {
            if !grounds[usize::from(ground)].is_level() && !planner.capabilities().can(Capability::Heights) {
                return Err(PlanError::Cannot { planner: planner.name(), what: Capability::Heights }.into());
            }
            if let Some(updated) = planner.updated(&grounds[usize::from(ground)], dirty)? {
                *planner = updated;
            }
        }
    }
    (derived.grounds, derived.planners) = (grounds, planners);
    Ok(std::mem::replace(grid, edited))
}

/// Squads that could not come to the very point where they were sent set out anew, where they can come nearer now.
pub(super) fn look_for_nearer_goals(map: MapView<'_>, state: &mut State) {
    for s in 0..state.squads.len() {
        let squad = &state.squads[s];
        let (Some(point), Some(goal)) = (squad.order.destination(), squad.goal) else { continue };
        if point != goal && matches!(squad.route_state, RouteState::Walked { .. }) {
            let nearer = posts::nearest_point(
                map,
                squad.ground,
                (squad.middle, point),
                state.units[usize::from(squad.unit)].radius,
            );
            if nearer.distance(point) + ARRIVAL_RADIUS < goal.distance(point) {
                state.squads[s].route_state = RouteState::New;
            }
        }
    }
}

/// Agents and squads whose route leads through a wall now ask again. Posts in a wall are given out anew.
pub(super) fn cut_routes(map: MapView<'_>, state: &mut State) {
    let cut: Vec<RouteId> = state.routes.ids().filter(|&id| !is_walkable(map.grid, state, id)).collect();
    for squad in &mut state.squads {
        let ground = &map.grounds[usize::from(squad.ground)];
        let lost = match squad.route_state {
            RouteState::New | RouteState::None => false,
            RouteState::Wanted { from, to } => !(ground.is_passable(from) && ground.is_passable(to)),
            RouteState::Asked { to } | RouteState::Walked { to } | RouteState::Unreachable { to } => {
                !ground.is_passable(to)
            }
        };
        if lost || cut.binary_search(&squad.route).is_ok() {
            squad.route_state = RouteState::New;
        }
    }
    let mut homeless = BTreeSet::new();
    for (slot, follower) in state.crowd.slots.follower.iter_mut().enumerate() {
        let row = state.crowd.slots.row_of[slot];
        if row == u32::MAX {
            continue;
        }
        let row = row as usize;
        if cut.binary_search(&follower.route).is_ok() && follower.route_progress != RouteProgress::Requested {
            follower.route_progress = RouteProgress::Cut;
            state.waking.push(slot as u32);
        }
        if !walls::is_clear(map.grid, follower.post, state.crowd.rows.radius[row]) {
            let squad = state.crowd.slots.squad[slot] as usize;
            if state.squads.get(squad).is_some_and(|squad| squad.goal.is_some()) {
                homeless.insert(squad);
            } else {
                let end = state.routes.points(follower.route).last().map(|last| last.at);
                follower.post = end.unwrap_or(state.crowd.rows.position[row]);
            }
            state.waking.push(slot as u32);
        }
    }
    for s in homeless {
        // Else it sets out anew, and gives them posts then.
        if let RouteState::Walked { to } = state.squads[s].route_state {
            posts::assign(map, state, s, to);
        }
    }
}

/// True where a thin body gets from point to point of a route.
pub(super) fn is_walkable(grid: &Grid, state: &State, route: RouteId) -> bool {
    let (points, starts) = (state.routes.points(route), state.routes.crossings(route));
    let is_crossing = |index: usize| starts.binary_search(&(index as u32)).is_ok();
    let radius = THIN * grid.lattice().cell_size;
    let sees = |a: Vec2, b: Vec2| walls::line_of_sight(grid, grid.clearance(), a, b, radius);
    let walked = |(index, pair): (usize, &[Waypoint])| is_crossing(index) || sees(pair[0].at, pair[1].at);
    points.windows(2).enumerate().all(walked) && !is_cut_off(grid, state, route)
}

/// The mark of a follower that needs another route than the one it has: it may see that again, where that can be walked.
pub(super) fn lost_mark(grid: &Grid, state: &State, route: RouteId) -> RouteProgress {
    if is_walkable(grid, state, route) { RouteProgress::Lost } else { RouteProgress::Cut }
}

/// An agent whose route is cut, and for which there is no other, stays where it is, until there is one.
pub(super) fn drop_cut_route(grid: &Grid, state: &mut State, id: AgentId) {
    let follower = &state.crowd.slots.follower[id.slot as usize];
    if is_walkable(grid, state, follower.route) {
        return;
    }
    let stays = RouteFollower { route: RouteId::NONE, route_progress: RouteProgress::Lost, ..*follower };
    let old = std::mem::replace(&mut state.crowd.slots.follower[id.slot as usize], stays);
    state.routes.release(old.route);
}

/// Squads ask again if the way over an opened cell may be shorter than the rest of their route, or if they have found no
/// route.
pub(super) fn look_for_short_cuts(lattice: Lattice, state: &mut State, opened: &[Cell]) {
    if opened.is_empty() {
        return;
    }
    // By a link the way may be short to wherever it is far.
    let may_jump = !state.links.all.is_empty();
    for squad in &mut state.squads {
        let wants = match squad.route_state {
            RouteState::Unreachable { .. } => true,
            RouteState::Walked { .. } => {
                let points = state.routes.points(squad.route);
                let Some(last) = points.last() else { continue };
                let mut left = 0.0;
                let mut at = squad.middle;
                for point in &points[entry(points, squad.middle) as usize..] {
                    left += at.distance(point.at);
                    at = point.at;
                }
                may_jump
                    || opened.iter().map(|&cell| lattice.centre(cell)).any(|cell| {
                        // Half a cell's diagonal: the way may cut the cell's corner.
                        squad.middle.distance(cell) + cell.distance(last.at) - 1.5 * lattice.cell_size < left
                    })
            }
            _ => false,
        };
        if wants {
            squad.route_state = RouteState::New;
        }
    }
}
