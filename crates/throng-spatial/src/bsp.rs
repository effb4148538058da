//! The BSP of the plane: cut by lines in any direction, chosen by how the bodies lie.

use super::bodies::around;
use super::hierarchy::{Entry, Fit, Hierarchy, MAX_LEAF_BODIES, asks_tree, halve};
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::Aabb;

/// A binary space partition by lines in any direction (after Fuchs, Kedem and Naylor 1980, who cut by the polygons of a
/// scene). A node over capacity is cut across the principal axis of its bodies (Hotelling 1933), through their median.
/// So a slanted line of bodies is cut as well as an upright one.
///
/// No body is cut: each is on the side of its centre, and a node knows the stretch along the normal of the cut above it
/// that its bodies fill. The stretches of two sides may overlap; a query looks into each side whose stretch it reaches.
///
/// `rebuild` takes O(n log n), however the bodies lie: on ties bodies are cut by row, so that the tree is never deeper than
/// O(log n). There is no cheaper `update`. A query takes O(log n + findings). It degrades where bodies of very
/// different size are mixed, since the largest ones make stretches long, and has no use in a crowd without a
/// direction: there cuts across the axes are cheaper, and equally good.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, Bsp, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 4.0], [3.5, 4.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = Bsp::default();
/// index.rebuild(bodies)?;
/// assert_eq!(index.nearest(bodies, [2.0, 4.0], 5.0, |_| true), Some((1, 1.0)));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bsp {
    capacity: usize,
    tree: Hierarchy<2, Strip>,
}

/// A strip of the plane around some bodies, as far as its normal goes.
#[derive(Clone, Copy, Debug)]
struct Strip {
    /// A unit vector.
    normal: [f64; 2],
    /// The extent of their centres along the normal (m).
    low: f64,
    high: f64,
    /// The extent of their bounds.
    outer_low: f64,
    outer_high: f64,
}

/// The rounding error of a sum of products of `f64`, at most, as a share.
const ROUNDING: f64 = 1e-14;

impl Strip {
    fn around(normal: [f64; 2], entries: &[Entry<2>]) -> Self {
        let mut strip = Self {
            normal,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            outer_low: f64::INFINITY,
            outer_high: f64::NEG_INFINITY,
        };
        for entry in entries {
            let [low, high] = project(normal, Aabb { low: entry.at, high: entry.at });
            let [outer_low, outer_high] = project(normal, around(entry.at, entry.radius));
            strip.low = if low < strip.low { low } else { strip.low };
            strip.high = if high > strip.high { high } else { strip.high };
            strip.outer_low = if outer_low < strip.outer_low { outer_low } else { strip.outer_low };
            strip.outer_high = if outer_high > strip.outer_high { outer_high } else { strip.outer_high };
        }
        strip
    }
}

/// The stretch that a box fills along a normal (m), or a little more.
#[inline]
fn project(normal: [f64; 2], region: Aabb<2>) -> [f64; 2] {
    let (mut low, mut high, mut size) = (0.0, 0.0, 0.0);
    for (axis, &share) in normal.iter().enumerate() {
        let (a, b) = (share * f64::from(region.low[axis]), share * f64::from(region.high[axis]));
        low += if a < b { a } else { b };
        high += if a < b { b } else { a };
        size += a.abs() + b.abs();
    }
    [low - size * ROUNDING, high + size * ROUNDING]
}

impl Fit<2> for Strip {
    #[inline]
    fn gap(&self, point: [f32; 2]) -> f32 {
        let [low, high] = project(self.normal, Aabb { low: point, high: point });
        let gap = (self.low - high).max(low - self.high).max(0.0);
        // A little less, since the exact test is in f32.
        ((gap * gap * 0.999_999) as f32 - f32::MIN_POSITIVE).max(0.0)
    }

    /// A region without end gives no numbers, which touch everything.
    #[inline]
    fn touches(&self, region: &Aabb<2>) -> bool {
        let [low, high] = project(self.normal, *region);
        !(low > self.outer_high || high < self.outer_low)
    }

    #[inline]
    fn reaches(&self, centre: [f32; 2], radius: f32) -> bool {
        self.touches(&around(centre, radius))
    }
}

impl Default for Bsp {
    fn default() -> Self {
        Self { capacity: Self::CAPACITY, tree: Hierarchy::default() }
    }
}

impl Bsp {
    /// The most bodies of a leaf, where nothing else is asked for.
    pub const CAPACITY: usize = 32;
    /// The greatest capacity of a leaf.
    pub const MAX_CAPACITY: usize = MAX_LEAF_BODIES;

