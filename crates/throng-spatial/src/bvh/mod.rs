//! A bounding-volume hierarchy that is refitted, not rebuilt.

mod mend;
mod node;
mod search;

use super::bodies::meet;
use super::runs::{Columns, Runs};
use super::{Bodies, SpatialError, SpatialIndex};
use crate::volume::{Aabb, Sweep};
use node::{Node, Spot, overlay};
use std::ops::ControlFlow;

/// A bounding-volume hierarchy (Ericson 2005): a binary tree of boxes whose leaves hold a few bodies each.
///
/// The leaves lie in a row in memory, and each node covers a range of them that it halves for its children. So neither
/// links nor nodes on the heap are needed. A build splits the bodies at the median along the axis on which they are
/// spread widest, O(n log n). An update refits the boxes from the leaves up, O(n), and mends the parts that have become
/// worse:
///
/// - a body that has left the surroundings of its leaf goes to the leaf whose way down grows least;
/// - a leaf that overflows is spread over the smallest subtree that has room, as in a packed array (Bender et al. 2000);
/// - a subtree whose boxes, all sides added up, have grown by a quarter since it was built is built anew;
/// - where many bodies came, went or left their leaves, all is built anew.
///
/// Pairs are found by descending into both of two nodes that overlap: O(n + pairs) for most crowds. Queries go down from
/// the root, O(log n + found). Large bodies make large boxes in all nodes above them: many of them make both slow, as
/// do bodies on one point, whose pairs are O(n²) anyway.
///
/// ```
/// use throng_spatial::{Bodies, Bvh, SpatialIndex};
/// let mut position = vec![[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [9.0, 0.0, 0.0]];
/// let mut index = Bvh::default();
/// index.rebuild(Bodies::new(&position, &[0.5; 3], &[0, 1, 2]))?;
/// position[1] = [8.0, 0.0, 0.0];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// index.update(bodies)?;
/// assert_eq!(index.nearest(bodies, [6.0, 0.0, 0.0], 9.0, |_| true), Some((1, 4.0)));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bvh<const D: usize> {
    /// In preorder: the left child of a node comes next, the right one after the whole left subtree.
    nodes: Vec<Node<D>>,
    /// By leaf: how many bodies it holds, and the box around which it was built.
    count: Vec<u32>,
    home: Vec<Aabb<D>>,
    /// By place, [`LEAF_PLACES`] of them a leaf.
    centre: Vec<[f32; D]>,
    radius: Vec<f32>,
    row: Vec<u32>,
    /// 1 for bodies that rest.
    rests: Vec<u8>,
    bounds: Vec<Aabb<D>>,
    /// How many bodies there are.
    bodies: usize,
    spacing: f32,
    /// Bodies that need a new leaf, and bodies to be split: a coordinate in an order of integers above the row.
    lost: Vec<u32>,
    split: Vec<u64>,
}

/// Places in a leaf.
const LEAF_PLACES: usize = 16;
/// Levels: each halves a number of leaves below 2^32.
const MAX_LEVELS: usize = 40;

impl<const D: usize> Bvh<D> {
    fn clear(&mut self) {
        self.nodes.clear();
        self.bodies = 0;
        self.spacing = 0.0;
    }

    #[inline]
    fn root(&self) -> Spot {
        Spot { node: 0, first: 0, end: self.nodes.len().div_ceil(2) }
    }

    /// The places of a leaf that are taken.
    #[inline]
    fn places(&self, leaf: usize) -> std::ops::Range<usize> {
        leaf * LEAF_PLACES..leaf * LEAF_PLACES + self.count[leaf] as usize
    }

