//! Those who run: where to, and what becomes of them.

use super::parts::{Derived, State};
use super::{World, combat};
use crate::battle::{self, Order, Squad};
use crate::crowd::{AgentId, LOOKS_LOST, Trip};
use std::sync::Arc;
use throng_grid::Ground;
use throng_grid::geom::Vec2;
use throng_plan::{FlowField, PlanError, Scratch};
use throng_spatial::Bodies;

impl World {
    /// Courage fails and comes back; who runs and has come to the edge of the map leaves the world.
    ///
    /// # Errors
    /// Where the field that leads to the edge cannot be built.
    pub(super) fn rout(&mut self) -> Result<(), PlanError> {
        let result = if self.state.soldiers.morale.is_empty() { Ok(()) } else { self.shake() };
        self.leave_the_field();
        result
    }

    /// Courage fails and comes back.
    fn shake(&mut self) -> Result<(), PlanError> {
        let watch = self.watch();
        let Self { settings, grid, state, derived, scratch, .. } = self;
        let State { units, relations, crowd, soldiers, squads, events, .. } = state;
        let awake = ..crowd.awake();
        let stood = Bodies {
            position: bytemuck::cast_slice(&scratch.stood),
            radius: &crowd.radius[awake],
            id: &crowd.slot[awake],
            resting: &[],
        };
        let field = combat::field(grid, derived, units, crowd, relations, watch);
        battle::morale(&field, stood, squads, &events.harms, settings.step, soldiers);
        let turns: Vec<(u32, bool)> = self.state.soldiers.turns().collect();
        let mut result = Ok(());
        for (slot, flees) in turns {
            result = result.and(if flees { self.runs(slot) } else { Ok(()) });
            if !self.state.soldiers.flees(slot as usize) {
                self.rallies(slot);
            }
        }
        result
    }

    /// It begins to run: it lets go of its route. Where no way leads off the map it fights on.
    fn runs(&mut self, slot: u32) -> Result<(), PlanError> {
        let at = self.lets_go(slot);
        self.scratch.waking.push(slot);
        let squad = self.state.squads.get(self.state.crowd.squad[slot as usize] as usize);
        let found = squad.map(|squad| squad.ground).map_or(Ok(false), |ground| {
            self.refuge(ground).map(|field| field.is_some_and(|field| field.cost(field.lattice().at(at)).is_some()))
        });
        if !matches!(found, Ok(true)) {
            let most = self.state.units[usize::from(self.state.crowd.unit[slot as usize])].morale;
            self.state.soldiers.stands_at_bay(slot as usize, most);
        }
        found.map(drop)
    }

    /// It takes heart again, and asks for the way to its squad's goal.
    fn rallies(&mut self, slot: u32) {
        self.lets_go(slot);
        self.state.crowd.trip[slot as usize].lost = LOOKS_LOST;
    }

    /// It lets go of its route, and of its post where its squad goes nowhere; returns where it is (m).
    fn lets_go(&mut self, slot: u32) -> Vec2 {
        let (id, Trip { post, is_sent, has_come, .. }) =
            (self.state.crowd.id(slot), self.state.crowd.trip[slot as usize]);
        self.state.release_routes(&[id]);
        let at = self.state.crowd.position[self.state.crowd.row_of[slot as usize] as usize];
        let squad = self.state.squads.get(self.state.crowd.squad[slot as usize] as usize);
        let has_post = squad.is_some_and(|squad| squad.goal.is_some());
        self.state.crowd.trip[slot as usize] =
            Trip { is_sent, has_come, ..Trip::stay(if has_post { post } else { at }) };
        at
    }

