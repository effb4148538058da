//! When a moving point comes within reach of a convex body.

use super::Ray;
use super::frame::Impact;
use super::wide::{dot, minus};

/// Where a ray first comes nearer than `reach` (m) to a convex body: the point is that of the body. `closest` finds the
/// nearest point of the body; `start` is a time before which the ray is known not to be that near.
///
/// A ball hits a body when its centre hits the body grown by its radius: a rounded box, a capsule, a cylinder whose
/// rim is a torus. Rather than solve for each of their faces, edges and rims, this walks the distance itself. The
/// distance from a convex body is a convex function of time, so its tangent lies below it everywhere: to go to where
/// the tangent says the reach begins never leads past that moment, and where the tangent no longer falls the body is
/// never reached. No hit is missed, however thin the body or fast the point. This is Newton's iteration, which on a
/// convex function rises to the root without overshooting: one to six rounds as a rule, about ten where the point only
/// just grazes the body. (Ray casting by supporting planes: van den Bergen 2004; the bound of advance: Mirtich 1996.)
///
/// The place is known to the rounding of its numbers, some 10⁻¹⁶ of the way: whether a way that touches to within that
/// is a hit is left to chance.
#[inline]
pub(super) fn first_within<const D: usize>(
    ray: &Ray<D>,
    start: f64,
    reach: f64,
    closest: impl Fn([f64; D]) -> [f64; D],
) -> Option<Impact<D>> {
    let (far, fast) = (dot(ray.from, ray.from).sqrt(), dot(ray.along, ray.along).sqrt());
    let mut time = start;
    loop {
        let point = ray.at(time);
        let nearest = closest(point);
        let away = minus(point, nearest);
        let distance = dot(away, away).sqrt();
        let gap = distance - reach;
        let impact = || Impact { time, point: nearest, normal: ray.facing(away) };
        if gap < 0.0 {
            return Some(impact());
        }
        // The product of gap and closing speed falls to a quarter or less each round, so this ends: the gap vanishes,
        // or the speed does and the step leads past the end.
        let closing = -dot(away, ray.along) / distance;
        let next = time + gap / closing;
        if !(closing > 0.0 && next < ray.until) {
            return None;
        }
        // The rest is less than the rounding of the place: small steps from here would be steps of that alone.
        if next <= time || gap <= 4.0 * f64::EPSILON * (far + time * fast) {
            return Some(impact());
        }
        time = next;
    }
}
