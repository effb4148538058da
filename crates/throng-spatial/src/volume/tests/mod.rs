//! Volumes against each other, against results computed in other ways, and against their own rounding.

mod bounds;
mod boxes;
mod jointed;
mod pairs;
mod trees;

use super::{Aabb, Ball, Cylinder, Obb, Pose, PosedTree, Shape2, Shape3, SphereTree};
use glam::Quat;
use rand::Rng;
use rand_pcg::Pcg32;
use std::sync::Arc;

/// Volumes at random.
struct Source(Pcg32);

impl Source {
    fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, 4))
    }

    /// A number from a range.
    fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.0.next_u32() >> 8) as f32 / (1 << 24) as f32)
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.0.next_u32() % limit
    }

    /// Coordinates in a cube, half of them multiples of 1/2, so that things touch.
    fn point<const D: usize>(&mut self, size: f32) -> [f32; D] {
        let whole = self.below(2) == 0;
        std::array::from_fn(|_| {
            let x = self.range(-size, size);
            if whole { (2.0 * x).round() / 2.0 } else { x }
        })
    }

    fn length(&mut self) -> f32 {
        match self.below(4) {
            0 => 0.5,
            1 => 1.0,
            _ => self.range(0.02, 2.0),
        }
    }

    fn rotation(&mut self) -> Quat {
        match self.below(4) {
            0 => Quat::from_rotation_z(self.range(-3.0, 3.0)),
            1 => Quat::IDENTITY,
            _ => Quat::from_xyzw(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0), 0.3),
        }
    }

    fn ball<const D: usize>(&mut self, size: f32) -> Ball<D> {
        Ball { centre: self.point(size), radius: self.length() }
    }

    fn aabb<const D: usize>(&mut self, size: f32) -> Aabb<D> {
        let low: [f32; D] = self.point(size);
        Aabb { low, high: low.map(|x| x + 2.0 * self.length()) }
    }

    fn cylinder(&mut self, size: f32) -> Cylinder {
        let [x, y, low] = self.point(size);
        Cylinder { centre: [x, y], radius: self.length(), low, high: low + 2.0 * self.length() }
    }

    fn obb2(&mut self, size: f32) -> Obb<2> {
        let degrees = if self.below(4) == 0 { 45.0 } else { self.range(0.0, 360.0) };
        Obb::turned(self.point(size), [self.length(), self.length()], degrees)
    }

    fn obb3(&mut self, size: f32) -> Obb<3> {
        let half = [self.length(), self.length(), self.length()];
        Obb::rotated(self.point(size), half, self.rotation()).unwrap()
    }

    fn balls<const D: usize>(&mut self, count: usize) -> Vec<Ball<D>> {
        let size = self.range(0.0, 3.0);
        (0..count).map(|_| Ball { centre: self.point(size), radius: self.range(0.0, 0.3) }).collect()
    }

    fn tree2(&mut self, size: f32) -> PosedTree<2> {
        let count = 1 + self.below(20) as usize;
        let tree = Arc::new(SphereTree::new(&self.balls(count)).unwrap());
        PosedTree { tree, pose: Pose::turned(self.point(size), self.range(0.0, 360.0)) }
    }

    fn tree3(&mut self, size: f32) -> PosedTree<3> {
        let count = 1 + self.below(20) as usize;
        let tree = Arc::new(SphereTree::new(&self.balls(count)).unwrap());
        PosedTree { tree, pose: Pose::rotated(self.point(size), self.rotation()).unwrap() }
    }

    /// Anything convex.
    fn solid2(&mut self, size: f32) -> Shape2 {
        match self.below(3) {
            0 => self.ball(size).into(),
            1 => self.aabb(size).into(),
            _ => self.obb2(size).into(),
        }
    }

    /// Anything convex.
    fn solid3(&mut self, size: f32) -> Shape3 {
        match self.below(5) {
            0 => self.ball(size).into(),
            1 => self.aabb(size).into(),
            2 => self.cylinder(size).into(),
            _ => self.obb3(size).into(),
        }
    }
}
