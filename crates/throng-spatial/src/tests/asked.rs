//! An index as a trait object.

use crate::volume::{Aabb, Sweep};
use crate::{Bodies, Census, Cone, NearRows, Pairs, SpatialError, SpatialIndex};
use std::ops::ControlFlow;

/// An index as a trait object, so that the tests are compiled once and not once for every structure.
pub(crate) trait Asked<const D: usize> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError>;
    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError>;
    fn pairs(&self, bodies: Bodies<D>, visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>) -> u64;
    fn collect_pairs(&self, bodies: Bodies<D>, found: &mut Pairs) -> u64;
    fn touching(&self, bodies: Bodies<D>, region: &Aabb<D>, visit: Visit<'_>) -> ControlFlow<()>;
    fn visible(&self, bodies: Bodies<D>, view: &Aabb<D>, visit: Visit<'_>) -> ControlFlow<()>;
    fn cone(&self, bodies: Bodies<D>, cone: &Cone<D>, visit: Visit<'_>) -> ControlFlow<()>;
    fn cells(&self, visit: &mut dyn FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()>;
    fn census(&self) -> Census;
    fn within(&self, bodies: Bodies<D>, point: [f32; D], radius: f32, visit: VisitSquared<'_>) -> ControlFlow<()>;
    fn nearest(&self, bodies: Bodies<D>, point: [f32; D], reach: f32, accept: Accept<'_>) -> Option<(u32, f32)>;
    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        accept: Accept<'_>,
        found: &mut Vec<(u32, f32)>,
    );
    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>);
    fn cast(&self, bodies: Bodies<D>, sweep: &Sweep<D>, accept: Accept<'_>) -> Option<(u32, f64)>;
}

pub(super) type Visit<'a> = &'a mut dyn FnMut(u32) -> ControlFlow<()>;
pub(super) type VisitSquared<'a> = &'a mut dyn FnMut(u32, f32) -> ControlFlow<()>;
pub(super) type Accept<'a> = &'a dyn Fn(u32) -> bool;

impl<const D: usize, I: SpatialIndex<D>> Asked<D> for I {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        SpatialIndex::rebuild(self, bodies)
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        SpatialIndex::update(self, bodies)
    }

    fn pairs(&self, bodies: Bodies<D>, visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        SpatialIndex::pairs(self, bodies, visit)
    }

    fn collect_pairs(&self, bodies: Bodies<D>, found: &mut Pairs) -> u64 {
        SpatialIndex::collect_pairs(self, bodies, found)
    }

    fn touching(&self, bodies: Bodies<D>, region: &Aabb<D>, visit: Visit<'_>) -> ControlFlow<()> {
        SpatialIndex::touching(self, bodies, region, visit)
    }

    fn visible(&self, bodies: Bodies<D>, view: &Aabb<D>, visit: Visit<'_>) -> ControlFlow<()> {
        SpatialIndex::visible(self, bodies, view, visit)
    }

    fn cone(&self, bodies: Bodies<D>, cone: &Cone<D>, visit: Visit<'_>) -> ControlFlow<()> {
        SpatialIndex::cone(self, bodies, cone, |row, _| visit(row))
    }

    fn cells(&self, visit: &mut dyn FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        SpatialIndex::cells(self, &everywhere(), visit)
    }

    fn census(&self) -> Census {
        SpatialIndex::census(self)
    }

    fn within(&self, bodies: Bodies<D>, point: [f32; D], radius: f32, visit: VisitSquared<'_>) -> ControlFlow<()> {
        SpatialIndex::within(self, bodies, point, radius, visit)
    }

    fn nearest(&self, bodies: Bodies<D>, point: [f32; D], reach: f32, accept: Accept<'_>) -> Option<(u32, f32)> {
        SpatialIndex::nearest(self, bodies, point, reach, accept)
    }

    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        accept: Accept<'_>,
        found: &mut Vec<(u32, f32)>,
    ) {
        SpatialIndex::k_nearest(self, bodies, point, k, reach, accept, found);
    }

    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>) {
        SpatialIndex::neighbours(self, bodies, first, reach, near);
    }

    fn cast(&self, bodies: Bodies<D>, sweep: &Sweep<D>, accept: Accept<'_>) -> Option<(u32, f64)> {
        SpatialIndex::cast(self, bodies, sweep, accept)
    }
}

pub(super) fn everywhere<const D: usize>() -> Aabb<D> {
    Aabb { low: [f32::NEG_INFINITY; D], high: [f32::INFINITY; D] }
}
