//! The nearest surface at each sample of a sprite: which part of the model it is, how near it is and where it looks.
//!
//! A part is projected once a sprite and visits only the samples of its box; the loops over a row of samples have no branch,
//! so that they run in vector registers.

#![allow(clippy::needless_bitwise_bool, reason = "a lazy `and` is a branch, which keeps loops out of vector registers")]

use super::primitive::{Form, Shape};
use crate::view::{FORESHORTENING as K, RISE as H, SHADOW};
use throng_grid::geom::{Vec2, Vec3};

/// The depth where nothing is.
pub(super) const NOTHING: f32 = -1e6;

/// Where the points of a model are on the plane of samples. Depth grows towards the viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    /// Samples a metre.
    pub scale: f32,
    /// Length of shadows, as a multiple of what the sun says; `None` = the model itself, not its shadow.
    pub shadow: Option<f32>,
    /// How much is added to all radii (m).
    pub fat: f32,
}

impl Projection {
    fn axis(&self, mut p: Vec3) -> Vec3 {
        if let Some(length) = self.shadow {
            p = (p.truncate() + SHADOW * (length * p.z)).extend(0.0);
        }
        Vec3::new(p.x, p.y * K - p.z * H, p.y * H + p.z * K) * self.scale
    }

    /// A form in samples from the point between the feet; `None` where it is seen edge-on.
    pub fn place(&self, form: &Form) -> Option<Placed> {
        match *form {
            Form::Cone { a, b, radius_a, radius_b } => Some(Placed::Cone {
                a: self.axis(a),
                b: self.axis(b),
                radius_a: (radius_a + self.fat) * self.scale,
                radius_b: (radius_b + self.fat) * self.scale,
            }),
            Form::Plate { centre, u, v, shape } => {
                let grow = 1.0 + self.fat / u.length().min(v.length()).max(0.15);
                let (u, v) = (self.axis(u * grow), self.axis(v * grow));
                let area = u.x * v.y - u.y * v.x;
                let edge_on = area.abs() <= 0.02 * u.length() * v.length();
                (!edge_on).then(|| Placed::Plate { centre: self.axis(centre), u, v, area, shape })
            }
        }
    }
}

/// A primitive on the plane of samples, from the point between the feet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Placed {
    Cone { a: Vec3, b: Vec3, radius_a: f32, radius_b: f32 },
    Plate { centre: Vec3, u: Vec3, v: Vec3, area: f32, shape: Shape },
}

impl Placed {
    /// Its box: the least and the greatest coordinates.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        match *self {
            Self::Cone { a, b, radius_a, radius_b } => {
                let (a, b) = (a.truncate(), b.truncate());
                ((a - radius_a).min(b - radius_b), (a + radius_a).max(b + radius_b))
            }
            Self::Plate { centre, u, v, .. } => {
                let half = u.truncate().abs() + v.truncate().abs();
                (centre.truncate() - half, centre.truncate() + half)
            }
        }
    }

    /// True for what no sample would ever meet, but by chance.
    pub fn is_speck(&self) -> bool {
        matches!(*self, Self::Cone { radius_a, radius_b, .. } if radius_a.max(radius_b) < 0.25)
    }
}

/// What is nearest at each sample. Rows from top to bottom.
#[derive(Clone, Debug, Default)]
pub(super) struct Raster {
    pub width: usize,
    pub height: usize,
    /// How near it is (samples), or [`NOTHING`].
    pub depth: Vec<f32>,
    /// Which part of the model it is.
    pub part: Vec<u32>,
    /// Its normal's share to the right; only where something is.
    pub right: Vec<f32>,
    /// Its normal's share downwards; only where something is.
    pub down: Vec<f32>,
    /// From which sample to which one each row may hold something.
    pub spans: Vec<(u32, u32)>,
    /// The middles of a row's samples.
    middles: Vec<f32>,
}

