//! The route of an agent that walks while walls are drawn, by D* Lite, beside what a search anew would take.

use super::rerun::turns;
use super::trace::Trace;
use std::sync::Arc;
use std::time::Duration;
use throng_compare::{Clock, Timed, timed_by};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground};
use throng_plan::{Cancel, DStarLite, Path, PlannerChoice, Query, Scratch, Status};
use throng_scene::edits::toggled;

/// Each search is repeated for a steadier time: at most this often, and for at most this long.
const MAX_REPETITIONS: usize = 5;
const MAX_REPETITION_TIME: Duration = Duration::from_millis(20);

/// The cells that searches expand, and the time that they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
    pub expanded: u64,
    pub time: Duration,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.time += other.time;
    }
}

/// A route from where the agent stands.
#[derive(Clone, Debug)]
pub(super) struct Replan {
    /// From the agent to the goal; empty where no route leads there.
    pub cells: Vec<Cell>,
    /// True where an earlier search was repaired.
    pub is_repair: bool,
    /// The effort of D* Lite.
    pub effort: Effort,
    /// The effort of A* from the same cell, without any memory of an earlier search.
    pub anew: Effort,
    /// The cells that both have expanded: D* Lite and A*.
    pub traces: [Trace; 2],
    /// The route of A* (m).
    pub anew_route: Vec<Vec2>,
}

/// One agent's search, kept from map to map.
#[derive(Debug, Default)]
pub(super) struct Replanner {
    search: Option<(DStarLite, Cell)>,
    path: Path,
    scratch: Scratch,
}

impl Replanner {
    /// Forgets the search.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The cheapest route from `at` to `goal` on a ground. The search of the last call is repaired where it had the same goal.
    ///
    /// Both searches are timed alike: each some times from the same beginning, and their middle time counts.
    ///
    /// # Errors
    /// Where start or goal is closed, and where A* was cancelled: why, in words.
    pub fn replan(&mut self, ground: &Arc<Ground>, at: Cell, goal: Cell, cancel: &Cancel) -> Result<Replan, String> {
        let kept = self.search.take().filter(|(_, old)| *old == goal).map(|(search, _)| search);
        let is_repair = kept.is_some();
        let (effort, failure) = self.repair(kept.as_ref(), ground, at, goal)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let cells = self.path.cells.clone();
        let anew = self.anew(ground, at, goal, cancel)?;
        let lattice = ground.lattice();
        let expanded = self.search.as_ref().map_or(&[][..], |(search, _)| search.expanded_cells());
        let traces = [Trace::of_cells(expanded, lattice), Trace::new(&self.scratch, lattice, None)];
        let anew_route = turns(ground, &self.path);
        Ok(Replan { cells, is_repair, effort, anew, traces, anew_route })
    }

    /// The effort of D* Lite, whose search is kept, and its route in `path`; or why there is none: a wall over the agent.
    fn repair(
        &mut self,
        kept: Option<&DStarLite>,
        ground: &Arc<Ground>,
        at: Cell,
        goal: Cell,
    ) -> Result<(Effort, Option<String>), String> {
        let changed = |search: &DStarLite| toggled(search.ground().grid(), ground.grid()).collect();
        let dirty: Option<Vec<Cell>> = kept.map(changed);
        let path = &mut self.path;
        let ((search, result), time) = again(|| {
            let copy = kept.cloned();
            let since = Clock::of_thread().now();
            let made = copy.map_or_else(|| DStarLite::new(Arc::clone(ground), at, goal), Ok);
            let mut search = made.map_err(|error| error.to_string())?;
            search.watch(true);
            if let Some(dirty) = &dirty {
                // A wall over the agent or the goal is an error of `walk_to`, or of the route.
                let _ = search.edited(Arc::clone(ground), dirty);
            }
            let result = search.walk_to(at).map(|()| search.route(path));
            Ok(((search, result), Clock::of_thread().now().saturating_sub(since)))
        })?;
        self.search = Some((search, goal));
        Ok(match result {
            Ok(outcome) => (Effort { expanded: outcome.expanded, time }, None),
            Err(error) => (Effort::default(), Some(error.to_string())),
        })
    }

    /// The effort of the A* of the panes from the same cell; its route is in `path`.
    fn anew(&mut self, ground: &Arc<Ground>, at: Cell, goal: Cell, cancel: &Cancel) -> Result<Effort, String> {
        let planner = PlannerChoice::AStar.build(ground).map_err(|error| error.to_string())?;
        let query = Query { cancel: Some(cancel.clone()), ..Query::new(at, goal) };
        let (scratch, path) = (&mut self.scratch, &mut self.path);
        let (outcome, time) = again(|| {
            let timed = timed_by(Clock::of_thread(), &*planner, ground, &query, scratch, path);
            let Timed { outcome, time, .. } = timed.map_err(|error| error.to_string())?;
            let is_cancelled = outcome.status == Status::Cancelled;
            if is_cancelled { Err("the map has changed".to_owned()) } else { Ok((outcome, time)) }
        })?;
        Ok(Effort { expanded: outcome.expanded, time })
    }
}

