//! Bounds have the whole volume inside, rounding included.

use super::super::{Aabb, Ball, Cylinder, Obb, Shape3, Volume};
use super::Source;

fn check_inside<const D: usize>(what: &str, point: [f64; D], bounds: &Aabb<D>, ball: &Ball<D>) {
    let (mut squared, mut size) = (0.0, 0.0_f64);
    for (axis, x) in point.into_iter().enumerate() {
        assert!(f64::from(bounds.low[axis]) <= x && x <= f64::from(bounds.high[axis]), "{what}: {point:?} {bounds:?}");
        squared += (x - f64::from(ball.centre[axis])).powi(2);
        size = size.max(x.abs());
    }
    assert!(squared.sqrt() <= f64::from(ball.radius) + 1e-15 * size, "{what}: {point:?} {ball:?}");
}

/// Points at the very border of a volume.
fn border(shape: &Shape3, source: &mut Source) -> Vec<[f64; 3]> {
    let mut direction = || -> [f64; 3] {
        let v: [f64; 3] = std::array::from_fn(|_| f64::from(source.range(-1.0, 1.0)));
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        v.map(|x| x / length * (1.0 - 1e-15))
    };
    match *shape {
        Shape3::Ball(Ball { centre, radius }) => {
            let at = |v: [f64; 3]| std::array::from_fn(|i| f64::from(centre[i]) + f64::from(radius) * v[i]);
            (0..10).map(|_| at(direction())).collect()
        }
        Shape3::Aabb(Aabb { low, high }) => {
            (0..8).map(|c| std::array::from_fn(|i| f64::from(if c >> i & 1 == 0 { low[i] } else { high[i] }))).collect()
        }
        Shape3::Obb(Obb { centre, half, axes }) => (0..8)
            .map(|corner| {
                std::array::from_fn(|i| {
                    let side = |j: usize| f64::from(if corner >> j & 1 == 0 { -half[j] } else { half[j] });
                    f64::from(centre[i]) + (0..3).map(|j| side(j) * f64::from(axes[j][i])).sum::<f64>()
                })
            })
            .collect(),
        Shape3::Cylinder(Cylinder { centre, radius, low, high }) => (0..10)
            .flat_map(|_| {
                let [x, y, _] = direction();
                let length = x.hypot(y) * (1.0 + 1e-15);
                let at = |v: f64, i: usize| f64::from(centre[i]) + f64::from(radius) * v / length;
                [low, high].map(|z| [at(x, 0), at(y, 1), f64::from(z)])
            })
            .collect(),
        Shape3::Tree(ref tree) => (0..tree.tree.len() as u32)
            .flat_map(|leaf| {
                let leaf = Shape3::from(tree.leaf(leaf).unwrap());
                border(&leaf, source)
            })
            .collect(),
    }
}

#[test]
fn bounds_have_everything_inside() {
    let mut source = Source::new(5);
    for round in 0..3000 {
        let size = [1.0, 1e3, 1e7][round % 3];
        let shape = if round % 5 == 0 { source.tree3(size).into() } else { source.solid3(size) };
        let (bounds, ball) = (shape.bounds(), shape.bounding_ball());
        let what = format!("{shape:?}");
        for point in border(&shape, &mut source) {
            check_inside(&what, point, &bounds, &ball);
        }
        // Points around the corners of the bounds, as far as they count as inside.
        for corner in 0..8 {
            let mut point: [f32; 3] =
                std::array::from_fn(|i| if corner >> i & 1 == 0 { bounds.low[i] } else { bounds.high[i] });
            for step in 0..6 {
                if shape.contains(point) {
                    check_inside(&what, point.map(f64::from), &bounds, &ball);
                }
                point = std::array::from_fn(|i| if step % 2 == 0 { point[i].next_up() } else { point[i].next_down() });
            }
        }
    }
}

#[test]
fn bounds_are_tight() {
    let mut source = Source::new(6);
    for _ in 0..1000 {
        let shape = if source.below(4) == 0 { source.tree3(1.0).into() } else { source.solid3(1.0) };
        let bounds = shape.bounds();
        let (mut reach, mut top) = ([f64::MAX; 3], [f64::MIN; 3]);
        for _ in 0..30 {
            for point in border(&shape, &mut source) {
                for i in 0..3 {
                    (reach[i], top[i]) = (reach[i].min(point[i]), top[i].max(point[i]));
                }
            }
        }
        for i in 0..3 {
            // Round volumes are only sampled.
            assert!((f64::from(bounds.low[i]) - reach[i]).abs() < 0.2, "{shape:?} {bounds:?} {reach:?}");
            assert!((f64::from(bounds.high[i]) - top[i]).abs() < 0.2, "{shape:?} {bounds:?} {top:?}");
        }
    }
}

#[test]
fn what_needs_no_rounding_stays() {
    let ball = Ball { centre: [1.0, 2.0], radius: 0.5 };
    assert_eq!(ball.bounds(), Aabb { low: [0.5, 1.5], high: [1.5, 2.5] });
    assert_eq!(Aabb { low: [0.0, 0.0], high: [6.0, 8.0] }.bounding_ball(), Ball { centre: [3.0, 4.0], radius: 5.0 });
    let aabb = Aabb { low: [0.0, -1.0, 2.0], high: [6.0, 8.0, 2.5] };
    assert_eq!(Obb::from(aabb).bounds(), aabb);
    // Far away and small: the neighbours of the centre.
    let far = Ball { centre: [1e9, 1e9], radius: 1.0 }.bounds();
    assert_eq!((far.low[0], far.high[0]), (1e9_f32.next_down(), 1e9_f32.next_up()));
    let huge = Ball { centre: [3e38, 0.0], radius: 3e38 }.bounds();
    assert_eq!((huge.low[0], huge.high[0]), (0.0, f32::INFINITY));
}
