//! A search repeated up to the moment that is shown.

use super::trace::Trace;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground, STRAIGHT};
use throng_plan::{Capability, Cost, Limits, Path, PlanError, Planner, Progress, Query, Scratch, Status, path_so_far};

/// A route that a planner reports before it is at its end: better and better ones, or the first part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Improvement {
    /// After how many expansions.
    pub at: u64,
    /// How many times the least cost it may have; infinite where nothing is proven.
    pub bound: f64,
    /// As [`Found::length`](super::searcher::Found::length).
    pub length: f64,
    /// Its turns (m), start and goal included.
    pub route: Vec<Vec2>,
    /// Doors through which the rest will lead, of planners that refine part by part (m).
    pub ahead: Vec<Vec2>,
}

/// A search after `at` expansions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartialSearch {
    pub at: u64,
    /// `None` where the planner leaves none, or cannot be stopped on the way.
    pub trace: Option<Trace>,
    /// Of hierarchical planners the level that is searched, the lowest being 0, and how many there are.
    pub level: Option<(usize, usize)>,
    /// The way to the expanded cell nearest to the goal: where it turns (m).
    pub so_far: Vec<Vec2>,
}

/// The memory of a search that stops wherever the user looks.
#[derive(Default)]
pub(super) struct Rerun {
    pub(super) scratch: Scratch,
    /// Expansions, and parts that were refined after them; `None` before the search has begun.
    spent: Option<u64>,
}

impl Rerun {
    /// The search after `at` expansions: goes on from where it was, or begins anew to go back. Colours are those of a
    /// search whose way to the furthest cell costs `furthest`. `None` where the query was cancelled.
    ///
    /// # Errors
    /// As [`Planner::begin`].
    pub fn look(
        &mut self,
        planner: &dyn Planner,
        ground: &Ground,
        query: &Query,
        at: u64,
        furthest: u64,
    ) -> Result<Option<PartialSearch>, PlanError> {
        if !planner.capabilities().can(Capability::Pause) {
            return Ok(Some(PartialSearch { at, trace: None, level: None, so_far: Vec::new() }));
        }
        if !self.advance_to(planner, ground, query, at)? {
            return Ok(None);
        }
        let mut path = Path::default();
        // Of a hierarchy that is the part that was given last: routes that were told on the way are shown by themselves.
        if planner.hierarchy().is_none() {
            path_so_far(planner, ground, query, &self.scratch, &mut path);
        }
        Ok(Some(PartialSearch {
            at,
            trace: trace(planner, ground, &self.scratch, Some(furthest)),
            level: self.level(planner),
            so_far: turns(ground, &path),
        }))
    }

    /// Goes to where the search is after `at` expansions, or to its end; false where the query was cancelled.
    ///
    /// # Errors
    /// As [`Planner::begin`].
    pub fn advance_to(
        &mut self,
        planner: &dyn Planner,
        ground: &Ground,
        query: &Query,
        at: u64,
    ) -> Result<bool, PlanError> {
        // With a limit that it never comes to a search remembers where it has come nearest.
        let query = &Query { limits: Limits { expansions: u64::MAX - 1 }, ..query.clone() };
        let mut spent = match self.spent.take().filter(|&spent| spent <= at) {
            Some(spent) => spent,
            None => self.begin(planner, ground, query)?,
        };
        while spent < at {
            let before = self.scratch.expanded();
            match planner.advance(ground, query, &mut self.scratch, at - spent) {
                Progress::Route(_) => spent += self.scratch.expanded() - before,
                Progress::Done(outcome) if outcome.status == Status::Cancelled => return Ok(false),
                Progress::Running | Progress::Done(_) => spent = at,
            }
        }
        self.spent = Some(spent);
        Ok(true)
    }

