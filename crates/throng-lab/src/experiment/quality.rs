//! How well a crowd gets through.

use super::{ExperimentError, Finish};
use std::ops::ControlFlow;
use throng_grid::geom::Vec2;
use throng_spatial::{Bodies, Index, IndexKind, SpatialIndex};

/// Two overlap where their centres are nearer than this share of their radii together.
const TOLERANCE: f32 = 0.98;

/// Trips that are shorter than this (m) do not count in the time ratio.
const MIN_WAY_M: f32 = 5.0;

/// How well a crowd got through. No figure says anything alone: agents that walk through each other arrive, and agents that
/// stand still do not overlap.
///
/// See [`Meter`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Quality {
    /// Agents that have been at their finish in some frame (%).
    pub arrived: f64,
    /// The time when half of the arrivals had arrived (s).
    pub t50: f64,
    /// Time of arrival over that of a straight walk, mean over the agents that arrived and had more than 5 m to go.
    pub time_ratio: f64,
    /// Overlapping pairs per 1000 agents and frame: centres nearer than 98 % of the radii together.
    pub pairs: f64,
    /// Mean depth of these overlaps, of the radii together (%).
    pub mean_depth: f64,
    /// Greatest depth (%).
    pub max_depth: f64,
    /// Mean size of the change of velocity of the agents that have not arrived, from frame to frame (m/s²): jitter.
    pub acceleration: f64,
}

/// Watches a crowd frame by frame.
///
/// ```
/// use throng_lab::experiment::{Finish, Meter};
/// use throng_grid::geom::Vec2;
/// let finish = [Finish::Near { goal: Vec2::new(9.0, 0.0), within: 1.0 }];
/// let mut meter = Meter::new(&[Vec2::ZERO], &finish, 0.5, 1.0);
/// for frame in 0..20 {
///     meter.frame(f64::from(frame) * 0.5, &[Vec2::new(frame as f32 * 0.5, 0.0)])?;
/// }
/// let quality = meter.quality();
/// assert_eq!((quality.arrived, quality.t50, quality.acceleration), (100.0, 8.5, 0.0));
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
#[derive(Debug)]
pub struct Meter {
    finish: Vec<Finish>,
    /// Length of the straight way (m).
    way: Vec<f32>,
    speed: f32,
    radius: Vec<f32>,
    id: Vec<u32>,
    arrived_at: Vec<Option<f64>>,
    time: f64,
    before: Vec<Vec2>,
    velocity: Vec<Vec2>,
    frames: u64,
    pairs: u64,
    depth: f64,
    deepest: f64,
    acceleration: f64,
    accelerations: u64,
    index: Index,
}

impl Meter {
    /// A meter for agents of one radius (m) that like one speed (m/s).
    pub fn new(starts: &[Vec2], finish: &[Finish], radius: f32, speed: f32) -> Self {
        Self {
            way: starts.iter().zip(finish).map(|(&start, finish)| finish.distance(start)).collect(),
            finish: finish.to_vec(),
            speed,
            radius: vec![radius * TOLERANCE; finish.len()],
            id: (0..finish.len() as u32).collect(),
            arrived_at: vec![None; finish.len()],
            time: 0.0,
            before: Vec::new(),
            velocity: Vec::new(),
            frames: 0,
            pairs: 0,
            depth: 0.0,
            deepest: 0.0,
            acceleration: 0.0,
            accelerations: 0,
            index: Index::new(IndexKind::Grid),
        }
    }

    /// Takes a frame: the time since the first one (s), and all positions (m), in the order of the starts.
    ///
    /// # Errors
    /// Where a position is no number.
    pub fn frame(&mut self, time: f64, position: &[Vec2]) -> Result<(), ExperimentError> {
        let step = time - self.time;
        self.time = time;
        for ((at, finish), arrived) in position.iter().zip(&self.finish).zip(&mut self.arrived_at) {
            if arrived.is_none() && finish.is_reached(*at) {
                *arrived = Some(time);
            }
        }
        self.accelerate(step, position);
        self.overlap(position)?;
        self.frames += 1;
        Ok(())
    }

    fn accelerate(&mut self, step: f64, position: &[Vec2]) {
        let known = self.velocity.len();
        for (i, (&now, before)) in position.iter().zip(&mut self.before).enumerate() {
            let velocity = ((now - *before).as_dvec2() / step).as_vec2();
            if known == 0 {
                self.velocity.push(velocity);
            } else {
                if self.arrived_at[i].is_none() {
                    self.acceleration += f64::from(velocity.distance(self.velocity[i])) / step;
                    self.accelerations += 1;
                }
                self.velocity[i] = velocity;
            }
            *before = now;
        }
        if self.before.is_empty() {
            self.before.extend_from_slice(position);
        }
    }

    fn overlap(&mut self, position: &[Vec2]) -> Result<(), ExperimentError> {
        let bodies = Bodies::new(bytemuck::cast_slice(position), &self.radius, &self.id);
        self.index.rebuild(bodies)?;
        let touch = f64::from(self.radius[0] / TOLERANCE) * 2.0;
        let (mut pairs, mut sum, mut deepest) = (0, 0.0, self.deepest);
        self.index.pairs(bodies, |a, b| {
            let distance = f64::from(position[a as usize].distance(position[b as usize]));
            let depth = (touch - distance) / touch;
            pairs += 1;
            sum += depth;
            deepest = deepest.max(depth);
            ControlFlow::Continue(())
        });
        self.pairs += pairs;
        self.depth += sum;
        self.deepest = deepest;
        Ok(())
    }

    /// When each agent arrived, if it did (s).
    pub fn arrivals(&self) -> &[Option<f64>] {
        &self.arrived_at
    }

    /// The figures of the frames so far.
    pub fn quality(&self) -> Quality {
        let n = self.finish.len() as f64;
        let mut times: Vec<f64> = self.arrived_at.iter().flatten().copied().collect();
        times.sort_by(f64::total_cmp);
        let within = |finish: &Finish| if let Finish::Near { within, .. } = finish { *within } else { 0.0 };
        let ratios: Vec<f64> = self
            .arrived_at
            .iter()
            .zip(&self.way)
            .zip(&self.finish)
            .filter(|((_, way), finish)| **way + within(finish) > MIN_WAY_M)
            .filter_map(|((time, way), _)| Some((*time)? / f64::from(way / self.speed)))
            .collect();
        let share = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
        Quality {
            arrived: share(100.0 * times.len() as f64, n),
            t50: times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or(0.0),
            time_ratio: share(ratios.iter().sum(), ratios.len() as f64),
            pairs: share(1000.0 * self.pairs as f64, n * self.frames as f64),
            mean_depth: share(100.0 * self.depth, self.pairs as f64),
            max_depth: 100.0 * self.deepest,
            acceleration: share(self.acceleration, self.accelerations as f64),
        }
    }
}
