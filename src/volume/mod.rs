//! Bounding volumes and their tests.
//!
//! All tests are strict: volumes that only touch do not overlap.

mod aabb;
mod approach;
mod ball;
mod calipers;
mod cast;
mod cylinder;
mod error;
mod minimum_ball;
mod minimum_box;
mod obb;
mod pose;
mod posed_tree;
mod ray;
mod response;
mod rounding;
mod segment;
mod separating;
mod shape;
mod slab;
mod sphere_tree;
mod stretch;
mod substeps;
mod sweep;
#[cfg(test)]
mod sweep_tests;
mod traits;
mod wide;

pub use aabb::Aabb;
pub use ball::Ball;
pub use cylinder::Cylinder;
pub use error::VolumeError;
pub use obb::Obb;
pub use pose::Pose;
pub use posed_tree::{PosedTree, Tests};
pub use ray::{Hit, Ray};
pub use response::{Bouncing, bounce, bounce_off, slide, stop};
pub use segment::Segment;
pub use shape::{Shape2, Shape3};
pub use sphere_tree::SphereTree;
pub use substeps::{step_for_depth, substeps};
pub use sweep::Sweep;
pub use traits::Volume;

/// The squared distance between two points (m²), summed axis by axis.
///
/// ```
/// assert_eq!(throng::volume::distance_squared([0.0, 0.0], [3.0, 4.0]), 25.0);
/// ```
#[inline]
pub fn distance_squared<const D: usize>(a: [f32; D], b: [f32; D]) -> f32 {
    let mut sum = 0.0;
    for axis in 0..D {
        let d = a[axis] - b[axis];
        sum += d * d;
    }
    sum
}