    /// An empty partition with the capacity of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        tuning.capacity.map_or_else(Self::default, |capacity| Self::default().with_capacity(capacity))
    }

    /// The same partition with at most `capacity` bodies in a leaf, from 1 to [`Bsp::MAX_CAPACITY`].
    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity.clamp(1, Self::MAX_CAPACITY);
        self
    }

    /// Adds the node of some entries on one side of a cut with a given normal, and all below it.
    fn grow(&mut self, first: usize, last: usize, normal: [f64; 2]) {
        let entries = &mut self.tree.entries[first..last];
        let fit = Strip::around(normal, entries);
        if entries.len() <= self.capacity {
            let leaf = self.tree.open(fit, first, last - first);
            self.tree.close(leaf);
            return;
        }
        let normal = principal_axis(entries);
        let [x, y] = normal.map(|x| x as f32);
        let middle = first + halve(entries, |entry| x * entry.at[0] + y * entry.at[1], None);
        let node = self.tree.open(fit, first, 0);
        self.grow(first, middle, normal);
        self.grow(middle, last, normal);
        self.tree.close(node);
    }
}

/// The most bodies that a principal axis is taken of.
const AXIS_SAMPLE_BODIES: usize = 64;

/// The direction along which the centres of some bodies spread most, as a unit vector: that of the greater eigenvalue of
/// their covariance. Where they are many, of a sample spread evenly over them.
fn principal_axis(entries: &[Entry<2>]) -> [f64; 2] {
    let (mut sum, origin) = ([0.0; 2], entries[0].at.map(f64::from));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let samples = entries.len().min(AXIS_SAMPLE_BODIES);
    for i in 0..samples {
        let entry = &entries[i * entries.len() / samples];
        let (x, y) = (f64::from(entry.at[0]) - origin[0], f64::from(entry.at[1]) - origin[1]);
        sum = [sum[0] + x, sum[1] + y];
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let count = samples as f64;
    xx -= sum[0] * sum[0] / count;
    xy -= sum[0] * sum[1] / count;
    yy -= sum[1] * sum[1] / count;
    let half = (xx - yy) * 0.5;
    let root = (half * half + xy * xy).sqrt();
    // The longer of two forms of the same vector.
    let [x, y] = if half > 0.0 { [half + root, xy] } else { [xy, root - half] };
    let length = (x * x + y * y).sqrt();
    if length > 0.0 && length.is_finite() { [x / length, y / length] } else { [1.0, 0.0] }
}

impl SpatialIndex<2> for Bsp {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.tree.clear();
        bodies.check()?;
        self.tree.enter(bodies);
        if !bodies.is_empty() {
            self.grow(0, bodies.len(), [1.0, 0.0]);
        }
        self.tree.settle();
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    asks_tree!(2);
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Crowd, LIES, Size, suite};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn agrees_in_the_plane() {
        for capacity in [1, 5, 16, 64] {
            suite::<2, _>(&format!("BSP, {capacity}"), || Bsp::default().with_capacity(capacity));
        }
    }

    #[test]
    fn strips_are_around_their_bodies_and_the_tree_is_shallow() {
        for lie in LIES {
            let mut crowd = Crowd::<2>::new(lie, Size::Mixed, 2000, 1);
            let mut index = Bsp::default().with_capacity(8);
            index.rebuild(crowd.bodies()).unwrap();
            for _ in 0..3 {
                let deepest = index.tree.check(crowd.bodies(), 8);
                // 9 were the least possible.
                assert!(deepest <= 20, "{lie:?}: {deepest}");
                crowd.stir();
                index.update(crowd.bodies()).unwrap();
            }
        }
    }

    #[test]
    fn a_slanted_line_is_cut_across() {
        let position: Vec<[f32; 2]> = (0..100_u16).map(|i| [f32::from(i) * 4.0, f32::from(i) * 3.0]).collect();
        let (radius, id) = (vec![0.5; 100], (0..100).collect::<Vec<u32>>());
        let mut index = Bsp::default();
        index.rebuild(Bodies::new(&position, &radius, &id)).unwrap();
        for node in &index.tree.nodes[1..] {
            assert!((node.fit.normal[0].abs() - 0.8).abs() < 1e-9, "{:?}", node.fit);
            let length = node.fit.high - node.fit.low;
            assert!(length < 5.0 * 75.0, "{length}");
        }
    }

    proptest! {
        #[test]
        fn the_principal_axis_spreads_most(points in prop::collection::vec([-9.0..9.0_f32, -9.0..9.0_f32], 2..20)) {
            let entries: Vec<_> = points.iter().map(|&at| Entry { at, radius: 0.0, row: 0 }).collect();
            let spread = |normal: [f64; 2]| {
                let along = |at: [f32; 2]| f64::from(at[0]) * normal[0] + f64::from(at[1]) * normal[1];
                let mean = points.iter().map(|&at| along(at)).sum::<f64>() / points.len() as f64;
                points.iter().map(|&at| (along(at) - mean).powi(2)).sum::<f64>()
            };
            let best = spread(principal_axis(&entries));
            for turn in 0..32 {
                let angle = f64::from(turn) * std::f64::consts::PI / 32.0;
                prop_assert!(spread([libm::cos(angle), libm::sin(angle)]) <= best * 1.000_001 + 1e-9);
            }
        }
    }
}
