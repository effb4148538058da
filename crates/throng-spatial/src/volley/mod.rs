//! Shots and bodies of all kinds in motion, to see what tests of moving bodies find.

mod response;
mod solid;

pub use response::{Response, UnknownResponse};
pub use solid::{Form, Solid};

use super::{Bodies, SpatialIndex};
use crate::volume::{Ball, Hit, SphereTree, Sweep, VolumeError, stop};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Room for each body (m): the side of a square, or of a cube.
const PITCH: [f32; 2] = [7.0, 7.5];
/// Thickness of the thinnest body (m).
const MIN_THICKNESS_M: f32 = 0.1;
/// How far a body drifts in a step, at most (m).
const DRIFT: f32 = 0.4;
/// What is nearer to a wall than this is at it (m).
const NEAR_WALL: f32 = 1e-3;

/// Fast balls among bodies of all kinds that drift and turn, in a square or a cube.
///
/// In a step all move along straight ways; bodies turn between steps. One in four shapes is a shot; the others are of the
/// [kinds](Solid::KINDS) in turn. The same numbers and seed give the same shapes on every machine.
///
/// ```
/// use throng_spatial::volume::Shape2;
/// use throng_spatial::{Index, IndexKind, Response, SpatialIndex, Volley};
/// let mut volley = Volley::<2, Shape2>::new(400, 20.0, 1)?;
/// let (mut index, mut near) = (Index::new(IndexKind::Quadtree), Vec::new());
/// index.rebuild(volley.bodies())?;
/// volley.near(&index, &mut near);
/// let hits: Vec<_> = near.iter().filter(|&&pair| volley.hit(pair).is_some()).collect();
/// let stepped = hits.iter().filter(|&&&pair| volley.meets(pair, 1)).count();
/// assert!(stepped < hits.len(), "a test at the ends of the way misses some");
/// volley.advance(&near, Response::Bounce);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Volley<const D: usize, S> {
    /// Side of the square or cube (m); its least corner is at the origin.
    pub side: f32,
    /// The shots where they are at the start of the step.
    pub shots: Vec<Ball<D>>,
    /// How far each shot moves in the step (m).
    pub shot_motion: Vec<[f32; D]>,
    /// The bodies where they are at the start of the step.
    pub bodies: Vec<S>,
    /// How far each body moves in the step (m).
    pub body_motion: Vec<[f32; D]>,
    forms: Vec<Form<D>>,
    /// How far each body turns in a step (degrees).
    spin: Vec<f32>,
    tree: Arc<SphereTree<D>>,
    /// What an index sees of the bodies: their middles, and the radii of the balls around their ways.
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
    id: Vec<u32>,
    /// How far a shot that is fired moves in a step (m).
    speed: f32,
    random: Pcg32,
}

/// A capsule with a bend: leaves along a body.
fn limb<const D: usize>() -> Vec<Ball<D>> {
    (-4..=4_i8)
        .map(|i| {
            let x = 0.5 * f32::from(i);
            let bend = 0.09 * f32::from(i) * f32::from(i) - 0.6;
            let radius = 0.55 - 0.04 * f32::from(i.abs());
            Ball { centre: std::array::from_fn(|axis| [x, bend, 0.0][axis.min(2)]), radius }
        })
        .collect()
}