impl Raster {
    /// An empty raster of a size.
    pub fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        let size = width * height;
        self.depth.clear();
        self.depth.resize(size, NOTHING);
        // Stale values are never read: they count only where something has been drawn.
        if self.part.len() < size {
            self.part.resize(size, 0);
            self.right.resize(size, 0.0);
            self.down.resize(size, 0.0);
        }
        self.spans.clear();
        self.spans.resize(height, (u32::MAX, 0));
        extend_middles(&mut self.middles, width);
    }

    /// Draws a part, with its coordinates from a sample `origin`.
    pub fn draw(&mut self, placed: &Placed, origin: Vec2, part: u32) {
        match *placed {
            Placed::Cone { a, b, radius_a, radius_b } => {
                let cone = FlatCone::new(a.truncate() + origin, b.truncate() + origin, radius_a, radius_b);
                let near = (a.z, b.z - a.z);
                for y in cone.rows(self.height) {
                    let middle = y as f32 + 0.5;
                    let Some((from, to)) = cone.span(middle, self.width) else { continue };
                    self.cone_row(&cone, near, part, y, from..to);
                }
            }
            Placed::Plate { centre, u, v, area, shape } => {
                let plate = FlatPlate::new(centre.truncate() + origin, u, v, area);
                let facing = PlateDepth::new(centre.z, u, v, shape);
                match shape {
                    Shape::Disc => self.plate(&plate, &facing, part, is_in_disc),
                    Shape::Rectangle => self.plate(&plate, &facing, part, is_in_rectangle),
                    Shape::Kite => self.plate(&plate, &facing, part, is_in_kite),
                    Shape::Flag => self.plate(&plate, &facing, part, is_in_flag),
                }
            }
        }
    }

    fn row(&mut self, y: usize, range: core::ops::Range<usize>) -> Row<'_> {
        let span = &mut self.spans[y];
        *span = (span.0.min(range.start as u32), span.1.max(range.end as u32));
        let at = y * self.width + range.start..y * self.width + range.end;
        Row {
            middles: &self.middles[range],
            depth: &mut self.depth[at.clone()],
            part: &mut self.part[at.clone()],
            right: &mut self.right[at.clone()],
            down: &mut self.down[at],
        }
    }

    fn cone_row(
        &mut self,
        cone: &FlatCone,
        (near, nearer): (f32, f32),
        part: u32,
        y: usize,
        range: core::ops::Range<usize>,
    ) {
        let row = self.row(y, range);
        let cone = *cone;
        let offset = y as f32 + 0.5 - cone.a.y;
        let along = offset * cone.ab.y * cone.per_square;
        let across = cone.ab.x * cone.per_square;
        let samples = row.middles.iter().zip(row.depth).zip(row.part).zip(row.right.iter_mut().zip(row.down));
        for (((&x, depth), id), (right, down)) in samples {
            let dx = x - cone.a.x;
            let t = unit_range(dx * across + along + cone.shift);
            let radius = cone.radius + cone.wider * t;
            let (dx, dy) = (dx - t * cone.ab.x, offset - t * cone.ab.y);
            let square = radius * radius - dx * dx - dy * dy;
            let bulge = if square > 0.0 { square } else { 0.0 }.sqrt();
            let z = near + nearer * t + bulge;
            let per_radius = 1.0 / radius;
            let hit = (square > 0.0) & (z > *depth);
            *depth = if hit { z } else { *depth };
            *id = if hit { part } else { *id };
            *right = if hit { dx * per_radius } else { *right };
            *down = if hit { dy * per_radius } else { *down };
        }
    }

    fn plate(&mut self, plate: &FlatPlate, facing: &PlateDepth, part: u32, is_inside: impl Fn(f32, f32) -> bool) {
        let (plate, facing) = (*plate, *facing);
        for y in plate.rows(self.height) {
            let offset = y as f32 + 0.5 - plate.centre.y;
            let Some((from, to)) = plate.span(offset, self.width) else { continue };
            let row = self.row(y, from..to);
            let samples = row.middles.iter().zip(row.depth).zip(row.part).zip(row.right.iter_mut().zip(row.down));
            for (((&x, depth), id), (right, down)) in samples {
                let (i, j) = plate.at(x - plate.centre.x, offset);
                let z = facing.middle + i * facing.along_u + j * facing.along_v;
                let n = facing.normal + facing.bulge_u * i + facing.bulge_v * j;
                let per_length = 1.0 / (n.x * n.x + n.y * n.y + n.z * n.z).sqrt();
                let hit = is_inside(i, j) & (z > *depth);
                *depth = if hit { z } else { *depth };
                *id = if hit { part } else { *id };
                *right = if hit { n.x * per_length } else { *right };
                *down = if hit { n.y * per_length } else { *down };
            }
        }
    }
}

/// The samples of a row that a part may touch.
struct Row<'a> {
    middles: &'a [f32],
    depth: &'a mut [f32],
    part: &'a mut [u32],
    right: &'a mut [f32],
    down: &'a mut [f32],
}

/// Which samples lie in shadow: 1, else 0.
#[derive(Clone, Debug, Default)]
pub(super) struct ShadowRaster {
    pub width: usize,
    pub height: usize,
    pub dark: Vec<f32>,
    middles: Vec<f32>,
}

