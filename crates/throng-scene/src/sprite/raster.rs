//! The nearest surface at each sample of a sprite: which part of the model it is, how near it is and where it looks.
//!
//! A part is projected once a sprite and visits only the samples of its box; the loops over a row of samples have no branch,
//! so that they run in vector registers.

#![allow(clippy::needless_bitwise_bool, reason = "a lazy `and` is a branch, which keeps loops out of vector registers")]

use super::flat::{FlatCone, FlatPlate, PlateDepth, is_in_disc, is_in_flag, is_in_kite, is_in_rectangle, unit_range};
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
                    Shape::Disc => self.plate::<true>(&plate, &facing, part, is_in_disc),
                    Shape::Rectangle => self.plate::<false>(&plate, &facing, part, is_in_rectangle),
                    Shape::Kite => self.plate::<true>(&plate, &facing, part, is_in_kite),
                    Shape::Flag => self.plate::<false>(&plate, &facing, part, is_in_flag),
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

    fn plate<const DOMED: bool>(
        &mut self,
        plate: &FlatPlate,
        facing: &PlateDepth,
        part: u32,
        is_inside: impl Fn(f32, f32) -> bool,
    ) {
        let (plate, facing) = (*plate, *facing);
        for y in plate.rows(self.height) {
            let offset = y as f32 + 0.5 - plate.centre.y;
            let Some((from, to)) = plate.span(offset, self.width) else { continue };
            let row = self.row(y, from..to);
            let samples = row.middles.iter().zip(row.depth).zip(row.part).zip(row.right.iter_mut().zip(row.down));
            for (((&x, depth), id), (right, down)) in samples {
                let (i, j) = plate.at(x - plate.centre.x, offset);
                let z = facing.middle + i * facing.along_u + j * facing.along_v;
                let (nx, ny) = if DOMED { facing.domed(i, j) } else { (facing.normal.x, facing.normal.y) };
                let hit = is_inside(i, j) & (z > *depth);
                *depth = if hit { z } else { *depth };
                *id = if hit { part } else { *id };
                *right = if hit { nx } else { *right };
                *down = if hit { ny } else { *down };
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

fn extend_middles(middles: &mut Vec<f32>, width: usize) {
    let start = middles.len();
    middles.extend((start..width).map(|x| x as f32 + 0.5));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprite::primitive::Model;
    use crate::sprite::{Pose, material, model};
    use proptest::prelude::*;
    use throng_sim::battle::Look;

    const PROJECTION: Projection = Projection { scale: 10.0, shadow: None, fat: 0.0 };

    fn drawn(model: &Model, size: usize) -> Raster {
        let mut raster = Raster::default();
        raster.clear(size, size);
        for (part, placed) in model.0.iter().filter_map(|part| PROJECTION.place(&part.form)).enumerate() {
            raster.draw(&placed, Vec2::splat(size as f32 / 2.0), part as u32);
        }
        raster
    }

    proptest! {
        /// Samples that rows skip are those that a test of each sample finds uncovered.
        #[test]
        fn a_cone_covers_what_is_near_its_axis(
            a in prop::array::uniform3(-2.0_f32..2.0), b in prop::array::uniform3(-2.0_f32..2.0),
            radius_a in 0.05_f32..0.8, radius_b in 0.05_f32..0.8,
        ) {
            let mut model = Model::default();
            model.between(Vec3::from(a), radius_a, Vec3::from(b), radius_b, material::WOOD);
            let raster = drawn(&model, 80);
            let [a, b] = [a, b].map(|end| PROJECTION.axis(end.into()).truncate() + 40.0);
            for y in 0..80 {
                for x in 0..80 {
                    let point = Vec2::new(x as f32, y as f32) + 0.5;
                    let t = ((point - a).dot(b - a) / (b - a).length_squared().max(1e-6)).clamp(0.0, 1.0);
                    let radius = 10.0 * (radius_a + (radius_b - radius_a) * t);
                    let off = (a + (b - a) * t).distance(point);
                    if (radius - off).abs() > 0.05 {
                        prop_assert_eq!(raster.depth[y * 80 + x] != NOTHING, off < radius, "{} {}", x, y);
                    }
                }
            }
        }

        #[test]
        fn a_rectangle_covers_what_lies_between_its_corners(
            u in prop::array::uniform3(-1.5_f32..1.5), v in prop::array::uniform3(-1.5_f32..1.5),
        ) {
            let mut model = Model::default();
            model.plate(Vec3::ZERO, [u.into(), v.into()], Shape::Rectangle, material::WOOD);
            let raster = drawn(&model, 80);
            let [u, v] = [u, v].map(|axis| PROJECTION.axis(axis.into()));
            let area = u.x * v.y - u.y * v.x;
            prop_assume!(area.abs() > 0.03 * u.length() * v.length() && area.abs() > 1.0);
            for y in 0..80 {
                for x in 0..80 {
                    let point = Vec2::new(x as f32, y as f32) - 39.5;
                    let (i, j) = ((point.x * v.y - point.y * v.x) / area, (point.y * u.x - point.x * u.y) / area);
                    let (i, j) = (i.abs(), j.abs());
                    if (i.max(j) - 1.0).abs() > 0.01 {
                        prop_assert_eq!(raster.depth[y * 80 + x] != NOTHING, i.max(j) < 1.0, "{} {}", x, y);
                    }
                }
            }
        }
    }

    #[test]
    fn the_nearest_part_wins_in_any_order() {
        let model = model::soldier(Look::Rider, Pose::STAND);
        let mut back = model.clone();
        back.0.reverse();
        let (one, other) = (drawn(&model, 90), drawn(&back, 90));
        assert_eq!(one.depth, other.depth);
        let covered = one.depth.iter().filter(|&&depth| depth != NOTHING).count();
        assert!(covered > 250, "{covered}");
    }

    #[test]
    fn the_normals_of_a_ball_look_outwards() {
        let mut model = Model::default();
        model.ball(Vec3::ZERO, 1.0, material::WOOD);
        let raster = drawn(&model, 40);
        for y in 0..40 {
            for x in 0..40 {
                let at = y * 40 + x;
                if raster.depth[at] != NOTHING {
                    let normal = Vec2::new(raster.right[at], raster.down[at]);
                    assert!(normal.length() <= 1.0);
                    assert!(normal.distance(Vec2::new(x as f32 - 19.5, y as f32 - 19.5) / 10.0) < 1e-4);
                }
            }
        }
    }
}
