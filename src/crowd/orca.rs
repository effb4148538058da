//! Optimal reciprocal collision avoidance.
//!
//! Each agent takes half of the duty to keep clear of each neighbour for the time horizon: a half-plane of permitted
//! velocities a neighbour. The new velocity is the permitted one nearest to the wish, found by linear programming;
//! where nothing is permitted, the one that breaks the half-planes least.
//!
//! Symbols as in J. van den Berg, S. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance" (2011).

use super::CHUNK;
use super::apart::apart;
use crate::geom::{Vec2, clamp_length, cross, unit};
use crate::spatial::Near;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// What an agent looks at.
///
/// ```
/// let orca = throng::crowd::Orca { k: 6, reach: 3.0, ..Default::default() };
/// assert_eq!(orca.horizon, 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orca {
    /// The most neighbours an agent avoids, 1 to 255. Default 8. Fewer is faster and makes dense crowds flow better,
    /// but agents shake more, and below some 5 they are squeezed from sides that they do not look at.
    pub k: usize,
    /// How far away a neighbour may be (m). Default 5. Should be what two agents that meet cover in the horizon, at
    /// least a few radii: less and they brake late.
    pub reach: f32,
    /// For how long an agent keeps clear (s). Default 2. Shorter gets through crowds faster and overlaps more, longer
    /// makes agents timid.
    pub horizon: f32,
}

impl Default for Orca {
    fn default() -> Self {
        Self { k: 8, reach: 5.0, horizon: 2.0 }
    }
}

/// The border of a half-plane of velocities (m/s): what lies to the side where `cross(direction, v - point)` is not
/// negative is permitted.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    point: Vec2,
    direction: Vec2,
}

impl Line {
    /// How far a velocity is on the wrong side of the border; negative where it is permitted.
    #[inline]
    fn broken_by(&self, velocity: Vec2) -> f32 {
        cross(self.direction, self.point - velocity)
    }
}

/// What a linear program looks for inside the half-planes and the circle of the greatest speed.
#[derive(Clone, Copy)]
enum Aim {
    /// The velocity nearest to this one.
    Nearest(Vec2),
    /// The velocity that is furthest in this direction (of length 1).
    Furthest(Vec2),
}

/// Lines whose directions have a smaller cross product count as parallel.
const PARALLEL: f32 = 1e-5;

/// Writes `next`: for each agent the velocity (m/s), at most its `top_speed`, that is nearest to its `wish` and keeps it
/// clear of its neighbours for `params.horizon` seconds, if they do their part.
///
/// Agents that overlap part as fast as they can; those on one point in a direction made from their ids, `slot`. `step`
/// is the length of a tick (s). Of two, each has the share of the other's `weight` in both as its duty. None knows of
/// walls: [`slide`](crate::grid::walls::slide) stops them there.
///
/// Runs on the threads of the current rayon pool with the same result on any number. Costs O(k²) an agent at worst,
/// O(k) in open space.
///
/// ```
/// use throng::crowd::{Orca, neighbours::neighbours, orca::orca};
/// use throng::geom::Vec2;
/// use throng::spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// // Two agents head on, a little off their axis.
/// let position = [Vec2::new(0.0, 0.0), Vec2::new(3.0, 0.1)];
/// let velocity = [Vec2::new(1.5, 0.0), Vec2::new(-1.5, 0.0)];
/// let (radius, slot, top_speed) = ([0.5, 0.5], [0, 1], [2.0, 2.0]);
/// let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 5.0, &mut near);
/// let mut next = [Vec2::ZERO; 2];
/// orca(Orca::default(), 0.1, &position, &velocity, &velocity, &radius, &top_speed, &[1.0; 2], &slot, &near, &mut next);
/// assert!(next[0].y < -0.1 && next[1].y > 0.1, "each gives way: {next:?}");
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn orca(
    params: Orca,
    step: f32,
    position: &[Vec2],
    velocity: &[Vec2],
    wish: &[Vec2],
    radius: &[f32],
    top_speed: &[f32],
    weight: &[f32],
    slot: &[u32],
    near: &Near,
    next: &mut [Vec2],
) {
    let (per_horizon, per_step) = (1.0 / params.horizon, 1.0 / step);
    next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
        let mut lines = [Line::default(); Near::MAX_K];
        for (i, next) in next.iter_mut().enumerate() {
            let row = chunk * CHUNK + i;
            let mut count = 0;
            for &other in near.of(row) {
                let other = other as usize;
                let way = Encounter {
                    position: position[other] - position[row],
                    velocity: velocity[row] - velocity[other],
                    radius: radius[row] + radius[other],
                };
                // The rest of the change is the neighbour's duty.
                let duty = weight[other] / (weight[row] + weight[other]);
                let (direction, change) =
                    way.change(per_horizon, per_step).unwrap_or_else(|| way.escape(per_step, slot[row], slot[other]));
                lines[count] = Line { point: velocity[row] + change * duty, direction };
                count += 1;
            }
            *next = solve(&lines[..count], top_speed[row], wish[row]);
        }
    });
}

/// A neighbour as an agent sees it.
#[derive(Clone, Copy)]
struct Encounter {
    /// From the agent to the neighbour (m).
    position: Vec2,
    /// Of the agent relative to the neighbour (m/s).
    velocity: Vec2,
    /// Sum of the radii (m).
    radius: f32,
}

