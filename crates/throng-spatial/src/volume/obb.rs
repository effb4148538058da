//! Oriented boxes.

use super::error::{TOLERANCE, VolumeError};
use super::rounding::sum_above;
use super::{Aabb, Ball};
use glam::{DMat3, Quat};

/// An oriented box: a box that is turned.
///
/// It is all points whose offset from the centre has, along each axis, at most the length of the half side. The axes are
/// rounded like all numbers, so they are at right angles to about 10⁻⁷, and so the border is known to 10⁻⁷ of the size.
///
/// ```
/// use throng_spatial::volume::{Ball, Obb};
/// let gate = Obb::turned([0.0, 0.0], [2.0, 0.5], 45.0);
/// assert!(gate.overlaps_ball(&Ball { centre: [1.2, 1.2], radius: 0.1 }));
/// assert!(!gate.overlaps_ball(&Ball { centre: [1.2, -1.2], radius: 0.1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb<const D: usize> {
    /// Centre (m).
    pub centre: [f32; D],
    /// Half the length along each axis (m), not below 0.
    pub half: [f32; D],
    /// Directions of the sides: rows of length 1 at right angles.
    pub axes: [[f32; D]; D],
}

impl Obb<2> {
    /// A rectangle turned by `degrees` from +x towards +y.
    pub fn turned(centre: [f32; 2], half: [f32; 2], degrees: f32) -> Self {
        Self { centre, half, axes: turned_axes(degrees) }
    }
}

impl Obb<3> {
    /// A box turned by a rotation, whose length need not be 1.
    ///
    /// # Errors
    /// [`VolumeError::Rotation`] where the length of the quaternion is zero or no number.
    pub fn rotated(centre: [f32; 3], half: [f32; 3], rotation: Quat) -> Result<Self, VolumeError> {
        Ok(Self { centre, half, axes: rotated_axes(rotation)? })
    }
}

impl<const D: usize> Obb<D> {
    /// A box with axes that are of length 1 and at right angles to within 10⁻³; the axes are made exact.
    ///
    /// # Errors
    /// [`VolumeError::Axes`] where they are further from it.
    pub fn from_axes(centre: [f32; D], half: [f32; D], axes: [[f32; D]; D]) -> Result<Self, VolumeError> {
        Ok(Self { centre, half, axes: mended_axes(axes)? })
    }

    /// The point of the box that is nearest to `point` (m), rounded: about the point itself inside.
    #[inline]
    pub fn closest(&self, point: [f32; D]) -> [f32; D] {
        let along = self.along(point.map(f64::from));
        let mut closest = self.centre.map(f64::from);
        for ((axis, along), half) in self.axes.iter().zip(along).zip(self.half) {
            let half = f64::from(half);
            for (x, &a) in closest.iter_mut().zip(axis) {
                *x += f64::from(a) * along.max(-half).min(half);
            }
        }
        closest.map(|x| x as f32)
    }

    /// The squared distance from a point (m) to the box (m²): 0 inside and on the border.
    #[inline]
    pub fn distance_squared(&self, point: [f32; D]) -> f64 {
        self.gap_squared(point.map(f64::from))
    }

    /// True where a ball and the box share more than one point of their borders.
    #[inline]
    pub fn overlaps_ball(&self, ball: &Ball<D>) -> bool {
        self.distance_squared(ball.centre) < f64::from(ball.radius) * f64::from(ball.radius)
    }

    /// True where a point (m) lies inside, not on the border.
    #[inline]
    pub fn contains(&self, point: [f32; D]) -> bool {
        self.along(point.map(f64::from)).iter().zip(self.half).all(|(along, half)| along.abs() < f64::from(half))
    }