    /// All routes that the planner reports on the way, and how many expansions it is to the end, refined parts
    /// included. `None` where the query was cancelled.
    ///
    /// # Errors
    /// As [`Planner::begin`].
    pub fn improvements(
        &mut self,
        planner: &dyn Planner,
        ground: &Ground,
        query: &Query,
    ) -> Result<Option<(Vec<Improvement>, u64)>, PlanError> {
        let mut spent = self.begin(planner, ground, query)?;
        let (mut improvements, mut path) = (Vec::new(), Path::default());
        loop {
            let before = self.scratch.expanded();
            match planner.advance(ground, query, &mut self.scratch, 1) {
                Progress::Running => spent += 1,
                Progress::Route(outcome) => {
                    spent += self.scratch.expanded() - before;
                    planner.path(ground, query, &self.scratch, &mut path);
                    let ahead = planner.hierarchy().map(|hpa| hpa.way_ahead(&self.scratch)).unwrap_or_default();
                    improvements.push(Improvement {
                        at: spent,
                        bound: outcome.bound,
                        length: length(ground, &path, outcome.cost),
                        route: turns(ground, &path),
                        ahead: points(ground, ahead),
                    });
                }
                Progress::Done(outcome) => {
                    let end = spent + self.scratch.expanded() - before;
                    return Ok((outcome.status != Status::Cancelled).then_some((improvements, end)));
                }
            }
        }
    }

    /// Forgets the search.
    pub fn restart(&mut self) {
        self.spent = None;
    }

    fn begin(&mut self, planner: &dyn Planner, ground: &Ground, query: &Query) -> Result<u64, PlanError> {
        self.spent = None;
        planner.begin(ground, query, &mut self.scratch)?;
        Ok(self.scratch.expanded())
    }

    fn level(&self, planner: &dyn Planner) -> Option<(usize, usize)> {
        planner.hierarchy().and_then(|hpa| Some((hpa.level(&self.scratch)?, hpa.levels())))
    }
}

/// The trace of a search, where its planner leaves one: cells, or the doors of a hierarchy.
pub(super) fn trace(planner: &dyn Planner, ground: &Ground, scratch: &Scratch, furthest: Option<u64>) -> Option<Trace> {
    let lattice = ground.lattice();
    if let Some(hpa) = planner.hierarchy() {
        let all = hpa.doors(hpa.level(scratch).unwrap_or(0));
        return Some(Trace::of_doors(&hpa.seen_doors(scratch), all, lattice, furthest));
    }
    planner.capabilities().can(Capability::Trace).then(|| Trace::new(scratch, lattice, furthest))
}

/// Length of a route (cells); with terrain or links its cost, where a cell of plain ground costs 1.
pub(super) fn length(ground: &Ground, path: &Path, cost: Cost) -> f64 {
    let plain = ground.is_uniform() && ground.links().is_empty();
    if plain { path.length(ground.lattice()) } else { cost as f64 / f64::from(STRAIGHT) }
}

/// The turns of a route (m), start and goal included.
pub(super) fn turns(ground: &Ground, path: &Path) -> Vec<Vec2> {
    let mut turns = Vec::new();
    path.turning_points_on(ground, &mut turns);
    points(ground, turns)
}

