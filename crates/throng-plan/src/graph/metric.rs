//! Costs of edges, and estimates of the rest of a way.

use super::place::{Position, apart};

/// The cost of an edge: finite, not below 0, and at most [`PathFinder::MAX_COST`](super::PathFinder::MAX_COST).
///
/// Every closure of the two positions and the weight is one:
///
/// ```
/// use glam::Vec2;
/// use throng_plan::graph::{Euclidean, Graph, GraphScratch, PathFinder, Scaled};
/// struct Road {
///     speed: f64,
/// }
/// let mut graph = Graph::<Vec2, Road>::default();
/// let (a, b) = (graph.add_node(Vec2::ZERO), graph.add_node(Vec2::new(30.0, 40.0)));
/// graph.add_edge(a, b, Road { speed: 20.0 });
/// // Seconds of a drive; no road is faster than 25 m/s.
/// let seconds = |from: Vec2, to: Vec2, road: &Road| f64::from(from.distance(to)) / road.speed;
/// let finder = PathFinder::new(seconds, Scaled(Euclidean, 1.0 / 25.0));
/// assert_eq!(finder.astar(&graph, a, b, &mut GraphScratch::default())?.cost, 2.5);
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
pub trait Distance<P, E> {
    /// Cost of the edge with this weight from a node at `from` to one at `to`.
    fn distance(&self, from: P, to: P, weight: &E) -> f64;
}

impl<P, E, F: Fn(P, P, &E) -> f64> Distance<P, E> for F {
    #[inline]
    fn distance(&self, from: P, to: P, weight: &E) -> f64 {
        self(from, to, weight)
    }
}

/// An estimate of the cost between two nodes: finite and not below 0.
///
/// - **Admissible**: it is nowhere above the cost of the cheapest way. Exact searches need this, and no search checks
///   it; where it is broken a route may cost more than the cheapest.
/// - **Consistent**: no edge lowers it by more than the edge costs. Straight distances are, and so is every estimate
///   that is admissible for all pairs of nodes and obeys the triangle inequality.
///
/// Every closure of two positions is one.
///
/// ```
/// use glam::Vec2;
/// use throng_plan::graph::{Heuristic, Manhattan};
/// let along_x = |from: Vec2, to: Vec2| f64::from((to.x - from.x).abs());
/// assert_eq!(along_x.estimate(Vec2::ZERO, Vec2::new(3.0, 4.0)), 3.0);
/// assert_eq!(Manhattan.estimate(Vec2::ZERO, Vec2::new(3.0, 4.0)), 7.0);
/// ```
pub trait Heuristic<P> {
    /// A bound below the cost of the way between nodes at these positions.
    fn estimate(&self, from: P, to: P) -> f64;
}

impl<P, F: Fn(P, P) -> f64> Heuristic<P> for F {
    #[inline]
    fn estimate(&self, from: P, to: P) -> f64 {
        self(from, to)
    }
}

/// The weight of an edge as a number.
///
/// Integers above 2^53 are rounded.
///
/// ```
/// use throng_plan::graph::Weight;
/// assert_eq!(3_u64.weight(), 3.0);
/// ```
pub trait Weight {
    /// The number.
    fn weight(&self) -> f64;
}

macro_rules! weights {
    ($($number:ty),*) => {$(
        impl Weight for $number {
            #[inline]
            #[allow(clippy::cast_lossless)]
            fn weight(&self) -> f64 {
                *self as f64
            }
        }
    )*};
}

weights!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

/// [`Distance`]: the weight of the edge.
///
/// ```
/// use throng_plan::graph::{Distance, EdgeWeight};
/// assert_eq!(EdgeWeight.distance((), (), &4_u32), 4.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeWeight;

impl<P, E: Weight> Distance<P, E> for EdgeWeight {
    #[inline]
    fn distance(&self, _from: P, _to: P, weight: &E) -> f64 {
        weight.weight()
    }
}

