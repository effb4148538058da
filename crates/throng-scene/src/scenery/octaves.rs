//! Noise for every pixel of a frame, row by row: wide octaves on a coarser lattice of pixels, and in between lines.

use super::frame::Frame;
use super::octave::Octave;
use crate::noise::Noise;
use crate::view::FORESHORTENING;

/// A noise and the rows it is made of. The rows of a frame are asked for from above.
#[derive(Clone, Debug)]
pub(super) struct Octaves {
    groups: Vec<Group>,
    /// What the sum of all octaves is times.
    share: f32,
}

/// An octave of smaller features (pixels) is nowhere seen; its lattice would have many columns to a pixel.
const LEAST_PIXELS: f32 = 1.0 / 32.0;

/// Octaves that are known at every so many pixels.
#[derive(Clone, Debug)]
struct Group {
    octaves: Vec<Octave>,
    step: i32,
    /// Which row of the coarse lattice is the first of `rows`.
    upper: i32,
    rows: [Vec<f32>; 2],
    between: Vec<f32>,
}

impl Octaves {
    /// Octaves finer than 1.6 pixels are left out: they would only flicker. The first stays, unless it is finer than any
    /// eye could see: then there is no noise.
    pub(super) fn new(noise: Noise, scale: f32) -> Self {
        let noise = noise.coarser_than(1.6 / scale);
        let mut groups: Vec<Group> = Vec::new();
        let mut total = 0.0;
        for octave in 0..noise.octaves {
            let pixels = noise.scale * scale * FORESHORTENING * noise.aspect.min(1.0) / (1 << octave) as f32;
            if pixels < LEAST_PIXELS {
                continue;
            }
            let step = if pixels >= 64.0 {
                16
            } else if pixels >= 16.0 {
                4
            } else if pixels >= 6.0 {
                2
            } else {
                1
            };
            let strength = libm::powf(0.55, octave as f32);
            total += strength;
            let octave = Octave::new(&noise, octave, strength);
            match groups.last_mut() {
                Some(last) if last.step == step => last.octaves.push(octave),
                _ => groups.push(Group {
                    octaves: vec![octave],
                    step,
                    upper: i32::MIN,
                    rows: [Vec::new(), Vec::new()],
                    between: Vec::new(),
                }),
            }
        }
        Self { groups, share: if total > 0.0 { 1.0 / total } else { 0.0 } }
    }

    /// Forgets the rows of the frame before.
    pub(super) fn begin(&mut self, frame: Frame) {
        for Group { octaves, step, upper, rows, between } in &mut self.groups {
            let (first, last) = (frame.x.div_euclid(*step), (frame.x + frame.width).div_euclid(*step) + 1);
            let xs = (first..=last).map(|node| ((node * *step) as f32 + 0.5) / frame.scale);
            for octave in octaves.iter_mut() {
                octave.begin(xs.clone());
            }
            *upper = i32::MIN;
            for row in rows.iter_mut().chain([between]) {
                row.clear();
                row.resize((last - first + 1) as usize, 0.0);
            }
        }
    }

    /// The noise at a row of the frame, -1 to 1.
    pub(super) fn row(&mut self, frame: Frame, row: i32, out: &mut [f32]) {
        out.fill(0.0);
        for group in &mut self.groups {
            if group.step == 1 {
                let y = frame.y_at(row);
                group.octaves.iter_mut().for_each(|octave| octave.add(y, out));
            } else {
                group.row(frame, row, out);
            }
        }
        for out in out {
            *out *= self.share;
        }
    }
}

impl Group {
    fn row(&mut self, frame: Frame, row: i32, out: &mut [f32]) {
        let at = frame.y + row;
        let upper = at.div_euclid(self.step);
        if upper != self.upper {
            if self.upper.wrapping_add(1) == upper {
                self.rows.swap(0, 1);
            } else {
                self.node_row(frame, upper, 0);
            }
            self.node_row(frame, upper + 1, 1);
            self.upper = upper;
        }
        let t = at.rem_euclid(self.step) as f32 / self.step as f32;
        let [above, below] = &self.rows;
        for ((between, above), below) in self.between.iter_mut().zip(above).zip(below) {
            *between = above + (below - above) * t;
        }
        let phase = frame.x.rem_euclid(self.step) as usize;
        if self.step == 2 {
            add_lines::<2>(&self.between, phase, out);
        } else if self.step == 4 {
            add_lines::<4>(&self.between, phase, out);
        } else {
            add_lines::<16>(&self.between, phase, out);
        }
    }

    fn node_row(&mut self, frame: Frame, node: i32, slot: usize) {
        let y = ((node * self.step) as f32 + 0.5) / (frame.scale * FORESHORTENING);
        let row = &mut self.rows[slot];
        row.fill(0.0);
        self.octaves.iter_mut().for_each(|octave| octave.add(y, row));
    }
}

/// Adds the lines between nodes that are `STEP` pixels apart; the first pixel is `phase` after the first node.
fn add_lines<const STEP: usize>(nodes: &[f32], phase: usize, out: &mut [f32]) {
    let weights: [f32; STEP] = std::array::from_fn(|k| k as f32 / STEP as f32);
    let head = (STEP - phase).min(out.len());
    let (first, rest) = out.split_at_mut(head);
    let line = |pair: &[f32], weights: &[f32], out: &mut [f32]| {
        let (a, slope) = (pair[0], pair[1] - pair[0]);
        for (out, weight) in out.iter_mut().zip(weights) {
            *out += a + slope * weight;
        }
    };
    line(&nodes[..2], &weights[phase..], first);
    for (pair, out) in nodes[1..].windows(2).zip(rest.chunks_mut(STEP)) {
        line(pair, &weights, out);
    }
}
