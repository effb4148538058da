//! The k-d tree: space cut in two by planes across the axes, again and again.

use super::hierarchy::{Boxed, Entry, Hierarchy, MAX_LEAF_BODIES, asks_tree, halve, hull};
use super::{Bodies, SpatialError, SpatialIndex, Tuning};

/// Where a node of a [`KdTree`] is cut.
///
/// ```
/// use throng_spatial::{Bodies, KdCut, KdTree, SpatialIndex};
/// // Many near the origin, few far away.
/// let position: Vec<[f32; 2]> = (0..1000_u16).map(|i| [f32::from(i).powi(2), 0.0]).collect();
/// let (radius, id) = ([0.4; 1000], (0..1000).collect::<Vec<u32>>());
/// let bodies = Bodies::new(&position, &radius, &id);
/// let [median, middle] = [KdCut::Median, KdCut::Middle].map(|cut| {
///     let mut tree = KdTree::default().with_cut(cut);
///     tree.rebuild(bodies).map(|()| tree.census())
/// });
/// assert_eq!((median?.fullest, middle?.fullest), (35, 48));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KdCut {
    /// At the median of a sample of its bodies: both halves hold about as many.
    #[default]
    Median,
    /// In the middle of the box around its bodies: its halves are about as large.
    Middle,
}

impl KdCut {
    /// The name in `kd-tree:cut=…`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Middle => "middle",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Median, Self::Middle].into_iter().find(|choice| choice.name() == name)
    }
}

/// Across which axis a node of a [`KdTree`] is cut.
///
/// See [`KdTree::with_axis`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KdAxis {
    /// The one along which its bodies spread most.
    #[default]
    Widest,
    /// One after the other, as in the paper; an axis on which all bodies are equal is passed over.
    Cyclic,
}

impl KdAxis {
    /// The name in `kd-tree:axis=…`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Widest => "widest",
            Self::Cyclic => "cyclic",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Widest, Self::Cyclic].into_iter().find(|choice| choice.name() == name)
    }
}

/// A k-d tree over the centres of the bodies (Bentley 1975), its bodies in leaves (Friedman, Bentley and Finkel 1977).
///
/// Nodes lie in one array, each before those below it, and know the box of their centres and their greatest radius. So
/// a query passes over nodes too far away without a stack. The bodies of a leaf lie side by side.
///
/// `rebuild` takes O(n log n), however the bodies lie: where a cut would leave less than an eighth on one side, the exact
/// median is taken, ties by row, so that the tree is never deeper than O(log n). `update` refits the boxes in O(n) where
/// that leaves them small, and builds anew where they have grown too much. A query takes O(log n + findings),
/// finding all pairs O(n log n); a few very large bodies cost only the leaves that they are in.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, KdTree, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 4.0], [3.5, 4.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = KdTree::default();
/// index.rebuild(bodies)?;
/// assert_eq!(index.nearest(bodies, [2.0, 4.0], 5.0, |_| true), Some((1, 1.0)));
/// index.pairs(bodies, |i, j| {
///     assert_eq!((i, j), (1, 2));
///     ControlFlow::Continue(())
/// });
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KdTree<const D: usize> {
    cut: KdCut,
    axis: KdAxis,
    /// The most bodies of a leaf.
    capacity: usize,
    tree: Hierarchy<D, Boxed<D>>,
    /// How large the leaves were when they were built (m).
    built: f64,
}

impl<const D: usize> Default for KdTree<D> {
    fn default() -> Self {
        Self {
            cut: KdCut::default(),
            axis: KdAxis::default(),
            capacity: Self::CAPACITY,
            tree: Hierarchy::default(),
            built: 0.0,
        }
    }
}

impl<const D: usize> KdTree<D> {
    /// The most bodies of a leaf, where nothing else is asked for: more in the plane, where many are tested at once.
    pub const CAPACITY: usize = if D == 2 { 48 } else { 16 };
    /// The greatest capacity of a leaf.
    pub const MAX_CAPACITY: usize = MAX_LEAF_BODIES;

    /// How much larger than built the leaves may become before an update builds them anew: 100,000 discs that move a
    /// twentieth of their diameter a frame cost three quarters of a build in each frame.
    const REBUILD_GROWTH: f64 = 1.5;

    /// An empty tree with the capacity, cut and axis of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        let tree = Self::default().with_cut(tuning.cut.unwrap_or_default()).with_axis(tuning.axis.unwrap_or_default());
        tree.with_capacity(tuning.capacity.unwrap_or(Self::CAPACITY))
    }

    /// The same tree with at most `capacity` bodies in a leaf, from 1 to [`KdTree::MAX_CAPACITY`].
    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity.clamp(1, Self::MAX_CAPACITY);
        self
    }

    /// The same tree with nodes cut elsewhere.
    #[must_use]
    pub fn with_cut(mut self, cut: KdCut) -> Self {
        self.cut = cut;
        self
    }

    /// The same tree with nodes cut across another axis.
    #[must_use]
    pub fn with_axis(mut self, axis: KdAxis) -> Self {
        self.axis = axis;
        self
    }

    /// Builds the tree of the entries, in whatever order they are: one that is nearly right is faster.
    fn build(&mut self) {
        self.tree.nodes.clear();
        let count = self.tree.entries.len();
        if count > 0 {
            let halving = Halving { cut: self.cut, axis: self.axis, capacity: self.capacity };
            halving.grow(&mut self.tree, 0, count, 0);
        }
        self.tree.settle();
        self.built = self.tree.fit();
    }
}

