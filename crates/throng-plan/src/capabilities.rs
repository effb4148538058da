//! The capabilities of a planner.

use std::fmt;

/// How good the routes of a planner are.
///
/// ```
/// use throng_plan::{AStar, Guarantee, Octile, Planner, WeightedAStar};
/// assert_eq!(AStar(Octile).capabilities().guarantee, Guarantee::Optimal);
/// assert_eq!(WeightedAStar::new(1.0, 1.5)?.capabilities().guarantee, Guarantee::Bounded(1.5));
/// # Ok::<(), throng_plan::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Guarantee {
    /// No route costs less.
    Optimal,
    /// No route costs less than this share: a bound of 1.5 means at most one and a half times the least cost.
    Bounded(f64),
    /// A route, where there is one.
    Unproven,
}

/// Something that not every planner can do.
///
/// ```
/// use throng_plan::{BreadthFirst, Capability, Planner};
/// assert!(!BreadthFirst.capabilities().can(Capability::Terrain));
/// assert_eq!(Capability::Terrain.to_string(), "count what terrain costs");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Walk to four neighbours only.
    FourNeighbours,
    /// Cut corners.
    CutCorners,
    /// Count what terrain costs.
    Terrain,
    /// Count that slopes slow agents uphill and speed them downhill: steps cost more one way than the other.
    Heights,
    /// Count where it is crowded.
    Crowds,
    /// Use links.
    Links,
    /// Plan for bodies wider than those the ground was made for.
    Radius,
    /// End in one of several cells, or as near to one as possible.
    GoalSets,
    /// Search in pieces: [`Planner::advance`](super::Planner::advance) keeps to its budget.
    Pause,
    /// Leave a trace in the [`Scratch`](super::Scratch): which cells it opened and closed.
    Trace,
}

impl Capability {
    /// All of them.
    pub const ALL: &'static [Capability] = &[
        Capability::FourNeighbours,
        Capability::CutCorners,
        Capability::Terrain,
        Capability::Heights,
        Capability::Crowds,
        Capability::Links,
        Capability::Radius,
        Capability::GoalSets,
        Capability::Pause,
        Capability::Trace,
    ];
}

impl fmt::Display for Capability {
    /// The ability in words, as a verb and its object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FourNeighbours => "walk to four neighbours only",
            Self::CutCorners => "cut corners",
            Self::Terrain => "count what terrain costs",
            Self::Heights => "count what slopes cost",
            Self::Crowds => "count where it is crowded",
            Self::Links => "use links",
            Self::Radius => "plan for a body wider than its ground was made for",
            Self::GoalSets => "end in one of several cells",
            Self::Pause => "search in pieces",
            Self::Trace => "leave a trace",
        })
    }
}

/// The capabilities of a planner. Asking it for more is an error, [`PlanError::Cannot`](super::PlanError::Cannot).
///
/// ```
/// use throng_plan::{AStar, Capability, Guarantee, Octile, Planner};
/// let can = AStar(Octile).capabilities();
/// assert_eq!(can.guarantee, Guarantee::Optimal);
/// assert!(can.can(Capability::Terrain));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capabilities {
    /// How good its routes are.
    pub guarantee: Guarantee,
    /// Its capabilities.
    pub can: &'static [Capability],
}

impl Capabilities {
    /// True where the planner can do this.
    pub fn can(&self, capability: Capability) -> bool {
        self.can.contains(&capability)
    }
}
