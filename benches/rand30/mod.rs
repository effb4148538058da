//! A crowd that covers 30 % of the ground with bodies of 0.5 m radius, in no order of place, each on its way to another's
//! start.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use throng::geom::Vec2;

/// Starts and goals (m).
pub struct Rand30 {
    pub start: Vec<Vec2>,
    pub goal: Vec<Vec2>,
}

/// The side of a square world that leaves 20 m around the crowd (m).
pub fn side(n: usize) -> u32 {
    ((n as f32 / 0.30).sqrt() + 40.0) as u32
}

/// Slots of a square lattice in the middle of a square of `side` metres, jittered so that none overlap.
pub fn rand30(n: usize, side: f32) -> Rand30 {
    let mut random = rand_pcg::Pcg32::seed_from_u64(1);
    let columns = (n as f32).sqrt().ceil() as usize;
    let gap = (std::f32::consts::FRAC_PI_4 / 0.30).sqrt();
    let margin = (side - columns as f32 * gap) * 0.5;
    let mut jitter = || random.random_range(-0.475..0.475) * (gap - 1.0);
    let mut start: Vec<Vec2> = (0..n)
        .map(|i| {
            let (x, y) = ((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5);
            Vec2::new(margin + x * gap + jitter(), margin + y * gap + jitter())
        })
        .collect();
    start.shuffle(&mut random);
    let mut goal = start.clone();
    goal.shuffle(&mut random);
    Rand30 { start, goal }
}
