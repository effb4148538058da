//! Water below the ground: of its banks the northern one is seen, and it lies in the shadow of those to the upper left.

use super::blur::Blur;
use super::colours::{BANK, DEEP, WATER, mix, times};
use super::frame::Frame;
use super::heights::crossings_of;
use super::mend::{AROUND, cells, spot};
use super::octaves::Octaves;
use super::row::Row;
use super::step::step;
use crate::land::{Kind, Land, Outline};
use crate::noise::Noise;
use crate::view::{RISE, SHADOW};
use throng_grid::geom::Vec2;

/// How far below the ground it lies (m).
const DEPTH: f32 = 1.3;

/// The water of a frame, in a wider frame.
#[derive(Clone, Debug)]
pub(super) struct Water {
    frame: Frame,
    /// Columns and rows from the wider frame's corner to the frame's.
    border: [i32; 2],
    /// How much of a pixel is inside of a bank, 0 to 255.
    mask: Vec<u8>,
    /// The same, blurred.
    lip: Vec<u8>,
    middle: Vec<u8>,
    /// The bank, and the shadow on the water.
    face: Vec<u8>,
    cast: Vec<u8>,
    scratch: Vec<u8>,
    crossings: Vec<(i32, i32)>,
    pub(super) is_there: bool,
    ripple: [Octaves; 2],
    earth: Octaves,
    noise: [Vec<f32>; 2],
    bumps: Vec<f32>,
}

impl Water {
    pub(super) fn new(scale: f32) -> Self {
        Self {
            frame: Frame { scale, x: 0, y: 0, width: 0, height: 0 },
            border: [0, 0],
            mask: Vec::new(),
            lip: Vec::new(),
            middle: Vec::new(),
            face: Vec::new(),
            cast: Vec::new(),
            scratch: Vec::new(),
            crossings: Vec::new(),
            is_there: false,
            ripple: [
                Octaves::new(Noise { aspect: 0.35, ..Noise::new(1.6, 51, 3) }, scale),
                Octaves::new(Noise::new(9.0, 52, 2), scale),
            ],
            earth: Octaves::new(Noise::new(0.5, 53, 2), scale),
            noise: [Vec::new(), Vec::new()],
            bumps: Vec::new(),
        }
    }

    /// Finds the water of a frame. O(points of all moats, and pixels if there is any).
    pub(super) fn begin(&mut self, land: &Land, inner: Frame) {
        let scale = inner.scale;
        let bank = libm::roundf(DEPTH * RISE * scale).max(2.0) as i32;
        let shadow = [
            libm::roundf(DEPTH * SHADOW.x * scale * 1.4) as i32,
            libm::roundf(DEPTH * SHADOW.y * scale * crate::view::FORESHORTENING) as i32,
        ];
        let (lip, middle, cast) = (Blur::new(0.55 * scale), Blur::new(0.8 * scale), Blur::new(0.1 * scale));
        let blurs = lip.reach().max(middle.reach()).max(cast.reach());
        let border = [blurs + shadow[0] + 1, blurs + shadow[1] + 2 * bank + 1];
        let frame = inner.grown(border[0], border[1], blurs, blurs);
        self.border = border;
        self.frame = frame;
        self.is_there = false;
        let [west, north, east, south] = frame.bounds();
        let near = |outline: &&Outline| {
            let is = |beyond: fn(f32, f32) -> bool, limit: f32, of: fn(&Vec2) -> f32| {
                outline.iter().any(|p| beyond(of(p), limit))
            };
            is(|a, b| a > b, west, |p| p.x)
                && is(|a, b| a < b, east, |p| p.x)
                && is(|a, b| a > b, north, |p| p.y)
                && is(|a, b| a < b, south, |p| p.y)
        };
        let half = frame.doubled();
        self.crossings.clear();
        crossings_of(half, land.moats.iter().filter(near), &mut self.crossings);
        let width = frame.width as usize;
        self.mask.clear();
        self.mask.resize(frame.len(), 0);
        for pair in self.crossings.chunks_exact(2) {
            let at = pair[0].0 as usize / 2 * width;
            for column in pair[0].1..pair[1].1 {
                // Four spots a pixel: 252 of 255 are made whole below.
                self.mask[at + column as usize / 2] += 63;
                self.is_there = true;
            }
        }
        if !self.is_there {
            return;
        }
        self.mend(land);
        self.mask.iter_mut().for_each(|mask| *mask += *mask / 84);
        for (blurred, blur) in [(&mut self.lip, lip), (&mut self.middle, middle)] {
            blurred.clone_from(&self.mask);
            blur.apply(blurred, width, &mut self.scratch);
        }
        self.sides(bank, shadow);
        cast.apply(&mut self.cast, width, &mut self.scratch);
        for octaves in self.ripple.iter_mut().chain([&mut self.earth]) {
            octaves.begin(inner);
        }
        for values in self.noise.iter_mut().chain([&mut self.bumps]) {
            values.clear();
            values.resize(inner.width as usize, 0.0);
        }
    }

