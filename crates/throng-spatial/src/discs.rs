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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BruteForce, Pairs, SpatialIndex};

    #[test]
    fn discs_start_apart_and_depend_on_their_seed_alone() {
        let discs = Discs::new(50, 1);
        let mut pairs = Pairs::default();
        BruteForce.collect_pairs(discs.bodies(), &mut pairs);
        assert_eq!((pairs.len(), discs.side, discs.id.len()), (0, 32.0, 50));
        assert_eq!(discs, Discs::new(50, 1));
        assert_ne!(discs, Discs::new(50, 2));
        let first = [discs.position[0], discs.velocity[0], discs.position[49]];
        assert_eq!(
            first.map(|[x, y]| [x.to_bits(), y.to_bits()]),
            [[0x3FD9_D385, 0x3FFE_DE79], [0x4095_BE8C, 0xC0DC_A720], [0x40C9_72DC, 0x41CF_DB3C]]
        );
        assert!((0.6..1.4).contains(&discs.radius[49]));
    }

    /// Of each disc twice its energy in all, and its momentum.
    fn motion(discs: &Discs) -> (f64, [f64; 2]) {
        let all = discs.radius.iter().zip(&discs.velocity).map(|(&radius, &[x, y])| {
            let (mass, x, y) = (f64::from(radius).powi(2), f64::from(x), f64::from(y));
            (mass * (x * x + y * y), [mass * x, mass * y])
        });
        all.fold((0.0, [0.0; 2]), |sum, one| (sum.0 + one.0, [sum.1[0] + one.1[0], sum.1[1] + one.1[1]]))
    }

    #[test]
    fn discs_that_bounce_keep_energy_and_momentum_and_part() {
        let mut discs = Discs::new(120, 3);
        let (mut pairs, mut contacts, mut bounces) = (Pairs::default(), Contacts::default(), 0);
        for _ in 0..200 {
            discs.walk();
            BruteForce.collect_pairs(discs.bodies(), &mut pairs);
            contacts.update(discs.bodies(), &pairs);
            let (energy, momentum) = motion(&discs);
            assert!((discs.energy() * 2.0 / energy - 1.0).abs() < 1e-6);
            discs.bounce(&contacts);
            let (after, now) = motion(&discs);
            assert!((after / energy - 1.0).abs() < 1e-5);
            assert!((0..2).all(|axis| (now[axis] - momentum[axis]).abs() < 1e-3), "{now:?} {momentum:?}");
            // The last of them was not changed by another: its two discs go away from each other.
            if let Some((i, j)) = contacts.now().last().map(|(i, j)| (i as usize, j as usize)) {
                let away = Vec2::from(discs.position[i]) - Vec2::from(discs.position[j]);
                let speed = Vec2::from(discs.velocity[i]) - Vec2::from(discs.velocity[j]);
                assert!(away.dot(speed) > -1e-3);
                bounces += 1;
            }
            let inside = |at: &[f32; 2]| at.iter().all(|x| (0.0..=discs.side).contains(x));
            assert!(discs.position.iter().all(inside));
        }
        assert!(bounces > 50, "{bounces}");
    }
}
