//! Travelling: agents that go from stop to stop of a journey.
//!
//! A traveller walks to its next place as all agents do: straight to its post where it sees it, else along a route of its own,
//! which agents that set out together share. It looks whether it is there when it could be at the earliest. One that waits or
//! stands in line is not looked at until something happens to it.

mod alone;
mod follow;
mod journeys;
mod queue;
mod route;

pub(super) use follow::leader_row;
pub(super) use journeys::assign_journey;
pub(super) use route::{depart, fail_alone, set_out_alone};

use super::WorldError;
use super::journey::{Journey, Queue, Task, Then, Until};
use super::parts::{MapView, State};
use crate::battle::JourneyId;
use crate::crowd::AgentId;
use alone::{look_for_goals, walk_alone};
use follow::follow_leader;
use queue::{approach_queue, serve_queue};
use route::{head_for, is_at_end, keep_on, stand};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};

/// So near to its place (m), an agent stands in it.
const IN_PLACE: f32 = 0.3;

/// An agent is not looked at until something happens to it.
const NEVER: u64 = u64::MAX;

/// All journeys, and the agents on them.
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
    /// The number of the next turn at the start, for a round robin.
    turn: u32,
}

/// The state of a stop.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct StopState {
    /// How many are bound for it, or at it.
    pub(super) targeted: u32,
    /// The line: in the queue, for a free place, until enough have come. The first came first.
    pub(super) line: Vec<AgentId>,
    /// The agent in each place of the area, or with each number among the followers; `AgentId::NONE` = free.
    pub(super) taken: Vec<AgentId>,
    /// The number of the next turn after this stop, for a round robin.
    turn: u32,
    /// An agent has left the line or joined it.
    moved: bool,
    /// Places (m); made of the task.
    #[serde(skip)]
    pub(super) places: Vec<Vec2>,
    /// All places before this one are taken; not stored, since a search from the first finds the same.
    #[serde(skip)]
    full_to: usize,
}

/// An agent on a journey.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Traveller {
    pub(super) id: AgentId,
    pub(super) journey: JourneyId,
    pub(super) stop: u32,
    pub(super) state: TravelState,
    pub(super) planner: u16,
    pub(super) ground: u16,
    /// The point to which it is bound (m).
    pub(super) goal: Vec2,
    /// The end of the route that it walks, or has asked for.
    pub(super) to: Option<Cell>,
    /// The stop where it has a place, and which.
    pub(super) place: Option<(u32, u32)>,
    /// It is not looked at before this tick.
    look: u64,
}

/// The activity of a traveller.
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
    /// Takes an agent out of the line.
    fn unline(&mut self, id: AgentId) {
        if let Some(place) = self.line.iter().position(|&other| other == id) {
            self.line.remove(place);
            self.moved = true;
        }
    }

    /// Takes the first number that is free.
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

    /// Lets an agent begin a journey.
    pub(super) fn begin(&mut self, id: AgentId, journey: JourneyId, planner: u16, ground: u16) {
        self.forget(id);
        let (goal, to, place) = (Vec2::ZERO, None, None);
        let traveller =
            Traveller { id, journey, stop: 0, state: TravelState::New, planner, ground, goal, to, place, look: 0 };
        self.travellers.insert(id.slot, traveller);
    }

    /// Takes an agent off its journey.
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

/// Reads the places of travellers; writes where due ones go next, which are served in queues, and the place of each in an
/// area. Global: queues and places.
pub(super) fn advance(map: MapView<'_>, state: &mut State) {
    if state.travels.travellers.is_empty() {
        return;
    }
    if state.travels.revision != map.grid.revision() {
        state.travels.revision = map.grid.revision();
        look_for_goals(map, state);
        let bound = |one: &&mut Traveller| matches!(one.state, TravelState::Bound | TravelState::Walks { .. });
        state.travels.travellers.values_mut().filter(bound).for_each(|traveller| traveller.look = 0);
        let stops = state.travels.courses.iter_mut().flat_map(|course| &mut course.stops);
        stops.for_each(|stop| stop.moved = true);
    }
    let Travels { travellers, due, .. } = &mut state.travels;
    due.clear();
    due.extend(travellers.iter().filter(|(_, one)| one.look <= state.tick).map(|(&slot, _)| slot));
    for i in 0..state.travels.due.len() {
        look_traveller(map, state, state.travels.due[i]);
    }
    for course in 0..state.travels.courses.len() {
        for stop in 0..state.travels.courses[course].stops.len() {
            match state.travels.courses[course].journey.stops[stop].task {
                Task::Queue(queue) => serve_queue(map, state, course, stop, &queue),
                Task::Area { .. } => let_in(map, state, course, stop),
                _ => {}
            }
        }
    }
}

