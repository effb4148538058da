//! Following a leader.

use super::{LOOK_EVERY, Task};
use crate::crowd::{AgentId, RouteId};
use crate::world::World;
use crate::world::journey::Leader;
use throng_grid::geom::Vec2;
use throng_grid::walls;

/// Room that each follower has among the others, in radii of its own, from centre to centre.
const ROOM: f32 = 2.5;

/// A follower that stands sets out again when the leader is this much further away than its distance (m).
const SLACK: f32 = 0.5;

/// A follower steps back where the leader comes nearer than this share of its distance.
const PRESSED: f32 = 0.6;

/// Followers look every so many ticks where the leader is.
const FOLLOWS_EVERY: u64 = LOOK_EVERY / 2;

/// A route is kept while its end is within this (m), or within [`NEAR`] of the way to it, of the leader.
const LED_ASTRAY: f32 = 6.0;
const NEAR: f32 = 0.25;

impl World {
    /// Goes after the leader, or on to the next stop where it is gone.
    pub(super) fn follow_leader(&mut self, slot: u32, row: usize) {
        let mut traveller = self.state.travels.travellers[&slot];
        let &Task::Follow { leader, distance, offset } = self.state.travels.stop_of(&traveller).0 else { return };
        let Some(led) = self.leader(leader, traveller.id) else { return self.next_stop(slot, row) };
        // Each in a tick of its own.
        let wait = FOLLOWS_EVERY - (self.state.tick + u64::from(slot)) % FOLLOWS_EVERY;
        traveller.look = self.state.tick + wait;
        let centre = self.beside(led, offset);
        let (here, radius) = (self.state.crowd.position[row], self.state.crowd.radius[row]);
        let number = traveller.place.map_or(0, |(_, number)| number) as f32;
        let room = ROOM * radius;
        let stop = (distance * distance + number * room * room).sqrt();
        let (apart, stands) = (here.distance(centre), self.state.crowd.trip[slot as usize].post.distance(here) < SLACK);
        let away = if apart > 1e-3 { (here - centre) / apart } else { Vec2::X };
        let at = centre + away * stop;
        let walks_by_route = self.state.crowd.trip[slot as usize].route != RouteId::NONE;
        if apart > stop + if stands && !walks_by_route { SLACK } else { 0.0 } {
            let walk = self.walk();
            if walk.can_walk(here, at, radius) && walk.can_walk(at, centre, 0.5 * radius) {
                self.bind(&mut traveller, row, at);
            } else {
                let to = traveller.to.map(|to| self.grid.lattice().centre(to));
                let kept = to.is_some_and(|to| to.distance(centre) < LED_ASTRAY.max(NEAR * apart));
                let goal = if kept { traveller.goal } else { centre };
                self.bind(&mut traveller, row, goal);
            }
        } else if apart < PRESSED * stop && self.walk().can_walk(here, at, radius) {
            self.bind(&mut traveller, row, at);
        } else if walks_by_route || apart <= stop && !stands {
            traveller.to = None;
            self.stand(traveller.id, row);
        }
        self.state.travels.travellers.insert(slot, traveller);
    }
}

impl World {
    /// The row of the present leader; an agent does not lead itself.
    pub(in crate::world) fn leader(&self, leader: Leader, follower: AgentId) -> Option<usize> {
        let lives = |id: AgentId| self.state.crowd.row(id).filter(|_| id != follower && !self.state.is_dead(id.slot));
        match leader {
            Leader::Agent(id) => lives(id),
            Leader::Squad(squad) => self.state.squads.get(squad.0 as usize)?.members.iter().find_map(|&id| lives(id)),
        }
    }

    /// The point so far ahead of a row and to its right, where it sees that; else where it is.
    fn beside(&self, row: usize, offset: Vec2) -> Vec2 {
        let (at, radius) = (self.state.crowd.position[row], self.state.crowd.radius[row]);
        let ahead = self.state.crowd.facing[self.state.crowd.slot[row] as usize];
        // To the right of +x is +y: y grows downwards.
        let point = at + ahead * offset.x + Vec2::new(-ahead.y, ahead.x) * offset.y;
        let open = offset != Vec2::ZERO
            && walls::is_clear(&self.grid, point, radius)
            && self.walk().can_walk(at, point, radius);
        if open { point } else { at }
    }
}
