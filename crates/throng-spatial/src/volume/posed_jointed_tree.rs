//! Jointed sphere trees in the world.

use super::minimum_ball::reach;
use super::posed_tree::{SLACK, widened};
use super::sphere_tree::between;
use super::{Aabb, Ball, JointedTree, Pose, PosedTree, Tests, Volume, VolumeError, distance_squared};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A jointed tree that stands somewhere and has its joints bent somehow.
///
/// It has a ball around each part and one around each part with all that hang on it. These are fitted anew to each new
/// pose, O(parts); below the parts nothing is, as sphere trees turn with them (Quinlan 1994; Hubbard 1996). Questions go down
/// only where such a ball is hit, and find exactly what a test of all leaves, [placed](PosedTree::leaf), would.
///
/// ```
/// use std::{ops::ControlFlow, sync::Arc};
/// use throng_spatial::volume::{Ball, Joint, JointedTree, Part, Pose, PosedJointedTree, SphereTree};
/// // A chain of four bones of 2 m that is bent to a square: the last one meets the first one.
/// let bone = Arc::new(SphereTree::new(&[0.5, 1.0, 1.5, 2.0].map(|x| Ball { centre: [x, 0.0], radius: 0.3 }))?);
/// let joined = |parent| Joint { parent, pivot_in_parent: [2.0, 0.0], pivot: [0.0, 0.0] };
/// let parts = (0..4_usize).map(|i| Part { tree: Arc::clone(&bone), joint: i.checked_sub(1).map(joined) });
/// let chain = Arc::new(JointedTree::new(parts.collect())?);
/// let posed = PosedJointedTree::new(chain, &[90.0; 4].map(|degrees| Pose::turned([0.0, 0.0], degrees)))?;
/// let mut met = Vec::new();
/// posed.hits_itself(|part, other| {
///     met.push((part, other));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(met, [(0, 3)]);
/// # Ok::<(), throng_spatial::volume::VolumeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PosedJointedTree<const D: usize> {
    tree: Arc<JointedTree<D>>,
    parts: Vec<PosedTree<D>>,
    /// Around each part.
    balls: Vec<Ball<D>>,
    /// Around each part and all that hang on it.
    branches: Vec<Ball<D>>,
}

impl<const D: usize> PosedJointedTree<D> {
    /// A jointed tree with a pose for each part: see [`set_poses`](Self::set_poses).
    ///
    /// # Errors
    /// As [`set_poses`](Self::set_poses).
    pub fn new(tree: Arc<JointedTree<D>>, poses: &[Pose<D>]) -> Result<Self, VolumeError> {
        tree.check(poses)?;
        let parts = tree.parts().iter().zip(poses);
        let parts: Vec<_> = parts.map(|(part, &pose)| PosedTree { tree: Arc::clone(&part.tree), pose }).collect();
        let mut posed = Self { tree, parts, balls: Vec::new(), branches: Vec::new() };
        posed.place(poses);
        Ok(posed)
    }

    /// Moves the body and bends its joints. O(parts).
    ///
    /// The first pose says where the root is in the world. Each other one says how a part is turned at its joint, as seen
    /// from the parent, and by how much the joint is drawn out: zero for a hinge (see [`Pose::moved`]). A default pose leaves
    /// the part as it hangs on the parent.
    ///
    /// # Errors
    /// Nothing is moved then. [`VolumeError::Poses`] where there is not a pose for each part; [`VolumeError::Place`] for one
    /// that is not finite; [`VolumeError::Axes`] for axes that are not of length 1 and at right angles to within 10⁻³.
    pub fn set_poses(&mut self, poses: &[Pose<D>]) -> Result<(), VolumeError> {
        self.tree.check(poses)?;
        self.place(poses);
        Ok(())
    }

    /// Forward kinematics, from the root on, then balls from the last part back to the root.
    fn place(&mut self, poses: &[Pose<D>]) {
        for (part, pose) in poses.iter().enumerate() {
            self.parts[part].pose = self.tree.placed(part, pose, |parent| self.parts[parent].pose);
        }
        self.balls.clear();
        self.balls.extend(self.parts.iter().map(Volume::bounding_ball));
        self.branches.clone_from(&self.balls);
        for (part, of) in self.tree.parts().iter().enumerate().rev() {
            if let Some(joint) = of.joint {
                let (a, b) = (self.branches[joint.parent], self.branches[part]);
                let centre = between(&a, &b);
                let radius = reach(centre, [a, b].into_iter().map(|ball| (ball.centre, ball.radius)));
                self.branches[joint.parent] = Ball { centre, radius };
            }
        }
    }

    /// How the parts are joined.
    pub fn tree(&self) -> &Arc<JointedTree<D>> {
        &self.tree
    }

    /// The parts in the world, numbered as those of the jointed tree.
    pub fn parts(&self) -> &[PosedTree<D>] {
        &self.parts
    }

    /// Which leaves overlap a volume: `visit` is given the number of the part and that of the leaf, for each once, in no
    /// special order.
    pub fn hits<V: Volume<D>>(&self, volume: &V, mut visit: impl FnMut(usize, u32) -> ControlFlow<()>) -> Tests {
        let tests = Cell::new(Tests::default());
        let slack = SLACK * f64::from(volume.bounding_ball().radius);
        let _ = self.walk(
            &tests,
            |ball| f64::from(volume.distance(ball.centre)) <= widened(ball.centre, ball.radius) + slack,
            |part| {
                let mut flow = ControlFlow::Continue(());
                let of_part = self.parts[part].hits(volume, |leaf| {
                    flow = visit(part, leaf);
                    flow
                });
                count(&tests, of_part);
                flow
            },
        );
        tests.get()
    }

