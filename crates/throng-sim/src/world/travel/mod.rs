//! Travelling: agents who go from stop to stop of a journey.
//!
//! A traveller has a place to go to, and walks there as everybody does: straight to its post where it sees it, else along a
//! route of its own, which those who set out together share. It looks whether it is there when it could be at the
//! earliest; those who wait or stand in line are not looked at at all until something happens to them.

mod follow;
mod journeys;
mod queue;
mod walk;
mod ways;

pub(super) use ways::walk;

use super::journey::{Journey, Queue, Task, Then, Until};
use super::{World, WorldError};
use crate::battle::JourneyId;
use crate::crowd::AgentId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};

/// An agent on its way looks at least every so many ticks whether it is there.
const LOOK_EVERY: u64 = 8;

/// So near to its place (m), an agent stands in it.
const IN_PLACE: f32 = 0.3;

/// An agent is not looked at until something happens to it.
const NEVER: u64 = u64::MAX;

/// All journeys, and who is on one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Travels {
    pub(super) courses: Vec<Course>,
    /// By slot.
    pub(super) travellers: BTreeMap<u32, Traveller>,
    /// Revision of the map that the places were looked at on.
    pub(super) revision: u32,
    #[serde(skip)]
    due: Vec<u32>,
    /// Numbers of removed journeys, the least last.
    #[serde(skip)]
    vacant: Vec<u32>,
}

/// A journey and what happens at its stops.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Course {
    pub(super) journey: Journey,
    pub(super) stops: Vec<StopState>,
    /// Whose turn it is at the start, where that goes round.
    turn: u32,
}

/// What happens at a stop.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct StopState {
    /// How many are bound for it, or at it.
    pub(super) targeted: u32,
    /// Who stands in line: in the queue, for a free place, until enough have come. The first came first.
    pub(super) line: Vec<AgentId>,
    /// Who has each place of the area, or each number among the followers; `AgentId::NONE` = nobody.
    pub(super) taken: Vec<AgentId>,
    /// Whose turn it is after this stop, where that goes round.
    turn: u32,
    /// Somebody has left the line or joined it.
    moved: bool,
    /// Places (m); made of the task.
    #[serde(skip)]
    pub(super) places: Vec<Vec2>,
    /// All places before this one are taken; not stored, since those who look from the first find the same.
    #[serde(skip)]
    full_to: usize,
}

/// Somebody on a journey.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Traveller {
    pub(super) id: AgentId,
    pub(super) journey: JourneyId,
    pub(super) stop: u32,
    pub(super) state: TravelState,
    pub(super) planner: u16,
    pub(super) ground: u16,
    /// Where it is bound (m).
    pub(super) goal: Vec2,
    /// The end of the route that it walks, or has asked for.
    pub(super) to: Option<Cell>,
    /// The stop where it has a place, and which.
    pub(super) place: Option<(u32, u32)>,
    /// It is not looked at before this tick.
    look: u64,
}

/// What a traveller does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum TravelState {
    /// Has not set out.
    New,
    /// Is bound for its stop.
    Bound,
    /// Waits until a tick.
    Waits { until: u64 },
    /// Waits for others.
    Gathers,
    /// The area has no place for it.
    Outside,
    /// Stands in a queue; at its head it is served until a tick.
    Lined { until: Option<u64> },
    /// Follows.
    Follows,
    /// Is on no journey, and walks to a point (m).
    Walks { to: Vec2 },
    /// Has come to the point (m) to which it walked, or as near as it can.
    Came { to: Vec2 },
}

impl Course {
    fn new(journey: Journey) -> Result<Self, WorldError> {
        let stops = vec![StopState::default(); journey.stops.len()];
        let mut course = Self { journey, stops, turn: 0 };
        course.lay()?;
        Ok(course)
    }

    /// Makes the places.
    ///
    /// # Errors
    /// Where what is stored of the stops does not fit the journey.
    fn lay(&mut self) -> Result<(), WorldError> {
        let (id, count) = (self.stops.len(), self.journey.stops.len());
        if id != count {
            return Err(WorldError::NoSuch { what: "stop", id });
        }
        for (stop, state) in self.journey.stops.iter().zip(&mut self.stops) {
            match &stop.task {
                Task::Area { area, spacing } => {
                    state.places = area.lay(*spacing);
                    state.taken.resize(state.places.len(), AgentId::NONE);
                    state.full_to = 0;
                }
                Task::Queue(queue) => state.places = queue.lay(),
                _ => {}
            }
        }
        Ok(())
    }

    /// True where the journey was removed.
    fn is_vacant(&self) -> bool {
        self.stops.is_empty()
    }

