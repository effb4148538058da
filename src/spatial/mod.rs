//! Spatial indices: who is near whom.
//!
//! Every index answers the same questions with the same answers in the same order, so that any of them can drive a
//! simulation with bit-identical results: ties are broken by id, lists are sorted by distance, then id.

mod bodies;
mod brute;
mod hash;
mod index;
mod scenes;
#[cfg(test)]
mod tests;

pub use bodies::{Bodies, Near, NearRows};
pub use brute::BruteForce;
pub use hash::DenseGrid;
pub use index::{Index, IndexKind, UnknownIndex};
pub use scenes::{Scene, SceneError, SceneKind};

/// A structure that finds bodies by place, in `D` dimensions.
///
/// Rows are indices into the columns of [`Bodies`]. All distances are between centres (m).
pub trait SpatialIndex<const D: usize>: Send + Sync {
    /// Forgets everything and indexes `bodies`.
    fn rebuild(&mut self, bodies: Bodies<D>);

    /// Calls `visit(i, j)` once for each pair of bodies that overlap (distance < sum of radii), with the id of row i
    /// below that of row j, in no particular order.
    fn pairs(&self, bodies: Bodies<D>, visit: impl FnMut(u32, u32));

    /// Calls `visit(row, squared distance)` for each body nearer than `radius` (m) to `point`, in no particular order.
    fn within(&self, bodies: Bodies<D>, point: [f32; D], radius: f32, visit: impl FnMut(u32, f32));

    /// The nearest body that `accept` takes and that is nearer than `reach` (m): its row and squared distance. Ties go
    /// to the smaller id.
    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)>;

    /// Writes into `near`, for each row from `first` on, the `near.k` nearest other bodies nearer than `reach` (m),
    /// sorted by distance, then id.
    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>);
}
