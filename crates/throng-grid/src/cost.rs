//! Costs of steps and paths.

/// Cost of a path. Compares paths exactly like `a + b√2` (a straight, b diagonal steps) while their diagonal steps
/// differ by fewer than 2378.
pub type Cost = u64;

/// Cost of a straight step: with [`DIAGONAL`] a convergent of the continued fraction of √2.
pub const STRAIGHT: u32 = 2378;

/// Cost of a diagonal step.
pub const DIAGONAL: u32 = 3363;

/// The cost of a straight line over `dx` columns and `dy` rows: its length × [`STRAIGHT`], rounded up.
///
/// Lengths that are rounded up keep the triangle inequality, so they are a metric of their own; to a neighbour it is
/// that of the steps, [`STRAIGHT`] and [`DIAGONAL`]. The radicand is below 2^52 and so exact, and the square root is
/// rounded correctly. No square root of an integer that is no square lies so near to an integer that it would be
/// rounded to it. So the result is exact, and the same on every machine.
#[inline]
pub fn line_cost(dx: i32, dy: i32) -> u32 {
    let (dx, dy) = (i64::from(dx), i64::from(dy));
    let squared = (dx * dx + dy * dy) * i64::from(STRAIGHT * STRAIGHT);
    let root = (squared as f64).sqrt();
    // Rounded up; `ceil` would be a call.
    root as u32 + u32::from(f64::from(root as u32) < root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_to_neighbours_cost_what_steps_cost() {
        assert_eq!((line_cost(0, 0), line_cost(1, 0), line_cost(-1, 1)), (0, STRAIGHT, DIAGONAL));
        assert_eq!(line_cost(3, -4), 5 * STRAIGHT);
    }

    proptest! {
        #[test]
        fn lines_are_rounded_up_exactly(dx in -16_384_i32..16_384, dy in -16_384_i32..16_384) {
            let (cost, (x, y)) = (i64::from(line_cost(dx, dy)), (i64::from(dx), i64::from(dy)));
            let squared = (x * x + y * y) * i64::from(STRAIGHT * STRAIGHT);
            prop_assert!(cost * cost >= squared && (cost == 0 || (cost - 1) * (cost - 1) < squared));
        }

        #[test]
        fn lines_are_a_metric(ax in 0..300_i32, ay in 0..300_i32, bx in 0..300_i32, by in 0..300_i32) {
            prop_assert!(line_cost(ax, ay) + line_cost(bx - ax, by - ay) >= line_cost(bx, by));
        }
    }
}
