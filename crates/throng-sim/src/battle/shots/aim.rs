//! In which direction to shoot to hit a point.

use crate::battle::GRAVITY;
use throng_grid::geom::Vec3;

/// How to shoot.
///
/// ```
/// use throng_sim::battle::straight;
/// use throng_grid::geom::Vec3;
/// let target = Vec3::new(60.0, 0.0, 0.0);
/// let aimed = straight(Vec3::ZERO, target, 45.0).unwrap();
/// let at = aimed.velocity * aimed.time - Vec3::Z * (0.5 * 9.81 * aimed.time * aimed.time);
/// assert!(at.distance(target) < 1e-3);
/// ```
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

/// The arc that leaves at 45 degrees, as slowly as it takes, over heads and walls; `None` where that takes more than a speed
/// (m/s), or the point lies higher than it is away.
pub fn lob(from: Vec3, to: Vec3, speed: f32) -> Option<Aimed> {
    let (distance, rise) = way(from, to)?;
    let needed = (f64::from(GRAVITY) * distance * distance / (distance - rise)).sqrt();
    (distance > rise && needed <= f64::from(speed)).then(|| aimed(from, to, needed, 1.0, distance))
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
            for aimed in [straight(from, to, speed), lob(from, to, speed)].into_iter().flatten() {
                let Aimed { velocity, time } = aimed;
                let end = from + velocity * time - Vec3::Z * (0.5 * GRAVITY * time * time);
                prop_assert!(end.distance(to) < 1e-3 * (1.0 + to.length()), "{end} instead of {to}");
                prop_assert!(velocity.length() < speed * 1.001);
            }
            // If a lob carries so far, so does the flatter arc.
            if let Some(lob) = lob(from, to, speed) {
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
        assert_eq!(lob(Vec3::ZERO, at(10.0, 10.5), 1000.0), None, "too steep");
        assert_eq!(straight(Vec3::ZERO, at(0.0, 5.0), 1000.0), None, "straight up");
    }
}
