//! The smallest ball around points.

use super::Ball;
use super::obb::dot;
use super::rounding::above_root;

/// How far beyond the ball, relative to its radius, a point counts as inside while the ball is sought (it is measured
/// anew in the end).
const INSIDE: f64 = 1.0 + 1e-9;

/// A ball through the points that hold it: at most four of them.
struct Held<const D: usize> {
    centre: [f64; D],
    squared: f64,
    by: [[f64; D]; 4],
    count: usize,
}

impl<const D: usize> Ball<D> {
    /// The smallest ball around some points (m), `D` = 2 or 3. Points with a coordinate that is not finite are left out;
    /// `None` where none remains.
    ///
    /// No point is outside. The centre is rounded, so the radius is greater than the least one by up to the rounding of
    /// the centre.
    ///
    /// The ball is held by at most `D` + 1 points (Welzl, *Smallest enclosing disks (balls and ellipsoids)*, 1991). As
    /// long as there is a point outside, the farthest one is taken in (Gärtner, *Fast and robust smallest enclosing
    /// balls*, 1999). Then the smallest ball of the at most `D` + 2 points is looked up among all balls that some of
    /// them hold. The radius grows each time; some ten rounds of O(n) are usual.
    ///
    /// ```
    /// use throng_spatial::volume::Ball;
    /// let points = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [2.0, -2.0]];
    /// assert_eq!(Ball::of(&points), Some(Ball { centre: [2.0, 0.0], radius: 2.0 }));
    /// ```
    pub fn of(points: &[[f32; D]]) -> Option<Self> {
        let finite = points.iter().copied().filter(|point| point.iter().all(|x| x.is_finite()));
        let centre = smallest(finite.clone())?;
        Some(Self { centre, radius: reach(centre, finite.map(|point| (point, 0.0))) })
    }
}

/// How far balls reach from a point, rounded up.
pub(super) fn reach<const D: usize>(from: [f32; D], balls: impl Iterator<Item = ([f32; D], f32)>) -> f32 {
    let from = from.map(f64::from);
    let far = balls.fold(0.0_f64, |far, (centre, radius)| {
        let squared = squared(&from, &centre.map(f64::from));
        far.max(if radius == 0.0 { squared } else { (squared.sqrt() + f64::from(radius)).powi(2) })
    });
    above_root(far)
}

/// The centre of the smallest ball around points that are finite.
pub(super) fn smallest<const D: usize>(mut points: impl Iterator<Item = [f32; D]> + Clone) -> Option<[f32; D]> {
    const { assert!(D <= 3, "no more than four points hold the ball") }
    let all = points.clone();
    // Measured from one of them, so that numbers are no greater than the ball.
    let first = points.next()?.map(f64::from);
    let mut held = Held { centre: [0.0; D], squared: 0.0, by: [[0.0; D]; 4], count: 1 };
    loop {
        let (mut far, mut farthest) = (held.squared * INSIDE, None);
        for point in all.clone() {
            let point = std::array::from_fn(|i| f64::from(point[i]) - first[i]);
            let squared = squared(&held.centre, &point);
            if squared > far {
                (far, farthest) = (squared, Some(point));
            }
        }
        match farthest.and_then(|point| exchange(&held, point)) {
            Some(wider) if wider.squared > held.squared => held = wider,
            _ => return Some(std::array::from_fn(|i| (first[i] + held.centre[i]) as f32)),
        }
    }
}

/// The smallest ball around a point outside and those that hold the ball so far. The new point is one that holds it.
fn exchange<const D: usize>(held: &Held<D>, point: [f64; D]) -> Option<Held<D>> {
    let mut best: Option<Held<D>> = None;
    for chosen in 0..1_u32 << held.count {
        let mut by = [point; 4];
        let mut count = 1;
        for (i, &holder) in held.by[..held.count].iter().enumerate() {
            if chosen >> i & 1 == 1 && count <= D {
                by[count] = holder;
                count += 1;
            }
        }
        if count != 1 + chosen.count_ones() as usize {
            continue; // more than D + 1
        }
        let Some((centre, radius)) = through(&by[..count]) else { continue };
        let smaller = best.as_ref().is_none_or(|best| radius < best.squared);
        if smaller && held.by[..held.count].iter().all(|other| squared(&centre, other) <= radius * INSIDE) {
            best = Some(Held { centre, squared: radius, by, count });
        }
    }
    best
}

