//! The common parts of the trees that cut space by planes: nodes in one array, each before those below it, and the
//! queries that pass over nodes too far away.

mod fit;
mod halve;
mod nearest;
mod pairs;
mod wide;

pub(super) use fit::{Boxed, Fit};
pub(super) use halve::{halve, hull, partition};

use super::Bodies;
use super::bodies::{around, larger, meet, smaller};
use crate::simd::{self, Level};
use crate::volume::{Aabb, distance_squared};
use std::ops::{ControlFlow, Range};

/// The queries of an index that keeps its bodies in a hierarchy `tree`.
macro_rules! asks_tree {
    ($d:tt) => {
        fn pairs(&self, bodies: crate::Bodies<$d>, visit: impl FnMut(u32, u32) -> std::ops::ControlFlow<()>) -> u64 {
            self.tree.pairs(bodies, visit)
        }

        fn touching(
            &self,
            _: crate::Bodies<$d>,
            region: &crate::volume::Aabb<$d>,
            visit: impl FnMut(u32) -> std::ops::ControlFlow<()>,
        ) -> std::ops::ControlFlow<()> {
            self.tree.touching(region, visit)
        }

        fn cells(
            &self,
            region: &crate::volume::Aabb<$d>,
            visit: impl FnMut(&crate::volume::Aabb<$d>, usize) -> std::ops::ControlFlow<()>,
        ) -> std::ops::ControlFlow<()> {
            self.tree.cells(region, visit)
        }

        fn spacing(&self) -> f32 {
            self.tree.side
        }

        fn within(
            &self,
            _: crate::Bodies<$d>,
            point: [f32; $d],
            radius: f32,
            visit: impl FnMut(u32, f32) -> std::ops::ControlFlow<()>,
        ) -> std::ops::ControlFlow<()> {
            self.tree.within(point, radius, visit)
        }

        fn nearest(
            &self,
            bodies: crate::Bodies<$d>,
            point: [f32; $d],
            reach: f32,
            accept: impl FnMut(u32) -> bool,
        ) -> Option<(u32, f32)> {
            self.tree.nearest(bodies, point, reach, accept)
        }

        fn k_nearest(
            &self,
            bodies: crate::Bodies<$d>,
            point: [f32; $d],
            k: usize,
            reach: f32,
            accept: impl FnMut(u32) -> bool,
            found: &mut Vec<(u32, f32)>,
        ) {
            self.tree.k_nearest(bodies, point, k, reach, accept, found);
        }

        fn neighbours(&self, bodies: crate::Bodies<$d>, first: usize, reach: f32, near: crate::NearRows<'_>) {
            self.tree.neighbours(bodies, first, reach, near);
        }
    };
}
pub(super) use asks_tree;

/// A body while a tree is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    pub at: [f32; D],
    pub radius: f32,
    pub row: u32,
}

/// A node: the next one is its first child, if it has any; the one that its `skip` names is the next that is not below
/// it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<F> {
    /// Around all bodies of the node and of those below it.
    pub fit: F,
    pub skip: u32,
    /// The places of the bodies that are kept in the node itself: never more than [`MAX_LEAF_BODIES`].
    pub first: u32,
    pub kept: u32,
    /// The greatest radius of these (m).
    pub widest: f32,
}

impl<F> Node<F> {
    #[inline]
    pub fn places(&self) -> Range<usize> {
        self.first as usize..self.kept as usize
    }
}

/// The most bodies that a node can keep.
pub(super) const MAX_LEAF_BODIES: usize = 64;

/// Room for the findings of one node.
const LEAF_FINDINGS: usize = MAX_LEAF_BODIES + simd::SLACK;

/// A squared distance above a place: findings order by distance.
#[inline]
fn squared(finding: u64) -> f32 {
    f32::from_bits((finding >> 32) as u32)
}

#[inline]
fn place(finding: u64) -> usize {
    finding as u32 as usize
}

/// A tree of nodes, and the bodies in the order of the nodes that keep them.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy<const D: usize, F> {
    pub nodes: Vec<Node<F>>,
    /// The same nodes, up to sixteen in one, where they are boxes.
    wide: Vec<wide::Wide<D>>,
    pub position: Vec<[f32; D]>,
    pub radius: Vec<f32>,
    pub row: Vec<u32>,
    /// Only used while building.
    pub entries: Vec<Entry<D>>,
    /// The side of a node with bodies that is typical (m).
    pub side: f32,
}

impl<const D: usize, F> Default for Hierarchy<D, F> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            wide: Vec::new(),
            position: Vec::new(),
            radius: Vec::new(),
            row: Vec::new(),
            entries: Vec::new(),
            side: 0.0,
        }
    }
}

