//! How an [`OrthTree`] is kept up to date.
//!
//! An update takes four steps: each body walks from its node to where it belongs now; nodes are counted, and those with
//! few bodies merged; listings are put in the order of the nodes; nodes with many bodies are split.

use super::{Border, Listing, NONE, Node, OrthTree};
use crate::trees::lattice::{Lattice, Span, hull};
use crate::{Bodies, SpatialError};
use std::ops::Range;

/// A body that is handed down from cell to cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<const D: usize> {
    row: u32,
    /// The children that it goes to, a bit each; none where it stays.
    children: u32,
    span: Span<D>,
}

impl<const D: usize> OrthTree<D> {
    pub(super) fn clear(&mut self) {
        self.bodies = 0;
        self.nodes.clear();
        self.free.clear();
        self.holding.clear();
        self.listing.clear();
        self.position.clear();
        self.radius.clear();
    }

    /// Brings the tree up to date, as a new one where `anew`.
    pub(super) fn bring(&mut self, bodies: Bodies<D>, anew: bool) -> Result<(), SpatialError> {
        if let Err(error) = bodies.check_for(self.bounds.as_ref()) {
            self.clear();
            return Err(error);
        }
        let hull = hull(bodies);
        if anew || self.nodes.is_empty() || self.bounds.is_none() && !self.lattice.suits(&hull) {
            self.clear();
            self.lattice = Lattice::over(self.bounds.as_ref(), &hull, self.smallest, Self::MAX_LEVELS);
            self.nodes.push(Node::new([0; D], self.lattice.levels, NONE));
            self.items.clear();
            self.take(bodies, 0..bodies.len() as u32);
            self.part(0, 0..bodies.len(), 0);
        } else {
            self.locate(bodies);
            self.holding.clear();
            self.count(0, 0);
            self.sort(bodies);
            self.split(bodies);
        }
        self.bodies = bodies.len();
        self.position.clear();
        self.position.extend(self.listing.iter().map(|listing| bodies.position[listing.row as usize]));
        self.radius.clear();
        self.radius.extend(self.listing.iter().map(|listing| bodies.radius[listing.row as usize]));
        let leaves = self.holding().filter(|node| node.children == NONE);
        self.spacing = self.lattice.spacing(leaves.map(|leaf| leaf.shift), bodies.len());
        Ok(())
    }

    /// Step one: which bodies belong to which nodes.
    fn locate(&mut self, bodies: Bodies<D>) {
        std::mem::swap(&mut self.listing, &mut self.before);
        self.found.clear();
        for node in &mut self.nodes {
            node.own = 0;
        }
        for place in 0..self.before.len() {
            let listing = self.before[place];
            // Bodies that are listed several times are looked at where their span starts.
            if (listing.row as usize) < bodies.len() && listing.starts() == Listing::whole::<D>() {
                self.home(bodies, listing.row, listing.node());
            }
        }
        for row in self.bodies..bodies.len() {
            self.home(bodies, row as u32, 0);
        }
    }

    /// Finds where a body belongs that was at `node`.
    #[inline]
    fn home(&mut self, bodies: Bodies<D>, row: u32, mut node: u32) {
        let span = self.lattice.span_of(bodies.position[row as usize], bodies.radius[row as usize]);
        // The root holds all bodies: spans stop at its borders.
        while !span.fits(&self.nodes[node as usize].corner, self.nodes[node as usize].shift) {
            node = self.nodes[node as usize].parent;
        }
        let apart = span.apart();
        let mut children;
        loop {
            let shift;
            Node { children, shift, .. } = self.nodes[node as usize];
            if children == NONE || apart >> (shift - 1) != 0 {
                break;
            }
            node = children + which(&span.low, shift - 1);
        }
        if self.border == Border::Leaves && children != NONE {
            self.leaves(node, &span, row);
        } else {
            self.nodes[node as usize].own += 1;
            self.found.push(Listing::new(node, Listing::whole::<D>(), row));
        }
    }

    /// Lists a body in all leaves below `node` that its span touches.
    fn leaves(&mut self, node: u32, span: &Span<D>, row: u32) {
        let Node { children, corner, shift, .. } = self.nodes[node as usize];
        let mut touched = touched(span, &corner, shift - 1);
        while touched != 0 {
            let child = children + touched.trailing_zeros();
            touched &= touched - 1;
            let node = &mut self.nodes[child as usize];
            if node.children == NONE {
                node.own += 1;
                self.found.push(Listing::new(child, starts(&span.low, &node.corner), row));
            } else {
                self.leaves(child, span, row);
            }
        }
    }

