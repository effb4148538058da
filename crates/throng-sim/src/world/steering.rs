//! The velocity at which each agent would go if it were alone.

use super::Settings;
use super::parts::{Scratch, State};
use crate::battle::{Order, Unit};
use crate::crowd::walls::{HORIZON, along_walls};
use crate::crowd::{self, AgentId, Speed};
use throng_grid::Grid;

/// Reads aims and the map; writes the preferred velocities, towards the aim and along walls. Local.
pub(super) fn steer(settings: &Settings, grid: &Grid, scratch: &mut Scratch, state: &mut State) {
    let (crowd, avoidance) = (&mut state.crowd, &settings.avoidance);
    let step = settings.step;
    let awake = ..crowd.awake();
    scratch.wants.clear();
    scratch.wants.resize(crowd.len(), false);
    let hills = grid.height_layer().map(|_| grid);
    let (position, preferred) = (&crowd.rows.position[awake], &mut crowd.rows.preferred_velocity[awake]);
    let (slot, aim, pace, wants) =
        (&crowd.rows.slot[awake], &crowd.slots.aim, &crowd.slots.pace, &mut scratch.wants[awake]);
    let (unit, soldiers) = (&crowd.slots.unit, &state.soldiers);
    let (seed, generation) = (settings.seed, &crowd.slots.generation);
    // An agent that flees goes as fast as it can.
    let hurries = |order: Order| matches!(order, Order::Charge | Order::Flee);
    let hurried = state.squads.iter().any(|squad| hurries(squad.order));
    let flees = soldiers.any_flees();
    let runs = |slot: usize| {
        hurried
            && state.squads.get(crowd.slots.squad[slot] as usize).is_some_and(|squad| match squad.order {
                Order::Charge => crowd.slots.follower[slot].charges && soldiers.target(slot) != AgentId::NONE,
                order => hurries(order),
            })
    };
    let speed = |kind: &Unit, slot: u32| {
        let fast = soldiers.flees(slot as usize) || runs(slot as usize);
        let likes = match kind.speed_spread {
            _ if fast => kind.top_speed,
            0.0 => kind.speed,
            _ => kind.speed_of(seed, AgentId { slot, generation: generation[slot as usize] }),
        };
        Speed { likes, at_most: if kind.acceleration < f32::INFINITY { pace[slot as usize] } else { f32::INFINITY } }
    };
    match &state.units[..] {
        // All alike: no unit has to be looked up.
        [only] if only.speed_spread == 0.0 && only.acceleration == f32::INFINITY && !hurried && !flees => {
            let speed = Speed { likes: only.speed, at_most: f32::INFINITY };
            crowd::steer(step, hills, position, slot, aim, |_| speed, preferred, wants);
        }
        units => {
            let speed = |slot: u32| speed(&units[usize::from(unit[slot as usize])], slot);
            crowd::steer(step, hills, position, slot, aim, speed, preferred, wants);
        }
    }
    if avoidance.bias.ahead > 0.0 {
        // An agent that has an enemy goes to meet it.
        let (wants, slot) = (&scratch.wants, &crowd.rows.slot);
        let calm = |row: usize| state.soldiers.target(slot[row] as usize) == AgentId::NONE;
        let walks = |row: usize| wants[row] && calm(row);
        scratch.streams.rebuild_within(scratch.extent, &avoidance.bias, walks, position, preferred);
        crowd::stream::lean(&avoidance.bias, &scratch.streams, walks, position, preferred);
    }
    along_walls(grid, grid.clearance(), HORIZON, position, &crowd.rows.radius[awake], preferred);
}
