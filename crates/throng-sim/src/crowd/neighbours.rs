//! Lists of neighbours.

use super::CHUNK;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use throng_spatial::{Bodies, Index, Near, SpatialIndex};

/// Writes `near`: for each body its `k` nearest others (at most [`Near::MAX_K`]) nearer than `reach` (m), sorted by
/// distance, then id.
///
/// Runs on the threads of the current rayon pool; the lists do not depend on how many there are, nor on the kind of
/// index. `index` must be built of `bodies`.
///
/// ```
/// use throng_sim::crowd::neighbours::neighbours;
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [2.0, 0.0], [3.0, 0.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 2.5, &mut near);
/// assert_eq!(near.of(1), [2, 0]);
/// assert_eq!(near.of(0), [1]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
pub fn neighbours(index: &Index, bodies: Bodies<2>, k: usize, reach: f32, near: &mut Near) {
    near.reset(bodies.len(), k.min(Near::MAX_K));
    near.par_stretches(CHUNK)
        .enumerate()
        .for_each(|(chunk, stretch)| index.neighbours(bodies, chunk * CHUNK, reach, stretch));
}