    /// Step two: where the listings of `node` and all below go, from `start` on; merges nodes. Returns how many listings
    /// there are.
    fn count(&mut self, node: u32, start: u32) -> u32 {
        let Node { mut own, children, .. } = self.nodes[node as usize];
        let (held, merged) = (self.holding.len(), self.merged.len());
        if own > 0 {
            self.holding.push(node);
        }
        let mut total = own;
        if children != NONE {
            let mut leaves = true;
            for child in children..children + Self::CHILDREN {
                let Node { own, children, .. } = self.nodes[child as usize];
                if children == NONE {
                    let node = &mut self.nodes[child as usize];
                    (node.start, node.cursor, node.total) = (start + total, start + total, own);
                    if own > 0 {
                        self.holding.push(child);
                    }
                    total += own;
                } else {
                    total += self.count(child, start + total);
                    leaves &= self.nodes[child as usize].children == NONE;
                }
            }
            if leaves && total <= self.capacity.div_ceil(2) {
                // The stretches of the children lie in its own: they are written to until all are sorted.
                self.merged.truncate(merged);
                self.merged.push(node);
                self.free.push(children);
                (self.nodes[node as usize].children, self.nodes[node as usize].refused) = (NONE, 0);
                own = total;
                self.holding.truncate(held);
                if own > 0 {
                    self.holding.push(node);
                }
            }
        }
        let node = &mut self.nodes[node as usize];
        (node.start, node.cursor, node.own, node.total) = (start, start, own, total);
        total
    }

    /// Step three: listings by node.
    fn sort(&mut self, bodies: Bodies<D>) {
        self.listing.clear();
        self.listing.resize(self.found.len(), Listing::NOBODY);
        for &listing in &self.found {
            let cursor = &mut self.nodes[listing.node() as usize].cursor;
            self.listing[*cursor as usize] = listing;
            *cursor += 1;
        }
        for index in self.merged.drain(..) {
            let node = &mut self.nodes[index as usize];
            // A body that was listed in several children is listed once.
            let listings = &mut self.listing[node.places()];
            listings.sort_unstable_by_key(|listing| listing.row);
            let mut kept = 0;
            for i in 0..listings.len() {
                let row = listings[i].row;
                if kept == 0 || row != listings[kept - 1].row {
                    let span = self.lattice.span_of(bodies.position[row as usize], bodies.radius[row as usize]);
                    listings[kept] = Listing::new(index, starts(&span.low, &node.corner), row);
                    kept += 1;
                }
            }
            listings[kept..].fill(Listing::NOBODY);
            node.own = kept as u32;
        }
    }

    /// Step four: splits leaves with too many bodies.
    fn split(&mut self, bodies: Bodies<D>) {
        for i in 0..self.holding.len() {
            let node = self.nodes[self.holding[i] as usize];
            if node.children != NONE || node.own <= self.capacity || node.shift == 0 {
                continue;
            }
            // A split that did not help is tried again with a quarter more bodies, or after some updates.
            if node.own <= node.refused + node.refused / 4 {
                self.nodes[self.holding[i] as usize].refused -= node.refused.div_ceil(16);
                continue;
            }
            let index = std::mem::replace(&mut self.holding[i], NONE);
            let places = node.places();
            self.items.clear();
            for place in places.clone() {
                let row = self.listing[place].row;
                self.take(bodies, row..row + 1);
            }
            let start = match self.border {
                Border::Parent => node.start,
                Border::Leaves => {
                    // There are more listings than before: they go to the end.
                    self.listing[places].fill(Listing::NOBODY);
                    self.listing.len() as u32
                }
            };
            self.part(index, 0..self.items.len(), start);
        }
    }

    fn take(&mut self, bodies: Bodies<D>, rows: Range<u32>) {
        let lattice: Lattice<D> = self.lattice;
        self.items.extend(rows.map(|row| {
            let span = lattice.span_of(bodies.position[row as usize], bodies.radius[row as usize]);
            Item { row, children: 0, span }
        }));
    }

