//! What is built, as it is seen: light on faces and tops, shadows, and the picture of them laid over the ground.

use super::canvas::Canvas;
use super::colours::{Colour, times};
use super::extrude::Seen;
use super::frame::Frame;
use super::heights::{AMID, Heights, Material};
use super::house;
use super::octaves::Octaves;
use super::raise::CONE;
use super::shadows::Shadows;
use super::spot::Spot;
use super::step::step;
use super::stone;
use crate::noise::Noise;
use crate::view::{FORESHORTENING, RISE, SUN};
use throng_grid::geom::Vec2;

/// All that is needed to know the colours of what is built.
#[derive(Clone, Debug)]
pub(super) struct Facades {
    /// How much of the fine pattern is seen, 0 to 1.
    fine: f32,
    grit: Octaves,
    spots: Octaves,
    /// Both noises in -127 to 127, for the rows of whole pixels from the upper edge of the picture to the lower edge of
    /// the heights.
    noise: [Vec<i8>; 2],
    row: Vec<f32>,
    /// The normals of edges, by the lower byte of an owner.
    normals: Vec<Vec2>,
    /// How much darker a face is so many half pixels above its foot.
    feet: Vec<f32>,
}

impl Facades {
    pub(super) fn new(scale: f32) -> Self {
        let turn = |k: i32| {
            let (sin, cos) = libm::sincosf(k as f32 / 255.0 * std::f32::consts::PI);
            Vec2::new(cos, sin)
        };
        let per_metre = 2.0 * scale * RISE;
        let most = libm::ceilf(30.0 * per_metre) as i32;
        Self {
            fine: if scale < 5.5 { 0.0 } else { step(5.0, 16.0, scale) },
            grit: Octaves::new(Noise::new(if scale > 8.0 { 0.5 } else { 2.5 }, 61, 3), scale),
            spots: Octaves::new(Noise::new(7.0, 62, 2), scale),
            noise: [Vec::new(), Vec::new()],
            row: Vec::new(),
            normals: (0..256).map(turn).collect(),
            feet: (0..most).map(|t| 0.30 * libm::expf(-(t as f32) / per_metre / 0.9)).collect(),
        }
    }

    /// Lays what is seen over the ground of a picture. O(half pixels that show something built).
    #[inline(never)]
    pub(super) fn paint(
        &mut self,
        frame: Frame,
        heights: &Heights,
        shadows: &Shadows,
        seen: &Seen,
        canvas: &mut Canvas,
    ) {
        self.begin(frame, heights);
        let width = frame.width as usize * 2;
        let scene = Scene { facades: self, heights, shadows, corner: seen.corner, width: frame.width };
        for row in 0..frame.height {
            let (upper, lower) = (seen.spans[2 * row as usize], seen.spans[2 * row as usize + 1]);
            let (start, end) = (upper[0].min(lower[0]), upper[1].max(lower[1]));
            if start >= end {
                continue;
            }
            let at = 2 * row as usize * width;
            let (upper, lower) = (&seen.rows[at..at + width], &seen.rows[at + width..at + 2 * width]);
            for column in start / 2..(end + 1) / 2 {
                let left = 2 * column as usize;
                let four = [upper[left], upper[left + 1], lower[left], lower[left + 1]];
                if four == [0; 4] {
                    continue;
                }
                let foot = heights.frame.y + i32::from(four[0].max(four[1]).max(four[2]).max(four[3]));
                let foot = foot as f32 / (heights.frame.scale * FORESHORTENING);
                if let Some(spot) = scene.plain(four, column) {
                    let colour = scene.colour(spot, spot[1] - seen.corner[1] - 2 * row);
                    canvas.cover(column, row, times(colour, 4.0), 4.0, foot);
                    continue;
                }
                let (mut sum, mut count) = ([0.0; 3], 0.0);
                for (k, &foot) in (0..).zip(&four) {
                    if foot > 0 {
                        let spot = [2 * column + (k & 1) + seen.corner[0], i32::from(foot) - 1];
                        let colour = scene.colour(spot, spot[1] - seen.corner[1] - 2 * row - (k >> 1));
                        sum = [sum[0] + colour[0], sum[1] + colour[1], sum[2] + colour[2]];
                        count += 1.0;
                    }
                }
                canvas.cover(column, row, sum, count, foot);
            }
        }
    }

