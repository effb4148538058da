//! The journeys of a world: added, removed, and begun.

use super::route::stand;
use crate::battle::{JourneyId, Order};
use crate::crowd::AgentId;
use crate::world::journey::Journey;
use crate::world::parts::State;
use crate::world::state::travels::{Course, Traveller};
use crate::world::{Command, World, WorldError};
use throng_grid::geom::Vec2;
use throng_plan::PlannerChoice;

impl World {
    /// Adds a journey, which squads are [ordered](World::order) on and walkers [sent](World::travel) on.
    ///
    /// # Errors
    /// Where one of its numbers is out of range, or it names a stop that it does not have.
    pub fn add_journey(&mut self, journey: Journey) -> Result<JourneyId, WorldError> {
        self.log(|| Command::AddJourney { journey: journey.clone() });
        journey.check()?;
        let (course, courses) = (Course::new(journey)?, &mut self.state.travels.courses);
        let vacant = self.state.travels.vacant.pop();
        let id = vacant.unwrap_or(courses.len() as u32);
        if vacant.is_some() {
            courses[id as usize] = course;
        } else {
            courses.push(course);
        }
        Ok(JourneyId(id))
    }

    /// Removes a journey. Agents on it stay where they are, squads that are ordered on it hold. Its number goes to a journey that
    /// is added later. O(squads + triggers + agents on journeys).
    ///
    /// # Errors
    /// Where there is no such journey, or a trigger orders a squad on it.
    pub fn remove_journey(&mut self, journey: JourneyId) -> Result<(), WorldError> {
        self.log(|| Command::RemoveJourney { journey });
        self.check_journey(journey)?;
        let travels_there = |order: &Order| order.journey() == Some(journey);
        if let Some(by) = self.state.triggers.name_of_order(travels_there) {
            return Err(WorldError::InUse { what: "journey", id: journey.0 as usize, by });
        }
        for squad in self.state.squads.iter_mut().filter(|squad| travels_there(&squad.order)) {
            squad.order = Order::Hold;
        }
        let on_it = |one: &&Traveller| one.journey == journey;
        let travellers: Vec<AgentId> = self.state.travels.travellers.values().filter(on_it).map(|one| one.id).collect();
        for id in travellers {
            self.state.travels.forget(id);
            self.state.requests.backoffs.remove(&id);
            if let Some(row) = self.state.crowd.row(id) {
                stand(&mut self.state, id, row);
            }
        }
        self.state.travels.follows.retain(|_, known| *known != journey);
        self.state.travels.courses[journey.0 as usize] = Course::default();
        let vacant = &mut self.state.travels.vacant;
        // The least goes first, after a snapshot too.
        vacant.insert(vacant.partition_point(|&other| other > journey.0), journey.0);
        self.wake_noted();
        Ok(())
    }

    /// The journeys.
    pub fn journeys(&self) -> impl Iterator<Item = (JourneyId, &Journey)> {
        let courses = (0..).map(JourneyId).zip(&self.state.travels.courses);
        courses.filter(|(_, course)| !course.is_vacant()).map(|(id, course)| (id, &course.journey))
    }

    /// Sends a walker ([`World::spawn_walkers`]) on a journey, from its first stop; routes are planned by `planner`. Nothing
    /// happens where it is gone.
    ///
    /// # Errors
    /// Where there is no such journey, the agent belongs to a squad, or the planner cannot plan for its unit.
    pub fn travel(&mut self, walker: AgentId, journey: JourneyId, planner: PlannerChoice) -> Result<(), WorldError> {
        self.log(|| Command::Travel { walker, journey, planner: planner.clone() });
        self.check_journey(journey)?;
        let slot = walker.slot as usize;
        self.check_free(walker, Vec2::ZERO)?;
        if self.state.living_row(walker).is_none() {
            return Ok(());
        }
        let unit = self.state.unit_of(slot).clone();
        let (planner, ground) = self.prepare(planner, &unit)?;
        self.state.travels.begin(walker, journey, planner, ground);
        self.state.waking.push(walker.slot);
        self.wake_noted();
        Ok(())
    }

    pub(in crate::world) fn check_journey(&self, journey: JourneyId) -> Result<(), WorldError> {
        let id = journey.0 as usize;
        let known = self.state.travels.courses.get(id).is_some_and(|course| !course.is_vacant());
        if known { Ok(()) } else { Err(WorldError::NoSuch { what: "journey", id }) }
    }
}

/// Puts the members of a squad on the journey of its order, and takes them off any other.
pub(in crate::world) fn assign_journey(state: &mut State, squad: usize) {
    let State { squads, travels, .. } = &mut *state;
    let squad = &squads[squad];
    for &id in &squad.members {
        match squad.order.journey() {
            Some(journey) => travels.begin(id, journey, squad.planner, squad.ground),
            None => travels.forget(id),
        }
    }
}
