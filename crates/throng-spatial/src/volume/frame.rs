//! Hits in the frame of an oriented box.

use super::wide::{along, dot, minus, narrow, unit, widen};
use super::{Hit, Obb, Ray};

/// A hit before it is rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact<const D: usize> {
    pub time: f64,
    pub point: [f64; D],
    pub normal: [f64; D],
}

impl<const D: usize> Impact<D> {
    #[inline]
    pub(super) fn rounded(self) -> Hit<D> {
        Hit { time: self.time, point: narrow(self.point), normal: narrow(self.normal) }
    }
}

/// The frame of an oriented box: its centre and axes. A straight way stays straight in it, and times stay the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<const D: usize> {
    centre: [f64; D],
    axes: [[f64; D]; D],
}

impl<const D: usize> Frame<D> {
    #[inline]
    pub(super) fn of(target: &Obb<D>) -> Self {
        Self { centre: widen(target.centre), axes: target.axes.map(widen) }
    }

    /// A ray as the box sees it.
    #[inline]
    pub(super) fn inward(&self, ray: &Ray<D>) -> Ray<D> {
        let from = minus(ray.from, self.centre);
        Ray { from: self.axes.map(|axis| dot(axis, from)), along: self.axes.map(|axis| dot(axis, ray.along)), ..*ray }
    }

    /// A hit in the frame of the box, turned into the frame of the world.
    #[inline]
    pub(super) fn outward(&self, impact: Impact<D>) -> Impact<D> {
        let turned =
            |v: [f64; D], from: [f64; D]| self.axes.iter().zip(v).fold(from, |sum, (&axis, x)| along(sum, x, axis));
        Impact {
            time: impact.time,
            point: turned(impact.point, self.centre),
            normal: unit(turned(impact.normal, [0.0; D])),
        }
    }
}
