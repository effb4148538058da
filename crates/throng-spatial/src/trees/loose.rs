//! The loose quadtree and octree: cells that reach into their neighbours.

use super::lattice::{Lattice, hull};
use super::linear::mean_diameter;
use super::morton::{common, interleave};
use super::order::Order;
use super::postorder::Postorder;
use crate::volume::Aabb;
use crate::{Bodies, SpatialError, SpatialIndex, Tuning};
use std::ops::ControlFlow;

/// A loose quadtree (`D` = 2) or octree (`D` = 3): the bounds of each cell are relaxed by a factor, by default 2. So a
/// body always fits the cell that its centre is in, on the level for its size (Ulrich 2000).
///
/// Hence each body is in exactly one cell, which follows from its size and place in O(1), and no border sends a small
/// body up to a large cell. Only cells that hold bodies are stored, sorted by Morton code with larger cells before those in
/// them, and the cells around them in which the tree branches: empty ones cost nothing.
///
/// [`update`](crate::SpatialIndex::update) compares each body's cell with that of before and merges the m changed
/// ones into the order: O(n + m log m). A query costs O(log n + bodies in the loose cells it meets), for any mix of sizes.
/// It degrades where many bodies that are small for a cell share one: cells are no smaller than two mean
/// diameters, or as said by [`with_smallest`](Self::with_smallest).
///
/// ```
/// use throng_spatial::{Bodies, LooseTree, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [30.0, 40.0]], &[0.5, 20.0], &[0, 1]);
/// let mut index = LooseTree::<2>::default();
/// index.rebuild(bodies)?;
/// assert_eq!(index.nearest(bodies, [1.0, 0.0], 5.0, |_| true), Some((0, 1.0)));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LooseTree<const D: usize> {
    looseness: f32,
    /// The least side of a cell (m), if said.
    smallest: Option<f32>,
    bounds: Option<Aabb<D>>,
    lattice: Lattice<D>,
    /// Rows by cell: the code of its corner, then its level.
    order: Order,
    cells: Postorder<D>,
    spacing: f32,
}

/// A loose quadtree.
pub type LooseQuadtree = LooseTree<2>;
/// A loose octree.
pub type LooseOctree = LooseTree<3>;

/// The bits of a key for the level: 31 - shift, so that larger cells come before those that begin at the same corner.
const LEVEL_BITS: u32 = 5;

fn shift_of(key: u64) -> u32 {
    31 - (key as u32 & 31)
}

/// The shift of the smallest cell that holds two.
fn common_cell<const D: usize>(a: u64, b: u64) -> u32 {
    common::<D>(a >> LEVEL_BITS, b >> LEVEL_BITS).max(shift_of(a)).max(shift_of(b))
}

impl<const D: usize> Default for LooseTree<D> {
    fn default() -> Self {
        Self {
            looseness: Self::LOOSENESS,
            smallest: None,
            bounds: None,
            lattice: Lattice::default(),
            order: Order::default(),
            cells: Postorder::default(),
            spacing: 0.0,
        }
    }
}

impl<const D: usize> LooseTree<D> {
    /// How many times as wide as they are cells count, where nothing is said.
    pub const LOOSENESS: f32 = 2.0;

    /// The most levels below the root: keys have 64 bits, steps 29.
    const MAX_LEVELS: u32 = if D < 2 { 29 } else { 58 / D as u32 };

    /// The same tree with cells whose bounds are `factor` times as wide as they are (at least 1.01, at most 100).
    #[must_use]
    pub fn with_looseness(mut self, factor: f32) -> Self {
        self.looseness = if factor.is_finite() { factor.clamp(1.01, 100.0) } else { Self::LOOSENESS };
        self
    }

