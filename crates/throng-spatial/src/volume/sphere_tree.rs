//! Hierarchies of balls.

use super::minimum_ball::{reach, smallest};
use super::{Ball, VolumeError, distance_squared};

/// A body made of balls, with balls around the balls: a sphere tree (Quinlan, *Efficient distance computation between
/// non-convex objects*, 1994; Hubbard 1996).
///
/// It belongs to the body: its balls are measured from the origin and along the axes of the body and never change. A
/// [`PosedTree`](super::PosedTree) says where the body is. Each inner ball is around the leaf balls below it; two
/// halves of nearly equal number are below each, so it is ⌈log₂ n⌉ levels deep whatever the shape.
///
/// ```
/// use throng_spatial::volume::{Ball, SphereTree};
/// let spine: Vec<_> = (0..100).map(|i| Ball { centre: [i as f32, 0.0], radius: 1.0 }).collect();
/// let tree = SphereTree::new(&spine)?;
/// assert_eq!(tree.len(), 100);
/// assert_eq!(tree.leaf(7), Some(Ball { centre: [7.0, 0.0], radius: 1.0 }));
/// assert!((tree.root().radius - 50.5).abs() < 1e-4);
/// # Ok::<(), throng_spatial::volume::VolumeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SphereTree<const D: usize> {
    /// In the order of a walk that goes down first: the first one below node i is i + 1.
    pub(super) nodes: Vec<Node<D>>,
    /// Where the nodes of the leaves are.
    node_of_leaf: Vec<u32>,
}

/// A ball of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node<const D: usize> {
    /// Around all leaves below, or the leaf.
    pub ball: Ball<D>,
    /// The node after all below this one.
    pub skip: u32,
    /// Number of the leaf, or [`INNER`].
    pub leaf: u32,
}

/// The leaf of a node that is none.
pub(super) const INNER: u32 = u32::MAX;

impl<const D: usize> SphereTree<D> {
    /// A tree over some balls (m, from the origin of the body), `D` = 2 or 3: split in halves along the axis on which
    /// their centres spread most. O(n log n) for shapes as they come.
    ///
    /// # Errors
    /// [`VolumeError::NoLeaves`] for none; [`VolumeError::Leaf`] for a ball that is not finite or has a radius below 0.
    pub fn new(leaves: &[Ball<D>]) -> Result<Self, VolumeError> {
        for (leaf, ball) in leaves.iter().enumerate() {
            let wrong = ball.centre.iter().find(|x| !x.is_finite());
            if let Some(&found) = wrong.or(Some(&ball.radius).filter(|radius| !(0.0..f32::INFINITY).contains(*radius)))
            {
                return Err(VolumeError::Leaf { leaf, found });
            }
        }
        if leaves.is_empty() {
            return Err(VolumeError::NoLeaves);
        }
        let mut tree = Self { nodes: Vec::with_capacity(2 * leaves.len() - 1), node_of_leaf: vec![0; leaves.len()] };
        let mut order: Vec<u32> = (0..leaves.len() as u32).collect();
        tree.add(leaves, &mut order);
        Ok(tree)
    }

    /// A tree of balls around some points (m), each the smallest around at most `per_leaf` of them that lie together.
    /// No point is outside all balls. Points with a coordinate that is not finite are left out.
    ///
    /// # Errors
    /// [`VolumeError::NoLeaves`] where no point remains.
    ///
    /// ```
    /// use throng_spatial::volume::SphereTree;
    /// let outline: Vec<_> = (0..64).map(|i| [i as f32, (i % 7) as f32]).collect();
    /// assert_eq!(SphereTree::of(&outline, 8)?.len(), 8);
    /// # Ok::<(), throng_spatial::volume::VolumeError>(())
    /// ```
    pub fn of(points: &[[f32; D]], per_leaf: usize) -> Result<Self, VolumeError> {
        let points: Vec<[f32; D]> =
            points.iter().copied().filter(|point| point.iter().all(|x| x.is_finite())).collect();
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let mut leaves = Vec::new();
        cover(&points, &mut order, per_leaf.max(1), &mut leaves);
        Self::new(&leaves)
    }

    /// Number of leaves.
    pub fn len(&self) -> usize {
        self.node_of_leaf.len()
    }

    /// Never: a tree has one leaf at least.
    pub fn is_empty(&self) -> bool {
        self.node_of_leaf.is_empty()
    }

    /// The ball around all.
    pub fn root(&self) -> Ball<D> {
        self.nodes[0].ball
    }

    /// A leaf, numbered as given to [`new`](Self::new).
    pub fn leaf(&self, leaf: u32) -> Option<Ball<D>> {
        let &node = self.node_of_leaf.get(leaf as usize)?;
        Some(self.nodes[node as usize].ball)
    }

