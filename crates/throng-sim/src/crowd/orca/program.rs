//! The linear programs, for sixteen agents at once.
//!
//! Each step is that of the paper for one agent, and its branches are masks: a lane gets the same bits whatever the
//! others hold.

use super::walls::WALLS;
use crate::crowd::simd_batch::Vectors;
use throng_spatial::simd::{LANES, Lanes};

/// Lines whose directions have a smaller cross product count as parallel.
pub(super) const PARALLEL: f32 = 1e-5;

/// The borders of a half-plane of velocities (m/s), one for each of sixteen agents: what lies to the side where
/// `cross(direction, v - point)` is not negative is permitted. A direction of 0 permits everything.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Borders {
    pub(super) point: [[f32; LANES]; 2],
    pub(super) direction: [[f32; LANES]; 2],
}

impl Borders {
    pub(super) const NONE: Self = Self { point: [[0.0; LANES]; 2], direction: [[0.0; LANES]; 2] };
}

/// One border a lane.
#[derive(Clone, Copy)]
struct Line<L: Lanes> {
    point: Vectors<L>,
    direction: Vectors<L>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<L: Lanes> Line<L> {
    #[inline(always)]
    fn load(lanes: L, borders: &Borders) -> Self {
        Self { point: Vectors::load(lanes, &borders.point), direction: Vectors::load(lanes, &borders.direction) }
    }

    /// How far a velocity is on the wrong side of the border; negative where it is permitted.
    #[inline(always)]
    fn broken_by(self, velocity: Vectors<L>) -> L::Numbers {
        self.direction.cross(self.point - velocity)
    }
}

/// The target of a linear program inside the half-planes and the circle of the greatest speed.
#[derive(Clone, Copy)]
enum Aim<L: Lanes> {
    /// The velocity nearest to this one.
    Nearest(Vectors<L>),
    /// The velocity that is furthest in this direction (of length 1).
    Furthest(Vectors<L>),
}

/// The best velocity on line `i` that no earlier line forbids, and the lanes where there is one.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn linear_program_1<L: Lanes>(
    lanes: L,
    lines: &[Borders],
    line: Line<L>,
    top_speed: L::Numbers,
    aim: Aim<L>,
) -> (Vectors<L>, L::Mask) {
    let Line { point, direction } = line;
    let (zero, parallel) = (lanes.splat(0.0), lanes.splat(PARALLEL));
    // The part of the line inside the circle of the greatest speed.
    let middle = point.dot(direction);
    let within = middle * middle + top_speed * top_speed;
    let discriminant = within - point.dot(point);
    let mut found = lanes.at_most(zero, discriminant);
    let half = lanes.sqrt(discriminant);
    let mut low = -middle - half;
    let mut high = -middle + half;
    for earlier in lines {
        let earlier = Line::load(lanes, earlier);
        let denominator = direction.cross(earlier.direction);
        let numerator = earlier.direction.cross(point - earlier.point);
        let along = lanes.at_most(lanes.abs(denominator), parallel);
        found = found & !(along & lanes.less(numerator, zero));
        let t = numerator / denominator;
        let rising = lanes.at_most(zero, denominator);
        high = lanes.select(rising & !along, lanes.min(t, high), high);
        low = lanes.select(rising | along, low, lanes.max(t, low));
    }
    found = found & lanes.at_most(low, high);
    let t = match aim {
        Aim::Nearest(preferred) => {
            let t = direction.dot(preferred - point);
            lanes.min(high, lanes.max(low, t))
        }
        Aim::Furthest(toward) => {
            let ahead = lanes.less(zero, toward.dot(direction));
            lanes.select(ahead, high, low)
        }
    };
    (point + direction * t, found)
}

/// Of each of the `lanes` that take part the best permitted velocity; or, where there is none, the best one that keeps
/// the lines before the first that could not be kept. `failed` is told the number of that line, and whose it is.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn linear_program_2<L: Lanes>(
    lanes: L,
    lines: &[Borders],
    takes_part: L::Mask,
    top_speed: L::Numbers,
    aim: Aim<L>,
    failed: &mut Failed,
) -> Vectors<L> {
    let mut best = match aim {
        Aim::Nearest(preferred) => preferred.clamp_length(lanes, top_speed),
        Aim::Furthest(toward) => toward * top_speed,
    };
    let mut goes_on = takes_part;
    for (i, line) in lines.iter().enumerate() {
        let line = Line::load(lanes, line);
        let broken = goes_on & lanes.less(lanes.splat(0.0), line.broken_by(best));
        if lanes.bits(broken) == 0 {
            continue;
        }
        let (better, found) = linear_program_1(lanes, &lines[..i], line, top_speed, aim);
        best = better.or(lanes, broken & found, best);
        let fails = broken & !found;
        if lanes.bits(fails) != 0 {
            goes_on = goes_on & !fails;
            failed.at(i, lanes.bits(fails));
        }
    }
    best
}

/// The lanes for which no velocity is permitted, and the first line that each could not keep.
#[derive(Default)]
pub(super) struct Failed {
    pub(super) lanes: u16,
    pub(super) first: [u16; LANES],
}

impl Failed {
    fn at(&mut self, line: usize, lanes: u16) {
        self.lanes |= lanes;
        for (lane, first) in self.first.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                *first = line as u16;
            }
        }
    }
}

/// The permitted velocities nearest to the preferred ones of some lanes (a bit each). A lane that fails gets the best velocity that
/// keeps the lines before the first one that it could not keep.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
pub(super) fn nearest<L: Lanes>(
    lanes: L,
    lines: &[Borders],
    takes_part: u16,
    top_speed: L::Numbers,
    preferred: Vectors<L>,
) -> (Vectors<L>, Failed) {
    let mut failed = Failed::default();
    let takes_part = lanes.mask(takes_part);
    let best = linear_program_2(lanes, lines, takes_part, top_speed, Aim::Nearest(preferred), &mut failed);
    (best, failed)
}

