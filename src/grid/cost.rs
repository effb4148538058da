//! What a step costs.

/// Cost of a path. Compares paths exactly like `a + b√2` (a straight, b diagonal steps) while their diagonal steps
/// differ by fewer than 2378.
pub type Cost = u64;

/// Cost of a straight step: with [`DIAGONAL`] a convergent of the continued fraction of √2.
pub const STRAIGHT: u32 = 2378;

/// Cost of a diagonal step.
pub const DIAGONAL: u32 = 3363;
