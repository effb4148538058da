//! Figures laid on a picture, pixel by pixel.

use super::instances::{self, ARMIES, BRIGHTEST, Instance};
use super::processor::{BLOCK_SIDE_PX, PaintedGround, bands};
use crate::shell::camera::Camera;
use rayon::prelude::*;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_scene::painter::grade::Grade;
use throng_scene::painter::tones::{Drab, GHOST, LIGHT, pale};
use throng_scene::sprite::Atlas;

/// Atlases of more bytes are coloured pixel by pixel as they are painted: few figures are seen so near.
const MAX_TINTED_BYTES: usize = 24 << 20;

/// An atlas in the colours of the armies, graded.
pub struct Sheets {
    atlas: Option<Arc<Atlas>>,
    grade: Grade,
    colours: [[u8; 3]; ARMIES],
    tinted: Vec<Option<Vec<[u8; 4]>>>,
}

impl Default for Sheets {
    fn default() -> Self {
        Self { atlas: None, grade: Grade::default(), colours: [[255; 3]; ARMIES], tinted: Vec::new() }
    }
}

impl Sheets {
    /// Takes other colours of armies.
    pub fn dye(&mut self, colours: [[u8; 3]; ARMIES]) {
        self.colours = colours;
        self.tinted.iter_mut().for_each(|tinted| *tinted = None);
    }

    /// Takes an atlas; false where it is the present one.
    pub fn take(&mut self, atlas: &Arc<Atlas>) -> bool {
        let is_other = !self.atlas.as_ref().is_some_and(|own| Arc::ptr_eq(own, atlas));
        if is_other {
            self.atlas = Some(Arc::clone(atlas));
            self.tinted = vec![None; ARMIES];
        }
        is_other
    }

    /// Colours what is needed for some figures.
    fn prepare(&mut self, figures: &[Instance]) {
        let Some(atlas) = &self.atlas else { return };
        if atlas.bytes() > MAX_TINTED_BYTES {
            return;
        }
        // The fallen are drawn once: they are coloured pixel by pixel.
        for figure in figures.iter().filter(|figure| usize::from(figure.ink) < ARMIES) {
            let army = usize::from(figure.ink);
            if self.tinted[army].is_none() {
                let mut tinted = atlas.tinted(self.colours[army]);
                self.grade.premultiplied(&mut tinted);
                self.tinted[army] = Some(tinted);
            }
        }
    }
}

/// Lays figures of the present atlas on the pixels of a field, in their order; what is built further south hides them.
/// O(pixels of figures).
pub fn all(pixels: &mut [[u8; 4]], field: &PaintedGround, figures: &[Instance], sheets: &mut Sheets, camera: &Camera) {
    if figures.is_empty() || field.width == 0 {
        return;
    }
    sheets.prepare(figures);
    let Some(atlas) = &sheets.atlas else { return };
    let ratio = instances::ratio(camera, atlas);
    let tallest = figures.iter().map(|figure| figure.size[1]).max().unwrap_or(0);
    // A figure may lie wholly above its foot or below it.
    let reach = (f32::from(tallest) * ratio).ceil() + 2.0;
    let horizon = instances::horizon(camera);
    let foot_at = |row: f32| instances::foot(camera.to_world(Vec2::new(0.0, row)).y - horizon);
    bands(pixels, field.width).for_each(|(first, pixels)| {
        let mut band =
            Band { pixels, first, field, width: atlas.width(), shares: atlas.shares(), ratio, lights: lights() };
        let last = (first + band.pixels.len() / field.width) as f32 + reach;
        // They are in the order of their rows.
        let (low, high) = (foot_at(first as f32 - reach), foot_at(last));
        let begin = figures.partition_point(|figure| figure.foot < low);
        let end = if last > field.height as f32 {
            figures.len()
        } else {
            figures.partition_point(|figure| figure.foot <= high)
        };
        for figure in &figures[begin.min(end)..end] {
            let army = usize::from(figure.ink) % ARMIES;
            let (pixels, shares, colour) = (atlas.pixels(), atlas.shares(), sheets.colours[army]);
            let grade = &sheets.grade;
            if usize::from(figure.ink) >= ARMIES {
                let drab = Drab::new(colour, camera.zoom);
                let of = |index: usize| u32::from_le_bytes(drab.pixel(grade.pixel(pixels[index]), shares[index]));
                band.lay(figure, None, None, of);
            } else if let Some(tinted) = &sheets.tinted[army] {
                band.lay(figure, Some(colour), Some(tinted), |index| u32::from_le_bytes(tinted[index]));
            } else {
                let of = |index: usize| u32::from_le_bytes(grade.pixel(tint(pixels[index], shares[index], colour)));
                band.lay(figure, Some(colour), None, of);
            }
        }
    });
}

