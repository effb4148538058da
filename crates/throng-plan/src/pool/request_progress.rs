//! How far a request has come.

use super::Ticket;

/// How far a request in the line has come.
///
/// The findings of its search so far are not in it: the same search finds the same again, and expansions that have been
/// paid for cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RequestProgress {
    /// The request.
    pub ticket: Ticket,
    /// Which of the answers of its search comes next; the first is 0.
    pub(super) part: u32,
    /// It has had an answer.
    pub(super) answered: bool,
    /// Expansions of its search that have been paid for.
    pub(super) paid: u64,
    /// Answers of its search that some request has had.
    pub(super) delivered: u32,
}
