//! The same, one agent at a time: what the lanes are tested against.

use super::Orca;
use super::planes::planes;
use super::program::PARALLEL;
use super::walls::{Around, Line, WALLS};
use crate::crowd::AgentView;
use crate::crowd::gap::GapRows;
use throng_grid::geom::{Vec2, clamp_length, cross, unit};
use throng_spatial::Near;

impl Line {
    /// How far a velocity is on the wrong side of the border; negative where it is permitted.
    #[inline]
    fn broken_by(&self, velocity: Vec2) -> f32 {
        cross(self.direction, self.point - velocity)
    }
}

/// The target of a linear program inside the half-planes and the circle of the greatest speed.
#[derive(Clone, Copy)]
enum Aim {
    /// The velocity nearest to this one.
    Nearest(Vec2),
    /// The velocity that is furthest in this direction (of length 1).
    Furthest(Vec2),
}

pub(super) fn orca(params: Orca, gap: Option<&GapRows<'_>>, view: &AgentView<'_>, new_velocity: &mut [Vec2]) {
    let mut lines = Vec::new();
    let mut around = Around::default();
    for (row, velocity) in new_velocity.iter_mut().enumerate() {
        let walls = planes(params, gap, view, row, view.near.of(row), &mut around, &mut lines);
        *velocity = solve(&lines, walls, view.top_speed[row], view.preferred_velocity[row]);
    }
}

/// The permitted velocity nearest to `preferred`, or the one that breaks the lines least.
fn solve(lines: &[Line], walls: usize, top_speed: f32, preferred: Vec2) -> Vec2 {
    match linear_program_2(lines, top_speed, Aim::Nearest(preferred)) {
        Ok(velocity) => velocity,
        Err((failed, velocity)) => linear_program_3(lines, walls, failed, top_speed, velocity),
    }
}

/// The best velocity on line `i` that no earlier line forbids, or `None`.
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
        Aim::Nearest(preferred) => direction.dot(preferred - point).max(low).min(high),
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
        Aim::Nearest(preferred) => clamp_length(preferred, top_speed),
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
/// best one that keeps the lines before `first`. Those of `walls` come first and are kept as they are.
fn linear_program_3(lines: &[Line], walls: usize, first: usize, top_speed: f32, mut best: Vec2) -> Vec2 {
    let mut projected = [Line::default(); WALLS + Near::MAX_K];
    projected[..walls].copy_from_slice(&lines[..walls]);
    let mut worst = 0.0;
    for (i, line) in lines.iter().enumerate().skip(first.max(walls)) {
        if line.broken_by(best) <= worst {
            continue;
        }
        // A velocity that breaks line i more than an earlier one lies beyond their bisector.
        let mut count = walls;
        for earlier in &lines[walls..i] {
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