fn points(ground: &Ground, cells: Vec<Cell>) -> Vec<Vec2> {
    cells.into_iter().map(|cell| ground.lattice().centre(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::{Grid, Lattice};
    use throng_plan::{PlannerChoice, plan};

    fn ground() -> Arc<Ground> {
        let mut grid = Grid::open_plain(Lattice::new(60, 50, 1.0).unwrap());
        (0..40).for_each(|y| grid.set_open(grid.lattice().cell(30, y), false));
        Arc::new(Ground::new(grid.into(), 0.4).unwrap())
    }

    #[test]
    fn looks_are_the_same_whichever_way_one_comes_to_them() {
        let ground = ground();
        let query = Query::new(ground.lattice().cell(5, 5), ground.lattice().cell(55, 6));
        for name in PlannerChoice::NAMES {
            let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
            let pauses = planner.capabilities().can(Capability::Pause);
            let mut rerun = Rerun::default();
            let (_, end) = rerun.improvements(&*planner, &ground, &query).unwrap().unwrap();
            let mut look = |at| rerun.look(&*planner, &ground, &query, at, 30_000).unwrap().unwrap();
            let moments: Vec<u64> =
                [0, 1, 2, end / 3, end / 2, end - 1, end].into_iter().filter(|&at| at <= end).collect();
            let forth: Vec<PartialSearch> = moments.iter().map(|&at| look(at)).collect();
            for (at, before) in moments.iter().zip(&forth).rev() {
                let again = look(*at);
                let of = |look: &PartialSearch| look.trace.clone().map_or(vec![], |trace| trace.values);
                let other: Vec<_> = of(&again).into_iter().zip(of(before)).filter(|(a, b)| a != b).collect();
                assert!(other.is_empty(), "{name} at {at} of {end}: {other:?}");
                assert_eq!(again.so_far, before.so_far, "{name} at {at} of {end}");
            }
            if pauses && end > 10 {
                let count = |look: &PartialSearch| look.trace.as_ref().map_or(0, |trace| trace.count);
                assert!(count(&forth[0]) <= 2 && count(&forth[4]) > count(&forth[1]), "{name}");
            }
        }
    }

    #[test]
    fn a_look_has_as_many_closed_cells_as_were_expanded() {
        let ground = ground();
        let query = Query::new(ground.lattice().cell(5, 5), ground.lattice().cell(55, 6));
        let planner = "astar".parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
        let mut rerun = Rerun::default();
        let mut scratch = Scratch::default();
        let whole = plan(&*planner, &ground, &query, &mut scratch, &mut Path::default()).unwrap();
        for at in [0, 1, 17, whole.expanded / 2, whole.expanded - 1] {
            let look = rerun.look(&*planner, &ground, &query, at, 60_000).unwrap().unwrap();
            let closed = look
                .trace
                .unwrap()
                .values
                .iter()
                .filter(|&&value| (1..=super::super::trace::MAX_CLOSED).contains(&value))
                .count();
            assert_eq!(closed as u64, at);
        }
    }

    #[test]
    fn the_way_so_far_comes_nearer_and_is_the_one_that_a_limit_leaves() {
        let ground = ground();
        let query = Query::new(ground.lattice().cell(5, 5), ground.lattice().cell(55, 6));
        for name in [
            "astar",
            "dijkstra",
            "breadth-first",
            "greedy",
            "weighted-astar",
            "bidirectional",
            "fringe",
            "jps",
            "jps-plus",
            "theta",
        ] {
            let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
            let mut rerun = Rerun::default();
            let (_, end) = rerun.improvements(&*planner, &ground, &query).unwrap().unwrap();
            let mut nearest = f32::INFINITY;
            let mut moments = [0, 1, 2, end / 2, end - 1];
            moments.sort_unstable();
            for at in moments {
                let look = rerun.look(&*planner, &ground, &query, at, 30_000).unwrap().unwrap();
                let mut path = Path::default();
                let limited = Query { limits: Limits { expansions: at }, ..query.clone() };
                plan(&*planner, &ground, &limited, &mut Scratch::default(), &mut path).unwrap();
                if at > 0 {
                    assert_eq!(look.so_far, turns(&ground, &path), "{name} at {at} of {end}");
                    let last = look.so_far[look.so_far.len() - 1].distance(ground.lattice().centre(query.from));
                    assert!(look.so_far[0] == ground.lattice().centre(query.from) && last < 60.0);
                }
                // As far as on a map without walls.
                let octile = |by: Vec2| by.max_element() + by.min_element() * (2.0_f32.sqrt() - 1.0);
                let left = look.so_far.last().map_or(f32::INFINITY, |end| octile((Vec2::new(55.5, 6.5) - *end).abs()));
                assert!(left <= nearest + 0.1, "{name} at {at}: {left} m are left, {nearest} before");
                nearest = left;
            }
        }
    }

    #[test]
    fn anytime_routes_get_better_and_hierarchies_show_what_is_ahead() {
        let ground = ground();
        let query = Query::new(ground.lattice().cell(5, 5), ground.lattice().cell(55, 6));
        let improvements = |name: &str| {
            let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
            Rerun::default().improvements(&*planner, &ground, &query).unwrap().unwrap()
        };
        let (better, end) = improvements("ara:5,3,2,1");
        assert!(!better.is_empty() && better.iter().all(|better| better.at <= end && better.bound > 1.0));
        assert!(better.windows(2).all(|pair| pair[1].length <= pair[0].length && pair[1].at >= pair[0].at));
        let (parts, end) = improvements("hpa:8,1");
        let first = &parts[0];
        assert!(parts.len() == 1 && first.at < end && first.ahead.len() > 1);
        assert_eq!(first.ahead.last(), Some(&ground.lattice().centre(ground.lattice().cell(55, 6))));
        assert!(improvements("astar").0.is_empty());
    }
}
