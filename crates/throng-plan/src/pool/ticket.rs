//! The name of a request.

/// Names a request of a [`Pool`](super::Pool): counted from 0 in the order asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket(pub u64);
