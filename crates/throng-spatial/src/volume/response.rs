//! Responses to a hit: stop, slide, bounce.
//!
//! Pure functions of places (m), motions (m a tick) or velocities (m/s), and the normal of a [`Hit`](super::Hit). All
//! compute in `f64` and round once.

use super::wide::{along, dot, minus, narrow, widen};

/// Stop: where a body is at the time of impact (m), from where it was and its motion.
///
/// The place is rounded, so the body may overlap what it hit by the rounding.
///
/// ```
/// use throng_spatial::volume::{Ball, Sweep, stop};
/// let (ball, motion) = (Ball { centre: [0.0, 0.0], radius: 1.0 }, [8.0, 0.0]);
/// let hit = Sweep::new(&ball, motion).hit_ball(&Ball { centre: [5.0, 0.0], radius: 2.0 }).unwrap();
/// assert_eq!(stop(ball.centre, motion, hit.time), [2.0, 0.0]);
/// ```
#[inline]
pub fn stop<const D: usize>(from: [f32; D], motion: [f32; D], time: f64) -> [f32; D] {
    narrow(along(widen(from), time, widen(motion)))
}

/// Slide: the rest of a motion after the time of impact, without the part that leads into the surface. A motion
/// that leads away from it stays.
///
/// ```
/// use throng_spatial::volume::slide;
/// assert_eq!(slide([8.0, 2.0], 0.5, [-1.0, 0.0]), [0.0, 1.0], "along the wall");
/// assert_eq!(slide([-8.0, 2.0], 0.5, [-1.0, 0.0]), [-4.0, 1.0], "away from it");
/// ```
#[inline]
pub fn slide<const D: usize>(motion: [f32; D], time: f64, normal: [f32; D]) -> [f32; D] {
    let rest = widen(motion).map(|x| x * (1.0 - time));
    narrow(without_inward(rest, widen(normal), 1.0))
}

/// Bounce off something that does not give way: the part of a velocity that leads into the surface is turned around
/// and multiplied by `restitution` (1 keeps all energy, 0 stops it). A velocity that leads away stays.
///
/// ```
/// use throng_spatial::volume::bounce_off;
/// assert_eq!(bounce_off([3.0, 4.0], [-1.0, 0.0], 1.0), [-3.0, 4.0]);
/// assert_eq!(bounce_off([3.0, 4.0], [-1.0, 0.0], 0.5), [-1.5, 4.0]);
/// ```
#[inline]
pub fn bounce_off<const D: usize>(velocity: [f32; D], normal: [f32; D], restitution: f32) -> [f32; D] {
    narrow(without_inward(widen(velocity), widen(normal), 1.0 + f64::from(restitution)))
}

/// `v` without `times` the part of it that is against `normal`, whose length is that of a rounded unit vector.
#[inline]
fn without_inward<const D: usize>(v: [f64; D], normal: [f64; D], times: f64) -> [f64; D] {
    let inward = dot(v, normal).min(0.0);
    let squared = dot(normal, normal);
    if inward < 0.0 { along(v, -times * inward / squared, normal) } else { v }
}

/// A body that bounces: a smooth disc or ball, which does not start to spin.
///
/// ```
/// use throng_spatial::volume::{Bouncing, bounce};
/// let still = Bouncing { velocity: [0.0, 0.0], mass: 2.0 };
/// let moving = Bouncing { velocity: [3.0, 0.0], mass: 2.0 };
/// assert_eq!(bounce(&moving, &still, [-1.0, 0.0], 1.0), ([0.0, 0.0], [3.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bouncing<const D: usize> {
    /// Velocity (m/s).
    pub velocity: [f32; D],
    /// Mass (kg), above 0; infinite for a body that does not give way.
    pub mass: f32,
}

/// Bounce: the velocities of two bodies after they met (m/s). `normal` points from the second to the first.
///
/// Their momenta change by opposite amounts along the normal, so that they separate with `restitution` times the speed
/// at which they met (Newton's law of impact; 1 keeps all energy, 0 the least that momentum allows). Bodies that
/// separate already are left alone, and so are two that both do not give way or whose masses are not above 0.
#[inline]
pub fn bounce<const D: usize>(
    first: &Bouncing<D>,
    second: &Bouncing<D>,
    normal: [f32; D],
    restitution: f32,
) -> ([f32; D], [f32; D]) {
    let (one, two, normal) = (widen(first.velocity), widen(second.velocity), widen(normal));
    let closing = -dot(minus(one, two), normal);
    let (give_one, give_two) = (1.0 / f64::from(first.mass), 1.0 / f64::from(second.mass));
    let give = give_one + give_two;
    // The normal is rounded, its length only nearly 1.
    let squared = dot(normal, normal);
    if !(closing > 0.0 && give_one >= 0.0 && give_two >= 0.0 && give > 0.0 && give.is_finite()) {
        return (first.velocity, second.velocity);
    }
    let impulse = (1.0 + f64::from(restitution)) * closing / (give * squared);
    (narrow(along(one, impulse * give_one, normal)), narrow(along(two, -impulse * give_two, normal)))
}

#[cfg(test)]
mod tests {
    use super::super::wide::unit;
    use super::*;
    use proptest::prelude::*;

    fn momentum<const D: usize>(bodies: [([f32; D], f32); 2]) -> [f64; D] {
        bodies
            .map(|(v, mass)| widen(v).map(|x| x * f64::from(mass)))
            .into_iter()
            .fold([0.0; D], |a, b| along(a, 1.0, b))
    }

    fn energy<const D: usize>(bodies: [([f32; D], f32); 2]) -> f64 {
        bodies.iter().map(|&(v, mass)| 0.5 * f64::from(mass) * dot(widen(v), widen(v))).sum()
    }

