//! The velocity that each agent would like to have.

use super::{Aim, CHUNK};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, pace};
use throng_spatial::simd::prefetch;

/// Nearer to the end than this (m), an agent does not look aside for a way round others.
const NEAR_END: f32 = 2.0;

/// Nor in so many ticks before it is in reach of its enemy: in long ticks it would go round and round it.
const LAST_TICKS: f32 = 10.0;

/// How many rows ahead aims are fetched: they lie at the slots, in no order.
const AHEAD: usize = 12;

/// How fast an agent goes.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// On level ground (m/s).
    pub likes: f32,
    /// However steep it is downhill (m/s): it has to stop or to turn.
    pub at_most: f32,
}

/// Writes `preferred`, the velocity (m/s) towards the aim at the `speed` of the agent in a slot, slowing down so as not to walk past its
/// point within a tick of `step` seconds; and `wants`, whether the agent has some way to go. On the slopes of `hills` it is slower
/// or faster by [`pace`].
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn steer(
    step: f32,
    hills: Option<&Grid>,
    position: &[Vec2],
    slot: &[u32],
    aim: &[Aim],
    speed: impl Fn(u32) -> Speed + Sync,
    preferred: &mut [Vec2],
    wants: &mut [bool],
) {
    let outputs = preferred.par_chunks_mut(CHUNK).zip(wants.par_chunks_mut(CHUNK));
    let inputs = position.par_chunks(CHUNK).zip(slot.par_chunks(CHUNK));
    outputs.zip(inputs).for_each(|((preferred, wants), (position, slot))| {
        for (i, (preferred, wants)) in preferred.iter_mut().zip(wants).enumerate() {
            if let Some(&slot) = slot.get(i + AHEAD) {
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