/// Agents that no velocity is permitted to, gathered from many.
pub(super) struct Stuck<const K: usize, const M: usize> {
    /// The half-planes of walls, which are never broken. The places that an agent does not need permit everything.
    walls: [Borders; WALLS],
    /// The most walls that one of them has.
    walled: usize,
    lines: [Borders; K],
    /// Walls, then bisectors.
    projected: [Borders; M],
    /// How many lines each has, and the first that it could not keep.
    count: [f32; LANES],
    first: [f32; LANES],
    best: [[f32; LANES]; 2],
    top_speed: [f32; LANES],
    pub(super) row: [u32; LANES],
    pub(super) len: usize,
}

impl<const K: usize, const M: usize> Stuck<K, M> {
    pub(super) fn new() -> Self {
        Self {
            walls: [Borders::NONE; WALLS],
            walled: 0,
            lines: [Borders::NONE; K],
            projected: [Borders::NONE; M],
            count: [0.0; LANES],
            first: [0.0; LANES],
            best: [[0.0; LANES]; 2],
            top_speed: [0.0; LANES],
            row: [0; LANES],
            len: 0,
        }
    }

    /// Takes in a lane: its walls and lines, the first line that it could not keep, and the best that keeps those before.
    #[expect(clippy::too_many_arguments, reason = "one argument a part of the program")]
    pub(super) fn push(
        &mut self,
        lane: usize,
        walls: &[Borders],
        lines: &[Borders],
        first: u16,
        best: [f32; 2],
        top_speed: f32,
        row: u32,
    ) {
        let to = self.len;
        self.walled = self.walled.max(walls.len());
        let own = self.walls.iter_mut().zip(walls).chain(self.lines.iter_mut().zip(lines));
        for (own, line) in own {
            for axis in 0..2 {
                own.point[axis][to] = line.point[axis][lane];
                own.direction[axis][to] = line.direction[axis][lane];
            }
        }
        (self.count[to], self.first[to]) = (lines.len() as f32, f32::from(first));
        (self.best[0][to], self.best[1][to]) = (best[0], best[1]);
        (self.top_speed[to], self.row[to]) = (top_speed, row);
        self.len += 1;
    }

    /// For all of them the velocity that breaks the lines least, by how far it is on the wrong side of the one it breaks
    /// most. Forgets them.
    #[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
    #[inline(always)]
    pub(super) fn solve<L: Lanes>(&mut self, lanes: L) -> [[f32; LANES]; 2] {
        self.count[self.len..].fill(0.0);
        self.len = 0;
        let walled = std::mem::take(&mut self.walled);
        self.projected[..walled].copy_from_slice(&self.walls[..walled]);
        self.walls[..walled].fill(Borders::NONE);
        let range = |numbers: &[f32; LANES]| numbers.iter().fold([f32::MAX, 0.0], |[a, b], &x| [a.min(x), b.max(x)]);
        let (begin, end) = (range(&self.first)[0] as usize, range(&self.count)[1] as usize);
        let (first, count) = (lanes.load(&self.first), lanes.load(&self.count));
        let top_speed = lanes.load(&self.top_speed);
        let mut best = Vectors::load(lanes, &self.best);
        let mut worst = lanes.splat(0.0);
        for i in begin..end {
            let line = Line::load(lanes, &self.lines[i]);
            let number = lanes.splat(i as f32);
            let has = lanes.at_most(first, number) & lanes.less(number, count);
            let turn = has & !lanes.at_most(line.broken_by(best), worst);
            if lanes.bits(turn) == 0 {
                continue;
            }
            for (projected, earlier) in self.projected[walled..].iter_mut().zip(&self.lines[..i]) {
                *projected = bisector(lanes, line, Line::load(lanes, earlier));
            }
            let inwards = Vectors { x: -line.direction.y, y: line.direction.x };
            let mut failed = Failed::default();
            let projected = &self.projected[..walled + i];
            let better = linear_program_2(lanes, projected, turn, top_speed, Aim::Furthest(inwards), &mut failed);
            // It can only fail by rounding: then the old one is as good.
            best = better.or(lanes, turn & !lanes.mask(failed.lanes), best);
            worst = lanes.select(turn, line.broken_by(best), worst);
        }
        best.store(lanes)
    }
}

/// A velocity that breaks `line` more than an earlier one lies beyond this.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn bisector<L: Lanes>(lanes: L, line: Line<L>, earlier: Line<L>) -> Borders {
    let zero = lanes.splat(0.0);
    let determinant = line.direction.cross(earlier.direction);
    let meet = lanes.less(lanes.splat(PARALLEL), lanes.abs(determinant));
    let t = earlier.direction.cross(line.point - earlier.point) / determinant;
    let point = line.point + line.direction * t;
    let halfway = (line.point + earlier.point) * lanes.splat(0.5);
    let point = point.or(lanes, meet, halfway);
    // Of two in the same direction, one is never broken more than the other.
    let same = lanes.less(zero, line.direction.dot(earlier.direction)) & !meet;
    let between = earlier.direction - line.direction;
    let length = lanes.sqrt(between.dot(between));
    let tells = lanes.less(lanes.splat(1e-12), length) & !same;
    let direction = (between / length).or(lanes, tells, Vectors { x: zero, y: zero });
    Borders { point: point.store(lanes), direction: direction.store(lanes) }
}
