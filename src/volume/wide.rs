//! Vectors of `f64`: casts and continuous tests compute in them, so that a motion of thousands of diameters loses
//! nothing.

use super::{Hit, Obb, Ray};

#[inline]
pub(super) fn widen<const D: usize>(v: [f32; D]) -> [f64; D] {
    v.map(f64::from)
}

#[inline]
pub(super) fn narrow<const D: usize>(v: [f64; D]) -> [f32; D] {
    v.map(|x| x as f32)
}

#[inline]
pub(super) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let mut sum = 0.0;
    for axis in 0..D {
        sum += a[axis] * b[axis];
    }
    sum
}

#[inline]
pub(super) fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// a + s·b.
#[inline]
pub(super) fn along<const D: usize>(a: [f64; D], s: f64, b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] + s * b[axis])
}

/// `v` scaled to length 1; zero where it is zero.
#[inline]
pub(super) fn unit<const D: usize>(v: [f64; D]) -> [f64; D] {
    let length = dot(v, v).sqrt();
    if length > 0.0 { v.map(|x| x / length) } else { [0.0; D] }
}

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

    /// What the box sees as a hit, as the world sees it.
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
