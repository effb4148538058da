//! Convex hulls in the plane, and the least rectangle around them.
//!
//! On whole numbers, so that every turn is told exactly: nearly equal or collinear points would mislead the calipers.

/// Bits of a coordinate: products of differences fit into an `i128` with room to spare.
const BITS: i32 = 40;

/// The length, a power of two, that points are measured in: the farthest coordinate is about 2⁴⁰ of them.
pub(super) fn unit_of(points: &[[f64; 2]]) -> f64 {
    let most = points.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    let unit = libm::ldexp(1.0, libm::ilogb(most.clamp(f64::MIN_POSITIVE, f64::MAX)) + 1 - BITS);
    if unit > 0.0 { unit } else { f64::MIN_POSITIVE }
}

/// A point in whole units.
#[inline]
pub(super) fn whole(point: [f64; 2], unit: f64) -> [i64; 2] {
    point.map(|x| (x / unit).round() as i64)
}

/// Puts the corners of the convex hull of `points` into `hull`, which needs one place more than there are points:
/// anticlockwise where y goes up, without points on edges, from the leftmost one; returns their number. Sorts the
/// points. O(n log n) (Andrew, *Another efficient algorithm for convex hulls in two dimensions*, 1979).
pub(super) fn convex_hull(points: &mut [[i64; 2]], hull: &mut [[i64; 2]]) -> usize {
    points.sort_unstable();
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return 0 };
    hull[0] = first;
    if first == last {
        return 1;
    }
    let mut count = 1;
    // The lower side to the right, then the upper one back.
    for back in [false, true] {
        let start = count;
        let mut add = |point: [i64; 2]| {
            while count > start && turn(hull[count - 2], hull[count - 1], point) <= 0 {
                count -= 1;
            }
            if hull[count - 1] != point {
                hull[count] = point;
                count += 1;
            }
        };
        if back {
            points.iter().rev().skip(1).for_each(|&point| add(point));
        } else {
            points.iter().skip(1).for_each(|&point| add(point));
        }
    }
    count - 1 // the first corner came again
}

/// Twice the area of a triangle: positive where the way turns from x towards y.
#[inline]
pub(super) fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i128 {
    let (to_b, to_c) = (between(a, b), between(a, c));
    dot([-to_b[1], to_b[0]], to_c)
}

#[inline]
fn between(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [b[0] - a[0], b[1] - a[1]]
}

#[inline]
fn dot(a: [i64; 2], b: [i64; 2]) -> i128 {
    i128::from(a[0]) * i128::from(b[0]) + i128::from(a[1]) * i128::from(b[1])
}

/// The direction (length 1) of a side of the rectangle with the least area around a convex hull, and the lengths of its
/// sides. One of its sides holds an edge of the hull, so all edges are tried while three corners are carried around: O(n)
/// (Shamos, *Computational Geometry*, 1978; Toussaint, *Solving geometric problems with the rotating calipers*, 1983).
pub(super) fn least_rectangle(hull: &[[i64; 2]]) -> ([f64; 2], [f64; 2]) {
    let n = hull.len();
    let mut least = ([1.0, 0.0], [f64::INFINITY; 2]);
    if n < 2 {
        return (least.0, [0.0; 2]);
    }
    let corner = |i: usize| hull[i % n];
    let edge = |i: usize| between(corner(i), corner(i + 1));
    let (mut right, mut top, mut left) = (0, 0, 0);
    for i in 0..n {
        let along = edge(i);
        let across = [-along[1], along[0]];
        // The edges of a round trip sum to nothing, so each of these ends.
        right = right.max(i + 1);
        while dot(along, edge(right)) > 0 {
            right += 1;
        }
        top = top.max(right);
        while dot(across, edge(top)) > 0 {
            top += 1;
        }
        left = left.max(top);
        while dot(along, edge(left)) < 0 {
            left += 1;
        }
        let length = (dot(along, along) as f64).sqrt();
        let sides = [dot(along, between(corner(left), corner(right))), dot(across, between(corner(i), corner(top)))];
        let sides = sides.map(|side| side as f64 / length);
        if sides[0] * sides[1] < least.1[0] * least.1[1] {
            least = (along.map(|x| x as f64 / length), sides);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hull_of(points: &[[i64; 2]]) -> Vec<[i64; 2]> {
        let mut points = points.to_vec();
        let mut hull = vec![[0; 2]; points.len() + 1];
        let count = convex_hull(&mut points, &mut hull);
        hull.truncate(count);
        hull
    }

    fn coordinate() -> impl Strategy<Value = i64> {
        prop_oneof![-(1_i64 << BITS)..1 << BITS, -3..4_i64]
    }

    proptest! {
        #[test]
        fn a_hull_has_all_points_to_its_left(points in prop::collection::vec([coordinate(), coordinate()], 1..30)) {
            let hull = hull_of(&points);
            prop_assert!(hull.iter().all(|corner| points.contains(corner)));
            for i in 0..hull.len() {
                let (a, b, c) = (hull[i], hull[(i + 1) % hull.len()], hull[(i + 2) % hull.len()]);
                prop_assert!(hull.len() < 3 || turn(a, b, c) > 0);
                for &point in &points {
                    prop_assert!(turn(a, b, point) >= 0);
                    prop_assert!(hull.len() > 1 || point == a);
                }
            }
        }

        #[test]
        fn no_edge_gives_a_smaller_rectangle(points in prop::collection::vec([coordinate(), coordinate()], 3..30)) {
            let hull = hull_of(&points);
            prop_assume!(hull.len() > 2);
            let (along, sides) = least_rectangle(&hull);
            let mut least = f64::INFINITY;
            for i in 0..hull.len() {
                let edge = between(hull[i], hull[(i + 1) % hull.len()]);
                let extent = |axis: [i64; 2]| {
                    let at = points.iter().map(|&point| dot(point, axis));
                    (at.clone().max().unwrap() - at.min().unwrap()) as f64
                };
                least = least.min(extent(edge) * extent([-edge[1], edge[0]]) / dot(edge, edge) as f64);
            }
            prop_assert!((sides[0] * sides[1] - least).abs() <= 1e-12 * least, "{:?} {}", sides, least);
            prop_assert!((along[0].hypot(along[1]) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn units_are_fine(x in -1e38..1e38_f64, y in -1e-20..1e-20_f64) {
            for point in [[x, y], [y, y]] {
                let unit = unit_of(&[point]);
                let there = whole(point, unit);
                prop_assert!(there.iter().all(|x| x.abs() <= 1 << BITS) && there.iter().any(|x| x.abs() >= 1 << (BITS - 1)));
            }
        }
    }

    #[test]
    fn degenerate() {
        assert_eq!(hull_of(&[]).len(), 0);
        assert_eq!(hull_of(&[[1, 2]; 5]), [[1, 2]]);
        assert_eq!(hull_of(&[[0, 0], [2, 2], [1, 1], [3, 3]]), [[0, 0], [3, 3]]);
        assert_eq!(least_rectangle(&[[1, 1]]), ([1.0, 0.0], [0.0; 2]));
        assert_eq!(least_rectangle(&[[1, 1], [1, 5]]), ([0.0, 1.0], [4.0, 0.0]));
        assert_eq!(whole([0.0, 0.0], unit_of(&[[0.0, 0.0]])), [0, 0]);
        assert_eq!(whole([3.0, -1.5], unit_of(&[[3.0, 1.5]])), [3 << 38, -3 << 37]);
    }
}
