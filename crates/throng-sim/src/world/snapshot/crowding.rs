//! The count of the crowd, made of its stored blocks.

use super::error::Failure;
use crate::world::WorldError;
use std::sync::Arc;
use throng_grid::{Crowding, Grid, Ground};

/// A count of the crowd on a map.
pub(super) fn count(grid: &Grid, blocks: &[u8]) -> Result<Arc<Crowding>, Failure> {
    let empty = Crowding::new(grid).map_err(WorldError::from)?;
    let wrong =
        || Failure::Content(format!("the crowd is counted in {} blocks, which are not the map's", blocks.len()));
    empty.with_blocks(blocks).map(Arc::new).ok_or_else(wrong)
}

/// A ground as it is after a count.
pub(super) fn in_crowd(ground: Ground, crowding: Option<&Arc<Crowding>>) -> Ground {
    match crowding {
        Some(crowding) => ground.crowded(Arc::clone(crowding)),
        None => ground,
    }
}
