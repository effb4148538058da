//! The cheaper way to test moving bodies: not at all times but at some.
//!
//! A body is moved by a part of its way at a time and tested where it is then, by any test of bodies at rest. That is
//! simple, works for every shape and also for ways that are not straight; it costs a test a step, and it misses what
//! it passes between two steps. How many steps are enough follows from the stretch of the way on which the two overlap,
//! which has to be longer than a step:
//!
//! - The ball passes *through* a plate of thickness d: it overlaps it for at least d + 2r. With steps shorter than
//!   that no plate as thick or thicker is missed.
//! - The ball passes *by* a ball: of two that come together to within p less than the sum R of their radii, the way
//!   inside is a chord of 2 √(2Rp − p²). That is as short as one likes for a graze. [`step_for_depth`] gives the
//!   longest step that misses nothing deeper than p; overlaps less deep are found by chance.
//!
//! [`Sweep`]'s continuous tests miss nothing and say when; prefer them where there is one for the shape. For a ball at
//! 10,000 diameters a tick sub-steps need 5,000 tests and more.

use super::{Ball, Sweep};

/// The least number of equal steps for a way of `length` (m) so that each is shorter than `step` (m); at least 1. A
/// way without an end, or steps that are not above 0, would need more than there are: `u32::MAX`.
///
/// ```
/// use throng_spatial::volume::substeps;
/// // A ball of radius 0.5 m that flies 60 m a tick, plates 0.25 m thick.
/// assert_eq!(substeps(60.0, 0.25 + 2.0 * 0.5), 49);
/// ```
pub fn substeps(length: f32, step: f32) -> u32 {
    let steps = (f64::from(length) / f64::from(step)).floor() + 1.0;
    if step > 0.0 { steps.max(1.0) as u32 } else { u32::MAX }
}

/// The longest step (m) that misses no ball that comes deeper than `depth` (m), where `reach` (m) is the sum of the
/// radii. A ball that is hit head-on comes `reach` deep, for which the step is 2 `reach`; for depth 0 there is no such
/// step: 0.
///
/// ```
/// use throng_spatial::volume::step_for_depth;
/// assert_eq!(step_for_depth(5.0, 1.0), 6.0);
/// assert_eq!(step_for_depth(5.0, 5.0), 10.0);
/// ```
pub fn step_for_depth(reach: f32, depth: f32) -> f32 {
    let (reach, depth) = (f64::from(reach), f64::from(depth.min(reach)));
    (2.0 * (depth * (2.0 * reach - depth)).max(0.0).sqrt()) as f32
}

impl<const D: usize> Sweep<D> {
    /// The ball where it starts and after each of `steps` equal steps, with the times. A test at these places alone is
    /// a test by sub-steps.
    ///
    /// ```
    /// use throng_spatial::volume::{Aabb, Ball, Sweep, substeps};
    /// let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius: 0.5 }, [60.0, 0.0]);
    /// let plate = Aabb { low: [30.6, -5.0], high: [30.85, 5.0] };
    /// let found = |steps| shot.substeps(steps).find(|(_, ball)| plate.overlaps_ball(ball)).map(|(time, _)| time);
    /// assert_eq!(found(10), None, "it jumps over the plate");
    /// assert_eq!(found(substeps(60.0, 0.25 + 2.0 * 0.5)), Some(25.0 / 49.0));
    /// ```
    pub fn substeps(&self, steps: u32) -> impl Iterator<Item = (f64, Ball<D>)> {
        let sweep = *self;
        (0..=steps).map(move |step| {
            let time = if step == 0 { 0.0 } else { sweep.ray.until * f64::from(step) / f64::from(steps) };
            (time, sweep.at(time))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::{Aabb, Segment};
    use proptest::prelude::*;

    #[test]
    fn odd_lengths() {
        assert_eq!(substeps(0.0, 1.0), 1);
        assert_eq!(substeps(1.0, 1.0), 2, "shorter than a step, not as long");
        assert_eq!(substeps(0.99, 1.0), 1);
        assert_eq!(substeps(1.0, 0.0), u32::MAX);
        assert_eq!(substeps(1.0, f32::NAN), u32::MAX);
        assert_eq!(substeps(f32::INFINITY, 1.0), u32::MAX);
        assert_eq!(step_for_depth(1.0, 0.0), 0.0);
        assert_eq!(step_for_depth(1.0, 7.0), 2.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn enough_steps_find_every_plate(
            radius in 0.125..1.0_f32,
            thick in 0.0625..1.0_f32,
            share in 0.0..1.0_f32,
            way in [20.0..200.0_f32, -100.0..100.0],
        ) {
            let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius }, way);
            // Wherever between start and end the plate stands (a plate that the ball has passed at the end).
            let low = radius + share * (way[0] - thick - 2.0 * radius);
            let plate = Aabb { low: [low, -1e3], high: [low + thick, 1e3] };
            let length = Segment { from: [0.0, 0.0], to: way }.length();
            let steps = substeps(length, 0.999 * (thick + 2.0 * radius));
            prop_assert!(shot.hit_aabb(&plate).is_some());
            prop_assert!(shot.substeps(steps).any(|(_, ball)| plate.overlaps_ball(&ball)), "{steps} steps");
        }

        #[test]
        fn enough_steps_find_every_ball_that_is_hit_deep_enough(
            radius in 0.125..1.0_f32,
            share in 0.0625..1.0_f32,
            deeper in 0.015_625..1.0_f32,
            place in 0.0..1.0_f32,
            speed in 10.0..300.0_f32,
        ) {
            let reach = radius + 0.5;
            let depth = share * reach;
            let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius }, [speed, 0.0]);
            let beside = (reach - depth) * (1.0 - deeper);
            let target = Ball { centre: [reach + place * (speed - 2.0 * reach), beside], radius: 0.5 };
            let steps = substeps(speed, 0.999 * step_for_depth(reach, depth));
            prop_assert!(shot.hit_ball(&target).is_some());
            prop_assert!(shot.substeps(steps).any(|(_, ball)| target.overlaps(&ball)), "{steps} steps");
        }
    }

    #[test]
    fn too_few_steps_miss_and_the_continuous_test_does_not() {
        let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius: 0.5 }, [10_000.0, 0.0]);
        let found = |target: &Ball<2>, steps| shot.substeps(steps).any(|(_, ball)| target.overlaps(&ball));
        let mut missed = 0;
        for place in 0..100_u8 {
            // A ball that is hit head-on overlaps on 2 m of the way; a graze, 1 mm deep, on 9 cm.
            let deep = Ball { centre: [2000.0 + 1.37 * f32::from(place), 0.0], radius: 0.5 };
            let graze = Ball { centre: [deep.centre[0], 0.999], ..deep };
            let enough = substeps(10_000.0, 0.999 * step_for_depth(1.0, 1.0));
            assert!(found(&deep, enough));
            missed += usize::from(!found(&deep, enough / 4));
            missed += usize::from(!found(&graze, enough));
            assert!(shot.hit_ball(&deep).is_some() && shot.hit_ball(&graze).is_some());
        }
        assert!(missed > 120, "{missed} of 200 missed");
    }
}