impl<const D: usize, S: Solid<D>> Volley<D, S> {
    /// So many shapes, shots among them that move `speed` (m) a step; one of each at least.
    ///
    /// # Errors
    /// Of the sphere tree, whose leaves are always the same.
    ///
    /// # Panics
    /// For dimensions other than 2 and 3.
    pub fn new(shapes: u32, speed: f32, seed: u64) -> Result<Self, VolumeError> {
        let shots = (shapes / 4).max(1);
        let bodies = shapes.saturating_sub(shots).max(1);
        let side = PITCH[D - 2] * libm::powf(bodies as f32, 1.0 / D as f32).max(3.0);
        let mut volley = Self {
            side,
            shots: Vec::new(),
            shot_motion: Vec::new(),
            bodies: Vec::new(),
            body_motion: Vec::new(),
            forms: Vec::new(),
            spin: Vec::new(),
            tree: Arc::new(SphereTree::new(&limb())?),
            position: Vec::new(),
            radius: Vec::new(),
            id: (0..bodies).collect(),
            speed,
            random: Pcg32::seed_from_u64(seed),
        };
        for row in 0..bodies {
            let random = &mut volley.random;
            let at = [(); D].map(|()| random.random_range(2.5..side - 2.5));
            let mut half = [(); D].map(|()| random.random_range(0.4..2.0_f32));
            // Of each kind but the ball every other body is thin, as a wall or a plate is.
            let (kind, turn) = (row as usize % S::KINDS.len(), row as usize / S::KINDS.len());
            if kind > 0 && turn % 2 == 0 {
                half[0] = 0.5 * MIN_THICKNESS_M + random.random_range(0.0..0.15_f32);
            }
            volley.forms.push(Form { kind, at, half, turn: random.random_range(0.0..360.0_f32) });
            volley.body_motion.push([(); D].map(|()| random.random_range(-DRIFT..DRIFT)));
            volley.spin.push(random.random_range(-6.0..6.0_f32));
        }
        for _ in 0..shots {
            let random = &mut volley.random;
            let centre = [(); D].map(|()| random.random_range(0.5..side - 0.5));
            let radius = random.random_range(0.15..0.4_f32);
            volley.shots.push(Ball { centre, radius });
            let motion = volley.fired();
            volley.shot_motion.push(motion);
        }
        volley.place();
        Ok(volley)
    }

    /// The motion of a shot that is fired anywhere (m a step).
    fn fired(&mut self) -> [f32; D] {
        loop {
            let way = [(); D].map(|()| self.random.random_range(-1.0..1.0_f32));
            let squared: f32 = way.iter().map(|x| x * x).sum();
            // Of a square or a cube only what is in the ball, so that no direction comes more often.
            if (0.01..1.0).contains(&squared) {
                return way.map(|x| x * self.speed / squared.sqrt());
            }
        }
    }

    /// How far a shot that is fired moves in a step from now on (m); those in flight keep their directions.
    pub fn set_speed(&mut self, speed: f32) {
        for motion in &mut self.shot_motion {
            let length = motion.iter().map(|x| x * x).sum::<f32>().sqrt();
            if length > 0.0 {
                *motion = motion.map(|x| x * speed / length);
            }
        }
        self.speed = speed;
    }

    /// Makes the bodies of their forms, and the columns for the index.
    fn place(&mut self) {
        self.bodies.clear();
        self.position.clear();
        self.radius.clear();
        for (form, motion) in self.forms.iter().zip(&self.body_motion) {
            let body = S::solid(form, &self.tree);
            let ball = body.bounding_ball();
            let drift = motion.iter().map(|x| x * x).sum::<f32>().sqrt();
            self.position.push(ball.centre);
            self.radius.push((ball.radius + drift) * (1.0 + 1e-5));
            self.bodies.push(body);
        }
    }

