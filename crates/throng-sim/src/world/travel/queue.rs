//! Queues: joined at their end, served at their head.

use super::next_stop;
use super::route::{IN_PLACE, head_for, is_at_end, keep_on, stand};
use crate::world::journey::Queue;
use crate::world::parts::{MapView, State};
use crate::world::state::travels::{NEVER, TravelState, Traveller, Travels};
use throng_grid::geom::Vec2;

/// An agent so near to the end of the line joins it (gaps).
const JOINS: f32 = 1.5;

impl Travels {
    /// The place at the end of the line (m): the first that is free, or the last one.
    pub(super) fn tail(&mut self, traveller: &Traveller) -> Vec2 {
        let state = self.state_of(traveller);
        let place = state.line.len().min(state.places.len() - 1);
        state.places[place]
    }
}

/// On the way to a queue: joins it, or goes on towards its end, which moves.
pub(super) fn approach_queue(map: MapView<'_>, state: &mut State, slot: u32, row: usize, queue: &Queue) {
    let mut traveller = state.travels.travellers[&slot];
    let (position, speed) = (state.crowd.rows.position[row], state.crowd.rows.top_speed[row]);
    let tail = state.travels.tail(&traveller);
    let is_at_end = is_at_end(map, state, &traveller, row);
    let stop = state.travels.state_of(&traveller);
    // Agents without a place stand around the end.
    let more = (stop.line.len() + 1).saturating_sub(stop.places.len()) as f32;
    let joins = queue.gap * (JOINS + more.sqrt());
    let left = position.distance(tail) - joins.max(IN_PLACE);
    if left <= 0.0 || is_at_end {
        stop.line.push(traveller.id);
        stop.moved = true;
        (traveller.state, traveller.look) = (TravelState::Lined { until: None }, NEVER);
        state.travels.travellers.insert(slot, traveller);
        stand(state, traveller.id, row);
        return;
    }
    if tail == traveller.goal {
        keep_on(map, state, &mut traveller, row);
    } else {
        head_for(map, state, &mut traveller, row, tail);
    }
    let soonest = left / (speed * map.settings.step).max(1e-6);
    traveller.look = state.tick + (soonest as u64).clamp(1, map.settings.schedule(state.tick).period());
    state.travels.travellers.insert(slot, traveller);
}

/// Agents at the head are served, and go on when it is done; the others move up. O(served), and O(line) after an agent has
/// joined or left.
pub(super) fn serve_queue(map: MapView<'_>, state: &mut State, course: usize, stop: usize, queue: &Queue) {
    let (tick, serves) = (state.tick, queue.serves as usize);
    let mut at_head = 0;
    while let Some(&id) = state.travels.courses[course].stops[stop].line.get(at_head).filter(|_| at_head < serves) {
        let place = state.travels.courses[course].stops[stop].places.get(at_head).copied();
        let (Some(&traveller), Some(row)) = (state.travels.travellers.get(&id.slot), state.crowd.row(id)) else {
            break;
        };
        let TravelState::Lined { until } = traveller.state else { break };
        let in_place =
            place.is_none_or(|place| state.crowd.rows.position[row].distance(place) <= IN_PLACE.max(0.5 * queue.gap));
        match until {
            Some(until) if until <= tick && !state.is_dead(id.slot) => {
                // The next in line stands at this place of the head now.
                next_stop(map, state, id.slot, row);
            }
            None if in_place => {
                let until = Some(tick + map.ticks(queue.seconds));
                let served = Traveller { state: TravelState::Lined { until }, ..traveller };
                state.travels.travellers.insert(id.slot, served);
                at_head += 1;
            }
            _ => at_head += 1,
        }
    }
    if !std::mem::take(&mut state.travels.courses[course].stops[stop].moved) {
        return;
    }
    for place in 0..state.travels.courses[course].stops[stop].line.len() {
        let queue = &state.travels.courses[course].stops[stop];
        let Some(&at) = queue.places.get(place) else { break };
        let id = queue.line[place];
        let (Some(&traveller), Some(row)) = (state.travels.travellers.get(&id.slot), state.crowd.row(id)) else {
            continue;
        };
        if traveller.goal != at || state.crowd.slots.follower[id.slot as usize].post != at {
            let mut traveller = traveller;
            head_for(map, state, &mut traveller, row, at);
            state.travels.travellers.insert(id.slot, traveller);
        }
    }
}
