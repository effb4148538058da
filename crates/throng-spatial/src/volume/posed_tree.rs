//! Sphere trees in the world.

use super::sphere_tree::{INNER, SphereTree};
use super::{Aabb, Ball, Pose, Volume, distance_squared};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A sphere tree that stands somewhere and is turned somehow.
///
/// Moving or turning it costs nothing: the balls are placed when they are looked at, and those below a ball only where
/// that is hit. The volume is the union of the leaves, each placed ([`leaf`](Self::leaf)) and tested like any ball: the
/// tree finds exactly the leaves that a test of all of them would.
///
/// ```
/// use std::{ops::ControlFlow, sync::Arc};
/// use throng_spatial::volume::{Ball, Pose, PosedTree, SphereTree};
/// let spine: Vec<_> = (0..64).map(|i| Ball { centre: [i as f32, 0.0], radius: 1.0 }).collect();
/// let snake = PosedTree { tree: Arc::new(SphereTree::new(&spine)?), pose: Pose::turned([10.0, 0.0], 90.0) };
/// let mut hit = Vec::new();
/// let tests = snake.hits(&Ball { centre: [10.0, 30.0], radius: 0.5 }, |leaf| {
///     hit.push(leaf);
///     ControlFlow::Continue(())
/// });
/// hit.sort();
/// assert_eq!(hit, [29, 30, 31]);
/// assert!(tests.leaves <= 8, "of 64");
/// # Ok::<(), throng_spatial::volume::VolumeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PosedTree<const D: usize> {
    /// The balls; many bodies may share them.
    pub tree: Arc<SphereTree<D>>,
    /// Where the body is. Its axes must be at right angles to 10⁻⁷, as the constructors make them.
    pub pose: Pose<D>,
}

/// How many tests a question took.
///
/// See [`PosedTree::hits`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    /// Of balls around balls (of pairs with such a ball).
    pub nodes: u32,
    /// Of leaves (of pairs of leaves).
    pub leaves: u32,
}

/// How much an inner ball is widened, in parts of all lengths involved: placing and testing leaves in single precision
/// rounds by less.
pub(super) const SLACK: f64 = 1e-6;

/// Widens inner balls where squares are too small for numbers.
const TINY: f64 = 1e-18;

impl<const D: usize> PosedTree<D> {
    /// A leaf, where it is in the world.
    pub fn leaf(&self, leaf: u32) -> Option<Ball<D>> {
        self.tree.leaf(leaf).map(|ball| self.placed(ball))
    }