    /// Which parts overlap which parts of another jointed tree: `visit` is given this one's number, then the other's, for
    /// each pair once, in no special order.
    pub fn hits_tree(&self, other: &Self, mut visit: impl FnMut(usize, usize) -> ControlFlow<()>) -> Tests {
        let (tests, all) = (Cell::new(Tests::default()), other.branches[0]);
        let _ = self.walk(
            &tests,
            |ball| near(ball, &all),
            |part| {
                other.near_part(&tests, self, part, |found| {
                    if touch(&tests, &self.parts[part], &other.parts[found]) {
                        visit(part, found)
                    } else {
                        ControlFlow::Continue(())
                    }
                })
            },
        );
        tests.get()
    }

    /// Which parts overlap each other, but for a part and its parent: `visit` is given the smaller number, then the greater
    /// one, for each pair once, in no special order.
    pub fn hits_itself(&self, mut visit: impl FnMut(usize, usize) -> ControlFlow<()>) -> Tests {
        let tests = Cell::new(Tests::default());
        let joined =
            |part: usize, parent: usize| self.tree.parts()[part].joint.is_some_and(|joint| joint.parent == parent);
        let _ = (0..self.parts.len()).try_for_each(|part| {
            self.near_part(&tests, self, part, |found| {
                // A parent comes before its parts.
                if found > part && !joined(found, part) && touch(&tests, &self.parts[part], &self.parts[found]) {
                    visit(part, found)
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        tests.get()
    }

    /// True where a leaf overlaps a volume.
    pub fn overlaps_volume<V: Volume<D>>(&self, volume: &V) -> bool {
        let mut hit = false;
        self.hits(volume, |_, _| {
            hit = true;
            ControlFlow::Break(())
        });
        hit
    }

    /// True where a part overlaps one of the other jointed tree.
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut hit = false;
        self.hits_tree(other, |_, _| {
            hit = true;
            ControlFlow::Break(())
        });
        hit
    }

    /// Looks at the parts whose balls meet that of a part of `other`.
    fn near_part(
        &self,
        tests: &Cell<Tests>,
        other: &Self,
        part: usize,
        visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk(tests, |ball| near(ball, &other.balls[part]), visit)
    }

    /// Looks at all parts below those balls that are `near`.
    fn walk(
        &self,
        tests: &Cell<Tests>,
        near: impl Fn(&Ball<D>) -> bool,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let near = |ball| {
            count(tests, Tests { nodes: 1, leaves: 0 });
            near(ball)
        };
        let mut at = 0;
        while let Some(&place) = self.tree.order.get(at) {
            if !near(&self.branches[place.part]) {
                at = place.skip;
                continue;
            }
            at += 1;
            // Where nothing hangs on a part, both balls are the same.
            if place.skip == at || near(&self.balls[place.part]) {
                visit(place.part)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// False where nothing in two balls can overlap.
fn near<const D: usize>(a: &Ball<D>, b: &Ball<D>) -> bool {
    let reach = widened(a.centre, a.radius) + widened(b.centre, b.radius);
    f64::from(distance_squared(a.centre, b.centre).sqrt()) <= reach * (1.0 + SLACK)
}

/// True where two parts overlap.
fn touch<const D: usize>(tests: &Cell<Tests>, a: &PosedTree<D>, b: &PosedTree<D>) -> bool {
    let mut hit = false;
    let of_parts = a.hits_tree(b, |_, _| {
        hit = true;
        ControlFlow::Break(())
    });
    count(tests, of_parts);
    hit
}

fn count(tests: &Cell<Tests>, more: Tests) {
    let so_far = tests.get();
    tests.set(Tests { nodes: so_far.nodes + more.nodes, leaves: so_far.leaves + more.leaves });
}

impl<const D: usize> Volume<D> for PosedJointedTree<D> {
    /// The box around the boxes of all parts.
    fn bounds(&self) -> Aabb<D> {
        let none = Aabb { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] };
        self.parts.iter().map(Volume::bounds).fold(none, |a, b| crate::bodies::union(&a, &b))
    }

    /// The ball around the balls of all parts, from the last one back to the root.
    fn bounding_ball(&self) -> Ball<D> {
        self.branches[0]
    }

    fn contains(&self, point: [f32; D]) -> bool {
        // A ball of no size hits whatever may contain its centre.
        let point_ball = Ball { centre: point, radius: 0.0 };
        let inside = |part: usize| {
            if self.parts[part].contains(point) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.walk(&Cell::default(), |ball| near(ball, &point_ball), inside).is_break()
    }

    /// Parts that are surely farther than the nearest one so far are not visited.
    fn distance(&self, point: [f32; D]) -> f32 {
        let least = Cell::new(f32::INFINITY);
        let _ = self.walk(
            &Cell::default(),
            |ball| {
                let distance = f64::from(distance_squared(ball.centre, point).sqrt());
                distance * (1.0 - SLACK) - widened(ball.centre, ball.radius) <= f64::from(least.get())
            },
            |part| {
                least.set(least.get().min(self.parts[part].distance(point)));
                if least.get() > 0.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        least.get()
    }

    fn overlaps(&self, other: &Self) -> bool {
        Self::overlaps(self, other)
    }

    fn overlaps_ball(&self, ball: &Ball<D>) -> bool {
        self.overlaps_volume(ball)
    }
}
