//! What a pool counts.

/// The counters of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counters {
    /// The next ticket.
    pub(super) next: u64,
    /// Expansions granted and not used.
    pub(super) credit: u64,
}