    /// Which leaves overlap a volume: `visit` is given the number of each, once, in no special order. Few tests where
    /// little is hit; as many as there are nodes at most. See [`hits_tree`](Self::hits_tree) for another tree.
    pub fn hits<V: Volume<D>>(&self, volume: &V, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> Tests {
        let slack = SLACK * f64::from(volume.bounding_ball().radius);
        self.walk(
            |centre, reach| f64::from(volume.distance(centre)) <= reach + slack,
            |leaf, ball| if volume.overlaps_ball(&ball) { visit(leaf) } else { ControlFlow::Continue(()) },
        )
    }

    /// Which leaves of this tree overlap which leaves of another: `visit` is given this one's number, then the other's,
    /// for each pair once, in no special order. Of two balls that overlap, the greater one is refined.
    pub fn hits_tree(&self, other: &Self, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> Tests {
        let mut tests = Tests::default();
        let _ = self.descend(other, (0, 0), &mut tests, &mut visit);
        tests
    }

    /// True where a leaf overlaps a volume.
    pub fn overlaps_volume<V: Volume<D>>(&self, volume: &V) -> bool {
        let mut hit = false;
        self.hits(volume, |_| {
            hit = true;
            ControlFlow::Break(())
        });
        hit
    }

    /// True where a leaf of this tree overlaps one of the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut hit = false;
        self.hits_tree(other, |_, _| {
            hit = true;
            ControlFlow::Break(())
        });
        hit
    }

    /// Looks at all leaves below those balls that are `near`.
    pub(super) fn walk(
        &self,
        near: impl Fn([f32; D], f64) -> bool,
        mut leaf: impl FnMut(u32, Ball<D>) -> ControlFlow<()>,
    ) -> Tests {
        let mut tests = Tests::default();
        let nodes = &self.tree.nodes;
        let mut i = 0;
        while let Some(node) = nodes.get(i) {
            i += 1;
            if node.leaf == INNER {
                tests.nodes += 1;
                let (centre, reach) = self.widened(node.ball);
                if !near(centre, reach) {
                    i = node.skip as usize;
                }
                continue;
            }
            tests.leaves += 1;
            if leaf(node.leaf, self.placed(node.ball)).is_break() {
                break;
            }
        }
        tests
    }

    /// Goes down a pair of nodes. As deep as both trees together.
    fn descend(
        &self,
        other: &Self,
        pair: (usize, usize),
        tests: &mut Tests,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (a, b) = (&self.tree.nodes[pair.0], &other.tree.nodes[pair.1]);
        if a.leaf != INNER && b.leaf != INNER {
            tests.leaves += 1;
            return if self.placed(a.ball).overlaps(&other.placed(b.ball)) {
                visit(a.leaf, b.leaf)
            } else {
                ControlFlow::Continue(())
            };
        }
        tests.nodes += 1;
        let ((at, reach), (other_at, other_reach)) = (self.widened(a.ball), other.widened(b.ball));
        if f64::from(distance_squared(at, other_at).sqrt()) > (reach + other_reach) * (1.0 + SLACK) {
            return ControlFlow::Continue(());
        }
        if b.leaf != INNER || (a.leaf == INNER && a.ball.radius >= b.ball.radius) {
            let left = pair.0 + 1;
            let right = self.tree.nodes[left].skip as usize;
            self.descend(other, (left, pair.1), tests, visit)?;
            self.descend(other, (right, pair.1), tests, visit)
        } else {
            let left = pair.1 + 1;
            let right = other.tree.nodes[left].skip as usize;
            self.descend(other, (pair.0, left), tests, visit)?;
            self.descend(other, (pair.0, right), tests, visit)
        }
    }

    /// A ball of the body in the world.
    #[inline]
    fn placed(&self, ball: Ball<D>) -> Ball<D> {
        Ball { centre: self.pose.point(ball.centre), radius: ball.radius }
    }

    /// An inner ball in the world, wide enough for what rounding does to those inside.
    #[inline]
    fn widened(&self, ball: Ball<D>) -> ([f32; D], f64) {
        let centre = self.pose.point(ball.centre);
        (centre, widened(centre, ball.radius))
    }
}

/// The radius of a ball around balls in the world, wide enough for what rounding does to those inside.
#[inline]
pub(super) fn widened<const D: usize>(centre: [f32; D], radius: f32) -> f64 {
    let lengths = centre.iter().map(|x| f64::from(x.abs())).sum::<f64>() + f64::from(radius);
    f64::from(radius) + SLACK * lengths + TINY
}

impl<const D: usize> Volume<D> for PosedTree<D> {
    /// The box around all leaves. Visits leaves that may stick out of the box so far.
    fn bounds(&self) -> Aabb<D> {
        let bounds = std::cell::Cell::new(Aabb { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] });
        self.walk(
            |centre, reach| {
                let Aabb { low, high } = bounds.get();
                (0..D).any(|i| {
                    f64::from(centre[i]) - reach < f64::from(low[i])
                        || f64::from(centre[i]) + reach > f64::from(high[i])
                })
            },
            |_, ball| {
                let (of_all, of_leaf) = (bounds.get(), ball.bounds());
                bounds.set(Aabb {
                    low: std::array::from_fn(|i| of_all.low[i].min(of_leaf.low[i])),
                    high: std::array::from_fn(|i| of_all.high[i].max(of_leaf.high[i])),
                });
                ControlFlow::Continue(())
            },
        );
        bounds.get()
    }

    fn bounding_ball(&self) -> Ball<D> {
        let root = self.tree.root();
        if self.tree.len() == 1 {
            return self.placed(root);
        }
        let (centre, reach) = self.widened(root);
        Ball { centre, radius: super::rounding::above(reach) }
    }

    fn contains(&self, point: [f32; D]) -> bool {
        let mut inside = false;
        self.walk(
            |centre, reach| f64::from(distance_squared(centre, point).sqrt()) <= reach * (1.0 + SLACK),
            |_, ball| {
                inside = ball.contains(point);
                if inside { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        inside
    }

    /// Leaves that are surely farther than the nearest one so far are not visited.
    fn distance(&self, point: [f32; D]) -> f32 {
        let least = std::cell::Cell::new(f32::INFINITY);
        self.walk(
            |centre, reach| {
                let distance = f64::from(distance_squared(centre, point).sqrt());
                distance * (1.0 - SLACK) - reach <= f64::from(least.get())
            },
            |_, ball| {
                least.set(least.get().min(ball.distance(point)));
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
