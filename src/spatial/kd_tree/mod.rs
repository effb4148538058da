//! The k-d tree: space cut in two by planes across the axes, again and again.

mod build;
mod nearest;
mod pairs;

use super::bodies::{ULPS, meet};
use super::{Bodies, NearRows, SpatialError, SpatialIndex, Tuning};
use crate::simd::{self, Level};
use crate::volume::{Aabb, distance_squared};
use std::ops::{ControlFlow, Range};

/// Where a node of a [`KdTree`] is cut.
///
/// ```
/// use throng::spatial::{KdCut, KdTree};
/// let tree = KdTree::<2>::default().with_cut(KdCut::Middle);
/// assert_ne!(KdCut::Middle, KdCut::default());
/// # let _ = tree;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KdCut {
    /// At the median of a sample of its bodies: both halves hold about as many.
    #[default]
    Median,
    /// In the middle of the box around its bodies: its halves are about as large.
    Middle,
}

/// Across which axis a node of a [`KdTree`] is cut.
///
/// ```
/// use throng::spatial::{KdAxis, KdTree};
/// let tree = KdTree::<3>::default().with_axis(KdAxis::Cyclic);
/// assert_ne!(KdAxis::Cyclic, KdAxis::default());
/// # let _ = tree;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KdAxis {
    /// The one along which its bodies spread most.
    #[default]
    Widest,
    /// One after the other, as in the paper; an axis on which all bodies are equal is passed over.
    Cyclic,
}

/// A k-d tree over the centres of the bodies (Bentley 1975), its bodies in leaves (Friedman, Bentley and Finkel 1977).
///
/// Nodes lie in one array, each before those below it, and know the box of their centres and their greatest radius, so
/// that a query passes over what is too far away without a stack; the bodies of a leaf lie side by side.
///
/// `rebuild` takes O(n log n), however the bodies lie: where a cut would leave less than an eighth on one side, the exact
/// median is taken, ties by row, so that the tree is never deeper than O(log n). `update` refits the boxes in O(n) where
/// that leaves them small, and builds anew where they have grown too much. A query takes O(log n) and what it finds,
/// finding all pairs O(n log n); a few very large bodies cost only the leaves that they are in.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng::spatial::{Bodies, KdTree, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 4.0], [3.5, 4.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = KdTree::default();
/// index.rebuild(bodies)?;
/// assert_eq!(index.nearest(bodies, [2.0, 4.0], 5.0, |_| true), Some((1, 1.0)));
/// index.pairs(bodies, |i, j| {
///     assert_eq!((i, j), (1, 2));
///     ControlFlow::Continue(())
/// });
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KdTree<const D: usize> {
    cut: KdCut,
    axis: KdAxis,
    /// The most bodies of a leaf.
    capacity: usize,
    nodes: Vec<Node<D>>,
    /// Centres, radii and rows of the bodies, leaf after leaf.
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
    row: Vec<u32>,
    /// Only used while building.
    entries: Vec<build::Entry<D>>,
    /// How large the leaves were when they were built, and a side of one that is typical (m).
    built: f64,
    side: f32,
}

/// A node: its left child is the next one, its right child the one after all of the left child's.
#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    /// The box of the centres (m).
    low: [f32; D],
    high: [f32; D],
    /// The greatest radius (m).
    widest: f32,
    /// The next node that is not below this one.
    skip: u32,
    /// The places of its bodies.
    first: u32,
    last: u32,
}

/// `f32::max` for numbers: one instruction.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `f32::min` for numbers: one instruction.
#[inline]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

impl<const D: usize> Node<D> {
    /// At most the squared distance of any of its centres to `point` (m²), as [`distance_squared`] has it: the steps
    /// are the same, and rounding keeps the order of numbers.
    #[inline]
    fn gap(&self, point: [f32; D]) -> f32 {
        let mut sum = 0.0;
        for (axis, &x) in point.iter().enumerate() {
            let d = larger(larger(self.low[axis] - x, x - self.high[axis]), 0.0);
            sum += d * d;
        }
        sum
    }

    /// Whether it may hold a body that overlaps one of another node: exactly, as above.
    #[inline]
    fn near(&self, other: &Self) -> bool {
        let mut sum = 0.0;
        for axis in 0..D {
            let d = larger(larger(self.low[axis] - other.high[axis], other.low[axis] - self.high[axis]), 0.0);
            sum += d * d;
        }
        let reach = self.widest + other.widest;
        sum < reach * reach
    }

    /// A box around the bounds of its bodies.
    #[inline]
    fn bounds(&self) -> Aabb<D> {
        let (mut low, mut high) = (self.low, self.high);
        for axis in 0..D {
            let slack = (larger(low[axis].abs(), high[axis].abs()) + self.widest) * ULPS;
            low[axis] = (low[axis] - self.widest) - slack;
            high[axis] = (high[axis] + self.widest) + slack;
        }
        Aabb { low, high }
    }

    #[inline]
    fn places(&self) -> Range<usize> {
        self.first as usize..self.last as usize
    }
}

/// Room for the findings in one leaf.
const ROOM: usize = KdTree::<2>::MAX_CAPACITY + simd::SLACK;

impl<const D: usize> Default for KdTree<D> {
    fn default() -> Self {
        Self {
            cut: KdCut::default(),
            axis: KdAxis::default(),
            capacity: Self::CAPACITY,
            nodes: Vec::new(),
            position: Vec::new(),
            radius: Vec::new(),
            row: Vec::new(),
            entries: Vec::new(),
            built: 0.0,
            side: 0.0,
        }
    }
}

