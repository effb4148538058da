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
    /// # Errors
    /// Where start or goal is closed, and where A* was cancelled: why, in words.
    pub fn replan(&mut self, ground: &Arc<Ground>, at: Cell, goal: Cell, cancel: &Cancel) -> Result<Replan, String> {
        let since = Clock::of_thread().now();
        let kept = self.search.take().filter(|(_, old)| *old == goal);
        let is_repair = kept.is_some();
        let mut search = match kept {
            Some((search, _)) => search,
            None => DStarLite::new(Arc::clone(ground), at, goal).map_err(|error| error.to_string())?,
        };
        search.watch(true);
        if is_repair {
            let dirty: Vec<Cell> = toggled(search.ground().grid(), ground.grid()).collect();
            // A wall over the agent or the goal is an error of `walk_to`, or of the route.
            let _ = search.edited(Arc::clone(ground), &dirty);
        }
        let (search, _) = self.search.insert((search, goal));
        search.walk_to(at).map_err(|error| error.to_string())?;
        let outcome = search.route(&mut self.path);
        let effort = Effort { expanded: outcome.expanded, time: Clock::of_thread().now().saturating_sub(since) };
        let cells = self.path.cells.clone();
        let planner = PlannerChoice::AStar.build(ground).map_err(|error| error.to_string())?;
        let query = Query { cancel: Some(cancel.clone()), ..Query::new(at, goal) };
        let Timed { outcome: fresh, time, .. } =
            timed_by(Clock::of_thread(), &*planner, ground, &query, &mut self.scratch, &mut self.path)
                .map_err(|error| error.to_string())?;
        if fresh.status == Status::Cancelled {
            return Err("the map has changed".to_owned());
        }
        let anew = Effort { expanded: fresh.expanded, time };
        let lattice = ground.lattice();
        let expanded = search.expanded_cells();
        let traces = [Trace::of_cells(expanded, lattice), Trace::new(&self.scratch, lattice, None)];
        let anew_route = turns(ground, &self.path);
        Ok(Replan { cells, is_repair, effort, anew, traces, anew_route })
    }
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
