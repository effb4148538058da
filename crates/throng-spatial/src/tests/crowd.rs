//! Crowds of all sorts, that come and go.

use crate::Bodies;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg32;

/// How bodies lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lie {
    Uniform,
    Sparse,
    Clustered,
    /// All on one axis-parallel line, far from the origin.
    Line(usize),
    /// On whole metres: many at the same distance, many on one point.
    Lattice,
    /// All on one point.
    Coincident,
    /// All within a hand's breadth.
    OneCell,
    /// Around a point so far away that coordinates are coarse.
    Far(f32),
    /// A few so far away that the others look like one point.
    Scattered,
    /// Touching exactly, in a row: no pairs at all.
    Touching,
}

pub(crate) const LIES: [Lie; 13] = [
    Lie::Uniform,
    Lie::Sparse,
    Lie::Clustered,
    Lie::Line(0),
    Lie::Line(1),
    Lie::Lattice,
    Lie::Coincident,
    Lie::OneCell,
    Lie::Far(1e6),
    Lie::Far(1e9),
    Lie::Far(-1e17),
    Lie::Scattered,
    Lie::Touching,
];

/// How large bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    Equal,
    Mixed,
    Zero,
    /// A few twenty times as large.
    Giants,
}

pub(crate) const SIZES: [Size; 4] = [Size::Equal, Size::Mixed, Size::Zero, Size::Giants];

/// Bodies, with ids in an order of their own.
#[derive(Clone, Debug)]
pub(crate) struct Crowd<const D: usize> {
    pub position: Vec<[f32; D]>,
    pub radius: Vec<f32>,
    pub id: Vec<u32>,
    pub resting: Vec<bool>,
    pub random: Pcg32,
    lie: Lie,
    size: Size,
    next: u32,
}

impl<const D: usize> Crowd<D> {
    pub fn new(lie: Lie, size: Size, n: usize, seed: u64) -> Self {
        let mut crowd = Self {
            position: Vec::new(),
            radius: Vec::new(),
            id: Vec::new(),
            resting: Vec::new(),
            random: Pcg32::seed_from_u64(seed),
            lie,
            size,
            next: 0,
        };
        for _ in 0..n {
            crowd.insert();
        }
        crowd.id.shuffle(&mut crowd.random);
        if seed.is_multiple_of(3) {
            crowd.resting.clear();
        }
        crowd
    }

    pub fn bodies(&self) -> Bodies<'_, D> {
        Bodies { position: &self.position, radius: &self.radius, id: &self.id, resting: &self.resting }
    }

    fn place(&mut self) -> [f32; D] {
        let (random, count) = (&mut self.random, self.position.len());
        let mut uniform = |far: f32| -> [f32; D] { std::array::from_fn(|_| random.random_range(-far..far)) };
        match self.lie {
            Lie::Uniform => uniform(12.0),
            Lie::Sparse => uniform(1000.0),
            Lie::Clustered => {
                let at = uniform(1.5);
                std::array::from_fn(|axis| at[axis] + [0.0, 300.0, -70.0, 0.5][(count + axis) % 4])
            }
            Lie::Line(along) => {
                let at = uniform(60.0);
                std::array::from_fn(|axis| if axis == along { 1e5 + at[axis] } else { -3.0 })
            }
            Lie::Lattice => uniform(4.0).map(f32::round),
            Lie::Coincident => [7.5; D],
            Lie::OneCell => uniform(0.1),
            Lie::Far(far) => {
                // Coordinates have steps of some metres there.
                let at = uniform((far.abs() * 2e-6).max(12.0));
                std::array::from_fn(|axis| at[axis] + far)
            }
            Lie::Scattered => {
                let far = if count.is_multiple_of(9) { 1e18 } else { 5.0 };
                uniform(far)
            }
            Lie::Touching => std::array::from_fn(|axis| if axis == 0 { count as f32 } else { 0.0 }),
        }
    }

    fn insert(&mut self) {
        let position = self.place();
        self.position.push(position);
        let scale = match self.lie {
            Lie::Far(far) => (far.abs() * 2e-7).max(1.0),
            _ => 1.0,
        };
        let radius = match self.size {
            Size::Mixed => self.random.random_range(0.0..1.5),
            Size::Zero => 0.0,
            Size::Giants if self.random.random_ratio(1, 20) => 10.0,
            Size::Equal | Size::Giants => 0.5,
        };
        self.radius.push(radius * scale);
        self.id.push(3 * self.next + 1);
        self.next += 1;
        let rests = self.random.random_ratio(1, 4);
        self.resting.push(rests);
    }

    /// Most move a little, some far; some come, some go.
    pub fn stir(&mut self) {
        for row in 0..self.position.len() {
            if self.random.random_ratio(1, 30) {
                self.position[row] = self.place();
            } else if self.random.random_ratio(4, 5) {
                for axis in 0..D {
                    let step: f32 = self.random.random_range(-0.3..0.3);
                    self.position[row][axis] =
                        (self.position[row][axis] + step).clamp(-Bodies::<D>::MAX_EXTENT_M, Bodies::<D>::MAX_EXTENT_M);
                }
            }
        }
        let whole = self.resting.len() == self.position.len();
        for _ in 0..self.random.random_range(0..4) {
            self.insert();
        }
        for _ in 0..self.random.random_range(0..4_usize).min(self.position.len()) {
            let row = self.random.random_range(0..self.position.len());
            self.position.swap_remove(row);
            self.radius.swap_remove(row);
            self.id.swap_remove(row);
            if row < self.resting.len() {
                self.resting.swap_remove(row);
            }
        }
        if whole {
            self.resting.truncate(self.position.len());
        } else {
            self.resting.clear();
        }
    }
}
