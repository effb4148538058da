//! Pushing overlapping bodies apart.

use super::CHUNK;
use super::apart::apart;
use crate::geom::{Vec2, clamp_length};
use crate::spatial::Near;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Over-relaxation of the averaged pushes: more resolves the overlaps of dense crowds sooner, until bodies that touch
/// two others leap too far.
const RELAXATION: f32 = 2.2;

/// Writes `pushed`: the displacement (m), at most `cap` long, that takes each body out of those it overlaps.
///
/// Each of two overlapping bodies goes half the way; a body that overlaps several takes the mean of the pushes, times
/// 2.2 (averaged Jacobi iteration with over-relaxation). Reads only `position`, so the order of the rows and the number
/// of threads do not matter. Bodies on one point part in a direction made from their ids, `slot`.
///
/// `near` must hold the neighbours that may overlap; those further away are ignored. Costs O(neighbours).
///
/// ```
/// use throng::crowd::{neighbours::neighbours, push::push};
/// use throng::geom::Vec2;
/// use throng::spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let position = [Vec2::new(0.0, 0.0), Vec2::new(0.6, 0.0)];
/// let (radius, slot) = ([0.5, 0.5], [0, 1]);
/// let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 5.0, &mut near);
/// let mut pushed = [Vec2::ZERO; 2];
/// push(1.0, &position, &radius, &slot, &near, &mut pushed);
/// assert!((pushed[0].x + 0.2).abs() < 1e-6 && (pushed[1].x - 0.2).abs() < 1e-6);
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
pub fn push(cap: f32, position: &[Vec2], radius: &[f32], slot: &[u32], near: &Near, pushed: &mut [Vec2]) {
    pushed.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, pushed)| {
        for (i, pushed) in pushed.iter_mut().enumerate() {
            let row = chunk * CHUNK + i;
            let (mut sum, mut count) = (Vec2::ZERO, 0_u32);
            for &other in near.of(row) {
                let other = other as usize;
                let away = position[row] - position[other];
                let squared = away.length_squared();
                let reach = radius[row] + radius[other];
                if squared < reach * reach {
                    let distance = squared.sqrt();
                    let normal = if distance > 1e-6 { away / distance } else { apart(slot[row], slot[other]) };
                    sum += normal * (0.5 * (reach - distance));
                    count += 1;
                }
            }
            if count > 1 {
                sum *= RELAXATION / count as f32;
            }
            *pushed = clamp_length(sum, cap);
        }
    });
}
