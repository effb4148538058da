//! Continuous tests against the distance at many times.

use super::wide::{along, dot, minus, narrow, unit, widen};
use super::{Aabb, Ball, Cylinder, Hit, Obb, Pose, PosedTree, Ray, Segment, Shape2, Shape3, SphereTree, Sweep};
use glam::Quat;
use proptest::prelude::*;
use std::sync::Arc;

/// The rounding error of a test, at most (m): sizes here are about 1 m, ways up to 20 km, numbers have 53 bits.
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
    if let Some(hit) = hit {
        assert!(sweep.bounds().closest(hit.point) == hit.point || hit.time == 0.0, "{hit:?} out of bounds");
    }
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

/// Of a range from 0: where both ends are above 0 and the lower one is no multiple of the last place of the upper one,
/// proptest may draw a number just below it, and panics then.
fn logarithmic(low: f32, high: f32) -> impl Strategy<Value = f32> {
    (0.0..1.0_f32).prop_map(move |share| (low.ln() + share * (high / low).ln()).exp())
}

/// A moving ball that is aimed past or at something of size 1 about `at`.
#[derive(Clone, Debug)]
struct Shot {
    radius: f32,
    at: [f32; 3],
    /// Its direction, and its target.
    side: [f32; 3],
    aim: [f32; 3],
    /// Diameters a tick; where on the way it is nearest to its target.
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
        (prop_oneof![Just(0.3_f32), Just(1.5)], unit_cube()).prop_map(|(far, unit)| unit.map(|x| far * x)),
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
        let aim: [f64; D] = std::array::from_fn(|axis| f64::from(self.at[axis] + self.aim[axis]));
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

/// How far outside a box a point is along the axis on which it is most so: negative inside.
fn box_depth(offset: impl IntoIterator<Item = f64>, half: impl IntoIterator<Item = f32>) -> f64 {
    offset.into_iter().zip(half).map(|(x, half)| x.abs() - f64::from(half)).fold(f64::NEG_INFINITY, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn rays_enter_where_the_depth_begins(shot in shots(), size in sizes(), degrees in -180.0..180.0_f32) {
        // Faces at places that are known exactly, beside the origin.
        let shot = Shot { at: [0.0; 3], radius: 0.5, ..shot };
        let flat = Sweep { radius: 0.0, ..shot.sweep::<2>() };
        let deep = Sweep { radius: 0.0, ..shot.sweep::<3>() };

        let ball = Ball { centre: [0.0; 3], radius: size[0] };
        check(&deep, deep.ray.hit_ball(&ball), |point| dot(point, point).sqrt() - f64::from(size[0]));
        let block = Aabb { low: size.map(|x| -x), high: size };
        check(&deep, deep.ray.hit_aabb(&block), |point| box_depth(point, size));
        let gate = Obb::turned([0.0; 2], [size[0], size[1]], degrees);
        check(&flat, flat.ray.hit_obb(&gate), |point| box_depth(gate.along(point), gate.half));
        let cylinder = Cylinder { centre: [0.0; 2], radius: size[0], low: -size[1], high: size[1] };
        check(&deep, deep.ray.hit_cylinder(&cylinder), |[x, y, z]| box_depth([x.hypot(y), z], size));

        // A ball of radius 0 is a ray; a ray without an end finds the same, unless it ends first.
        prop_assert_eq!(deep.hit_aabb(&block), deep.ray.hit_aabb(&block));
        prop_assert_eq!(flat.hit_obb(&gate), flat.ray.hit_obb(&gate));
        prop_assert_eq!(deep.hit_cylinder(&cylinder), deep.ray.hit_cylinder(&cylinder));
        let endless = Ray { until: f64::INFINITY, ..deep.ray };
        prop_assert_eq!(endless.hit_aabb(&block).filter(|hit| hit.time < 1.0), deep.ray.hit_aabb(&block));
        prop_assert_eq!(endless.hit_ball(&ball).filter(|hit| hit.time < 1.0), deep.ray.hit_ball(&ball));
        prop_assert_eq!(endless.hit_cylinder(&cylinder).filter(|hit| hit.time < 1.0), deep.ray.hit_cylinder(&cylinder));
    }

    #[test]
    fn no_shot_passes_through_a_thin_target(
        radius in prop_oneof![2 => logarithmic(0.01, 1.0), 1 => Just(0.0_f32)],
        thick in prop_oneof![2 => logarithmic(1e-7, 0.1), 1 => Just(0.0_f32)],
        speed in prop_oneof![logarithmic(10.0, 10_000.0), Just(10_000.0)],
        share in 0.0..1.0_f32,
        slope in [-1.0..1.0_f32, -1.0..1.0],
        aim in [-0.9..0.9_f32, -0.9..0.9],
        (side, degrees) in (prop::sample::select(vec![-1.0, 1.0_f32]), -180.0..180.0_f32),
    ) {
        // From one side of a body in the plane x = 0 to the other, through a place of it: `speed` diameters and more.
        let width = (2.0 * radius).max(0.5) * speed;
        let [start, end] = [-share, 1.0 - share].map(|share| side * (share * width + (radius + 0.2) * share.signum()));
        let at = |x: f32| [x, aim[0] + x / width * slope[0], aim[1] + x / width * slope[1]];
        let ball = Ball { centre: at(start), radius };
        let shot = Sweep::new(&ball, narrow(minus(widen(at(end)), widen(at(start)))));
        let flat = Sweep::new(
            &Ball { centre: [ball.centre[0], ball.centre[1]], radius },
            [shot.ray.along[0] as f32, shot.ray.along[1] as f32],
        );

        let plate = Aabb { low: [-thick, -1.0, -1.0], high: [thick, 1.0, 1.0] };
        prop_assert!(shot.hit_aabb(&plate).is_some());
        prop_assert!(shot.hit_obb(&Obb::from(plate)).is_some());
        let wall = Segment { from: [0.0, -1.0], to: [0.0, 1.0] };
        prop_assert!(flat.hit_segment(&wall).is_some());
        // The same, all turned.
        let gate = Obb::turned([0.0, 0.0], [thick, 1.0], degrees);
        let turned = |[x, y]: [f64; 2]| -> [f64; 2] {
            std::array::from_fn(|i| x * f64::from(gate.axes[0][i]) + y * f64::from(gate.axes[1][i]))
        };
        let ray = Ray { from: turned(flat.ray.from), along: turned(flat.ray.along), until: 1.0 };
        let flat = Sweep { ray, ..flat };
        prop_assert!(flat.hit_obb(&gate).is_some());
        let wall = Segment { from: narrow(turned([0.0, -1.0])), to: narrow(turned([0.0, 1.0])) };
        prop_assert!(flat.hit_segment(&wall).is_some());

        // A coin and a pole, both across the way: z is what x was.
        let [x, y, z] = [1, 2, 0].map(|axis| shot.ray.from[axis]);
        let [dx, dy, dz] = [1, 2, 0].map(|axis| shot.ray.along[axis]);
        let down = Sweep { ray: Ray { from: [x, y, z], along: [dx, dy, dz], until: 1.0 }, radius };
        let coin = Cylinder { centre: [0.0; 2], radius: 1.3, low: -thick, high: thick };
        prop_assert!(down.hit_cylinder(&coin).is_some());
        let along_x = Sweep { ray: Ray { from: [z, 0.0, y], along: [dz, 0.0, dy], until: 1.0 }, radius };
        let pole = Cylinder { centre: [0.0; 2], radius: thick, low: -1.0, high: 1.0 };
        prop_assert!(along_x.hit_cylinder(&pole).is_some() || radius + thick == 0.0);
        let pole = Segment { from: [0.0, 0.0, -1.0], to: [0.0, 0.0, 1.0] };
        prop_assert!(along_x.hit_segment(&pole).is_some() || radius == 0.0);
        // Something small on the way.
        let grain = Ball { centre: narrow(shot.ray.at(0.37)), radius: thick };
        let off = minus(shot.ray.at(0.37), widen(grain.centre));
        prop_assert!(shot.hit_ball(&grain).is_some() || f64::from(radius + thick) < 2.0 * dot(off, off).sqrt() + 1e-30);
    }

    #[test]
    fn no_shot_passes_between_two_ticks(
        from in [-9.0..-1.0_f32, -0.5..0.5],
        step in [0.001_953_125..2.0_f32, -0.05..0.05],
        radius in prop_oneof![Just(0.0_f32), 0.0..0.5_f32],
        joint in -0.9..0.9_f32,
        lean in -0.5..0.5_f32,
    ) {
        // A wall of two segments that meet; places are rounded after each tick.
        let (end, other) = ([0.3 * lean, -8.0], [lean, 8.0]);
        let walls = [Segment { from: end, to: [0.0, joint] }, Segment { from: other, to: [0.0, joint] }];
        let plate = Aabb { low: [0.0, -9.0], high: [0.0, 9.0] };
        let mut centre = from;
        let (mut walls_hit, mut plate_hit) = (false, false);
        for _ in 0..20_000 {
            if centre[0] > 2.0 {
                break;
            }
            let next = [centre[0] + step[0], centre[1] + step[1]];
            let sweep = Sweep { ray: Ray::between(centre, next), radius };
            walls_hit |= walls.iter().any(|wall| sweep.hit_segment(wall).is_some());
            plate_hit |= sweep.hit_aabb(&plate).is_some();
            centre = next;
        }
        if centre[1].abs() < 7.0 && centre[0] > 2.0 {
            prop_assert!(walls_hit && plate_hit);
        }
    }

    #[test]
    fn both_move(
        a in unit_cube(), b in unit_cube(), motion in unit_cube(), other in unit_cube(),
        fast in logarithmic(1.0, 10_000.0), radius in [0.125..1.0_f32, 0.125..1.0],
    ) {
        let (one, two) = (Ball { centre: a.map(|x| 9.0 * x), radius: radius[0] }, Ball { centre: b, radius: radius[1] });
        let (motion, other) = (motion.map(|x| fast * x), other.map(|x| fast * x));
        let time = Sweep::relative(&one, motion, other).time_to_ball(&two);
        // Either may be looked at from the other.
        let turned = Sweep::relative(&two, other, motion).time_to_ball(&one);
        prop_assert_eq!(time.is_some(), turned.is_some());
        if let (Some(time), Some(turned)) = (time, turned) {
            prop_assert!((time - turned).abs() < 1e-12);
            let away = minus(
                along(widen(one.centre), time, widen(motion)),
                along(widen(two.centre), time, widen(other)),
            );
            let gap = dot(away, away).sqrt() - f64::from(radius[0]) - f64::from(radius[1]);
            let met = gap < TOLERANCE && (time == 0.0 || gap > -TOLERANCE);
            prop_assert!(met, "at {time} they are {gap} apart");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn the_first_leaf_of_a_tree(
        shot in shots(),
        leaves in prop::collection::vec((unit_cube(), prop_oneof![0.0..0.5_f32, Just(0.25)]), 1..40),
        degrees in -180.0..180.0_f32,
        copies in 1..3_usize,
    ) {
        // Some leaves twice, so that some are hit at the same time.
        let leaves: Vec<_> = leaves.iter().cycle().take(leaves.len() * copies).copied().collect();
        let flat: Vec<_> = leaves.iter().map(|&([x, y, _], radius)| Ball { centre: [x, y], radius }).collect();
        let deep: Vec<_> = leaves.iter().map(|&(centre, radius)| Ball { centre, radius }).collect();
        let flat = PosedTree {
            tree: Arc::new(SphereTree::new(&flat).unwrap()),
            pose: Pose::turned(shot.at(), degrees),
        };
        let turn = Quat::from_xyzw(shot.side[1], shot.side[0], shot.side[2], 1.0);
        let deep = PosedTree {
            tree: Arc::new(SphereTree::new(&deep).unwrap()),
            pose: Pose::rotated(shot.at(), turn).unwrap(),
        };
        first_leaf(&shot.sweep(), &flat);
        first_leaf(&shot.sweep(), &deep);
        first_leaf(&Sweep { radius: 0.0, ..shot.sweep() }, &deep);
    }
}

fn first_leaf<const D: usize>(sweep: &Sweep<D>, tree: &PosedTree<D>) {
    let all = (0..tree.tree.len() as u32).filter_map(|leaf| Some((leaf, sweep.hit_ball(&tree.leaf(leaf)?)?)));
    let first = all.min_by(|a, b| a.1.time.total_cmp(&b.1.time).then(a.0.cmp(&b.0)));
    assert_eq!(sweep.hit_tree(tree), first);
}

#[test]
fn any_kind_is_tested_as_its_own() {
    let sweep = Sweep::new(&Ball { centre: [-3.0, 0.5, 0.5], radius: 0.25 }, [6.0, 0.0, 0.0]);
    let ball = Ball { centre: [0.5, 0.5, 0.5], radius: 0.5 };
    let block = Aabb { low: [0.0; 3], high: [1.0; 3] };
    let cylinder = Cylinder { centre: [0.5, 0.5], radius: 0.5, low: 0.0, high: 1.0 };
    let tree = PosedTree { tree: Arc::new(SphereTree::new(&[ball]).unwrap()), pose: Pose::default() };
    let kinds: [Shape3; 5] = [ball.into(), block.into(), Obb::from(block).into(), cylinder.into(), tree.into()];
    for kind in kinds {
        let hit = sweep.hit_shape(&kind).unwrap();
        assert_eq!((hit.time * 6.0, hit.normal), (2.75, [-1.0, 0.0, 0.0]), "{kind:?}");
    }
    let sweep = Sweep::new(&Ball { centre: [-3.0, 0.5], radius: 0.25 }, [6.0, 0.0]);
    let ball = Ball { centre: [0.5, 0.5], radius: 0.5 };
    let block = Aabb { low: [0.0; 2], high: [1.0; 2] };
    let tree = PosedTree { tree: Arc::new(SphereTree::new(&[ball]).unwrap()), pose: Pose::default() };
    let kinds: [Shape2; 4] = [ball.into(), block.into(), Obb::from(block).into(), tree.into()];
    for kind in kinds {
        let hit = sweep.hit_shape(&kind).unwrap();
        assert_eq!((hit.time * 6.0, hit.normal), (2.75, [-1.0, 0.0]), "{kind:?}");
    }
}
