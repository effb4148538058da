//! An entry of a label.

/// More than any cost of a way.
pub(super) const UNREACHED: u32 = 1 << 30;

/// What a subgoal knows about one of its hubs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelEntry {
    /// The cost to get there.
    pub(super) cost: u32,
    /// Place of the hub in the order of hubs.
    pub(super) hub: u16,
    /// The next subgoal on the way there; the hub itself has itself.
    pub(super) next: u16,
    /// The place of the hub in the label of that.
    pub(super) place: u16,
}
