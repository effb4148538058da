//! The quadtree and the octree: cells that split where they fill.

mod queries;
#[cfg(test)]
mod tests;
mod upkeep;

use super::NONE;
use super::lattice::Lattice;
use crate::Tuning;
use crate::volume::Aabb;

/// Where an [`OrthTree`] keeps a body on the border of cells.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, Border, Quadtree, SpatialIndex, volume::Aabb};
/// let position: Vec<[f32; 2]> = (0..400_u16).map(|i| [f32::from(i % 20), f32::from(i / 20)]).collect();
/// let (radius, id) = ([0.4; 400], (0..400).collect::<Vec<u32>>());
/// let bodies = Bodies::new(&position, &radius, &id);
/// // The two lines through the middle of this square cut 39 bodies.
/// let bounds = Aabb { low: [-2.0, -2.0], high: [22.0, 22.0] };
/// let [parent, leaves] = [Border::Parent, Border::Leaves].map(|border| {
///     let mut tree = Quadtree::new(border).with_bounds(bounds);
///     tree.rebuild(bodies).map(|()| tree.pairs(bodies, |_, _| ControlFlow::Continue(())))
/// });
/// assert_eq!((parent?, leaves?), (7202, 4308), "tests of pairs");
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Border {
    /// At the smallest cell that holds all of it: each body is in one place (Samet 1990: the MX-CIF quadtree).
    #[default]
    Parent,
    /// In every leaf that it touches.
    Leaves,
}

/// A quadtree (`D` = 2) or octree (`D` = 3; no more than that): a cube that is cut in half along every axis wherever
/// more bodies than its capacity are in one cell. Where few are left, it is put together again (Finkel & Bentley 1974,
/// Samet 1990).
///
/// Nodes lie in one array, children next to each other; bodies lie in the order of the nodes.
/// [`update`](crate::SpatialIndex::update) moves bodies up and down from the node where they were, merges and
/// splits nodes as their counts change, and costs O(n) and little; `rebuild` costs O(n depth). The tree is made anew where
/// bodies leave the root, unless it has bounds: then they are an error.
///
/// A query costs O(depth + bodies in the cells it meets). Kept at the parent, small bodies on the borders of large cells
/// are found from far away: it degrades where most bodies lie on one line through the middle of the root. Listed in every
/// leaf, large bodies are in many: cells are no longer split where that would not save tests. Bodies on one spot stay in
/// one cell, which is at least 2⁻³⁰ of the root.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, Border, Octree, SpatialIndex};
/// let position = [[0.0, 0.0, 0.0], [0.8, 0.0, 0.0], [9.0, 9.0, 9.0]];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// let mut index = Octree::default().with_capacity(2);
/// assert_eq!(index.border(), Border::Parent);
/// index.rebuild(bodies)?;
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(0, 1)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OrthTree<const D: usize> {
    border: Border,
    capacity: u32,
    /// The least side of a cell (m); 0 where there is none.
    smallest: f32,
    bounds: Option<Aabb<D>>,
    lattice: Lattice<D>,
    /// How many bodies there are.
    bodies: usize,
    /// The root, then blocks of 2^D children.
    nodes: Vec<Node<D>>,
    /// First nodes of the blocks that are not in use.
    free: Vec<u32>,
    /// The nodes that hold bodies themselves, and places of those that were split.
    holding: Vec<u32>,
    /// The bodies of each node, by node; positions and radii in the same order.
    listing: Vec<Listing>,
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
    spacing: f32,
    /// Scratch of an update: the listings before, and by body; bodies on their way down; nodes that were merged.
    before: Vec<Listing>,
    found: Vec<Listing>,
    items: Vec<upkeep::Item<D>>,
    merged: Vec<u32>,
}

/// A quadtree.
pub type Quadtree = OrthTree<2>;
/// An octree.
pub type Octree = OrthTree<3>;

/// A body in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listing {
    /// The node, and above it a bit for each axis on which the span of the body starts in its cell. In one node of those
    /// that list a body, all are set.
    node: u32,
    row: u32,
}

impl Listing {
    /// Bits of the number of a node.
    const BITS: u32 = 29;
    /// A place that is not in use.
    const NOBODY: Self = Self { node: 0, row: 0 };

