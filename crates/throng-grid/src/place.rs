//! Where the nodes of a graph are.

use crate::GridGraph;
use glam::{DVec2, DVec3, Vec2, Vec3};
use petgraph::data::DataMap;
use petgraph::visit::GraphBase;

/// A point in the plane or in space.
///
/// Implemented for the vectors of `glam`, so that maps of two and of three dimensions use the same searches, and for
/// `()`, the position of nodes that have none. The unit is the graph's own; all of one graph are in the same.
///
/// ```
/// use throng_grid::Position;
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
/// use throng_grid::{Located, Positions};
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
/// let mut towns = petgraph::Graph::<Town, f64>::new();
/// let york = towns.add_node(Town { name: "York", at: glam::Vec2::new(3.0, 4.0) });
/// assert_eq!((&towns).position(york), Some(glam::Vec2::new(3.0, 4.0)));
/// # assert_eq!(towns[york].name, "York");
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

/// Numbers and names are no places: a [`GraphMap`](petgraph::graphmap::GraphMap) of them is searched without an estimate.
macro_rules! nowhere {
    ($($node:ty),*) => {$(
        impl Located for $node {
            type Position = ();

            #[inline]
            fn position(&self) {}
        }
    )*};
}

nowhere!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, char, &str, String);

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
/// use throng_grid::Positions;
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

/// The centres of the cells, in metres.
impl Positions for &GridGraph<'_> {
    type Position = DVec2;

    /// In twice the digits of [`Lattice::centre`](crate::Lattice::centre), so that estimates in steps are as exact as
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
