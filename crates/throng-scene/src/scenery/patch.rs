//! A part of a layer of cells, blurred, to be looked up between the cells.

use super::frame::Frame;
use crate::noise::split;
use std::ops::Range;
use throng_grid::{Lattice, Layer};

/// The cells of a layer under a frame, as numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    /// Column and row of its first cell.
    first: [i32; 2],
    size: [i32; 2],
    values: Vec<f32>,
    scratch: Vec<f32>,
    per_metre: f32,
    /// The columns of each row that are not 0.
    spans: Vec<[i32; 2]>,
    /// Whether any of it is not 0.
    pub(super) is_there: bool,
}

/// Look-ups move by less than this (m).
const MARGIN: f32 = 3.0;

/// So many cells beyond the map, and beyond a blur, all are alike: more are not held, however far a frame reaches.
const MAX_MARGIN_CELLS: i32 = 1024;

impl Patch {
    /// Takes the cells under a frame from a layer. Those beyond its edge are as those at the edge.
    ///
    /// `deviation` is that of the blur (m); 0 for none. O(cells under the frame, those far beyond the edge left out).
    pub(super) fn take<T>(&mut self, layer: &Layer<T>, frame: Frame, deviation: f32, value: impl Fn(&T) -> f32) {
        let lattice = layer.lattice;
        let cell = lattice.cell_size;
        let weights = bell(deviation / cell);
        let reach = weights.len() as i32 - 1;
        let [west, north, east, south] = frame.bounds();
        let floor = |v: f32| libm::floorf(v / cell) as i32;
        let span = |low: f32, high: f32, side: u32| {
            let (least, most) = (-reach - MAX_MARGIN_CELLS, side as i32 + reach + MAX_MARGIN_CELLS);
            let first = floor(low - MARGIN).saturating_sub(1).clamp(least, most - 2);
            (first, floor(high + MARGIN).saturating_add(2).clamp(first + 2, most) - first)
        };
        let ((left, wide), (top, high)) = (span(west, east, lattice.width), span(north, south, lattice.height));
        (self.first, self.size) = ([left, top], [wide, high]);
        self.per_metre = 1.0 / cell;
        let [width, height] = self.size;
        let wide = width + 2 * reach;
        self.scratch.clear();
        self.is_there = false;
        for row in -reach..height + reach {
            let row = (self.first[1] + row).clamp(0, lattice.height as i32 - 1) as u32;
            let cells = &layer.cells[lattice.cell(0, row).index()..][..lattice.width as usize];
            self.scratch.extend((-reach..width + reach).map(|column| {
                let column = (self.first[0] + column).clamp(0, lattice.width as i32 - 1);
                value(&cells[column as usize])
            }));
        }
        self.is_there = self.scratch.iter().any(|&v| v != 0.0);
        self.values.clear();
        if !self.is_there {
            return;
        }
        if reach == 0 {
            self.values.extend_from_slice(&self.scratch);
            self.find_spans();
            return;
        }
        let spread = |values: &[f32], at: usize, stride: usize| -> f32 {
            let pairs = weights.iter().enumerate().skip(1);
            pairs.fold(values[at] * weights[0], |sum, (k, weight)| {
                sum + (values[at - k * stride] + values[at + k * stride]) * weight
            })
        };
        let mut down = Vec::with_capacity((wide * height) as usize);
        for row in reach..height + reach {
            down.extend((0..wide).map(|column| spread(&self.scratch, (row * wide + column) as usize, wide as usize)));
        }
        for row in 0..height {
            let columns = reach..width + reach;
            self.values.extend(columns.map(|column| spread(&down, (row * wide + column) as usize, 1)));
        }
        self.find_spans();
    }

    /// The values at points of a row (m), `xs` ascending; 0 where none of it is there. O(points).
    pub(super) fn row(&mut self, xs: &[f32], y: f32, out: &mut [f32]) {
        if !self.is_there {
            return out.fill(0.0);
        }
        let [width, height] = self.size;
        let v = (y * self.per_metre - 0.5 - self.first[1] as f32).clamp(0.0, (height - 2) as f32);
        let (row, t) = split(v);
        let at = row as usize * width as usize;
        let (upper, lower) = self.values[at..at + 2 * width as usize].split_at(width as usize);
        let mix = upper.iter().zip(lower).map(|(upper, lower)| upper + (lower - upper) * t);
        self.scratch.clear();
        self.scratch.extend(mix);
        let offset = 0.5 + self.first[0] as f32;
        for (out, x) in out.iter_mut().zip(xs) {
            let (column, s) = split((x * self.per_metre - offset).clamp(0.0, (width - 2) as f32));
            let pair = &self.scratch[column as usize..][..2];
            *out = pair[0] + (pair[1] - pair[0]) * s;
        }
    }

