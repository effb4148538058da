//! Walking along a route.

use super::{Routes, Trip, Waypoint};
use crate::geom::Vec2;
use crate::grid::{Grid, Layer, walls};

/// An agent looks along its route every this many ticks, each agent in a tick of its own.
pub const LOOK_EVERY: u64 = 8;

/// How many looks in a row must fail before an agent asks for a route of its own.
pub const LOOKS_LOST: u8 = 4;

/// How far along the route an agent looks (points).
const LOOK_AHEAD: usize = 3;

/// Share of its radius that an agent looks with: a little less than all of it, so that the wall it touches is not in
/// the way.
const SLIM: f32 = 0.9;

/// What an agent walks by: the map, the routes, the clock.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m).
    pub clearance: &'a Layer<f32>,
    /// All routes.
    pub routes: &'a Routes,
    /// Ticks done.
    pub tick: u64,
}

impl Walk<'_> {
    /// True where a body of `radius` metres can go straight from `a` to `b` (m), a wall that it touches apart.
    pub fn can_walk(&self, a: Vec2, b: Vec2, radius: f32) -> bool {
        walls::line_of_sight(self.grid, self.clearance, a, b, SLIM * radius)
    }
}

/// Where an agent is sent by its route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading {
    /// The point to walk to (m).
    pub point: Vec2,
    /// True at the end of the route.
    pub last: bool,
}

/// Moves `trip` on along its route and says where to walk; `None` without a route.
///
/// A point is passed once the agent is beside it, or sees the next: so nobody turns back for a point he was pushed
/// past, and nobody walks into a corner that he can cut within sight.
pub fn follow(walk: &Walk<'_>, slot: u32, position: Vec2, radius: f32, trip: &mut Trip) -> Option<Heading> {
    let points = walk.routes.points(trip.route);
    let end = points.len().checked_sub(1)?;
    let mut leg = usize::from(trip.leg).min(end);
    while leg < end && is_beside(&points[leg], trip, position, radius) {
        leg += 1;
    }
    if (walk.tick + u64::from(slot)).is_multiple_of(LOOK_EVERY) {
        let sees = |leg: usize| walk.can_walk(position, points[leg].abreast(trip.lane), radius);
        if let Some(seen) = (leg..=(leg + LOOK_AHEAD).min(end)).take_while(|&leg| sees(leg)).last() {
            leg = seen;
            trip.lost = 0;
        } else {
            // The way is narrower than it was: keep closer to the route.
            trip.lane.narrow();
            if trip.lost < Trip::ASKED - 1 {
                trip.lost += 1;
            }
        }
    }
    trip.leg = leg as u16;
    Some(Heading { point: points[leg].abreast(trip.lane), last: leg == end })
}

/// The point of a route that somebody at `position` should walk to first: the end of the stretch he is nearest to.
pub fn entry(points: &[Waypoint], position: Vec2) -> u16 {
    let mut best = (f32::INFINITY, 0);
    let mut from = None;
    for (leg, point) in points.iter().enumerate() {
        let start = from.unwrap_or(point.at);
        let distance = position.distance_squared(nearest_on(start, point.at, position));
        // The first of equals: routes may touch themselves, and the shortest way is not to skip a loop unseen.
        if distance < best.0 {
            best = (distance, leg);
        }
        from = Some(point.at);
    }
    best.1 as u16
}

/// The point of the segment from `a` to `b` that is nearest to `p`.
fn nearest_on(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let ab = b - a;
    let length = ab.length_squared();
    if length > 0.0 { a + ab * ((p - a).dot(ab) / length).clamp(0.0, 1.0) } else { a }
}

/// True where the agent has reached a point, or, with the next in sight, has passed the line across the way there.
fn is_beside(point: &Waypoint, trip: &Trip, position: Vec2, radius: f32) -> bool {
    let aim = point.abreast(trip.lane);
    let reached = radius.max(0.5) + radius;
    if position.distance_squared(aim) < reached * reached {
        return true;
    }
    // `right` is `along` turned by a right angle.
    let along = Vec2::new(point.right.y, -point.right.x);
    let past = (position - point.at).dot(along) > 0.0;
    let aside = (position - point.at).dot(point.right);
    trip.lost == 0 && past && aside <= point.room_right && aside >= -point.room_left
}
