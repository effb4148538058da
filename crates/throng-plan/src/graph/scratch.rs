//! The memory of a search over a graph.

use super::GraphError;
use crate::open::{OpenList, Rank, RankHeap};
use petgraph::graph::NodeIndex;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// The memory of searches over graphs: one a thread, used for one search after the other, also on different graphs. `N`
/// is the graph's type of node. Starting a search clears nothing, and once the memory has grown to the largest graph
/// and search it has seen, none is allocated.
///
/// It holds 32 bytes a node for node types of four bytes, twice that once it was used for
/// [`bidirectional`](super::PathFinder::bidirectional) searches, and 8 more for
/// [`fringe`](super::PathFinder::fringe) searches; and the open list.
///
/// ```
/// use throng_plan::graph::{EdgeWeight, GraphScratch, PathFinder, Zero};
/// let graph = petgraph::graph::UnGraph::<(), u32>::from_edges([(0, 1, 5), (1, 2, 5), (0, 2, 11)]);
/// let mut scratch = GraphScratch::default();
/// PathFinder::new(EdgeWeight, Zero).dijkstra(&graph, 0.into(), 2.into(), &mut scratch)?;
/// assert_eq!(scratch.path(), [0.into(), 1.into(), 2.into()]);
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphScratch<N = NodeIndex> {
    /// The search from the start, and the one from the goal.
    pub(super) sides: [Side<N>; 2],
    /// The nodes of the route.
    pub(super) path: Vec<N>,
    /// Nodes that an anytime search puts aside until the next round.
    pub(super) aside: Vec<u32>,
    /// The list of a fringe search: the nodes before and after each node.
    pub(super) links: Vec<[u32; 2]>,
}

impl<N> Default for GraphScratch<N> {
    fn default() -> Self {
        let side = || Side { labels: Labels { nodes: Vec::new(), stamp: 0 }, open: RankHeap::default() };
        Self { sides: [side(), side()], path: Vec::new(), aside: Vec::new(), links: Vec::new() }
    }
}

impl<N> GraphScratch<N> {
    /// The route that the last search has found, start and goal included; empty where there is none.
    pub fn path(&self) -> &[N] {
        &self.path
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let sides =
            self.sides.iter().map(|side| side.labels.nodes.capacity() * size_of::<Node<N>>() + side.open.bytes());
        sides.sum::<usize>()
            + self.path.capacity() * size_of::<N>()
            + self.aside.capacity() * size_of::<u32>()
            + self.links.capacity() * size_of::<[u32; 2]>()
    }
}

/// The order of the open list: f, then h, so that of equal f the node nearer to the goal comes first. The bits of numbers
/// that are not below zero order as the numbers do.
#[inline]
pub(super) fn rank(f: f64, h: f64) -> Rank {
    (f.to_bits(), h.to_bits())
}

/// A node as a search sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<N> {
    /// Cost of the best way found so far.
    pub(super) g: f64,
    /// Estimate of the rest.
    pub(super) h: f64,
    /// The graph's name of it.
    pub(super) id: N,
    /// Index of the node before it on that way, [`NONE`] for the first.
    pub(super) parent: u32,
    /// The search that wrote this.
    stamp: u32,
    /// 0 while the node is open; other values depend on the search.
    pub(super) closed: u32,
}

/// A search from one end.
#[derive(Clone, Debug)]
pub(super) struct Side<N> {
    pub(super) labels: Labels<N>,
    /// Open nodes, lowest rank first. A node to which a better way is found is in it twice: the older entry comes out
    /// later, when the node is closed.
    pub(super) open: RankHeap,
}

/// Labels of the nodes, by index.
#[derive(Clone, Debug)]
pub(super) struct Labels<N> {
    nodes: Vec<Node<N>>,
    stamp: u32,
}

impl<N: Copy> Side<N> {
    /// Starts a search over `len` nodes at one of them.
    pub(super) fn begin(&mut self, len: usize, index: u32, id: N, h: f64) {
        self.labels.begin(len, index, id, h);
        self.open.clear();
    }

    /// Puts a node on the open list.
    #[inline]
    pub(super) fn push(&mut self, f: f64, h: f64, index: u32) {
        self.open.push(rank(f, h), index);
    }

    /// Takes the entry of the lowest rank off the open list: its node may be closed.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        self.open.pop().map(|(_, index)| index)
    }

    /// The least f of the open list.
    #[inline]
    pub(super) fn least(&self) -> Option<f64> {
        self.open.least().map(|(f, _)| f64::from_bits(f))
    }
}

impl<N: Copy> Labels<N> {
    /// Starts a search over `len` nodes at one of them.
    pub(super) fn begin(&mut self, len: usize, index: u32, id: N, h: f64) {
        if self.stamp == u32::MAX {
            self.nodes.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        let start = Node { g: 0.0, h, id, parent: NONE, stamp: 0, closed: 0 };
        if self.nodes.len() < len {
            self.nodes.resize(len, start);
        }
        self.nodes[index as usize] = Node { stamp: self.stamp, ..start };
    }

    /// The node, where this search has seen it.
    #[inline]
    pub(super) fn seen(&self, index: u32) -> Option<&Node<N>> {
        self.nodes.get(index as usize).filter(|node| node.stamp == self.stamp)
    }

    /// The node, which this search has seen.
    #[inline]
    pub(super) fn node(&mut self, index: u32) -> &mut Node<N> {
        &mut self.nodes[index as usize]
    }

    /// Notes a way to a node over `parent` that costs `g`: the node, or `None` where a way as good is known.
    #[inline]
    pub(super) fn improve(
        &mut self,
        (index, id): (u32, N),
        g: f64,
        parent: u32,
        estimate: impl FnOnce() -> Result<f64, GraphError>,
    ) -> Result<Option<&mut Node<N>>, GraphError> {
        let node = &mut self.nodes[index as usize];
        if node.stamp != self.stamp {
            *node = Node { g, h: estimate()?, id, parent, stamp: self.stamp, closed: 0 };
        } else if g < node.g {
            (node.g, node.parent) = (g, parent);
        } else {
            return Ok(None);
        }
        Ok(Some(node))
    }

    /// Appends the way from the end of a search to its beginning.
    pub(super) fn trace(&self, mut index: u32, path: &mut Vec<N>) {
        while let Some(node) = self.seen(index) {
            path.push(node.id);
            index = node.parent;
        }
    }
}
