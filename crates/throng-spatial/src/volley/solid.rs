//! Bodies of all kinds, made alike in the plane and in space.

use crate::volume::{Aabb, Ball, Cylinder, Hit, Obb, Pose, PosedTree, Shape2, Shape3, SphereTree, Sweep, Volume};
use glam::Quat;
use std::sync::Arc;

/// How a body is made: what kind, where, how large, how turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form<const D: usize> {
    /// A row of [`Solid::KINDS`], which begins anew after the last.
    pub kind: usize,
    /// Its middle (m).
    pub at: [f32; D],
    /// Half its sides (m). A ball and a cylinder take the first for their radius, a sphere tree for the scale.
    pub half: [f32; D],
    /// How far it is turned (degrees), of kinds that turn.
    pub turn: f32,
}

/// A type that holds volumes of every kind: [`Shape2`] or [`Shape3`].
///
/// ```
/// use std::sync::Arc;
/// use throng_spatial::volume::{Ball, Shape2, SphereTree, Sweep};
/// use throng_spatial::{Form, Solid};
/// let capsule = Arc::new(SphereTree::new(&[Ball { centre: [0.0, 0.0], radius: 1.0 }])?);
/// let plate = Shape2::solid(&Form { kind: 2, at: [5.0, 0.0], half: [2.0, 0.1], turn: 90.0 }, &capsule);
/// let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius: 0.5 }, [90.0, 0.0]);
/// assert_eq!(Shape2::KINDS[2], "oriented box");
/// assert!((plate.struck(&shot).unwrap().time * 90.0 - 4.4).abs() < 1e-5);
/// # Ok::<(), throng_spatial::volume::VolumeError>(())
/// ```
pub trait Solid<const D: usize>: Volume<D> + Clone + Send + Sync {
    /// The names of the kinds.
    const KINDS: &'static [&'static str];

    /// Makes one; `tree` is the sphere tree of those that are one.
    fn solid(form: &Form<D>, tree: &Arc<SphereTree<D>>) -> Self;

    /// The continuous test: where a moving ball first hits it.
    fn struck(&self, sweep: &Sweep<D>) -> Option<Hit<D>>;
}

fn around<const D: usize>(form: &Form<D>) -> Aabb<D> {
    Aabb {
        low: std::array::from_fn(|axis| form.at[axis] - form.half[axis]),
        high: std::array::from_fn(|axis| form.at[axis] + form.half[axis]),
    }
}

impl Solid<2> for Shape2 {
    const KINDS: &'static [&'static str] = &["ball", "box", "oriented box", "sphere tree"];

    fn solid(form: &Form<2>, tree: &Arc<SphereTree<2>>) -> Self {
        match form.kind % Self::KINDS.len() {
            0 => Self::Ball(Ball { centre: form.at, radius: form.half[0] }),
            1 => Self::Aabb(around(form)),
            2 => Self::Obb(Obb::turned(form.at, form.half, form.turn)),
            _ => Self::Tree(PosedTree { tree: Arc::clone(tree), pose: Pose::turned(form.at, form.turn) }),
        }
    }

    fn struck(&self, sweep: &Sweep<2>) -> Option<Hit<2>> {
        sweep.hit_shape(self)
    }
}

/// About an axis that is none of the world's.
fn rotation(degrees: f32) -> Quat {
    let (sin, cos) = libm::sincosf(0.5 * degrees.to_radians());
    Quat::from_xyzw(0.36 * sin, 0.48 * sin, 0.8 * sin, cos)
}

impl Solid<3> for Shape3 {
    const KINDS: &'static [&'static str] = &["ball", "box", "oriented box", "sphere tree", "cylinder"];

    fn solid(form: &Form<3>, tree: &Arc<SphereTree<3>>) -> Self {
        let [x, y, z] = form.at;
        match form.kind % Self::KINDS.len() {
            0 => Self::Ball(Ball { centre: form.at, radius: form.half[0] }),
            1 => Self::Aabb(around(form)),
            // A turn that is no number turns nothing.
            2 => Self::Obb(
                Obb::rotated(form.at, form.half, rotation(form.turn)).unwrap_or_else(|_| Obb::from(around(form))),
            ),
            3 => {
                let pose = Pose::rotated(form.at, rotation(form.turn)).unwrap_or_else(|_| Pose::moved(form.at));
                Self::Tree(PosedTree { tree: Arc::clone(tree), pose })
            }
            _ => {
                let (low, high) = (z - form.half[2], z + form.half[2]);
                Self::Cylinder(Cylinder { centre: [x, y], radius: form.half[0], low, high })
            }
        }
    }

    fn struck(&self, sweep: &Sweep<3>) -> Option<Hit<3>> {
        sweep.hit_shape(self)
    }
}
