//! Cones and plates on the plane of samples: which samples of a row they may touch, and which they cover.

#![allow(clippy::needless_bitwise_bool, reason = "a lazy `and` is a branch, which keeps loops out of vector registers")]

use super::primitive::Shape;
use throng_grid::geom::{Vec2, Vec3};

/// A round cone on the plane of samples.
#[derive(Clone, Copy)]
pub(super) struct FlatCone {
    pub a: Vec2,
    pub ab: Vec2,
    /// 1 / the square of its length, or 0 for a ball.
    pub per_square: f32,
    /// Added to how far along it a sample is: 1 for a ball whose greater end is `b`.
    pub shift: f32,
    pub radius: f32,
    pub wider: f32,
}

impl FlatCone {
    pub fn new(a: Vec2, b: Vec2, radius_a: f32, radius_b: f32) -> Self {
        let ab = b - a;
        let square = ab.length_squared();
        let is_ball = square <= 1e-6;
        Self {
            a,
            ab,
            per_square: if is_ball { 0.0 } else { 1.0 / square },
            shift: if is_ball && radius_b > radius_a { 1.0 } else { 0.0 },
            radius: radius_a,
            wider: radius_b - radius_a,
        }
    }

    fn reach(&self) -> f32 {
        self.radius.max(self.radius + self.wider)
    }

    pub fn rows(&self, height: usize) -> core::ops::Range<usize> {
        let b = self.a.y + self.ab.y;
        let last = self.radius + self.wider;
        clipped((self.a.y - self.radius).min(b - last), (self.a.y + self.radius).max(b + last), height)
    }

    /// From which sample to which one a row may be met: the piece of the axis that is near enough, widened by the greatest radius.
    pub fn span(&self, y: f32, width: usize) -> Option<(usize, usize)> {
        let reach = self.reach();
        let (low, high) = if self.ab.y.abs() < 1e-3 {
            (0.0, 1.0)
        } else {
            let (s, t) = ((y - reach - self.a.y) / self.ab.y, (y + reach - self.a.y) / self.ab.y);
            (unit_range(s.min(t)), unit_range(s.max(t)))
        };
        let (s, t) = (self.a.x + self.ab.x * low, self.a.x + self.ab.x * high);
        let range = clipped(s.min(t) - reach, s.max(t) + reach, width);
        (!range.is_empty()).then_some((range.start, range.end))
    }
}

/// A plate on the plane of samples.
#[derive(Clone, Copy)]
pub(super) struct FlatPlate {
    pub centre: Vec2,
    u: Vec2,
    pub v: Vec2,
    /// From samples to the plate's two axes.
    pub inverse: [Vec2; 2],
}

impl FlatPlate {
    pub fn new(centre: Vec2, u: Vec3, v: Vec3, area: f32) -> Self {
        let (u, v) = (u.truncate(), v.truncate());
        let inverse = [Vec2::new(v.y, -v.x) / area, Vec2::new(-u.y, u.x) / area];
        Self { centre, u, v, inverse }
    }

    /// A sample in the plate's two axes.
    pub fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let [i, j] = self.inverse;
        (x * i.x + y * i.y, x * j.x + y * j.y)
    }

    pub fn rows(&self, height: usize) -> core::ops::Range<usize> {
        let half = self.u.y.abs() + self.v.y.abs();
        clipped(self.centre.y - half, self.centre.y + half, height)
    }

    /// From which sample to which one a row (`offset` below the middle) meets the parallelogram around the shape.
    pub fn span(&self, offset: f32, width: usize) -> Option<(usize, usize)> {
        let half = self.u.x.abs() + self.v.x.abs();
        let (mut low, mut high) = (-half, half);
        for axis in self.inverse {
            // Where -1 <= x * axis.x + offset * axis.y <= 1.
            if axis.x.abs() > 1e-5 {
                let (s, t) = ((-1.0 - offset * axis.y) / axis.x, (1.0 - offset * axis.y) / axis.x);
                low = low.max(s.min(t));
                high = high.min(s.max(t));
            }
        }
        let range = clipped(self.centre.x + low, self.centre.x + high, width);
        (low <= high && !range.is_empty()).then_some((range.start, range.end))
    }
}

/// How near a plate is and where it looks.
#[derive(Clone, Copy)]
pub(super) struct PlateDepth {
    pub middle: f32,
    pub along_u: f32,
    pub along_v: f32,
    pub normal: Vec3,
    pub bulge_u: Vec3,
    pub bulge_v: Vec3,
}

impl PlateDepth {
    pub fn new(middle: f32, u: Vec3, v: Vec3, shape: Shape) -> Self {
        let normal = u.cross(v).normalize();
        let bulge = if matches!(shape, Shape::Disc | Shape::Kite) { 0.35 } else { 0.0 };
        Self {
            middle,
            along_u: u.z,
            along_v: v.z,
            normal: if normal.z < 0.0 { -normal } else { normal },
            bulge_u: u.normalize() * bulge,
            bulge_v: v.normalize() * bulge,
        }
    }

    /// The shares to the right and downwards of a domed plate's normal at a place.
    #[inline]
    pub fn domed(&self, i: f32, j: f32) -> (f32, f32) {
        let n = self.normal + self.bulge_u * i + self.bulge_v * j;
        let per_length = 1.0 / (n.x * n.x + n.y * n.y + n.z * n.z).sqrt();
        (n.x * per_length, n.y * per_length)
    }
}

pub(super) fn is_in_disc(u: f32, v: f32) -> bool {
    u * u + v * v < 1.0
}

pub(super) fn is_in_rectangle(u: f32, v: f32) -> bool {
    (u.abs() < 1.0) & (v.abs() < 1.0)
}

pub(super) fn is_in_kite(u: f32, v: f32) -> bool {
    // Towards its point it narrows as a root does.
    let square = u * u;
    (square < 1.0) & (square < (1.0 - v) * (1.25 * 1.25 / 1.6)) & (v > 0.45 * square - 1.0)
}

pub(super) fn is_in_flag(u: f32, v: f32) -> bool {
    (v.abs() < 1.0) & (u > -1.0) & (u < 0.55 + 0.45 * v.abs())
}

/// `t` cut to 0 to 1; written so that it becomes two instructions.
#[inline]
pub(super) fn unit_range(t: f32) -> f32 {
    let t = if t > 0.0 { t } else { 0.0 };
    if t < 1.0 { t } else { 1.0 }
}

/// The samples of `0..size` whose middles lie between two coordinates, and one more on each side.
pub(super) fn clipped(low: f32, high: f32, size: usize) -> core::ops::Range<usize> {
    let end = ((high + 1.0).max(0.0) as usize).min(size);
    ((low - 1.0).max(0.0) as usize).min(end)..end
}
