//! What everyone would like to do.

use super::{Aim, CHUNK};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, pace};
use throng_spatial::simd::prefetch;

/// Nearer to the end than this (m), nobody looks aside for a way round others.
const NEAR_END: f32 = 2.0;

/// How many rows ahead aims are fetched: they lie at the slots, in no order.
const AHEAD: usize = 12;

/// Writes `wish`, the velocity (m/s) towards the aim at the `speed` that the agent in a slot likes (m/s), slowing down so as not to walk past
/// its end within a tick of `step` seconds; and `wants`, whether the agent has some way to go. On the slopes of `hills` he
/// is slower or faster by [`pace`].
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn steer(
    step: f32,
    hills: Option<&Grid>,
    position: &[Vec2],
    slot: &[u32],
    aim: &[Aim],
    speed: impl Fn(u32) -> f32 + Sync,
    wish: &mut [Vec2],
    wants: &mut [bool],
) {
    let outputs = wish.par_chunks_mut(CHUNK).zip(wants.par_chunks_mut(CHUNK));
    let inputs = position.par_chunks(CHUNK).zip(slot.par_chunks(CHUNK));
    outputs.zip(inputs).for_each(|((wish, wants), (position, slot))| {
        for (i, (wish, wants)) in wish.iter_mut().zip(wants).enumerate() {
            if let Some(&slot) = slot.get(i + AHEAD) {
                prefetch(aim, slot as usize);
            }
            let aim = &aim[slot[i] as usize];
            *wish = toward(step, hills, position[i], aim, speed(slot[i]));
            *wants = aim.stop < 0.0 || position[i].distance_squared(aim.point) > NEAR_END * NEAR_END;
        }
    });
}

fn toward(step: f32, hills: Option<&Grid>, position: Vec2, aim: &Aim, speed: f32) -> Vec2 {
    let way = aim.point - position;
    let distance = way.length();
    let left = if aim.stop < 0.0 { f32::INFINITY } else { distance - aim.stop };
    if left <= 0.0 || distance < 1e-6 {
        return Vec2::ZERO;
    }
    let speed = hills.map_or(speed, |hills| speed * pace(hills.slope(position, way / distance)));
    way * (speed.min(left / step) / distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    #[test]
    fn slows_at_the_end_and_not_on_the_way() {
        let aim = Aim { point: Vec2::new(1.0, 0.0), stop: 0.5 };
        assert_eq!(toward(0.1, None, Vec2::ZERO, &aim, 2.0), Vec2::new(2.0, 0.0));
        assert_eq!(toward(1.0, None, Vec2::ZERO, &aim, 2.0), Vec2::new(0.5, 0.0));
        assert_eq!(toward(1.0, None, Vec2::new(0.6, 0.0), &aim, 2.0), Vec2::ZERO);
        assert_eq!(toward(10.0, None, Vec2::ZERO, &Aim { stop: -1.0, ..aim }, 2.0), Vec2::new(2.0, 0.0));
    }

    #[test]
    fn slower_uphill_and_faster_downhill() {
        let mut grid = Grid::open_plain(Lattice::new(16, 8, 1.0).unwrap());
        for cell in grid.lattice().cells() {
            let (x, _) = grid.lattice().column_row(cell);
            grid.set_height(cell, 5 * x as u16);
        }
        let speed = |x: f32, y: f32| {
            let aim = Aim { point: Vec2::new(x, y), stop: -1.0 };
            toward(0.1, Some(&grid), Vec2::new(8.0, 4.0), &aim, 2.0).length()
        };
        for (x, y, slope) in [(15.0, 4.0, 0.05), (1.0, 4.0, -0.05), (8.0, 1.0, 0.0), (11.0, 8.0, 0.03)] {
            assert!((speed(x, y) - 2.0 * pace(slope)).abs() < 1e-4, "to {x}, {y}: {}", speed(x, y));
        }
    }
}
