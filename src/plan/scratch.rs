//! The memory of a search.

/// What a search writes. One a thread; starting a search clears nothing.
#[derive(Debug, Default)]
pub struct Scratch {}
