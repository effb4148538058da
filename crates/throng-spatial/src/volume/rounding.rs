//! Rounding to one side, so that a volume around something is never a little too small.

/// The greatest f32 that is not above `x`.
#[inline]
pub(super) fn below(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x { near.next_down() } else { near }
}

/// The least f32 that is not below `x`.
#[inline]
pub(super) fn above(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

/// The least f32 whose square is not below a squared length.
#[inline]
pub(super) fn above_root(squared: f64) -> f32 {
    let near = squared.sqrt() as f32;
    // The square of an f32 is exact.
    if f64::from(near) * f64::from(near) < squared { near.next_up() } else { near }
}

/// The greatest f32 that is not above the sum.
#[inline]
pub(super) fn sum_below(a: f64, b: f64) -> f32 {
    let (sum, rest) = two_sum(a, b);
    below(if rest < 0.0 { sum.next_down() } else { sum })
}

/// The least f32 that is not below the sum.
#[inline]
pub(super) fn sum_above(a: f64, b: f64) -> f32 {
    let (sum, rest) = two_sum(a, b);
    above(if rest > 0.0 { sum.next_up() } else { sum })
}

/// A sum and its rounding error (Knuth, *The Art of Computer Programming* 2, 1969).
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_needs_no_rounding_stays() {
        for x in [0.0, -1.5, 3.0, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE] {
            assert_eq!((below(f64::from(x)), above(f64::from(x))), (x, x));
        }
        assert_eq!((sum_below(1.0, -2.0), sum_above(1.0, -2.0)), (-1.0, -1.0));
        assert_eq!(sum_above(1.0, 1e-30), 1.0_f32.next_up());
        assert_eq!(sum_below(1e30, -1.0), 1e30_f32.min(below(1e30_f64.next_down())));
        assert_eq!((below(1e39), above(1e39)), (f32::MAX, f32::INFINITY));
    }

    proptest! {
        #[test]
        fn sides_are_kept(x in -1e30..1e30_f64, small in -1e-3..1e-3_f64) {
            for x in [x, small] {
                prop_assert!(f64::from(below(x)) <= x && x <= f64::from(above(x)));
                prop_assert!(above(x) == below(x) || above(x) == below(x).next_up());
            }
        }
    }
}