impl<const D: usize, F: Fit<D>> Hierarchy<D, F> {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.wide.clear();
        self.position.clear();
        self.radius.clear();
        self.row.clear();
        self.entries.clear();
    }

    /// Takes the bodies as entries, to be brought into the order of nodes.
    pub fn enter(&mut self, bodies: Bodies<D>) {
        self.entries.clear();
        let columns = bodies.position.iter().zip(bodies.radius).zip(0..);
        self.entries.extend(columns.map(|((&at, &radius), row)| Entry { at, radius, row }));
    }

    /// Adds a node that keeps `kept` entries from `first` on; [`close`](Self::close) it after those below it.
    pub fn open(&mut self, fit: F, first: usize, kept: usize) -> usize {
        let (first, kept) = (first as u32, (first + kept) as u32);
        self.nodes.push(Node { fit, skip: 0, first, kept, widest: 0.0 });
        self.nodes.len() - 1
    }

    pub fn close(&mut self, node: usize) {
        self.nodes[node].skip = self.nodes.len() as u32;
    }

    /// Writes the columns of the bodies when all entries are in order.
    pub fn settle(&mut self) {
        self.position.clear();
        self.position.extend(self.entries.iter().map(|entry| entry.at));
        self.radius.clear();
        self.radius.extend(self.entries.iter().map(|entry| entry.radius));
        self.row.clear();
        self.row.extend(self.entries.iter().map(|entry| entry.row));
        let (mut sum, mut count) = (0, 0);
        for node in &mut self.nodes {
            let places = node.places();
            node.widest = self.radius[places.clone()].iter().fold(0.0, |widest, &radius| larger(radius, widest));
            if !places.is_empty() {
                let (low, high) = hull(self.position[places].iter().copied());
                let side = (0..D).fold(0.0, |side, axis| larger(high[axis] - low[axis], side));
                // The bits of a number grow much like its logarithm: a few huge nodes count little.
                sum += u64::from(side.to_bits());
                count += 1;
            }
        }
        self.side = f32::from_bits(sum.checked_div(count).unwrap_or(0) as u32);
    }

    /// Appends to `found` the places of those kept in a node whose squared distance is below `limit`, as
    /// [`simd::nearer`] does.
    #[inline]
    fn scan(
        &self,
        level: Level,
        places: Range<usize>,
        point: [f32; D],
        limit: f32,
        found: &mut [u64],
        mut count: usize,
    ) -> usize {
        if D == 2 {
            let (points, _) = self.position[places.clone()].as_flattened().as_chunks::<2>();
            let centre = [point[0], point[1]];
            return simd::nearer(level, points, places.start as u32, centre, limit, found, count);
        }
        for place in places {
            let squared = distance_squared(self.position[place], point);
            found[count] = u64::from(squared.to_bits()) << 32 | place as u64;
            count += usize::from(squared < limit);
        }
        count
    }

    /// Calls `look` with the nodes that keep bodies and for which `near` says of all nodes above them and of
    /// themselves that they may be near.
    #[inline]
    fn walk(&self, near: impl Fn(&F) -> bool, mut look: impl FnMut(&Node<F>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !near(&node.fit) {
                at = node.skip as usize;
                continue;
            }
            if node.first < node.kept {
                look(node)?;
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }

    pub fn touching(&self, region: &Aabb<D>, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.walk(
            |fit| fit.touches(region),
            |node| {
                for place in node.places() {
                    if meet(&around(self.position[place], self.radius[place]), region) {
                        visit(self.row[place])?;
                    }
                }
                ControlFlow::Continue(())
            },
        )
    }

    pub fn cells(
        &self,
        region: &Aabb<D>,
        mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk(
            |fit| fit.touches(region),
            |node| {
                let bounds = self.bounds(node.places());
                if meet(&bounds, region) { visit(&bounds, node.places().len()) } else { ControlFlow::Continue(()) }
            },
        )
    }

    #[inline]
    pub fn within(
        &self,
        point: [f32; D],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let level = Level::detect();
        let limit = radius.max(0.0) * radius;
        let mut found = [0; LEAF_FINDINGS];
        F::walk(self, point, limit, &mut |places| {
            let count = self.scan(level, places, point, limit, &mut found, 0);
            for &finding in &found[..count] {
                visit(self.row[place(finding)], squared(finding))?;
            }
            ControlFlow::Continue(())
        })
    }

    /// A box around the bounds of the bodies at some places.
    fn bounds(&self, places: Range<usize>) -> Aabb<D> {
        let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
        for place in places {
            let bounds = around(self.position[place], self.radius[place]);
            for axis in 0..D {
                low[axis] = smaller(bounds.low[axis], low[axis]);
                high[axis] = larger(bounds.high[axis], high[axis]);
            }
        }
        Aabb { low, high }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<F>>()
            + self.wide.capacity() * size_of::<wide::Wide<D>>()
            + self.position.capacity() * size_of::<[f32; D]>()
            + (self.radius.capacity() + self.row.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry<D>>()
    }
}

#[cfg(test)]
impl<const D: usize, F: Fit<D>> Hierarchy<D, F> {
    /// Every row is there once, no node keeps more than `capacity`, and every node is around all that is below it.
    /// Returns the depth.
    pub fn check(&self, bodies: Bodies<D>, capacity: usize) -> usize {
        let mut rows = self.row.clone();
        rows.sort_unstable();
        assert!(rows.into_iter().eq(0..bodies.len() as u32));
        let mut above: Vec<usize> = Vec::new();
        let (mut deepest, mut next) = (0, 0);
        for (at, node) in self.nodes.iter().enumerate() {
            while above.last().is_some_and(|&parent| self.nodes[parent].skip as usize <= at) {
                above.pop();
            }
            above.push(at);
            deepest = deepest.max(above.len());
            assert!(node.skip as usize > at && above.iter().all(|&parent| node.skip <= self.nodes[parent].skip));
            assert!(node.places().len() <= capacity);
            for place in node.places() {
                assert_eq!(place, next, "places follow the nodes");
                next += 1;
                let row = self.row[place] as usize;
                assert_eq!((self.position[place], self.radius[place]), (bodies.position[row], bodies.radius[row]));
                assert!(bodies.radius[row] <= node.widest);
                for &parent in &above {
                    let fit = &self.nodes[parent].fit;
                    assert!(fit.gap(bodies.position[row]) == 0.0 && fit.touches(&bodies.bounds(row)));
                    assert!(fit.reaches(bodies.position[row], f32::MIN_POSITIVE) || bodies.radius[row] == 0.0);
                }
            }
        }
        assert_eq!(next, bodies.len());
        deepest
    }
}