impl<const D: usize> KdTree<D> {
    /// The most bodies of a leaf, where nothing else is asked for.
    pub const CAPACITY: usize = 16;
    /// The greatest capacity of a leaf.
    pub const MAX_CAPACITY: usize = 64;

    /// An empty tree with the capacity of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        tuning.capacity.map_or_else(Self::default, |capacity| Self::default().with_capacity(capacity))
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

    #[inline]
    fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].skip as usize == node + 1
    }

    /// Appends to `found` the places of those in a leaf whose squared distance is below `limit`, as [`simd::nearer`]
    /// does.
    #[inline]
    fn scan(
        &self,
        level: Level,
        places: Range<usize>,
        point: [f32; D],
        limit: f32,
        found: &mut [u64],
        mut count: usize,
    ) -> usize {
        if D == 2 {
            let (points, _) = self.position[places.clone()].as_flattened().as_chunks::<2>();
            let centre = [point[0], point[1]];
            return simd::nearer(level, points, places.start as u32, centre, limit, found, count);
        }
        for place in places {
            let squared = distance_squared(self.position[place], point);
            found[count] = finding(squared, place);
            count += usize::from(squared < limit);
        }
        count
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.position.clear();
        self.radius.clear();
        self.row.clear();
    }
}

/// A squared distance above a place: findings order by distance.
#[inline]
fn finding(squared: f32, place: usize) -> u64 {
    u64::from(squared.to_bits()) << 32 | place as u64
}

#[inline]
fn squared(finding: u64) -> f32 {
    f32::from_bits((finding >> 32) as u32)
}

#[inline]
fn place(finding: u64) -> usize {
    finding as u32 as usize
}

impl<const D: usize> SpatialIndex<D> for KdTree<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        self.row.extend(0..bodies.len() as u32);
        self.plant(bodies);
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        if self.row.len() != bodies.len() {
            return self.rebuild(bodies);
        }
        if let Err(error) = bodies.check() {
            self.clear();
            return Err(error);
        }
        // Bodies have moved or were replaced: the leaves keep their rows while they stay small.
        if self.refit(bodies) > self.built * build::WORN {
            self.plant(bodies);
        }
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.join(bodies, visit)
    }

    fn touching(
        &self,
        _: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !meet(&node.bounds(), region) {
                at = node.skip as usize;
                continue;
            }
            if self.is_leaf(at) {
                for place in node.places() {
                    if meet(&super::bodies::around(self.position[place], self.radius[place]), region) {
                        visit(self.row[place])?;
                    }
                }
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<D>, mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let bounds = node.bounds();
            if !meet(&bounds, region) {
                at = node.skip as usize;
                continue;
            }
            if self.is_leaf(at) {
                visit(&bounds, node.places().len())?;
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.side
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.position.capacity() * size_of::<[f32; D]>()
            + (self.radius.capacity() + self.row.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<build::Entry<D>>()
    }

    fn within(
        &self,
        _: Bodies<D>,
        point: [f32; D],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let level = Level::detect();
        let limit = radius.max(0.0) * radius;
        let mut found = [0; ROOM];
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if node.gap(point) >= limit {
                at = node.skip as usize;
                continue;
            }
            if self.is_leaf(at) {
                let count = self.scan(level, node.places(), point, limit, &mut found, 0);
                for &finding in &found[..count] {
                    visit(self.row[place(finding)], squared(finding))?;
                }
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }

    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        self.closest(bodies, point, reach, accept)
    }

    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        self.k_closest(bodies, point, k, reach, accept, found);
    }

    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>) {
        self.lists(bodies, first, reach, near);
    }
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

    /// Every node holds what is below it, every row is there once; the depth.
    fn check<const D: usize>(tree: &KdTree<D>, bodies: Bodies<D>) -> usize {
        let mut rows = tree.row.clone();
        rows.sort_unstable();
        assert!(rows.into_iter().eq(0..bodies.len() as u32));
        let mut deepest = 0;
        let mut above: Vec<usize> = Vec::new();
        for (at, node) in tree.nodes.iter().enumerate() {
            while above.last().is_some_and(|&parent| tree.nodes[parent].skip as usize <= at) {
                above.pop();
            }
            if let Some(&parent) = above.last() {
                let parent = &tree.nodes[parent];
                assert!(parent.first <= node.first && node.last <= parent.last);
            }
            for place in node.places() {
                let row = tree.row[place] as usize;
                assert_eq!((tree.position[place], tree.radius[place]), (bodies.position[row], bodies.radius[row]));
                assert!(node.gap(bodies.position[row]) == 0.0 && bodies.radius[row] <= node.widest);
                let (inner, outer) = (bodies.bounds(row), node.bounds());
                assert!((0..D).all(|axis| outer.low[axis] <= inner.low[axis] && inner.high[axis] <= outer.high[axis]));
            }
            if tree.is_leaf(at) {
                assert!(node.places().len() <= tree.capacity && !node.places().is_empty());
            }
            above.push(at);
            deepest = deepest.max(above.len());
        }
        deepest
    }

    #[test]
    fn shallow_wherever_bodies_lie() {
        for lie in [Lie::Uniform, Lie::Coincident, Lie::Line(1), Lie::Scattered, Lie::Lattice, Lie::Clustered] {
            for (cut, axis) in CHOICES {
                let crowd = Crowd::<2>::new(lie, Size::Mixed, 4096, 1);
                let mut tree = KdTree::default().with_cut(cut).with_axis(axis).with_capacity(8);
                tree.rebuild(crowd.bodies()).unwrap();
                let deepest = check(&tree, crowd.bodies());
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
                check(&tree, crowd.bodies());
            }
        }
    }
}