/// Does the same some times; its last result, and the middle time.
fn again<T>(mut once: impl FnMut() -> Result<(T, Duration), String>) -> Result<(T, Duration), String> {
    let (mut last, first) = once()?;
    let mut times = vec![first];
    while times.len() < MAX_REPETITIONS && times.iter().sum::<Duration>() < MAX_REPETITION_TIME {
        let (result, time) = once()?;
        last = result;
        times.push(time);
    }
    times.sort_unstable();
    Ok((last, times[times.len() / 2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_grid::{Grid, Lattice};
    use throng_plan::plan;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// Walls are drawn and erased while an agent walks: each repaired route is legal and as cheap as one that A* finds.
        #[test]
        fn repaired_routes_are_the_cheapest(
            strokes in prop::collection::vec((0..24_u32, 0..24_u32, 1..9_u32, any::<bool>(), any::<bool>(), 0..6_usize), 1..14),
        ) {
            let mut grid = Grid::open_plain(Lattice::new(24, 24, 1.0).unwrap());
            let lattice = grid.lattice();
            let (mut at, goal) = (lattice.cell(1, 12), lattice.cell(22, 12));
            let (mut replanner, mut route) = (Replanner::default(), vec![at]);
            let mut ground = Arc::new(Ground::new(grid.clone().into(), 0.4).unwrap());
            for (number, (x, y, length, upright, open, steps)) in strokes.into_iter().enumerate() {
                at = route.get(steps).or(route.last()).copied().unwrap_or(at);
                for place in 0..length {
                    let (x, y) = if upright { (x, y + place) } else { (x + place, y) };
                    if x < 24 && y < 24 && ![at, goal].contains(&lattice.cell(x, y)) {
                        grid.set_open(lattice.cell(x, y), open);
                    }
                }
                let dirty: Vec<Cell> = toggled(ground.grid(), &grid).collect();
                ground = Arc::new(ground.edited(grid.clone().into(), &dirty).unwrap());
                let found = replanner.replan(&ground, at, goal, &Cancel::default()).unwrap();
                let planner = PlannerChoice::Dijkstra.build(&ground).unwrap();
                let mut path = Path::default();
                let best = plan(&*planner, &ground, &Query::new(at, goal), &mut Scratch::default(), &mut path).unwrap();
                prop_assert_eq!(found.is_repair, number > 0);
                prop_assert_eq!(found.cells.is_empty(), best.status != Status::Found);
                let length = Path { cells: found.cells.clone() }.length(lattice);
                prop_assert!((length - path.length(lattice)).abs() < 1e-3, "{} {}", length, path.length(lattice));
                if let [first, .., last] = found.cells[..] {
                    prop_assert_eq!((first, last), (at, goal));
                }
                prop_assert!(found.cells.iter().all(|&cell| ground.is_passable(cell)));
                route = found.cells;
            }
        }
    }

    #[test]
    fn the_middle_of_some_times_counts_and_a_long_search_is_made_once() {
        let times = |milliseconds: &[u64]| {
            let mut left = milliseconds.iter();
            let (last, time) = again(|| {
                let next = *left.next().unwrap();
                Ok((next, Duration::from_millis(next)))
            })
            .unwrap();
            (last, time.as_millis(), left.len())
        };
        assert_eq!(times(&[9, 1, 3, 2, 4, 7]), (4, 3, 1));
        assert_eq!(times(&[8, 9, 7, 1]), (7, 8, 1));
        assert_eq!(times(&[20, 1]), (20, 20, 1));
        assert!(again(|| Err::<((), Duration), _>(String::new())).is_err());
    }

    #[test]
    fn a_wall_on_the_way_costs_less_than_a_search_anew() {
        let mut grid = Grid::open_plain(Lattice::new(200, 200, 1.0).unwrap());
        let lattice = grid.lattice();
        let (from, goal) = (lattice.cell(5, 100), lattice.cell(190, 60));
        let ground = Arc::new(Ground::new(grid.clone().into(), 0.4).unwrap());
        let mut replanner = Replanner::default();
        let first = replanner.replan(&ground, from, goal, &Cancel::default()).unwrap();
        let at = first.cells[10];
        grid.set_open(first.cells[14], false);
        let edited = Arc::new(ground.edited(grid.into(), &[first.cells[14]]).unwrap());
        let repaired = replanner.replan(&edited, at, goal, &Cancel::default()).unwrap();
        assert_eq!(repaired.traces[0].count, repaired.effort.expanded);
        assert!(repaired.traces[1].count >= repaired.anew.expanded && repaired.anew_route.len() > 1);
        assert!(repaired.is_repair && repaired.effort.expanded * 10 < repaired.anew.expanded, "{repaired:?}");
        // The agent in a wall is told so, and goes on where the wall is gone.
        let mut walled = (**edited.grid()).clone();
        walled.set_open(at, false);
        let walled = Arc::new(edited.edited(walled.into(), &[at]).unwrap());
        assert!(replanner.replan(&walled, at, goal, &Cancel::default()).is_err());
        let again = replanner.replan(&edited, at, goal, &Cancel::default()).unwrap();
        assert_eq!((again.cells, again.is_repair), (repaired.cells, true));
    }
}