    /// The stop after a stop, or the first one; `None` at the end.
    fn choose(&mut self, after: Option<u32>) -> Option<u32> {
        let (then, turn, next) = match after {
            None => (&self.journey.start, &mut self.turn, 0),
            Some(stop) => (&self.journey.stops[stop as usize].then, &mut self.stops[stop as usize].turn, stop + 1),
        };
        match then {
            Then::Next => Some(next).filter(|&next| (next as usize) < self.stops.len()),
            Then::End => None,
            Then::To(stop) => Some(*stop),
            Then::RoundRobin(stops) => {
                let chosen = stops[*turn as usize % stops.len()];
                *turn = (*turn + 1) % stops.len() as u32;
                Some(chosen)
            }
            Then::LeastTargeted(stops) => stops.iter().copied().min_by_key(|&stop| self.stops[stop as usize].targeted),
        }
    }
}

impl StopState {
    /// Takes somebody out of the line.
    fn unline(&mut self, id: AgentId) {
        if let Some(place) = self.line.iter().position(|&other| other == id) {
            self.line.remove(place);
            self.moved = true;
        }
    }

    /// The first number that nobody has, which it has now.
    fn number(&mut self, id: AgentId) -> u32 {
        let free = self.taken.iter().position(|&holder| holder == AgentId::NONE);
        let free = free.unwrap_or_else(|| {
            self.taken.push(AgentId::NONE);
            self.taken.len() - 1
        });
        self.taken[free] = id;
        free as u32
    }
}

impl Travels {
    /// Makes what is not stored.
    ///
    /// # Errors
    /// Where a journey is none.
    pub(super) fn lay(&mut self) -> Result<(), WorldError> {
        for course in self.courses.iter_mut().filter(|course| !course.is_vacant()) {
            course.journey.check()?;
            course.lay()?;
        }
        let vacant = (0..).zip(&self.courses).filter(|(_, course)| course.is_vacant());
        self.vacant = vacant.map(|(id, _)| id).collect();
        self.vacant.reverse();
        Ok(())
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let stops = self.courses.iter().flat_map(|course| &course.stops);
        let lists = stops.map(|stop| {
            (stop.line.capacity() + stop.taken.capacity()) * size_of::<AgentId>()
                + stop.places.capacity() * size_of::<Vec2>()
                + size_of::<StopState>()
        });
        lists.sum::<usize>()
            + self.travellers.len() * size_of::<(u32, Traveller)>()
            + self.due.capacity() * size_of::<u32>()
    }

    /// Somebody begins a journey.
    pub(super) fn begin(&mut self, id: AgentId, journey: JourneyId, planner: u16, ground: u16) {
        self.forget(id);
        let (goal, to, place) = (Vec2::ZERO, None, None);
        let traveller =
            Traveller { id, journey, stop: 0, state: TravelState::New, planner, ground, goal, to, place, look: 0 };
        self.travellers.insert(id.slot, traveller);
    }

    /// Somebody is on no journey any more.
    pub(super) fn forget(&mut self, id: AgentId) {
        let Some(&traveller) = self.travellers.get(&id.slot).filter(|traveller| traveller.id == id) else { return };
        self.leave_stop(&traveller);
        self.give_back(&traveller);
        self.travellers.remove(&id.slot);
    }

    /// The stop of a traveller, and what happens there.
    pub(super) fn stop_of(&self, traveller: &Traveller) -> (&Task, &StopState) {
        let course = &self.courses[traveller.journey.0 as usize];
        (&course.journey.stops[traveller.stop as usize].task, &course.stops[traveller.stop as usize])
    }

    fn state_of(&mut self, traveller: &Traveller) -> &mut StopState {
        &mut self.courses[traveller.journey.0 as usize].stops[traveller.stop as usize]
    }

    fn leave_stop(&mut self, traveller: &Traveller) {
        if traveller.state == TravelState::New || traveller.sent_to().is_some() {
            return;
        }
        let lined = matches!(traveller.state, TravelState::Lined { .. } | TravelState::Gathers | TravelState::Outside);
        let state = self.state_of(traveller);
        state.targeted -= 1;
        if lined {
            state.unline(traveller.id);
        }
    }

    /// Its place is free for the next.
    fn give_back(&mut self, traveller: &Traveller) {
        let Some((stop, place)) = traveller.place else { return };
        let state = &mut self.courses[traveller.journey.0 as usize].stops[stop as usize];
        state.taken[place as usize] = AgentId::NONE;
        state.full_to = state.full_to.min(place as usize);
        state.moved = true;
    }

    /// One more waits for the others; where there are enough, all of them go on.
    fn gather(&mut self, traveller: &Traveller, count: u32, tick: u64) {
        let state = self.state_of(traveller);
        state.line.push(traveller.id);
        if state.line.len() < count as usize {
            return;
        }
        for id in std::mem::take(&mut state.line) {
            if let Some(one) = self.travellers.get_mut(&id.slot) {
                (one.state, one.look) = (TravelState::Waits { until: tick + 1 }, tick + 1);
            }
        }
    }
}

