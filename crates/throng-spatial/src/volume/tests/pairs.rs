//! Convex volumes against an oracle that knows nothing but how to go to the nearest point of one of them.

use super::super::{Aabb, Ball, Cylinder, Obb, Shape2, Shape3, Volume};
use super::Source;
use glam::{DVec3, Quat};

fn wide(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

/// The nearest point of a volume.
fn nearest(shape: &Shape3, point: DVec3) -> DVec3 {
    match shape {
        Shape3::Ball(ball) => {
            let offset = point - wide(ball.centre);
            wide(ball.centre) + offset.clamp_length_max(f64::from(ball.radius))
        }
        Shape3::Aabb(aabb) => point.clamp(wide(aabb.low), wide(aabb.high)),
        Shape3::Obb(obb) => {
            let centre = wide(obb.centre);
            let sides = obb.axes.iter().zip(obb.half).map(|(&axis, half)| {
                let half = f64::from(half);
                wide(axis) * (point - centre).dot(wide(axis)).clamp(-half, half)
            });
            centre + sides.sum::<DVec3>()
        }
        Shape3::Cylinder(cylinder) => {
            let [x, y] = cylinder.centre.map(f64::from);
            let beside = DVec3::new(point.x - x, point.y - y, 0.0).clamp_length_max(f64::from(cylinder.radius));
            DVec3::new(x, y, point.z.clamp(f64::from(cylinder.low), f64::from(cylinder.high))) + beside
        }
        Shape3::Tree(_) => unreachable!("not convex"),
    }
}

/// How far a volume reaches in a direction.
fn reach(shape: &Shape3, direction: DVec3) -> f64 {
    match shape {
        Shape3::Ball(ball) => wide(ball.centre).dot(direction) + f64::from(ball.radius) * direction.length(),
        Shape3::Aabb(aabb) => (wide(aabb.low) * direction).max(wide(aabb.high) * direction).element_sum(),
        Shape3::Obb(obb) => {
            let sides = obb.axes.iter().zip(obb.half);
            let reach: f64 = sides.map(|(&axis, half)| f64::from(half) * wide(axis).dot(direction).abs()).sum();
            wide(obb.centre).dot(direction) + reach
        }
        Shape3::Cylinder(cylinder) => {
            let [x, y] = cylinder.centre.map(f64::from);
            let (low, high) = (f64::from(cylinder.low) * direction.z, f64::from(cylinder.high) * direction.z);
            let beside = f64::from(cylinder.radius) * direction.truncate().length();
            x * direction.x + y * direction.y + beside + low.max(high)
        }
        Shape3::Tree(_) => unreachable!("not convex"),
    }
}

/// The volume a little smaller.
fn shrunk(shape: &Shape3, by: f32) -> Shape3 {
    let factor = 1.0 - by;
    match shape {
        Shape3::Ball(ball) => Ball { radius: ball.radius * factor, ..*ball }.into(),
        Shape3::Aabb(aabb) => Aabb { low: aabb.low.map(|x| x + by), high: aabb.high.map(|x| x - by) }.into(),
        Shape3::Obb(obb) => Obb { half: obb.half.map(|half| half * factor), ..*obb }.into(),
        Shape3::Cylinder(it) => {
            Cylinder { radius: it.radius * factor, low: it.low + by, high: it.high - by, ..*it }.into()
        }
        Shape3::Tree(_) => unreachable!("not convex"),
    }
}

/// Goes from the nearest point of one to the nearest of the other and back, which ends at the two that are nearest
/// (Cheney and Goldstein 1959); the points.
fn closest(a: &Shape3, b: &Shape3, start: DVec3) -> (DVec3, DVec3) {
    let (mut p, mut q) = (start, start);
    for _ in 0..3000 {
        let before = (p, q);
        q = nearest(b, p);
        p = nearest(a, q);
        if before == (p, q) || p == q {
            break;
        }
    }
    (p, q)
}

/// Whether volumes overlap, where that is clear: they do so even if a little smaller, or there is a plane between them
/// with room to both sides.
fn oracle(a: &Shape3, b: &Shape3) -> Option<bool> {
    let start = wide(a.bounding_ball().centre);
    let (p, q) = closest(a, b, start);
    let direction = (q - p).normalize_or_zero();
    if -reach(b, -direction) - reach(a, direction) > 2e-6 {
        return Some(false);
    }
    let (p, q) = closest(&shrunk(a, 1e-4), &shrunk(b, 1e-4), start);
    (p.distance(q) < 1e-9).then_some(true)
}

/// A flat shape as a disc or plate with thickness.
fn thick(shape: &Shape2) -> Shape3 {
    match shape {
        Shape2::Ball(ball) => Cylinder { centre: ball.centre, radius: ball.radius, low: -1.0, high: 1.0 }.into(),
        Shape2::Aabb(aabb) => {
            Aabb { low: [aabb.low[0], aabb.low[1], -1.0], high: [aabb.high[0], aabb.high[1], 1.0] }.into()
        }
        Shape2::Obb(obb) => {
            let [x, y] = obb.axes;
            let axes = [[x[0], x[1], 0.0], [y[0], y[1], 0.0], [0.0, 0.0, 1.0]];
            let (centre, half) = ([obb.centre[0], obb.centre[1], 0.0], [obb.half[0], obb.half[1], 1.0]);
            Obb { centre, half, axes }.into()
        }
        Shape2::Tree(_) => unreachable!("not convex"),
    }
}

/// Counts what the oracle said.
#[derive(Debug, Default)]
struct Said {
    apart: u32,
    overlap: u32,
    unclear: u32,
}

impl Said {
    fn count(&mut self, said: Option<bool>) {
        match said {
            Some(false) => self.apart += 1,
            Some(true) => self.overlap += 1,
            None => self.unclear += 1,
        }
    }

    fn check(&self) {
        let all = self.apart + self.overlap + self.unclear;
        assert!(self.apart > all / 8 && self.overlap > all / 8 && self.unclear < all / 7, "{self:?}");
    }
}

#[test]
fn in_space() {
    let (mut source, mut said) = (Source::new(1), Said::default());
    for _ in 0..6000 {
        let (a, b) = (source.solid3(1.5), source.solid3(1.5));
        let overlap = a.overlaps(&b);
        assert_eq!(overlap, b.overlaps(&a), "{a:?} {b:?}");
        let expected = oracle(&a, &b);
        said.count(expected);
        assert!(expected.is_none_or(|expected| overlap == expected), "{a:?} {b:?} expected {expected:?}");
        for _ in 0..8 {
            let point = source.point(1.5);
            assert!(overlap || !(a.contains(point) && b.contains(point)), "{a:?} {b:?} both have {point:?}");
        }
    }
    said.check();
}

#[test]
fn in_the_plane() {
    let (mut source, mut said) = (Source::new(2), Said::default());
    for _ in 0..4000 {
        let (a, b) = (source.solid2(2.5), source.solid2(2.5));
        let overlap = a.overlaps(&b);
        assert_eq!(overlap, b.overlaps(&a), "{a:?} {b:?}");
        let expected = oracle(&thick(&a), &thick(&b));
        said.count(expected);
        assert!(expected.is_none_or(|expected| overlap == expected), "{a:?} {b:?} expected {expected:?}");
        for _ in 0..8 {
            let point = source.point(2.5);
            assert!(overlap || !(a.contains(point) && b.contains(point)), "{a:?} {b:?} both have {point:?}");
        }
    }
    said.check();
}

#[test]
fn distance_to_a_point() {
    let mut source = Source::new(3);
    for _ in 0..4000 {
        let (shape, point) = (source.solid3(1.5), source.point(3.0));
        let expected = nearest(&shape, wide(point)).distance(wide(point));
        assert!((f64::from(shape.distance(point)) - expected).abs() < 2e-6, "{shape:?} {point:?} {expected}");
        let (inside, near) = (shape.contains(point), shape.distance(point) < 1e-6);
        assert!(near || !inside, "{shape:?} {point:?}");
        // A small ball is a point, but for points within its radius.
        let ball = Ball { centre: point, radius: 0.01 };
        assert!(shape.overlaps_ball(&ball) == (expected < 0.01) || (expected - 0.01).abs() < 1e-6);
    }
}

#[test]
fn turning_both_changes_nothing() {
    let mut source = Source::new(4);
    let turned = |shape: &Shape3, rotation: Quat, by: glam::Vec3| -> Shape3 {
        let place = |centre: [f32; 3]| (rotation * glam::Vec3::from_array(centre) + by).to_array();
        match shape {
            Shape3::Ball(ball) => Ball { centre: place(ball.centre), ..*ball }.into(),
            Shape3::Obb(obb) => {
                let axes = obb.axes.map(|axis| (rotation * glam::Vec3::from_array(axis)).to_array());
                Obb::from_axes(place(obb.centre), obb.half, axes).unwrap().into()
            }
            _ => unreachable!("stands upright"),
        }
    };
    for _ in 0..2000 {
        let a = Shape3::from(source.obb3(1.5));
        let b = if source.below(3) == 0 { Shape3::from(source.ball(1.5)) } else { source.obb3(1.5).into() };
        let (rotation, by) = (source.rotation().normalize(), glam::Vec3::from_array(source.point(4.0)));
        let moved = (turned(&a, rotation, by), turned(&b, rotation, by));
        if let Some(expected) = oracle(&a, &b)
            && shrunk(&a, -1e-5).overlaps(&b) == a.overlaps(&b)
        {
            assert_eq!(moved.0.overlaps(&moved.1), expected, "{a:?} {b:?} {rotation:?} {by:?}");
        }
    }
}

#[test]
fn touching_is_not_overlap() {
    let all = |x: f32| -> [Shape3; 4] {
        // Everything reaches from x to x + 2 and stands on the same heights.
        [
            Ball { centre: [x + 1.0, 0.0, 0.0], radius: 1.0 }.into(),
            Aabb { low: [x, -1.0, -1.0], high: [x + 2.0, 1.0, 1.0] }.into(),
            Obb::from(Aabb { low: [x, -1.0, -1.0], high: [x + 2.0, 1.0, 1.0] }).into(),
            Cylinder { centre: [x + 1.0, 0.0], radius: 1.0, low: -1.0, high: 1.0 }.into(),
        ]
    };
    for a in all(0.0) {
        for b in all(2.0) {
            assert!(!a.overlaps(&b), "{a:?} {b:?}");
        }
        for b in all(1.9999) {
            assert!(a.overlaps(&b), "{a:?} {b:?}");
        }
        for b in all(0.5) {
            assert!(a.overlaps(&b) && b.overlaps(&a), "{a:?} {b:?}");
        }
    }
    // One on top of the other.
    let lower = Cylinder { centre: [0.0, 0.0], radius: 1.0, low: 0.0, high: 1.0 };
    let upper = Cylinder { low: 1.0, high: 2.0, ..lower };
    assert!(!lower.overlaps(&upper) && !lower.overlaps_obb(&Aabb { low: [0.0, 0.0, 1.0], high: [1.0; 3] }.into()));
    assert!(!lower.overlaps_aabb(&Aabb { low: [0.0, 0.0, 1.0], high: [1.0, 1.0, 2.0] }));
}

#[test]
fn a_leaning_box_and_the_rim_of_a_cylinder() {
    // A pole leans over a cylinder: it passes above the rim, and only at greater heights over the circle.
    let lean = Quat::from_rotation_y(std::f32::consts::FRAC_PI_4);
    let pole = |x: f32| Obb::rotated([x, 0.0, 0.0], [0.1, 0.1, 10.0], lean).unwrap();
    let cylinder = Cylinder { centre: [0.0, 0.0], radius: 1.0, low: -1.0, high: 0.0 };
    // Its lower side is at x = 2 + z + 0.1 √2 … and so leaves the circle at z = -1 - 0.1 √2.
    let edge = 2.0 + 0.1 * std::f32::consts::SQRT_2;
    assert!(!cylinder.overlaps_obb(&pole(edge + 0.001)));
    assert!(cylinder.overlaps_obb(&pole(edge - 0.001)));
}

#[test]
fn far_from_the_origin() {
    // Squares of these are beyond f32.
    let far = [1e25, -2e25, 5e24];
    let rotation = Quat::from_rotation_x(0.7);
    let one = Obb::rotated(far, [1e24; 3], rotation).unwrap();
    let two = Obb { centre: [1e25, -2e25, 6e24], ..one };
    let three = Obb { centre: [1e25, -2e25, 1e25], ..one };
    assert!(one.overlaps(&two) && !one.overlaps(&three));
    let tower = Cylinder { centre: [1e25, -2e25], radius: 1e24, low: 0.0, high: 3.5e24 };
    assert!(!tower.overlaps_obb(&one));
    assert!(Cylinder { high: 3.7e24, ..tower }.overlaps_obb(&one));
    assert!(tower.contains([1e25, -2e25, 1e24]) && !tower.contains(far));
}
