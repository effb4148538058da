//! The routes that agents walk, in one piece of memory, shared by squads.

use crate::geom::{Vec2, unit};
use crate::grid::{Cell, Ground, Layer, walls};

/// A route in [`Routes`].
///
/// ```
/// assert_ne!(throng::crowd::RouteId::NONE, throng::crowd::RouteId(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId(pub u32);

impl RouteId {
    /// No route.
    pub const NONE: RouteId = RouteId(u32::MAX);
}

/// A point of a route: agents that walk side by side pass it on a line across the way.
///
/// ```
/// use throng::crowd::Waypoint;
/// use throng::geom::Vec2;
/// let gate = Waypoint { at: Vec2::new(5.0, 5.0), right: Vec2::Y, room_right: 2.0, room_left: 1.0 };
/// assert_eq!(gate.abreast(7.0), Vec2::new(5.0, 7.0)); // two metres are free to the right
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// The point (m).
    pub at: Vec2,
    /// Unit vector across the way, to the right of those who come along it.
    pub right: Vec2,
    /// How far to the right a body may pass (m).
    pub room_right: f32,
    /// How far to the left a body may pass (m).
    pub room_left: f32,
}

impl Waypoint {
    /// Where somebody passes who would like to walk `lane` metres to the right of the route.
    #[inline]
    pub fn abreast(&self, lane: f32) -> Vec2 {
        self.at + self.right * lane.clamp(-self.room_left, self.room_right)
    }
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    len: u32,
    /// How many agents and squads hold the route; the span is vacant at 0.
    holders: u32,
}

/// All routes that are walked. A route lives until the last holder has released it.
///
/// ```
/// use throng::crowd::{RouteId, Routes};
/// let mut routes = Routes::default();
/// let id = routes.add(&[]);
/// routes.release(id);
/// assert_eq!(routes.len(), 0);
/// ```
#[derive(Debug, Default)]
pub struct Routes {
    points: Vec<Waypoint>,
    spans: Vec<Span>,
    vacant: Vec<u32>,
    /// Points of released routes.
    garbage: usize,
}

impl Routes {
    /// Adds a route, held once.
    pub fn add(&mut self, points: &[Waypoint]) -> RouteId {
        let span = Span { start: self.points.len() as u32, len: points.len() as u32, holders: 1 };
        if self.points.len() + points.len() > self.points.capacity() {
            // By a quarter, not by double: routes are the largest thing after the columns.
            self.points.reserve_exact(points.len().max(self.points.len() / 4));
        }
        self.points.extend_from_slice(points);
        if let Some(id) = self.vacant.pop() {
            self.spans[id as usize] = span;
            RouteId(id)
        } else {
            self.spans.push(span);
            RouteId(self.spans.len() as u32 - 1)
        }
    }

    /// How many hold a route.
    pub fn holders(&self, id: RouteId) -> u32 {
        self.spans.get(id.0 as usize).map_or(0, |span| span.holders)
    }

    /// One more holder.
    pub fn hold(&mut self, id: RouteId) {
        if id != RouteId::NONE {
            self.spans[id.0 as usize].holders += 1;
        }
    }

    /// One holder fewer. [`RouteId::NONE`] is fine.
    pub fn release(&mut self, id: RouteId) {
        if id == RouteId::NONE {
            return;
        }
        let span = &mut self.spans[id.0 as usize];
        debug_assert!(span.holders > 0, "{id:?} was released too often");
        span.holders -= 1;
        if span.holders == 0 {
            self.garbage += span.len as usize;
            self.vacant.push(id.0);
            if self.garbage > 1024 && self.garbage * 2 > self.points.len() {
                self.compact();
            }
        }
    }

    /// The points of a route; none for [`RouteId::NONE`].
    #[inline]
    pub fn points(&self, id: RouteId) -> &[Waypoint] {
        self.spans.get(id.0 as usize).map_or(&[], |span| &self.points[span.start as usize..][..span.len as usize])
    }

    /// How many routes are held.
    pub fn len(&self) -> usize {
        self.spans.len() - self.vacant.len()
    }

    /// True where none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Waypoint>()
            + self.spans.capacity() * size_of::<Span>()
            + self.vacant.capacity() * size_of::<u32>()
    }

    /// Closes the gaps that released routes have left.
    fn compact(&mut self) {
        let mut points = Vec::with_capacity(self.points.len() - self.garbage);
        for span in self.spans.iter_mut().filter(|span| span.holders > 0) {
            let start = points.len() as u32;
            points.extend_from_slice(&self.points[span.start as usize..][..span.len as usize]);
            span.start = start;
        }
        self.points = points;
        self.garbage = 0;
    }
}

/// Writes `points`: the way-points of a body of `radius` metres along `cells` (a route's turning points), pulled
/// straight where the line of sight is free, each with the room beside it up to `widest` metres. The first is the start,
/// which everybody passes in the middle.
///
/// Greedy: from each point on to the last that is seen from it without a break. O(cells) lines of sight.
pub fn waypoints(
    ground: &Ground,
    clearance: &Layer<f32>,
    cells: &[Cell],
    radius: f32,
    widest: f32,
    points: &mut Vec<Waypoint>,
) {
    let lattice = ground.lattice();
    let sees =
        |a: Cell, b: Cell| walls::line_of_sight(ground.grid(), clearance, lattice.centre(a), lattice.centre(b), radius);
    let waypoint = |at: Vec2, along: Vec2| {
        // To the right of +x is +y: y grows downwards.
        let right = Vec2::new(-along.y, along.x);
        Waypoint {
            at,
            right,
            room_right: room(ground, clearance, at, right, radius, widest),
            room_left: room(ground, clearance, at, -right, radius, widest),
        }
    };
    points.clear();
    let Some(&start) = cells.first() else { return };
    points.push(waypoint(lattice.centre(start), Vec2::ZERO));
    let mut from = 0;
    while from + 1 < cells.len() {
        let mut to = from + 1;
        while to + 1 < cells.len() && sees(cells[from], cells[to + 1]) {
            to += 1;
        }
        let (a, b) = (lattice.centre(cells[from]), lattice.centre(cells[to]));
        points.push(waypoint(b, unit(b - a)));
        from = to;
    }
}

/// How far a body of `radius` metres may stand from `at` in `direction`, by steps of a cell, up to `widest` (m).
fn room(ground: &Ground, clearance: &Layer<f32>, at: Vec2, direction: Vec2, radius: f32, widest: f32) -> f32 {
    let step = ground.lattice().cell_size;
    let mut free = 0.0;
    while direction != Vec2::ZERO && free < widest {
        let next = (free + step).min(widest);
        if !walls::line_of_sight(ground.grid(), clearance, at + direction * free, at + direction * next, radius) {
            break;
        }
        free = next;
    }
    free
}
