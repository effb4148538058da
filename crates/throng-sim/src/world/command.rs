//! Squads decide where to go, their members where to walk.

use super::Settings;
use super::parts::{Derived, State, route_view};
use crate::battle::{self, SiegeView, command};
use crate::crowd::RouteId;
use throng_grid::Grid;

/// Reads orders, enemies and walls; writes where each squad wants to go. Global: a squad looks at all of its members, and at enemies
/// anywhere.
pub(super) fn update_route_states(settings: &Settings, grid: &Grid, derived: &Derived, state: &mut State) {
    let every = ((command::REVIEW_EVERY / settings.step).round() as u64).max(1);
    let State { squads, crowd, soldiers, relations, tick, ramparts, units, routes, .. } = state;
    let fortress = SiegeView { grid, clearance: grid.clearance(), ramparts, units };
    command::update_route_states(squads, crowd, soldiers, relations, &fortress, &derived.grounds, (*tick, every));
    for squad in squads.iter_mut().filter(|squad| squad.members.is_empty()) {
        routes.release(std::mem::replace(&mut squad.route, RouteId::NONE));
        squad.field = None;
    }
}

/// Reads routes, fields and enemies; writes the aim of each agent: its place in the ranks, the next point of its route, its enemy.
/// Local, but for squads in ranks, whose block moves as one.
pub(super) fn aims(settings: &Settings, grid: &Grid, derived: &Derived, state: &mut State) {
    let schedule = settings.schedule(state.tick);
    let State { units, squads, soldiers, crowd, routes, waking, .. } = state;
    let (view, step) = (route_view(grid, routes, schedule), settings.step);
    if squads.iter().any(|squad| squad.ranks.is_some()) {
        let country = battle::FormationView { view, units, grounds: &derived.grounds, step };
        battle::march(&country, squads, soldiers, crowd, waking);
    }
    command::aims(&view, (step, settings.avoidance.kind), units, squads, &derived.escape_fields, soldiers, crowd);
}
