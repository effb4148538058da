//! Planners side by side on the map of a battle.

use super::BattleView;
use crate::Comparison;
use std::sync::Arc;
use throng_grid::{Cell, Crowding, Grid, Ground, GroundError, Mobility};
use throng_plan::PlannerChoice;
use throng_sim::world::SquadId;

/// The planners that tell most side by side, beside the one that is in use.
const DEFAULT_PLANNERS: [&str; 4] = ["dijkstra", "astar", "jps", "hpa"];
/// The radius to plan for if there is no agent (m).
const DEFAULT_RADIUS_M: f32 = 0.4;
/// How many times its length a step costs more in a crowd, where the units mind none.
const DEFAULT_CONGESTION: f32 = 2.0;

impl BattleView {
    /// The map as it is now.
    pub fn grid(&self) -> Option<Arc<Grid>> {
        self.newest().grid.clone()
    }

    /// From where the agent that is looked at stands to where it goes.
    pub fn trip(&self) -> Option<(Cell, Cell)> {
        let insight = self.worker.states.front().reply.insight.as_ref()?;
        let (lattice, &goal) = (self.newest().grid.as_ref()?.lattice(), insight.route.last()?);
        let ends = [insight.position, goal].map(|at| lattice.at(at));
        (ends[0] != ends[1]).then_some((ends[0], ends[1]))
    }

    /// The radius of the selected agent, or of any (m), and the planner of the selected squad.
    pub fn walker(&self) -> (f32, Option<PlannerChoice>) {
        let reply = &self.worker.states.front().reply;
        let radius = reply.insight.as_ref().map(|insight| insight.radius).or(reply.radii.first().copied());
        let own = self.tools.squads.first().and_then(|&squad| reply.planners.get(squad.index())).cloned();
        (radius.unwrap_or(DEFAULT_RADIUS_M), own)
    }

    /// The map as it is now for bodies of a radius (m), with the terrain, the links and the steps of the selected squad, or of that of
    /// the selected agent, and with the crowd that is there now.
    fn ground(&self, grid: &Arc<Grid>, radius: f32) -> Result<Ground, GroundError> {
        let reply = &self.worker.states.front().reply;
        let own = reply.insight.as_ref().and_then(|insight| insight.squad).map(|(squad, _)| squad);
        let squad = self.tools.squads.first().copied().or(own).map_or(0, SquadId::index);
        let own = reply.grounds.get(squad).map(|ground| ground.mobility().clone()).unwrap_or_default();
        let congestion = if own.congestion > 0.0 { own.congestion } else { DEFAULT_CONGESTION };
        let ground = Ground::build(Arc::clone(grid), Mobility { radius, congestion, sizes: Vec::new(), ..own })?;
        let frame = self.newest();
        let bodies = frame.position.iter().copied().zip(frame.radius.iter().copied());
        Ok(match Crowding::new(grid) {
            Ok(empty) if !frame.position.is_empty() => ground.crowded(Arc::new(empty.counted(bodies))),
            _ => ground,
        })
    }

    /// Planners on the map as it is now, for a trip or a random one of such a [walker](Self::walker).
    pub fn comparison(
        &self,
        grid: &Arc<Grid>,
        trip: Option<(Cell, Cell)>,
        (radius, own): (f32, Option<PlannerChoice>),
    ) -> Result<Comparison, String> {
        let ground = self.ground(grid, radius).map_err(|error| error.to_string())?;
        let telling = DEFAULT_PLANNERS.iter().filter_map(|name| name.parse::<PlannerChoice>().ok());
        let mut planners: Vec<PlannerChoice> = telling.collect();
        if let Some(own) = own.filter(|own| !planners.contains(own)) {
            planners.insert(0, own);
            planners.truncate(DEFAULT_PLANNERS.len());
        }
        let title = self.title.clone();
        Ok(Comparison { title, ground: Arc::new(ground), planners, trip, problems: Vec::new(), seed: 1 })
    }

    /// True once after the user wanted to see them.
    pub fn takes_planners(&mut self) -> bool {
        std::mem::take(&mut self.wants_planners)
    }
}
