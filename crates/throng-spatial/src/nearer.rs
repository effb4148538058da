//! The k nearest of many candidates, in a fixed room.

use super::NearRows;

/// Candidates that are kept at once.
const MAX_CANDIDATES: usize = 1024;

/// Collects candidates and keeps the `k` nearest, ties by id; never allocates.
///
/// A candidate is the bits of its squared distance (they order like the distance, which is not negative) above its row.
pub(super) struct Nearer<'a> {
    k: usize,
    id: &'a [u32],
    found: [u64; MAX_CANDIDATES],
    count: usize,
}

impl<'a> Nearer<'a> {
    /// At most [`Near::MAX_K`](super::Near::MAX_K) are kept.
    pub(super) fn new(k: usize, id: &'a [u32]) -> Self {
        debug_assert!(k < MAX_CANDIDATES);
        Self { k, id, found: [0; MAX_CANDIDATES], count: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, row: u32, squared: f32) {
        if self.count == MAX_CANDIDATES {
            self.shrink();
        }
        self.found[self.count] = u64::from(squared.to_bits()) << 32 | u64::from(row);
        self.count += 1;
    }

    fn key(id: &[u32], finding: u64) -> (u64, u32) {
        (finding >> 32, id[finding as u32 as usize])
    }

    fn shrink(&mut self) {
        if self.k > 0 {
            let id = self.id;
            self.found[..self.count].select_nth_unstable_by_key(self.k - 1, |&finding| Self::key(id, finding));
        }
        self.count = self.k;
    }

    /// The k nearest, sorted by distance, then id: squared distances in the upper halves, rows in the lower.
    pub(super) fn sorted(&mut self) -> &[u64] {
        if self.count > self.k {
            self.shrink();
        }
        let id = self.id;
        self.found[..self.count].sort_unstable_by_key(|&finding| Self::key(id, finding));
        &self.found[..self.count]
    }

    /// Writes list number `i`; the squared distance of the last of `k`, where there are as many.
    pub(super) fn write(&mut self, i: usize, near: &mut NearRows<'_>) -> Option<f32> {
        let k = near.k;
        let sorted = self.sorted();
        for (place, &finding) in near.rows[i * k..][..k].iter_mut().zip(sorted) {
            *place = finding as u32;
        }
        near.count[i] = sorted.len() as u8;
        sorted.get(k - 1).map(|&finding| f32::from_bits((finding >> 32) as u32))
    }
}
