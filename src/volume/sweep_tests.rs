//! Continuous tests against the distance at many times.

use super::wide::{along, dot, minus, narrow, unit, widen};
use super::{Aabb, Ball, Cylinder, Hit, Obb, Ray, Segment, Sweep};
use glam::Quat;
use proptest::prelude::*;

/// What rounding may cost (m): sizes here are about 1 m, ways up to 20 km, numbers have 53 bits.
const TOLERANCE: f64 = 1e-9;

/// The least distance in [0, 1], and its time: the best of many times, and around it the best by trisection.
fn least(distance: impl Fn(f64) -> f64) -> (f64, f64) {
    const TIMES: u32 = 100;
    let time = |i: u32| f64::from(i.min(TIMES)) / f64::from(TIMES);
    let best = (0..=TIMES).min_by(|&i, &j| distance(time(i)).total_cmp(&distance(time(j)))).unwrap();
    let (mut low, mut high) = (time(best.saturating_sub(1)), time(best + 1));
    for _ in 0..90 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(a) < distance(b) { high = b } else { low = a }
    }
    [0.0, low, high, 1.0].into_iter().map(|time| (distance(time), time)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

/// Asserts that `hit` is the first moment at which the distance from the centre to the target falls below the radius.
fn check<const D: usize>(sweep: &Sweep<D>, hit: Option<Hit<D>>, to_target: impl Fn([f64; D]) -> f64) {
    let reach = f64::from(sweep.radius);
    let distance = |time: f64| to_target(sweep.ray.at(time));
    let (nearest, when) = least(distance);
    let Some(hit) = hit else {
        assert!(nearest > reach - TOLERANCE, "missed: {nearest} from it at {when}, with radius {reach}");
        return;
    };
    assert!((0.0..1.0).contains(&hit.time), "{hit:?}");
    assert!(nearest < reach + TOLERANCE, "hit at {}, but never nearer than {nearest}, radius {reach}", hit.time);
    let there = distance(hit.time);
    if hit.time == 0.0 {
        assert!(there < reach + TOLERANCE, "no overlap at the start");
    } else {
        assert!((there - reach).abs() < TOLERANCE, "at {} the distance is {there}, the radius {reach}", hit.time);
    }
    // No overlap before: at many times, and closer and closer to the hit.
    for i in 0..100_u8 {
        let shares = [f64::from(i) / 100.0, 1.0 - 0.7_f64.powi(i32::from(i))];
        for time in shares.map(|share| share * hit.time).into_iter().filter(|&time| time < hit.time) {
            assert!(distance(time) > reach - TOLERANCE, "overlap at {time} before {}", hit.time);
        }
    }
    // The point is on the target, where the ball touches it, and the normal faces the ball.
    if there > 0.0 && there > reach - TOLERANCE {
        let (centre, point, normal) = (sweep.ray.at(hit.time), widen(hit.point), widen(hit.normal));
        let rounding = centre.iter().fold(1.0_f64, |most, x| most.max(x.abs())) * 1e-6;
        assert!(to_target(point) < rounding);
        assert!((dot(normal, normal) - 1.0).abs() < 1e-6);
        assert!(dot(normal, sweep.ray.along) <= 1e-6 * dot(sweep.ray.along, sweep.ray.along).sqrt());
        if reach > 1e-3 {
            let off = minus(along(point, reach, normal), centre);
            assert!(dot(off, off).sqrt() < rounding, "{hit:?} of {sweep:?}");
        }
    }
}

fn box_distance<const D: usize>(target: &Aabb<D>, point: [f64; D]) -> f64 {
    let beyond = |axis: usize| {
        let (low, high) = (f64::from(target.low[axis]), f64::from(target.high[axis]));
        (low - point[axis]).max(point[axis] - high).max(0.0)
    };
    (0..D).map(|axis| beyond(axis).powi(2)).sum::<f64>().sqrt()
}

fn ball_distance<const D: usize>(target: &Ball<D>, point: [f64; D]) -> f64 {
    let offset = minus(point, widen(target.centre));
    (dot(offset, offset).sqrt() - f64::from(target.radius)).max(0.0)
}

/// The least of the distances from the ends and from the foot of the perpendicular, where that is on the segment.
fn segment_distance<const D: usize>(target: &Segment<D>, point: [f64; D]) -> f64 {
    let (from, to) = (widen(target.from), widen(target.to));
    let away = |share: f64| {
        let offset = minus(along(from, share, minus(to, from)), point);
        dot(offset, offset).sqrt()
    };
    let span = minus(to, from);
    let share = -dot(minus(from, point), span) / dot(span, span).max(1e-300);
    [0.0, 1.0].into_iter().chain((0.0..=1.0).contains(&share).then_some(share)).map(away).fold(f64::INFINITY, f64::min)
}

fn unit_cube() -> impl Strategy<Value = [f32; 3]> {
    [-1.0..1.0_f32, -1.0..1.0_f32, -1.0..1.0_f32]
}

fn logarithmic(low: f32, high: f32) -> impl Strategy<Value = f32> {
    (low.ln()..high.ln()).prop_map(f32::exp)
}

/// A moving ball that is aimed at something of size 1 about `at`.
#[derive(Clone, Debug)]
struct Shot {
    radius: f32,
    at: [f32; 3],
    /// Which way it comes from, what it is aimed at.
    side: [f32; 3],
    aim: [f32; 3],
    /// Diameters a tick; where on the way it is nearest to what it is aimed at.
    diameters: f32,
    share: f32,
    target_motion: [f32; 3],
}

fn shots() -> impl Strategy<Value = Shot> {
    let place = prop_oneof![4 => Just(0.0_f32), 1 => Just(1000.0)];
    let share = prop_oneof![4 => 0.0..1.0_f32, 1 => -0.5..2.0_f32, 1 => Just(0.0), 1 => Just(1.0)];
    let diameters = prop_oneof![8 => logarithmic(0.01, 10_000.0), 1 => Just(0.0), 2 => Just(10_000.0)];
    let moving = prop_oneof![Just(0.0_f32), Just(1.0), Just(100.0)];
    (
        prop_oneof![8 => logarithmic(0.01, 1.0), 1 => Just(1e-5)],
        (place, unit_cube()).prop_map(|(far, unit)| unit.map(|x| far * x)),
        unit_cube(),
        unit_cube(),
        diameters,
        share,
        (moving, unit_cube()).prop_map(|(fast, unit)| unit.map(|x| fast * x)),
    )
        .prop_map(|(radius, at, side, aim, diameters, share, target_motion)| Shot {
            radius,
            at,
            side,
            aim,
            diameters,
            share,
            target_motion,
        })
}

impl Shot {
    fn at<const D: usize>(&self) -> [f32; D] {
        std::array::from_fn(|axis| self.at[axis])
    }

    /// Seen from the target.
    fn sweep<const D: usize>(&self) -> Sweep<D> {
        let length = f64::from(self.diameters * 2.0 * self.radius);
        let way = unit::<D>(std::array::from_fn(|axis| f64::from(self.side[axis])));
        let aim: [f64; D] = std::array::from_fn(|axis| f64::from(self.at[axis] + 1.5 * self.aim[axis]));
        let from = narrow(along(aim, -length * f64::from(self.share), way));
        let target_motion: [f32; D] = std::array::from_fn(|axis| self.target_motion[axis]);
        let motion = narrow(along(widen(target_motion), length, way));
        Sweep::relative(&Ball { centre: from, radius: self.radius }, motion, target_motion)
    }
}

fn sizes() -> impl Strategy<Value = [f32; 3]> {
    let size = || prop_oneof![3 => logarithmic(1e-4, 1.0), 1 => Just(0.0_f32), 1 => Just(1.0)];
    [size(), size(), size()]
}

fn all<const D: usize>(shot: &Shot, size: [f32; 3]) {
    let (sweep, at) = (shot.sweep::<D>(), shot.at::<D>());
    let half: [f32; D] = std::array::from_fn(|axis| size[axis]);
    let ball = Ball { centre: at, radius: size[0] };
    check(&sweep, sweep.hit_ball(&ball), |point| ball_distance(&ball, point));
    assert_eq!(sweep.time_to_ball(&ball), sweep.hit_ball(&ball).map(|hit| hit.time));

    let aabb = Aabb {
        low: std::array::from_fn(|axis| at[axis] - half[axis]),
        high: std::array::from_fn(|axis| at[axis] + half[axis]),
    };
    check(&sweep, sweep.hit_aabb(&aabb), |point| box_distance(&aabb, point));

    let to = std::array::from_fn(|axis| at[axis] + 2.0 * size[axis] * shot.side[2 - axis]);
    let segment = Segment { from: at, to };
    check(&sweep, sweep.hit_segment(&segment), |point| segment_distance(&segment, point));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn the_first_moment_of_overlap(shot in shots(), size in sizes(), degrees in -180.0..180.0_f32, turn in unit_cube()) {
        all::<2>(&shot, size);
        all::<3>(&shot, size);

        let gate = Obb::turned(shot.at(), [size[0], size[1]], degrees);
        let sweep = shot.sweep();
        check(&sweep, sweep.hit_obb(&gate), |point| gate.gap_squared(point).sqrt());

        let turn = Quat::from_xyzw(turn[0], turn[1], turn[2], 1.0);
        let block = Obb::rotated(shot.at(), size, turn).unwrap();
        let sweep = shot.sweep();
        check(&sweep, sweep.hit_obb(&block), |point| block.gap_squared(point).sqrt());

        let [x, y, z] = shot.at;
        let cylinder = Cylinder { centre: [x, y], radius: size[0], low: z - size[1], high: z + size[2] };
        check(&sweep, sweep.hit_cylinder(&cylinder), |point| cylinder.gap_squared(point).sqrt());
    }
}
