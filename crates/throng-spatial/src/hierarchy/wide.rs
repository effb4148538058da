//! The same tree with up to sixteen children a node: all of them are tested at once, and there are a quarter of the
//! levels.

use super::fit::Boxed;
use super::{Hierarchy, hull};
use crate::simd::{Level, Sides, boxes_near};
use std::ops::{ControlFlow, Range};

/// Children of a wide node.
const LANES: usize = 16;

/// The mark of a child that has children itself, in place of the end of its places.
const BRANCH: u32 = u32::MAX;

/// A wide node: the boxes of its children, column by column (Wald, Benthin and Boulos 2008).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<const D: usize> {
    sides: Sides<D>,
    /// The places of a child, or its wide node and [`BRANCH`].
    first: [u32; LANES],
    last: [u32; LANES],
}

impl<const D: usize> Wide<D> {
    /// Children that are infinitely far away.
    const EMPTY: Self =
        Self { sides: [[[f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]]; D], first: [0; LANES], last: [0; LANES] };
}

/// A child of a wide node that is being made.
#[derive(Clone, Copy)]
struct Lane {
    node: usize,
    /// Only the bodies that the node keeps itself.
    kept: bool,
}

impl<const D: usize> Hierarchy<D, Boxed<D>> {
    /// Makes the wide nodes of the others.
    pub(super) fn widen(&mut self) {
        self.wide.clear();
        if !self.nodes.is_empty() {
            self.widen_from(0);
        }
    }

    fn widen_from(&mut self, node: usize) -> u32 {
        let at = self.wide.len();
        self.wide.push(Wide::EMPTY);
        let mut lanes = [Lane { node, kept: false }; LANES];
        let mut count = 1;
        while let Some(lane) = self.largest(&lanes[..count]) {
            let node = lanes[lane].node;
            let keeps = self.nodes[node].first < self.nodes[node].kept;
            let children = || self.children(node).map(|node| Lane { node, kept: false });
            if count - 1 + usize::from(keeps) + children().count() > LANES {
                break;
            }
            count -= 1;
            lanes.swap(lane, count);
            for lane in keeps.then_some(Lane { node, kept: true }).into_iter().chain(children()) {
                lanes[count] = lane;
                count += 1;
            }
        }
        for (i, lane) in lanes[..count].iter().enumerate() {
            let node = self.nodes[lane.node];
            let (mut low, mut high) = (node.fit.low, node.fit.high);
            let (mut first, mut last) = (node.first, node.kept);
            if lane.kept {
                (low, high) = hull(self.position[node.places()].iter().copied());
            } else if node.skip as usize > lane.node + 1 {
                (first, last) = (self.widen_from(lane.node), BRANCH);
            }
            let wide = &mut self.wide[at];
            for axis in 0..D {
                (wide.sides[axis][0][i], wide.sides[axis][1][i]) = (low[axis], high[axis]);
            }
            (wide.first[i], wide.last[i]) = (first, last);
        }
        at as u32
    }

    /// The lane with most nodes below it, if any has some.
    fn largest(&self, lanes: &[Lane]) -> Option<usize> {
        let size = |lane: &Lane| if lane.kept { 0 } else { self.nodes[lane.node].skip as usize - lane.node - 1 };
        let (mut largest, mut most) = (None, 0);
        for (i, lane) in lanes.iter().enumerate() {
            if size(lane) > most {
                (largest, most) = (Some(i), size(lane));
            }
        }
        largest
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let skip = self.nodes[node].skip as usize;
        let next = move |child: usize| (child < skip).then_some(child);
        std::iter::successors(next(node + 1), move |&child| next(self.nodes[child].skip as usize))
    }

    /// Calls `look` with the places of all bodies whose squared distance to `point` may be below `limit`.
    #[inline]
    pub(super) fn walk_wide(
        &self,
        point: [f32; D],
        limit: f32,
        look: &mut impl FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.wide.is_empty() {
            ControlFlow::Continue(())
        } else {
            self.walk_wide_from(Level::detect(), 0, point, limit, look)
        }
    }

    fn walk_wide_from(
        &self,
        level: Level,
        at: usize,
        point: [f32; D],
        limit: f32,
        look: &mut impl FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let wide = &self.wide[at];
        let mut near = boxes_near(level, &wide.sides, point, limit);
        while near != 0 {
            let lane = near.trailing_zeros() as usize % LANES;
            near &= near - 1;
            let (first, last) = (wide.first[lane], wide.last[lane]);
            if last == BRANCH {
                self.walk_wide_from(level, first as usize, point, limit, look)?;
            } else {
                look(first as usize..last as usize)?;
            }
        }
        ControlFlow::Continue(())
    }
}
