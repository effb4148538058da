//! Pairs of bodies, collected.

/// Pairs of rows in two columns: the memory is kept from frame to frame.
///
/// ```
/// use throng_spatial::{Bodies, Index, IndexKind, Pairs, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [9.0, 0.0], [0.8, 0.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut pairs = Pairs::default();
/// index.collect_pairs(bodies, &mut pairs);
/// assert_eq!(pairs.iter().collect::<Vec<_>>(), [(0, 2)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// The smaller row of each pair.
    pub(super) first: Vec<u32>,
    /// The greater one.
    pub(super) second: Vec<u32>,
    /// The findings of each thread, before they are put together.
    pub(super) parts: Vec<Pairs>,
}

impl PartialEq for Pairs {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first && self.second == other.second
    }
}

impl Eq for Pairs {}

impl Pairs {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.first.clear();
        self.second.clear();
    }

    /// Adds a pair.
    #[inline]
    pub fn push(&mut self, i: u32, j: u32) {
        self.first.push(i);
        self.second.push(j);
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// All pairs, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.first.iter().copied().zip(self.second.iter().copied())
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        (self.first.capacity() + self.second.capacity()) * size_of::<u32>()
            + self.parts.capacity() * size_of::<Self>()
            + self.parts.iter().map(Self::bytes).sum::<usize>()
    }
}