impl ShadowRaster {
    /// An empty raster of a size.
    pub fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.dark.clear();
        self.dark.resize(width * height, 0.0);
        extend_middles(&mut self.middles, width);
    }

    /// Draws the shadow of a part, with its coordinates from a sample `origin`.
    pub fn draw(&mut self, placed: &Placed, origin: Vec2) {
        match *placed {
            Placed::Cone { a, b, radius_a, radius_b } => {
                let cone = FlatCone::new(a.truncate() + origin, b.truncate() + origin, radius_a, radius_b);
                for y in cone.rows(self.height) {
                    let Some((from, to)) = cone.span(y as f32 + 0.5, self.width) else { continue };
                    let offset = y as f32 + 0.5 - cone.a.y;
                    let along = offset * cone.ab.y * cone.per_square;
                    let across = cone.ab.x * cone.per_square;
                    let dark = &mut self.dark[y * self.width + from..y * self.width + to];
                    for (&x, dark) in self.middles[from..to].iter().zip(dark) {
                        let dx = x - cone.a.x;
                        let t = unit_range(dx * across + along + cone.shift);
                        let radius = cone.radius + cone.wider * t;
                        let (dx, dy) = (dx - t * cone.ab.x, offset - t * cone.ab.y);
                        *dark = if radius * radius > dx * dx + dy * dy { 1.0 } else { *dark };
                    }
                }
            }
            Placed::Plate { centre, u, v, area, shape } => {
                let plate = FlatPlate::new(centre.truncate() + origin, u, v, area);
                match shape {
                    Shape::Disc => self.plate(&plate, is_in_disc),
                    Shape::Rectangle => self.plate(&plate, is_in_rectangle),
                    Shape::Kite => self.plate(&plate, is_in_kite),
                    Shape::Flag => self.plate(&plate, is_in_flag),
                }
            }
        }
    }

    fn plate(&mut self, plate: &FlatPlate, is_inside: impl Fn(f32, f32) -> bool) {
        for y in plate.rows(self.height) {
            let offset = y as f32 + 0.5 - plate.centre.y;
            let Some((from, to)) = plate.span(offset, self.width) else { continue };
            let dark = &mut self.dark[y * self.width + from..y * self.width + to];
            for (&x, dark) in self.middles[from..to].iter().zip(dark) {
                let (i, j) = plate.at(x - plate.centre.x, offset);
                *dark = if is_inside(i, j) { 1.0 } else { *dark };
            }
        }
    }
}

/// A round cone on the plane of samples.
#[derive(Clone, Copy)]
struct FlatCone {
    a: Vec2,
    ab: Vec2,
    /// 1 / the square of its length, or 0 for a ball.
    per_square: f32,
    /// Added to how far along it a sample is: 1 for a ball whose greater end is `b`.
    shift: f32,
    radius: f32,
    wider: f32,
}

impl FlatCone {
    fn new(a: Vec2, b: Vec2, radius_a: f32, radius_b: f32) -> Self {
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

    fn rows(&self, height: usize) -> core::ops::Range<usize> {
        let b = self.a.y + self.ab.y;
        let last = self.radius + self.wider;
        clipped((self.a.y - self.radius).min(b - last), (self.a.y + self.radius).max(b + last), height)
    }

    /// From which sample to which one a row may be met: the piece of the axis that is near enough, widened by the greatest radius.
    fn span(&self, y: f32, width: usize) -> Option<(usize, usize)> {
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
struct FlatPlate {
    centre: Vec2,
    u: Vec2,
    v: Vec2,
    /// From samples to the plate's two axes.
    inverse: [Vec2; 2],
}

impl FlatPlate {
    fn new(centre: Vec2, u: Vec3, v: Vec3, area: f32) -> Self {
        let (u, v) = (u.truncate(), v.truncate());
        let inverse = [Vec2::new(v.y, -v.x) / area, Vec2::new(-u.y, u.x) / area];
        Self { centre, u, v, inverse }
    }

    /// A sample in the plate's two axes.
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let [i, j] = self.inverse;
        (x * i.x + y * i.y, x * j.x + y * j.y)
    }

    fn rows(&self, height: usize) -> core::ops::Range<usize> {
        let half = self.u.y.abs() + self.v.y.abs();
        clipped(self.centre.y - half, self.centre.y + half, height)
    }

    /// From which sample to which one a row (`offset` below the middle) meets the parallelogram around the shape.
    fn span(&self, offset: f32, width: usize) -> Option<(usize, usize)> {
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
struct PlateDepth {
    middle: f32,
    along_u: f32,
    along_v: f32,
    normal: Vec3,
    bulge_u: Vec3,
    bulge_v: Vec3,
}

impl PlateDepth {
    fn new(middle: f32, u: Vec3, v: Vec3, shape: Shape) -> Self {
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
}

fn is_in_disc(u: f32, v: f32) -> bool {
    u * u + v * v < 1.0
}

fn is_in_rectangle(u: f32, v: f32) -> bool {
    (u.abs() < 1.0) & (v.abs() < 1.0)
}

fn is_in_kite(u: f32, v: f32) -> bool {
    // Towards its point it narrows as a root does.
    let square = u * u;
    (square < 1.0) & (square < (1.0 - v) * (1.25 * 1.25 / 1.6)) & (v > 0.45 * square - 1.0)
}

fn is_in_flag(u: f32, v: f32) -> bool {
    (v.abs() < 1.0) & (u > -1.0) & (u < 0.55 + 0.45 * v.abs())
}

/// `t` cut to 0 to 1; written so that it becomes two instructions.
#[inline]
fn unit_range(t: f32) -> f32 {
    let t = if t > 0.0 { t } else { 0.0 };
    if t < 1.0 { t } else { 1.0 }
}

/// The samples of `0..size` whose middles lie between two coordinates, and one more on each side.
fn clipped(low: f32, high: f32, size: usize) -> core::ops::Range<usize> {
    let end = ((high + 1.0).max(0.0) as usize).min(size);
    ((low - 1.0).max(0.0) as usize).min(end)..end
}

fn extend_middles(middles: &mut Vec<f32>, width: usize) {
    let start = middles.len();
    middles.extend((start..width).map(|x| x as f32 + 0.5));
}
