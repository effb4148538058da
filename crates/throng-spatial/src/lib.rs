//! Spatial indices: which bodies are near which.
//!
//! Every index answers the same questions with the same answers, so that any of them can drive a simulation with
//! bit-identical results: ties are broken by id, lists are sorted by distance, then id. They differ in how fast they are
//! on which crowd.
//!
//! - [`Bodies`] are the caller's columns: centres, radii and ids, in the plane or in space.
//! - [`SpatialIndex`] is the trait of all indices: pairs that overlap, the nearest, all within a radius, a view cone or a
//!   box, and what a moving ball hits first. An [`Index`] is one of [`IndexKind`], chosen by name; each structure is a
//!   type of its own too, such as [`DenseGrid`], [`HashGrid`], [`Bvh`], [`KdTree`], [`Octree`] or [`SweepAndPrune`].
//! - [`Pairs`] takes the pairs that overlap, [`Near`] the neighbours of every body, and [`Contacts`] tells which pairs
//!   have begun and ended since the last update.
//! - [`Torus`] wraps any index around: for worlds without borders, whose right edge meets the left one.
//! - [`volume`] has bounding volumes, the tests of each kind against each other, rays and moving balls.
//!   [`volume_pairs`] finds the volumes that overlap by an index.
//! - [`simd`] has the vector kernels below all this; they give the same bits on every processor.
//!
//! ```
//! use throng_spatial::{Bodies, Index, IndexKind, Pairs, SpatialIndex};
//!
//! // Eight rows of eight discs with a radius of 0.5 m: 0.9 m apart in a row, 1.5 m from row to row.
//! let position: Vec<[f32; 2]> = (0..64).map(|i| [(i % 8) as f32 * 0.9, (i / 8) as f32 * 1.5]).collect();
//! let (radius, id) = (vec![0.5_f32; 64], (0..64).collect::<Vec<u32>>());
//! let bodies = Bodies::new(&position, &radius, &id);
//!
//! let (mut pairs, mut nearest) = (Pairs::default(), Vec::new());
//! for kind in IndexKind::ALL {
//!     let mut index = Index::new(kind);
//!     index.rebuild(bodies)?;
//!     index.collect_pairs(bodies, &mut pairs);
//!     index.k_nearest(bodies, [2.0, 3.1], 2, 10.0, |_| true, &mut nearest);
//!     let rows: Vec<u32> = nearest.iter().map(|&(row, _)| row).collect();
//!     println!("{kind:16} {} pairs overlap; nearest to (2, 3.1): {rows:?}", pairs.len());
//!     assert_eq!((pairs.len(), rows), (56, vec![18, 19]));
//! }
//! # Ok::<(), throng_spatial::SpatialError>(())
//! ```
//!
//! A query comes in up to two forms: with a visitor, which can stop it by [`ControlFlow::Break`], and with a buffer of the
//! caller's that is filled.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `more-indices` | yes | structures to compare with, none of which is quicker than a sibling: `bsp`, `axis-bsp`, `sections`, `buckets`, `dynamic-buckets`, `closest-pair` |
//! | `scenes` | | crowds to measure indices on: `Scene` makes one of a seed, `Discs` lets it move; `Volley` for continuous tests |
//! | `serde` | | serde's traits for the types that are stored |
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]
// Parts that those structures alone use.
#![cfg_attr(not(feature = "more-indices"), allow(dead_code, unused_imports))]

pub mod simd;
pub mod volume;

#[cfg(feature = "more-indices")]
mod axis_bsp;
mod bands;
mod bodies;
mod body_map;
mod brute;
#[cfg(feature = "more-indices")]
mod bsp;
#[cfg(feature = "more-indices")]
mod buckets;
mod bvh;
mod choice;
#[cfg(feature = "more-indices")]
mod closest_pair;
mod cone;
mod contacts;
mod custom;
#[cfg(feature = "scenes")]
mod discs;
#[cfg(feature = "more-indices")]
mod dynamic;
mod error;
mod extent;
mod grid;
mod hash;
mod hierarchy;
mod index;
mod kd_tree;
mod lists;
mod middle;
mod near;
mod nearby;
mod nearer;
mod pairs;
mod parameter;
mod queries;
mod raster;
mod runs;
#[cfg(feature = "scenes")]
mod scenes;
#[cfg(feature = "more-indices")]
mod sections;
mod sizes;
mod sorts;
mod spec;
mod sweep;
#[cfg(test)]
pub(crate) mod tests;
mod torus;
mod trees;
mod two_level;
#[cfg(feature = "scenes")]
mod volley;
mod volumes;