impl World {
    /// Travellers that are due look what to do; queues serve; places that fell free are given out.
    pub(super) fn advance_travels(&mut self) {
        if self.state.travels.travellers.is_empty() {
            return;
        }
        if self.state.travels.revision != self.grid.revision() {
            self.state.travels.revision = self.grid.revision();
            self.look_for_goals();
            let bound = |one: &&mut Traveller| matches!(one.state, TravelState::Bound | TravelState::Walks { .. });
            self.state.travels.travellers.values_mut().filter(bound).for_each(|traveller| traveller.look = 0);
            self.state
                .travels
                .courses
                .iter_mut()
                .flat_map(|course| &mut course.stops)
                .for_each(|stop| stop.moved = true);
        }
        let Travels { travellers, due, .. } = &mut self.state.travels;
        due.clear();
        due.extend(travellers.iter().filter(|(_, one)| one.look <= self.state.tick).map(|(&slot, _)| slot));
        for i in 0..self.state.travels.due.len() {
            self.look_traveller(self.state.travels.due[i]);
        }
        for course in 0..self.state.travels.courses.len() {
            for stop in 0..self.state.travels.courses[course].stops.len() {
                match self.state.travels.courses[course].journey.stops[stop].task {
                    Task::Queue(queue) => self.serve_queue(course, stop, &queue),
                    Task::Area { .. } => self.let_in(course, stop),
                    _ => {}
                }
            }
        }
    }

    fn look_traveller(&mut self, slot: u32) {
        let Some(&traveller) = self.state.travels.travellers.get(&slot) else { return };
        let Some(row) = self.state.crowd.row(traveller.id).filter(|_| !self.state.is_dead(slot)) else {
            // It leaves with the dead.
            return;
        };
        match traveller.state {
            TravelState::New => match self.state.travels.courses[traveller.journey.0 as usize].choose(None) {
                Some(stop) => self.enter_stop(slot, row, stop),
                None => self.state.travels.forget(traveller.id),
            },
            TravelState::Bound => self.walk_to_stop(slot, row),
            TravelState::Follows => self.follow_leader(slot, row),
            TravelState::Walks { to } => self.walk_alone(slot, row, to),
            TravelState::Waits { .. } => self.next_stop(slot, row),
            TravelState::Gathers | TravelState::Outside | TravelState::Lined { .. } | TravelState::Came { .. } => {}
        }
    }

    /// On to the next stop.
    fn next_stop(&mut self, slot: u32, row: usize) {
        let traveller = self.state.travels.travellers[&slot];
        self.state.travels.leave_stop(&traveller);
        let course = &mut self.state.travels.courses[traveller.journey.0 as usize];
        if let Some(stop) = course.choose(Some(traveller.stop)) {
            return self.enter_stop(slot, row, stop);
        }
        self.state.travels.give_back(&traveller);
        self.state.travels.travellers.remove(&slot);
        self.state.desk.asking.remove(&traveller.id);
        self.state.events.arrived.push(traveller.id);
        self.stand(traveller.id, row);
    }

    /// Sets out for a stop.
    fn enter_stop(&mut self, slot: u32, row: usize, stop: u32) {
        let mut traveller = self.state.travels.travellers[&slot];
        let (id, tick, here) = (traveller.id, self.state.tick, self.state.crowd.position[row]);
        let course = &mut self.state.travels.courses[traveller.journey.0 as usize];
        let task = course.journey.stops[stop as usize].task.clone();
        course.stops[stop as usize].targeted += 1;
        if !matches!(task, Task::Wait(_)) {
            self.state.travels.give_back(&traveller);
            traveller.place = None;
        }
        (traveller.stop, traveller.state, traveller.look) = (stop, TravelState::Bound, tick + 1);
        match task {
            Task::WayPoint { at, within } => {
                // Not all to the middle: there may be many.
                let near = at + throng_grid::geom::clamp_length(here - at, 0.5 * within);
                let radius = self.state.crowd.radius[row];
                let good = walls::is_clear(&self.grid, near, radius) && self.walk().can_walk(at, near, radius);
                self.bind(&mut traveller, row, if good { near } else { at });
            }
            Task::Leave { at, .. } => self.bind(&mut traveller, row, at),
            Task::Area { .. } => {
                if let Some(place) = self.claim_place(&traveller, row) {
                    traveller.place = Some((stop, place));
                    let goal = self.state.travels.state_of(&traveller).places[place as usize];
                    self.bind(&mut traveller, row, goal);
                } else {
                    self.state.travels.state_of(&traveller).line.push(id);
                    (traveller.state, traveller.look) = (TravelState::Outside, NEVER);
                    self.stand(id, row);
                }
            }
            Task::Wait(until) => {
                self.stand(id, row);
                let until = match until {
                    Until::Seconds(seconds) => tick + self.ticks_of(seconds),
                    Until::Tick(end) => end.max(tick + 1),
                    Until::Come(count) => {
                        (traveller.state, traveller.look) = (TravelState::Gathers, NEVER);
                        self.state.travels.travellers.insert(slot, traveller);
                        self.state.travels.gather(&traveller, count, tick);
                        return;
                    }
                };
                (traveller.state, traveller.look) = (TravelState::Waits { until }, until);
            }
            Task::Queue(_) => {
                let goal = self.state.travels.tail(&traveller);
                self.bind(&mut traveller, row, goal);
            }
            Task::Follow { .. } => {
                let number = self.state.travels.state_of(&traveller).number(id);
                traveller.place = Some((stop, number));
                (traveller.state, traveller.goal, traveller.to) = (TravelState::Follows, here, None);
                self.stand(id, row);
            }
        }
        self.state.travels.travellers.insert(slot, traveller);
    }

