//! Pushing overlapping bodies apart.

use super::AgentView;
use super::apart::apart;
use super::simd_batch::{BATCH_AGENTS, Lists, Vectors, alike, batch_of};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::Vec2;
use throng_spatial::Near;
use throng_spatial::simd::{Kernel, LANES, Lanes, Level};

/// Over-relaxation of the averaged pushes: more resolves the overlaps of dense crowds sooner, until bodies that touch
/// two others leap too far.
const RELAXATION: f32 = 2.2;

/// Writes `pushed`: the displacement (m), at most `cap` long, that takes each body out of those it overlaps.
///
/// Each of two overlapping bodies goes the share of the other's `weight` in both of the way, half of it where they are
/// equal; a body that overlaps several takes the mean of the pushes, times
/// 2.2 (averaged Jacobi iteration with over-relaxation). Reads only positions, so the order of the rows and the number
/// of threads do not matter. Bodies on one point part in a direction made from their ids, `slot`.
///
/// The lists of neighbours must hold those that may overlap; those further away are ignored. Costs O(neighbours).
///
/// ```
/// use throng_sim::crowd::{AgentColumns, AgentView, push::push};
/// use throng_sim::walk::neighbours::neighbours;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let position = [Vec2::new(0.0, 0.0), Vec2::new(0.6, 0.0)];
/// let (radius, slot) = ([0.5, 0.5], [0, 1]);
/// let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 5.0, &mut near);
/// let mut pushed = [Vec2::ZERO; 2];
/// let (grid, still) = (Grid::open_plain(Lattice::new(8, 8, 1.0)?), [Vec2::ZERO; 2]);
/// let columns = AgentColumns {
///     position: &position,
///     velocity: &still,
///     preferred_velocity: &still,
///     radius: &radius,
///     top_speed: &[2.0; 2],
///     weight: &[1.0; 2],
///     progress: &[1.0; 2],
///     slot: &slot,
/// };
/// push(1.0, &AgentView::new(0.1, &grid, &clearance(&grid), columns, &near)?, &mut pushed);
/// assert!((pushed[0].x + 0.2).abs() < 1e-6 && (pushed[1].x - 0.2).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn push(cap: f32, view: &AgentView<'_>, pushed: &mut [Vec2]) {
    let AgentView { radius, weight, slot, near, .. } = *view;
    let position = bytemuck::cast_slice(view.position);
    let alike = alike(radius) && alike(weight);
    push_at(Level::detect(), Columns { cap, position, radius, weight, slot, alike }, near, pushed);
}

fn push_at(level: Level, columns: Columns, near: &Near, pushed: &mut [Vec2]) {
    assert!(pushed.len() <= columns.position.len(), "more is written than there are rows");
    pushed.par_chunks_mut(BATCH_AGENTS).enumerate().for_each(|(batch, pushed)| {
        let first = batch * BATCH_AGENTS;
        let pushed = bytemuck::cast_slice_mut(pushed);
        // Room is set up for each batch, so it is no larger than need be.
        if near.k() <= 16 {
            level.run(Batch::<16> { columns, near, first, pushed });
        } else {
            level.run(Batch::<{ Near::MAX_K }> { columns, near, first, pushed });
        }
    });
}

#[derive(Clone, Copy)]
struct Columns<'a> {
    cap: f32,
    position: &'a [[f32; 2]],
    radius: &'a [f32],
    weight: &'a [f32],
    slot: &'a [u32],
    /// All have the same radius and the same weight.
    alike: bool,
}

/// Pushes a batch of bodies, from row `first` on.
struct Batch<'a, const K: usize> {
    columns: Columns<'a>,
    near: &'a Near,
    first: usize,
    pushed: &'a mut [[f32; 2]],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const K: usize> Kernel for Batch<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { columns, near, mut first, pushed } = self;
        let Columns { cap, position, radius: radii, weight: weights, slot, alike } = columns;
        let mut lists = Lists::<K>::new();
        let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
        for pushed in pushed.chunks_mut(LANES) {
            let len = pushed.len();
            lists.fill(lanes, near, first, len);
            let (x, y) = lanes.split(&batch_of(position, first, len));
            let own = Vectors::<L> { x, y };
            let own_radius = lanes.load(&batch_of(radii, first, len));
            let own_weight = lanes.load(&batch_of(weights, first, len));
            let mut reach = own_radius + own_radius;
            let mut share = lanes.splat(0.5);
            let (mut sum, mut count) = (Vectors { x: zero, y: zero }, zero);
            for (rows, &has) in lists.rows.iter().zip(&lists.has).take(lists.len) {
                let (x, y) = lanes.gather_points(position, rows);
                let away = own - Vectors { x, y };
                let squared = away.dot(away);
                if !alike {
                    reach = own_radius + lanes.gather(radii, rows);
                    let weight = lanes.gather(weights, rows);
                    share = weight / (own_weight + weight);
                }
                let touches = lanes.mask(has) & lanes.less(squared, reach * reach);
                if lanes.bits(touches) == 0 {
                    continue;
                }
                let distance = lanes.sqrt(squared);
                let mut normal = away / distance;
                let undefined = lanes.bits(touches & !lanes.less(lanes.splat(1e-6), distance));
                if undefined != 0 {
                    let mut normals = normal.store(lanes);
                    turn_apart(slot, first, rows, undefined, &mut normals);
                    normal = Vectors::load(lanes, &normals);
                }
                let way = share * (reach - distance);
                sum = (sum + normal * way).or(lanes, touches, sum);
                count = lanes.select(touches, count + one, count);
            }
            let mean = sum * (lanes.splat(RELAXATION) / count);
            let sum = mean.or(lanes, lanes.less(one, count), sum).clamp_length(lanes, lanes.splat(cap));
            let [x, y] = sum.store(lanes);
            for (pushed, (x, y)) in pushed.iter_mut().zip(x.into_iter().zip(y)) {
                *pushed = [x, y];
            }
            first += LANES;
        }
    }
}

