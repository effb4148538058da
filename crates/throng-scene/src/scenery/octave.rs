//! One octave of noise along the rows of a frame: what depends on the column, or on the row of the lattice, is kept.

use crate::noise::{Noise, OFFSET, lattice, split};

/// One octave of a noise.
#[derive(Clone, Debug)]
pub(super) struct Octave {
    /// Columns and rows of the lattice a metre.
    per_x: f32,
    per_y: f32,
    seed: u32,
    strength: f32,
    /// The column of the lattice left of each point, counted from `first`; and how near the next one is, 0 to 1.
    columns: Vec<u32>,
    weights: Vec<f32>,
    first: i32,
    /// Which row of the lattice is the first of `rows`.
    row: i32,
    rows: [Vec<f32>; 2],
    /// Values between the two rows, and how much greater the next one is.
    values: Vec<[f32; 2]>,
}

impl Octave {
    pub(super) fn new(noise: &Noise, octave: u32, strength: f32) -> Self {
        let per_x = (1 << octave) as f32 / noise.scale;
        Self {
            per_x,
            per_y: per_x / noise.aspect,
            seed: noise.seed.wrapping_add(octave * 7),
            strength,
            columns: Vec::new(),
            weights: Vec::new(),
            first: 0,
            row: i32::MIN,
            rows: [Vec::new(), Vec::new()],
            values: Vec::new(),
        }
    }

    /// Takes the points of all rows (m), ascending.
    pub(super) fn begin(&mut self, xs: impl Iterator<Item = f32>) {
        self.columns.clear();
        self.weights.clear();
        self.row = i32::MIN;
        let mut last = 0;
        for x in xs {
            let (column, t) = split(x * self.per_x + OFFSET);
            if self.columns.is_empty() {
                self.first = column;
            }
            last = column.wrapping_sub(self.first);
            self.columns.push(last as u32);
            self.weights.push(t * t * (3.0 - 2.0 * t));
        }
        let count = last as usize + 2;
        self.rows.iter_mut().for_each(|row| row.resize(count, 0.0));
        self.values.resize(count - 1, [0.0; 2]);
    }

    /// Adds the octave at the first points of a row at `y` (m), as many as `out` has.
    pub(super) fn add(&mut self, y: f32, out: &mut [f32]) {
        let (row, t) = split(y * self.per_y + OFFSET);
        if row != self.row {
            if self.row.wrapping_add(1) == row {
                self.rows.swap(0, 1);
            } else {
                self.lattice_row(row, 0);
            }
            self.lattice_row(row + 1, 1);
            self.row = row;
        }
        let t = t * t * (3.0 - 2.0 * t);
        let [upper, lower] = &self.rows;
        let between = |upper: f32, lower: f32| upper + (lower - upper) * t;
        for (value, (upper, lower)) in self.values.iter_mut().zip(upper.windows(2).zip(lower.windows(2))) {
            let (left, right) = (between(upper[0], lower[0]), between(upper[1], lower[1]));
            *value = [left, right - left];
        }
        let values = &self.values[..];
        for (out, (column, weight)) in out.iter_mut().zip(self.columns.iter().zip(&self.weights)) {
            let [value, more] = values[*column as usize];
            *out += value + more * weight;
        }
    }

    fn lattice_row(&mut self, row: i32, slot: usize) {
        for (value, column) in self.rows[slot].iter_mut().zip(self.first..) {
            *value = (lattice(column, row, self.seed) * 2.0 - 1.0) * self.strength;
        }
    }
}