/// How a k-d tree is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halving {
    pub cut: KdCut,
    pub axis: KdAxis,
    pub capacity: usize,
}

impl Halving {
    /// Adds the node of some entries of a tree, and all below it.
    pub fn grow<const D: usize>(self, tree: &mut Hierarchy<D, Boxed<D>>, first: usize, last: usize, depth: usize) {
        let count = last - first;
        if count <= self.capacity {
            let leaf = tree.open(Boxed::NONE, first, count);
            tree.close(leaf);
            return;
        }
        let node = tree.open(Boxed::NONE, first, 0);
        let middle = first + self.divide(&mut tree.entries[first..last], depth);
        self.grow(tree, first, middle, depth + 1);
        self.grow(tree, middle, last, depth + 1);
        tree.close(node);
    }

    /// Brings the lower half of some entries before the others; how many they are.
    fn divide<const D: usize>(self, entries: &mut [Entry<D>], depth: usize) -> usize {
        let (low, high) = hull(entries.iter().map(|entry| entry.at));
        let side = |axis: usize| high[axis] - low[axis];
        let axis = match self.axis {
            KdAxis::Widest => (1..D).fold(0, |widest, axis| if side(axis) > side(widest) { axis } else { widest }),
            KdAxis::Cyclic => (0..D).map(|next| (depth + next) % D).find(|&axis| side(axis) > 0.0).unwrap_or(0),
        };
        let pivot = match self.cut {
            KdCut::Median => None,
            KdCut::Middle => Some(low[axis] * 0.5 + high[axis] * 0.5),
        };
        halve(entries, |entry| entry.at[axis], pivot)
    }
}

impl<const D: usize> SpatialIndex<D> for KdTree<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.tree.clear();
        bodies.check()?;
        self.tree.enter(bodies);
        self.build();
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        if self.tree.row.len() != bodies.len() {
            return self.rebuild(bodies);
        }
        if let Err(error) = bodies.check() {
            self.tree.clear();
            return Err(error);
        }
        // Bodies have moved or were replaced: the leaves keep their rows while they stay small.
        self.tree.reread(bodies);
        if self.tree.fit() > self.built * Self::REBUILD_GROWTH {
            self.tree.reenter();
            self.build();
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    asks_tree!(D);
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Crowd, Lie, Size, suite};
    use super::*;

    const CHOICES: [(KdCut, KdAxis); 4] = [
        (KdCut::Median, KdAxis::Widest),
        (KdCut::Median, KdAxis::Cyclic),
        (KdCut::Middle, KdAxis::Widest),
        (KdCut::Middle, KdAxis::Cyclic),
    ];

    fn agrees<const D: usize>() {
        for (cut, axis) in CHOICES {
            let mut capacity = [1, 3, 16, 64].into_iter().cycle();
            suite::<D, _>(&format!("k-d tree, {cut:?} {axis:?}"), || {
                KdTree::<D>::default().with_cut(cut).with_axis(axis).with_capacity(capacity.next().unwrap())
            });
        }
    }

    #[test]
    fn agrees_in_the_plane() {
        agrees::<2>();
    }

    #[test]
    fn agrees_in_space() {
        agrees::<3>();
    }

    #[test]
    fn agrees_on_a_line_and_in_four_dimensions() {
        suite::<1, _>("k-d tree", || KdTree::<1>::default().with_capacity(4));
        suite::<4, _>("k-d tree", || KdTree::<4>::default().with_capacity(4));
    }

    #[test]
    fn shallow_wherever_bodies_lie() {
        for lie in [Lie::Uniform, Lie::Coincident, Lie::Line(1), Lie::Scattered, Lie::Lattice, Lie::Clustered] {
            for (cut, axis) in CHOICES {
                let crowd = Crowd::<2>::new(lie, Size::Mixed, 4096, 1);
                let mut tree = KdTree::default().with_cut(cut).with_axis(axis).with_capacity(8);
                tree.rebuild(crowd.bodies()).unwrap();
                let deepest = tree.tree.check(crowd.bodies(), 8);
                // 10 were the least possible.
                assert!(deepest <= 22, "{lie:?} {cut:?} {axis:?}: {deepest}");
            }
        }
    }

    #[test]
    fn updates_keep_the_nodes_right() {
        for lie in [Lie::Uniform, Lie::Clustered, Lie::Line(0)] {
            let mut crowd = Crowd::<3>::new(lie, Size::Giants, 300, 2);
            let mut tree = KdTree::default().with_capacity(4);
            tree.rebuild(crowd.bodies()).unwrap();
            for _ in 0..50 {
                crowd.stir();
                tree.update(crowd.bodies()).unwrap();
                tree.tree.check(crowd.bodies(), 4);
            }
        }
    }
}
