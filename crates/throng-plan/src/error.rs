//! Errors of a search.

use super::{Capability, Goal};
use throng_grid::Cell;

/// A query that cannot be answered.
///
/// ```
/// use throng_plan::{PlanError, WeightedAStar};
/// let error = WeightedAStar::new(0.0, 1.0).unwrap_err();
/// assert!(matches!(error, PlanError::Weights { .. }));
/// assert!(error.to_string().ends_with("found w1 = 0, w2 = 1"));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The cell is not on the map.
    #[error("the {end} is off the map")]
    OffMap {
        /// "start" or "goal".
        end: &'static str,
    },
    /// The cell is closed, or too narrow for the unit.
    #[error("the {end} ({x}, {y}) is in a wall")]
    Closed {
        /// "start" or "goal".
        end: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// The cell is too near to a wall for the radius that the query asks for.
    #[error("the {end} ({x}, {y}) is too narrow for a radius of {radius} m")]
    Narrow {
        /// "start" or "goal".
        end: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// Radius asked for (m).
        radius: f32,
    },
    /// None of several goals can be stood on.
    #[error("no cell of the goal can be stood on: all are in walls or too narrow")]
    NoGoal,
    /// A radius that is no number of metres.
    #[error("the radius of a query must be a finite number of metres, at least 0; found {radius}")]
    Radius {
        /// The value found (m).
        radius: f32,
    },
    /// A goal around a point that is no place, or within a distance that is none.
    #[error(
        "a goal within a distance needs a finite point and a finite distance of at least 0 m; \
         found ({x}, {y}) and {distance}"
    )]
    Distance {
        /// The point (m).
        x: f32,
        /// The point (m).
        y: f32,
        /// The distance (m).
        distance: f32,
    },
    /// The nearest reachable cell was asked for a radius whose regions the ground does not know.
    #[error(
        "the cell nearest to a goal can only be found for the ground's own radius and its size classes; \
         make the ground with {radius} among its sizes"
    )]
    NotASize {
        /// Radius asked for (m).
        radius: f32,
    },
    /// The planner cannot do what the ground or the query needs.
    #[error("the planner {planner} cannot {what}; choose one that can, as astar")]
    Cannot {
        /// Name of the planner.
        planner: &'static str,
        /// The missing capability.
        what: Capability,
    },
    /// An estimate that may be above the true cost.
    #[error("the {estimate} estimate may be above the cost of {steps}; use another, as octile")]
    Estimate {
        /// Name of the estimate.
        estimate: &'static str,
        /// The steps of the ground.
        steps: &'static str,
    },
    /// A planner that keeps tables of one ground was asked for a route on another.
    #[error("the planner {planner} was made for another ground, or the map was edited since; make it for this one")]
    OtherGround {
        /// Name of the planner.
        planner: &'static str,
    },
    /// A weight that is no number, negative, or leaves nothing to search by.
    #[error(
        "the weights must be finite and not negative, w1 above 0, both at most {limit}; found w1 = {}, w2 = {}",
        short(*w1), short(*w2)
    )]
    Weights {
        /// Weight of the cost so far.
        w1: f64,
        /// Weight of the estimate.
        w2: f64,
        /// The greatest weight.
        limit: f64,
    },
    /// A planner from outside this crate was asked for by its name alone.
    #[error(
        "the planner \"{name}\" is not one of this library; give it itself, as PlannerChoice::Custom, to a world that is \
         restored in Resume::planners"
    )]
    Custom {
        /// Its name.
        name: String,
    },
    /// Clusters too small to save anything, or too large to be searched from every door.
    #[error("the side of a cluster must be {least} to {most} cells; found {found}")]
    ClusterSide {
        /// The side asked for.
        found: u32,
        /// The smallest.
        least: u32,
        /// The greatest.
        most: u32,
    },
    /// A hierarchy without a level, or with too many.
    #[error("a hierarchy over clusters of {cluster} cells must have 1 to {most} levels; found {found}")]
    Levels {
        /// Side of the clusters of the lowest level.
        cluster: u32,
        /// The levels asked for.
        found: u8,
        /// The most.
        most: u8,
    },
    /// A hierarchy larger than the map.
    #[error(
        "a hierarchy of {levels} levels with clusters of {cluster} cells has clusters of {side} cells at the top, larger \
         than the map of {width} x {height}; ask for fewer levels or smaller clusters"
    )]
    HierarchyTooLarge {
        /// Side of the clusters of the lowest level.
        cluster: u32,
        /// Levels.
        levels: u8,
        /// Side of the clusters of the highest level.
        side: u64,
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// A schedule of weights that a search cannot follow.
    #[error(
        "the schedule must have 1 to {rounds} weights, each from 1 to {limit} and lower than the one before; found {found}"
    )]
    Schedule {
        /// The weights asked for.
        found: String,
        /// The most weights.
        rounds: usize,
        /// The greatest weight.
        limit: f64,
    },
    /// No planner has this name.
    #[error("unknown planner {name:?}; known are {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// All names.
        known: String,
    },
    /// The argument after the planner's name does not belong there.
    #[error("the planner {planner} takes {expected}; found {found:?}")]
    Argument {
        /// Name of the planner.
        planner: &'static str,
        /// The text after the colon.
        found: String,
        /// The allowed arguments.
        expected: &'static str,
    },
    /// A thread of a [`Pool`](super::Pool) could not be started.
    #[error("a worker thread could not be started: {message}")]
    Worker {
        /// The message of the operating system.
        message: String,
    },
    /// The planner broke what [`Planner`](super::Planner) promises: its search does not end, or its route is none.
    #[error("the planner {planner} broke its promise on the trip from {from:?} to {goal:?}: {fault}")]
    BrokenPromise {
        /// Name of the planner.
        planner: &'static str,
        /// Start of the trip.
        from: Cell,
        /// Goal of the trip.
        goal: Goal,
        /// What it did.
        fault: String,
    },
    /// The planner panicked; its worker is replaced.
    #[error("the planner {planner} panicked on the trip from {from:?} to {goal:?}: {message}")]
    Panicked {
        /// Name of the planner.
        planner: &'static str,
        /// Start of the trip.
        from: Cell,
        /// Goal of the trip.
        goal: Goal,
        /// The message of the panic.
        message: String,
    },
}

/// A number as people write it, however large.
pub(super) fn short(number: f64) -> String {
    if number.abs() < 1e9 || !number.is_finite() { number.to_string() } else { format!("{number:e}") }
}
