//! Where the nodes of a graph are.

use crate::geom::Vec2;
use crate::grid::GridGraph;
use glam::{DVec2, DVec3, Vec3};
use petgraph::data::DataMap;
use petgraph::visit::{GraphBase, IntoNodeIdentifiers, NodeIndexable};

/// A point in the plane or in space.
///
/// Implemented for the vectors of `glam`, so that maps of two and of three dimensions use the same searches, and for
/// `()`, the position of nodes that have none. The unit is the graph's own; all of one graph are in the same.
///
/// ```
/// use throng::plan::graph::Position;
/// assert_eq!(glam::Vec2::new(1.0, 2.0).coordinates(), [1.0, 2.0, 0.0]);
/// ```
pub trait Position: Copy {
    /// x, y and z; z is 0 in the plane.
    fn coordinates(self) -> [f64; 3];
}

impl Position for Vec2 {
    #[inline]
    fn coordinates(self) -> [f64; 3] {
        [self.x.into(), self.y.into(), 0.0]
    }
}

impl Position for Vec3 {
    #[inline]
    fn coordinates(self) -> [f64; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
    }
}

impl Position for DVec2 {
    #[inline]
    fn coordinates(self) -> [f64; 3] {
        [self.x, self.y, 0.0]
    }
}

impl Position for DVec3 {
    #[inline]
    fn coordinates(self) -> [f64; 3] {
        self.to_array()
    }
}

impl Position for () {
    #[inline]
    fn coordinates(self) -> [f64; 3] {
        [0.0; 3]
    }
}

/// The weight of a node that says where the node is: a [`Position`], a pair of a position and anything else, or a type of
/// your own.
///
/// ```
/// use throng::plan::graph::Located;
/// struct Town {
///     name: &'static str,
///     at: glam::Vec2,
/// }
/// impl Located for Town {
///     type Position = glam::Vec2;
///     fn position(&self) -> glam::Vec2 {
///         self.at
///     }
/// }
/// let towns: petgraph::Graph<Town, f64> = petgraph::Graph::new(); // can be searched
/// assert_eq!(towns.node_weights().map(|town| town.name).count(), 0);
/// ```
pub trait Located {
    /// A point.
    type Position: Position;

    /// Where the node is.
    fn position(&self) -> Self::Position;
}

impl<P: Position> Located for P {
    type Position = P;

    #[inline]
    fn position(&self) -> P {
        *self
    }
}

impl<P: Position, T> Located for (P, T) {
    type Position = P;

    #[inline]
    fn position(&self) -> P {
        self.0
    }
}

/// A graph whose nodes have positions: every graph of `petgraph` that gives the weights of its nodes
/// ([`DataMap`]) where these are [`Located`], and the [`GridGraph`]. Implement it for a reference to a graph of your own.
///
/// ```
/// use throng::plan::graph::Positions;
/// let mut graph = petgraph::Graph::<glam::Vec3, f64>::new();
/// let node = graph.add_node(glam::Vec3::Z);
/// assert_eq!((&graph).position(node), Some(glam::Vec3::Z));
/// graph.remove_node(node);
/// assert_eq!((&graph).position(node), None);
/// ```
pub trait Positions: GraphBase {
    /// A point.
    type Position: Position;

    /// Where a node is; `None` where the graph has no such node.
    fn position(&self, node: Self::NodeId) -> Option<Self::Position>;
}

impl<G> Positions for G
where
    G: DataMap,
    G::NodeWeight: Located,
{
    type Position = <G::NodeWeight as Located>::Position;

    #[inline]
    fn position(&self, node: G::NodeId) -> Option<Self::Position> {
        self.node_weight(node).map(Located::position)
    }
}

/// The centres of the cells, in metres. An estimate in steps takes `Scaled(Octile, STRAIGHT / cell_size)`; links that cost
/// less than the way they save need [`Zero`](super::Zero).
///
/// ```
/// use throng::grid::{Grid, GridGraph, Ground, Lattice, STRAIGHT};
/// use throng::plan::graph::{EdgeWeight, GraphScratch, Octile, PathFinder, Scaled};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 0.5)?).into(), 0.2)?;
/// let (from, to) = (ground.lattice().cell(0, 0), ground.lattice().cell(9, 0));
/// let finder = PathFinder::new(EdgeWeight, Scaled(Octile, f64::from(STRAIGHT) / 0.5));
/// let outcome = finder.astar(&GridGraph::new(&ground), from, to, &mut GraphScratch::default())?;
/// assert_eq!(outcome.cost, 9.0 * 2378.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Positions for &GridGraph<'_> {
    type Position = DVec2;

    /// In twice the digits of [`Lattice::centre`](crate::grid::Lattice::centre), so that estimates in steps are as exact as
    /// the costs are.
    #[inline]
    fn position(&self, cell: Self::NodeId) -> Option<DVec2> {
        let lattice = self.ground().lattice();
        if !lattice.contains(cell) || !self.ground().is_passable(cell) {
            return None;
        }
        let (x, y) = lattice.column_row(cell);
        Some((DVec2::new(x.into(), y.into()) + 0.5) * f64::from(lattice.cell_size))
    }
}

/// The node nearest to a point by straight distance; of equals the one with the smaller index. `None` where the graph has
/// no nodes, or no distance is a number.
///
/// Looks at every node: O(nodes).
///
/// ```
/// use glam::Vec2;
/// use throng::plan::graph::{Graph, find_closest};
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
