//! Discs that bounce in a box.

use super::{Bodies, Contacts};
use crate::volume::{Bouncing, bounce};
use glam::Vec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

/// Discs of several sizes that bounce at each other and at the walls of a square, elastically. A frame is a
/// [`Discs::STEP`].
///
/// The same number and seed give the same discs on every machine, whichever index finds the overlaps.
///
/// ```
/// use throng_spatial::{Contacts, Discs, Index, IndexKind, Pairs, SpatialIndex};
/// let mut discs = Discs::new(100, 1);
/// let (mut index, mut pairs, mut contacts) = (Index::new(IndexKind::Grid), Pairs::default(), Contacts::default());
/// let energy = discs.energy();
/// for _ in 0..60 {
///     discs.walk();
///     index.update(discs.bodies())?;
///     index.collect_pairs(discs.bodies(), &mut pairs);
///     contacts.update(discs.bodies(), &pairs);
///     discs.bounce(&contacts);
/// }
/// assert!((discs.energy() / energy - 1.0).abs() < 1e-4);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discs {
    /// Centres (m); the corner of the square with the least coordinates is at the origin.
    pub position: Vec<[f32; 2]>,
    /// Velocities (m/s).
    pub velocity: Vec<[f32; 2]>,
    /// Radii (m).
    pub radius: Vec<f32>,
    /// Identities: the rows.
    pub id: Vec<u32>,
    /// Side of the square (m).
    pub side: f32,
}

/// From the middle of a disc to that of the next at the start (m).
const PITCH: f32 = 4.0;

impl Discs {
    /// Time of a frame (s).
    pub const STEP: f32 = 1.0 / 60.0;

    /// So many, which cover a fifth of the square.
    pub fn new(count: u32, seed: u64) -> Self {
        let mut random = Pcg32::seed_from_u64(seed);
        // On a jittered lattice, so that they do not overlap at the start.
        let columns = (count as f32).sqrt().ceil() as u32;
        let room = count as usize;
        let mut discs = Self {
            position: Vec::with_capacity(room),
            velocity: Vec::with_capacity(room),
            radius: Vec::with_capacity(room),
            id: (0..count).collect(),
            side: PITCH * columns as f32,
        };
        for i in 0..count {
            let cell = [(i % columns) as f32, (i / columns) as f32];
            discs.position.push(cell.map(|x| (x + 0.5) * PITCH + random.random_range(-0.5..0.5_f32)));
            discs.velocity.push([(); 2].map(|()| random.random_range(-8.0..8.0_f32)));
            discs.radius.push(random.random_range(0.6..1.4_f32));
        }
        discs
    }

    /// The columns that indices read.
    pub fn bodies(&self) -> Bodies<'_, 2> {
        Bodies::new(&self.position, &self.radius, &self.id)
    }

    /// Of a disc as thick as it is wide.
    fn mass(&self, row: usize) -> f32 {
        self.radius[row].powi(2)
    }

    /// Moves every disc by a frame; a disc that comes to a wall turns round.
    pub fn walk(&mut self) {
        for ((position, velocity), &radius) in self.position.iter_mut().zip(&mut self.velocity).zip(&self.radius) {
            for (x, v) in position.iter_mut().zip(velocity) {
                *x += *v * Self::STEP;
                let (low, high) = (radius, self.side - radius);
                if *x < low && *v < 0.0 || *x > high && *v > 0.0 {
                    *v = -*v;
                }
                *x = x.clamp(0.0, self.side);
            }
        }
    }

    /// Lets discs that overlap bounce, in the order of their ids, so that every index gives the same bits.
    ///
    /// # Panics
    /// Where a contact is of a disc that there is not.
    pub fn bounce(&mut self, contacts: &Contacts) {
        for (i, j) in contacts.now() {
            self.collide(i as usize, j as usize);
        }
    }

    fn collide(&mut self, i: usize, j: usize) {
        let away = Vec2::from(self.position[i]) - Vec2::from(self.position[j]);
        let normal = if away == Vec2::ZERO { Vec2::X } else { away.normalize() };
        let [one, two] = [i, j].map(|row| Bouncing { velocity: self.velocity[row], mass: self.mass(row) });
        (self.velocity[i], self.velocity[j]) = bounce(&one, &two, normal.to_array(), 1.0);
    }

    /// Energy of motion, where a disc of radius 1 m has a mass of 1 kg (J).
    pub fn energy(&self) -> f64 {
        let one = |row: usize| {
            f64::from(self.mass(row)) * self.velocity[row].iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() * 0.5
        };
        (0..self.position.len()).map(one).sum()
    }
}
