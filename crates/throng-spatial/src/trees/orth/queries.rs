//! Queries of an [`OrthTree`].

use super::upkeep::starts;
use super::{Border, Listing, NONE, Node, OrthTree};
use crate::bodies::{around, meet};
use crate::trees::lattice::Span;
use crate::volume::{Aabb, distance_squared};
use crate::{Bodies, SpatialError, SpatialIndex};
use std::ops::{ControlFlow, Range};

/// Nodes that wait to be looked at.
struct Waiting {
    nodes: [u32; 256],
    count: usize,
}

impl Waiting {
    fn new() -> Self {
        Self { nodes: [0; 256], count: 0 }
    }

    /// All levels of an octree fit: 7 of 8 children wait on each of 30.
    #[inline]
    fn push(&mut self, node: u32) {
        self.nodes[self.count] = node;
        self.count += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        Some(self.nodes[self.count])
    }
}

impl<const D: usize> OrthTree<D> {
    /// Calls `visit` with each node that holds bodies itself and whose cell touches `span`.
    #[inline]
    fn walk(&self, span: &Span<D>, mut visit: impl FnMut(&Node<D>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut waiting = Waiting::new();
        if self.bodies > 0 {
            waiting.push(0);
        }
        while let Some(node) = waiting.pop() {
            let node = &self.nodes[node as usize];
            if node.own > 0 {
                visit(node)?;
            }
            self.descend(node, span, &mut waiting);
        }
        ControlFlow::Continue(())
    }

    /// Lets the children of a node wait that hold bodies and touch `span`.
    #[inline]
    fn descend(&self, node: &Node<D>, span: &Span<D>, waiting: &mut Waiting) {
        if node.children != NONE {
            let first = node.children as usize;
            for (child, index) in self.nodes[first..][..Self::CHILDREN as usize].iter().zip(node.children..) {
                if child.total > 0 && span.meets(&child.corner, child.shift) {
                    waiting.push(index);
                }
            }
        }
    }

    /// Tests the body at a place against those at others.
    #[inline]
    fn test(
        &self,
        bodies: &Bodies<D>,
        place: usize,
        others: Range<usize>,
        tests: &mut u64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (own, position, radius) = (self.listing[place], self.position[place], self.radius[place]);
        let (row, rests) = (own.row, bodies.rests(own.row as usize));
        let listings = &self.listing[others.clone()];
        let positions = &self.position[others.clone()][..listings.len()];
        let radii = &self.radius[others][..listings.len()];
        for (i, listing) in listings.iter().enumerate() {
            let other = listing.row;
            // Listed in several leaves: a pair belongs to the one where the spans' common part starts.
            if own.starts() | listing.starts() != Listing::whole::<D>() || rests && bodies.rests(other as usize) {
                continue;
            }
            *tests += 1;
            let reach = radius + radii[i];
            if distance_squared(position, positions[i]) < reach * reach {
                visit(row.min(other), row.max(other))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Tests all pairs of bodies of a node, and of its bodies with those below.
    #[inline]
    fn pairs_of(
        &self,
        bodies: &Bodies<D>,
        node: &Node<D>,
        waiting: &mut Waiting,
        tests: &mut u64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = node.places();
        for place in own.clone() {
            self.test(bodies, place, place + 1..own.end, tests, visit)?;
            if node.children != NONE {
                let floor = waiting.count;
                let span = self.lattice.span_of(self.position[place], self.radius[place]);
                self.descend(node, &span, waiting);
                while waiting.count > floor {
                    waiting.count -= 1;
                    let below = &self.nodes[waiting.nodes[waiting.count] as usize];
                    self.test(bodies, place, below.places(), tests, visit)?;
                    self.descend(below, &span, waiting);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<const D: usize> SpatialIndex<D> for OrthTree<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bring(bodies, true)
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bring(bodies, false)
    }

    fn pairs(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        let mut waiting = Waiting::new();
        let _ = self.holding().try_for_each(|node| self.pairs_of(&bodies, node, &mut waiting, &mut tests, &mut visit));
        tests
    }

    fn touching(
        &self,
        _: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let span = self.lattice.span(region);
        self.walk(&span, |node| {
            // Of several leaves, the one where the common part of body and region starts shows a body.
            let begun = match self.border {
                Border::Parent => Listing::whole::<D>(),
                Border::Leaves => starts(&span.low, &node.corner),
            };
            for place in node.places() {
                let listing = self.listing[place];
                if listing.starts() | begun == Listing::whole::<D>()
                    && meet(&around(self.position[place], self.radius[place]), region)
                {
                    visit(listing.row)?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    fn cells(&self, region: &Aabb<D>, mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        self.walk(&self.lattice.span(region), |node| {
            visit(&self.lattice.cell(node.corner, node.shift), node.own as usize)
        })
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.position.capacity() * size_of::<[f32; D]>()
            + (self.radius.capacity() + self.free.capacity() + self.holding.capacity() + self.merged.capacity()) * 4
            + (self.listing.capacity() + self.before.capacity() + self.found.capacity()) * size_of::<Listing>()
            + self.items.capacity() * size_of::<super::upkeep::Item<D>>()
    }

    fn within(
        &self,
        _: Bodies<D>,
        point: [f32; D],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let limit = radius.max(0.0) * radius;
        let span = self.lattice.span(&around(point, radius));
        self.walk(&span, |node| {
            let begun = match self.border {
                Border::Parent => Listing::whole::<D>(),
                Border::Leaves => starts(&span.low, &node.corner),
            };
            for place in node.places() {
                let squared = distance_squared(self.position[place], point);
                let listing = self.listing[place];
                if squared < limit && listing.starts() | begun == Listing::whole::<D>() {
                    visit(listing.row, squared)?;
                }
            }
            ControlFlow::Continue(())
        })
    }
}