    /// Makes the noises for the rows in which something is built.
    #[inline(never)]
    fn begin(&mut self, frame: Frame, heights: &Heights) {
        // The first row below the heights, in whole pixels.
        let end = heights.frame.y + heights.frame.height;
        let below = end / 2;
        let skipped = frame.y - heights.frame.y / 2;
        let tall = Frame { height: below - frame.y, ..frame };
        self.row.clear();
        self.row.resize(frame.width as usize, 0.0);
        for (octaves, noise) in [&mut self.grit, &mut self.spots].into_iter().zip(&mut self.noise) {
            octaves.begin(tall);
            noise.resize(tall.len(), 0);
            for (row, out) in (0..).zip(noise.chunks_exact_mut(frame.width as usize)) {
                let upper = (skipped + row) as usize * 2;
                if heights.spans[upper..upper + 2].iter().all(|span| span[0] >= span[1]) {
                    continue;
                }
                octaves.row(tall, row, &mut self.row);
                for (out, value) in out.iter_mut().zip(&self.row) {
                    *out = (value * 127.0) as i8;
                }
            }
        }
    }
}

struct Scene<'a> {
    facades: &'a Facades,
    heights: &'a Heights,
    shadows: &'a Shadows,
    corner: [i32; 2],
    width: i32,
}

