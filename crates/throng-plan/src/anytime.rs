//! Searches under a budget of time.

use super::{Limits, Outcome, Path, PlanError, Planner, Progress, Query, Scratch};
use std::time::{Duration, Instant};
use throng_grid::Ground;

/// Expansions between two looks at the clock.
const CLOCK_CHECK_EXPANSIONS: u64 = 1024;

/// Runs a search to its end or until `time` is up, and hands out each better route as it is found; the last one is
/// in `path` in the end, and is not handed out.
///
/// For interactive tools: the result depends on the clock. Simulations limit the expansions
/// ([`Limits`]) instead. A search that runs out of time ends like one that runs into its limit: with the best route
/// so far, or with a part of one. A planner that cannot pause is waited for.
///
/// ```
/// use std::time::Duration;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Ara, Path, Query, Scratch, plan_within};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let time = Duration::from_secs(10);
/// let outcome = plan_within(&Ara::default(), &ground, &query, &mut scratch, &mut path, time, |better, path| {
///     println!("{} cells, bound {}", path.cells.len(), better.bound);
/// })?;
/// assert_eq!(outcome.bound, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where the start or the goal is off the map or closed.
pub fn plan_within(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    path: &mut Path,
    time: Duration,
    mut better: impl FnMut(&Outcome, &Path),
) -> Result<Outcome, PlanError> {
    let start = Instant::now();
    // A limit from the start, so that a partial route can be told.
    let limits = Limits { expansions: query.limits.expansions.min(u64::MAX - 1) };
    let mut query = Query { limits, ..query.clone() };
    path.cells.clear();
    planner.begin(ground, &query, scratch)?;
    loop {
        match planner.advance(ground, &query, scratch, CLOCK_CHECK_EXPANSIONS) {
            Progress::Running => {}
            Progress::Route(outcome) => {
                planner.path(ground, &query, scratch, path);
                better(&outcome, path);
            }
            Progress::Done(outcome) => {
                planner.path(ground, &query, scratch, path);
                return Ok(outcome);
            }
        }
        if start.elapsed() >= time {
            query.limits.expansions = scratch.expanded().min(limits.expansions);
        }
    }
}
