//! The velocity at which each agent would go if it were alone.

use super::Surroundings;
use crate::battle::{Hurry, Unit};
use crate::crowd::stream::{self, Extent, Streams};
use crate::crowd::walls::{HORIZON, along_walls};
use crate::crowd::{AgentId, AgentView, Aim, Avoidance, CHUNK, PIECE, gap};
use rayon::prelude::*;
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Grid, pace};
use throng_spatial::simd::prefetch;

/// Nearer to the end than this (m), an agent does not look aside for a way round others.
const NEAR_END: f32 = 2.0;

/// Nor in so many ticks before it is in reach of its enemy: in long ticks it would go round and round it.
const LAST_TICKS: f32 = 10.0;

/// How many rows ahead aims are fetched: they lie at the slots, in no order.
const PREFETCH_ROWS: usize = 12;

/// How fast an agent goes.
#[derive(Clone, Copy, Debug)]
struct Speed {
    /// On level ground (m/s).
    likes: f32,
    /// However steep it is downhill (m/s): it has to stop or to turn.
    at_most: f32,
}

/// Reads aims and the map; writes the preferred velocities (m/s), towards the aim and along walls, and which agents want to move. Local.
///
/// `extent` is that of the whole crowd, where the view has only a part of it.
pub(super) fn steer(
    around: &Surroundings<'_>,
    view: &AgentView<'_>,
    extent: Option<Extent>,
    streams: &mut Streams,
    (headings, aside): (&mut Vec<Vec2>, &mut [f32]),
    preferred: &mut [Vec2],
    wants: &mut [bool],
) {
    let Surroundings { units, squads, soldiers, slots, speeds, usage, avoidance, schedule, .. } = *around;
    // An agent that flees goes as fast as it can.
    let hurried = squads.iter().any(|squad| squad.order.hurry() != Hurry::Never);
    let runs = |slot: usize| {
        hurried
            && squads.get(slots.squad[slot] as usize).is_some_and(|squad| match squad.order.hurry() {
                Hurry::AtEnemies => slots.follower[slot].charges && soldiers.target(slot) != AgentId::NONE,
                hurry => hurry == Hurry::Always,
            })
    };
    let speed = |kind: &Unit, slot: u32| {
        let fast = soldiers.flees(slot as usize) || runs(slot as usize);
        let own = if speeds.is_empty() { None } else { speeds.get(&slot).copied() };
        let likes = match kind.speed_spread {
            _ if fast => kind.top_speed.max(own.unwrap_or(0.0)),
            _ if own.is_some() => own.unwrap_or(kind.speed),
            0.0 => kind.speed,
            _ => kind.speed_of(around.seed, AgentId { slot, generation: slots.generation[slot as usize] }),
        };
        let at_most = if kind.acceleration < f32::INFINITY { slots.pace[slot as usize] } else { f32::INFINITY };
        Speed { likes, at_most }
    };
    match units {
        // All alike: no unit has to be looked up.
        [only]
            if only.speed_spread == 0.0
                && only.acceleration == f32::INFINITY
                && !hurried
                && speeds.is_empty()
                && !soldiers.any_flees() =>
        {
            let speed = Speed { likes: only.speed, at_most: f32::INFINITY };
            toward_aims(view, &slots.aim, |_| speed, preferred, wants);
        }
        units => {
            let speed = |slot: u32| speed(&units[usize::from(slots.unit[slot as usize])], slot);
            toward_aims(view, &slots.aim, speed, preferred, wants);
        }
    }
    headings.clear();
    if usage.uses(Avoidance::Gap) {
        preferred.par_iter().with_min_len(PIECE).map(|&preferred| unit(preferred)).collect_into_vec(headings);
        // Those that sleep go nowhere.
        headings.resize(view.position.len(), Vec2::ZERO);
    }
    let position = &view.position[..preferred.len()];
    // An agent that has an enemy goes to meet it.
    let walks = |row: usize| wants[row] && soldiers.target(view.slot[row] as usize) == AgentId::NONE;
    let model =
        |row: usize| units[usize::from(slots.unit[view.slot[row] as usize])].avoidance.unwrap_or(avoidance.kind);
    let by_gaps = |row: usize| usage.single() || model(row) == Avoidance::Gap;
    if let Some([least, _]) = usage.people.filter(|_| avoidance.gap.ahead > 0.0) {
        let view = AgentView { heading: headings, ..*view };
        // The share of its speed that each lacks.
        let lacks = |row: usize| {
            1.0 - (view.velocity[row].dot(headings[row]) / preferred[row].length().max(1e-3)).clamp(0.0, 1.0)
        };
        streams.rebuild(
            extent,
            gap::lane_width(least),
            |row| wants[row].then(|| lacks(row)),
            position,
            &headings[..position.len()],
        );
        let looks = |row: usize| schedule.is_due(view.slot[row] as usize) && by_gaps(row);
        gap::look_ahead(&view, streams, (looks, walks), schedule.period() as f32 * view.step, aside);
    }
    let bias = &avoidance.bias;
    // Those that go by gaps have looked.
    if bias.ahead > 0.0 && !(usage.single() && usage.people.is_some()) {
        let leans = |row: usize| walks(row) && !(usage.people.is_some() && by_gaps(row));
        streams.rebuild(extent, bias.cell, |row| leans(row).then_some(1.0), position, preferred);
        streams.smooth();
        stream::lean(bias, streams, leans, position, preferred);
    }
    along_walls(view.grid, view.clearance, HORIZON, position, view.radius, preferred);
}

