//! Agents make way: those at rest for others that they hold up, all for bodies that are moved from outside, which do not brake.

use super::Surroundings;
use crate::crowd::{AgentSlots, AgentView};
use std::ops::ControlFlow;
use throng_grid::geom::{Vec2, cross};
use throng_grid::walls::{is_clear, slide};
use throng_grid::{Grid, geom};
use throng_spatial::{Index, SpatialIndex};

/// A body slower than this (m/s) is avoided as any other.
const FAST: f32 = 2.0;

/// Agents that it would reach within this time (s) step aside.
const AHEAD_S: f32 = 2.0;

/// They leave it this much more room than its body takes (m).
const MARGIN_M: f32 = 0.3;

/// No agent comes nearer to it in a tick than this (m), but by its own way.
const WALKED_M: f32 = 1.0;

/// An agent that is held up presses those at rest that are so near to its body (m).
pub(crate) const TOUCH_M: f32 = 0.5;

/// They step aside, or ahead of it, at this share of their top speed.
const GIVES_WAY: f32 = 0.5;

/// An agent that a driven body may touch in this tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pressed {
    /// Slot of the driven body.
    pub(super) by: u32,
    /// Slot of the agent.
    pub(super) slot: u32,
}

/// True for an agent at rest that leaves its place for others: it belongs to no squad, and stands where there is no way beside it, as in an
/// alley. In the open, where many want to one place, they would shove without end.
pub(crate) fn may_yield(view: &AgentView<'_>, slots: &AgentSlots, row: usize, passing: f32) -> bool {
    let at = view.grid.lattice().at(view.position[row]);
    slots.squad_of(view.slot[row] as usize).is_none() && view.clearance[at] < view.radius[row] + 2.0 * passing
}

/// Reads agents that others at rest hold up; writes the preferred velocities (m/s) of these: they step aside, or go ahead where there is no
/// room beside them, and push others on before them. Once it has passed they go back to their places. Local.
pub(super) fn let_through(
    around: &Surroundings<'_>,
    view: &AgentView<'_>,
    (index, row_of): (&Index, &[u32]),
    (preferred, wants): (&mut [Vec2], &mut [bool]),
) {
    let awake = preferred.len();
    let bodies = throng_spatial::Bodies::new(
        bytemuck::cast_slice(&view.position[..awake]),
        &view.radius[..awake],
        &view.slot[..awake],
    );
    let mut found = Vec::new();
    for &slot in around.pressing {
        let row = row_of[slot as usize] as usize;
        if row >= awake || !wants[row] || around.slots.rest[slot as usize].lingers == 0 {
            continue;
        }
        let way = geom::unit(around.slots.aim[slot as usize].point - view.position[row]);
        let mut passing = vec![row];
        while let Some(row) = passing.pop() {
            let (at, radius) = (view.position[row], view.radius[row]);
            found.clear();
            let _ = index.within(bodies, at.to_array(), radius + around.widest + TOUCH_M, |other, _| {
                found.push((view.slot[other as usize], other as usize));
                ControlFlow::Continue(())
            });
            found.sort_unstable();
            for &(slot, other) in &found {
                let apart = view.position[other] - at;
                let (aside, room) = (cross(way, apart), radius + view.radius[other]);
                let is_before = apart.dot(way) > 0.0 && aside.abs() < room && apart.length() < room + TOUCH_M;
                let stays = wants[other] || around.driven.contains_key(&slot);
                if !is_before || stays || !may_yield(view, around.slots, other, radius) {
                    continue;
                }
                let away = if aside < 0.0 { -way.perp() } else { way.perp() };
                let fits = |to: Vec2| {
                    is_clear(view.grid, view.position[other] + to * (room - aside.abs()), view.radius[other])
                };
                let to = [away, -away].into_iter().find(|&to| fits(to)).unwrap_or(way);
                preferred[other] = to * (GIVES_WAY * view.top_speed[other]);
                wants[other] = true;
                passing.push(other);
            }
        }
    }
}

/// Reads driven bodies; writes the preferred velocities (m/s) of agents on the way of fast ones, which step aside, and notes all
/// agents that one may touch. Local.
pub(super) fn step_aside(
    around: &Surroundings<'_>,
    view: &AgentView<'_>,
    index: &Index,
    (preferred, wants): (&mut [Vec2], &mut [bool]),
    pressed: &mut Vec<Pressed>,
) {
    pressed.clear();
    let awake = preferred.len();
    let bodies = throng_spatial::Bodies::new(
        bytemuck::cast_slice(&view.position[..awake]),
        &view.radius[..awake],
        &view.slot[..awake],
    );
    for driven in around.driven.values() {
        let (speed, wide) = (driven.velocity.length(), driven.radius);
        let ahead = if speed > FAST { AHEAD_S * speed } else { 0.0 };
        let towards = geom::unit(driven.velocity);
        let middle = driven.position + towards * (0.5 * ahead);
        let reach = 0.5 * ahead + wide + around.widest + MARGIN_M + WALKED_M + speed * around.step;
        let _ = index.within(bodies, middle.to_array(), reach, |other, _| {
            let other = other as usize;
            if view.slot[other] == driven.id.slot {
                return ControlFlow::Continue(());
            }
            pressed.push(Pressed { by: driven.id.slot, slot: view.slot[other] });
            let apart = view.position[other] - driven.position;
            let (along, aside) = (apart.dot(towards), cross(towards, apart));
            let room = wide + view.radius[other] + MARGIN_M;
            if ahead > 0.0 && (-room..=ahead).contains(&along) && aside.abs() < room {
                let away = if aside < 0.0 { -towards.perp() } else { towards.perp() };
                preferred[other] = away * view.top_speed[other];
                wants[other] = true;
            }
            ControlFlow::Continue(())
        });
    }
    pressed.sort_unstable();
}

/// Moves an agent out of a driven body: straight away from its middle, or along it where a wall is there (all m).
pub(super) fn pushed_out(grid: &Grid, (at, radius): (Vec2, f32), (by, wide): (Vec2, f32)) -> Vec2 {
    let overlap = |at: Vec2| radius + wide - at.distance(by);
    if overlap(at) <= 0.0 {
        return at;
    }
    let out = if at == by { Vec2::X } else { geom::unit(at - by) };
    let goes = |way: Vec2| slide(grid, grid.clearance(), at, way, radius);
    let ways = [out, out + out.perp(), out - out.perp(), out.perp(), -out.perp()];
    let places = ways.map(|way| goes(geom::unit(way) * overlap(at) * if way == out { 1.0 } else { 2.0 }));
    let mut best = places[0];
    for place in places {
        if overlap(best) <= 1e-3 {
            break;
        }
        if overlap(place) < overlap(best) {
            best = place;
        }
    }
    best
}
