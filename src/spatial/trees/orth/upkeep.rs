//! How an [`OrthTree`] is kept up to date.
//!
//! An update takes four steps: each body walks from its node to where it belongs now; nodes are counted, and those with
//! few bodies merged; rows are put in the order of the nodes; the columns are written in that order, and nodes with many
//! bodies split on the way.

use super::{Border, NONE, Node, OrthTree};
use crate::spatial::trees::lattice::{Lattice, Span, hull};
use crate::spatial::{Bodies, SpatialError};

impl<const D: usize> OrthTree<D> {
    /// All bits of [`OrthTree::starts`].
    pub(super) const STARTS: u8 = (1 << D) - 1;

    pub(super) fn clear(&mut self) {
        self.bodies = 0;
        self.nodes.clear();
        self.free.clear();
        self.clear_places();
    }

    fn clear_places(&mut self) {
        self.row.clear();
        self.position.clear();
        self.radius.clear();
        self.node.clear();
        self.starts.clear();
    }

    /// Brings the tree up to date, as a new one where `anew`.
    pub(super) fn bring(&mut self, bodies: Bodies<D>, anew: bool) -> Result<(), SpatialError> {
        let checked = bodies.check().and_then(|()| match &self.bounds {
            Some(bounds) => bodies.check_inside(bounds),
            None => Ok(()),
        });
        if let Err(error) = checked {
            self.clear();
            return Err(error);
        }
        let hull = hull(bodies);
        if anew || self.nodes.is_empty() || self.bounds.is_none() && !self.lattice.suits(&hull) {
            self.clear();
            self.lattice = match &self.bounds {
                Some(bounds) => Lattice::within(bounds, self.smallest, Self::DEEPEST),
                None => Lattice::around(&hull, self.smallest, Self::DEEPEST),
            };
            let shift = self.lattice.levels;
            let root =
                Node { corner: [0; D], shift, parent: NONE, children: NONE, start: 0, own: 0, total: 0, cursor: 0 };
            self.nodes.push(root);
        }
        self.locate(bodies);
        self.count(0, 0);
        self.sort();
        self.clear_places();
        let mut volume = 0.0;
        self.write(bodies, 0, &mut volume);
        self.bodies = bodies.len();
        self.spacing = libm::pow(volume / bodies.len().max(1) as f64, 1.0 / D as f64) as f32;
        Ok(())
    }

