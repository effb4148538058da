//! Soldiers as they are seen: each agent becomes a figure with a direction and a pose.
//!
//! All of it follows from what a recording keeps: time, numbers, places, directions and actions of the agents. So a replay, a film
//! and the window show the same figures.

mod agents;
mod strides;

pub use agents::Agents;
pub use strides::Strides;

use crate::noise::lattice;
use crate::sprite::{Pose, direction_of};
use throng_grid::geom::Vec2;
use throng_sim::battle::{Action, Look};
use throng_sim::world::{ArmyId, SquadId};

/// One agent as it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The point of the ground between its feet (m).
    pub foot: Vec2,
    /// Its id.
    pub id: u32,
    /// Its look.
    pub look: Look,
    /// Its direction: 0 = east, clockwise, 16 to a turn.
    pub direction: u8,
    /// Its pose.
    pub pose: Pose,
    /// Its army.
    pub army: ArmyId,
    /// Its speed (m/s).
    pub speed: f32,
}

/// Agents faster than this walk, others stand (m/s).
const WALKING: f32 = 0.45;

/// The figures of the agents, row by row. O(agents).
///
/// They do what their [`Action`]s say; without one they walk or stand. Of each squad on foot, the agent with the lowest id is its
/// leader.
pub fn figures(agents: &Agents, strides: &mut Strides, out: &mut Vec<Figure>) {
    let leaders = leaders(agents);
    strides.step(agents);
    out.clear();
    out.reserve(agents.id.len());
    for row in 0..agents.id.len() {
        let (id, foot, army) = (agents.id[row], agents.position[row], agents.army[row]);
        let mut look = agents.look(row);
        let (speed, heading) = (strides.speed(id), agents.heading[row]);
        let pose = match agents.action.get(row) {
            Some(Action::Strike) => Pose::strike(swing(agents.time, id)),
            Some(Action::Shoot) => Pose::shoot(draw(agents.time, id)),
            _ => walk_or_stand(foot, heading, speed, id),
        };
        let squad = agents.squad.get(row).copied().flatten();
        let leads = squad.and_then(|squad| leaders.get(squad.index())) == Some(&id);
        if leads && matches!(look, Look::Swordsman | Look::Spearman) {
            look = Look::Leader;
        }
        out.push(Figure { foot, id, look, direction: direction_of(heading), pose, army, speed });
    }
}

/// The lowest id of each squad.
fn leaders(agents: &Agents) -> Vec<u32> {
    let mut leaders = Vec::new();
    for (&id, squad) in agents.id.iter().zip(agents.squad) {
        let Some(squad) = squad.map(SquadId::index) else { continue };
        if leaders.len() <= squad {
            leaders.resize(squad + 1, u32::MAX);
        }
        leaders[squad] = leaders[squad].min(id);
    }
    leaders
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

/// The picture of a stroke: all of them in one second.
fn swing(time: f64, id: u32) -> usize {
    picture(time, id, Pose::STRIKES)
}

/// The picture of a shot: all of them in four seconds.
fn draw(time: f64, id: u32) -> usize {
    picture(time * 0.25, id, Pose::SHOTS)
}

/// Which of some pictures is shown, where all of them take one unit of time.
fn picture(time: f64, id: u32, pictures: usize) -> usize {
    let share = (time + f64::from(own(id))).rem_euclid(1.0);
    ((share * pictures as f64) as usize).min(pictures - 1)
}

#[cfg(test)]
mod tests;
