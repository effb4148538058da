//! From a model to a sprite: light, inner lines, reduction to pixels, outline and cast shadow.

use super::material::{Coat, LINEN};
use super::primitive::{Form, Primitive};
use super::raster::{NOTHING, Placed, Projection, Raster, ShadowRaster};
use crate::noise::Noise;
use crate::view::{FORESHORTENING as K, RISE as H, SUN};
use throng_grid::geom::{Vec2, Vec3};

/// How a model is made a sprite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finish {
    /// Pixels a metre.
    pub scale: f32,
    /// Samples along each side of a pixel.
    pub samples: usize,
    /// How much is added to all radii (m).
    pub fat: f32,
    /// Strength of light and shade; 1 = as seen.
    pub contrast: f32,
    /// Strength of the dark line around it, 0 to 1.
    pub outline: f32,
    /// How far materials have turned into those from afar, 0 to 1.
    pub simple: f32,
    /// Length of its shadow, as a multiple of what the sun says.
    pub shadow: f32,
}

/// A sprite as it was drawn, in the memory of the [`Scratch`].
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// Its width (pixels).
    pub width: usize,
    /// Its height (pixels).
    pub height: usize,
    /// The point between the feet, from its upper left corner (pixels).
    pub anchor: [i16; 2],
    /// Premultiplied red, green, blue and opacity, row by row.
    pub pixels: &'a [[u8; 4]],
    /// The share of a pixel's light that takes the army's colour, row by row.
    pub shares: &'a [u8],
}

/// Memory to draw sprites in, one after another.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    placed: Vec<(Placed, Paint)>,
    laid: Vec<Placed>,
    raster: Raster,
    shadow: ShadowRaster,
    light: Vec<Light>,
    grain: [Vec<f32>; 3],
    sums: Vec<Sum>,
    cast: [Vec<f32>; 2],
    pixels: Vec<[u8; 4]>,
    shares: Vec<u8>,
}

/// A material as light falls on it.
#[derive(Clone, Copy, Debug)]
struct Paint {
    coat: Coat,
    /// The least light on it.
    glow: f32,
}

impl Paint {
    fn new(part: &Primitive, simple: f32) -> Self {
        let coat = part.material.coat(simple);
        // Cloth and painted shields glow a little: they say whose the figure is.
        let is_painted = coat.army > 0.0 || part.material == LINEN;
        let glow = if is_painted && matches!(part.form, Form::Plate { .. }) { 0.42 } else { 0.0 };
        Self { coat, glow }
    }
}

/// How a sample is lit.
#[derive(Clone, Copy, Debug, Default)]
struct Light {
    /// From the sun, 0 to 1.
    sun: f32,
    /// How far it looks upwards.
    up: f32,
    /// Strength of the highlight.
    glint: f32,
    /// 1, or less where something stands before it.
    line: f32,
}

/// The samples of a pixel, added up.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    colour: [f32; 3],
    /// Light that takes the army's colour, as [`brightness`].
    army: f32,
    cover: f32,
}

/// The colour of outlines.
const LINE: [f32; 3] = [0.07, 0.05, 0.05];
/// The colour of cast shadows.
const CAST: [f32; 3] = [0.05, 0.06, 0.10];
/// How dark cast shadows are.
const CAST_STRENGTH: f32 = 0.42;
/// What is nearer by this (m) than what is beside it has a line around it.
const LINE_STEP: f32 = 0.11;
/// Samples along each side of a pixel for shadows, which are blurred anyway.
const SHADOW_SAMPLES: usize = 2;
/// Free pixels around a model, for its outline.
const MARGIN: f32 = 2.0;

impl Scratch {
    /// Draws a model. `grain` roughens its colours, each number in another way.
    ///
    /// O(samples of the boxes of all parts).
    pub fn draw(&mut self, parts: impl Iterator<Item = Primitive>, finish: &Finish, grain: Option<u32>) -> Drawing<'_> {
        let (low, high) = self.place(parts, finish);
        let blur = Blur::new(0.02 * finish.scale + 0.25);
        let left = (-low.x).ceil().max(0.0) as usize + blur.radius();
        let top = (-low.y).ceil().max(0.0) as usize + blur.radius();
        let width = left + high.x.ceil().max(0.0) as usize + blur.radius();
        let height = top + high.y.ceil().max(0.0) as usize + blur.radius();
        let origin = Vec2::new(left as f32, top as f32);