    /// Whether most of the pixel at a point (m) is inside of a bank.
    #[cfg(test)]
    pub(super) fn is_wet(&self, at: Vec2) -> bool {
        let pixel = spot(self.frame, at).map(|[column, row]| (row * self.frame.width + column) as usize);
        self.is_there && pixel.is_some_and(|pixel| self.mask[pixel] > 127)
    }

    /// Rounded banks miss the middles of a few cells.
    fn mend(&mut self, land: &Land) {
        let frame = self.frame;
        let half = land.lattice.cell_size * 0.5;
        for (at, kind) in cells(land, frame) {
            let Some([column, row]) = spot(frame, at) else { continue };
            let middle = (row * frame.width + column) as usize;
            let value = if kind == Kind::Water { 252 } else { 0 };
            let is_misread = AROUND
                .iter()
                .filter_map(|&offset| spot(frame, at + offset * half))
                .all(|[column, row]| (self.mask[(row * frame.width + column) as usize] > 126) == (kind != Kind::Water));
            if !is_misread || !matches!(kind, Kind::Water | Kind::Open) {
                continue;
            }
            let [left, above, right, below] = frame.cut(at.x - half, at.y - half, at.x + half, at.y + half);
            for row in above..below {
                for column in left..right {
                    let offset = Vec2::new(frame.x_at(column) - at.x, frame.y_at(row) - at.y);
                    if offset.length_squared() < half * half * 1.2 {
                        self.mask[(row * frame.width + column) as usize] = value;
                    }
                }
            }
            self.mask[middle] = value;
        }
    }

    /// Which part of the hole is the bank, and which part of the water lies in its shadow.
    fn sides(&mut self, bank: i32, shadow: [i32; 2]) {
        let width = self.frame.width as usize;
        let (lower, aside) = (bank as usize, shadow[0] as usize);
        let further = lower + shadow[1] as usize;
        for plane in [&mut self.face, &mut self.cast] {
            plane.clear();
            plane.resize(self.mask.len(), 0);
        }
        for row in further..self.frame.height as usize {
            let at = row * width;
            for column in aside..width {
                let mask = self.mask[at + column];
                if mask == 0 {
                    continue;
                }
                let above = 255 - u32::from(self.mask[at - lower * width + column]);
                let face = u32::from(mask) * above / 255;
                let sunny = 255 - u32::from(self.mask[at - further * width + column - aside]);
                self.face[at + column] = face as u8;
                self.cast[at + column] = ((u32::from(mask) - face) * sunny / 255) as u8;
            }
        }
    }

    /// Paints the water of a row.
    #[inline(never)]
    pub(super) fn row(&mut self, inner: Frame, row: i32, out: &mut Row) {
        let at = (row + self.border[1]) as usize * self.frame.width as usize + self.border[0] as usize;
        let here = at..at + inner.width as usize;
        let lip = &self.lip[here.clone()];
        if lip.iter().all(|&lip| lip == 0) && self.mask[here.clone()].iter().all(|&mask| mask == 0) {
            return;
        }
        for (octaves, out) in self.ripple.iter_mut().zip(&mut self.noise) {
            octaves.row(inner, row, out);
        }
        self.earth.row(inner, row, &mut self.bumps);
        let [short, long] = &self.noise;
        for (column, &lip) in lip.iter().enumerate() {
            let at = at + column;
            if lip == 0 && self.mask[at] == 0 {
                continue;
            }
            let part = |plane: &[u8]| f32::from(plane[at]) / 255.0;
            let (mask, face) = (part(&self.mask), part(&self.face));
            let wet = mask - face;
            let lip = (f32::from(lip) / 255.0 * 2.0).min(1.0) * (1.0 - mask);
            let edge = 0.75 * lip * step(-0.6, 0.4, out.patches[column] + 0.4);
            let ripple = short[column] + 0.5 * long[column];
            let deep = mix(WATER, DEEP, step(0.55, 1.0, part(&self.middle)));
            let (tone, foam) = (1.0 + 0.10 * ripple, 0.16 * step(0.42, 0.75, ripple));
            let shade = 1.0 - 0.42 * part(&self.cast);
            let soil = times(BANK, 0.72 + 0.16 * self.bumps[column]);
            for (channel, rgb) in out.rgb.iter_mut().enumerate() {
                let value = &mut rgb[column];
                *value += (BANK[channel] * 1.12 - *value) * edge;
                *value += (soil[channel] - *value) * face;
                let water = (deep[channel] * tone + foam * GLITTER[channel]) * shade;
                *value += (water - *value) * wet;
            }
            // Below 0: no tuft and no stone.
            out.grass[column] = if mask > 0.05 { -1.0 } else { out.grass[column] * (1.0 - edge) };
        }
    }
}

/// The colour of ripples in the light.
const GLITTER: [f32; 3] = [0.8, 0.95, 1.0];
