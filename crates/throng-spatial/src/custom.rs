//! An index from outside this crate, behind the same type as the ones in it.

use crate::volume::{Aabb, Sweep};
use crate::{Bodies, Census, Cone, NearRows, Pairs, SpatialError, SpatialIndex};
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

/// Visitors of rows, of pairs of rows or rows with a squared distance (m²), and of cells.
type Rows<'a> = &'a mut dyn FnMut(u32) -> ControlFlow<()>;
type RowPairs<'a> = &'a mut dyn FnMut(u32, u32) -> ControlFlow<()>;
type Distances<'a> = &'a mut dyn FnMut(u32, f32) -> ControlFlow<()>;
type Cells<'a> = &'a mut dyn FnMut(&Aabb<2>, usize) -> ControlFlow<()>;
type Accept<'a> = &'a mut dyn FnMut(u32) -> bool;

/// [`SpatialIndex`] without type parameters.
trait AnyIndex: Send + Sync + fmt::Debug {
    fn boxed(&self) -> Box<dyn AnyIndex>;
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError>;
    fn update(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError>;
    fn pairs(&self, bodies: Bodies<2>, visit: RowPairs<'_>) -> u64;
    fn touching(&self, bodies: Bodies<2>, region: &Aabb<2>, visit: Rows<'_>) -> ControlFlow<()>;
    fn cells(&self, region: &Aabb<2>, visit: Cells<'_>) -> ControlFlow<()>;
    fn spacing(&self) -> f32;
    fn bytes(&self) -> usize;
    fn collect_pairs(&self, bodies: Bodies<2>, found: &mut Pairs) -> u64;
    fn within(&self, bodies: Bodies<2>, point: [f32; 2], radius: f32, visit: Distances<'_>) -> ControlFlow<()>;
    fn nearest(&self, bodies: Bodies<2>, point: [f32; 2], reach: f32, accept: Accept<'_>) -> Option<(u32, f32)>;
    fn k_nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        k: usize,
        reach: f32,
        accept: Accept<'_>,
        found: &mut Vec<(u32, f32)>,
    );
    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>);
    fn cone(&self, bodies: Bodies<2>, cone: &Cone<2>, visit: Distances<'_>) -> ControlFlow<()>;
    fn cast(&self, bodies: Bodies<2>, sweep: &Sweep<2>, accept: Accept<'_>) -> Option<(u32, f64)>;
    fn census(&self) -> Census;
}

impl<I: SpatialIndex<2> + Clone + fmt::Debug + 'static> AnyIndex for I {
    fn boxed(&self) -> Box<dyn AnyIndex> {
        Box::new(self.clone())
    }

    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        SpatialIndex::rebuild(self, bodies)
    }

    fn update(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        SpatialIndex::update(self, bodies)
    }

    fn pairs(&self, bodies: Bodies<2>, visit: RowPairs<'_>) -> u64 {
        SpatialIndex::pairs(self, bodies, visit)
    }

    fn touching(&self, bodies: Bodies<2>, region: &Aabb<2>, visit: Rows<'_>) -> ControlFlow<()> {
        SpatialIndex::touching(self, bodies, region, visit)
    }

    fn cells(&self, region: &Aabb<2>, visit: Cells<'_>) -> ControlFlow<()> {
        SpatialIndex::cells(self, region, visit)
    }

    fn spacing(&self) -> f32 {
        SpatialIndex::spacing(self)
    }

    fn bytes(&self) -> usize {
        SpatialIndex::bytes(self)
    }

    fn collect_pairs(&self, bodies: Bodies<2>, found: &mut Pairs) -> u64 {
        SpatialIndex::collect_pairs(self, bodies, found)
    }

    fn within(&self, bodies: Bodies<2>, point: [f32; 2], radius: f32, visit: Distances<'_>) -> ControlFlow<()> {
        SpatialIndex::within(self, bodies, point, radius, visit)
    }

    fn nearest(&self, bodies: Bodies<2>, point: [f32; 2], reach: f32, accept: Accept<'_>) -> Option<(u32, f32)> {
        SpatialIndex::nearest(self, bodies, point, reach, accept)
    }

    fn k_nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        k: usize,
        reach: f32,
        accept: Accept<'_>,
        found: &mut Vec<(u32, f32)>,
    ) {
        SpatialIndex::k_nearest(self, bodies, point, k, reach, accept, found);
    }

    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        SpatialIndex::neighbours(self, bodies, first, reach, near);
    }

    fn cone(&self, bodies: Bodies<2>, cone: &Cone<2>, visit: Distances<'_>) -> ControlFlow<()> {
        SpatialIndex::cone(self, bodies, cone, visit)
    }

    fn cast(&self, bodies: Bodies<2>, sweep: &Sweep<2>, accept: Accept<'_>) -> Option<(u32, f64)> {
        SpatialIndex::cast(self, bodies, sweep, accept)
    }

    fn census(&self) -> Census {
        SpatialIndex::census(self)
    }
}

/// An index that is not one of this crate's, with a name.
///
/// It must keep what [`SpatialIndex`] says, and its answers must follow from the bodies alone: no clock, no thread, no random
/// number and no order of a hash table may show in them. Where visits come in no particular order, any order will do. Then
/// results equal those of every other index, to the last bit.
///
/// Where it panics or names a body that is not there, it has found nothing, and [`CustomIndex::fault`] says so until it is built
/// anew.
///
/// ```
/// use throng_spatial::{Bodies, BruteForce, CustomIndex, Index, SpatialIndex};
/// let mut index = Index::from(CustomIndex::new("mine", BruteForce));
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 0.0]], &[0.5, 0.5], &[0, 1]);
/// index.rebuild(bodies)?;
/// assert_eq!((index.name(), index.kind()), ("mine", None));
/// assert_eq!(index.nearest(bodies, [1.0, 0.0], 5.0, |_| true), Some((0, 1.0)));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Debug)]
pub struct CustomIndex {
    name: Arc<str>,
    index: Box<dyn AnyIndex>,
    /// What it did first, since it was built, that an index must not do.
    fault: OnceLock<String>,
}

