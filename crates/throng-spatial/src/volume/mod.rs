//! Bounding volumes and their tests.
//!
//! | volume | in | least one around points |
//! |---|---|---|
//! | [`Ball`] | plane, space | [`Ball::of`]: the smallest |
//! | [`Aabb`], axis-aligned box | plane, space | [`Aabb::of`]: the smallest |
//! | [`Obb`], oriented box | plane, space | `Obb::<2>::of`: least area; `Obb::<3>::of`: a small one |
//! | [`Cylinder`], upright | space | [`Cylinder::of`]: the smallest upright one |
//! | [`PosedTree`], many balls that turn together ([`SphereTree`]) | plane, space | [`SphereTree::of`]: a ball for each bunch |
//! | [`PosedJointedTree`], sphere trees joined like a skeleton ([`JointedTree`]) | plane, space | |
//!
//! Every kind can be tested against every other one; [`Shape2`] and [`Shape3`] hold any but jointed trees, and [`Volume`] is what
//! they have in common. All tests are strict: volumes that only touch do not overlap. All give the same answer whichever
//! of the two is asked. A coordinate that is no number overlaps nothing. A [`Ray`] and a moving ball ([`Sweep`]) find
//! what they hit first, and when.
//!
//! Balls, and balls against axis-aligned boxes, are compared in single precision just as the spatial indices do it;
//! everything else in double precision, where what `f32` coordinates add up to is exact to 10⁻¹² and squares do not
//! overflow. Axes of oriented boxes are rounded to 10⁻⁷, and so are answers about their borders.

mod aabb;
mod approach;
mod ball;
mod calipers;
mod cast;
mod cylinder;
mod error;
mod frame;
mod interval;
mod jointed_tree;
mod minimum_ball;
mod minimum_box;
pub(crate) mod obb;
mod pose;
mod posed_jointed_tree;
mod posed_tree;
mod ray;
mod response;
mod rounding;
mod segment;
mod separating;
mod shape;
mod slab;
mod sphere_tree;
mod substeps;
mod sweep;
#[cfg(test)]
mod sweep_tests;
#[cfg(test)]
mod tests;
mod traits;
mod wide;

pub use aabb::Aabb;
pub use ball::Ball;
pub use cylinder::Cylinder;
pub use error::VolumeError;
pub use jointed_tree::{Joint, JointedTree, Part};
pub use obb::Obb;
pub use pose::Pose;
pub use posed_jointed_tree::PosedJointedTree;
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
/// assert_eq!(throng_spatial::volume::distance_squared([0.0, 0.0], [3.0, 4.0]), 25.0);
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