    /// All balls from the root down, each with its level: 0 for the root. What is below a ball comes next. To draw.
    ///
    /// ```
    /// use throng_spatial::volume::{Ball, SphereTree};
    /// let tree = SphereTree::new(&[0.0, 2.0].map(|x| Ball { centre: [x, 0.0], radius: 1.0 }))?;
    /// let levels: Vec<_> = tree.balls().map(|(ball, level)| (ball.centre[0], level)).collect();
    /// assert_eq!(levels, [(1.0, 0), (0.0, 1), (2.0, 1)]);
    /// # Ok::<(), throng_spatial::volume::VolumeError>(())
    /// ```
    pub fn balls(&self) -> impl Iterator<Item = (Ball<D>, usize)> + '_ {
        let mut above: Vec<u32> = Vec::new();
        self.nodes.iter().enumerate().map(move |(i, node)| {
            while above.last().is_some_and(|&end| end <= i as u32) {
                above.pop();
            }
            let level = above.len();
            above.push(node.skip);
            (node.ball, level)
        })
    }

    /// Adds the node above some leaves and all below it. As deep as the tree.
    fn add(&mut self, leaves: &[Ball<D>], order: &mut [u32]) {
        let node = self.nodes.len();
        if let [leaf] = *order {
            let ball = leaves[leaf as usize];
            self.node_of_leaf[leaf as usize] = node as u32;
            self.nodes.push(Node { ball, skip: node as u32 + 1, leaf });
            return;
        }
        let balls = order.iter().map(|&leaf| leaves[leaf as usize]);
        let around =
            |centre| Ball { centre, radius: reach(centre, balls.clone().map(|ball| (ball.centre, ball.radius))) };
        let mut ball = around(smallest(balls.clone().map(|ball| ball.centre)).unwrap_or([0.0; D]));
        self.nodes.push(Node { ball, skip: 0, leaf: INNER });
        let half = split(order, |leaf| leaves[leaf as usize].centre);
        let (first, second) = order.split_at_mut(half);
        self.add(leaves, first);
        let right = self.nodes.len();
        self.add(leaves, second);
        // The ball around two balls can be the smaller one where radii differ.
        let balls = order.iter().map(|&leaf| leaves[leaf as usize]);
        let centre = between(&self.nodes[node + 1].ball, &self.nodes[right].ball);
        let joint = Ball { centre, radius: reach(centre, balls.map(|ball| (ball.centre, ball.radius))) };
        if joint.radius < ball.radius {
            ball = joint;
        }
        self.nodes[node] = Node { ball, skip: self.nodes.len() as u32, leaf: INNER };
    }
}

/// The centre of the ball around two balls.
pub(super) fn between<const D: usize>(a: &Ball<D>, b: &Ball<D>) -> [f32; D] {
    let distance = distance_squared(a.centre, b.centre).sqrt();
    if distance + b.radius <= a.radius || distance == 0.0 {
        return a.centre;
    }
    if distance + a.radius <= b.radius {
        return b.centre;
    }
    let share = 0.5 + 0.5 * (b.radius - a.radius) / distance;
    std::array::from_fn(|i| a.centre[i] + share * (b.centre[i] - a.centre[i]))
}

/// Balls around bunches of points.
fn cover<const D: usize>(points: &[[f32; D]], order: &mut [u32], most: usize, balls: &mut Vec<Ball<D>>) {
    if order.len() <= most {
        let bunch = order.iter().map(|&i| points[i as usize]);
        if let Some(centre) = smallest(bunch.clone()) {
            balls.push(Ball { centre, radius: reach(centre, bunch.map(|point| (point, 0.0))) });
        }
        return;
    }
    let half = split(order, |i| points[i as usize]);
    let (first, second) = order.split_at_mut(half);
    cover(points, first, most, balls);
    cover(points, second, most, balls);
}

/// Puts the half with the lesser coordinates, on the axis with the widest spread, first; returns where the other begins.
fn split<const D: usize>(order: &mut [u32], place: impl Fn(u32) -> [f32; D]) -> usize {
    let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
    for &i in &*order {
        for (axis, x) in place(i).into_iter().enumerate() {
            (low[axis], high[axis]) = (low[axis].min(x), high[axis].max(x));
        }
    }
    let mut widest = 0;
    for axis in 1..D {
        if high[axis] - low[axis] > high[widest] - low[widest] {
            widest = axis;
        }
    }
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |&a, &b| place(a)[widest].total_cmp(&place(b)[widest]).then(a.cmp(&b)));
    half
}