    /// The corners (m), rounded, 2ᴰ of them.
    pub fn corners(&self) -> impl Iterator<Item = [f32; D]> + '_ {
        (0..1_u32 << D).map(|corner| {
            let mut point = self.centre.map(f64::from);
            for (j, (axis, &half)) in self.axes.iter().zip(&self.half).enumerate() {
                let side = if corner >> j & 1 == 0 { -f64::from(half) } else { f64::from(half) };
                for (x, &a) in point.iter_mut().zip(axis) {
                    *x += f64::from(a) * side;
                }
            }
            point.map(|x| x as f32)
        })
    }

    /// Where a point lies, measured from the centre along each axis.
    #[inline]
    pub(super) fn along(&self, point: [f64; D]) -> [f64; D] {
        std::array::from_fn(|j| {
            (0..D).map(|i| (point[i] - f64::from(self.centre[i])) * f64::from(self.axes[j][i])).sum()
        })
    }

    /// The squared distance from a point.
    #[inline]
    pub(super) fn gap_squared(&self, point: [f64; D]) -> f64 {
        let along = self.along(point);
        let beyond = along.iter().zip(self.half).map(|(along, half)| (along.abs() - f64::from(half)).max(0.0));
        beyond.map(|beyond| beyond * beyond).sum()
    }
}

impl<const D: usize> From<Aabb<D>> for Obb<D> {
    /// The same box; its sides are rounded up.
    fn from(aabb: Aabb<D>) -> Self {
        let centre: [f32; D] = std::array::from_fn(|i| f32::midpoint(aabb.low[i], aabb.high[i]));
        let half = std::array::from_fn(|i| {
            let centre = f64::from(centre[i]);
            sum_above(f64::from(aabb.high[i]), -centre).max(sum_above(centre, -f64::from(aabb.low[i])))
        });
        Self { centre, half, axes: upright_axes() }
    }
}

/// The axes of the world.
pub(super) fn upright_axes<const D: usize>() -> [[f32; D]; D] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }))
}

/// The unit vector at `degrees` from +x towards +y, the same on every machine.
pub(crate) fn direction(degrees: f32) -> [f32; 2] {
    let radians = degrees.to_radians();
    [libm::cosf(radians), libm::sinf(radians)]
}

/// The axes of the world turned by `degrees` from +x towards +y.
pub(super) fn turned_axes(degrees: f32) -> [[f32; 2]; 2] {
    let [x, y] = direction(degrees);
    [[x, y], [-y, x]]
}

/// The axes of the world turned by a rotation.
pub(super) fn rotated_axes(rotation: Quat) -> Result<[[f32; 3]; 3], VolumeError> {
    let rotation = rotation.as_dquat();
    let found = rotation.length();
    if !(found > 0.0 && found.is_finite()) {
        return Err(VolumeError::Rotation { found });
    }
    let turned = DMat3::from_quat(rotation / found);
    Ok([turned.x_axis, turned.y_axis, turned.z_axis].map(|axis| axis.as_vec3().to_array()))
}

/// Axes that are checked and made perpendicular.
fn mended_axes<const D: usize>(axes: [[f32; D]; D]) -> Result<[[f32; D]; D], VolumeError> {
    let axes = axes.map(|axis| axis.map(f64::from));
    check_axes(&axes)?;
    Ok(mended(axes))
}

/// Refuses axes that are not of length 1 at right angles to within [`TOLERANCE`].
pub(super) fn check_axes<const D: usize>(axes: &[[f64; D]; D]) -> Result<(), VolumeError> {
    for first in 0..D {
        for second in first..D {
            let found = dot(&axes[first], &axes[second]);
            let expected = u8::from(first == second);
            let right = (found - f64::from(expected)).abs() <= TOLERANCE;
            if !right {
                return Err(VolumeError::Axes { first, second, found, expected });
            }
        }
    }
    Ok(())
}

/// Axes made perpendicular one after the other (Gram and Schmidt).
pub(super) fn mended<const D: usize>(mut axes: [[f64; D]; D]) -> [[f32; D]; D] {
    for second in 0..D {
        for first in 0..second {
            let share = dot(&axes[first], &axes[second]);
            axes[second] = std::array::from_fn(|i| axes[second][i] - share * axes[first][i]);
        }
        let length = dot(&axes[second], &axes[second]).sqrt();
        axes[second] = axes[second].map(|x| x / length);
    }
    axes.map(|axis| axis.map(|x| x as f32))
}

/// The product of two vectors.
#[inline]
pub(super) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