/// Some rows of a picture.
struct Band<'a> {
    pixels: &'a mut [[u8; 4]],
    first: usize,
    field: &'a PaintedGround,
    /// Pixels a row of the atlas, and its shares.
    width: usize,
    shares: &'a [u8],
    /// Pixels of the picture for one of the atlas.
    ratio: f32,
    lights: [u32; 16],
}

/// How bright the brightest figure is by the light at its feet, in parts of [`PLAIN`] times 256.
fn lights() -> [u32; 16] {
    std::array::from_fn(|light| {
        let sun = LIGHT[0] + LIGHT[1] * light as f32 / 15.0;
        (sun * BRIGHTEST * PLAIN as f32 * (256.0 * 256.0 / 255.0)) as u32
    })
}

impl Band<'_> {
    /// Lays a figure; where it is of an army it stands in the light, and what is hidden of it shines through. `sheet` has the
    /// same as `colour`, where it is made already.
    #[inline]
    fn lay(
        &mut self,
        figure: &Instance,
        army: Option<[u8; 3]>,
        sheet: Option<&[[u8; 4]]>,
        colour: impl Fn(usize) -> u32,
    ) {
        let field = self.field;
        let (width, rows) = (field.width as i32, (self.pixels.len() / field.width) as i32);
        let is_plain = (self.ratio - 1.0).abs() < 1e-3;
        let side =
            |pixels: u16| if is_plain { i32::from(pixels) } else { (f32::from(pixels) * self.ratio).ceil() as i32 };
        let [x, y] = figure.corner.map(i32::from);
        let (left, right) = (x.max(0), (x + side(figure.size[0])).min(width));
        let first = self.first as i32;
        let (top, bottom) = (y.max(first), (y + side(figure.size[1])).min(first + rows));
        if left >= right || top >= bottom {
            return;
        }
        let (left, right) = (left as usize, right as usize);
        let shade = army.map_or(PLAIN, |_| self.shade(figure));
        let ghost = army.map(pale);
        let hides = self.hides(figure.foot, [left, right], [top as usize, bottom as usize]);
        let from = usize::from(figure.at[0]);
        let source = |pixel: i32, most: u16| {
            let at = if is_plain { pixel } else { ((pixel as f32 + 0.5) / self.ratio) as i32 };
            at.clamp(0, i32::from(most) - 1) as usize
        };
        for row in top..bottom {
            let line = (usize::from(figure.at[1]) + source(row - y, figure.size[1])) * self.width + from;
            let to = (row - first) as usize * field.width;
            let out = &mut self.pixels[to + left..to + right];
            if is_plain && !hides {
                let begin = line + (left as i32 - x) as usize;
                if let Some(sheet) = sheet.and_then(|sheet| sheet.get(begin..begin + out.len())) {
                    for (pixel, &colour) in out.iter_mut().zip(sheet) {
                        *pixel = over(*pixel, u32::from_le_bytes(colour), shade);
                    }
                } else {
                    for (index, pixel) in out.iter_mut().enumerate() {
                        *pixel = over(*pixel, colour(begin + index), shade);
                    }
                }
                continue;
            }
            let front = &field.front[row as usize * field.width..];
            for (column, pixel) in (left..right).zip(out) {
                let index = line + source(column as i32 - x, figure.size[0]);
                if hides && front[column] > figure.foot {
                    if let Some(ghost) = ghost {
                        let share = u32::from(self.shares[index]) * u32::from(GHOST) / 256;
                        *pixel = over(*pixel, premultiplied(ghost, share), PLAIN);
                    }
                } else {
                    *pixel = over(*pixel, colour(index), shade);
                }
            }
        }
    }

    /// How bright a figure is in the light at its feet, in parts of [`PLAIN`].
    #[inline]
    fn shade(&self, figure: &Instance) -> u32 {
        let at = |part: usize| i32::from(figure.corner[part]) + (f32::from(figure.anchor[part]) * self.ratio) as i32;
        let (x, y) = (at(0).clamp(0, self.field.width as i32 - 1), at(1).clamp(0, self.field.height as i32 - 1));
        let light = self.field.light[y as usize * self.field.width + x as usize];
        (self.lights[usize::from(light & 15)] * u32::from(figure.shade)) >> 16
    }

    /// True where something in a rectangle may hide what stands at a foot.
    #[inline]
    fn hides(&self, foot: u16, [left, right]: [usize; 2], [top, bottom]: [usize; 2]) -> bool {
        let across = self.field.width.div_ceil(BLOCK_SIDE_PX);
        (top / BLOCK_SIDE_PX..=(bottom - 1) / BLOCK_SIDE_PX).any(|row| {
            self.field.blocks[row * across..][left / BLOCK_SIDE_PX..=(right - 1) / BLOCK_SIDE_PX]
                .iter()
                .any(|&most| most > foot)
        })
    }
}

