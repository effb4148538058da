//! The nodes of the hierarchy, and where they lie.

use crate::bodies::union;
use crate::volume::Aabb;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) bounds: Aabb<D>,
    /// The sides of all boxes of the subtree added up (m): now, and when it was built.
    pub(super) cost: f32,
    pub(super) built: f32,
    /// A body in it does not rest.
    pub(super) moves: bool,
}

/// A node, and the leaves from `first` to before `end` that it covers.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) node: usize,
    pub(super) first: usize,
    pub(super) end: usize,
}

impl Spot {
    #[inline]
    pub(super) fn is_leaf(self) -> bool {
        self.end - self.first == 1
    }

    #[inline]
    pub(super) fn children(self) -> [Self; 2] {
        let cut = self.first + (self.end - self.first) / 2;
        [
            Self { node: self.node + 1, first: self.first, end: cut },
            Self { node: self.node + 2 * (cut - self.first), first: cut, end: self.end },
        ]
    }

    pub(super) fn leaves(self) -> usize {
        self.end - self.first
    }

    /// The children, or twice itself where it is a leaf.
    #[inline]
    pub(super) fn parts(self) -> [Self; 2] {
        if self.is_leaf() { [self; 2] } else { self.children() }
    }
}

impl<const D: usize> Node<D> {
    pub(super) const EMPTY: Self = Self {
        bounds: Aabb { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] },
        cost: 0.0,
        built: 0.0,
        moves: false,
    };

    /// A node above two others.
    #[inline]
    pub(super) fn above(left: &Self, right: &Self) -> Self {
        let bounds = union(&left.bounds, &right.bounds);
        let cost = left.cost + right.cost + sides(&bounds);
        Self { bounds, cost, built: 0.0, moves: left.moves | right.moves }
    }
}

/// [`meet`](crate::bodies::meet), counted rather than decided axis by axis: unpredictable branches take longer than all
/// comparisons.
#[inline]
pub(super) fn overlay<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> bool {
    let mut shared = 0;
    for axis in 0..D {
        shared += usize::from(a.low[axis] <= b.high[axis]) + usize::from(b.low[axis] <= a.high[axis]);
    }
    shared == 2 * D
}

/// All sides of a box added up: 0 for an empty one.
#[inline]
pub(super) fn sides<const D: usize>(bounds: &Aabb<D>) -> f32 {
    let mut sum = 0.0;
    for axis in 0..D {
        sum += (bounds.high[axis] - bounds.low[axis]).max(0.0);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_added_up_and_an_empty_box_has_none() {
        assert_eq!(sides(&Aabb { low: [1.0, -2.0, 0.0], high: [4.0, 2.0, 0.0] }), 7.0);
        assert_eq!(sides(&Aabb { low: [4.0, 2.0], high: [1.0, -2.0] }), 0.0);
    }
}