/// Directions for bodies on one point.
#[cold]
fn turn_apart(slot: &[u32], first: usize, rows: &[u32; LANES], undefined: u16, normals: &mut [[f32; LANES]; 2]) {
    for lane in (0..LANES).filter(|lane| undefined >> lane & 1 == 1) {
        let normal = apart(slot[first + lane], slot[rows[lane] as usize]);
        (normals[0][lane], normals[1][lane]) = (normal.x, normal.y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::neighbours::neighbours;
    use proptest::prelude::*;
    use throng_grid::geom::clamp_length;
    use throng_spatial::{Bodies, Index, IndexKind, SpatialIndex};

    /// One body at a time.
    fn push_one(columns: Columns, row: usize, near: &Near) -> Vec2 {
        let Columns { cap, radius, weight, slot, .. } = columns;
        let position: &[Vec2] = bytemuck::cast_slice(columns.position);
        let (mut sum, mut count) = (Vec2::ZERO, 0_u32);
        for &other in near.of(row) {
            let other = other as usize;
            let away = position[row] - position[other];
            let squared = away.length_squared();
            let reach = radius[row] + radius[other];
            if squared < reach * reach {
                let distance = squared.sqrt();
                let normal = if distance > 1e-6 { away / distance } else { apart(slot[row], slot[other]) };
                let share = weight[other] / (weight[row] + weight[other]);
                sum += normal * (share * (reach - distance));
                count += 1;
            }
        }
        if count > 1 {
            sum *= RELAXATION / count as f32;
        }
        clamp_length(sum, cap)
    }

    proptest! {
        #[test]
        fn lanes_have_the_bits_of_one_body(
            bodies in prop::collection::vec((0.0..6.0_f32, 0.0..6.0_f32, 0.25..0.9_f32, 1.0..90.0_f32), 0..80),
            alike: bool,
            k in prop::sample::select(vec![0_usize, 3, 10, 20]),
            cap in prop::sample::select(vec![0.05_f32, 1.0]),
        ) {
            let mut position: Vec<Vec2> = bodies.iter().map(|&(x, y, ..)| Vec2::new(x, y)).collect();
            for i in (1..bodies.len()).step_by(6) {
                position[i] = position[i - 1];
            }
            let radius: Vec<f32> = bodies.iter().map(|&(_, _, radius, _)| if alike { 0.5 } else { radius }).collect();
            let weight: Vec<f32> = bodies.iter().map(|&(.., weight)| if alike { 80.0 } else { weight }).collect();
            let slot: Vec<u32> = (0..bodies.len() as u32).rev().collect();
            let mut index = Index::new(IndexKind::Grid);
            let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
            index.rebuild(bodies).unwrap();
            let mut near = Near::default();
            neighbours(&index, bodies, k, 3.0, &mut near);
            let bits = |p: Vec2| [p.x.to_bits(), p.y.to_bits()];
            let columns = Columns {
                cap,
                position: bytemuck::cast_slice(&position),
                radius: &radius,
                weight: &weight,
                slot: &slot,
                alike,
            };
            let one = |row| bits(push_one(columns, row, &near));
            let expected: Vec<_> = (0..position.len()).map(one).collect();
            for level in Level::available() {
                let mut pushed = vec![Vec2::NAN; position.len()];
                push_at(level, columns, &near, &mut pushed);
                let pushed: Vec<_> = pushed.into_iter().map(bits).collect();
                prop_assert_eq!(&pushed, &expected, "{:?}", level);
            }
        }
    }
}
