//! Walking along a route.

use super::{LOOK_EVERY, LOOKS_LOST, Lane, Routes, Trip, Watch, Waypoint};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Layer, walls};

/// How far along the route an agent looks (points).
const LOOK_AHEAD: usize = 3;

/// Share of its radius that an agent looks with: a little less than all of it, so that the wall it touches is not in
/// the way.
const SLIM: f32 = 0.9;

/// So near to a point (cells), nobody looks whether the next is in sight before he passes it.
const TOUCH: f32 = 1.25;

/// What an agent walks by: the map, the routes, the clock.
///
/// ```
/// use throng_sim::crowd::{Heading, Routes, Trip, Walk, Watch, Waypoint, follow};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// let grid = Grid::open_plain(Lattice::new(32, 32, 1.0)?);
/// let (clearance, mut routes) = (clearance(&grid), Routes::default());
/// let point = |at| Waypoint { at, right: Vec2::ZERO, room_right: 0.0, room_left: 0.0 };
/// let (start, goal) = (Vec2::new(2.5, 2.5), Vec2::new(20.5, 2.5));
/// let mut trip = Trip { route: routes.add(&[point(start), point(goal)]), ..Trip::stay(start) };
/// let walk = Walk { grid: &grid, clearance: &clearance, routes: &routes, watch: Watch::default(), firm: false };
/// assert!(walk.can_walk(start, goal, 0.4));
/// assert_eq!(follow(&walk, 0, start, 0.4, &mut trip), Some(Heading { point: goal, last: true }));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m).
    pub clearance: &'a Layer<f32>,
    /// All routes.
    pub routes: &'a Routes,
    /// The tick, and who looks along his route in it.
    pub watch: Watch,
    /// True for those to whom terrain makes a difference: they keep to their way, though they see beyond its next point.
    pub firm: bool,
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
    let mut leg = (trip.leg as usize).min(end);
    let sees = |leg: usize, lane: Lane| walk.can_walk(position, points[leg].abreast(lane), radius);
    // No wall is thinner than a cell. What is further away may lie behind one: then the next point must be in sight.
    let touch = walk.grid.lattice().cell_size * TOUCH;
    while leg < end {
        match gap(&points[leg], trip, position, radius) {
            Some(gap) if gap < touch || sees(leg + 1, trip.lane) => leg += 1,
            _ => break,
        }
    }
    if walk.watch.looks(slot as usize) {
        let sees = |leg: usize| sees(leg, trip.lane);
        // Whether corners can be cut is looked at every other time: the point he walks to is what must not be lost.
        let far = !(walk.watch.tick / LOOK_EVERY + u64::from(slot)).is_multiple_of(2)
            && gap(&points[leg], trip, position, radius).is_none();
        let ahead = if walk.firm || far { 0 } else { LOOK_AHEAD };
        if let Some(seen) = (leg..=(leg + ahead).min(end)).take_while(|&leg| sees(leg)).last() {
            if seen == leg && leg < end && gap(&points[leg], trip, position, radius).is_some() {
                // Here he is, and does not see the next: not so far aside.
                trip.lane.narrow();
            }
            leg = seen;
            // Who is to have a new route gets it, even where he sees the old one again.
            if trip.lost < LOOKS_LOST {
                trip.lost = 0;
            }
        } else {
            // The way is narrower than it was: keep closer to the route. There is no turning back to the point before:
            // those who come after are there.
            trip.lane.narrow();
            if trip.lost < LOOKS_LOST {
                trip.lost += 1;
            }
        }
    }
    trip.leg = leg as u32;
    Some(Heading { point: points[leg].abreast(trip.lane), last: leg == end })
}

/// The point of a route that somebody at `position` should walk to first: the end of the stretch he is nearest to.
pub fn entry(points: &[Waypoint], position: Vec2) -> u32 {
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
    best.1 as u32
}

/// The point of the segment from `a` to `b` that is nearest to `p`.
fn nearest_on(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let ab = b - a;
    let length = ab.length_squared();
    if length > 0.0 { a + ab * ((p - a).dot(ab) / length).clamp(0.0, 1.0) } else { a }
}

/// How far an agent is from a point (m) that it may pass: it is close, or has passed the line across the way there (then
/// 0); `None` where it has yet to come there.
fn gap(point: &Waypoint, trip: &Trip, position: Vec2, radius: f32) -> Option<f32> {
    // `right` is `along` turned by a right angle.
    let along = Vec2::new(point.right.y, -point.right.x);
    let past = (position - point.at).dot(along) > 0.0;
    let aside = (position - point.at).dot(point.right);
    if trip.lost == 0 && past && aside <= point.room_right && aside >= -point.room_left {
        return Some(0.0);
    }
    let distance = position.distance(point.abreast(trip.lane));
    (distance < radius.max(0.5) + radius).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Lattice, clearance::clearance};

    fn walk_along(points: &[Vec2], trip: &mut Trip, looks: bool, position: Vec2) -> Option<Heading> {
        let grid = Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap());
        let point = |&at| Waypoint { at, right: Vec2::ZERO, room_right: 0.0, room_left: 0.0 };
        let mut routes = Routes::default();
        trip.route = routes.add(&points.iter().map(point).collect::<Vec<_>>());
        let clearance = clearance(&grid);
        let mut watches = (0..LOOK_EVERY).map(|tick| Watch { seed: 0, tick });
        let watch = watches.find(|watch| watch.looks(0) == looks).unwrap();
        follow(
            &Walk { grid: &grid, clearance: &clearance, routes: &routes, watch, firm: false },
            0,
            position,
            0.4,
            trip,
        )
    }

    #[test]
    fn a_route_may_have_more_points_than_fit_in_two_bytes() {
        let points: Vec<_> = (0..70_000_u32).map(|i| Vec2::new(1.5 + (i % 2) as f32 * 50.0, 9.5)).collect();
        let mut trip = Trip { leg: 69_998, ..Trip::stay(Vec2::ZERO) };
        let heading = walk_along(&points, &mut trip, false, points[69_998]).unwrap();
        assert_eq!((trip.leg, heading), (69_999, Heading { point: points[69_999], last: true }));
    }

    #[test]
    fn who_is_promised_a_route_waits_for_it_though_he_sees_the_old_one() {
        let points = [Vec2::new(1.5, 1.5), Vec2::new(40.5, 1.5)];
        for (before, after) in [(0, 0), (LOOKS_LOST - 1, 0), (LOOKS_LOST, LOOKS_LOST), (Trip::ASKED, Trip::ASKED)] {
            let mut trip = Trip { lost: before, ..Trip::stay(Vec2::ZERO) };
            walk_along(&points, &mut trip, true, Vec2::new(9.5, 1.5));
            assert_eq!(trip.lost, after, "from {before}");
        }
    }
}
