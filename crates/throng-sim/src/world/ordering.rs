//! Rows in the order of their cells, and the index over them.

use super::WorldError;
use super::parts::{Derived, State};
use crate::battle;
use throng_spatial::SpatialIndex;

/// Reads positions; writes the order of the rows and the index. Local, but for the counts of cells.
///
/// # Errors
/// Where the index cannot hold the crowd.
pub(super) fn sort(derived: &mut Derived, state: &mut State) -> Result<(), WorldError> {
    state.crowd.sort(derived.home);
    Ok(derived.index.rebuild(battle::bodies(&state.crowd))?)
}
