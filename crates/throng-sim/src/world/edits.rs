//! Changes of the map while agents walk on it.

use super::parts::{Derived, MapView, State};
use super::routing::ask::forget_walked;
use super::routing::{fields, revise};
use super::{Command, Settings, World, WorldError, siege, sleep};
use crate::battle::RetryBackoff;
use std::sync::Arc;
use throng_grid::{Cell, Edit, Grid, Ground, Lattice};
use throng_plan::{Capability, PlanError};

impl World {
    /// Changes the map at the start of the next tick. Of several edits of one cell the last counts.
    ///
    /// A cell is not closed while an agent stands in it: that edit waits until the agent has gone. Routes through closed cells
    /// are cut and asked for again, and so are those for which an opened cell may be a short cut. Searches that are
    /// under way go on over the old map. Their routes are walked where they are still free, though a way that has been opened
    /// since may be shorter. Under an [obstacle](World::place_obstacle) a cell is opened or closed for when that has gone.
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
        self.log(|| Command::Edit { edits: edits.to_vec() });
        let lattice = self.grid.lattice();
        if let Some(edit) = edits.iter().find(|edit| !lattice.contains(edit.cell())) {
            return Err(WorldError::EditOffMap { cell: edit.cell() });
        }
        for &edit in edits {
            if !self.state.obstacles.takes(edit) {
                self.state.edits.add(edit);
            }
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
    forget_walked(state);
    fields::repair(derived, state, &dirty, |_| true);
    derived.escape_fields.clear();
    let map = MapView::new(settings, grid, derived);
    if !closed.is_empty() {
        revise::cut_routes(map, state);
    }
    revise::look_for_short_cuts(grid.lattice(), state, &opened);
    if !opened.is_empty() {
        revise::look_for_nearer_goals(map, state);
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