        let samples = finish.samples;
        self.raster.clear(width * samples, height * samples);
        for (index, (placed, _)) in self.placed.iter().enumerate() {
            self.raster.draw(placed, origin * samples as f32, index as u32);
        }
        self.shadow.clear(width * SHADOW_SAMPLES, height * SHADOW_SAMPLES);
        for placed in &self.laid {
            self.shadow.draw(placed, origin * SHADOW_SAMPLES as f32);
        }
        self.reduce(width, height, origin, finish, grain);
        self.cast(width, height, &blur);
        self.compose(width, height, finish);
        self.trim(width, height, [left as i16, top as i16])
    }

    /// Projects all parts and their shadows; returns the box around them (pixels from the point between the feet).
    fn place(&mut self, parts: impl Iterator<Item = Primitive>, finish: &Finish) -> (Vec2, Vec2) {
        let samples = finish.samples as f32;
        let shape = Projection { scale: finish.scale * samples, shadow: None, fat: finish.fat };
        let shadow_samples = SHADOW_SAMPLES as f32;
        let shadow =
            Projection { scale: finish.scale * shadow_samples, shadow: Some(finish.shadow), fat: finish.fat * 0.6 };
        self.placed.clear();
        self.laid.clear();
        let (mut low, mut high) = (Vec2::ZERO, Vec2::ZERO);
        for part in parts {
            if let Some(placed) = shape.place(&part.form).filter(|placed| !placed.is_speck()) {
                let (a, b) = placed.bounds();
                low = low.min(a / samples - MARGIN);
                high = high.max(b / samples + MARGIN);
                self.placed.push((placed, Paint::new(&part, finish.simple)));
            }
            if finish.shadow > 0.0
                && let Some(placed) = shadow.place(&part.form)
            {
                let (a, b) = placed.bounds();
                low = low.min(a / shadow_samples - 1.0);
                high = high.max(b / shadow_samples + 1.0);
                self.laid.push(placed);
            }
        }
        (low, high)
    }

    /// Shades all samples and adds up those of each pixel.
    fn reduce(&mut self, width: usize, height: usize, origin: Vec2, finish: &Finish, grain: Option<u32>) {
        let samples = finish.samples;
        self.sums.clear();
        self.sums.resize(width * height, Sum::default());
        self.light.resize(self.raster.width, Light::default());
        for y in 0..self.raster.height {
            let (from, to) = self.raster.spans[y];
            if from >= to {
                continue;
            }
            // From one whole pixel to another.
            let (from, to) = (from as usize / samples, (to as usize).div_ceil(samples));
            self.light_row(y, from * samples, to * samples, finish);
            if let Some(seed) = grain {
                self.grain_row(y, origin, finish, seed);
            }
            let start = y * self.raster.width;
            let sums = &mut self.sums[y / samples * width..][from..to];
            for (pixel, sum) in sums.iter_mut().enumerate() {
                let first = (from + pixel) * samples;
                for x in first..first + samples {
                    if self.raster.depth[start + x] == NOTHING {
                        continue;
                    }
                    let (_, paint) = self.placed[self.raster.part[start + x] as usize];
                    let rough = if grain.is_some() { self.grain[2][x] } else { 1.0 };
                    sum.add(&paint, self.light[x], finish.contrast, rough);
                }
            }
        }
    }

    /// The light on the samples of a row, and the lines where something stands before something else.
    fn light_row(&mut self, y: usize, from: usize, to: usize, finish: &Finish) {
        let raster = &self.raster;
        let row = |y: usize| &raster.depth[y * raster.width..][..raster.width];
        let (above, own, below) = (row(y.saturating_sub(1)), row(y), row((y + 1).min(raster.height - 1)));
        let step = LINE_STEP * finish.scale * finish.samples as f32;
        // A line is a sample wide: with fewer samples a pixel it is the paler the wider it is.
        let line = 1.0 - (0.42 - 0.30 * finish.simple) * (1.0 - finish.simple * (1.0 - finish.samples as f32 / 6.0));
        let half = (SUN + Vec3::new(0.0, H, K)).normalize();
        let (right, down) = (&raster.right[y * raster.width..], &raster.down[y * raster.width..]);
        let light = &mut self.light[from..to];
        for ((light, &u), &v) in light.iter_mut().zip(&right[from..to]).zip(&down[from..to]) {
            let square = 1.0 - u * u - v * v;
            let d = if square > 0.0 { square } else { 0.0 }.sqrt();
            // Back into the map's frame.
            let (south, up) = (v * K + d * H, d * K - v * H);
            let sun = u * SUN.x + south * SUN.y + up * SUN.z;
            let shine = u * half.x + south * half.y + up * half.z;
            let shine = if shine > 0.0 { shine } else { 0.0 };
            let (two, four) = (shine * shine, shine * shine * (shine * shine));
            *light = Light { sun: if sun > 0.0 { sun } else { 0.0 }, up, glint: four * four * four * two, line: 1.0 };
        }
        for (i, light) in light.iter_mut().enumerate() {
            let x = from + i;
            let sides = own[x.saturating_sub(1)].max(own[(x + 1).min(own.len() - 1)]);
            if sides.max(above[x]).max(below[x]) - own[x] > step {
                light.line = line;
            }
        }
    }

    fn grain_row(&mut self, y: usize, origin: Vec2, finish: &Finish, seed: u32) {
        let per_metre = finish.scale * finish.samples as f32;
        let place = (y as f32 + 0.5) / per_metre - origin.y / finish.scale;
        let [coarse, fine, out] = &mut self.grain;
        let xs = (0..self.raster.width).map(|x| (x as f32 + 0.5) / per_metre - origin.x / finish.scale);
        out.clear();
        out.extend(xs);
        coarse.resize(out.len(), 0.0);
        fine.resize(out.len(), 0.0);
        Noise::new(0.28, seed, 2).row(out, place, coarse);
        Noise::new(0.1, seed.wrapping_add(50), 1).row(out, place, fine);
        for ((out, coarse), fine) in out.iter_mut().zip(coarse).zip(fine) {
            *out = 1.0 + 0.22 * *coarse + 0.15 * *fine;
        }
    }

    /// The cast shadow of each pixel, blurred.
    fn cast(&mut self, width: usize, height: usize, blur: &Blur) {
        let [one, two] = &mut self.cast;
        one.clear();
        two.clear();
        let share = CAST_STRENGTH / (SHADOW_SAMPLES * SHADOW_SAMPLES) as f32;
        for rows in self.shadow.dark.chunks_exact(self.shadow.width * SHADOW_SAMPLES) {
            let (upper, lower) = rows.split_at(self.shadow.width);
            let pairs = upper.chunks_exact(SHADOW_SAMPLES).zip(lower.chunks_exact(SHADOW_SAMPLES));
            one.extend(pairs.map(|(a, b)| (a[0] + a[1] + b[0] + b[1]) * share));
        }
        two.resize(width * height, 0.0);
        blur.along(one, two, width, 1);
        one.fill(0.0);
        blur.along(two, one, height, width);
    }

    /// Adds outline and cast shadow to what was drawn, and makes it bytes.
    fn compose(&mut self, width: usize, height: usize, finish: &Finish) {
        let per_sample = 1.0 / (finish.samples * finish.samples) as f32;
        self.pixels.clear();
        self.shares.clear();
        for y in 0..height {
            let cover = |x: usize, y: usize| self.sums[y * width + x].cover * per_sample;
            for x in 0..width {
                let sum = &self.sums[y * width + x];
                let alpha = sum.cover * per_sample;
                let beside = cover(x.saturating_sub(1), y)
                    .max(cover((x + 1).min(width - 1), y))
                    .max(cover(x, y.saturating_sub(1)))
                    .max(cover(x, (y + 1).min(height - 1)));
                let cast = self.cast[0][y * width + x];
                if beside == 0.0 && alpha == 0.0 && cast < 0.5 / 255.0 {
                    self.pixels.push([0; 4]);
                    self.shares.push(0);
                    continue;
                }
                let line = (beside - alpha).max(0.0) * finish.outline * (1.0 - alpha);
                let cast = cast * (1.0 - alpha) * (1.0 - line);
                let colour = [0, 1, 2].map(|i| sum.colour[i] * per_sample + line * LINE[i] + cast * CAST[i]);
                let whole = brightness(colour);
                let share = if whole > 0.0 { sum.army * per_sample / whole } else { 0.0 };
                let [r, g, b] = colour.map(to_byte);
                self.pixels.push([r, g, b, to_byte(alpha + line + cast)]);
                self.shares.push(to_byte(share));
            }
        }
    }

    /// Cuts off what is empty.
    fn trim(&mut self, width: usize, height: usize, anchor: [i16; 2]) -> Drawing<'_> {
        let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
        for (y, row) in self.pixels.chunks_exact(width).enumerate() {
            let Some(first) = row.iter().position(|pixel| pixel[3] > 0) else { continue };
            let last = row.iter().rposition(|pixel| pixel[3] > 0).unwrap_or(first);
            left = left.min(first);
            right = right.max(last + 1);
            top = top.min(y);
            bottom = y + 1;
        }
        if left >= right {
            (left, right, top, bottom) = (0, 1, 0, 1);
        }
        let (wide, high) = (right - left, bottom - top);
        for row in 0..high {
            let from = (top + row) * width + left;
            self.pixels.copy_within(from..from + wide, row * wide);
            self.shares.copy_within(from..from + wide, row * wide);
        }
        Drawing {
            width: wide,
            height: high,
            anchor: [anchor[0] - left as i16, anchor[1] - top as i16],
            pixels: &self.pixels[..wide * high],
            shares: &self.shares[..wide * high],
        }
    }
}

