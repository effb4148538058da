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
pub(super) use route::{depart, fail_alone, set_out_alone, takes_way_round};

use super::journey::{Task, Until};
use super::parts::{MapView, State};
use super::state::travels::{NEVER, TravelState, Traveller, Travels};
use crate::crowd::AgentId;
use alone::{look_for_goals, walk_alone};
use follow::follow_leader;
use queue::{approach_queue, serve_queue};
use route::{IN_PLACE, head_for, is_at_end, keep_on, stand};
use throng_grid::walls;

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