    /// The balls around the ways of the bodies, for an index.
    pub fn bodies(&self) -> Bodies<'_, D> {
        Bodies::new(&self.position, &self.radius, &self.id)
    }

    /// Finds the pairs of a shot and a body whose ways may meet, in order. `index` is built of [`bodies`](Self::bodies).
    pub fn near(&self, index: &impl SpatialIndex<D>, found: &mut Vec<(u32, u32)>) {
        found.clear();
        for (shot, (ball, &motion)) in self.shots.iter().zip(&self.shot_motion).enumerate() {
            let first = found.len();
            let _: ControlFlow<()> = index.visible(self.bodies(), &Sweep::new(ball, motion).bounds(), |body| {
                found.push((shot as u32, body));
                ControlFlow::Continue(())
            });
            found[first..].sort_unstable();
        }
    }

    /// The way of a shot as a body sees it.
    fn sweep(&self, (shot, body): (u32, u32)) -> Sweep<D> {
        let shot = shot as usize;
        Sweep::relative(&self.shots[shot], self.shot_motion[shot], self.body_motion[body as usize])
    }

    /// The continuous test of a pair: where the shot first hits the body, which is seen at the start of the step.
    pub fn hit(&self, pair: (u32, u32)) -> Option<Hit<D>> {
        self.bodies[pair.1 as usize].struck(&self.sweep(pair))
    }

    /// The test of a pair by so many sub-steps: whether shot and body overlap at the start or after one of them.
    pub fn meets(&self, pair: (u32, u32), substeps: u32) -> bool {
        let body = &self.bodies[pair.1 as usize];
        self.sweep(pair).substeps(substeps).any(|(_, ball)| body.overlaps_ball(&ball))
    }

    /// When each shot first hits a body of a pair that it flies into (1 where it hits none), and the normal there.
    fn first_hits(&self, near: &[(u32, u32)]) -> Vec<Option<(f64, u32, [f32; D])>> {
        let mut first: Vec<Option<(f64, u32, [f32; D])>> = vec![None; self.shots.len()];
        for &pair in near {
            let Some(hit) = self.hit(pair) else { continue };
            let along = self.sweep(pair).ray.along;
            let inward: f64 = along.iter().zip(hit.normal).map(|(&x, n)| x * f64::from(n)).sum();
            let earliest = &mut first[pair.0 as usize];
            // A shot that leaves a body is not held back by it.
            if inward < 0.0 && earliest.is_none_or(|(time, ..)| hit.time < time) {
                *earliest = Some((hit.time, pair.1, hit.normal));
            }
        }
        first
    }

    /// When a shot comes to a wall: 1 where it comes to none in this step.
    fn wall(&self, shot: usize) -> f64 {
        let Ball { centre, radius } = self.shots[shot];
        let ways = centre.into_iter().zip(self.shot_motion[shot]).map(|(x, v)| {
            let end = if v < 0.0 { radius } else { self.side - radius };
            if v == 0.0 { 1.0 } else { ((f64::from(end) - f64::from(x)) / f64::from(v)).max(0.0) }
        });
        ways.fold(1.0, f64::min)
    }

    /// How much of its way each shot makes in this step, from 0 to 1: to a wall, or by a response to its first hit of `near`.
    pub fn shares(&self, near: &[(u32, u32)], response: Response) -> Vec<f64> {
        let hits = self.first_hits(near).into_iter().enumerate();
        let ends = hits.map(|(shot, hit)| {
            let time = hit.filter(|_| response != Response::Pass).map_or(1.0, |(time, ..)| time);
            time.min(self.wall(shot))
        });
        ends.collect()
    }

    /// Goes on to the next step. Shots end this one at a wall or at their first hit of `near` and go on by the response;
    /// those that have lost half their speed are fired anew. All turn round at the walls.
    pub fn advance(&mut self, near: &[(u32, u32)], response: Response) {
        let hits = self.first_hits(near);
        let side = self.side;
        for (row, hit) in hits.into_iter().enumerate() {
            let (ball, mut motion, wall) = (self.shots[row], self.shot_motion[row], self.wall(row));
            let hit = hit.filter(|&(time, ..)| response != Response::Pass && time < wall);
            let mut centre = stop(ball.centre, motion, hit.map_or(wall, |(time, ..)| time));
            if let Some((_, body, normal)) = hit {
                let drift = self.body_motion[body as usize];
                let seen = std::array::from_fn(|axis| motion[axis] - drift[axis]);
                let after = response.answer(seen, normal);
                motion = std::array::from_fn(|axis| after[axis] + drift[axis]);
            }
            reflect(&mut centre, &mut motion, [ball.radius, side - ball.radius]);
            let squared: f32 = motion.iter().map(|x| x * x).sum();
            let bound = 0.25 * self.speed * self.speed;
            self.shots[row].centre = centre;
            self.shot_motion[row] = if squared < bound || squared > 16.0 * bound { self.fired() } else { motion };
        }
        for ((form, motion), spin) in self.forms.iter_mut().zip(&mut self.body_motion).zip(&self.spin) {
            form.at = std::array::from_fn(|axis| form.at[axis] + motion[axis]);
            reflect(&mut form.at, motion, [2.0, side - 2.0]);
            form.turn = (form.turn + spin) % 360.0;
        }
        self.place();
    }
}

/// Turns what has come to a wall round.
fn reflect<const D: usize>(at: &mut [f32; D], motion: &mut [f32; D], [low, high]: [f32; 2]) {
    for (x, v) in at.iter_mut().zip(motion) {
        // The place was rounded.
        if *x < low + NEAR_WALL {
            *v = v.abs();
        } else if *x > high - NEAR_WALL {
            *v = -v.abs();
        }
        *x = x.clamp(low, high);
    }
}

#[cfg(test)]
mod tests;