impl Sum {
    /// Adds a sample.
    #[inline]
    fn add(&mut self, paint: &Paint, light: Light, contrast: f32, rough: f32) {
        let sun = paint.glow + (1.0 - paint.glow) * light.sun;
        let value = 1.0 + contrast * (0.50 + 0.72 * sun + 0.08 * light.up - 1.0);
        let strength = light.line * rough;
        let glint = paint.coat.gloss * light.glint;
        // Light is warm, shade is cool.
        let tint = [0.86 + 0.20 * sun, 0.90 + 0.11 * sun, 1.02 - 0.08 * sun];
        let colour = [0, 1, 2].map(|i| (paint.coat.colour[i] * value * tint[i] + glint) * strength);
        for (sum, colour) in self.colour.iter_mut().zip(colour) {
            *sum += colour;
        }
        self.army += brightness(colour) * paint.coat.army;
        self.cover += 1.0;
    }
}

fn brightness([r, g, b]: [f32; 3]) -> f32 {
    0.25 * r + 0.5 * g + 0.25 * b
}

fn to_byte(value: f32) -> u8 {
    // A cast to a byte stays within its range.
    (value * 255.0 + 0.5) as u8
}

/// A blur by the normal distribution.
struct Blur {
    /// Weights from the middle outwards.
    weights: Vec<f32>,
}

