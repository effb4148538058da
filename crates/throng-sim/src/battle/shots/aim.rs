//! In which direction to shoot to hit a point.

use crate::battle::GRAVITY;
use throng_grid::geom::Vec3;

/// Share of its height from which an agent shoots.
pub(super) const HAND: f32 = 0.8;

/// At which share of its height a target is aimed at.
pub(super) const CHEST: f32 = 0.6;

/// The slopes of the arcs in which is shot where the straight way is not free.
pub(super) const SLOPES: [f32; 4] = [1.0, 2.0, 4.0, 8.0];

/// How to shoot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimed {
    /// The velocity to shoot with (m/s).
    pub velocity: Vec3,
    /// How long it flies (s).
    pub time: f32,
}

/// The flatter of the two arcs from one point to another (m) at a speed (m/s); `None` where it does not carry so far, or one is
/// above the other.
pub fn straight(from: Vec3, to: Vec3, speed: f32) -> Option<Aimed> {
    let (distance, rise) = way(from, to)?;
    let (gravity, squared) = (f64::from(GRAVITY), f64::from(speed) * f64::from(speed));
    let fall = gravity * distance * distance + 2.0 * rise * squared;
    let within = squared * squared - gravity * fall;
    if within < 0.0 {
        return None;
    }
    // The smaller root without the difference of nearly equal numbers.
    let slope = fall / (distance * (squared + within.sqrt()));
    Some(aimed(from, to, f64::from(speed), slope, distance))
}

/// The arc that leaves with a slope (rise over run), as slowly as it takes, over heads and walls; where that takes more than a speed
/// (m/s), the steepest at that speed. `None` where it does not carry so far, or the point lies higher than that arc rises.
///
/// Of two arcs to one point the steeper is the higher all the way: what the steepest does not clear none does.
pub fn lob(from: Vec3, to: Vec3, speed: f32, slope: f32) -> Option<Aimed> {
    let ((distance, rise), slope, speed) = (way(from, to)?, f64::from(slope), f64::from(speed));
    let bend = slope * distance - rise;
    let needed = (0.5 * f64::from(GRAVITY) * (1.0 + slope * slope) / bend).sqrt() * distance;
    if bend > 0.0 && needed <= speed {
        return Some(aimed(from, to, needed, slope, distance));
    }
    let (gravity, squared) = (f64::from(GRAVITY), speed * speed);
    let within = squared * squared - gravity * (gravity * distance * distance + 2.0 * rise * squared);
    let steepest = (squared + within.max(0.0).sqrt()) / (gravity * distance);
    (within >= 0.0 && steepest <= slope).then(|| aimed(from, to, speed, steepest, distance))
}

/// How far it is, and how much higher.
fn way(from: Vec3, to: Vec3) -> Option<(f64, f64)> {
    let way = to.as_dvec3() - from.as_dvec3();
    let distance = way.truncate().length();
    (distance > 1e-6).then_some((distance, way.z))
}

fn aimed(from: Vec3, to: Vec3, speed: f64, slope: f64, distance: f64) -> Aimed {
    let level = speed / (1.0 + slope * slope).sqrt();
    let way = (to.as_dvec3() - from.as_dvec3()).truncate() * (level / distance);
    Aimed { velocity: way.extend(level * slope).as_vec3(), time: (distance / level) as f32 }
}

/// Place and velocity after a tick of free fall: exact, not only to first order.
pub(super) fn fall(at: Vec3, velocity: Vec3, step: f32) -> (Vec3, Vec3) {
    let drop = Vec3::new(0.0, 0.0, GRAVITY * step);
    (at + velocity * step - drop * (0.5 * step), velocity - drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_arcs_end_at_the_point(
            to in prop::array::uniform3(-90.0_f32..90.0),
            speed in 5.0_f32..200.0,
        ) {
            let (from, to) = (Vec3::new(3.0, -4.0, 1.5), Vec3::from_array(to) * Vec3::new(1.0, 1.0, 0.2));
            let lobs = [0.5, 1.0, 2.0, 8.0].map(|slope| lob(from, to, speed, slope));
            for aimed in lobs.into_iter().chain([straight(from, to, speed)]).flatten() {
                let Aimed { velocity, time } = aimed;
                let end = from + velocity * time - Vec3::Z * (0.5 * GRAVITY * time * time);
                prop_assert!(end.distance(to) < 1e-3 * (1.0 + to.length()), "{end} instead of {to}");
                prop_assert!(velocity.length() < speed * 1.001);
            }
            // If a lob carries so far, so does the flatter arc.
            for lob in lobs.into_iter().flatten() {
                let flat = straight(from, to, speed).unwrap();
                prop_assert!(flat.time <= lob.time * 1.001);
            }
        }
    }

    #[test]
    fn what_is_too_far_is_not_shot_at() {
        let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        assert_eq!(straight(Vec3::ZERO, at(41.0, 0.0), 20.0), None, "20 m/s carry 40.77 m");
        assert!(straight(Vec3::ZERO, at(40.7, 0.0), 20.0).is_some());
        assert_eq!(lob(Vec3::ZERO, at(10.0, 10.5), 1000.0, 1.0), None, "too steep");
        assert_eq!(lob(Vec3::ZERO, at(41.0, 0.0), 20.0, 4.0), None, "20 m/s carry 40.77 m");
        let slope = |aimed: Aimed| aimed.velocity.z / aimed.velocity.x;
        assert!((slope(lob(Vec3::ZERO, at(30.0, 0.0), 45.0, 4.0).unwrap()) - 4.0).abs() < 1e-3);
        assert!(slope(lob(Vec3::ZERO, at(40.0, 0.0), 20.0, 4.0).unwrap()) < 1.3, "it is not fast enough for more");
        assert_eq!(straight(Vec3::ZERO, at(0.0, 5.0), 1000.0), None, "straight up");
    }
}
