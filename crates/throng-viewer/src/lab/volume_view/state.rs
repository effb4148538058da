//! A state on its way to the window.

use super::figure::VolumeFigure;
use super::{VolumeTally, VolumeTrial};
use glam::Vec3;

/// A hit of the step, or of the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HitMark {
    /// The place where the shot hits the body (m).
    pub at: Vec3,
    /// The test by sub-steps misses it.
    pub tunnelled: bool,
    /// From 1 when it happens to 0.
    pub strength: f32,
}

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnBody {
    pub figure: VolumeFigure,
    /// Its kind, a row of the kinds.
    pub kind: usize,
    /// The view cone sees it.
    pub seen: bool,
}

/// A shot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnShot {
    /// Its start, its place now, and the end of its way (m).
    pub way: [Vec3; 3],
    /// The places where the sub-steps test it (m), as far as it flies.
    pub tested: Vec<Vec3>,
    pub radius: f32,
}

/// A view cone (m).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DrawnCone {
    pub apex: Vec3,
    pub direction: Vec3,
    pub half_angle: f32,
    pub range: f32,
}

/// The state that is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct VolumeState {
    /// The trial that it is of.
    pub trial: VolumeTrial,
    /// Changes with each state.
    pub frame: u64,
    /// Side of the square or cube (m).
    pub side: f32,
    /// How much of the step is over, from 0 to 1.
    pub phase: f32,
    pub bodies: Vec<DrawnBody>,
    pub shots: Vec<DrawnShot>,
    pub hits: Vec<HitMark>,
    pub cone: DrawnCone,
    /// How many bodies the cone sees.
    pub seen: usize,
    /// The least and the greatest corners of the cells of the index with bodies (m).
    pub cells: Vec<[Vec3; 2]>,
    pub tally: VolumeTally,
}