fn look_traveller(map: MapView<'_>, state: &mut State, slot: u32) {
    let Some(&traveller) = state.travels.travellers.get(&slot) else { return };
    let Some(row) = state.living_row(traveller.id) else {
        // It leaves with the dead.
        return;
    };
    match traveller.state {
        TravelState::New => match state.travels.courses[traveller.journey.0 as usize].choose(None) {
            Some(stop) => enter_stop(map, state, slot, row, stop),
            None => state.travels.forget(traveller.id),
        },
        TravelState::Bound => walk_to_stop(map, state, slot, row),
        TravelState::Follows => follow_leader(map, state, slot, row),
        TravelState::Walks { to } => walk_alone(map, state, slot, row, to),
        TravelState::Waits { .. } => next_stop(map, state, slot, row),
        TravelState::Gathers | TravelState::Outside | TravelState::Lined { .. } | TravelState::Came { .. } => {}
    }
}

/// On to the next stop.
fn next_stop(map: MapView<'_>, state: &mut State, slot: u32, row: usize) {
    let traveller = state.travels.travellers[&slot];
    state.travels.leave_stop(&traveller);
    let course = &mut state.travels.courses[traveller.journey.0 as usize];
    if let Some(stop) = course.choose(Some(traveller.stop)) {
        return enter_stop(map, state, slot, row, stop);
    }
    state.travels.give_back(&traveller);
    state.travels.travellers.remove(&slot);
    state.requests.backoffs.remove(&traveller.id);
    state.events.arrived.push(traveller.id);
    stand(state, traveller.id, row);
}

/// Sets out for a stop.
fn enter_stop(map: MapView<'_>, state: &mut State, slot: u32, row: usize, stop: u32) {
    let mut traveller = state.travels.travellers[&slot];
    let (id, tick, here) = (traveller.id, state.tick, state.crowd.rows.position[row]);
    let course = &mut state.travels.courses[traveller.journey.0 as usize];
    let task = course.journey.stops[stop as usize].task.clone();
    course.stops[stop as usize].targeted += 1;
    if !matches!(task, Task::Wait(_)) {
        state.travels.give_back(&traveller);
        traveller.place = None;
    }
    (traveller.stop, traveller.state, traveller.look) = (stop, TravelState::Bound, tick + 1);
    match task {
        Task::WayPoint { at, within } => {
            // Not all to the middle: there may be many.
            let near = at + throng_grid::geom::clamp_length(here - at, 0.5 * within);
            let radius = state.crowd.rows.radius[row];
            let good = walls::is_clear(map.grid, near, radius) && map.route_view(state).can_walk(at, near, radius);
            head_for(map, state, &mut traveller, row, if good { near } else { at });
        }
        Task::Leave { at, .. } => head_for(map, state, &mut traveller, row, at),
        Task::Area { .. } => {
            if let Some(place) = claim_place(map, state, &traveller, row) {
                traveller.place = Some((stop, place));
                let goal = state.travels.state_of(&traveller).places[place as usize];
                head_for(map, state, &mut traveller, row, goal);
            } else {
                state.travels.state_of(&traveller).line.push(id);
                (traveller.state, traveller.look) = (TravelState::Outside, NEVER);
                stand(state, id, row);
            }
        }
        Task::Wait(until) => {
            stand(state, id, row);
            let until = match until {
                Until::Seconds(seconds) => tick + map.ticks(seconds),
                Until::Tick(end) => end.max(tick + 1),
                Until::Come(count) => {
                    (traveller.state, traveller.look) = (TravelState::Gathers, NEVER);
                    state.travels.travellers.insert(slot, traveller);
                    state.travels.gather(&traveller, count, tick);
                    return;
                }
            };
            (traveller.state, traveller.look) = (TravelState::Waits { until }, until);
        }
        Task::Queue(_) => {
            let goal = state.travels.tail(&traveller);
            head_for(map, state, &mut traveller, row, goal);
        }
        Task::Follow { .. } => {
            let number = state.travels.state_of(&traveller).number(id);
            traveller.place = Some((stop, number));
            (traveller.state, traveller.goal, traveller.to) = (TravelState::Follows, here, None);
            stand(state, id, row);
        }
    }
    state.travels.travellers.insert(slot, traveller);
}

