//! Convex hulls in the plane, and the least rectangle around them.

/// Half the corners of a hull, counted from the leftmost one, are below and half above it; the hull of `points` is put
/// into `hull` (which needs one place more than there are points), anticlockwise where y goes up, without points
/// on its edges; returns the number of corners. Sorts the points. O(n log n) (Andrew, *Another efficient algorithm for
/// convex hulls in two dimensions*, 1979).
pub(super) fn convex_hull(points: &mut [[f64; 2]], hull: &mut [[f64; 2]]) -> usize {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return 0 };
    hull[0] = first;
    if first == last {
        return 1;
    }
    let mut count = 1;
    // The lower side to the right, then the upper one back.
    for back in [false, true] {
        let start = count;
        let mut add = |point: [f64; 2]| {
            while count > start && turn(hull[count - 2], hull[count - 1], point) <= 0.0 {
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
pub(super) fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The direction (length 1) of a side of the rectangle with the least area around a convex hull, and the lengths of its
/// sides. One of its sides holds an edge of the hull, so all edges are tried while three corners are carried around: O(n)
/// (Shamos, *Computational Geometry*, 1978; Toussaint, *Solving geometric problems with the rotating calipers*, 1983).
pub(super) fn least_rectangle(hull: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let n = hull.len();
    if n < 2 {
        return ([1.0, 0.0], [0.0; 2]);
    }
    let edge = |i: usize| {
        let (a, b) = (hull[i % n], hull[(i + 1) % n]);
        [b[0] - a[0], b[1] - a[1]]
    };
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let (mut right, mut top, mut left) = (0, 0, 0);
    let mut least = ([1.0, 0.0], [f64::INFINITY; 2]);
    for i in 0..n {
        let [x, y] = edge(i);
        let length = (x * x + y * y).sqrt();
        if length == 0.0 {
            continue; // so short that its square is nothing
        }
        let (along, across) = ([x / length, y / length], [-y / length, x / length]);
        // The edges of a round trip sum to nothing, so each of these ends.
        right = right.max(i + 1);
        while dot(along, edge(right)) > 0.0 {
            right += 1;
        }
        top = top.max(right);
        while dot(across, edge(top)) > 0.0 {
            top += 1;
        }
        left = left.max(top);
        while dot(along, edge(left)) < 0.0 {
            left += 1;
        }
        let between = |a: usize, b: usize| [hull[b % n][0] - hull[a % n][0], hull[b % n][1] - hull[a % n][1]];
        let sides = [dot(along, between(left, right)), dot(across, between(i, top))];
        if sides[0] * sides[1] < least.1[0] * least.1[1] {
            least = (along, sides);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hull_of(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let mut points = points.to_vec();
        let mut hull = vec![[0.0; 2]; points.len() + 1];
        let count = convex_hull(&mut points, &mut hull);
        hull.truncate(count);
        hull
    }

    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![(-20.0..20.0_f32).prop_map(f64::from), (-3..4_i8).prop_map(f64::from)]
    }

    proptest! {
        #[test]
        fn a_hull_has_all_points_to_its_left(points in prop::collection::vec([coordinate(), coordinate()], 1..30)) {
            let hull = hull_of(&points);
            prop_assert!(hull.iter().all(|corner| points.contains(corner)));
            for i in 0..hull.len() {
                let (a, b, c) = (hull[i], hull[(i + 1) % hull.len()], hull[(i + 2) % hull.len()]);
                prop_assert!(hull.len() < 3 || turn(a, b, c) > 0.0);
                for &point in &points {
                    prop_assert!(turn(a, b, point) >= -1e-9);
                    prop_assert!(hull.len() > 1 || point == a);
                }
            }
        }

        #[test]
        fn no_edge_gives_a_smaller_rectangle(points in prop::collection::vec([coordinate(), coordinate()], 3..30)) {
            let hull = hull_of(&points);
            prop_assume!(hull.len() > 2);
            let area = |along: [f64; 2]| {
                let extent = |axis: [f64; 2]| {
                    let at = points.iter().map(|point| point[0] * axis[0] + point[1] * axis[1]);
                    at.clone().fold(f64::NEG_INFINITY, f64::max) - at.fold(f64::INFINITY, f64::min)
                };
                extent(along) * extent([-along[1], along[0]])
            };
            let (along, sides) = least_rectangle(&hull);
            prop_assert!((area(along) - sides[0] * sides[1]).abs() < 1e-9);
            for i in 0..hull.len() {
                let (a, b) = (hull[i], hull[(i + 1) % hull.len()]);
                let length = (b[0] - a[0]).hypot(b[1] - a[1]);
                let other = area([(b[0] - a[0]) / length, (b[1] - a[1]) / length]);
                prop_assert!(sides[0] * sides[1] <= other + 1e-9, "{} > {}", sides[0] * sides[1], other);
            }
        }
    }

    #[test]
    fn degenerate() {
        assert_eq!(hull_of(&[]).len(), 0);
        assert_eq!(hull_of(&[[1.0, 2.0]; 5]), [[1.0, 2.0]]);
        assert_eq!(hull_of(&[[0.0, 0.0], [2.0, 2.0], [1.0, 1.0], [3.0, 3.0]]), [[0.0, 0.0], [3.0, 3.0]]);
        assert_eq!(least_rectangle(&[[1.0, 1.0]]), ([1.0, 0.0], [0.0; 2]));
        assert_eq!(least_rectangle(&[[1.0, 1.0], [1.0, 5.0]]), ([0.0, 1.0], [4.0, 0.0]));
    }
}
