//! The half-plane of a neighbour that goes the same way, for sixteen agents at once.

use super::{Gap, PERSON, SAME_WAY};
use crate::crowd::AgentView;
use crate::crowd::models::Rows;
use crate::crowd::simd_batch::{Lists, Vectors, batch_of, lanes_where};
use throng_spatial::simd::{LANES, Lanes};

/// The least time in which a gap may be used up (s): that of one behind or beside.
pub(super) const BESIDE: f32 = 0.05;

/// Twice the lead at which one of two is clearly the first (m).
pub(super) const RANK: f32 = 0.4;

/// It gives way to this share of the speed of one that pushes, within [`PUSHED`] (m).
pub(super) const GIVES: f32 = 0.5;

/// See [`GIVES`].
pub(super) const PUSHED: f32 = 0.3;

/// The fastest that it goes back from one that goes the same way (m/s).
pub(super) const BACK: f32 = 0.3;

/// The rows that go by gaps, and where each row goes.
#[derive(Clone, Copy)]
pub(in crate::crowd) struct GapRows<'a> {
    pub(super) params: Gap,
    /// Unit vectors, or 0.
    pub(super) heading: &'a [[f32; 2]],
    pub(super) rows: Rows<'a>,
}

impl<'a> GapRows<'a> {
    /// The chosen rows of a view.
    ///
    /// # Panics
    /// Where the view has no headings.
    pub(in crate::crowd) fn of(params: Gap, view: &AgentView<'a>, rows: Rows<'a>) -> Self {
        assert!(view.heading.len() == view.position.len(), "columns differ in length");
        Self { params, heading: bytemuck::cast_slice(view.heading), rows }
    }
}

/// Sixteen agents, and where their neighbours go.
pub(in crate::crowd) struct Companions<L: Lanes, const K: usize> {
    params: Gap,
    per_step: f32,
    /// The lanes that go by gaps.
    own: L::Mask,
    velocity: Vectors<L>,
    /// Where they go, and where they have turned (unit vectors).
    heading: Vectors<L>,
    turned: Vectors<L>,
    /// The time of the gap to one straight ahead (s).
    time: L::Numbers,
    /// Radius over that of a person.
    scale: L::Numbers,
    headings: [[[f32; LANES]; 2]; K],
    /// The neighbours that go the same way, by rank: a bit a lane.
    same: [u16; K],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<L: Lanes, const K: usize> Companions<L, K> {
    /// Of the agents from row `first` on; `None` where none of them goes by gaps.
    #[inline(always)]
    pub(in crate::crowd) fn of(
        lanes: L,
        gap: &GapRows<'_>,
        lists: &Lists<K>,
        (first, len): (usize, usize),
        (velocity, preferred, radius): (Vectors<L>, Vectors<L>, L::Numbers),
        per_step: f32,
    ) -> Option<Self> {
        let own = lanes_where(len, |lane| gap.rows.has(first + lane));
        if own == 0 {
            return None;
        }
        let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
        let (x, y) = lanes.split(&batch_of(gap.heading, first, len));
        let heading = Vectors::<L> { x, y };
        let squared = preferred.dot(preferred);
        let goes = lanes.less(lanes.splat(1e-12), squared);
        let turned = (preferred / lanes.sqrt(lanes.select(goes, squared, one))).or(lanes, goes, heading);
        let (mut headings, mut same) = ([[[0.0; LANES]; 2]; K], [0_u16; K]);
        let (mut seen, mut others) = (zero, zero);
        for rank in 0..lists.len {
            let (x, y) = lanes.gather_points(gap.heading, &lists.rows[rank]);
            let theirs = Vectors::<L> { x, y };
            headings[rank] = theirs.store(lanes);
            let has = lanes.mask(lists.has[rank]);
            let goes_along = has & lanes.less(lanes.splat(SAME_WAY), theirs.dot(heading));
            same[rank] = lanes.bits(goes_along) & own;
            seen = seen + lanes.select(has, one, zero);
            others = others + lanes.select(has & !goes_along, one, zero);
        }
        let share = others / lanes.max(seen, one);
        let beside = lanes.splat(BESIDE);
        let time = beside + lanes.splat(gap.params.time - BESIDE) / (one + lanes.splat(gap.params.mix) * share);
        let scale = radius * lanes.splat(1.0 / PERSON);
        Some(Self {
            params: gap.params,
            per_step,
            own: lanes.mask(own),
            velocity,
            heading,
            turned,
            time,
            scale,
            headings,
            same,
        })
    }

    /// The horizon of the lanes that go by gaps (1/s), and of the others.
    #[inline(always)]
    pub(in crate::crowd) fn per_horizon(&self, lanes: L, others: f32) -> L::Numbers {
        lanes.select(self.own, lanes.splat(1.0 / self.params.horizon), lanes.splat(others))
    }

    /// The lanes whose neighbour of a rank goes the same way, and its half-plane: a point of its border, and the direction of that. `to` leads
    /// there (m), `approach` is the velocity relative to its own (m/s), `radius` the sum of both (m).
    #[inline(always)]
    pub(in crate::crowd) fn half_plane(
        &self,
        lanes: L,
        rank: usize,
        (to, approach, radius): (Vectors<L>, Vectors<L>, L::Numbers),
    ) -> (L::Mask, [Vectors<L>; 2]) {
        let Gap { trust, space, claim, .. } = self.params;
        let (zero, one, half) = (lanes.splat(0.0), lanes.splat(1.0), lanes.splat(0.5));
        let clamped = |x: L::Numbers| lanes.min(lanes.max(x, zero), one);
        let squared = to.dot(to);
        let apart = lanes.less(lanes.splat(1e-9), squared);
        let distance = lanes.sqrt(lanes.select(apart, squared, one));
        let normal = to / distance;
        let gap = distance - radius;
        let ahead = lanes.max(zero, normal.dot(self.turned));
        // 1: the other leads, 0: this one does.
        let both = self.heading + Vectors::load(lanes, &self.headings[rank]);
        let led = clamped(half + to.dot(both) / (lanes.splat(RANK) * self.scale));
        let theirs = (self.velocity - approach).dot(normal);
        let on = lanes.max(theirs, zero);
        let beside = lanes.splat(BESIDE);
        let time = beside + (self.time - beside) * (ahead * ahead * ahead) * led;
        let kept = gap - lanes.splat(space) * self.scale * led * ahead;
        let yields = lanes.splat(claim) * (one - led - led) * (one - ahead);
        let pushed = clamped(one - gap / (lanes.splat(PUSHED) * self.scale));
        let speed =
            kept / time + lanes.splat(trust) * on + yields + lanes.splat(GIVES) * lanes.min(theirs, zero) * pushed;
        // None runs into another within a tick.
        let most = half * (gap * lanes.splat(self.per_step) + on) + lanes.splat(claim);
        let speed = lanes.max(lanes.min(speed, most), lanes.splat(-BACK));
        let direction = Vectors { x: zero - normal.y, y: normal.x };
        (lanes.mask(self.same[rank]) & apart, [normal * speed, direction])
    }
}
