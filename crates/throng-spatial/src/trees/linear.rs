//! The linear quadtree and octree: cells are stretches of a sorted array.

use super::lattice::{Lattice, hull};
use super::morton::{common, interleave};
use super::order::Order;
use super::postorder::Postorder;
use crate::volume::Aabb;
use crate::{Bodies, SpatialError, SpatialIndex, Tuning};
use std::ops::ControlFlow;

/// A linear quadtree (`D` = 2) or octree (`D` = 3): bodies sorted by the Morton code of their centres, so that every cell
/// is one stretch of them and no links are kept (Gargantini 1982).
///
/// A leaf is the largest cell with at most as many bodies as the capacity. Leaves, and the cells around them that have
/// more than one part, lie in one array in postorder, each with the box around its bodies: a query skips whole cells, and
/// all pairs are found by walking through the tree with itself.
///
/// `rebuild` is a radix sort, O(n log(extent / smallest cell)); [`update`](crate::SpatialIndex::update) merges bodies
/// that have changed their smallest cell into the order of before: O(n + m log m) for m of them. The smallest cell is
/// as wide as the mean body, where nothing else is said. A query costs O(log n + bodies in the leaves it meets), for
/// any distribution. Bodies in one smallest cell are not told apart: it degrades where there are many.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, LinearOctree, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]], &[0.5, 0.5], &[0, 1]);
/// let mut index = LinearOctree::<3>::default();
/// index.rebuild(bodies)?;
/// let mut found = Vec::new();
/// let _ = index.within(bodies, [0.0, 1.0, 0.0], 2.0, |row, squared| {
///     found.push((row, squared));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [(0, 1.0)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearOctree<const D: usize> {
    capacity: usize,
    /// The least side of a cell (m), if said.
    smallest: Option<f32>,
    bounds: Option<Aabb<D>>,
    lattice: Lattice<D>,
    /// Rows by the code of the step they are in.
    order: Order,
    cells: Postorder<D>,
    spacing: f32,
}

/// A linear quadtree.
pub type LinearQuadtree = LinearOctree<2>;

impl<const D: usize> Default for LinearOctree<D> {
    fn default() -> Self {
        Self {
            capacity: Self::CAPACITY,
            smallest: None,
            bounds: None,
            lattice: Lattice::default(),
            order: Order::default(),
            cells: Postorder::default(),
            spacing: 0.0,
        }
    }
}

impl<const D: usize> LinearOctree<D> {
    /// Bodies in a leaf, where nothing else is said.
    pub const CAPACITY: usize = 16;
    /// The most levels below the root: codes have 60 bits, steps 30.
    const MAX_LEVELS: u32 = if D < 2 { 30 } else { 60 / D as u32 };

    /// The same tree with at most `bodies` bodies (at least 1) in a leaf, but for those in one smallest cell.
    #[must_use]
    pub fn with_capacity(mut self, bodies: usize) -> Self {
        self.capacity = bodies.max(1);
        self
    }

    /// The same tree with cells of at least `side` metres.
    #[must_use]
    pub fn with_smallest(mut self, side: f32) -> Self {
        self.smallest = (side.is_finite() && side >= 0.0).then_some(side);
        self
    }

    /// The same tree over `bounds`, whatever the positions of the bodies; those outside are an error.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Aabb<D>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// How many cells there are, with those that only hold others.
    pub fn nodes(&self) -> usize {
        self.cells.len()
    }

    fn bring(&mut self, bodies: Bodies<D>, anew: bool) -> Result<(), SpatialError> {
        if let Err(error) = bodies.check_for(self.bounds.as_ref()) {
            self.order.clear();
            self.cells.clear();
            return Err(error);
        }
        let hull = hull(bodies);
        let fits = self.bounds.is_some() || self.lattice.suits(&hull);
        let update = !anew && fits && !self.order.row.is_empty();
        if !update {
            let smallest = self.smallest.unwrap_or_else(|| mean_diameter(bodies));
            self.lattice = Lattice::over(self.bounds.as_ref(), &hull, smallest, Self::MAX_LEVELS);
        }
        let lattice = self.lattice;
        let code = |row: u32| interleave(lattice.step(bodies.position[row as usize]));
        let bits = lattice.levels * D as u32;
        if update {
            self.order.update(bodies.len(), bits, code);
        } else {
            self.order.sort(bodies.len(), bits, code);
        }
        let (codes, capacity) = (&self.order.key, self.capacity);
        let whole = lattice.levels + 1;
        let leaf = |first: usize| {
            // The largest cell without the body before it and the one that would be too many.
            let before = if first > 0 { common::<D>(codes[first - 1], codes[first]) } else { whole };
            let after = codes.get(first + capacity).map_or(whole, |&code| common::<D>(codes[first], code));
            let shift = before.min(after).saturating_sub(1);
            let cell = codes[first] >> (shift * D as u32);
            let more = codes[first + 1..].iter().take_while(|&&code| code >> (shift * D as u32) == cell);
            (first + 1 + more.count(), shift)
        };
        self.cells.build(bodies, &self.order.row, leaf, |place| common::<D>(codes[place - 1], codes[place]));
        self.spacing = lattice.spacing(self.cells.shifts(), bodies.len());
        Ok(())
    }
}