    #[inline]
    fn new(node: u32, starts: u32, row: u32) -> Self {
        Self { node: node | starts << Self::BITS, row }
    }

    #[inline]
    fn node(self) -> u32 {
        self.node & ((1 << Self::BITS) - 1)
    }

    #[inline]
    fn starts(self) -> u32 {
        self.node >> Self::BITS
    }

    /// All axes.
    #[inline]
    const fn whole<const D: usize>() -> u32 {
        (1 << D) - 1
    }
}

/// A cell and its bodies.
#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    /// The step of its lower corner.
    corner: [u32; D],
    /// It is 2^shift steps wide.
    shift: u32,
    parent: u32,
    /// Its first child, or none.
    children: u32,
    /// The first place of its own.
    start: u32,
    /// How many places are its own.
    own: u32,
    /// How many there are in it and below; more where a child has been split since they were counted.
    total: u32,
    /// Where the next body goes.
    cursor: u32,
    /// With how many bodies it was not split, since that would save nothing.
    refused: u32,
}

impl<const D: usize> Node<D> {
    fn new(corner: [u32; D], shift: u32, parent: u32) -> Self {
        Self { corner, shift, parent, children: NONE, start: 0, own: 0, total: 0, cursor: 0, refused: 0 }
    }

    #[inline]
    fn places(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.own) as usize
    }
}

impl<const D: usize> Default for OrthTree<D> {
    /// An empty tree that keeps bodies on borders at the parent.
    fn default() -> Self {
        Self::new(Border::default())
    }
}

impl<const D: usize> OrthTree<D> {
    /// The most levels below the root.
    const MAX_LEVELS: u32 = 30;
    /// How many children a node has.
    const CHILDREN: u32 = {
        assert!(D >= 1 && D <= 3, "one to three dimensions");
        1 << D
    };

    /// An empty tree. Cells are split above 8 bodies kept at the parent, or 20 listed in leaves.
    pub fn new(border: Border) -> Self {
        Self {
            border,
            capacity: match border {
                Border::Parent => 8,
                Border::Leaves => 20,
            },
            smallest: 0.0,
            bounds: None,
            lattice: Lattice::default(),
            bodies: 0,
            nodes: Vec::new(),
            free: Vec::new(),
            holding: Vec::new(),
            listing: Vec::new(),
            position: Vec::new(),
            radius: Vec::new(),
            spacing: 0.0,
            before: Vec::new(),
            found: Vec::new(),
            items: Vec::new(),
            merged: Vec::new(),
        }
    }

    /// The same tree whose cells are split above `bodies` bodies (at least 1), and put together again at half as many.
    #[must_use]
    pub fn with_capacity(mut self, bodies: usize) -> Self {
        self.capacity = bodies.clamp(1, 1 << 20) as u32;
        self
    }

    /// The same tree whose cells are never smaller than `side` metres.
    #[must_use]
    pub fn with_smallest(mut self, side: f32) -> Self {
        self.smallest = if side.is_finite() { side.max(0.0) } else { 0.0 };
        self
    }

    /// The same tree over `bounds`, whatever the positions of the bodies; those outside are an error.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Aabb<D>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// Where bodies on the border of cells are kept.
    pub fn border(&self) -> Border {
        self.border
    }

    /// The nodes that hold bodies themselves.
    fn holding(&self) -> impl Iterator<Item = &Node<D>> {
        self.holding.iter().filter(|&&node| node != NONE).map(|&node| &self.nodes[node as usize])
    }

    /// How many nodes there are, with those that hold no body.
    pub fn nodes(&self) -> usize {
        self.nodes.len() - self.free.len() * Self::CHILDREN as usize
    }
}

impl Quadtree {
    /// An empty quadtree with the capacity, smallest cell and bounds of `tuning`.
    pub fn tuned(border: Border, tuning: &Tuning) -> Self {
        let mut tree = Self::new(border).with_smallest(tuning.cell.unwrap_or(0.0));
        tree.capacity = tuning.capacity.map_or(tree.capacity, |bodies| bodies.clamp(1, 1 << 20) as u32);
        tree.bounds = tuning.bounds;
        tree
    }
}
