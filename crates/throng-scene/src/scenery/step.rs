//! Smooth steps, and seams made of them.

/// `noise::smooth_step` with a product for the quotient, which is one for all pixels of a row.
#[inline(always)]
#[expect(clippy::inline_always, reason = "its first two arguments are constants: half the work is done beforehand")]
pub(super) fn step(a: f32, b: f32, x: f32) -> f32 {
    let t = ((x - a) * (1.0 / (b - a))).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// 1 where a fraction of 0 to 1 is at either end, 0 further from them than `width`.
#[inline]
pub(super) fn seam(fraction: f32, width: f32) -> f32 {
    step(0.5 - width, 0.5, (fraction - 0.5).abs())
}
