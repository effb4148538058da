//! `dodgy_2d`: a call an agent, the memory for its neighbours used again.

use super::clock::now;
use super::{HORIZON, RADIUS, SPEEDS, STEP};
use dodgy_2d::{Agent, AvoidanceOptions};
use std::borrow::Cow;
use std::ops::Range;
use throng::geom::{Vec2, cross};
use throng::spatial::Near;

/// Agents whose neighbours are written down at a time, without the clock.
const BLOCK: usize = 512;

/// The agents in the form of `dodgy_2d`, which is made without the clock.
pub struct Peer {
    agents: Vec<Agent>,
    wish: Vec<dodgy_2d::Vec2>,
    options: AvoidanceOptions,
}

impl Peer {
    pub fn new(position: &[Vec2], velocity: &[Vec2], wish: &[Vec2]) -> Self {
        let agent = |(&position, &velocity): (&Vec2, &Vec2)| Agent {
            position: theirs(position),
            velocity: theirs(velocity),
            radius: RADIUS,
            avoidance_responsibility: 1.0,
        };
        Self {
            agents: position.iter().zip(velocity).map(agent).collect(),
            wish: wish.iter().copied().map(theirs).collect(),
            options: AvoidanceOptions { obstacle_margin: RADIUS, time_horizon: HORIZON, obstacle_time_horizon: 1.0 },
        }
    }

    /// Solves as it does by itself; says how long it took (ns).
    pub fn solve_its_own(&self, near: &Near, next: &mut [Vec2]) -> f64 {
        let start = now();
        let mut around = Vec::new();
        for (row, next) in next.iter_mut().enumerate() {
            around.clear();
            around.extend(near.of(row).iter().map(|&other| Cow::Borrowed(&self.agents[other as usize])));
            *next = self.solve(row, &around);
        }
        now() - start
    }

    /// Solves with the half-planes of the paper; says how long it took (ns).
    pub fn solve_the_same(&self, near: &Near, next: &mut [Vec2]) -> f64 {
        let mut time = 0.0;
        let (mut seen, mut ranges): (Vec<Agent>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for (block, next) in next.chunks_mut(BLOCK).enumerate() {
            let first = block * BLOCK;
            seen.clear();
            ranges.clear();
            for row in first..first + next.len() {
                let begin = seen.len();
                seen.extend(near.of(row).iter().map(|&other| seen_by(&self.agents[row], &self.agents[other as usize])));
                ranges.push(begin..seen.len());
            }
            let start = now();
            let mut around = Vec::new();
            for (i, next) in next.iter_mut().enumerate() {
                around.clear();
                around.extend(seen[ranges[i].clone()].iter().map(Cow::Borrowed));
                *next = self.solve(first + i, &around);
            }
            time += now() - start;
        }
        time
    }

    #[inline]
    fn solve(&self, row: usize, around: &[Cow<'_, Agent>]) -> Vec2 {
        let found =
            self.agents[row].compute_avoiding_velocity(around, &[], self.wish[row], SPEEDS[1], STEP, &self.options);
        ours(found)
    }
}

/// The neighbour with a velocity for which `dodgy_2d` makes the half-plane that the paper makes for its real one.
///
/// On course for a collision both have the change u halved. Off it `dodgy_2d` goes all the way u to the border of the
/// velocity obstacle and the paper half of it; so the relative velocity is moved half of the way beforehand.
fn seen_by(own: &Agent, other: &Agent) -> Agent {
    let to = ours(other.position - own.position);
    let approach = ours(own.velocity - other.velocity);
    let mut other = other.clone();
    if let Some(change) = to_the_border(to, approach, own.radius + other.radius) {
        other.velocity -= theirs(change * 0.5);
    }
    other
}

/// The shortest way from a relative velocity outside of the velocity obstacle to its border; `None` inside.
fn to_the_border(to: Vec2, approach: Vec2, radius: f32) -> Option<Vec2> {
    let squared = to.length_squared();
    if squared <= radius * radius {
        return None;
    }
    let w = approach - to / HORIZON;
    let along = w.dot(to);
    if along < 0.0 && along * along > radius * radius * w.length_squared() {
        let (length, disc) = (w.length(), radius / HORIZON);
        return (length >= disc).then(|| w * (disc / length - 1.0));
    }
    let side = if cross(to, w) > 0.0 { 1.0 } else { -1.0 };
    let leg = (squared - radius * radius).sqrt();
    let out = Vec2::new(-to.x * radius - side * to.y * leg, -to.y * radius + side * to.x * leg) / squared;
    let beyond = approach.dot(out);
    (beyond > 0.0).then(|| -out * beyond)
}

fn theirs(v: Vec2) -> dodgy_2d::Vec2 {
    dodgy_2d::Vec2::new(v.x, v.y)
}

fn ours(v: dodgy_2d::Vec2) -> Vec2 {
    Vec2::new(v.x, v.y)
}