    /// Step one: which bodies belong to which nodes.
    fn locate(&mut self, bodies: Bodies<D>) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        for node in &mut self.nodes {
            node.own = 0;
        }
        for place in 0..self.row.len() {
            let row = self.row[place];
            // Bodies that are listed several times are looked at where their span starts.
            if (row as usize) < bodies.len() && self.starts[place] == Self::STARTS {
                self.home(bodies, row, self.node[place], &mut found);
            }
        }
        for row in self.bodies..bodies.len() {
            self.home(bodies, row as u32, 0, &mut found);
        }
        self.found = found;
    }

    /// Finds where a body belongs that was at `node`.
    #[inline]
    fn home(&mut self, bodies: Bodies<D>, row: u32, mut node: u32, found: &mut Vec<(u32, u32)>) {
        let span = self.lattice.span_of(bodies.position[row as usize], bodies.radius[row as usize]);
        let apart = span.apart();
        // The root holds everybody: spans stop at its borders.
        while !span.fits(&self.nodes[node as usize].corner, self.nodes[node as usize].shift) {
            node = self.nodes[node as usize].parent;
        }
        loop {
            let Node { children, shift, .. } = self.nodes[node as usize];
            if children == NONE || apart >> (shift - 1) != 0 {
                break;
            }
            node = children + which(&span.low, shift - 1);
        }
        if self.border == Border::Leaves && self.nodes[node as usize].children != NONE {
            self.leaves(node, &span, row, found);
        } else {
            self.nodes[node as usize].own += 1;
            found.push((node, row));
        }
    }

    /// Lists a body in all leaves below `node` that its span touches.
    fn leaves(&mut self, node: u32, span: &Span<D>, row: u32, found: &mut Vec<(u32, u32)>) {
        let Node { children, .. } = self.nodes[node as usize];
        if children == NONE {
            self.nodes[node as usize].own += 1;
            found.push((node, row));
            return;
        }
        for child in children..children + Self::CHILDREN {
            let Node { corner, shift, .. } = self.nodes[child as usize];
            if span.meets(&corner, shift) {
                self.leaves(child, span, row, found);
            }
        }
    }

    /// Step two: where the stretches of `node` and all below start, from `start` on; merges nodes. Returns how many places
    /// there are in all.
    fn count(&mut self, node: u32, start: u32) -> u32 {
        let Node { own, children, .. } = self.nodes[node as usize];
        let mut total = own;
        if children != NONE {
            let mut leaves = true;
            for child in children..children + Self::CHILDREN {
                total += self.count(child, start + total);
                leaves &= self.nodes[child as usize].children == NONE;
            }
            if leaves && total <= self.capacity.div_ceil(2) {
                // The stretches of the children lie in its own: they are written to until all are sorted.
                self.merged.push(node);
                self.free.push(children);
                self.nodes[node as usize].children = NONE;
                self.nodes[node as usize].own = total;
            }
        }
        let node = &mut self.nodes[node as usize];
        (node.start, node.cursor, node.total) = (start, start, total);
        total
    }

    /// Step three: rows by node.
    fn sort(&mut self) {
        self.sorted.clear();
        self.sorted.resize(self.found.len(), 0);
        for &(node, row) in &self.found {
            let cursor = &mut self.nodes[node as usize].cursor;
            self.sorted[*cursor as usize] = row;
            *cursor += 1;
        }
        for node in self.merged.drain(..) {
            let node = &mut self.nodes[node as usize];
            if self.border == Border::Leaves && node.children == NONE {
                // Who was listed in several children is listed once.
                let rows = &mut self.sorted[node.places()];
                rows.sort_unstable();
                let mut kept = 0;
                for i in 0..rows.len() {
                    if i == 0 || rows[i] != rows[i - 1] {
                        rows[kept] = rows[i];
                        kept += 1;
                    }
                }
                node.own = kept as u32;
            }
        }
    }

    /// Step four: writes the places of a node and all below, and splits on the way. Returns how many there are.
    fn write(&mut self, bodies: Bodies<D>, node: u32, volume: &mut f64) -> u32 {
        let Node { own, children, shift, .. } = self.nodes[node as usize];
        if children == NONE && own > self.capacity && shift > 0 {
            self.split(bodies, node);
        }
        let start = self.row.len() as u32;
        let Node { corner, own, children, .. } = self.nodes[node as usize];
        for place in self.nodes[node as usize].places() {
            let row = self.sorted[place];
            let (position, radius) = (bodies.position[row as usize], bodies.radius[row as usize]);
            self.row.push(row);
            self.position.push(position);
            self.radius.push(radius);
            self.node.push(node);
            self.starts.push(match self.border {
                Border::Parent => Self::STARTS,
                Border::Leaves => starts(&self.lattice.span_of(position, radius).low, &corner),
            });
        }
        let mut total = own;
        if children != NONE {
            for child in children..children + Self::CHILDREN {
                total += self.write(bodies, child, volume);
            }
        } else if own > 0 {
            *volume += self.lattice.side(shift).powi(D as i32);
        }
        let node = &mut self.nodes[node as usize];
        (node.start, node.total) = (start, total);
        total
    }

    /// Gives the bodies of a leaf to children, where that helps.
    fn split(&mut self, bodies: Bodies<D>, node: u32) {
        let Node { corner, shift, .. } = self.nodes[node as usize];
        let places = self.nodes[node as usize].places();
        let lower = shift - 1;
        // Child and row of all listings; the child after the last one stands for the node itself.
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        let mut counts = [0_u32; 9];
        let stays = Self::CHILDREN;
        for &row in &self.sorted[places.clone()] {
            let span = self.lattice.span_of(bodies.position[row as usize], bodies.radius[row as usize]);
            if span.fits(&corner, shift) && span.apart() >> lower == 0 {
                spare.push((which(&span.low, lower), row));
            } else if self.border == Border::Parent {
                spare.push((stays, row));
            } else {
                for child in 0..stays {
                    if span.meets(&child_corner(&corner, child, lower), lower) {
                        spare.push((child, row));
                    }
                }
            }
        }
        for &(child, _) in &spare {
            counts[child as usize] += 1;
        }
        let helps = match self.border {
            Border::Parent => (counts[stays as usize] as usize) < places.len(),
            // A pair is tested in every leaf: after the split in 2^D of them, with all listings spread over them.
            Border::Leaves => (spare.len() as u64).pow(2) >> D < (places.len() as u64).pow(2),
        };
        if helps {
            let children = self.block();
            let mut cursors = [0_u32; 9];
            let from = match self.border {
                Border::Parent => places.start,
                // There are more listings than before: they go to the end.
                Border::Leaves => self.sorted.len(),
            };
            self.sorted.resize(self.sorted.len().max(from + spare.len()), 0);
            let mut sum = from as u32;
            cursors[stays as usize] = sum;
            self.nodes[node as usize].start = sum;
            self.nodes[node as usize].own = counts[stays as usize];
            self.nodes[node as usize].children = children;
            sum += counts[stays as usize];
            for child in 0..stays {
                cursors[child as usize] = sum;
                self.nodes[(children + child) as usize] = Node {
                    corner: child_corner(&corner, child, lower),
                    shift: lower,
                    parent: node,
                    children: NONE,
                    start: sum,
                    own: counts[child as usize],
                    total: counts[child as usize],
                    cursor: 0,
                };
                sum += counts[child as usize];
            }
            for &(child, row) in &spare {
                let cursor = &mut cursors[child as usize];
                self.sorted[*cursor as usize] = row;
                *cursor += 1;
            }
        }
        self.spare = spare;
    }

    /// The first node of a block that is not in use.
    fn block(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            let first = self.nodes.len();
            let blank = Node { parent: NONE, ..self.nodes[0] };
            self.nodes.resize(first + Self::CHILDREN as usize, blank);
            first as u32
        })
    }
}

/// Which child of a cell a step is in, where the children are 2^shift steps wide.
#[inline]
fn which<const D: usize>(step: &[u32; D], shift: u32) -> u32 {
    (0..D).fold(0, |child, axis| child | (step[axis] >> shift & 1) << axis)
}

/// The corner of a child of 2^shift steps.
#[inline]
fn child_corner<const D: usize>(corner: &[u32; D], child: u32, shift: u32) -> [u32; D] {
    std::array::from_fn(|axis| corner[axis] + ((child >> axis & 1) << shift))
}

/// On which axes a span that touches a cell starts in it.
#[inline]
pub(super) fn starts<const D: usize>(low: &[u32; D], corner: &[u32; D]) -> u8 {
    (0..D).fold(0, |starts, axis| starts | u8::from(low[axis] >= corner[axis]) << axis)
}
