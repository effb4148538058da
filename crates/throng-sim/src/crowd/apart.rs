//! A direction for bodies that have none.

use throng_grid::geom::{Vec2, mixed, unit};

/// The unit vector that leads body `a` away from body `b` where they stand on one point: made from their ids, spread
/// over all directions, and opposite for the other body.
pub(super) fn apart(a: u32, b: u32) -> Vec2 {
    let (low, high, sign) = if a < b { (a, b, 1.0) } else { (b, a, -1.0) };
    let z = mixed(u64::from(high) << 32 | u64::from(low));
    // Odd numbers: never both zero.
    let component = |bits: u64| ((bits & 0xFFFF) as f32) * 2.0 + 1.0 - 65_536.0;
    unit(Vec2::new(component(z), component(z >> 16))) * sign
}

#[cfg(test)]
mod tests {
    use super::apart;
    use throng_grid::geom::Vec2;

    #[test]
    fn directions_are_opposite_and_spread() {
        let mut sum = Vec2::ZERO;
        for a in 0..40 {
            for b in 0..a {
                let way = apart(a, b);
                assert!((way.length() - 1.0).abs() < 1e-5);
                assert_eq!(way, -apart(b, a));
                sum += way;
            }
        }
        assert!(sum.length() < 80.0, "780 directions nearly cancel: {sum}");
    }
}
