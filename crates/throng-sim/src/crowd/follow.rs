//! Walking along a route.

use super::{Lane, RouteFollower, RouteProgress, Routes, UpdateSchedule, Waypoint};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Layer, walls};

/// How far along the route an agent looks (points).
const LOOK_AHEAD: usize = 3;

/// Share of its radius that an agent looks with: a little less than all of it, so that the wall it touches is not in
/// the way.
const SIGHT_RADIUS_SHARE: f32 = 0.9;

/// Share of its radius that must see the way for it not to be lost: round a corner that it grazes, it slides.
const LOST_RADIUS_SHARE: f32 = 0.5;

/// So near to a point (cells), an agent is there: it goes on, though it may not see the next.
const AT_POINT_CELLS: f32 = 0.08;

/// All that agents need to follow routes: the map, the routes, the schedule of checks.
#[derive(Clone, Copy, Debug)]
pub struct RouteView<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m).
    pub clearance: &'a Layer<f32>,
    /// All routes.
    pub routes: &'a Routes,
    /// The tick, and which agents look along their route in it.
    pub schedule: UpdateSchedule,
    /// True for agents to which terrain makes a difference: they keep to their way, though they see beyond its next point.
    pub firm: bool,
}

impl RouteView<'_> {
    /// How near a body of `radius` metres must come to a point of its route to pass it (m): where it keeps to its way it cuts no
    /// corner, since beside its way may be a cliff.
    pub fn passes_within(&self, radius: f32) -> f32 {
        if self.firm { 0.25 * self.grid.lattice().cell_size } else { radius.max(0.5) + radius }
    }

    /// True where a body of `radius` metres can go straight from `a` to `b` (m), a wall that it touches apart.
    pub fn can_walk(&self, a: Vec2, b: Vec2, radius: f32) -> bool {
        walls::line_of_sight(self.grid, self.clearance, a, b, SIGHT_RADIUS_SHARE * radius)
    }
}

/// The point to which its route sends an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading {
    /// The point to walk to (m).
    pub point: Vec2,
    /// True where its way ends there.
    pub last: bool,
}

/// Moves `follower` on along its route, and from its end on to the `post` (m) if there is one; says where to walk. `None`
/// without a route.
///
/// At the start of a link its way ends until it has [crossed](crate::world::World::add_links).
///
/// A point is passed once the agent is beside it, or sees the next: so it does not turn back for a point that it was pushed
/// past, and does not walk into a corner that it can cut within sight. If it `looks`, it looks further ahead, and notices
/// that it has lost its way: the next point is out of sight, or the post is and the route ends here.
#[inline]
pub fn follow(
    view: &RouteView<'_>,
    slot: u32,
    position: Vec2,
    radius: f32,
    looks: bool,
    post: Option<Vec2>,
    follower: &mut RouteFollower,
) -> Option<Heading> {
    if view.routes.use_links() {
        follow_stretch::<true>(view, slot, position, radius, looks, post, follower)
    } else {
        follow_stretch::<false>(view, slot, position, radius, looks, post, follower)
    }
}