/// [`Distance`]: 1 an edge, so that the cheapest route has the fewest edges.
///
/// ```
/// use throng_plan::graph::{GraphScratch, Hops, PathFinder, Zero};
/// let graph = petgraph::graph::UnGraph::<(), u32>::from_edges([(0, 1, 5), (1, 2, 5), (0, 2, 11)]);
/// let mut scratch = GraphScratch::default();
/// let outcome = PathFinder::new(Hops, Zero).dijkstra(&graph, 0.into(), 2.into(), &mut scratch)?;
/// assert_eq!((outcome.cost, scratch.path()), (1.0, [0.into(), 2.into()].as_slice()));
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hops;

impl<P, E> Distance<P, E> for Hops {
    #[inline]
    fn distance(&self, _from: P, _to: P, _weight: &E) -> f64 {
        1.0
    }
}

/// [`Heuristic`]: nothing is known. Always admissible and consistent; A* is then Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zero;

impl<P> Heuristic<P> for Zero {
    #[inline]
    fn estimate(&self, _from: P, _to: P) -> f64 {
        0.0
    }
}

/// [`Distance`] and [`Heuristic`]: the length of the straight line. Admissible where no edge costs less than its length.
///
/// ```
/// use throng_plan::graph::{Euclidean, Heuristic};
/// assert_eq!(Euclidean.estimate(glam::Vec2::ZERO, glam::Vec2::new(3.0, 4.0)), 5.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Euclidean;

/// [`Distance`] and [`Heuristic`]: the sum of the differences along the axes. Admissible where edges run along the axes.
///
/// ```
/// use throng_plan::graph::{Heuristic, Manhattan};
/// assert_eq!(Manhattan.estimate(glam::Vec3::ZERO, glam::Vec3::new(1.0, -2.0, 3.0)), 6.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manhattan;

/// [`Distance`] and [`Heuristic`]: the shortest way in steps along the axes, of length 1, and along diagonals, of length √2
/// in the plane and √3 in space. Admissible where edges run so; in space it is that of grids with 26 neighbours.
///
/// ```
/// use throng_plan::graph::{Heuristic, Octile};
/// assert_eq!(Octile.estimate(glam::Vec2::ZERO, glam::Vec2::new(5.0, 2.0)), 3.0 + 2.0 * 2.0_f64.sqrt());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octile;

/// [`Distance`] and [`Heuristic`]: another one times a factor, as seconds a metre.
///
/// ```
/// use throng_plan::graph::{Euclidean, Heuristic, Scaled};
/// let seconds = Scaled(Euclidean, 1.0 / 25.0); // at most 25 m/s
/// assert_eq!(seconds.estimate(glam::Vec2::ZERO, glam::Vec2::new(0.0, 50.0)), 2.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scaled<M>(pub M, pub f64);

impl<P, E, M: Distance<P, E>> Distance<P, E> for Scaled<M> {
    #[inline]
    fn distance(&self, from: P, to: P, weight: &E) -> f64 {
        self.0.distance(from, to, weight) * self.1
    }
}

impl<P, M: Heuristic<P>> Heuristic<P> for Scaled<M> {
    #[inline]
    fn estimate(&self, from: P, to: P) -> f64 {
        self.0.estimate(from, to) * self.1
    }
}

macro_rules! by_position {
    ($metric:ty, $length:expr) => {
        impl<P: Position> Heuristic<P> for $metric {
            #[inline]
            fn estimate(&self, from: P, to: P) -> f64 {
                let length: fn([f64; 3]) -> f64 = $length;
                length(apart(from.coordinates(), to.coordinates()))
            }
        }

        impl<P: Position, E> Distance<P, E> for $metric {
            #[inline]
            fn distance(&self, from: P, to: P, _weight: &E) -> f64 {
                self.estimate(from, to)
            }
        }
    };
}

by_position!(Euclidean, |[x, y, z]| (x * x + y * y + z * z).sqrt());
by_position!(Manhattan, |[x, y, z]| x + y + z);
by_position!(Octile, |[x, y, z]| {
    // In space √3 for all three, √2 for two of the rest, 1 for one: all three as far as the least goes, and so on.
    let (least, most) = (x.min(y).min(z), x.max(y).max(z));
    let middle = x.max(y).min(x.min(y).max(z));
    (most - middle) + std::f64::consts::SQRT_2 * (middle - least) + SQRT_3 * least
});

const SQRT_3: f64 = 1.732_050_807_568_877_2;
