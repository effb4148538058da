//! Limits on making tables.

use throng_grid::Lattice;

/// Work that each cell of a map allows: label entries and edges looked at. A unit is some 5 ns.
const WORK_A_CELL: u64 = 4096;

/// The work that any map allows.
const WORK_OF_SMALL_MAPS: u64 = 1 << 26;

/// What making tables may cost. It depends on the map alone, not on the clock or on the number of threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Bytes of the tables.
    pub(super) bytes: usize,
    /// Bytes of what is only there while they are made.
    pub(super) passing_bytes: usize,
    /// Label entries and edges looked at.
    pub(super) work: u64,
}

impl Budget {
    /// No limit.
    #[cfg(test)]
    pub(super) const NONE: Self = Self { bytes: usize::MAX, passing_bytes: usize::MAX, work: u64::MAX };

    /// The limits on a map, with so many bytes of tables.
    pub(super) fn of(lattice: Lattice, bytes: usize) -> Self {
        let work = (lattice.len() as u64 * WORK_A_CELL).max(WORK_OF_SMALL_MAPS);
        Self { bytes, passing_bytes: super::Labels::MOST_BYTES, work }
    }

    /// Takes work off; `None` where less is left.
    pub(super) fn spend(&mut self, work: u64) -> Option<()> {
        self.work = self.work.checked_sub(work)?;
        Some(())
    }
}
