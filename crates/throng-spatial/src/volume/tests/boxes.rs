//! Oriented boxes: how they are made, and the least ones around points.

use super::super::{Aabb, Cylinder, Obb, Volume, VolumeError};
use super::Source;
use glam::Quat;

fn volume<const D: usize>(obb: &Obb<D>) -> f64 {
    obb.half.iter().map(|&half| 2.0 * f64::from(half)).product()
}

fn check_all_inside<const D: usize>(obb: &Obb<D>, points: &[[f32; D]]) {
    for &point in points {
        assert_eq!(obb.distance_squared(point), 0.0, "{point:?} {obb:?}");
    }
}

#[test]
fn axes_are_mended_or_refused() {
    let nearly = [[1.0, 0.0001], [0.0, 1.0]];
    let mended = Obb::from_axes([0.0; 2], [1.0; 2], nearly).unwrap().axes;
    assert!((mended[0][0] * mended[1][0] + mended[0][1] * mended[1][1]).abs() < 1e-7);
    let message = |axes: [[f32; 2]; 2]| Obb::from_axes([0.0; 2], [1.0; 2], axes).unwrap_err().to_string();
    assert_eq!(
        message([[1.0, 0.0], [0.0, 2.0]]),
        "axes 1 and 1 have the product 4, expected 1 to within 0.001: give axes of length 1 at right angles"
    );
    assert_eq!(
        message([[1.0, 0.0], [1.0, 0.0]]),
        "axes 0 and 1 have the product 1, expected 0 to within 0.001: give axes of length 1 at right angles"
    );
    assert!(message([[f32::NAN, 0.0], [1.0, 0.0]]).starts_with("axes 0 and 0 have the product NaN"));
    let none = Obb::rotated([0.0; 3], [1.0; 3], Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert_eq!(none, Err(VolumeError::Rotation { found: 0.0 }));
    assert_eq!(
        VolumeError::Rotation { found: 0.0 }.to_string(),
        "the rotation has length 0: give a quaternion that is not zero and of finite numbers"
    );
}

#[test]
fn turns_go_from_x_to_y() {
    let obb = Obb::turned([1.0, 1.0], [2.0, 1.0], 90.0);
    assert!(obb.contains([1.5, 2.9]) && !obb.contains([2.9, 1.5]));
    let closest = obb.closest([1.0, 9.0]);
    assert!((closest[0] - 1.0).abs() < 1e-6 && (closest[1] - 3.0).abs() < 1e-6, "{closest:?}");
    let turned = Obb::rotated([0.0; 3], [3.0, 1.0, 1.0], Quat::from_rotation_z(0.5) * 2.0).unwrap();
    assert!(turned.contains([2.9 * 0.5_f32.cos(), 2.9 * 0.5_f32.sin(), 0.5]));
    assert!(turned.bounds().high[2] - 1.0 < 1e-5);
}

#[test]
fn least_rectangles() {
    let mut source = Source::new(7);
    for round in 0..1000 {
        let count = 1 + source.below(40) as usize;
        let scale = [1.0, 1e-6, 1e6, 1e30][round % 4];
        let points: Vec<[f32; 2]> = (0..count).map(|_| source.point::<2>(3.0).map(|x| x * scale)).collect();
        let obb = Obb::<2>::of(&points).unwrap();
        check_all_inside(&obb, &points);
        let least = (0..720)
            .map(|step| {
                let axes = Obb::turned([0.0; 2], [0.0; 2], step as f32 / 8.0).axes;
                let side = |axis: [f32; 2]| {
                    let along = points
                        .iter()
                        .map(|p| f64::from(p[0]) * f64::from(axis[0]) + f64::from(p[1]) * f64::from(axis[1]));
                    along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
                };
                side(axes[0]) * side(axes[1])
            })
            .fold(f64::MAX, f64::min);
        let rounding = 1e-5 * f64::from(scale) * f64::from(scale);
        assert!(volume(&obb) <= least + rounding, "{points:?} {} {least}", volume(&obb));
    }
}

#[test]
fn small_boxes() {
    let mut source = Source::new(8);
    for round in 0..400 {
        let count = 1 + source.below(40) as usize;
        let scale = [1.0, 1e-6, 1e6, 1e30][round % 4];
        let points: Vec<[f32; 3]> = (0..count).map(|_| source.point::<3>(3.0).map(|x| x * scale)).collect();
        let obb = Obb::<3>::of(&points).unwrap();
        check_all_inside(&obb, &points);
        let aabb = Aabb::of(&points).unwrap();
        let rounding = 1e-5 * f64::from(scale).powi(3);
        assert!(volume(&obb) <= volume(&Obb::from(aabb)) + rounding, "{points:?}");
        // No turn about an axis of its own makes it smaller.
        for up in 0..3 {
            let plane: Vec<[f32; 2]> = points
                .iter()
                .map(|&point| {
                    let along = obb.along(point.map(f64::from));
                    [along[(up + 1) % 3] as f32, along[(up + 2) % 3] as f32]
                })
                .collect();
            let area = volume(&Obb::<2>::of(&plane).unwrap());
            let other = 2.0 * f64::from(obb.half[up]) * area;
            assert!(
                volume(&obb) <= other * (1.0 + 1e-4) + rounding,
                "round {round}: {} {other} {points:?}",
                volume(&obb)
            );
        }
    }
}

#[test]
fn boxes_are_found_again() {
    let mut source = Source::new(9);
    for _ in 0..300 {
        let given = Obb { half: [1.0, 0.7, 0.4].map(|half| half * source.range(0.9, 1.1)), ..source.obb3(5.0) };
        let mut points: Vec<[f32; 3]> = given.corners().collect();
        for _ in 0..source.below(50) {
            let inside = [source.range(-0.2, 0.2), source.range(-0.2, 0.2), source.range(-0.2, 0.2)];
            points.push(std::array::from_fn(|i| given.centre[i] + inside[i]));
        }
        let found = Obb::<3>::of(&points).unwrap();
        check_all_inside(&found, &points);
        assert!(volume(&found) <= volume(&given) * 1.0001, "{given:?} {found:?}");
    }
}

#[test]
fn degenerate_points() {
    assert_eq!(Obb::<2>::of(&[]), None);
    assert_eq!(Obb::<3>::of(&[[f32::INFINITY, 0.0, 0.0]]), None);
    assert_eq!(Obb::<3>::of(&[[1.0, 2.0, 3.0]; 4]).unwrap().half, [0.0; 3]);
    assert_eq!(Obb::<2>::of(&[[1.0, 2.0], [f32::NAN, 1.0]]).unwrap().half, [0.0; 2]);
    // On a line: one side, no others.
    let line: Vec<[f32; 3]> = (0..20).map(|i| [i as f32, 2.0 * i as f32, -i as f32]).collect();
    let obb = Obb::<3>::of(&line).unwrap();
    check_all_inside(&obb, &line);
    let mut half = obb.half;
    half.sort_by(f32::total_cmp);
    assert!(half[1] < 1e-4 && (half[2] - 9.5 * 6.0_f32.sqrt()).abs() < 1e-4, "{half:?}");
    let flat = Obb::<2>::of(&line.iter().map(|p| [p[0], p[1]]).collect::<Vec<_>>()).unwrap();
    assert!(flat.half[1] < 1e-5 && (flat.half[0] - 9.5 * 5.0_f32.sqrt()).abs() < 1e-4, "{flat:?}");
    // In a plane: the least rectangle there.
    let tilt = Obb::rotated([1.0; 3], [2.0, 1.0, 0.0], Quat::from_xyzw(0.3, 0.5, -0.2, 0.8)).unwrap();
    let plane: Vec<[f32; 3]> = tilt.corners().collect();
    let mut half = Obb::<3>::of(&plane).unwrap().half;
    half.sort_by(f32::total_cmp);
    assert!(half[0] < 1e-5 && (half[1] - 1.0).abs() < 1e-4 && (half[2] - 2.0).abs() < 1e-4, "{half:?}");
    // As far as numbers go.
    let huge = [[-3e38, 0.0, 0.0], [3e38, 1e38, 0.0], [0.0, 0.0, 2e38], [1e38, 1e38, 1e38]];
    check_all_inside(&Obb::<3>::of(&huge).unwrap(), &huge);
}

#[test]
fn cylinders_around_points() {
    let mut source = Source::new(10);
    for _ in 0..300 {
        let count = 1 + source.below(30) as usize;
        let points: Vec<[f32; 3]> = (0..count).map(|_| source.point(30.0)).collect();
        let cylinder = Cylinder::of(&points).unwrap();
        for &point in &points {
            let across = f64::from(cylinder.distance(point));
            assert!(across <= 1e-13, "{point:?} {across} {cylinder:?}");
        }
    }
    assert_eq!(Cylinder::of(&[[0.0, f32::NAN, 0.0]]), None);
    let point = Cylinder::of(&[[1.0, 2.0, 3.0], [f32::NAN, 9.0, 9.0]]);
    assert_eq!(point, Some(Cylinder { centre: [1.0, 2.0], radius: 0.0, low: 3.0, high: 3.0 }));
}