impl Encounter {
    /// The direction of the border of the velocity obstacle at its point nearest to the relative velocity, and the
    /// change u of velocity that leads there. `None` where that point is not defined: both stand on one point, with one
    /// velocity.
    #[inline]
    fn change(self, per_horizon: f32, per_step: f32) -> Option<(Vec2, Vec2)> {
        let Self { position, velocity, radius } = self;
        let squared = position.length_squared();
        let overlap = squared <= radius * radius;
        // The obstacle is a cone whose tip is cut off by a disc: that of all velocities which collide at the horizon,
        // or, for those who overlap already, after this step.
        let per_time = if overlap { per_step } else { per_horizon };
        let w = velocity - position * per_time;
        let along = w.dot(position);
        if overlap || (along < 0.0 && along * along > radius * radius * w.length_squared()) {
            let length = w.length();
            let normal = w / length;
            return (length > 1e-9).then(|| (Vec2::new(normal.y, -normal.x), normal * (radius * per_time - length)));
        }
        // The nearest leg of the cone.
        let leg = (squared - radius * radius).sqrt();
        let side = if cross(position, w) > 0.0 { 1.0 } else { -1.0 };
        let direction =
            Vec2::new(position.x * leg - side * position.y * radius, side * position.x * radius + position.y * leg)
                * (side / squared);
        Some((direction, direction * velocity.dot(direction) - velocity))
    }

    /// As [`Encounter::change`], for agents on one point: away from each other.
    fn escape(self, per_step: f32, own: u32, other: u32) -> (Vec2, Vec2) {
        let normal = apart(own, other);
        (Vec2::new(normal.y, -normal.x), normal * (self.radius * per_step))
    }
}

/// The permitted velocity nearest to `wish`, or the one that breaks the lines least.
fn solve(lines: &[Line], top_speed: f32, wish: Vec2) -> Vec2 {
    match linear_program_2(lines, top_speed, Aim::Nearest(wish)) {
        Ok(velocity) => velocity,
        Err((failed, velocity)) => linear_program_3(lines, failed, top_speed, velocity),
    }
}

/// The best velocity on line `i` that no earlier line forbids, or `None`.
#[inline]
fn linear_program_1(lines: &[Line], i: usize, top_speed: f32, aim: Aim) -> Option<Vec2> {
    let Line { point, direction } = lines[i];
    // The part of the line inside the circle of the greatest speed.
    let middle = point.dot(direction);
    let discriminant = middle * middle + top_speed * top_speed - point.length_squared();
    if discriminant.is_nan() || discriminant < 0.0 {
        return None;
    }
    let half = discriminant.sqrt();
    let (mut low, mut high) = (-middle - half, -middle + half);
    for earlier in &lines[..i] {
        let denominator = cross(direction, earlier.direction);
        let numerator = cross(earlier.direction, point - earlier.point);
        if denominator.abs() <= PARALLEL {
            if numerator < 0.0 {
                return None;
            }
            continue;
        }
        let t = numerator / denominator;
        if denominator >= 0.0 {
            high = high.min(t);
        } else {
            low = low.max(t);
        }
        if low > high {
            return None;
        }
    }
    let t = match aim {
        Aim::Nearest(wish) => direction.dot(wish - point).max(low).min(high),
        Aim::Furthest(toward) => {
            if toward.dot(direction) > 0.0 {
                high
            } else {
                low
            }
        }
    };
    Some(point + direction * t)
}

/// The best permitted velocity; or, where there is none, the first line that could not be kept, and the best velocity
/// that keeps the lines before it.
fn linear_program_2(lines: &[Line], top_speed: f32, aim: Aim) -> Result<Vec2, (usize, Vec2)> {
    let mut best = match aim {
        Aim::Nearest(wish) => clamp_length(wish, top_speed),
        Aim::Furthest(toward) => toward * top_speed,
    };
    for (i, line) in lines.iter().enumerate() {
        if line.broken_by(best) > 0.0 {
            best = linear_program_1(lines, i, top_speed, aim).ok_or((i, best))?;
        }
    }
    Ok(best)
}

/// The velocity that breaks the lines least, by how far it is on the wrong side of the one it breaks most, given the
/// best one that keeps the lines before `first`.
#[cold]
fn linear_program_3(lines: &[Line], first: usize, top_speed: f32, mut best: Vec2) -> Vec2 {
    let mut projected = [Line::default(); Near::MAX_K];
    let mut worst = 0.0;
    for (i, line) in lines.iter().enumerate().skip(first) {
        if line.broken_by(best) <= worst {
            continue;
        }
        // What breaks line i more than an earlier one lies beyond their bisector.
        let mut count = 0;
        for earlier in &lines[..i] {
            let determinant = cross(line.direction, earlier.direction);
            let point = if determinant.abs() > PARALLEL {
                let t = cross(earlier.direction, line.point - earlier.point) / determinant;
                line.point + line.direction * t
            } else if line.direction.dot(earlier.direction) > 0.0 {
                continue;
            } else {
                (line.point + earlier.point) * 0.5
            };
            projected[count] = Line { point, direction: unit(earlier.direction - line.direction) };
            count += 1;
        }
        let inwards = Vec2::new(-line.direction.y, line.direction.x);
        // It can only fail by rounding: then the old one is as good.
        if let Ok(better) = linear_program_2(&projected[..count], top_speed, Aim::Furthest(inwards)) {
            best = better;
        }
        worst = line.broken_by(best);
    }
    best
}