#[cfg(feature = "more-indices")]
pub use axis_bsp::AxisBsp;
pub use bodies::Bodies;
pub use body_map::{BodyId, BodyMap, Found};
pub use brute::BruteForce;
#[cfg(feature = "more-indices")]
pub use bsp::Bsp;
#[cfg(feature = "more-indices")]
pub use buckets::Buckets;
pub use bvh::Bvh;
pub use choice::{IndexChoice, MissingIndex};
#[cfg(feature = "more-indices")]
pub use closest_pair::ClosestPair;
pub use cone::Cone;
pub use contacts::Contacts;
pub use custom::CustomIndex;
#[doc(hidden)]
pub use custom::panicked;
#[cfg(feature = "scenes")]
pub use discs::Discs;
#[cfg(feature = "more-indices")]
pub use dynamic::DynamicBuckets;
pub use error::SpatialError;
pub use grid::DenseGrid;
pub use hash::HashGrid;
pub use index::{Index, IndexKind, Tuning, UnknownIndex};
pub use kd_tree::{KdAxis, KdCut, KdTree};
pub use near::{Near, NearRows};
pub use pairs::Pairs;
pub use parameter::Parameter;
#[cfg(feature = "scenes")]
pub use scenes::{Scene, SceneError, SceneKind};
#[cfg(feature = "more-indices")]
pub use sections::Sections;
pub use sorts::{Sort, UnknownSort};
pub use spec::{IndexSpec, IndexSpecError};
pub use sweep::SweepAndPrune;
pub use torus::Torus;
pub use trees::{
    Border, LinearOctree, LinearQuadtree, LooseOctree, LooseQuadtree, LooseTree, Octree, OrthTree, Quadtree,
};
pub use two_level::TwoLevelGrid;
#[cfg(feature = "scenes")]
pub use volley::{Form, Response, Solid, UnknownResponse, Volley};
pub use volumes::{BoundingBalls, volume_cast, volume_pairs, volumes_overlapping};

use crate::volume::{Aabb, Sweep};
use std::ops::ControlFlow;

/// A structure that finds bodies by place, in `D` dimensions.
///
/// Rows are indices into the columns of [`Bodies`]; queries take the same bodies that the index was last built of.
/// With others the answers mean nothing, and where those have fewer rows a query may panic. Distances are between
/// centres (m) unless said otherwise.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, BruteForce, Bvh, SpatialIndex};
/// fn crowded<const D: usize>(index: &mut impl SpatialIndex<D>, bodies: Bodies<D>) -> bool {
///     let mut any = false;
///     if index.update(bodies).is_ok() {
///         index.pairs(bodies, |_, _| {
///             any = true;
///             ControlFlow::Break(())
///         });
///     }
///     any
/// }
/// let bodies = Bodies::new(&[[0.0, 0.0, 0.0], [0.0, 0.0, 0.9]], &[0.5; 2], &[0, 1]);
/// assert!(crowded(&mut Bvh::default(), bodies) && crowded(&mut BruteForce, bodies));
/// ```
pub trait SpatialIndex<const D: usize>: Send + Sync {
    /// Forgets everything and indexes `bodies`.
    ///
    /// # Errors
    /// Where bodies are not fit ([`Bodies::check`]) or outside the bounds of the index. It is empty then.
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError>;