/// The mean diameter of the bodies (m).
pub(super) fn mean_diameter<const D: usize>(bodies: Bodies<D>) -> f32 {
    let sum: f64 = bodies.radius.iter().map(|&radius| f64::from(radius)).sum();
    (2.0 * sum / bodies.len().max(1) as f64) as f32
}

impl LinearQuadtree {
    /// An empty linear quadtree with the capacity, smallest cell and bounds of `tuning`.
    pub fn tuned(tuning: &Tuning) -> Self {
        Self {
            capacity: tuning.capacity.map_or(Self::CAPACITY, |bodies| bodies.max(1)),
            smallest: tuning.cell.filter(|side| side.is_finite() && *side >= 0.0),
            bounds: tuning.bounds,
            ..Self::default()
        }
    }
}

impl<const D: usize> SpatialIndex<D> for LinearOctree<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bring(bodies, true)
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bring(bodies, false)
    }

    fn pairs(&self, bodies: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.cells.pairs(bodies, visit)
    }

    fn touching(&self, _: Bodies<D>, region: &Aabb<D>, visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.cells.touching(region, visit)
    }

    fn cells(&self, region: &Aabb<D>, visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        self.cells.leaves(&self.lattice, |place| self.order.key[place], 1.0, region, visit)
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    fn bytes(&self) -> usize {
        self.order.bytes() + self.cells.bytes()
    }

    fn within(
        &self,
        _: Bodies<D>,
        point: [f32; D],
        radius: f32,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.cells.within(point, radius, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Crowd, Lie, Size, suite};

    #[test]
    fn agrees_with_brute_force() {
        for capacity in [1, 6, 40] {
            suite::<2, _>(&format!("linear {capacity}"), || LinearQuadtree::default().with_capacity(capacity));
        }
        suite::<2, _>("linear, small cells", || LinearQuadtree::default().with_smallest(0.0));
        suite::<3, _>("linear 3-D", LinearOctree::<3>::default);
        suite::<3, _>("linear 3-D 1", || LinearOctree::<3>::default().with_capacity(1).with_smallest(2.0));
    }

    #[test]
    fn leaves_hold_no_more_than_they_may_and_no_less_than_they_can() {
        for capacity in [1, 3, 10] {
            let mut crowd = Crowd::<2>::new(Lie::Clustered, Size::Mixed, 500, 4);
            let mut tree = LinearQuadtree::default().with_capacity(capacity).with_smallest(0.0);
            let mut cells = 0;
            for _ in 0..10 {
                crowd.stir();
                tree.update(crowd.bodies()).unwrap();
                let everywhere = Aabb { low: [f32::NEG_INFINITY; 2], high: [f32::INFINITY; 2] };
                let mut leaves = Vec::new();
                let _ = tree.cells(&everywhere, |cell, held| {
                    assert!(held <= capacity);
                    leaves.push((*cell, held));
                    ControlFlow::Continue(())
                });
                assert_eq!(leaves.iter().map(|leaf| leaf.1).sum::<usize>(), crowd.bodies().len());
                // Bodies of two leaves would not fit in one cell that holds both.
                assert!(leaves.windows(2).filter(|pair| pair[0].0 == pair[1].0).count() == 0);
                assert!(tree.nodes() < 2 * leaves.len());
                cells = leaves.len();
            }
            assert!(cells >= 500 / capacity);
            // All gathered: one leaf.
            crowd.position.fill([1.0, 2.0]);
            tree.update(crowd.bodies()).unwrap();
            assert_eq!(tree.nodes(), 1);
        }
    }
}