/// [`follow`], where routes use links and where none does.
#[inline(never)]
fn follow_stretch<const LINKS: bool>(
    view: &RouteView<'_>,
    slot: u32,
    position: Vec2,
    radius: f32,
    looks: bool,
    post: Option<Vec2>,
    follower: &mut RouteFollower,
) -> Option<Heading> {
    let (points, near) = (view.routes.points(follower.route), view.passes_within(radius));
    // Only what is walked: up to the next link, and not back over the one before.
    let whole = points.len().checked_sub(1)?;
    let (first, last) =
        if LINKS { view.routes.stretch(follower.route, whole, follower.waypoint_index) } else { (0, whole) };
    let is_whole = last == whole;
    let post = post.filter(|_| is_whole);
    // The post is one point more.
    let end = last + usize::from(post.is_some());
    let point = |index: usize, lane: Lane| {
        post.filter(|_| index > last).unwrap_or_else(|| points[index.min(last)].abreast(lane))
    };
    let sees = |index: usize, lane: Lane| view.can_walk(position, point(index, lane), radius);
    let is_near = |index: usize, follower: &RouteFollower| {
        points.get(index).and_then(|point| gap(point, follower, position, near))
    };
    let mut index = (follower.waypoint_index as usize).min(end);
    // Further aside than that, a corner may be between it and the next point, which must be in sight then.
    let touch = view.grid.lattice().cell_size * AT_POINT_CELLS;
    while index < end {
        match is_near(index, follower) {
            Some(gap) if index < last && gap < touch || sees(index + 1, follower.lane) => index += 1,
            _ => break,
        }
    }
    if looks {
        let here = is_near(index, follower).is_some();
        // Whether corners can be cut is looked at every other time: the point it walks to is what must not be lost.
        let far = !(view.schedule.round() + u64::from(slot)).is_multiple_of(2) && !here;
        let ahead = if view.firm || far { 0 } else { LOOK_AHEAD };
        let seen = (index..=(index + ahead).min(end)).take_while(|&index| sees(index, follower.lane)).last();
        // Here it is, and does not see the next.
        let stuck = here && index < end && seen.is_none_or(|seen| seen == index);
        if stuck || seen.is_none() {
            // The way is narrower than it was: not so far aside. It cannot turn back to the point before: others come after it.
            follower.lane.narrow();
        }
        // An agent that has asked for a new route gets it, even where it sees the old one again; so does one whose route is cut.
        if !matches!(follower.route_progress, RouteProgress::Requested | RouteProgress::Cut) {
            let next = point(index, follower.lane);
            let slides = || view.can_walk(position, next, LOST_RADIUS_SHARE * radius);
            // It cut a corner, and was too fast to keep to the line on which it saw this point: one that it left out is ahead.
            let left_out = || {
                let rest = position.distance_squared(next);
                let is_ahead = |index: usize| point(index, follower.lane).distance_squared(next) < rest;
                (index.saturating_sub(LOOK_AHEAD).max(first)..index)
                    .rev()
                    .find(|&index| is_ahead(index) && sees(index, follower.lane))
            };
            let on_line = || beside_line(view, &points[first..], index - first, next, position);
            // The way to a post that was given to it since may be cut off.
            let leads = |at: Vec2| index <= last || view.can_walk(at, next, radius);
            let sees_line = || on_line().is_some_and(|at| view.can_walk(position, at, radius) && leads(at));
            match seen {
                _ if stuck => follower.route_progress = follower.route_progress.missed(),
                Some(_) => follower.route_progress = RouteProgress::OnRoute,
                None if slides() => follower.route_progress = RouteProgress::OnRoute,
                None if sees_line() => follower.route_progress = RouteProgress::Returning,
                None => match left_out() {
                    Some(before) => (follower.route_progress, index) = (RouteProgress::OnRoute, before),
                    None => follower.route_progress = follower.route_progress.missed(),
                },
            }
        }
        index = seen.unwrap_or(index);
        if stuck && index < last && follower.route_progress == RouteProgress::Lost {
            // Others are where it would see the next point from: it goes on all the same.
            (follower.route_progress, index) = (RouteProgress::OnRoute, index + 1);
        }
    }
    follower.waypoint_index = index as u32;
    let mut heading = Heading { point: point(index, follower.lane), last: index == end && is_whole };
    // Whether it sees the line of its way it knows from when it looked.
    if follower.route_progress == RouteProgress::Returning
        && let Some(on_line) = beside_line(view, &points[first..], index - first, heading.point, position)
    {
        heading = Heading { point: on_line, last: false };
    }
    Some(heading)
}

/// The point (m) of the line of its way to `next`, point `index` of a route, that is nearest to an agent that was pushed aside, where
/// it is not there: from the line it sees the next point.
fn beside_line(view: &RouteView<'_>, points: &[Waypoint], index: usize, next: Vec2, position: Vec2) -> Option<Vec2> {
    let before = points.get(index.checked_sub(1)?).or(points.last())?;
    let on_line = nearest_on(before.at, next, position);
    let is_off = on_line.distance(position) > view.grid.lattice().cell_size * AT_POINT_CELLS;
    is_off.then_some(on_line)
}