impl Blur {
    /// A blur of a standard deviation (pixels).
    fn new(deviation: f32) -> Self {
        let radius = (4.0 * deviation) as usize;
        let mut weights: Vec<f32> =
            (0..=radius).map(|x| libm::expf(-0.5 * (x * x) as f32 / (deviation * deviation))).collect();
        let total = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
        for weight in &mut weights {
            *weight /= total;
        }
        Self { weights }
    }

    fn radius(&self) -> usize {
        self.weights.len() - 1
    }

    /// Adds `from`, blurred along lines of `length` values that are `step` apart, to `to`.
    fn along(&self, from: &[f32], to: &mut [f32], length: usize, step: usize) {
        for (distance, &weight) in self.weights.iter().enumerate() {
            let shift = distance * step;
            if distance >= length {
                break;
            }
            if distance == 0 {
                for (to, from) in to.iter_mut().zip(from) {
                    *to += from * weight;
                }
            } else {
                // Lines are not told apart: sprites have an empty margin of this radius.
                let end = from.len() - shift;
                for (to, from) in to[shift..].iter_mut().zip(from) {
                    *to += from * weight;
                }
                for (to, from) in to[..end].iter_mut().zip(&from[shift..]) {
                    *to += from * weight;
                }
            }
        }
    }
}
