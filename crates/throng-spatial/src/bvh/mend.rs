//! Building the hierarchy, and keeping it good while the bodies move.

use super::node::{Node, Spot, sides};
use super::{Bvh, LEAF_PLACES, MAX_LEVELS};
use crate::Bodies;
use crate::bodies::{around, meet, union};
use crate::simd::prefetch;
use crate::sorts::ascending;
use crate::volume::Aabb;

/// How many places of a leaf a build fills, and the most that spreading fills on average.
const BUILT_LEAF_BODIES: usize = 11;
const SPREAD_LEAF_BODIES: usize = 14;
/// Subtrees of fewer leaves are not built anew: their trouble comes from outside.
const MIN_REBUILT_LEAVES: usize = 8;

impl<const D: usize> Bvh<D> {
    pub(super) fn build_all(&mut self, bodies: Bodies<D>) {
        self.clear();
        let n = bodies.len();
        if n == 0 {
            return;
        }
        let leaves = n.div_ceil(BUILT_LEAF_BODIES);
        self.nodes.resize(2 * leaves - 1, Node::EMPTY);
        self.count.resize(leaves, 0);
        self.home.resize(leaves, Node::EMPTY.bounds);
        let places = leaves * LEAF_PLACES;
        self.centre.resize(places, [0.0; D]);
        self.radius.resize(places, 0.0);
        self.row.resize(places, 0);
        self.rests.resize(places, 0);
        self.bounds.resize(places, Node::EMPTY.bounds);
        self.bodies = n;
        let mut split = std::mem::take(&mut self.split);
        split.clear();
        split.extend(0..n as u64);
        self.build(bodies, self.root(), &mut split);
        self.split = split;
        self.spacing = self.home.iter().map(|home| sides(home) / D as f32).sum::<f32>() / leaves as f32;
    }

    /// Builds a subtree of the rows in `split`, for which it has room.
    fn build(&mut self, bodies: Bodies<D>, at: Spot, split: &mut [u64]) {
        if at.is_leaf() {
            self.count[at.first] = split.len() as u32;
            for (place, &entry) in (at.first * LEAF_PLACES..).zip(&*split) {
                self.put(bodies, place, entry as u32);
            }
            self.refit_leaf(at);
            self.home[at.first] = self.nodes[at.node].bounds;
        } else {
            let mut hull = Node::<D>::EMPTY.bounds;
            for &entry in &*split {
                let centre = bodies.position[entry as u32 as usize];
                hull = union(&hull, &Aabb { low: centre, high: centre });
            }
            let widest = (0..D).fold(0, |best, axis| if hull.side(axis) > hull.side(best) { axis } else { best });
            for entry in &mut *split {
                let row = *entry as u32;
                *entry = u64::from(ascending(bodies.position[row as usize][widest])) << 32 | u64::from(row);
            }
            let children = at.children();
            let cut = split.len() * children[0].leaves() / at.leaves();
            if cut < split.len() {
                split.select_nth_unstable(cut);
            }
            let (left, right) = split.split_at_mut(cut);
            self.build(bodies, children[0], left);
            self.build(bodies, children[1], right);
            self.nodes[at.node] = Node::above(&self.nodes[children[0].node], &self.nodes[children[1].node]);
        }
        self.nodes[at.node].built = self.nodes[at.node].cost;
    }

    #[inline]
    fn put(&mut self, bodies: Bodies<D>, place: usize, row: u32) {
        self.row[place] = row;
        self.centre[place] = bodies.position[row as usize];
        self.radius[place] = bodies.radius[row as usize];
        self.rests[place] = u8::from(bodies.rests(row as usize));
        self.bounds[place] = around(self.centre[place], self.radius[place]);
    }

    /// The node of a leaf, from the bodies it holds.
    fn refit_leaf(&mut self, at: Spot) {
        let mut node = Node::EMPTY;
        for place in self.places(at.first) {
            node.bounds = union(&node.bounds, &self.bounds[place]);
            node.moves |= self.rests[place] == 0;
        }
        node.cost = sides(&node.bounds);
        node.built = self.nodes[at.node].built;
        self.nodes[at.node] = node;
    }