/// The point of its route (m), or its `post` after that, to which an agent walks after the one that it walks to.
pub fn next_along(view: &RouteView<'_>, post: Option<Vec2>, follower: &RouteFollower) -> Option<Vec2> {
    let (points, next) = (view.routes.points(follower.route), follower.waypoint_index as usize + 1);
    points.get(next).map(|point| point.abreast(follower.lane)).or_else(|| post.filter(|_| next == points.len()))
}

/// The point of a route that an agent at `position` should walk to first: the end of the stretch that is nearest to it.
pub fn entry(points: &[Waypoint], position: Vec2) -> u32 {
    let mut best = (f32::INFINITY, 0);
    let mut from = None;
    for (index, point) in points.iter().enumerate() {
        let start = from.unwrap_or(point.at);
        let distance = position.distance_squared(nearest_on(start, point.at, position));
        // The first of equals: routes may touch themselves, and the shortest way is not to skip a loop unseen.
        if distance < best.0 {
            best = (distance, index);
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

/// How far an agent is from a point (m) that it may pass: it is `near` (m), or has passed the line across the way there (then
/// 0); `None` where it has yet to come there.
#[inline]
fn gap(point: &Waypoint, follower: &RouteFollower, position: Vec2, near: f32) -> Option<f32> {
    // `right` is `along` turned by a right angle.
    let (way, along) = (position - point.at, Vec2::new(point.right.y, -point.right.x));
    let aside = way.dot(point.right);
    let past = way.dot(along) > 0.0;
    if follower.route_progress == RouteProgress::OnRoute
        && past
        && aside <= point.room_right
        && aside >= -point.room_left
    {
        return Some(0.0);
    }
    // Most are far from it wherever they pass it; a little more than that, for rounding.
    let reach = 1.01 * (near + point.room_right.max(point.room_left));
    if way.length_squared() > reach * reach {
        return None;
    }
    let distance = position.distance(point.abreast(follower.lane));
    (distance < near).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Lattice, clearance::clearance};

    fn walk_along(points: &[Vec2], follower: &mut RouteFollower, looks: bool, position: Vec2) -> Option<Heading> {
        let grid = Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap());
        let point = |&at| Waypoint { at, right: Vec2::ZERO, room_right: 0.0, room_left: 0.0 };
        let mut routes = Routes::default();
        follower.route = routes.add(&points.iter().map(point).collect::<Vec<_>>());
        let clearance = clearance(&grid);
        let schedule = UpdateSchedule::default();
        let view = RouteView { grid: &grid, clearance: &clearance, routes: &routes, schedule, firm: false };
        follow(&view, 0, position, 0.4, looks, None, follower)
    }

    #[test]
    fn a_route_may_have_more_points_than_fit_in_two_bytes() {
        let points: Vec<_> = (0..70_000_u32).map(|i| Vec2::new(1.5 + (i % 2) as f32 * 50.0, 9.5)).collect();
        let mut follower = RouteFollower { waypoint_index: 69_998, ..RouteFollower::stay(Vec2::ZERO) };
        let heading = walk_along(&points, &mut follower, false, points[69_998]).unwrap();
        assert_eq!((follower.waypoint_index, heading), (69_999, Heading { point: points[69_999], last: true }));
    }

    #[test]
    fn whoever_has_asked_for_a_route_waits_for_it_though_it_sees_the_old_one() {
        let points = [Vec2::new(1.5, 1.5), Vec2::new(40.5, 1.5)];
        for (before, after) in [RouteProgress::OnRoute, RouteProgress::MissedThrice, RouteProgress::Lost]
            .map(|before| (before, RouteProgress::OnRoute))
            .into_iter()
            .chain([RouteProgress::Cut, RouteProgress::Requested].map(|mark| (mark, mark)))
        {
            let mut follower = RouteFollower { route_progress: before, ..RouteFollower::stay(Vec2::ZERO) };
            walk_along(&points, &mut follower, true, Vec2::new(9.5, 1.5));
            assert_eq!(follower.route_progress, after, "from {before:?}");
        }
    }
}