/// Writes `preferred`, the velocity (m/s) towards the aim at the `speed` of the agent in a slot, slowing down so as not to walk past
/// its point within a tick; and `wants`, whether the agent has some way to go. On slopes it is slower or faster by [`pace`].
fn toward_aims(
    view: &AgentView<'_>,
    aim: &[Aim],
    speed: impl Fn(u32) -> Speed + Sync,
    preferred: &mut [Vec2],
    wants: &mut [bool],
) {
    let step = view.step;
    let hills = view.grid.height_layer().map(|_| view.grid);
    let outputs = preferred.par_chunks_mut(CHUNK).zip(wants.par_chunks_mut(CHUNK));
    let inputs = view.position.par_chunks(CHUNK).zip(view.slot.par_chunks(CHUNK));
    outputs.zip(inputs).for_each(|((preferred, wants), (position, slot))| {
        for (i, (preferred, wants)) in preferred.iter_mut().zip(wants).enumerate() {
            if let Some(&slot) = slot.get(i + PREFETCH_ROWS) {
                prefetch(aim, slot as usize);
            }
            let aim = &aim[slot[i] as usize];
            let speed = speed(slot[i]);
            *preferred = toward(step, hills, position[i], aim, speed);
            let last =
                if aim.stop > 0.0 && aim.stop.is_finite() { aim.stop + LAST_TICKS * step * speed.likes } else { 0.0 };
            let near = NEAR_END.max(last);
            *wants = aim.stop < 0.0 || position[i].distance_squared(aim.point) > near * near;
        }
    });
}

fn toward(step: f32, hills: Option<&Grid>, position: Vec2, aim: &Aim, Speed { likes, at_most }: Speed) -> Vec2 {
    let way = aim.point - position;
    let distance = way.length();
    let left = distance - aim.stop.max(0.0);
    if left <= 0.0 || distance < 1e-6 {
        return Vec2::ZERO;
    }
    let speed = hills.map_or(likes, |hills| likes * pace(hills.slope(position, way / distance)));
    way * (speed.min(at_most).min(left / step) / distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    #[test]
    fn slows_at_the_end() {
        let aim = Aim { stop: 0.5, ..Aim::at(Vec2::new(1.0, 0.0)) };
        let fast = Speed { likes: 2.0, at_most: f32::INFINITY };
        assert_eq!(toward(0.1, None, Vec2::ZERO, &aim, fast), Vec2::new(2.0, 0.0));
        assert_eq!(toward(1.0, None, Vec2::ZERO, &aim, fast), Vec2::new(0.5, 0.0));
        assert_eq!(toward(1.0, None, Vec2::new(0.6, 0.0), &aim, fast), Vec2::ZERO);
        assert_eq!(toward(0.4, None, Vec2::ZERO, &Aim { stop: -1.0, ..aim }, fast), Vec2::new(2.0, 0.0));
        assert_eq!(
            toward(10.0, None, Vec2::ZERO, &Aim { stop: -1.0, ..aim }, fast),
            Vec2::new(0.1, 0.0),
            "not past a turn"
        );
        assert_eq!(toward(0.1, None, Vec2::ZERO, &aim, Speed { at_most: 0.7, ..fast }), Vec2::new(0.7, 0.0));
    }

    #[test]
    fn slower_uphill_and_faster_downhill() {
        let mut grid = Grid::open_plain(Lattice::new(16, 8, 1.0).unwrap());
        for cell in grid.lattice().cells() {
            let (x, _) = grid.lattice().column_row(cell);
            grid.set_height(cell, 5 * x as u16);
        }
        let speed = |x: f32, y: f32| {
            let aim = Aim::past(Vec2::new(x, y));
            let fast = Speed { likes: 2.0, at_most: f32::INFINITY };
            toward(0.1, Some(&grid), Vec2::new(8.0, 4.0), &aim, fast).length()
        };
        for (x, y, slope) in [(15.0, 4.0, 0.05), (1.0, 4.0, -0.05), (8.0, 1.0, 0.0), (11.0, 8.0, 0.03)] {
            assert!((speed(x, y) - 2.0 * pace(slope)).abs() < 1e-4, "to {x}, {y}: {}", speed(x, y));
        }
    }
}
