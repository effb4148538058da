//! What a ground and a query ask of a planner.

use super::estimate::steps_in_words;
use super::{Capability, Estimate, Goal, PlanError, Planner, Query};
use throng_grid::{Corners, Ground, Steps};

/// # Errors
/// [`PlanError::Cannot`] where the planner cannot answer such a query on such a ground.
pub(super) fn require(planner: &dyn Planner, ground: &Ground, query: &Query) -> Result<(), PlanError> {
    let can = planner.capabilities();
    match needed(ground, query).find(|&what| !can.can(what)) {
        Some(what) => Err(PlanError::Cannot { planner: planner.name(), what }),
        None => Ok(()),
    }
}

/// # Errors
/// [`PlanError::Estimate`] where an estimate may be above the cost of the ground's steps.
pub(super) fn require_estimate<E: Estimate>(ground: &Ground) -> Result<(), PlanError> {
    if E::fits(ground.steps()) {
        return Ok(());
    }
    Err(PlanError::Estimate { estimate: E::NAME, steps: steps_in_words(ground.steps()) })
}

/// The capabilities that a query on a ground needs.
pub(super) fn needed(ground: &Ground, query: &Query) -> impl Iterator<Item = Capability> {
    let cuts = matches!(ground.steps(), Steps::Eight(Corners::OneSide | Corners::Always));
    [
        (ground.steps() == Steps::Four, Capability::FourNeighbours),
        (cuts, Capability::CutCorners),
        (ground.weighs_terrain(), Capability::Terrain),
        (!ground.is_level(), Capability::Heights),
        (ground.crowding().is_some(), Capability::Crowds),
        (!ground.links().is_empty(), Capability::Links),
        (query.radius > ground.radius(), Capability::Radius),
        (!matches!(query.goal, Goal::Cell(_)), Capability::GoalSets),
    ]
    .into_iter()
    .filter_map(|(needed, capability)| needed.then_some(capability))
}
