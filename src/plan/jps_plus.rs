//! JPS+: jump point search by a table.

use super::bitmaps::JumpBitmaps;
use super::jump::{self, Jumps, Place};
use super::{Path, PlanError, Planner, Progress, Query, Scratch};
use crate::grid::{Cell, Ground};

/// JPS+.
#[derive(Clone, Debug, PartialEq)]
pub struct JpsPlus {
    table: Table,
}

#[derive(Clone, Debug, PartialEq)]
struct Table {
    stride: u32,
    bitmaps: JumpBitmaps,
    steps: Box<[[u16; 8]]>,
}

impl Jumps for Table {
    #[inline]
    fn mask(&self, place: Place) -> u8 {
        self.bitmaps.mask(place)
    }

    #[inline]
    fn jump(&self, place: Place, d: usize) -> u32 {
        self.steps[place.index(self.stride)][d % 8].into()
    }
}

impl Table {
    fn new(bitmaps: JumpBitmaps, ground: &Ground) -> Self {
        let lattice = ground.lattice();
        let mut steps = vec![[0; 8]; lattice.len()].into_boxed_slice();
        for cell in lattice.cells() {
            let place = Place::new(cell, lattice.stride);
            for d in 0..8 {
                steps[cell.index()][d] = bitmaps.jump(place, d) as u16;
            }
        }
        Self { stride: lattice.stride, bitmaps, steps }
    }
}

impl JpsPlus {
    /// The planner for a ground.
    pub fn new(ground: &Ground) -> Self {
        Self { table: Table::new(JumpBitmaps::new(ground), ground) }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.table.bitmaps.bytes() + size_of_val(&*self.table.steps)
    }

    /// The planner for the ground after an edit.
    #[must_use]
    pub fn updated(&self, ground: &Ground, dirty: &[Cell]) -> Self {
        Self { table: Table::new(self.table.bitmaps.updated(ground, dirty), ground) }
    }
}

impl Planner for JpsPlus {
    fn name(&self) -> &'static str {
        "jps-plus"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        jump::begin(&self.table, ground, query, scratch)
    }

    fn advance(&self, _ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        jump::advance(&self.table, query, scratch, expansions)
    }

    fn path(&self, ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        jump::path(ground, scratch, path);
    }
}
