//! Boxes as the common part of slabs.

use super::Ray;

/// The stretch of a ray inside a box, and which sides it comes in through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RayInterval {
    /// When it comes in: negative where it starts inside.
    pub enter: f64,
    /// When it goes out again.
    pub leave: f64,
    /// The axis across which it comes in; `None` where it was inside for ever.
    pub axis: Option<usize>,
    /// Whether it crosses a slab without thickness: then it is a single moment.
    pub flat: bool,
}

impl RayInterval {
    /// All of the line.
    pub const ALL: Self = Self { enter: f64::NEG_INFINITY, leave: f64::INFINITY, axis: None, flat: false };

    /// The part of it that is strictly between `low` and `high` on an axis, where the ray starts at `from` and moves
    /// by `along`. A flat slab keeps the moment at which it is crossed.
    ///
    /// A ray that is parallel to the slab is inside for ever or never, on its faces never; it is not divided by its
    /// motion, so nothing here becomes no number (Kay & Kajiya 1986).
    #[inline]
    pub fn within(self, axis: usize, [from, along]: [f64; 2], [low, high]: [f64; 2]) -> Option<Self> {
        if along == 0.0 {
            return (low < from && from < high).then_some(self);
        }
        let (near, far) = if along > 0.0 { (low, high) } else { (high, low) };
        let (enter, leave) = ((near - from) / along, (far - from) / along);
        if enter.is_nan() || leave.is_nan() {
            return None;
        }
        let flat = self.flat || low == high;
        let leave = leave.min(self.leave);
        let (enter, axis) = if enter > self.enter { (enter, Some(axis)) } else { (self.enter, self.axis) };
        (enter < leave || (flat && enter == leave)).then_some(Self { enter, leave, axis, flat })
    }

    /// When a ray with this stretch of it inside hits: 0 where it starts inside.
    ///
    /// A flat thing has no inside to start in. So that none is passed between two ticks, a ray hits it that starts on
    /// it, but not one that ends on it.
    #[inline]
    pub fn hit(&self, until: f64) -> Option<f64> {
        let ahead = self.leave > 0.0 || (self.flat && self.leave == 0.0);
        (ahead && self.enter < until).then_some(self.enter.max(0.0))
    }
}

/// The stretch of a ray strictly inside a box.
#[inline]
pub(super) fn interval_in_box<const D: usize>(ray: &Ray<D>, low: [f64; D], high: [f64; D]) -> Option<RayInterval> {
    let mut all = RayInterval::ALL;
    for axis in 0..D {
        all = all.within(axis, [ray.from[axis], ray.along[axis]], [low[axis], high[axis]])?;
    }
    Some(all)
}