    fn check<const D: usize>(v: [[f32; D]; 2], mass: [f32; 2], way: [f32; D], restitution: f32) {
        let normal = narrow(unit(widen(way)));
        let [one, two] = [0, 1].map(|i| Bouncing { velocity: v[i], mass: mass[i] });
        let (a, b) = bounce(&one, &two, normal, restitution);
        let (before, after) = ([(v[0], mass[0]), (v[1], mass[1])], [(a, mass[0]), (b, mass[1])]);
        // The results are rounded, and nothing else is lost: half a unit in the last place of each number.
        let size = |v: [f32; D]| f64::from(v.into_iter().fold(0.0, |most: f32, x| most.max(x.abs())));
        let rounding = 0.5 * f64::from(f32::EPSILON) * (size(a) * f64::from(mass[0]) + size(b) * f64::from(mass[1]));
        for (p, q) in momentum(before).iter().zip(momentum(after)) {
            assert!((p - q).abs() <= 1.001 * rounding, "momentum {p} became {q}");
        }
        let (e, f) = (energy(before), energy(after));
        let lost = D as f64 * rounding * (size(a) + size(b));
        if restitution == 1.0 {
            assert!((e - f).abs() <= 1.001 * lost, "energy {e} became {f}");
        } else {
            assert!(f <= e + 1.001 * lost, "energy {e} became {f}");
        }
        let closing = |a: [f32; D], b: [f32; D]| dot(minus(widen(b), widen(a)), widen(normal));
        let (c, d) = (closing(v[0], v[1]), closing(a, b));
        if c > 0.0 {
            let expected = -f64::from(restitution) * c;
            assert!((d - expected).abs() < 1e-3, "met at {c}, part at {d}");
        } else {
            assert_eq!((a, b), (v[0], v[1]), "separate already");
        }
        // Seen from the other side it is the same.
        assert_eq!(bounce(&two, &one, normal.map(|x| -x), restitution), (b, a));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn momentum_stays_and_energy_does_not_grow(
            v in [[-20.0..20.0_f32, -20.0..20.0, -20.0..20.0], [-20.0..20.0, -20.0..20.0, -20.0..20.0]],
            mass in [0.125..100.0_f32, 0.125..100.0],
            way in [0.125..1.0_f32, -1.0..1.0, -1.0..1.0],
            restitution in prop_oneof![Just(1.0_f32), Just(0.0), 0.0..1.0_f32],
        ) {
            check(v, mass, way, restitution);
            check(v.map(|[x, y, _]| [x, y]), mass, [way[0], way[1]], restitution);
        }

        #[test]
        fn what_slides_does_not_go_in_and_never_gets_longer(
            motion in [-20.0..20.0_f32, -20.0..20.0, -20.0..20.0],
            way in [0.125..1.0_f32, -1.0..1.0, -1.0..1.0],
            time in 0.0..1.0_f64,
        ) {
            let normal = narrow(unit(widen(way)));
            let left = widen(slide(motion, time, normal));
            let rest = widen(motion).map(|x| x * (1.0 - time));
            prop_assert!(dot(left, widen(normal)) > -1e-5);
            prop_assert!(dot(left, left) <= dot(rest, rest) + 1e-4);
            // The velocity that it lost is along the normal alone.
            let lost = minus(rest, left);
            let across = along(lost, -dot(lost, widen(normal)), widen(normal));
            prop_assert!(dot(across, across).sqrt() < 1e-5);
        }
    }

    #[test]
    fn equal_masses_head_on_swap_velocities() {
        let one = Bouncing { velocity: [3.0, 0.0, 0.0], mass: 0.7 };
        let two = Bouncing { velocity: [-1.0, 0.0, 0.0], mass: 0.7 };
        assert_eq!(bounce(&one, &two, [-1.0, 0.0, 0.0], 1.0), (two.velocity, one.velocity));
        assert_eq!(bounce(&one, &two, [-1.0, 0.0, 0.0], 0.0), ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
    }

    #[test]
    fn an_infinite_mass_is_a_wall() {
        let ball = Bouncing { velocity: [3.0, 4.0], mass: 2.0 };
        let wall = Bouncing { velocity: [0.0, 0.0], mass: f32::INFINITY };
        for restitution in [0.0, 0.5, 1.0] {
            let expected = bounce_off(ball.velocity, [-1.0, 0.0], restitution);
            assert_eq!(bounce(&ball, &wall, [-1.0, 0.0], restitution), (expected, [0.0, 0.0]));
        }
        let fast = Bouncing { velocity: [9.0, 0.0], ..wall };
        assert_eq!(bounce(&fast, &wall, [-1.0, 0.0], 1.0), (fast.velocity, wall.velocity), "neither gives way");
        // A wall that moves pushes.
        let piston = Bouncing { velocity: [-2.0, 0.0], ..wall };
        assert_eq!(bounce(&ball, &piston, [-1.0, 0.0], 1.0), ([-7.0, 4.0], [-2.0, 0.0]));
    }

    #[test]
    fn what_separates_or_has_no_mass_is_left_alone() {
        let one = Bouncing { velocity: [-1.0, 0.0], mass: 1.0 };
        let two = Bouncing { velocity: [2.0, 0.0], mass: 1.0 };
        assert_eq!(bounce(&one, &two, [-1.0, 0.0], 1.0), (one.velocity, two.velocity));
        assert_eq!(bounce(&two, &one, [-1.0, 0.0], 1.0), (one.velocity, two.velocity), "the same turned round");
        for mass in [0.0, -1.0, f32::NAN] {
            let odd = Bouncing { mass, ..two };
            assert_eq!(bounce(&odd, &one, [-1.0, 0.0], 1.0), (odd.velocity, one.velocity), "{mass}");
        }
    }
}
