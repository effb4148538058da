//! Kernels that use the vector instructions of the machine at hand; the only room with `unsafe`.
//!
//! A [`Kernel`] is written once, in terms of [`Lanes`], and compiled for each instruction set; a few are written by hand
//! for each. Which one runs is decided at run time ([`Level::detect`]). All give the same bits: no fused multiply-add, no
//! estimates.

mod boxes;
mod cells;
mod discs;
mod findings;
mod lanes;
mod level;
mod near;
mod pairs;
mod plain;
mod range;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use boxes::{Sides, boxes_near};
pub use cells::{CellGrid, cells};
pub use discs::{DiscColumns, overlapping, prefetch};
pub use findings::SLACK;
pub use lanes::{Kernel, LANES, Lanes, NO_KEY};
pub use level::Level;
pub use near::{nearer, sort};
pub use pairs::{CellRows, PADDING, PAIR_ROOM, PairCursor, pairs};
pub use range::ranges;

/// Coordinates for tests: mostly ordinary ones, some that are equal, some that are hard.
#[cfg(test)]
fn coordinate() -> impl proptest::strategy::Strategy<Value = f32> {
    use proptest::prelude::*;
    prop_oneof![
        8 => -30.0..30.0_f32,
        2 => (-4..4_i8).prop_map(f32::from),
        1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1e18, -0.0, 1e-30]),
    ]
}