    /// The field over a ground that leads to where the map ends; `None` where it ends in walls alone.
    fn refuge(&mut self, ground: u16) -> Result<Option<Arc<FlowField>>, PlanError> {
        if let Some(field) = self.derived.refuges.get(&ground) {
            return Ok(Some(Arc::clone(field)));
        }
        let place = &self.derived.grounds[usize::from(ground)];
        let edge = edge(place);
        if edge.is_empty() {
            return Ok(None);
        }
        let field = Arc::new(FlowField::new(place, &edge, &mut Scratch::default())?);
        self.derived.refuges.insert(ground, Arc::clone(&field));
        Ok(Some(field))
    }

    /// Makes the fields that those need who run, where the map has changed since. Whom none leads off the map any more fights on.
    ///
    /// # Errors
    /// Where one cannot be built.
    pub(super) fn ready_refuges(&mut self) -> Result<(), PlanError> {
        let mut result = Ok(());
        for s in 0..self.state.squads.len() {
            let Squad { order, ground, .. } = self.state.squads[s];
            if order == Order::Flee && !self.derived.refuges.contains_key(&ground) {
                result = result.and(self.refuge(ground).map(drop));
            }
        }
        for slot in 0..self.state.soldiers.flees.len() {
            if !self.state.soldiers.flees(slot) || self.state.crowd.row_of[slot] == u32::MAX {
                continue;
            }
            let Some(squad) = self.state.squads.get(self.state.crowd.squad[slot] as usize) else { continue };
            let ground = squad.ground;
            if self.derived.refuges.contains_key(&ground) {
                continue;
            }
            let refuge = self.refuge(ground);
            if !matches!(refuge, Ok(Some(_))) {
                let most = self.state.units[usize::from(self.state.crowd.unit[slot])].morale;
                self.state.soldiers.stands_at_bay(slot, most);
            }
            result = result.and(refuge.map(drop));
        }
        result
    }

    /// Whoever runs and stands on a cell where the map ends is gone.
    fn leave_the_field(&mut self) {
        if self.derived.refuges.is_empty() {
            return;
        }
        let Self { state, derived, .. } = &*self;
        let State { crowd, soldiers, squads, .. } = state;
        let Derived { refuges, .. } = derived;
        let runs = (0_u32..).zip(&soldiers.flees).filter(|&(_, &flees)| flees).map(|(slot, _)| slot);
        let ordered = squads.iter().filter(|squad| squad.order == Order::Flee).flat_map(|squad| &squad.members);
        let ordered = ordered.filter(|&&id| crowd.row(id).is_some()).map(|id| id.slot);
        let is_gone = |&slot: &u32| {
            let row = crowd.row_of[slot as usize];
            let squad = squads.get(crowd.squad[slot as usize] as usize);
            let field = squad.and_then(|squad| refuges.get(&squad.ground));
            row != u32::MAX
                && soldiers.health[slot as usize] > 0.0
                && field.is_some_and(|field| field.is_goal(field.lattice().at(crowd.position[row as usize])))
        };
        let mut gone: Vec<AgentId> = runs.chain(ordered).filter(is_gone).map(|slot| crowd.id(slot)).collect();
        gone.sort_unstable();
        gone.dedup();
        for id in gone {
            self.depart(id);
        }
    }
}

/// The passable cells of the lowest clearance that a body can stand on along the border of the map.
fn edge(ground: &Ground) -> Vec<throng_grid::Cell> {
    let lattice = ground.lattice();
    // How many rows of cells a body is too wide for at the border.
    let inset = (ground.radius() / lattice.cell_size - 0.5).ceil().max(0.0) as u32;
    let (right, bottom) = (lattice.width.saturating_sub(1 + inset), lattice.height.saturating_sub(1 + inset));
    let is_edge = |x: u32, y: u32| x == inset || y == inset || x == right || y == bottom;
    let cells = (inset..=bottom).flat_map(|y| (inset..=right).map(move |x| (x, y)));
    cells
        .filter(|&(x, y)| is_edge(x, y))
        .map(|(x, y)| lattice.cell(x, y))
        .filter(|&cell| ground.is_passable(cell))
        .collect()
}