impl Scene<'_> {
    /// One of the four spots of a pixel, where they lie together on a wide top: one will do for all.
    #[inline]
    fn plain(&self, four: [u16; 4], column: i32) -> Option<[i32; 2]> {
        let heights = self.heights;
        // They are seen in the order in which they lie: no face.
        if four[0] == 0 || four[0] != four[1] || four[2] != four[3] || four[2] != four[0] + 1 {
            return None;
        }
        let spot = [2 * column + self.corner[0], i32::from(four[0]) - 1];
        let at = heights.at(spot[0], spot[1]);
        let is_wide = matches!(
            heights.material[at],
            Material::Cliff | Material::Plain | Material::Panel | Material::Annex | Material::Block | Material::Walk
        );
        let next = at + heights.frame.width as usize;
        let is_amid = |at: usize| heights.owner.get(at..at + 2).is_some_and(|owners| owners == [AMID, AMID]);
        (is_wide && is_amid(at) && is_amid(next)).then_some(spot)
    }

    /// The colour of a spot (column and row of the heights) so many half pixels up.
    #[inline(never)]
    fn colour(&self, [column, row]: [i32; 2], lift: i32) -> Colour {
        let heights = self.heights;
        let frame = heights.frame;
        let at = heights.at(column, row);
        let (top, material, owner) = (heights.z[at], heights.material[at], heights.owner[at]);
        let south = heights.z.get(at + frame.width as usize).copied().unwrap_or(0.0);
        let up = lift as f32 / (frame.scale * RISE);
        let is_face = top - south > 0.45 && up < top - 0.5 / frame.scale;
        let noise = ((row - self.corner[1]) / 2 * self.width + (column - self.corner[0]) / 2) as usize;
        let noise = |k: usize| f32::from(self.facades.noise[k][noise]) / 127.0;
        let mut spot = Spot {
            foot: Vec2::new(frame.x_at(column), frame.y_at(row)),
            up,
            top,
            material,
            is_face,
            along: 0.0,
            grit: noise(0),
            spots: noise(1),
            fine: self.facades.fine,
            light: SUN.z,
        };
        let is_tower = matches!(material, Material::Ledge | Material::Crown | Material::Cone);
        let colour = match material {
            Material::Home => {
                let roof = &heights.roofs[usize::from(owner)];
                let (normal, side) = house::slope(roof, spot.foot, is_face);
                spot.along = side;
                spot.light = if is_face { sun_on_face(normal) } else { sun_on_slope(normal) };
                house::colour(roof, &spot)
            }
            Material::Ledge | Material::Crown | Material::Cone => {
                let tower = &heights.towers[usize::from(owner)];
                let offset = spot.foot - tower.disc.centre;
                let distance = offset.length();
                let out = offset / distance.max(1e-3);
                if is_face {
                    spot.light = sun_on_face(if out.y < 0.0 { -out } else { out });
                } else if material == Material::Cone {
                    spot.light = sun_on_slope(out * -CONE);
                }
                stone::tower(tower, offset, distance, &mut spot)
            }
            _ => {
                if is_face {
                    let normal = self.facades.normals[usize::from(owner & 255)];
                    spot.along = normal.perp().dot(spot.foot);
                    spot.light = sun_on_face(normal);
                } else if matches!(material, Material::Hedge | Material::Rock | Material::Loose | Material::Cliff) {
                    spot.light = sun_on_slope(self.gradient(column, row, at));
                }
                stone::colour(&spot)
            }
        };
        let in_front = row + if is_face { 5 } else { 0 };
        let dark = self.shadows.dark(column / 2, in_front / 2);
        let mut shade = ((dark - up - 0.35) * 2.0).clamp(0.0, 1.0);
        let mut level = if is_face {
            shade *= step(0.0, 0.45, spot.light) * if is_tower { 0.5 } else { 1.0 };
            let edge = if up > top - 0.35 && material != Material::Home { 0.12 } else { 0.0 };
            let foot = self.facades.feet.get(lift as usize).copied().unwrap_or(0.0);
            0.60 + 0.42 * spot.light - foot + edge
        } else {
            // Walks lie behind their parapets.
            let walk = matches!(material, Material::Walk | Material::Block | Material::Ledge);
            (0.50 + 0.66 * spot.light) * if walk { 0.88 } else { 1.0 }
        };
        level *= 1.0 - 0.40 * shade;
        let warm = spot.light;
        let colour = times(colour, level);
        [
            (colour[0] * (0.97 + 0.10 * warm)).clamp(0.0, 1.2),
            (colour[1] * (0.98 + 0.04 * warm)).clamp(0.0, 1.2),
            (colour[2] * (1.06 - 0.10 * warm)).clamp(0.0, 1.2),
        ]
    }

    /// Metres of height for a metre to the east and to the south; of the two sides the gentler one: no cliffs.
    fn gradient(&self, column: i32, row: i32, at: usize) -> Vec2 {
        let (heights, width) = (self.heights, self.heights.frame.width as usize);
        let inner = column > 0 && column + 1 < heights.frame.width && row > 0 && row + 1 < heights.frame.height;
        if !inner {
            return Vec2::ZERO;
        }
        let gentle = |a: f32, b: f32| if a.abs() < b.abs() { a } else { b };
        let z = &heights.z;
        let across = gentle(z[at + 1] - z[at], z[at] - z[at - 1]);
        let down = gentle(z[at + width] - z[at], z[at] - z[at - width]);
        let scale = heights.frame.scale;
        Vec2::new((across * scale).clamp(-2.0, 2.0), (down * scale * FORESHORTENING).clamp(-2.0, 2.0))
    }
}

/// How much a face with this normal looks at the sun.
#[inline]
fn sun_on_face(normal: Vec2) -> f32 {
    normal.x * SUN.x + normal.y.max(0.05) * SUN.y * 0.6
}

/// How much a slope with this gradient looks at the sun.
#[inline]
fn sun_on_slope(gradient: Vec2) -> f32 {
    (SUN.z - gradient.dot(SUN.truncate())) / (1.0 + gradient.length_squared()).sqrt()
}
