//! Walking along a route.

use super::{RouteId, Routes, Trip, Waypoint};
use crate::geom::Vec2;
use crate::grid::{Grid, Layer, walls};

/// An agent looks along its route every this many ticks, each agent in a tick of its own.
pub const LOOK_EVERY: u64 = 8;

/// How many looks in a row must fail before an agent asks for a detour.
pub const LOOKS_LOST: u8 = 4;

/// How far along the route an agent looks (points).
const LOOK_AHEAD: usize = 3;

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

/// Where an agent is sent by its route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading {
    /// The point to walk to (m).
    pub point: Vec2,
    /// True at the end of the route.
    pub last: bool,
}

/// Moves `trip` on along its detour or route and says where to walk; `None` without a route.
///
/// A point is passed once the agent is beside it, or sees the next: so nobody turns back for a point he was pushed
/// past, and nobody walks into a corner that he can cut within sight.
pub fn follow(walk: &Walk<'_>, slot: u32, position: Vec2, radius: f32, trip: &mut Trip) -> Option<Heading> {
    let looks = (walk.tick + u64::from(slot)).is_multiple_of(LOOK_EVERY);
    if trip.detour != RouteId::NONE {
        let points = walk.routes.points(trip.detour);
        let heading = advance(walk, points, &mut 0.0, looks, position, radius, &mut trip.detour_leg, &mut 0)?;
        // The end of the detour is released by the world, in the order of slots.
        if !(heading.last && position.distance_squared(heading.point) < 4.0 * radius * radius) {
            return Some(heading);
        }
    }
    let points = walk.routes.points(trip.route);
    advance(walk, points, &mut trip.lane, looks, position, radius, &mut trip.leg, &mut trip.lost)
}

/// True where the agent stands at the end of its detour.
pub fn detour_done(routes: &Routes, position: Vec2, radius: f32, trip: &Trip) -> bool {
    trip.detour != RouteId::NONE
        && routes.points(trip.detour).last().is_none_or(|end| position.distance_squared(end.at) < 4.0 * radius * radius)
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

#[expect(clippy::too_many_arguments, reason = "the state of one agent, taken apart for two kinds of routes")]
fn advance(
    walk: &Walk<'_>,
    points: &[Waypoint],
    lane: &mut f32,
    looks: bool,
    position: Vec2,
    radius: f32,
    leg: &mut u16,
    lost: &mut u8,
) -> Option<Heading> {
    let end = points.len().checked_sub(1)?;
    let mut at = usize::from(*leg).min(end);
    while at < end && is_beside(points, at, *lane, position, radius) {
        at += 1;
    }
    if looks {
        let sees =
            |leg: usize| walls::line_of_sight(walk.grid, walk.clearance, position, points[leg].abreast(*lane), radius);
        let seen = (at..=(at + LOOK_AHEAD).min(end)).take_while(|&leg| sees(leg)).last();
        match seen {
            Some(leg) => {
                at = leg;
                *lost = 0;
            }
            None if *lost < Trip::ASKED - 1 => {
                *lost += 1;
                // The way is narrower than it was: keep closer to the route.
                *lane *= 0.5;
            }
            None => {}
        }
    }
    *leg = at as u16;
    Some(Heading { point: points[at].abreast(*lane), last: at == end })
}

/// True where the agent has reached point `leg`, or has passed the line across the way there.
fn is_beside(points: &[Waypoint], leg: usize, lane: f32, position: Vec2, radius: f32) -> bool {
    let point = &points[leg];
    let aim = point.abreast(lane);
    let reached = radius.max(0.5) + radius;
    if position.distance_squared(aim) < reached * reached {
        return true;
    }
    // `right` is `along` turned by a right angle.
    let along = Vec2::new(point.right.y, -point.right.x);
    let past = (position - point.at).dot(along) > 0.0;
    let aside = (position - point.at).dot(point.right);
    past && aside <= point.room_right && aside >= -point.room_left
}