/// The brightness at which a colour stays as it is.
const PLAIN: u32 = 128;

/// A premultiplied colour, `shade` / 128 as bright (up to an eighth brighter), over an opaque one; two channels at a time.
#[inline]
fn over(under: [u8; 4], over: u32, shade: u32) -> [u8; 4] {
    let under = u32::from_le_bytes(under);
    let keep = 256 - (over >> 24);
    let even =
        ((((over & 0x00FF_00FF) * shade) >> 7) & 0x01FF_01FF) + ((((under & 0x00FF_00FF) * keep) >> 8) & 0x00FF_00FF);
    // What is brighter than its opacity exceeds 255 by less than 255.
    let even = (even | (((even >> 8) & 0x0001_0001) * 0xFF)) & 0x00FF_00FF;
    let odd = ((((over >> 8) & 0xFF) * shade) >> 7) + ((((under >> 8) & 0xFF) * keep) >> 8);
    (even | (odd.min(0xFF) << 8) | 0xFF00_0000).to_le_bytes()
}

/// A pixel of an atlas in the colour of an army.
#[inline]
fn tint([r, g, b, a]: [u8; 4], share: u8, ink: [u8; 3]) -> [u8; 4] {
    let channel = |value: u8, ink: u8| {
        let less = u32::from(share) * u32::from(255 - ink) / 255;
        (u32::from(value) * (255 - less) / 255) as u8
    };
    [channel(r, ink[0]), channel(g, ink[1]), channel(b, ink[2]), a]
}

/// A colour with an opacity of 0 to 255.
#[inline]
fn premultiplied(colour: [u8; 3], opacity: u32) -> u32 {
    let [r, g, b] = colour.map(|channel| (u32::from(channel) * opacity / 255) as u8);
    u32::from_le_bytes([r, g, b, opacity as u8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn colours_never_overflow(under: [u8; 3], over_rgb: [u8; 3], opacity: u8, shade in 0_u32..=143) {
            let [r, g, b] = over_rgb.map(|channel| (u16::from(channel) * u16::from(opacity) / 255) as u8);
            let colour = u32::from_le_bytes([r, g, b, opacity]);
            let out = over([under[0], under[1], under[2], 255], colour, shade);
            for (part, source) in [r, g, b].into_iter().enumerate() {
                let exact = f32::from(source) * shade as f32 / 128.0
                    + f32::from(under[part]) * (1.0 - f32::from(opacity) / 255.0);
                let exact = exact.min(255.0);
                prop_assert!((f32::from(out[part]) - exact).abs() <= 2.5, "{} for {exact}", out[part]);
            }
            prop_assert_eq!(out[3], 255);
        }

        #[test]
        fn tints_are_those_of_the_atlas(value: [u8; 3], share: u8, ink: [u8; 3]) {
            let out = tint([value[0], value[1], value[2], 255], share, ink);
            for part in 0..3 {
                let m = f32::from(share) / 255.0;
                let exact = f32::from(value[part]) * (1.0 + m * (f32::from(ink[part]) / 255.0 - 1.0));
                prop_assert!((f32::from(out[part]) - exact).abs() <= 2.0);
            }
        }
    }
}
