//! Where the nodes of a graph are.

use petgraph::visit::{IntoNodeIdentifiers, NodeIndexable};

/// The positions of a [`GridGraph`](throng_grid::GridGraph) are in metres. An estimate in steps takes `Scaled(Octile, STRAIGHT /
/// cell_size)`; links that cost less than the way they save need [`Zero`](super::Zero).
///
/// ```
/// use throng_grid::{Grid, GridGraph, Ground, Lattice, STRAIGHT};
/// use throng_plan::graph::{EdgeWeight, GraphScratch, Octile, PathFinder, Scaled};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 0.5)?).into(), 0.2)?;
/// let (from, to) = (ground.lattice().cell(0, 0), ground.lattice().cell(9, 0));
/// let finder = PathFinder::new(EdgeWeight, Scaled(Octile, f64::from(STRAIGHT) / 0.5));
/// let outcome = finder.astar(&GridGraph::new(&ground), from, to, &mut GraphScratch::default())?;
/// assert_eq!(outcome.cost, 9.0 * 2378.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use throng_grid::{Located, Position, Positions};

/// The node nearest to a point by straight distance; of equals the one with the smaller index. `None` where the graph has
/// no nodes, or no distance is a number.
///
/// Looks at every node: O(nodes).
///
/// ```
/// use glam::Vec2;
/// use throng_plan::graph::{Graph, find_closest};
/// let mut graph = Graph::<Vec2>::default();
/// let nodes = [0.0, 4.0, 9.0].map(|x| graph.add_node(Vec2::new(x, 0.0)));
/// assert_eq!(find_closest(&graph, Vec2::new(3.0, 5.0)), Some(nodes[1]));
/// assert_eq!(find_closest(&graph, Vec2::new(2.0, 0.0)), Some(nodes[0])); // both are 2 away
/// ```
pub fn find_closest<G>(graph: G, point: G::Position) -> Option<G::NodeId>
where
    G: IntoNodeIdentifiers + NodeIndexable + Positions,
{
    let at = point.coordinates();
    let mut closest: Option<(f64, usize, G::NodeId)> = None;
    for node in graph.node_identifiers() {
        let Some(position) = graph.position(node) else { continue };
        let [dx, dy, dz] = apart(at, position.coordinates());
        let (distance, index) = (dx * dx + dy * dy + dz * dz, graph.to_index(node));
        let nearer = closest.is_none_or(|(least, first, _)| distance < least || distance == least && index < first);
        if nearer && !distance.is_nan() {
            closest = Some((distance, index, node));
        }
    }
    closest.map(|(_, _, node)| node)
}

/// How far two points are apart along each axis.
#[inline]
pub(super) fn apart(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [(a[0] - b[0]).abs(), (a[1] - b[1]).abs(), (a[2] - b[2]).abs()]
}
