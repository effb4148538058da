//! Those that are compared.

use crate::grid::Ground;
use crate::plan::{PlanError, Planner, PlannerChoice, Query, Scratch};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A planner that is compared with others.
///
/// ```
/// use std::sync::Arc;
/// use throng::compare::Contender;
/// use throng::grid::{Grid, Ground, Lattice};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?).into(), 0.4)?);
/// let contender = Contender::new(&"weighted-astar:1,1.5".parse()?, &ground)?;
/// assert_eq!(contender.name, "weighted-astar:1,1.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contender {
    /// What it is called in the results.
    pub name: String,
    /// Who searches.
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
