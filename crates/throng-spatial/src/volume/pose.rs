//! Where a body stands and how it is turned.

use super::VolumeError;
use super::obb::{rotated_axes, turned_axes, upright_axes};
use glam::Quat;

/// Where a body stands and how it is turned.
///
/// ```
/// use throng_spatial::volume::Pose;
/// let pose = Pose::turned([10.0, 0.0], 90.0);
/// let hand = pose.point([1.0, 0.0]);
/// assert!((hand[0] - 10.0).abs() < 1e-6 && (hand[1] - 1.0).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<const D: usize> {
    /// Where the origin of the body is (m).
    pub at: [f32; D],
    /// Where the axes of the body point to: rows of length 1 at right angles.
    pub axes: [[f32; D]; D],
}

impl<const D: usize> Pose<D> {
    /// Moved, not turned.
    pub fn moved(at: [f32; D]) -> Self {
        Self { at, axes: upright_axes() }
    }

    /// Where a point of the body (m from its origin along its axes) is in the world (m).
    #[inline]
    pub fn point(&self, body: [f32; D]) -> [f32; D] {
        let mut point = self.at.map(f64::from);
        for (axis, x) in self.axes.iter().zip(body) {
            for (point, &a) in point.iter_mut().zip(axis) {
                *point += f64::from(x) * f64::from(a);
            }
        }
        point.map(|x| x as f32)
    }
}

impl Pose<2> {
    /// Moved, and turned by `degrees` from +x towards +y.
    pub fn turned(at: [f32; 2], degrees: f32) -> Self {
        Self { at, axes: turned_axes(degrees) }
    }
}

impl Pose<3> {
    /// Moved, and turned by a rotation, whose length need not be 1.
    ///
    /// # Errors
    /// [`VolumeError::Rotation`] where the length of the quaternion is zero or no number.
    pub fn rotated(at: [f32; 3], rotation: Quat) -> Result<Self, VolumeError> {
        Ok(Self { at, axes: rotated_axes(rotation)? })
    }
}

impl<const D: usize> Default for Pose<D> {
    /// At the origin, not turned.
    fn default() -> Self {
        Self::moved([0.0; D])
    }
}
