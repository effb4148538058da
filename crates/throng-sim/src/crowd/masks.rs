//! Masks: agents that others ignore.

use super::CHUNK;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use throng_spatial::Near;

/// Takes the ignored rows from each list of neighbours, and all beyond `k` after that.
///
/// A row ignores another where its `ignores` and the other's `layers` have a bit in common. It then neither avoids it nor
/// is pushed by it; the other does what its own mask says. The remaining rows keep their order. Costs O(k) an agent.
///
/// Lists should be longer than `k` before, or an agent amid others that it ignores sees no neighbour.
pub fn masks(k: usize, layers: impl Fn(usize) -> u64 + Sync, ignores: impl Fn(usize) -> u64 + Sync, near: &mut Near) {
    near.par_stretches(CHUNK).enumerate().for_each(|(chunk, stretch)| {
        let lists = stretch.rows.chunks_mut(stretch.k.max(1));
        for (i, (count, list)) in stretch.count.iter_mut().zip(lists).enumerate() {
            let ignored = ignores(chunk * CHUNK + i);
            let mut kept = usize::from(*count);
            if ignored != 0 {
                kept = 0;
                for place in 0..usize::from(*count) {
                    let other = list[place];
                    if ignored & layers(other as usize) == 0 {
                        list[kept] = other;
                        kept += 1;
                    }
                }
            }
            *count = kept.min(k) as u8;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::neighbours::neighbours;
    use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};

    #[test]
    fn those_that_are_ignored_leave_the_lists() {
        let bodies = Bodies::new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], &[0.5; 3], &[0, 1, 2]);
        let mut index = Index::new(IndexKind::Grid);
        index.rebuild(bodies).unwrap();
        let mut near = Near::default();
        neighbours(&index, bodies, 2, 5.0, &mut near);
        let (layers, ignores) = ([0b01, 0b10, 0b01], [0b10, 0b00, 0b00]);
        masks(2, |row| layers[row], |row| ignores[row], &mut near);
        assert_eq!([near.of(0), near.of(1), near.of(2)], [&[2][..], &[0, 2], &[1, 0]]);
    }
}