    /// A free place of the area it is bound for: the first that it can reach; else the first that is free.
    fn claim_place(&mut self, traveller: &Traveller, row: usize) -> Option<u32> {
        let (position, radius) = (self.state.crowd.position[row], self.state.crowd.radius[row]);
        let ground = &self.derived.grounds[usize::from(traveller.ground)];
        let here = ground.nearest_passable(position);
        let state = self.state.travels.state_of(traveller);
        let free = |&place: &usize| {
            state.taken[place] == AgentId::NONE && walls::is_clear(&self.grid, state.places[place], radius)
        };
        let reached = |&place: &usize| {
            let cell = ground.lattice().at(state.places[place]);
            ground.is_passable(cell) && here.is_some_and(|here| ground.leads(here, cell))
        };
        let places = || (state.full_to..state.places.len()).filter(free);
        let place = places().find(reached).or_else(|| places().next())?;
        state.taken[place] = traveller.id;
        while state.taken.get(state.full_to).is_some_and(|&holder| holder != AgentId::NONE) {
            state.full_to += 1;
        }
        Some(place as u32)
    }

    /// Gives places that fell free to those who wait for one, the first who came first.
    fn let_in(&mut self, course: usize, stop: usize) {
        let state = &mut self.state.travels.courses[course].stops[stop];
        if !std::mem::take(&mut state.moved) {
            return;
        }
        while let Some(&id) = self.state.travels.courses[course].stops[stop].line.first() {
            let (Some(&traveller), Some(row)) = (self.state.travels.travellers.get(&id.slot), self.state.crowd.row(id))
            else {
                break;
            };
            let Some(place) = self.claim_place(&traveller, row) else { break };
            let state = &mut self.state.travels.courses[course].stops[stop];
            state.line.remove(0);
            let goal = state.places[place as usize];
            let place = Some((stop as u32, place));
            let mut traveller = Traveller { state: TravelState::Bound, look: self.state.tick + 1, place, ..traveller };
            self.bind(&mut traveller, row, goal);
            self.state.travels.travellers.insert(id.slot, traveller);
        }
    }

    /// On the way to a stop: there, or where to.
    fn walk_to_stop(&mut self, slot: u32, row: usize) {
        let mut traveller = self.state.travels.travellers[&slot];
        let (position, speed) = (self.state.crowd.position[row], self.state.crowd.top_speed[row]);
        let task = &self.state.travels.stop_of(&traveller).0;
        let (at, within) = match task {
            Task::WayPoint { at, within } | Task::Leave { at, within } => (*at, *within),
            Task::Queue(queue) => {
                let queue = *queue;
                return self.approach_queue(slot, row, &queue);
            }
            _ => (traveller.goal, IN_PLACE),
        };
        let leaves = matches!(task, Task::Leave { .. });
        let left = position.distance(at) - within;
        if left <= 0.0 || self.is_at_end(&traveller, row) {
            if leaves {
                self.state.travels.forget(traveller.id);
                self.depart(traveller.id);
            } else {
                self.next_stop(slot, row);
            }
            return;
        }
        if !walls::is_clear(&self.grid, traveller.goal, self.state.crowd.radius[row]) && traveller.place.is_some() {
            // A wall has been built there: another place.
            self.state.travels.leave_stop(&traveller);
            return self.enter_stop(slot, row, traveller.stop);
        }
        self.keep_on(&mut traveller, row);
        let soonest = left / (speed * self.settings.step).max(1e-6);
        traveller.look = self.state.tick + (soonest as u64).clamp(1, LOOK_EVERY);
        self.state.travels.travellers.insert(slot, traveller);
    }
}
