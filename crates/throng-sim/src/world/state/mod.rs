//! The data of a world, a file a noun: without the stages that change it.

pub(crate) mod congestion;
pub(crate) mod edits;
pub(crate) mod fields;
pub(crate) mod fire;
pub(super) mod given;
pub(crate) mod links;
pub(crate) mod mission;
pub(crate) mod obstacles;
pub(crate) mod requests;
pub(crate) mod travels;
pub(crate) mod triggers;
pub(crate) mod verdict;