    /// Refits a subtree to the bodies as they are now. Bodies that are gone are dropped. Bodies that have left the
    /// surroundings of their leaf are dropped and noted as lost.
    pub(super) fn refit(&mut self, bodies: Bodies<D>, at: Spot) {
        if at.is_leaf() {
            let leaf = at.first;
            let home = &self.home[leaf];
            let mut surroundings = *home;
            let margin = sides(home) * (0.5 / D as f32);
            for axis in 0..D {
                surroundings.low[axis] -= margin;
                surroundings.high[axis] += margin;
            }
            let mut kept = leaf * LEAF_PLACES;
            for place in self.places(leaf) {
                let row = self.row[place];
                // Of the leaf after the next: rows lie anywhere.
                if let Some(&later) = self.row.get(place + 2 * LEAF_PLACES) {
                    prefetch(bodies.position, later as usize);
                    prefetch(bodies.radius, later as usize);
                }
                let Some(centre) = bodies.position.get(row as usize) else { continue };
                if meet(&surroundings, &Aabb { low: *centre, high: *centre }) {
                    self.put(bodies, kept, row);
                    kept += 1;
                } else {
                    self.lost.push(row);
                }
            }
            self.count[leaf] = (kept - leaf * LEAF_PLACES) as u32;
            self.refit_leaf(at);
            return;
        }
        let [left, right] = at.children();
        self.refit(bodies, left);
        self.refit(bodies, right);
        let mut node = Node::above(&self.nodes[left.node], &self.nodes[right.node]);
        node.built = self.nodes[at.node].built;
        self.nodes[at.node] = node;
        // From below: where that does not help, the cost above has grown as well.
        if at.leaves() >= MIN_REBUILT_LEAVES && node.cost > 1.25 * node.built {
            self.rebuild_below(bodies, at, None);
        }
    }

    /// Builds a subtree anew, and of one row more.
    fn rebuild_below(&mut self, bodies: Bodies<D>, at: Spot, more: Option<u32>) {
        let mut split = std::mem::take(&mut self.split);
        split.clear();
        split.extend(more.map(u64::from));
        for leaf in at.first..at.end {
            split.extend(self.places(leaf).map(|place| u64::from(self.row[place])));
        }
        self.build(bodies, at, &mut split);
        self.split = split;
    }

    /// Puts a body into the leaf whose way down grows least. False where there is no room in the whole tree.
    pub(super) fn insert(&mut self, bodies: Bodies<D>, row: u32) -> bool {
        let bounds = around(bodies.position[row as usize], bodies.radius[row as usize]);
        let moves = !bodies.rests(row as usize);
        let (mut way, mut depth) = ([self.root(); MAX_LEVELS], 0);
        loop {
            let at = way[depth];
            let node = &mut self.nodes[at.node];
            node.bounds = union(&node.bounds, &bounds);
            node.moves |= moves;
            if at.is_leaf() {
                break;
            }
            let children = at.children();
            let growth = children.map(|child| {
                let box_now = &self.nodes[child.node].bounds;
                if box_now.low[0] > box_now.high[0] {
                    sides(&bounds)
                } else {
                    sides(&union(box_now, &bounds)) - sides(box_now)
                }
            });
            depth += 1;
            way[depth] = children[usize::from(growth[1] < growth[0])];
        }
        let leaf = way[depth].first;
        let count = self.count[leaf] as usize;
        if count < LEAF_PLACES {
            if count == 0 {
                self.home[leaf] = bounds;
            }
            self.put(bodies, leaf * LEAF_PLACES + count, row);
            self.count[leaf] += 1;
            return true;
        }
        for &at in way[..depth].iter().rev() {
            let held: u32 = self.count[at.first..at.end].iter().sum();
            if (held as usize) < SPREAD_LEAF_BODIES * at.leaves() {
                self.rebuild_below(bodies, at, Some(row));
                return true;
            }
        }
        false
    }
}
