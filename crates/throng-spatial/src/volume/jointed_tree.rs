//! Sphere trees joined like a skeleton.

use super::obb::{check_axes, mended};
use super::wide::{along, narrow, widen};
use super::{Pose, SphereTree, VolumeError};
use std::array::from_fn;
use std::sync::Arc;

/// Where a part of a [`JointedTree`] hangs on another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<const D: usize> {
    /// Number of the part that it hangs on: smaller than its own.
    pub parent: usize,
    /// Where the joint is in the frame of the parent (m).
    pub pivot_in_parent: [f32; D],
    /// Where it is in the frame of the part itself (m).
    pub pivot: [f32; D],
}

/// A rigid part of a [`JointedTree`].
#[derive(Clone, Debug, PartialEq)]
pub struct Part<const D: usize> {
    /// Its balls, in its own frame; many parts may share them.
    pub tree: Arc<SphereTree<D>>,
    /// What it hangs on; `None` for the root.
    pub joint: Option<Joint<D>>,
}

/// A body of rigid parts that are joined like a skeleton: a tree of [`SphereTree`]s.
///
/// It says how the parts are joined and never changes. A [`PosedJointedTree`](super::PosedJointedTree) says where the body
/// is and how its joints are bent. Each part but the root hangs on one before it, and turns about a pivot that both have in
/// common (Featherstone, *Rigid Body Dynamics Algorithms*, 2008, chapter 4).
///
/// ```
/// use std::sync::Arc;
/// use throng_spatial::volume::{Ball, Joint, JointedTree, Part, Pose, PosedJointedTree, SphereTree};
/// // Two bones of 2 m along +x. The second one begins where the first one ends.
/// let bone = Arc::new(SphereTree::new(&[0.0, 1.0, 2.0].map(|x| Ball { centre: [x, 0.0], radius: 0.5 }))?);
/// let elbow = Joint { parent: 0, pivot_in_parent: [2.0, 0.0], pivot: [0.0, 0.0] };
/// let arm = Arc::new(JointedTree::new(vec![
///     Part { tree: Arc::clone(&bone), joint: None },
///     Part { tree: bone, joint: Some(elbow) },
/// ])?);
/// let ball = Ball { centre: [2.0, 2.0], radius: 0.5 };
/// let mut posed = PosedJointedTree::new(arm, &[Pose::default(), Pose::default()])?;
/// assert!(!posed.overlaps_volume(&ball));
/// posed.set_poses(&[Pose::default(), Pose::turned([0.0, 0.0], 90.0)])?;
/// assert!(posed.overlaps_volume(&ball));
/// # Ok::<(), throng_spatial::volume::VolumeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointedTree<const D: usize> {
    parts: Vec<Part<D>>,
    /// All parts in the order of a walk that goes down first.
    pub(super) order: Vec<Place>,
}

/// A part's place in the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub part: usize,
    /// The place after all parts that hang on this one.
    pub skip: usize,
}

impl<const D: usize> JointedTree<D> {
    /// A body of some parts, the root first and each other one after the part that it hangs on. O(n).
    ///
    /// # Errors
    /// [`VolumeError::NoParts`] for none; [`VolumeError::Parent`] where a part but the first has no parent before it or the
    /// first one has any; [`VolumeError::Pivot`] for one that is not finite.
    pub fn new(parts: Vec<Part<D>>) -> Result<Self, VolumeError> {
        if parts.is_empty() {
            return Err(VolumeError::NoParts);
        }
        for (part, Part { joint, .. }) in parts.iter().enumerate() {
            let found = joint.map(|joint| joint.parent);
            if found.map_or(part > 0, |parent| parent >= part) {
                return Err(VolumeError::Parent { part, found });
            }
            let mut numbers = joint.iter().flat_map(|joint| joint.pivot_in_parent.iter().chain(&joint.pivot));
            if let Some(&found) = numbers.find(|x| !x.is_finite()) {
                return Err(VolumeError::Pivot { part, found });
            }
        }
        let parent = |part: usize| parts[part].joint.map(|joint| joint.parent);
        // How many parts each has below and itself, then where the next one below it has its place.
        let mut below = vec![1; parts.len()];
        for part in (0..parts.len()).rev() {
            if let Some(parent) = parent(part) {
                below[parent] += below[part];
            }
        }
        let (mut next, mut order) = (vec![1; parts.len()], vec![Place::default(); parts.len()]);
        for part in 0..parts.len() {
            let at = parent(part).map_or(0, |parent| next[parent]);
            if let Some(parent) = parent(part) {
                next[parent] += below[part];
            }
            next[part] = at + 1;
            order[at] = Place { part, skip: at + below[part] };
        }
        Ok(Self { parts, order })
    }

    /// The parts, as given to [`new`](Self::new).
    pub fn parts(&self) -> &[Part<D>] {
        &self.parts
    }

    /// Checks poses for [`placed`](Self::placed).
    pub(super) fn check(&self, poses: &[Pose<D>]) -> Result<(), VolumeError> {
        if poses.len() != self.parts.len() {
            return Err(VolumeError::Poses { found: poses.len(), expected: self.parts.len() });
        }
        for (part, pose) in poses.iter().enumerate() {
            if let Some(&found) = pose.at.iter().find(|x| !x.is_finite()) {
                return Err(VolumeError::Place { part, found });
            }
            check_axes(&pose.axes.map(widen))?;
        }
        Ok(())
    }

    /// Where a part is in the world, by its pose at its joint and where its parent is.
    pub(super) fn placed(&self, part: usize, pose: &Pose<D>, parent: impl Fn(usize) -> Pose<D>) -> Pose<D> {
        let Some(joint) = &self.parts[part].joint else { return *pose };
        let parent = parent(joint.parent);
        // Of the frame of the parent, in the frame of the world.
        let turned =
            |v: [f64; D], from| parent.axes.iter().zip(v).fold(from, |sum, (&axis, x)| along(sum, x, widen(axis)));
        let pivot: [f64; D] = from_fn(|i| f64::from(joint.pivot_in_parent[i]) + f64::from(pose.at[i]));
        let origin =
            pose.axes.iter().zip(joint.pivot).fold(pivot, |at, (&axis, x)| along(at, -f64::from(x), widen(axis)));
        Pose {
            at: narrow(turned(origin, widen(parent.at))),
            axes: mended(pose.axes.map(|axis| turned(widen(axis), [0.0; D]))),
        }
    }
}
