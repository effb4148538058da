//! The routes that agents walk, in one piece of memory, shared by squads.

mod crossings;
mod saved;

pub(crate) use crossings::stretches;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Cell, Ground, Lattice, Layer, LineOfSight, walls};

/// A route in [`Routes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RouteId(pub u32);

impl RouteId {
    /// No route.
    pub const NONE: RouteId = RouteId(u32::MAX);
}

/// The lane of an agent among those that share its route.
///
/// ```
/// use throng_sim::crowd::Lane;
/// let mut lane = Lane { right: 3.0, half: 5.0 };
/// lane.narrow();
/// assert_eq!(lane, Lane { right: 1.5, half: 2.5 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// How far to the right of the middle it is (m); to the left where negative.
    pub right: f32,
    /// Half the width of all of them (m), at least the size of `right`.
    pub half: f32,
}

impl Lane {
    /// All closer together: half as wide.
    pub fn narrow(&mut self) {
        self.right *= 0.5;
        self.half *= 0.5;
    }
}

/// A point of a route: agents that walk side by side pass it on a line across the way.
///
/// ```
/// use throng_sim::crowd::{Lane, Waypoint};
/// use throng_grid::geom::Vec2;
/// let corner = Waypoint { at: Vec2::new(5.0, 5.0), right: Vec2::Y, room_right: 0.0, room_left: 8.0 };
/// // The middle man and the right-hand man of four metres: all have shifted to the left, where there is room.
/// assert_eq!(corner.abreast(Lane { right: 0.0, half: 2.0 }), Vec2::new(5.0, 3.0));
/// assert_eq!(corner.abreast(Lane { right: 2.0, half: 2.0 }), Vec2::new(5.0, 5.0));
/// // Twenty metres do not fit: they close up.
/// assert_eq!(corner.abreast(Lane { right: -10.0, half: 10.0 }), Vec2::new(5.0, -3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waypoint {
    /// The point (m).
    pub at: Vec2,
    /// Unit vector across the way, to the right of an agent that comes along it.
    pub right: Vec2,
    /// How far to the right a body may pass (m).
    pub room_right: f32,
    /// How far to the left a body may pass (m).
    pub room_left: f32,
}

impl Waypoint {
    /// The place where an agent of a lane passes: the whole width is shifted no further than needed to fit into the room, and
    /// closes up where it does not fit.
    #[inline]
    pub fn abreast(&self, lane: Lane) -> Vec2 {
        let (low, high) = (-self.room_left, self.room_right);
        let right = if high - low >= 2.0 * lane.half {
            lane.right + (low + lane.half).max(0.0) + (high - lane.half).min(0.0)
        } else {
            low + (lane.right + lane.half) / (2.0 * lane.half) * (high - low)
        };
        self.at + self.right * right.clamp(low, high)
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
/// use throng_grid::geom::Vec2;
/// use throng_sim::crowd::{Routes, Waypoint};
/// let point = |x| Waypoint { at: Vec2::new(x, 4.5), right: Vec2::Y, room_right: 0.0, room_left: 0.0 };
/// let mut routes = Routes::default();
/// let id = routes.add(&[point(1.5), point(9.5)]);
/// routes.hold(id); // for a second agent
/// routes.release(id);
/// assert_eq!((routes.holders(id), routes.points(id).len()), (1, 2));
/// routes.release(id);
/// assert!(routes.is_empty());
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "saved::SavedRoutes", try_from = "saved::SavedRoutes")]
pub struct Routes {
    points: Vec<Waypoint>,
    spans: Vec<Span>,
    vacant: Vec<u32>,
    /// The points at which links begin, of the routes that use any.
    crossings: BTreeMap<RouteId, Box<[u32]>>,
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

    /// All routes that are held, in order.
    pub fn ids(&self) -> impl Iterator<Item = RouteId> {
        (0..).zip(&self.spans).filter(|(_, span)| span.holders > 0).map(|(id, _)| RouteId(id))
    }

    /// How many hold a route.
    pub fn holders(&self, id: RouteId) -> u32 {
        self.spans.get(id.0 as usize).map_or(0, |span| span.holders)
    }

    /// One more holder. [`RouteId::NONE`] is fine.
    ///
    /// # Panics
    /// Where the id is of other routes than these.
    pub fn hold(&mut self, id: RouteId) {
        if id != RouteId::NONE {
            self.spans[id.0 as usize].holders += 1;
        }
    }

