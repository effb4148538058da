//! The lists of neighbours that an index answers with.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Lists of neighbours, one a row, with room for `k` in each.
///
/// See [`NearRows`].
#[derive(Clone, Debug, Default)]
pub struct Near {
    k: usize,
    count: Vec<u8>,
    rows: Vec<u32>,
}

/// A stretch of the lists of a [`Near`], to be filled by one thread.
///
/// ```
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 0.0], [1.0, 0.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = Index::new(IndexKind::KdTree);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// near.reset(bodies.len(), 2);
/// for (i, rows) in near.stretches(2).enumerate() {
///     index.neighbours(bodies, 2 * i, 2.5, rows);
/// }
/// assert_eq!([near.of(0), near.of(1), near.of(2)], [&[2][..], &[2], &[0, 1]]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Debug)]
pub struct NearRows<'a> {
    /// The most neighbours of one body, at most [`Near::MAX_K`].
    pub k: usize,
    /// How many neighbours each body has.
    pub count: &'a mut [u8],
    /// The rows of the neighbours, `k` places a body.
    pub rows: &'a mut [u32],
}

impl Near {
    /// The greatest k.
    pub const MAX_K: usize = u8::MAX as usize;

    /// Makes room for `k` neighbours of each of `bodies` bodies, at most [`Near::MAX_K`]. All lists are empty afterwards.
    pub fn reset(&mut self, bodies: usize, k: usize) {
        let k = k.min(Self::MAX_K);
        self.k = k;
        self.count.clear();
        self.count.resize(bodies, 0);
        self.rows.resize(bodies * k, 0);
    }

    /// How many bodies have a list.
    pub fn len(&self) -> usize {
        self.count.len()
    }

    /// True where no body has one.
    pub fn is_empty(&self) -> bool {
        self.count.is_empty()
    }

    /// The most neighbours of one body.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The rows of the neighbours of the body in `row`, nearest first.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline]
    pub fn of(&self, row: usize) -> &[u32] {
        &self.rows[row * self.k..][..usize::from(self.count[row])]
    }

    /// Writes the list of the body in `row`: the rows of its neighbours, nearest first; no more than there is room for.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn set(&mut self, row: usize, near: &[u32]) {
        let count = near.len().min(self.k);
        self.rows[row * self.k..][..count].copy_from_slice(&near[..count]);
        self.count[row] = count as u8;
    }

    /// The lists of `bodies` bodies from a row on, one behind the other, where each has k neighbours.
    #[inline]
    pub fn full(&self, first: usize, bodies: usize) -> Option<&[u32]> {
        let full = self.count[first..first + bodies].iter().all(|&count| usize::from(count) == self.k);
        full.then(|| &self.rows[first * self.k..(first + bodies) * self.k])
    }

    /// All lists as stretches of `bodies` bodies (the last one shorter, and at least 1), to be filled side by side.
    pub fn stretches(&mut self, bodies: usize) -> impl Iterator<Item = NearRows<'_>> {
        let (k, bodies) = (self.k, bodies.max(1));
        // Chunks of length 0 are not allowed; without room for a neighbour there is nothing to fill.
        let rows = self.rows.chunks_mut((bodies * k).max(1));
        self.count.chunks_mut(bodies).zip(rows).map(move |(count, rows)| NearRows { k, count, rows })
    }

    /// As [`Near::stretches`], for the threads of a rayon pool.
    pub fn par_stretches(&mut self, bodies: usize) -> impl IndexedParallelIterator<Item = NearRows<'_>> {
        let (k, bodies) = (self.k, bodies.max(1));
        let rows = self.rows.par_chunks_mut((bodies * k).max(1));
        self.count.par_chunks_mut(bodies).zip(rows).map(move |(count, rows)| NearRows { k, count, rows })
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.count.capacity() + self.rows.capacity() * size_of::<u32>()
    }
}

/// Equal where all lists are: the room beyond them does not count.
impl PartialEq for Near {
    fn eq(&self, other: &Self) -> bool {
        (self.k, self.len()) == (other.k, other.len()) && (0..self.len()).all(|row| self.of(row) == other.of(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_room_for_is_cut() {
        let mut near = Near::default();
        near.reset(3, 300);
        let rows: Vec<(usize, usize)> = near.stretches(0).map(|rows| (rows.k, rows.rows.len())).collect();
        assert_eq!(rows, [(Near::MAX_K, Near::MAX_K); 3]);
        near.reset(3, 0);
        assert_eq!(near.stretches(2).count(), 0);
        assert!(near.of(2).is_empty());
    }
}
