//! A spatial index at work: discs, its cells over them, what it takes, and a graph of that over their number that grows.
//!
//! ```text
//! mouse ── Content ── IndexTrial ── Worker (Trial: Crowd, Index, Pairs) ── TrialState ── Picture ┐
//!                                     Growth ── points ── Curves ── graph, panel             ┴─ screen
//! ```

mod arrangement;
mod crowd;
mod curves;
mod graph;
mod growth;
mod keys;
mod panel;
mod picture;
mod recent_times;
mod trial;
mod view;
mod worker;

pub use arrangement::Arrangement;
pub use curves::IndexCurve;
pub(crate) use view::IndexView;

use throng_spatial::IndexSpec;

/// A crowd of discs and the index that finds their overlaps.
///
/// ```no_run
/// use throng_spatial::IndexKind;
/// use throng_viewer::{IndexTrial, ViewOptions, Window};
///
/// let trial = IndexTrial { index: IndexKind::Bvh.into(), discs: 5000, ..IndexTrial::default() };
/// for curve in Window::open("a tree of boxes")?.index(trial, ViewOptions::default())? {
///     println!("{}, {}: {:?}", curve.index, curve.arrangement, curve.points);
/// }
/// # Ok::<(), throng_viewer::ViewError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexTrial {
    /// The index.
    pub index: IndexSpec,
    /// How the discs lie.
    pub arrangement: Arrangement,
    /// How many, from 1 to [`IndexTrial::MAX_DISCS`].
    pub discs: u32,
    /// The share of the ground that the bodies cover; bouncing ones cover a fifth.
    pub density: f32,
    /// Seed of where they are at first.
    pub seed: u64,
}

impl IndexTrial {
    /// The most discs.
    pub const MAX_DISCS: u32 = 20_000;
}

impl Default for IndexTrial {
    fn default() -> Self {
        Self { index: IndexSpec::default(), arrangement: Arrangement::default(), discs: 1000, density: 0.15, seed: 1 }
    }
}
