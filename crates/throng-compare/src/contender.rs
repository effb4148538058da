//! The planners of a comparison.

use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_grid::Ground;
use throng_plan::{PlanError, Planner, PlannerChoice, Query, Scratch};

/// A planner that is compared with others.
///
/// ```
/// use std::sync::Arc;
/// use throng_compare::Contender;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::Query;
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?).into(), 0.4)?);
/// let contender = Contender::new(&"fringe".parse()?, &ground)?;
/// let lattice = ground.lattice();
/// let wide = Query { radius: 0.8, ..Query::new(lattice.cell(1, 1), lattice.cell(6, 3)) };
/// assert!(contender.takes(&ground, &wide).is_ok());
/// let manhattan = Contender::new(&"astar:manhattan".parse()?, &ground);
/// assert_eq!(
///     manhattan.unwrap_err().to_string(),
///     "the manhattan estimate may be above the cost of steps to eight neighbours; use another, as octile"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in the results.
    pub name: String,
    /// The planner that searches.
    pub planner: Arc<dyn Planner>,
    /// How long it took to make the planner for the ground.
    pub preprocess: Duration,
}

impl Contender {
    /// The planner of this choice for `ground`, and how long it took to make.
    ///
    /// # Errors
    /// Where the planner cannot plan on such a ground.
    pub fn new(choice: &PlannerChoice, ground: &Arc<Ground>) -> Result<Self, PlanError> {
        let start = Instant::now();
        let planner = choice.build(ground)?;
        Ok(Self { name: choice.to_string(), planner, preprocess: start.elapsed() })
    }

    /// Whether the planner takes such a query on this ground: starts the search and leaves it.
    ///
    /// # Errors
    /// Why it does not.
    pub fn takes(&self, ground: &Ground, query: &Query) -> Result<(), PlanError> {
        self.planner.begin(ground, query, &mut Scratch::default())
    }
}