/// Centre and squared radius of the smallest ball with some points on its border; `None` where they are not independent.
///
/// Direction after direction, each at right angles to those before, the centre is moved to where it is as far from the
/// next point as from the first.
fn through<const D: usize>(points: &[[f64; D]]) -> Option<([f64; D], f64)> {
    let first = points[0];
    let mut directions = [[0.0; D]; 3];
    let mut offset = [0.0; D];
    for (count, point) in points[1..].iter().enumerate() {
        let edge: [f64; D] = std::array::from_fn(|i| point[i] - first[i]);
        let mut rest = edge;
        // Twice: the first time leaves rounding errors where points are nearly dependent.
        for _ in 0..2 {
            for direction in &directions[..count] {
                let share = dot(&rest, direction);
                rest = std::array::from_fn(|i| rest[i] - share * direction[i]);
            }
        }
        let (length, edge_squared) = (dot(&rest, &rest).sqrt(), dot(&edge, &edge));
        if length * length <= 1e-24 * edge_squared {
            return None;
        }
        let direction = rest.map(|x| x / length);
        let step = (0.5 * edge_squared - dot(&offset, &edge)) / length;
        offset = std::array::from_fn(|i| offset[i] + step * direction[i]);
        directions[count] = direction;
    }
    Some((std::array::from_fn(|i| first[i] + offset[i]), dot(&offset, &offset)))
}

/// The squared distance.
fn squared<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least radius of all balls through up to `D` + 1 points that have all others inside.
    fn brute<const D: usize>(points: &[[f32; D]]) -> f64 {
        let points: Vec<[f64; D]> = points.iter().map(|point| point.map(f64::from)).collect();
        let mut best = f64::INFINITY;
        for chosen in 1..1_u32 << points.len() {
            if chosen.count_ones() as usize > D + 1 {
                continue;
            }
            let by: Vec<[f64; D]> = (0..points.len()).filter(|i| chosen >> i & 1 == 1).map(|i| points[i]).collect();
            if let Some((centre, radius)) = through(&by)
                && radius < best
                && points.iter().all(|point| squared(&centre, point).sqrt() <= radius.sqrt() * (1.0 + 1e-7) + 1e-12)
            {
                best = radius;
            }
        }
        best.sqrt()
    }

    fn check<const D: usize>(points: &[[f32; D]]) -> Result<(), TestCaseError> {
        let ball = Ball::of(points).unwrap();
        let centre = ball.centre.map(f64::from);
        for point in points {
            let distance = squared(&centre, &point.map(f64::from)).sqrt();
            prop_assert!(distance <= f64::from(ball.radius), "{:?} {} from {:?}", point, distance, ball);
        }
        let least = brute(points);
        let size = ball.centre.iter().fold(0.0_f32, |size, x| size.max(x.abs()));
        let rounding = 2e-7 * (least + f64::from(size)) + 1e-30;
        prop_assert!(f64::from(ball.radius) <= least + rounding, "{:?} but {}", ball, least);
        prop_assert!(f64::from(ball.radius) >= least * (1.0 - 1e-6), "{:?} but {}", ball, least);
        Ok(())
    }

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![3 => -20.0..20.0_f32, 2 => (-3..4_i8).prop_map(f32::from), 1 => 1e6..1.0001e6_f32]
    }

    proptest! {
        #[test]
        fn least_of_all_discs(points in prop::collection::vec([coordinate(), coordinate()], 1..9)) {
            check(&points)?;
        }

        #[test]
        fn least_of_all_spheres(points in prop::collection::vec([coordinate(), coordinate(), coordinate()], 1..9)) {
            check(&points)?;
        }

        #[test]
        fn on_one_line(along in prop::collection::vec(-50..50_i8, 1..10), step in [1..5_i8, -5..5_i8, -3..3_i8]) {
            let points: Vec<[f32; 3]> = along.iter().map(|&t| step.map(|s| f32::from(t) * f32::from(s) / 8.0)).collect();
            check(&points)?;
        }
    }

    #[test]
    fn far_away() {
        check(&[[1e6, 13.027_093], [1_000_078.1, 11.203_889], [1_000_076.9, 0.0]]).unwrap();
    }

    #[test]
    fn many_points() {
        // A lattice in a circle: many on the border at once.
        let mut points = Vec::new();
        for x in -65..=65_i16 {
            for y in -65..=65_i16 {
                if x * x + y * y <= 65 * 65 {
                    points.push([f32::from(x) + 7.0, f32::from(y)]);
                }
            }
        }
        assert_eq!(Ball::of(&points), Some(Ball { centre: [7.0, 0.0], radius: 65.0 }));
    }

    #[test]
    fn degenerate() {
        assert_eq!(Ball::<2>::of(&[]), None);
        assert_eq!(Ball::of(&[[f32::NAN, 1.0]]), None);
        assert_eq!(Ball::of(&[[f32::NAN, 1.0], [3.0, 2.0]]), Some(Ball { centre: [3.0, 2.0], radius: 0.0 }));
        assert_eq!(Ball::of(&[[5.0; 3]; 7]), Some(Ball { centre: [5.0; 3], radius: 0.0 }));
        let huge = [[-3e38, 0.0, 0.0], [3e38, 1.0, 0.0], [0.0, 0.0, 2e38]];
        let ball = Ball::of(&huge).unwrap();
        assert!(ball.radius >= 3e38 && ball.radius < 3.0001e38, "{ball:?}");
    }
}
