//! Limits on making tables.

/// The work that any map allows (units): 1 to 2 s of processor time on a machine of 2026.
const WORK: u64 = 690_000_000;

/// The most that tables, and what is there only while they are made, may each take on any map (bytes).
pub(super) const MAX_BYTES: usize = 256 << 20;

/// The work of one hub more among so many subgoals, all of which are compared.
pub(super) const fn work_of_choice(subgoals: usize) -> u64 {
    subgoals as u64 / 2
}

/// What making tables may cost. It depends on the map alone, not on the clock or on the number of threads.
///
/// A unit of work is 2 to 3 ns. Whatever takes more time counts for more units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Bytes of the tables.
    pub(super) bytes: usize,
    /// Bytes of what is only there while they are made.
    pub(super) passing_bytes: usize,
    /// Units of work.
    pub(super) work: u64,
}

impl Budget {
    /// No limit.
    #[cfg(test)]
    pub(super) const NONE: Self = Self { bytes: usize::MAX, passing_bytes: usize::MAX, work: u64::MAX };

    /// The limits, with so many bytes of tables.
    pub(super) const fn of(bytes: usize) -> Self {
        Self { bytes, passing_bytes: MAX_BYTES, work: WORK }
    }

    /// Takes work off; `None` where less is left.
    pub(super) fn spend(&mut self, work: u64) -> Option<()> {
        self.work = self.work.checked_sub(work)?;
        Some(())
    }
}
