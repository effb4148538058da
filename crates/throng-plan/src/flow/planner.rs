//! One route by a flow field.

use super::FlowField;
use crate::memory::SearchMemory;
use crate::wave::Waves;
use crate::{
    Cancel, Capabilities, Capability, Guarantee, Outcome, Path, PlanError, Planner, Progress, Query, Scratch, Status,
    search,
};
use throng_grid::Ground;

/// Builds a [`FlowField`] towards the goal and walks down in it.
///
/// One route is much dearer that way than by [`AStar`](crate::AStar), and every further one to the same goal is free:
/// squads of this planner share the field instead of a route. As a planner it is there to compare with.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: O(cells), 5 bytes a cell.
/// - **Ties**: those of the field.
/// - **Cannot be paused**: [`advance`](Planner::advance) runs to the end whatever its budget. Limit and cancel switch are
///   looked at from wave to wave; the field grows from the goal, so that a search that hits its limit has no step of the
///   way from the start, and its route is the start alone. The [`Scratch`] holds no trace.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{FlowFieldPlanner, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(3, 2));
/// let mut path = Path::default();
/// plan(&FlowFieldPlanner, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowFieldPlanner;

/// The field of the last search, and the waves that filled it.
#[derive(Debug, Default)]
struct FieldMemory {
    waves: Waves,
    field: Option<FlowField>,
}

impl SearchMemory for FieldMemory {
    fn bytes(&self) -> usize {
        self.waves.bytes() + self.field.as_ref().map_or(0, FlowField::bytes)
    }
}

impl Planner for FlowFieldPlanner {
    fn name(&self) -> &'static str {
        "flow-field"
    }

    fn capabilities(&self) -> Capabilities {
        let can = &[
            Capability::FourNeighbours,
            Capability::CutCorners,
            Capability::Terrain,
            Capability::Heights,
            Capability::Crowds,
            Capability::Links,
            Capability::GoalSets,
        ];
        Capabilities { guarantee: Guarantee::Optimal, can }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        search::begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        let Scratch { goals, state, memories } = scratch;
        if let Some(outcome) = state.outcome {
            return Progress::Done(outcome);
        }
        let FieldMemory { waves, field } = memories.of();
        let field = field.get_or_insert_with(|| FlowField::empty(ground.lattice()));
        field.goals.clear();
        field.goals.extend_from_slice(goals.cells());
        let (mut expanded, mut cancelled) = (0, false);
        let whole = field.fill_while(ground, waves, |cells| {
            expanded += cells.len() as u64;
            cancelled = query.cancel.as_ref().is_some_and(Cancel::is_cancelled);
            !cancelled && expanded <= query.limits.expansions
        });
        state.counters.expanded = expanded;
        let mut route = Path { cells: std::mem::take(&mut state.route) };
        let mut cost = 0;
        let status = if whole && field.descend(query.from, &mut route) {
            cost = field.cost(query.from).unwrap_or(0);
            goals.reached()
        } else {
            route.cells.clear();
            match (whole, cancelled) {
                (true, _) => Status::NoRoute,
                (_, true) => Status::Cancelled,
                _ => {
                    route.cells.push(query.from);
                    if goals.contains(query.from) { goals.reached() } else { Status::Partial }
                }
            }
        };
        state.route = route.cells;
        let outcome = Outcome { status, cost, bound: 1.0, expanded };
        state.outcome = Some(outcome);
        Progress::Done(outcome)
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}
