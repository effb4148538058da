//! The rank of a request in the line.

/// The rank of a request in the line.
///
/// See [`Request`](super::Request).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// After all others.
    Low,
    /// As most.
    #[default]
    Normal,
    /// Before all others.
    High,
}