    /// The stretch of a row of pixels, `y` (m) on the ground, in which look-ups that move by less than 3 m may find
    /// something else than 0. O(rows of cells within 3 m).
    pub(super) fn stretch(&self, frame: Frame, y: f32) -> Range<usize> {
        let row = |y: f32| {
            ((y * self.per_metre - 0.5) as i32).saturating_sub(self.first[1]).clamp(0, self.size[1] - 1) as usize
        };
        let (mut start, mut end) = (i32::MAX, 0);
        if self.is_there {
            for span in &self.spans[row(y - MARGIN)..=row(y + MARGIN + 1.0 / self.per_metre)] {
                start = start.min(span[0]);
                end = end.max(span[1]);
            }
        }
        if start >= end {
            return 0..0;
        }
        let x = |column: i32| (self.first[0] + column) as f32 / self.per_metre;
        let start = frame.column(x(start) - 1.0 / self.per_metre - MARGIN) as usize;
        start..frame.column(x(end) + 1.0 / self.per_metre + MARGIN) as usize
    }

    fn find_spans(&mut self) {
        self.spans.clear();
        self.spans.extend(self.values.chunks_exact(self.size[0] as usize).map(|row| {
            let start = row.iter().position(|&v| v != 0.0).map_or(i32::MAX, |at| at as i32);
            [start, row.iter().rposition(|&v| v != 0.0).map_or(0, |at| at as i32 + 1)]
        }));
    }

    /// The value at a point (m) between the middles of the cells; 0 where none of it is there. O(1).
    #[inline]
    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        if !self.is_there {
            return 0.0;
        }
        let [width, height] = self.size;
        let u = (x * self.per_metre - 0.5 - self.first[0] as f32).clamp(0.0, (width - 2) as f32);
        let v = (y * self.per_metre - 0.5 - self.first[1] as f32).clamp(0.0, (height - 2) as f32);
        let (column, row) = (u as usize, v as usize);
        let (s, t) = (u - column as f32, v - row as f32);
        let at = row * width as usize + column;
        let (upper, lower) = (&self.values[at..at + 2], &self.values[at + width as usize..][..2]);
        let above = upper[0] + (upper[1] - upper[0]) * s;
        let below = lower[0] + (lower[1] - lower[0]) * s;
        above + (below - above) * t
    }
}

/// Whether a layer fits to a lattice.
pub(super) fn fits<T>(layer: &Layer<T>, lattice: Lattice) -> bool {
    layer.lattice == lattice
}

/// The middle and one half of a bell curve with the sum 1, this deviation in cells.
fn bell(deviation: f32) -> Vec<f32> {
    if deviation <= 0.0 {
        return vec![1.0];
    }
    let reach = libm::ceilf(2.6 * deviation) as i32;
    let mut weights: Vec<f32> =
        (0..=reach).map(|k| libm::expf(-(k * k) as f32 / (2.0 * deviation * deviation))).collect();
    let total = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame(scale: f32, x: i32, y: i32, width: i32, height: i32) -> Frame {
        Frame { scale, x, y, width, height }
    }

    proptest! {
        /// Of a layer that is 0 everywhere, or has one cell that is not.
        #[test]
        fn a_look_up_from_anywhere_finds_what_is_there(
            (width, height) in (1_u32..40, 1_u32..40), cell_size in 0.01_f32..100.0, spot in 0_usize..2000,
            scale in 0.001_f32..40.0, x in -60_000_000_i32..60_000_000, y in -3000_i32..3000, deviation in 0.0_f32..2.0,
        ) {
            let lattice = Lattice::new(width, height, cell_size).unwrap();
            let mut layer = Layer::new(lattice, 0.0_f32);
            if let Some(cell) = lattice.cells().nth(spot) {
                layer[cell] = 1.0;
            }
            let frame = frame(scale, x, y, 30, 20);
            let mut patch = Patch::default();
            patch.take(&layer, frame, deviation.min(cell_size), |v| *v);
            let xs: Vec<f32> = (0..frame.width).map(|column| frame.x_at(column)).collect();
            for row in 0..frame.height {
                let mut out = vec![2.0; xs.len()];
                patch.row(&xs, frame.y_at(row), &mut out);
                prop_assert!(out.iter().all(|v| (0.0..=1.001).contains(v)), "{out:?}");
                prop_assert!((0.0..=1.001).contains(&patch.at(xs[7] + 2.9, frame.y_at(row) - 2.9)));
                prop_assert!(patch.stretch(frame, frame.y_at(row)).end <= xs.len());
            }
        }
    }
}
