//! Jump point search.

use super::bitmaps::JumpBitmaps;
use super::{Path, PlanError, Planner, Progress, Query, Scratch, jump};
use crate::grid::{Cell, Ground};

/// Jump point search.
#[derive(Clone, Debug, PartialEq)]
pub struct Jps {
    bitmaps: JumpBitmaps,
}

impl Jps {
    /// The planner for a ground.
    pub fn new(ground: &Ground) -> Self {
        Self { bitmaps: JumpBitmaps::new(ground) }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.bitmaps.bytes()
    }

    /// The planner for the ground after an edit.
    #[must_use]
    pub fn updated(&self, ground: &Ground, dirty: &[Cell]) -> Self {
        Self { bitmaps: self.bitmaps.updated(ground, dirty) }
    }
}

impl Planner for Jps {
    fn name(&self) -> &'static str {
        "jps"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        jump::begin(&self.bitmaps, ground, query, scratch)
    }

    fn advance(&self, _ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        jump::advance(&self.bitmaps, query, scratch, expansions)
    }

    fn path(&self, ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        jump::path(ground, scratch, path);
    }
}