impl Clone for CustomIndex {
    fn clone(&self) -> Self {
        Self { name: Arc::clone(&self.name), index: self.index.boxed(), fault: OnceLock::new() }
    }
}

impl CustomIndex {
    /// An index under a name, by which snapshots know it.
    pub fn new(name: impl Into<Arc<str>>, index: impl SpatialIndex<2> + Clone + fmt::Debug + 'static) -> Self {
        Self { name: name.into(), index: Box::new(index), fault: OnceLock::new() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error of its first fault since it was built: it panicked, or named a body that is not there.
    pub fn fault(&self) -> Option<SpatialError> {
        let fault = self.fault.get()?.clone();
        Some(SpatialError::Broken { index: self.name.to_string(), fault })
    }

    /// Its answer; `none` where it panics.
    fn ask<T>(&self, none: T, question: impl FnOnce(&(dyn AnyIndex + 'static)) -> T) -> T {
        catch_unwind(AssertUnwindSafe(|| question(self.index.as_ref()))).unwrap_or_else(|panic| {
            self.fault.get_or_init(|| panicked(panic.as_ref()));
            none
        })
    }

    /// True where there is such a row; else that is its fault.
    fn is_known(&self, row: u32, bodies: Bodies<2>) -> bool {
        let is_known = (row as usize) < bodies.len();
        if !is_known {
            self.fault.get_or_init(|| format!("it found row {row} of {}", bodies.len()));
        }
        is_known
    }

    /// Lets it take other bodies.
    fn take(&mut self, change: impl FnOnce(&mut dyn AnyIndex) -> Result<(), SpatialError>) -> Result<(), SpatialError> {
        self.fault = OnceLock::new();
        let index = self.index.as_mut();
        catch_unwind(AssertUnwindSafe(|| change(index))).unwrap_or_else(|panic| {
            self.fault.get_or_init(|| panicked(panic.as_ref()));
            self.fault().map_or(Ok(()), Err)
        })
    }
}

/// What a panic says, for the error of a plug-in.
#[doc(hidden)]
pub fn panicked(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}

impl SpatialIndex<2> for CustomIndex {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.take(|index| index.rebuild(bodies))
    }

    fn update(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.take(|index| index.update(bodies))
    }

    fn pairs(&self, bodies: Bodies<2>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.ask(0, |index| index.pairs(bodies, &mut visit))
    }

    fn touching(
        &self,
        bodies: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.ask(ControlFlow::Continue(()), |index| index.touching(bodies, region, &mut visit))
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        self.ask(ControlFlow::Continue(()), |index| index.cells(region, &mut visit))
    }

    fn spacing(&self) -> f32 {
        self.ask(1.0, AnyIndex::spacing)
    }

    fn bytes(&self) -> usize {
        self.ask(0, AnyIndex::bytes)
    }

    fn collect_pairs(&self, bodies: Bodies<2>, found: &mut Pairs) -> u64 {
        self.ask(0, |index| index.collect_pairs(bodies, found))
    }

    fn within(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.ask(ControlFlow::Continue(()), |index| index.within(bodies, point, radius, &mut visit))
    }

    fn nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        let found = self.ask(None, |index| index.nearest(bodies, point, reach, &mut accept));
        found.filter(|&(row, _)| self.is_known(row, bodies))
    }

    fn k_nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        k: usize,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        self.ask((), |index| index.k_nearest(bodies, point, k, reach, &mut accept, found));
        found.retain(|&(row, _)| self.is_known(row, bodies));
    }

    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        let NearRows { k, count, rows } = near;
        let asked = NearRows { k, count: &mut *count, rows: &mut *rows };
        self.ask((), |index| index.neighbours(bodies, first, reach, asked));
        for (count, rows) in count.iter_mut().zip(rows.chunks(k.max(1))) {
            let found = rows.iter().take(usize::from(*count));
            if !found.into_iter().all(|&row| self.is_known(row, bodies)) {
                *count = 0;
            }
        }
    }

    fn cone(
        &self,
        bodies: Bodies<2>,
        cone: &Cone<2>,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.ask(ControlFlow::Continue(()), |index| index.cone(bodies, cone, &mut visit))
    }

    fn cast(&self, bodies: Bodies<2>, sweep: &Sweep<2>, mut accept: impl FnMut(u32) -> bool) -> Option<(u32, f64)> {
        let found = self.ask(None, |index| index.cast(bodies, sweep, &mut accept));
        found.filter(|&(row, _)| self.is_known(row, bodies))
    }

    fn census(&self) -> Census {
        self.ask(Census::default(), AnyIndex::census)
    }
}
