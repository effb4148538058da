//! The phases of a walk.

use crate::sprite::pose::Pose;

/// How far a walk has got: the sine and the cosine of its phase. At rest they are those of phase 0.
pub(crate) fn swing(step: u8) -> (f32, f32) {
    let phase = f32::from(step) * (core::f32::consts::TAU / Pose::WALKS as f32);
    (libm::sinf(phase), libm::cosf(phase))
}
