//! Line segments.

use super::Ray;
use super::distance_squared;
use super::wide::{along, dot, minus, narrow, widen};

/// A line segment.
///
/// ```
/// use throng_spatial::volume::Segment;
/// let wall = Segment { from: [0.0, 0.0], to: [4.0, 0.0] };
/// assert_eq!(wall.closest([1.0, 3.0]), [1.0, 0.0]);
/// assert_eq!(wall.distance([7.0, 4.0]), 5.0);
/// assert_eq!(wall.distance_to(&Segment { from: [5.0, -1.0], to: [5.0, 9.0] }), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<const D: usize> {
    /// One end (m).
    pub from: [f32; D],
    /// The other end (m).
    pub to: [f32; D],
}

impl<const D: usize> Segment<D> {
    /// Its length (m).
    pub fn length(&self) -> f32 {
        distance_squared(self.from, self.to).sqrt()
    }

    /// The way from one end to the other, in time 1.
    pub fn ray(&self) -> Ray<D> {
        Ray::between(self.from, self.to)
    }

    /// The point of the segment that is nearest to `point` (m).
    pub fn closest(&self, point: [f32; D]) -> [f32; D] {
        narrow(self.closest_wide(widen(point)))
    }

    pub(super) fn closest_wide(&self, point: [f64; D]) -> [f64; D] {
        let (from, to) = (widen(self.from), widen(self.to));
        let span = minus(to, from);
        let squared = dot(span, span);
        // A segment without length is its end.
        let share = if squared > 0.0 { (dot(minus(point, from), span) / squared).clamp(0.0, 1.0) } else { 0.0 };
        along(from, share, span)
    }

    /// How far a point (m) is from the segment (m).
    pub fn distance(&self, point: [f32; D]) -> f32 {
        let point = widen(point);
        let away = minus(point, self.closest_wide(point));
        dot(away, away).sqrt() as f32
    }

    /// The two points, on this segment and on the other, that are nearest to each other (m). Where several pairs are,
    /// as on parallel segments, it is one of them.
    ///
    /// Ericson (2005), § 5.1.9.
    pub fn closest_points(&self, other: &Self) -> ([f32; D], [f32; D]) {
        let (a, b) = self.closest_points_wide(other);
        (narrow(a), narrow(b))
    }

    fn closest_points_wide(&self, other: &Self) -> ([f64; D], [f64; D]) {
        let (start, span) = (widen(self.from), minus(widen(self.to), widen(self.from)));
        let (other_start, other_span) = (widen(other.from), minus(widen(other.to), widen(other.from)));
        let squared = dot(span, span);
        let other_squared = dot(other_span, other_span);
        let mixed = dot(span, other_span);
        let offset = minus(start, other_start);
        // Where the lines are nearest, moved into the segment. (By Lagrange it is not negative; it is 0 where they
        // are parallel or one has no length, and then any point of this one will do for a start.)
        let skew = squared * other_squared - mixed * mixed;
        let share =
            if skew > 0.0 { (mixed * dot(other_span, offset) - dot(span, offset) * other_squared) / skew } else { 0.0 };
        let point = along(start, share.clamp(0.0, 1.0), span);
        // From there to the other segment and back; each step is exact for the point it starts from.
        let other_point = other.closest_wide(point);
        let point = self.closest_wide(other_point);
        (point, other_point)
    }

    /// The distance between two segments (m): 0 where they cross.
    pub fn distance_to(&self, other: &Self) -> f32 {
        let (a, b) = self.closest_points_wide(other);
        let away = minus(a, b);
        dot(away, away).sqrt() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn coordinate() -> impl Strategy<Value = f32> {
        // Whole numbers make parallel segments, common points and segments without length.
        prop_oneof![-5.0..5.0_f32, (-2..3_i8).prop_map(f32::from)]
    }

    fn point() -> impl Strategy<Value = [f32; 3]> {
        [coordinate(), coordinate(), coordinate()]
    }

    fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
        let away = minus(a, b);
        dot(away, away).sqrt()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn nothing_on_a_segment_is_nearer(from in point(), to in point(), place in point()) {
            let segment = Segment { from, to };
            let closest = segment.closest(place);
            let distance = f64::from(segment.distance(place));
            prop_assert!((apart(widen(closest), widen(place)) - distance).abs() < 1e-5);
            let ray = segment.ray();
            for i in 0..=50_u8 {
                prop_assert!(apart(ray.at(f64::from(i) / 50.0), widen(place)) > distance - 1e-5);
            }
            let (a, b) = segment.closest_points(&Segment { from: closest, to: closest });
            prop_assert!(apart(widen(a), widen(b)) < 1e-5, "the point is on it");
        }

        #[test]
        fn no_two_points_of_segments_are_nearer(ends in [point(), point(), point(), point()], joint in 0..8_u8) {
            let [a, b, c, mut d] = ends;
            if joint == 0 {
                // Parallel to each other, to rounding.
                d = std::array::from_fn(|axis| c[axis] + 0.3 * (b[axis] - a[axis]));
            }
            let (one, two) = (Segment { from: a, to: b }, Segment { from: c, to: d });
            let distance = f64::from(one.distance_to(&two));
            prop_assert!((distance - f64::from(two.distance_to(&one))).abs() < 1e-5);
            let (p, q) = one.closest_points(&two);
            prop_assert!((apart(widen(p), widen(q)) - distance).abs() < 1e-5);
            prop_assert!(one.distance(p) < 1e-5 && two.distance(q) < 1e-5);
            let (one, two) = (one.ray(), two.ray());
            for i in 0..=20_u8 {
                for j in 0..=20_u8 {
                    let apart = apart(one.at(f64::from(i) / 20.0), two.at(f64::from(j) / 20.0));
                    prop_assert!(apart > distance - 1e-5, "{apart}, not {distance}");
                }
            }
        }
    }
}
