//! Morale: which agents flee, where to, and how that ends.

use super::parts::{Derived, Scratch, State};
use super::travel::depart;
use super::{Settings, combat};
use crate::battle::{self, Squad};
use crate::crowd::{AgentId, RouteFollower, RouteProgress};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Ground};
use throng_plan::{FlowField, PlanError};
use throng_spatial::Bodies;

/// Reads losses, enemies and where agents stood; writes morale, which agents flee, and which leave the map at its edge. Local, but for the
/// counts of squads and armies.
///
/// # Errors
/// Where the field that leads to the edge cannot be built.
pub(super) fn update(
    settings: &Settings,
    grid: &Grid,
    derived: &mut Derived,
    scratch: &Scratch,
    state: &mut State,
) -> Result<(), PlanError> {
    let mut result = Ok(());
    if !state.soldiers.morale.is_empty() {
        for (slot, flees) in shake(settings, grid, derived, scratch, state) {
            result = result.and(if flees { flee(derived, state, slot) } else { Ok(()) });
            if !state.soldiers.flees(slot as usize) {
                rally(state, slot);
            }
        }
    }
    leave_map(derived, state);
    result
}

/// Morale falls and recovers: the slots of agents that begin to flee (true), or rally.
fn shake(
    settings: &Settings,
    grid: &Grid,
    derived: &Derived,
    scratch: &Scratch,
    state: &mut State,
) -> Vec<(u32, bool)> {
    let State { units, relations, crowd, soldiers, squads, events, tick, .. } = state;
    let awake = ..crowd.awake();
    let stood = Bodies {
        position: bytemuck::cast_slice(&scratch.stood),
        radius: &crowd.rows.radius[awake],
        id: &crowd.rows.slot[awake],
        resting: &[],
    };
    let schedule = settings.schedule(*tick);
    let field = combat::field(settings, grid, derived, units, crowd, relations, schedule);
    battle::morale(&field, stood, squads, &events.harms, settings.step, soldiers);
    soldiers.turns().collect()
}

/// Lets an agent begin to run: it lets go of its route. Where no way leads off the map it fights on.
fn flee(derived: &mut Derived, state: &mut State, slot: u32) -> Result<(), PlanError> {
    let at = let_go(state, slot);
    state.waking.push(slot);
    let squad = state.squad_of(slot as usize);
    let found = squad.map(|squad| squad.ground).map_or(Ok(false), |ground| {
        escape_field(derived, ground)
            .map(|field| field.is_some_and(|field| field.cost(field.lattice().at(at)).is_some()))
    });
    if !matches!(found, Ok(true)) {
        let most = state.unit_of(slot as usize).morale;
        state.soldiers.stands_at_bay(slot as usize, most);
    }
    found.map(drop)
}

/// Lets an agent stop running, and ask for the way to its squad's goal.
fn rally(state: &mut State, slot: u32) {
    let_go(state, slot);
    state.crowd.slots.follower[slot as usize].route_progress = RouteProgress::Lost;
}

/// It lets go of its route, and of its post where its squad goes nowhere; returns where it is (m).
fn let_go(state: &mut State, slot: u32) -> Vec2 {
    let (id, RouteFollower { post, is_sent, has_come, .. }) =
        (state.crowd.id(slot), state.crowd.slots.follower[slot as usize]);
    state.release_routes(&[id]);
    let at = state.crowd.rows.position[state.crowd.slots.row_of[slot as usize] as usize];
    let squad = state.squad_of(slot as usize);
    let has_post = squad.is_some_and(|squad| squad.goal.is_some());
    state.crowd.slots.follower[slot as usize] =
        RouteFollower { is_sent, has_come, ..RouteFollower::stay(if has_post { post } else { at }) };
    at
}