    /// Gives the bodies of some items to a leaf, or to children that it gets. Their listings go to places from `start` on.
    /// Returns how many there are.
    fn part(&mut self, index: u32, bodies: Range<usize>, start: u32) -> u32 {
        let Node { corner, shift, .. } = self.nodes[index as usize];
        let counts =
            if bodies.len() > self.capacity as usize && shift > 0 { self.shares(index, bodies.clone()) } else { None };
        let (count, splits) = (bodies.len() as u32, counts.is_some());
        let mut own = 0;
        for item in bodies.clone() {
            let Item { row, children, span } = self.items[item];
            if counts.is_none() || children == 0 {
                let listing = Listing::new(index, starts(&span.low, &corner), row);
                let place = (start + own) as usize;
                match self.listing.get_mut(place) {
                    Some(old) => *old = listing,
                    None => self.listing.push(listing),
                }
                own += 1;
            }
        }
        if own > 0 {
            self.holding.push(index);
        }
        let mut total = own;
        if let Some(counts) = counts {
            let block = self.block();
            self.nodes[index as usize].children = block;
            // Behind all items, those of each child in one stretch.
            let floor = self.items.len();
            let mut cursors = [floor; 8];
            for child in 1..8 {
                cursors[child] = cursors[child - 1] + counts[child - 1];
            }
            let blank = Item { row: 0, children: 0, span: Span { low: [0; D], high: [0; D] } };
            self.items.resize(cursors[7] + counts[7], blank);
            for item in bodies {
                let item = self.items[item];
                let mut children = item.children;
                while children != 0 {
                    let cursor = &mut cursors[children.trailing_zeros() as usize];
                    self.items[*cursor] = item;
                    *cursor += 1;
                    children &= children - 1;
                }
            }
            for child in 0..Self::CHILDREN {
                self.nodes[(block + child) as usize] =
                    Node::new(child_corner(&corner, child, shift - 1), shift - 1, index);
                let end = cursors[child as usize];
                total += self.part(block + child, end - counts[child as usize]..end, start + total);
            }
            self.items.truncate(floor);
        }
        let node = &mut self.nodes[index as usize];
        (node.start, node.own, node.total, node.refused) =
            (start, own, total, if splits || count <= self.capacity { 0 } else { count });
        total
    }

    /// Says of the bodies of some items to which children of a node they would go, and how many each would get, if that
    /// saves tests.
    fn shares(&mut self, index: u32, bodies: Range<usize>) -> Option<[usize; 8]> {
        let Node { corner, shift, .. } = self.nodes[index as usize];
        let items = &mut self.items[bodies];
        let mut counts = [0; 8];
        for item in &mut *items {
            item.children = touched(&item.span, &corner, shift - 1);
            if self.border == Border::Parent && !item.children.is_power_of_two() {
                item.children = 0;
            }
            for (child, count) in counts[..1 << D].iter_mut().enumerate() {
                *count += (item.children >> child & 1) as usize;
            }
        }
        let listings: usize = counts.iter().sum();
        let helps = match self.border {
            Border::Parent => listings > 0,
            // A pair is tested wherever both are listed: the listings are spread over 2^D children.
            Border::Leaves => (listings as u64).pow(2) >> D < (items.len() as u64).pow(2),
        };
        helps.then_some(counts)
    }

    /// The first node of a block that is not in use.
    fn block(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            let first = self.nodes.len();
            self.nodes.resize(first + Self::CHILDREN as usize, Node::new([0; D], 0, NONE));
            first as u32
        })
    }
}

/// Which child of a cell a step is in, where the children are 2^shift steps wide.
#[inline]
fn which<const D: usize>(step: &[u32; D], shift: u32) -> u32 {
    (0..D).fold(0, |child, axis| child | (step[axis] >> shift & 1) << axis)
}

/// The children of 2^shift steps that a span touches, of a cell that it touches: a bit each.
#[inline]
fn touched<const D: usize>(span: &Span<D>, corner: &[u32; D], shift: u32) -> u32 {
    // Per axis, the children in the lower and in the upper half.
    const UPPER: [u32; 3] = [0b1010_1010, 0b1100_1100, 0b1111_0000];
    let mut touched = (1_u32 << (1 << D)) - 1;
    for axis in 0..D {
        let middle = corner[axis] + (1 << shift);
        let lower = if span.low[axis] < middle { !UPPER[axis] } else { 0 };
        let upper = if span.high[axis] >= middle { UPPER[axis] } else { 0 };
        touched &= lower | upper;
    }
    touched
}

/// The corner of a child of 2^shift steps.
#[inline]
fn child_corner<const D: usize>(corner: &[u32; D], child: u32, shift: u32) -> [u32; D] {
    std::array::from_fn(|axis| corner[axis] + ((child >> axis & 1) << shift))
}

/// On which axes a span that touches a cell starts in it: a bit each.
#[inline]
pub(super) fn starts<const D: usize>(low: &[u32; D], corner: &[u32; D]) -> u32 {
    (0..D).fold(0, |starts, axis| starts | u32::from(low[axis] >= corner[axis]) << axis)
}
