//! Soldiers as they are seen: each agent becomes a figure with a direction and a pose.
//!
//! All of it follows from what a recording keeps: time, numbers, places and directions of the agents. So a replay, a film
//! and the window show the same figures.

mod nearby;
mod strides;

pub use strides::Strides;

use crate::noise::lattice;
use crate::sprite::{Kind, Pose, direction_of};
use nearby::Nearby;
use throng_grid::geom::{Vec2, unit};

/// The agents of one moment: a row each, in any order.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    /// Simulated time (s).
    pub time: f64,
    /// Which agent; constant over its life.
    pub id: &'a [u32],
    /// Centres (m).
    pub position: &'a [Vec2],
    /// Unit vectors of where they look.
    pub heading: &'a [Vec2],
    /// Their armies.
    pub army: &'a [u8],
    /// Their units: indices into `kinds`.
    pub unit: &'a [u16],
    /// The kind of figure of each unit.
    pub kinds: &'a [Kind],
    /// For each army a bit for every army that it fights.
    pub enemies: &'a [u16],
}

/// One agent as it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The point of the ground between its feet (m).
    pub foot: Vec2,
    /// Which agent.
    pub id: u32,
    /// Its kind.
    pub kind: Kind,
    /// Its direction: 0 = east, clockwise, 16 to a turn.
    pub direction: u8,
    /// Its pose.
    pub pose: Pose,
    /// Its army.
    pub army: u8,
    /// Its speed (m/s).
    pub speed: f32,
}

/// Agents faster than this walk, others stand (m/s).
const WALKING: f32 = 0.45;

/// An archer without an enemy this near cheers on nobody and shoots at nothing (m).
const SHOOTING: f32 = 80.0;

/// The figures of the agents, row by row. O(agents).
///
/// An agent with an enemy within reach of its weapon strikes at the nearest. An archer that stands and has an enemy within
/// 80 m shoots. All others walk or stand.
pub fn figures(agents: &Agents, strides: &mut Strides, out: &mut Vec<Figure>) {
    let nearby = Nearby::of(agents);
    strides.step(agents);
    out.clear();
    for row in 0..agents.id.len() {
        let (id, foot, army) = (agents.id[row], agents.position[row], agents.army[row]);
        let kind = agents.kinds.get(usize::from(agents.unit[row])).copied().unwrap_or(Kind::Swordsman);
        let speed = strides.speed(id);
        let mut heading = agents.heading[row];
        let pose = if kind == Kind::Civilian {
            walk_or_stand(foot, heading, speed, id)
        } else if let Some(enemy) = nearby.enemy(agents, foot, army, kind.reach()) {
            heading = unit(enemy - foot);
            Pose::strike(swing(agents.time, id))
        } else if kind == Kind::Archer && speed < WALKING && nearby.is_enemy_within(agents, foot, army, SHOOTING) {
            Pose::shoot(draw(agents.time, id))
        } else {
            walk_or_stand(foot, heading, speed, id)
        };
        out.push(Figure { foot, id, kind, direction: direction_of(heading), pose, army, speed });
    }
}

fn walk_or_stand(foot: Vec2, heading: Vec2, speed: f32, id: u32) -> Pose {
    if speed <= WALKING {
        return Pose::STAND;
    }
    // The way along the heading grows with every step, and needs no memory.
    Pose::walk(foot.dot(heading) / STRIDE + own(id))
}

/// Way of two steps (m).
const STRIDE: f32 = 1.5;

/// A number of 0 to 1 that tells agents apart.
fn own(id: u32) -> f32 {
    lattice(id as i32, 17, 90)
}

/// How far a stroke is, 0 to 1: one a second.
fn swing(time: f64, id: u32) -> f32 {
    ((time + f64::from(own(id))) % 1.0) as f32
}

/// How far a shot is, 0 to 1: one in four seconds.
fn draw(time: f64, id: u32) -> f32 {
    ((time * 0.25 + f64::from(own(id))) % 1.0) as f32
}