    /// One holder fewer. [`RouteId::NONE`] is fine.
    ///
    /// # Panics
    /// Where the id is of other routes than these.
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
            self.crossings.remove(&id);
            if self.garbage > 1024 && self.garbage * 5 > self.points.len() {
                self.compact();
            }
        }
    }

    /// The points of a route; none for [`RouteId::NONE`].
    #[inline]
    pub fn points(&self, id: RouteId) -> &[Waypoint] {
        self.spans.get(id.0 as usize).map_or(&[], |span| &self.points[span.start as usize..][..span.len as usize])
    }

    /// How far it is from a place (m) to point `index` of a route and on to its end (m); 0 for [`RouteId::NONE`].
    pub fn left(&self, id: RouteId, index: u32, from: Vec2) -> f32 {
        let ahead = self.points(id).iter().skip(index as usize).map(|point| point.at);
        ahead.fold((0.0, from), |(sum, from), to| (sum + from.distance(to), to)).0
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

/// Widths that are tried for the room beside a point, as shares of the widest.
const WIDTHS: [f32; 9] = [1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.025];

/// There is no room beside a point where the ground rises more steeply than this.
const CLIMB: f32 = 0.1;

/// Writes `points`: the way-points along `cells` (a route's turning points, at any angle) and on to `goal`, pulled straight
/// where the ground's body sees its way, each with the room beside it, up to `widest` metres, where a body of `radius` metres sees
/// the points before and after. The first is the start, the last the goal; these are passed in the middle.
///
/// Greedy: from each point on to the last that is seen from it without a break. O(cells) lines of sight. Where terrain or
/// heights count, no line costs more than the part of the route that it stands for. The room ends where the ground is dearer
/// than at the point, or where one would have to climb.
pub fn waypoints(
    ground: &Ground,
    clearance: &Layer<f32>,
    cells: &[Cell],
    goal: Cell,
    radius: f32,
    widest: f32,
    points: &mut Vec<Waypoint>,
) {
    let lattice = ground.lattice();
    let clear = |a: Vec2, b: Vec2, radius: f32| walls::line_of_sight(ground.grid(), clearance, a, b, radius);
    let sees = |a: Vec2, b: Vec2| clear(a, b, radius);
    points.clear();
    let mut unrolled = Vec::new();
    let cells = if cells.windows(2).all(|line| is_run(lattice, line[0], line[1])) {
        cells
    } else {
        unroll(ground, cells, |a, b| clear(a, b, ground.radius()), &mut unrolled);
        &unrolled
    };
    let Some(&start) = cells.first() else { return };
    let bare = |at: Vec2| Waypoint { at, right: Vec2::ZERO, room_right: 0.0, room_left: 0.0 };
    points.push(bare(lattice.centre(start)));
    let mut from = 0;
    let counts = ground.mobility().terrain.is_some() || !ground.is_level();
    let sight = counts.then(|| LineOfSight::new(ground));
    let cost = |a: Cell, b: Cell| sight.as_ref().map_or(Some(0), |sight| sight.cost(a, b));
    let as_good = |at: Cell, beside: Cell| {
        let higher = f32::from(ground.grid().height(beside)) - f32::from(ground.grid().height(at));
        let climb = 0.01 * higher > CLIMB * lattice.centre(at).distance(lattice.centre(beside));
        sight.is_none() || ground.is_passable(beside) && ground.weight(beside) <= ground.weight(at) && !climb
    };
    while from + 1 < cells.len() {
        let mut to = from + 1;
        let start = lattice.centre(cells[from]);
        let mut steps = cost(cells[from], cells[to]);
        while to + 1 < cells.len() && clear(start, lattice.centre(cells[to + 1]), ground.radius()) {
            steps = steps.and_then(|steps| Some(steps + cost(cells[to], cells[to + 1])?));
            let (Some(steps), Some(line)) = (steps, cost(cells[from], cells[to + 1])) else { break };
            if line > steps {
                break;
            }
            to += 1;
        }
        points.push(bare(lattice.centre(cells[to])));
        from = to;
    }
    if cells.last() != Some(&goal) {
        points.push(bare(lattice.centre(goal)));
    }
    for i in 1..points.len() {
        let (before, at) = (points[i - 1].at, points[i].at);
        let along = unit(at - before);
        // To the right of +x is +y: y grows downwards.
        let right = Vec2::new(-along.y, along.x);
        points[i].right = right;
        let Some(after) = points.get(i + 1).map(|after| after.at) else { break };
        let room = |side: Vec2| {
            let fits = |&width: &f32| {
                let beside = at + side * width;
                lattice.covers(beside)
                    && as_good(lattice.at(at), lattice.at(beside))
                    && sees(at, beside)
                    && sees(before, beside)
                    && sees(beside, after)
            };
            WIDTHS.iter().map(|share| share * widest).find(fits).unwrap_or(0.0)
        };
        (points[i].room_right, points[i].room_left) = (room(right), room(-right));
    }
}

/// True where steps in one of the eight directions lead from a cell to another: a grid planner has gone there.
fn is_run(lattice: Lattice, a: Cell, b: Cell) -> bool {
    let ((ax, ay), (bx, by)) = (lattice.column_row(a), lattice.column_row(b));
    ax == bx || ay == by || ax.abs_diff(bx) == ay.abs_diff(by)
}

/// Writes the turning points of a route at any angle, and where a body does not see the next one the cells on the way to
/// it: a line may pass a corner more closely than a body can, and the steps around it do not.
fn unroll(ground: &Ground, cells: &[Cell], clear: impl Fn(Vec2, Vec2) -> bool, unrolled: &mut Vec<Cell>) {
    let (lattice, sight) = (ground.lattice(), LineOfSight::new(ground));
    unrolled.extend(cells.first());
    for line in cells.windows(2) {
        let [a, b] = [line[0], line[1]];
        let near_a_corner = !is_run(lattice, a, b) && !clear(lattice.centre(a), lattice.centre(b));
        // A link leads out of sight.
        if near_a_corner && sight.sees(a, b) {
            unrolled.extend(sight.cells(a, b).skip(1));
        } else {
            unrolled.push(b);
        }
    }
}