/// A free place of the area it is bound for: the first that it can reach; else the first that is free.
fn claim_place(map: MapView<'_>, state: &mut State, traveller: &Traveller, row: usize) -> Option<u32> {
    let (position, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
    let ground = &map.grounds[usize::from(traveller.ground)];
    let here = ground.nearest_passable(position);
    let area = state.travels.state_of(traveller);
    let free =
        |&place: &usize| area.taken[place] == AgentId::NONE && walls::is_clear(map.grid, area.places[place], radius);
    let reached = |&place: &usize| {
        let cell = ground.lattice().at(area.places[place]);
        ground.is_passable(cell) && here.is_some_and(|here| ground.leads(here, cell))
    };
    let places = || (area.full_to..area.places.len()).filter(free);
    let place = places().find(reached).or_else(|| places().next())?;
    area.taken[place] = traveller.id;
    while area.taken.get(area.full_to).is_some_and(|&holder| holder != AgentId::NONE) {
        area.full_to += 1;
    }
    Some(place as u32)
}

/// Gives places that fell free to travellers that wait for one, in the order in which they came.
fn let_in(map: MapView<'_>, state: &mut State, course: usize, stop: usize) {
    if !std::mem::take(&mut state.travels.courses[course].stops[stop].moved) {
        return;
    }
    while let Some(&id) = state.travels.courses[course].stops[stop].line.first() {
        let (Some(&traveller), Some(row)) = (state.travels.travellers.get(&id.slot), state.crowd.row(id)) else {
            break;
        };
        let Some(place) = claim_place(map, state, &traveller, row) else { break };
        let area = &mut state.travels.courses[course].stops[stop];
        area.line.remove(0);
        let goal = area.places[place as usize];
        let place = Some((stop as u32, place));
        let mut traveller = Traveller { state: TravelState::Bound, look: state.tick + 1, place, ..traveller };
        head_for(map, state, &mut traveller, row, goal);
        state.travels.travellers.insert(id.slot, traveller);
    }
}

/// On the way to a stop: there, or where to.
fn walk_to_stop(map: MapView<'_>, state: &mut State, slot: u32, row: usize) {
    let mut traveller = state.travels.travellers[&slot];
    let (position, speed) = (state.crowd.rows.position[row], state.crowd.rows.top_speed[row]);
    let task = &state.travels.stop_of(&traveller).0;
    let (at, within) = match task {
        Task::WayPoint { at, within } | Task::Leave { at, within } => (*at, *within),
        Task::Queue(queue) => {
            let queue = *queue;
            return approach_queue(map, state, slot, row, &queue);
        }
        _ => (traveller.goal, IN_PLACE),
    };
    let leaves = matches!(task, Task::Leave { .. });
    let left = position.distance(at) - within;
    if left <= 0.0 || is_at_end(map, state, &traveller, row) {
        if leaves {
            state.travels.forget(traveller.id);
            depart(state, traveller.id, false);
        } else {
            next_stop(map, state, slot, row);
        }
        return;
    }
    if !walls::is_clear(map.grid, traveller.goal, state.crowd.rows.radius[row]) && traveller.place.is_some() {
        // A wall has been built there: another place.
        state.travels.leave_stop(&traveller);
        return enter_stop(map, state, slot, row, traveller.stop);
    }
    keep_on(map, state, &mut traveller, row);
    let soonest = left / (speed * map.settings.step).max(1e-6);
    traveller.look = state.tick + (soonest as u64).clamp(1, map.settings.schedule(state.tick).period());
    state.travels.travellers.insert(slot, traveller);
}
