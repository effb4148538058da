//! Queues: joined at their end, served at their head.

use super::{IN_PLACE, LOOK_EVERY, NEVER, Queue, TravelState, Traveller, Travels};
use crate::world::World;
use throng_grid::geom::Vec2;

/// Whoever is so near to the end of the line joins it (gaps).
const JOINS: f32 = 1.5;

impl Travels {
    /// The place at the end of the line (m): the first that is free, or the last one.
    pub(super) fn tail(&mut self, traveller: &Traveller) -> Vec2 {
        let state = self.state_of(traveller);
        let place = state.line.len().min(state.places.len() - 1);
        state.places[place]
    }
}

impl World {
    /// On the way to a queue: joins it, or goes on towards its end, which moves.
    pub(super) fn approach_queue(&mut self, slot: u32, row: usize, queue: &Queue) {
        let mut traveller = self.state.travels.travellers[&slot];
        let (position, speed) = (self.state.crowd.position[row], self.state.crowd.top_speed[row]);
        let tail = self.state.travels.tail(&traveller);
        let is_at_end = self.is_at_end(&traveller, row);
        let state = self.state.travels.state_of(&traveller);
        // Those for whom there is no place stand around the end.
        let more = (state.line.len() + 1).saturating_sub(state.places.len()) as f32;
        let joins = queue.gap * (JOINS + more.sqrt());
        let left = position.distance(tail) - joins.max(IN_PLACE);
        if left <= 0.0 || is_at_end {
            state.line.push(traveller.id);
            state.moved = true;
            (traveller.state, traveller.look) = (TravelState::Lined { until: None }, NEVER);
            self.state.travels.travellers.insert(slot, traveller);
            self.stand(traveller.id, row);
            return;
        }
        if tail == traveller.goal {
            self.keep_on(&mut traveller, row);
        } else {
            self.bind(&mut traveller, row, tail);
        }
        let soonest = left / (speed * self.settings.step).max(1e-6);
        traveller.look = self.state.tick + (soonest as u64).clamp(1, LOOK_EVERY);
        self.state.travels.travellers.insert(slot, traveller);
    }

    /// Those at the head are served, and go on when it is done; the others move up. O(served), and O(line) where somebody has
    /// joined or left.
    pub(super) fn serve_queue(&mut self, course: usize, stop: usize, queue: &Queue) {
        let (tick, serves) = (self.state.tick, queue.serves as usize);
        let mut at_head = 0;
        while let Some(&id) =
            self.state.travels.courses[course].stops[stop].line.get(at_head).filter(|_| at_head < serves)
        {
            let place = self.state.travels.courses[course].stops[stop].places.get(at_head).copied();
            let (Some(&traveller), Some(row)) = (self.state.travels.travellers.get(&id.slot), self.state.crowd.row(id))
            else {
                break;
            };
            let TravelState::Lined { until } = traveller.state else { break };
            let in_place = place
                .is_none_or(|place| self.state.crowd.position[row].distance(place) <= IN_PLACE.max(0.5 * queue.gap));
            match until {
                Some(until) if until <= tick && !self.state.is_dead(id.slot) => {
                    // The next in line stands at this place of the head now.
                    self.next_stop(id.slot, row);
                }
                None if in_place => {
                    let until = Some(tick + self.ticks_of(queue.seconds));
                    let served = Traveller { state: TravelState::Lined { until }, ..traveller };
                    self.state.travels.travellers.insert(id.slot, served);
                    at_head += 1;
                }
                _ => at_head += 1,
            }
        }
        if !std::mem::take(&mut self.state.travels.courses[course].stops[stop].moved) {
            return;
        }
        for place in 0..self.state.travels.courses[course].stops[stop].line.len() {
            let state = &self.state.travels.courses[course].stops[stop];
            let Some(&at) = state.places.get(place) else { break };
            let id = state.line[place];
            let (Some(&traveller), Some(row)) = (self.state.travels.travellers.get(&id.slot), self.state.crowd.row(id))
            else {
                continue;
            };
            if traveller.goal != at || self.state.crowd.trip[id.slot as usize].post != at {
                let mut traveller = traveller;
                self.bind(&mut traveller, row, at);
                self.state.travels.travellers.insert(id.slot, traveller);
            }
        }
    }
}
