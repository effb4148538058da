//! Estimates by name.

use crate::requirements::require_estimate;
use crate::{AStar, Estimate, Euclidean, Manhattan, Octile, PlanError, Planner, Zero};
use std::sync::Arc;
use throng_grid::Ground;

/// An estimate by name.
///
/// ```
/// use throng_plan::{EstimateChoice, PlannerChoice};
/// assert_eq!("astar:zero".parse(), Ok(PlannerChoice::AStarBy(EstimateChoice::Zero)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EstimateChoice {
    /// [`Octile`].
    Octile,
    /// [`Manhattan`].
    Manhattan,
    /// [`Euclidean`].
    Euclidean,
    /// [`Zero`].
    Zero,
}

impl EstimateChoice {
    pub(super) const ALL: [Self; 4] = [Self::Octile, Self::Manhattan, Self::Euclidean, Self::Zero];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Octile => Octile::NAME,
            Self::Manhattan => Manhattan::NAME,
            Self::Euclidean => Euclidean::NAME,
            Self::Zero => Zero::NAME,
        }
    }

    pub(super) fn build(self, ground: &Ground) -> Result<Arc<dyn Planner>, PlanError> {
        Ok(match self {
            Self::Octile => Arc::new(AStar(Octile)),
            Self::Manhattan => {
                require_estimate::<Manhattan>(ground)?;
                Arc::new(AStar(Manhattan))
            }
            Self::Euclidean => Arc::new(AStar(Euclidean)),
            Self::Zero => Arc::new(AStar(Zero)),
        })
    }
}