/// The field over a ground that leads to where the map ends; `None` where it ends in walls alone.
fn escape_field(derived: &mut Derived, ground: u16) -> Result<Option<Arc<FlowField>>, PlanError> {
    if let Some(field) = derived.escape_fields.get(&ground) {
        return Ok(Some(Arc::clone(field)));
    }
    let place = &derived.grounds[usize::from(ground)];
    let edge = edge(place);
    if edge.is_empty() {
        return Ok(None);
    }
    let field = Arc::new(FlowField::new(place, &edge, &mut throng_plan::Scratch::default())?);
    derived.escape_fields.insert(ground, Arc::clone(&field));
    Ok(Some(field))
}

/// Reads which agents flee; writes the fields by which they do, where the map has changed since. An agent that none leads off the map any more
/// fights on. Global.
///
/// # Errors
/// Where one cannot be built.
pub(super) fn build_escape_fields(derived: &mut Derived, state: &mut State) -> Result<(), PlanError> {
    let mut result = Ok(());
    for s in 0..state.squads.len() {
        let Squad { order, ground, .. } = state.squads[s];
        if order.leaves() && !derived.escape_fields.contains_key(&ground) {
            result = result.and(escape_field(derived, ground).map(drop));
        }
    }
    let running = if state.soldiers.any_flees() { state.soldiers.flees.len() } else { 0 };
    for slot in 0..running {
        if !state.soldiers.flees(slot) || state.crowd.slots.row_of[slot] == u32::MAX {
            continue;
        }
        let Some(squad) = state.squad_of(slot) else { continue };
        let ground = squad.ground;
        if derived.escape_fields.contains_key(&ground) {
            continue;
        }
        let field = escape_field(derived, ground);
        if !matches!(field, Ok(Some(_))) {
            let most = state.unit_of(slot).morale;
            state.soldiers.stands_at_bay(slot, most);
        }
        result = result.and(field.map(drop));
    }
    result
}

/// Agents that flee and stand on a cell where the map ends leave it.
fn leave_map(derived: &Derived, state: &mut State) {
    if derived.escape_fields.is_empty() {
        return;
    }
    let (State { crowd, soldiers, squads, .. }, Derived { escape_fields, .. }) = (&*state, derived);
    let runs = (0_u32..).zip(&soldiers.flees).filter(|&(_, &flees)| flees).map(|(slot, _)| slot);
    let ordered = squads.iter().filter(|squad| squad.order.leaves()).flat_map(|squad| &squad.members);
    let ordered = ordered.filter(|&&id| crowd.row(id).is_some()).map(|id| id.slot);
    let is_gone = |&slot: &u32| {
        let row = crowd.slots.row_of[slot as usize];
        let squad = squads.get(crowd.slots.squad[slot as usize] as usize);
        let field = squad.and_then(|squad| escape_fields.get(&squad.ground));
        row != u32::MAX
            && soldiers.health[slot as usize] > 0.0
            && field.is_some_and(|field| field.is_goal(field.lattice().at(crowd.rows.position[row as usize])))
    };
    let mut gone: Vec<AgentId> = runs.chain(ordered).filter(is_gone).map(|slot| crowd.id(slot)).collect();
    gone.sort_unstable();
    gone.dedup();
    for id in gone {
        depart(state, id, true);
    }
}

/// The passable cells of the lowest clearance that a body can stand on along the border of the map.
fn edge(ground: &Ground) -> Vec<throng_grid::Cell> {
    let lattice = ground.lattice();
    // How many rows of cells a body is too wide for at the border.
    let inset = (ground.radius() / lattice.cell_size - 0.5).ceil().max(0.0) as u32;
    let (right, bottom) = (lattice.width.saturating_sub(1 + inset), lattice.height.saturating_sub(1 + inset));
    let is_edge = |x: u32, y: u32| x == inset || y == inset || x == right || y == bottom;
    let cells = (inset..=bottom).flat_map(|y| (inset..=right).map(move |x| (x, y)));
    cells
        .filter(|&(x, y)| is_edge(x, y))
        .map(|(x, y)| lattice.cell(x, y))
        .filter(|&cell| ground.is_passable(cell))
        .collect()
}
