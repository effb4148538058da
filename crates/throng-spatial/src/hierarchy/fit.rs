//! Volumes around the bodies of a node.

use super::{Entry, Hierarchy, hull};
use crate::Bodies;
use crate::bodies::{ULPS, larger, meet, smaller};
use crate::volume::Aabb;
use std::ops::{ControlFlow, Range};

/// A volume around some bodies, in whatever form.
pub(crate) trait Fit<const D: usize>: Copy {
    /// At most the squared distance of any of the centres to `point` (m²), as
    /// [`distance_squared`](crate::volume::distance_squared) has it.
    fn gap(&self, point: [f32; D]) -> f32;

    /// False only where the [bounds](Bodies::bounds) of no body share a point with `region`.
    fn touches(&self, region: &Aabb<D>) -> bool;

    /// False only where no body overlaps a ball.
    fn reaches(&self, centre: [f32; D], radius: f32) -> bool;

    /// Calls `look` with the places of all bodies of a tree whose squared distance to `point` may be below `limit`.
    #[inline]
    fn walk(
        tree: &Hierarchy<D, Self>,
        point: [f32; D],
        limit: f32,
        look: &mut impl FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        tree.walk(|fit| fit.gap(point) < limit, |node| look(node.places()))
    }
}

/// The box around the centres, and the greatest radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxed<const D: usize> {
    pub low: [f32; D],
    pub high: [f32; D],
    pub widest: f32,
}

impl<const D: usize> Boxed<D> {
    /// Around nothing.
    pub const NONE: Self = Self { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D], widest: 0.0 };

    /// A box around the bounds of the bodies.
    #[inline]
    pub fn bounds(&self) -> Aabb<D> {
        let (mut low, mut high) = (self.low, self.high);
        for axis in 0..D {
            let slack = (larger(low[axis].abs(), high[axis].abs()) + self.widest) * ULPS;
            low[axis] = (low[axis] - self.widest) - slack;
            high[axis] = (high[axis] + self.widest) + slack;
        }
        Aabb { low, high }
    }

    fn include(&mut self, other: &Self) {
        for axis in 0..D {
            self.low[axis] = smaller(other.low[axis], self.low[axis]);
            self.high[axis] = larger(other.high[axis], self.high[axis]);
        }
        self.widest = larger(other.widest, self.widest);
    }
}

impl<const D: usize> Fit<D> for Boxed<D> {
    /// The steps are those of the exact distance, and rounding keeps the order of numbers: so this is never more.
    #[inline]
    fn gap(&self, point: [f32; D]) -> f32 {
        let mut sum = 0.0;
        for (axis, &x) in point.iter().enumerate() {
            let d = larger(larger(self.low[axis] - x, x - self.high[axis]), 0.0);
            sum += d * d;
        }
        sum
    }

    #[inline]
    fn touches(&self, region: &Aabb<D>) -> bool {
        meet(&self.bounds(), region)
    }

    #[inline]
    fn reaches(&self, centre: [f32; D], radius: f32) -> bool {
        let reach = radius + self.widest;
        self.gap(centre) < reach * reach
    }

    #[inline]
    fn walk(
        tree: &Hierarchy<D, Self>,
        point: [f32; D],
        limit: f32,
        look: &mut impl FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        tree.walk_wide(point, limit, look)
    }
}

impl<const D: usize> Hierarchy<D, Boxed<D>> {
    /// Fits the boxes of all nodes to the columns. Returns how large the nodes that keep bodies are: the sum of their
    /// sides (m).
    pub fn fit(&mut self) -> f64 {
        let mut size = 0.0;
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let mut fit = Boxed::NONE;
            let mut widest = 0.0;
            if node.first < node.kept {
                let places = node.places();
                (fit.low, fit.high) = hull(self.position[places.clone()].iter().copied());
                widest = self.radius[places].iter().fold(0.0, |widest, &radius| larger(radius, widest));
                fit.widest = widest;
                size += (0..D).map(|axis| f64::from(fit.high[axis]) - f64::from(fit.low[axis])).sum::<f64>();
            }
            let (mut child, skip) = (at + 1, node.skip as usize);
            while child < skip {
                fit.include(&self.nodes[child].fit);
                child = self.nodes[child].skip as usize;
            }
            self.nodes[at].fit = fit;
            self.nodes[at].widest = widest;
        }
        self.widen();
        size
    }

    /// Brings the columns up to date, the rows where they were.
    pub fn reread(&mut self, bodies: Bodies<D>) {
        self.position.clear();
        self.position.extend(self.row.iter().map(|&row| bodies.position[row as usize]));
        self.radius.clear();
        self.radius.extend(self.row.iter().map(|&row| bodies.radius[row as usize]));
    }

    /// Takes the bodies as entries again, in the order in which they are.
    pub fn reenter(&mut self) {
        self.entries.clear();
        let columns = self.position.iter().zip(&self.radius).zip(&self.row);
        self.entries.extend(columns.map(|((&at, &radius), &row)| Entry { at, radius, row }));
    }
}