    /// Indexes `bodies` as they are now: always right, and for some indices faster than [`rebuild`](Self::rebuild)
    /// where most rows have moved but little since. New bodies come as new rows at the end; where one goes, the last one
    /// may take its row.
    ///
    /// # Errors
    /// As [`rebuild`](Self::rebuild).
    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.rebuild(bodies)
    }

    /// Calls `visit(i, j)` with i < j once for each pair of rows that overlap (distance < sum of radii), in no particular
    /// order, but for two that rest. Returns how many pairs were tested.
    fn pairs(&self, bodies: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64;

    /// Calls `visit` once for each row whose [bounds](Bodies::bounds) share a point with `region`, and perhaps for some
    /// others. The other queries are made of this one.
    fn touching(
        &self,
        bodies: Bodies<D>,
        region: &Aabb<D>,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Calls `visit` with each cell (bucket, node) of the index that holds bodies and shares a point with `region`, and
    /// how many bodies are kept in that cell itself: to draw or to cull.
    fn cells(&self, region: &Aabb<D>, visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()>;

    /// A length (m) that is typical for the spacing of the bodies: where searches begin.
    fn spacing(&self) -> f32;

    /// Bytes of memory.
    fn bytes(&self) -> usize;

    /// Writes the pairs of [`pairs`](Self::pairs). Returns how many pairs were tested.
    fn collect_pairs(&self, bodies: Bodies<D>, found: &mut Pairs) -> u64 {
        found.clear();
        self.pairs(bodies, |i, j| {
            found.push(i, j);
            ControlFlow::Continue(())
        })
    }

    /// Calls `visit(row, squared distance)` for each body nearer than `radius` (m) to `point`, in no particular order.
    fn within(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        radius: f32,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        queries::within(self, bodies, point, radius, visit)
    }

    /// The nearest body that `accept` takes and that is nearer than `reach` (m): its row and squared distance. Ties go
    /// to the smaller id.
    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        queries::nearest(self, bodies, point, reach, accept)
    }

    /// Writes `found`: the `k` nearest bodies that `accept` takes and that are nearer than `reach` (m), each with its
    /// squared distance (m²), sorted by distance, then id.
    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        queries::k_nearest(self, bodies, point, k, reach, accept, found);
    }

    /// Writes into `near`, for each row from `first` on, the `near.k` nearest other bodies nearer than `reach` (m),
    /// sorted by distance, then id.
    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>) {
        queries::neighbours(self, bodies, first, reach, near);
    }

    /// Calls `visit(row, squared distance to the apex)` for each body whose centre is in a view cone, in no particular
    /// order.
    fn cone(
        &self,
        bodies: Bodies<D>,
        cone: &Cone<D>,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        queries::cone(self, bodies, cone, visit)
    }

    /// The body that `accept` takes and a moving ball hits first, and when; with radius 0 the ball is a line of sight.
    /// Ties go to the smaller id.
    fn cast(&self, bodies: Bodies<D>, sweep: &Sweep<D>, accept: impl FnMut(u32) -> bool) -> Option<(u32, f64)> {
        queries::cast(self, bodies, sweep, accept)
    }

    /// Calls `visit` for each body whose [bounds](Bodies::bounds) share a point with a viewport.
    fn visible(
        &self,
        bodies: Bodies<D>,
        view: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.touching(bodies, view, |row| {
            if bodies::meet(&bodies.bounds(row as usize), view) { visit(row) } else { ControlFlow::Continue(()) }
        })
    }

    /// Counts the cells that hold bodies.
    fn census(&self) -> Census {
        let everywhere = Aabb { low: [f32::NEG_INFINITY; D], high: [f32::INFINITY; D] };
        let mut census = Census::default();
        let _ = self.cells(&everywhere, |_, held| {
            census.cells += 1;
            census.sparse += usize::from(held <= Census::SPARSE_BODIES);
            census.fullest = census.fullest.max(held);
            ControlFlow::Continue(())
        });
        census
    }
}

/// How an index spreads its bodies over cells.
///
/// See [`SpatialIndex::census`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Cells (buckets, nodes) that hold bodies.
    pub cells: usize,
    /// Cells that hold [`Census::SPARSE_BODIES`] or fewer.
    pub sparse: usize,
    /// How many the fullest one holds.
    pub fullest: usize,
}

impl Census {
    /// The greatest number of bodies in a sparse cell.
    pub const SPARSE_BODIES: usize = 5;
}