    /// Finds the pairs inside of a subtree.
    fn join<V: FnMut(u32, u32) -> ControlFlow<()>>(&self, at: Spot, runs: &mut Runs<'_, D, V>) -> ControlFlow<()> {
        if !self.nodes[at.node].moves {
            return ControlFlow::Continue(());
        }
        if at.is_leaf() {
            let mut places = self.places(at.first);
            let end = places.end;
            return places.try_for_each(|place| runs.push_if(place + 1 < end, place, place + 1, end));
        }
        let [left, right] = at.children();
        self.join(left, runs)?;
        self.join(right, runs)?;
        if self.may_hold_pairs(left, right) { self.cross(left, right, runs) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn may_hold_pairs(&self, a: Spot, b: Spot) -> bool {
        let (a, b) = (&self.nodes[a.node], &self.nodes[b.node]);
        (a.moves | b.moves) && overlay(&a.bounds, &b.bounds)
    }

    /// Finds the pairs of a body in one subtree and one in another.
    fn cross<V: FnMut(u32, u32) -> ControlFlow<()>>(
        &self,
        a: Spot,
        b: Spot,
        runs: &mut Runs<'_, D, V>,
    ) -> ControlFlow<()> {
        if a.is_leaf() && b.is_leaf() {
            let (others, region) = (self.places(b.first), self.nodes[b.node].bounds);
            let mut places = self.places(a.first);
            return places.try_for_each(|place| {
                runs.push_if(overlay(&self.bounds[place], &region), place, others.start, others.end)
            });
        }
        let (ones, others) = (a.parts(), b.parts());
        for &a in &ones[usize::from(a.is_leaf())..] {
            for &b in &others[usize::from(b.is_leaf())..] {
                if self.may_hold_pairs(a, b) {
                    self.cross(a, b, runs)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<const D: usize> SpatialIndex<D> for Bvh<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        self.build_all(bodies);
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        if let Err(error) = bodies.check() {
            self.clear();
            return Err(error);
        }
        let (n, then) = (bodies.len(), self.bodies);
        if n.abs_diff(then) > then / 4 || n == 0 || then == 0 {
            self.build_all(bodies);
            return Ok(());
        }
        self.lost.clear();
        self.bodies = n;
        self.refit(bodies, self.root());
        self.lost.extend(then as u32..n as u32);
        if self.lost.len() > n / 4 {
            self.build_all(bodies);
            return Ok(());
        }
        for i in 0..self.lost.len() {
            let row = self.lost[i];
            if !self.insert(bodies, row) {
                self.build_all(bodies);
                break;
            }
        }
        Ok(())
    }

    fn pairs(&self, _: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        if self.nodes.is_empty() {
            return 0;
        }
        let columns = Columns {
            centre: &self.centre,
            radius: &self.radius,
            mark: &self.rests,
            row: &self.row,
            low: &[],
            high: &[],
        };
        let mut runs = Runs::new(columns, visit);
        if self.join(self.root(), &mut runs).is_break() { runs.tests() } else { runs.finish() }
    }

    fn touching(
        &self,
        _: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut stack = [self.root(); MAX_LEVELS];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height];
            if !meet(&self.nodes[at.node].bounds, region) {
                continue;
            }
            if at.is_leaf() {
                for place in self.places(at.first) {
                    if meet(&self.bounds[place], region) {
                        visit(self.row[place])?;
                    }
                }
            } else {
                let [left, right] = at.children();
                stack[height] = right;
                stack[height + 1] = left;
                height += 2;
            }
        }
        ControlFlow::Continue(())
    }

    /// The leaves.
    fn cells(&self, region: &Aabb<D>, mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut stack = [self.root(); MAX_LEVELS];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height];
            let bounds = &self.nodes[at.node].bounds;
            if !meet(bounds, region) {
                continue;
            }
            if at.is_leaf() {
                if self.count[at.first] > 0 {
                    visit(bounds, self.count[at.first] as usize)?;
                }
            } else {
                let [left, right] = at.children();
                stack[height] = right;
                stack[height + 1] = left;
                height += 2;
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.home.capacity() * size_of::<Aabb<D>>()
            + self.centre.capacity() * size_of::<[f32; D]>()
            + (self.count.capacity() + self.radius.capacity() + self.row.capacity() + self.lost.capacity())
                * size_of::<u32>()
            + self.rests.capacity()
            + self.bounds.capacity() * size_of::<Aabb<D>>()
            + self.split.capacity() * size_of::<u64>()
    }

    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        self.best_near(bodies, point, reach, accept)
    }

    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        self.best_k(bodies, point, k, reach, accept, found);
    }

    fn cast(&self, bodies: Bodies<D>, sweep: &Sweep<D>, accept: impl FnMut(u32) -> bool) -> Option<(u32, f64)> {
        self.first_hit(bodies, sweep, accept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::suite;

    #[test]
    fn agrees_with_brute_force() {
        suite::<2, _>("bvh", Bvh::default);
        suite::<3, _>("bvh", Bvh::default);
    }
}
