//! Building and refitting the tree.

use super::{KdAxis, KdCut, KdTree, Node, larger, smaller};
use crate::spatial::Bodies;

/// A body while the tree is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    at: [f32; D],
    row: u32,
}

/// How much larger than built the leaves may become before the tree is built anew.
pub(super) const WORN: f64 = 1.5;

/// The most bodies that a median is taken of.
const SAMPLE: usize = 32;

impl<const D: usize> KdTree<D> {
    /// Builds the tree of the rows that are there, in whatever order: one that is nearly right is faster.
    pub(super) fn plant(&mut self, bodies: Bodies<D>) {
        self.nodes.clear();
        self.entries.clear();
        self.entries.extend(self.row.iter().map(|&row| Entry { at: bodies.position[row as usize], row }));
        if !self.entries.is_empty() {
            self.grow(0, self.row.len(), 0);
        }
        for (row, entry) in self.row.iter_mut().zip(&self.entries) {
            *row = entry.row;
        }
        self.built = self.refit(bodies);
        self.side = self.typical_side();
    }

    /// Adds the node of some entries, and all below it.
    fn grow(&mut self, first: usize, last: usize, depth: usize) {
        let at = self.nodes.len();
        let (first_place, last_place) = (first as u32, last as u32);
        let (low, high) = hull(self.entries[first..last].iter().map(|entry| entry.at));
        self.nodes.push(Node { low, high, widest: 0.0, skip: 0, first: first_place, last: last_place });
        if last - first > self.capacity {
            let middle = first + self.divide(first, last, depth, low, high);
            self.grow(first, middle, depth + 1);
            self.grow(middle, last, depth + 1);
        }
        self.nodes[at].skip = self.nodes.len() as u32;
    }

    /// Brings the entries of the lower half of a node before the others; how many they are.
    fn divide(&mut self, first: usize, last: usize, depth: usize, low: [f32; D], high: [f32; D]) -> usize {
        let side = |axis: usize| high[axis] - low[axis];
        let widest = || (1..D).fold(0, |widest, axis| if side(axis) > side(widest) { axis } else { widest });
        let axis = match self.axis {
            KdAxis::Widest => widest(),
            KdAxis::Cyclic => (0..D).map(|next| (depth + next) % D).find(|&axis| side(axis) > 0.0).unwrap_or(0),
        };
        let entries = &mut self.entries[first..last];
        let pivot = match self.cut {
            KdCut::Median => sampled_median(entries, axis),
            KdCut::Middle => low[axis] * 0.5 + high[axis] * 0.5,
        };
        let count = partition(entries, axis, pivot);
        if count.min(entries.len() - count) >= entries.len() / 8 && count > 0 && count < entries.len() {
            return count;
        }
        let half = entries.len() / 2;
        let order = |a: &Entry<D>, b: &Entry<D>| a.at[axis].total_cmp(&b.at[axis]).then(a.row.cmp(&b.row));
        entries.select_nth_unstable_by(half, order);
        half
    }

    /// Fits the columns and the boxes of all nodes to where the bodies are now. Returns how large the leaves are.
    pub(super) fn refit(&mut self, bodies: Bodies<D>) -> f64 {
        self.position.clear();
        self.position.extend(self.row.iter().map(|&row| bodies.position[row as usize]));
        self.radius.clear();
        self.radius.extend(self.row.iter().map(|&row| bodies.radius[row as usize]));
        let mut size = 0.0;
        for at in (0..self.nodes.len()).rev() {
            let mut node = self.nodes[at];
            if self.is_leaf(at) {
                let places = node.places();
                (node.low, node.high) = hull(self.position[places.clone()].iter().copied());
                node.widest = self.radius[places].iter().fold(0.0, |widest, &radius| larger(radius, widest));
                size += (0..D).map(|axis| f64::from(node.high[axis]) - f64::from(node.low[axis])).sum::<f64>();
            } else {
                let left = self.nodes[at + 1];
                let right = self.nodes[left.skip as usize];
                for axis in 0..D {
                    node.low[axis] = smaller(left.low[axis], right.low[axis]);
                    node.high[axis] = larger(left.high[axis], right.high[axis]);
                }
                node.widest = larger(left.widest, right.widest);
            }
            self.nodes[at] = node;
        }
        size
    }

    /// The side of a typical leaf (m): a few that are far larger than the others count little.
    fn typical_side(&self) -> f32 {
        let (mut sum, mut count) = (0, 0);
        for (at, node) in self.nodes.iter().enumerate() {
            if self.is_leaf(at) {
                let side = (0..D).fold(0.0, |side, axis| larger(node.high[axis] - node.low[axis], side));
                // The bits of a number grow much like its logarithm.
                sum += u64::from(side.to_bits());
                count += 1;
            }
        }
        f32::from_bits(sum.checked_div(count).unwrap_or(0) as u32)
    }
}

/// The box around some points.
#[inline]
fn hull<const D: usize>(points: impl Iterator<Item = [f32; D]>) -> ([f32; D], [f32; D]) {
    let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
    for point in points {
        for axis in 0..D {
            low[axis] = smaller(point[axis], low[axis]);
            high[axis] = larger(point[axis], high[axis]);
        }
    }
    (low, high)
}

/// The median of some entries, spread evenly over all of them.
fn sampled_median<const D: usize>(entries: &[Entry<D>], axis: usize) -> f32 {
    let count = entries.len().min(SAMPLE);
    let mut sample = [0.0; SAMPLE];
    for (i, number) in sample[..count].iter_mut().enumerate() {
        *number = entries[i * entries.len() / count].at[axis];
    }
    *sample[..count].select_nth_unstable_by(count / 2, f32::total_cmp).1
}

/// Brings the entries below `pivot` to the front; how many they are. Without a branch to mispredict (Lomuto).
fn partition<const D: usize>(entries: &mut [Entry<D>], axis: usize, pivot: f32) -> usize {
    let mut below = 0;
    for i in 0..entries.len() {
        let entry = entries[i];
        entries.swap(i, below);
        below += usize::from(entry.at[axis] < pivot);
    }
    below
}