    /// The same tree with cells of at least `side` metres.
    #[must_use]
    pub fn with_smallest(mut self, side: f32) -> Self {
        self.smallest = (side.is_finite() && side > 0.0).then_some(side);
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
            let smallest = self.smallest.unwrap_or_else(|| match mean_diameter(bodies) {
                // Points: by the spacing they had if they were spread evenly.
                0.0 => {
                    let side = (0..D).map(|axis| f64::from(hull.high[axis]) - f64::from(hull.low[axis]));
                    let spacing = side.fold(0.0, f64::max) / libm::pow(bodies.len().max(1) as f64, 1.0 / D as f64);
                    (spacing / 16.0) as f32
                }
                diameter => diameter * 2.0,
            });
            self.lattice = Lattice::over(self.bounds.as_ref(), &hull, smallest, Self::MAX_LEVELS);
        }
        let lattice = self.lattice;
        let widen = 2.0 / (self.looseness - 1.0);
        let key = |row: u32| {
            let shift = lattice.shift_for(bodies.radius[row as usize] * widen);
            let corner = lattice.step(bodies.position[row as usize]).map(|x| x >> shift << shift);
            interleave(corner) << LEVEL_BITS | u64::from(31 - shift)
        };
        let bits = lattice.levels * D as u32 + LEVEL_BITS;
        if update {
            self.order.update(bodies.len(), bits, key);
        } else {
            self.order.sort(bodies.len(), bits, key);
        }
        let keys = &self.order.key;
        let cell = |first: usize| {
            let more = keys[first + 1..].iter().take_while(|&&key| key == keys[first]);
            (first + 1 + more.count(), shift_of(keys[first]))
        };
        self.cells.build(bodies, &self.order.row, cell, |place| common_cell::<D>(keys[place - 1], keys[place]));
        self.spacing = lattice.spacing(self.cells.shifts(), bodies.len());
        Ok(())
    }
}

impl LooseQuadtree {
    /// An empty loose quadtree with the smallest cell and bounds of `tuning`.
    pub fn tuned(tuning: &Tuning) -> Self {
        let smallest = tuning.cell.filter(|side| side.is_finite() && *side > 0.0);
        let tree = Self { smallest, bounds: tuning.bounds, ..Self::default() };
        tree.with_looseness(tuning.looseness.unwrap_or(Self::LOOSENESS))
    }
}

impl<const D: usize> SpatialIndex<D> for LooseTree<D> {
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
        self.cells.leaves(&self.lattice, |place| self.order.key[place] >> LEVEL_BITS, self.looseness, region, visit)
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
        suite::<2, _>("loose", LooseQuadtree::default);
        suite::<2, _>("loose 1.3", || LooseQuadtree::default().with_looseness(1.3));
        suite::<2, _>("loose, large cells", || LooseQuadtree::default().with_smallest(5.0).with_looseness(4.0));
        suite::<3, _>("loose 3-D", LooseOctree::default);
        suite::<3, _>("loose 3-D, large cells", || LooseOctree::default().with_smallest(5.0));
    }

    #[test]
    fn each_body_is_in_one_loose_cell_that_holds_it() {
        for lie in [Lie::Uniform, Lie::Clustered, Lie::Lattice] {
            for looseness in [1.5, 2.0, 3.0] {
                let mut crowd = Crowd::<2>::new(lie, Size::Mixed, 200, 4);
                let mut tree = LooseQuadtree::default().with_looseness(looseness);
                for _ in 0..5 {
                    crowd.stir();
                    tree.update(crowd.bodies()).unwrap();
                    let everywhere = Aabb { low: [f32::NEG_INFINITY; 2], high: [f32::INFINITY; 2] };
                    let mut place = tree.order.row.len();
                    let _ = tree.cells(&everywhere, |cell, held| {
                        // Cells are shown from the last to the first.
                        for &row in &tree.order.row[place - held..place] {
                            let ball = crowd.bodies().ball(row as usize);
                            for axis in 0..2 {
                                assert!(ball.centre[axis] - ball.radius >= cell.low[axis] - 1e-3);
                                assert!(ball.centre[axis] + ball.radius <= cell.high[axis] + 1e-3);
                            }
                        }
                        place -= held;
                        ControlFlow::Continue(())
                    });
                    assert_eq!(place, 0);
                    assert!(tree.nodes() < 2 * crowd.bodies().len());
                }
            }
        }
    }

    #[test]
    fn size_alone_decides_the_level() {
        let position = [[0.0, 0.0], [50.0, 0.0], [100.0, 100.0], [60.0, 60.0]];
        let mut tree = LooseQuadtree::default().with_smallest(0.5);
        tree.rebuild(Bodies::new(&position, &[1.0, 1.0, 20.0, 20.0], &[0, 1, 2, 3])).unwrap();
        let level = |row: u32| shift_of(tree.order.key[tree.order.row.iter().position(|&r| r == row).unwrap()]);
        assert_eq!(level(0), level(1));
        assert_eq!(level(2), level(3));
        let side = |row: u32| tree.lattice.side(level(row));
        assert!((2.0..4.0).contains(&side(0)) && (40.0..80.0).contains(&side(2)), "{} {}", side(0), side(2));
    }
}
