//! The axis-aligned BSP: the largest side of a cell is cut in the middle; a body that straddles a cut stays at it.

use super::bodies::around;
use super::hierarchy::{Boxed, Entry, Hierarchy, MAX_LEAF_BODIES, asks_tree, hull as centres, partition};
use super::kd_tree::{Halving, KdAxis, KdCut};
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::Aabb;

/// A binary space partition by planes across the axes: a cell that is over capacity is cut across its largest side, in
/// the middle; a body that straddles the cut stays at the node, the others go down (the MX-CIF quadtree of Samet 1990,
/// with two children in place of four). Cells that a cut would leave empty on one side are narrowed at once, so that no
/// empty nodes are made.
///
/// `update` is incremental: each body looks for its node from where it was, up until its cell holds the body and down
/// while a child's does; then cells over capacity are cut, and those that hold no more than half of it with all below
/// them are joined. O(n) while most bodies stay in their cells. A body that has left the root stays at it until they
/// are more than the capacity: then the root grows.
///
/// The candidates of a body are those at its node, above it, and in the children below that it touches. Where many
/// straddle one cut, they have a small k-d tree of their own at the node. So a body at a plane of the root costs no
/// more than another. Many bodies on one point end in one cell, which is as deep as the halvings of the root down to
/// the smallest side, or to the last place of `f32`.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{AxisBsp, Bodies, SpatialIndex};
/// let mut index = AxisBsp::default().with_capacity(1);
/// let mut position = [[0.0, 0.0], [9.0, 1.0], [9.5, 1.0]];
/// index.rebuild(Bodies::new(&position, &[0.5; 3], &[0, 1, 2]))?;
/// position[0] = [8.5, 1.5];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// index.update(bodies)?;
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// pairs.sort_unstable();
/// assert_eq!(pairs, [(0, 1), (1, 2)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AxisBsp<const D: usize> {
    capacity: usize,
    /// No side is cut to less than this (m).
    smallest: f32,
    bounds: Option<Aabb<D>>,
    /// The cells, each before those below it: the one after a cell is its first child, if it has any.
    cells: Vec<Cell<D>>,
    /// Those of the next update.
    next: Vec<Cell<D>>,
    /// The cell that keeps each row.
    home: Vec<u32>,
    /// The places of the bodies of cell c are `start[c]..start[c + 1]`.
    start: Vec<u32>,
    tree: Hierarchy<D, Boxed<D>>,
}

#[derive(Clone, Copy, Debug)]
struct Cell<const D: usize> {
    /// Every body below is inside this box.
    bounds: Aabb<D>,
    parent: u32,
    /// The next cell that is not below this one.
    skip: u32,
}

const NONE: u32 = u32::MAX;

/// Where a cell is cut.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    at: f32,
}

impl Cut {
    /// Whether a stretch along the axis is on the lower side alone. One that ends just at the cut is not, so that no two
    /// bodies that touch are on different sides.
    #[inline]
    fn is_above(self, high: f32) -> bool {
        high < self.at
    }

    #[inline]
    fn is_below(self, low: f32) -> bool {
        low >= self.at
    }

    /// The bounds of a body along the axis.
    #[inline]
    fn stretch<const D: usize>(self, entry: &Entry<D>) -> (f32, f32) {
        let bounds = around([entry.at[self.axis]], entry.radius);
        (bounds.low[0], bounds.high[0])
    }

    #[inline]
    fn straddled<const D: usize>(self, entry: &Entry<D>) -> bool {
        let (low, high) = self.stretch(entry);
        !self.is_above(high) & !self.is_below(low)
    }

    fn halves<const D: usize>(self, cell: Aabb<D>) -> [Aabb<D>; 2] {
        let (mut lower, mut upper) = (cell, cell);
        lower.high[self.axis] = self.at;
        upper.low[self.axis] = self.at;
        [lower, upper]
    }
}

#[inline]
fn holds<const D: usize>(cell: &Aabb<D>, body: &Aabb<D>) -> bool {
    let mut inside = true;
    for axis in 0..D {
        inside &= cell.low[axis] <= body.low[axis] && body.high[axis] <= cell.high[axis];
    }
    inside
}

/// The box around the bounds of some bodies, or a larger one where their radii differ.
fn hull<const D: usize>(entries: &[Entry<D>]) -> Aabb<D> {
    let (low, high) = centres(entries.iter().map(|entry| entry.at));
    let widest =
        entries.iter().fold(0.0_f32, |widest, entry| if entry.radius > widest { entry.radius } else { widest });
    Boxed { low, high, widest }.bounds()
}

impl<const D: usize> Default for AxisBsp<D> {
    fn default() -> Self {
        Self {
            capacity: Self::CAPACITY,
            smallest: 0.0,
            bounds: None,
            cells: Vec::new(),
            next: Vec::new(),
            home: Vec::new(),
            start: Vec::new(),
            tree: Hierarchy::default(),
        }
    }
}

impl AxisBsp<2> {
    /// An empty partition with the capacity, smallest cell and bounds of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        let mut index = Self { bounds: tuning.bounds, ..Self::default() };
        if let Some(capacity) = tuning.capacity {
            index = index.with_capacity(capacity);
        }
        if let Some(side) = tuning.cell {
            index = index.with_smallest(side);
        }
        index
    }
}

impl<const D: usize> AxisBsp<D> {
    /// The most bodies of a cell that is not cut, where nothing else is asked for.
    pub const CAPACITY: usize = 32;
    /// The greatest capacity.
    pub const MAX_CAPACITY: usize = MAX_LEAF_BODIES;

    /// The same partition with cells that are cut over `capacity` bodies, from 1 to [`AxisBsp::MAX_CAPACITY`].
    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity.clamp(1, Self::MAX_CAPACITY);
        self
    }

    /// The same partition with no side cut to less than `side` (m).
    #[must_use]
    pub fn with_smallest(mut self, side: f32) -> Self {
        self.smallest = if side.is_finite() { side.max(0.0) } else { 0.0 };
        self
    }

    /// The same partition with a root that is `bounds`: bodies whose centres are outside are an error.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Aabb<D>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.home.clear();
        self.tree.clear();
    }

    fn check(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        let fit = bodies.check_for(self.bounds.as_ref());
        if fit.is_err() {
            self.clear();
        }
        fit
    }

    /// The cut of a cell across its largest side, unless that is too small.
    #[inline]
    fn cut(&self, cell: &Aabb<D>) -> Option<Cut> {
        let axis = (1..D).fold(0, |widest, axis| if cell.side(axis) > cell.side(widest) { axis } else { widest });
        let (low, high) = (cell.low[axis], cell.high[axis]);
        let at = low * 0.5 + high * 0.5;
        (low < at && at < high && (high - low) * 0.5 >= self.smallest).then_some(Cut { axis, at })
    }

    /// The root for the entries: room on all sides for bodies that move.
    fn root(&self) -> Aabb<D> {
        let hull = hull(&self.tree.entries);
        let mut root = self.bounds.unwrap_or(hull);
        for axis in 0..D {
            let room = root.side(axis) / 16.0;
            root.low[axis] = (root.low[axis] - room).min(hull.low[axis]);
            root.high[axis] = (root.high[axis] + room).max(hull.high[axis]);
        }
        root
    }

    /// Builds everything from the entries.
    fn build(&mut self) {
        self.next.clear();
        self.tree.nodes.clear();
        let count = self.tree.entries.len();
        if count > 0 {
            let root = self.root();
            self.grow(0, count, root, NONE);
        }
        self.finish();
    }

    fn finish(&mut self) {
        std::mem::swap(&mut self.cells, &mut self.next);
        self.tree.settle();
        self.tree.fit();
    }

    /// Opens a cell that keeps some entries; returns it and its node.
    fn open(&mut self, first: usize, kept: usize, bounds: Aabb<D>, parent: u32) -> (usize, usize) {
        let at = self.next.len();
        self.next.push(Cell { bounds, parent, skip: 0 });
        for entry in &self.tree.entries[first..first + kept] {
            self.home[entry.row as usize] = at as u32;
        }
        if kept <= self.capacity {
            return (at, self.tree.open(Boxed::NONE, first, kept));
        }
        let node = self.tree.open(Boxed::NONE, first, 0);
        let halving = Halving { cut: KdCut::Median, axis: KdAxis::Widest, capacity: self.capacity };
        halving.grow(&mut self.tree, first, first + kept, 0);
        (at, node)
    }

    fn close(&mut self, (cell, node): (usize, usize)) {
        self.next[cell].skip = self.next.len() as u32;
        self.tree.close(node);
    }

    /// Adds a cell for some entries, and all below it.
    fn grow(&mut self, first: usize, last: usize, mut cell: Aabb<D>, parent: u32) {
        let over = last - first > self.capacity;
        let Some(cut) = over.then(|| self.narrow(&mut cell, first, last)).flatten() else {
            let opened = self.open(first, last - first, cell, parent);
            self.close(opened);
            return;
        };
        let entries = &mut self.tree.entries[first..last];
        let kept = partition(entries, |entry| cut.straddled(entry));
        let below = partition(&mut entries[kept..], |entry| cut.is_above(cut.stretch(entry).1));
        let opened = self.open(first, kept, cell, parent);
        let (middle, parent) = (first + kept + below, opened.0 as u32);
        let [lower, upper] = cut.halves(cell);
        if below > 0 {
            self.grow(first + kept, middle, lower, parent);
        }
        if middle < last {
            self.grow(middle, last, upper, parent);
        }
        self.close(opened);
    }

    /// Halves a cell while all of its bodies are on one side of the cut. Returns the first cut that divides them.
    fn narrow(&self, cell: &mut Aabb<D>, first: usize, last: usize) -> Option<Cut> {
        let hull = hull(&self.tree.entries[first..last]);
        loop {
            let cut = self.cut(cell)?;
            let [lower, upper] = cut.halves(*cell);
            if cut.is_above(hull.high[cut.axis]) {
                *cell = lower;
            } else if cut.is_below(hull.low[cut.axis]) {
                *cell = upper;
            } else {
                return Some(cut);
            }
        }
    }

    /// The cell that keeps a body, found from where it was; `None` outside of the root.
    #[inline]
    fn find(&self, from: u32, body: &Aabb<D>) -> Option<u32> {
        let mut at = from;
        while !holds(&self.cells[at as usize].bounds, body) {
            at = self.cells[at as usize].parent;
            if at == NONE {
                return None;
            }
        }
        let mut child = at + 1;
        while child < self.cells[at as usize].skip {
            if holds(&self.cells[child as usize].bounds, body) {
                at = child;
                child += 1;
            } else {
                child = self.cells[child as usize].skip;
            }
        }
        Some(at)
    }

    /// Finds the cells of all bodies and brings the entries into their order. Returns how many are outside of the root.
    fn move_home(&mut self, bodies: Bodies<D>) -> usize {
        let mut outside = 0;
        self.home.resize(bodies.len(), 0);
        self.start.clear();
        self.start.resize(self.cells.len() + 1, 0);
        for row in 0..bodies.len() {
            let found = self.find(self.home[row], &bodies.bounds(row));
            outside += usize::from(found.is_none());
            let home = found.unwrap_or(0);
            self.home[row] = home;
            self.start[home as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.tree.entries.resize(bodies.len(), Entry { at: [0.0; D], radius: 0.0, row: 0 });
        // From the end of each cell backwards: keeps the order, and leaves the starts behind.
        for row in (0..bodies.len()).rev() {
            let start = &mut self.start[self.home[row] as usize];
            *start -= 1;
            let (at, radius) = (bodies.position[row], bodies.radius[row]);
            self.tree.entries[*start as usize] = Entry { at, radius, row: row as u32 };
        }
        outside
    }

    /// Takes a cell and all below it over from the last update: cut where it is over capacity, joined where it is under.
    fn renew(&mut self, at: usize, parent: u32) {
        let Cell { bounds, skip, .. } = self.cells[at];
        let place = |cell: usize| self.start[cell] as usize;
        let (first, kept, last) = (place(at), place(at + 1), place(skip as usize));
        let (count, is_leaf) = (last - first, skip as usize == at + 1);
        if count == 0 && parent != NONE {
            return;
        }
        if count <= if is_leaf { self.capacity } else { self.capacity / 2 } {
            let opened = self.open(first, count, bounds, parent);
            self.close(opened);
        } else if is_leaf || self.is_loose(&bounds, first, kept) {
            self.grow(first, last, bounds, parent);
        } else {
            let opened = self.open(first, kept - first, bounds, parent);
            let mut child = at + 1;
            while child < skip as usize {
                self.renew(child, opened.0 as u32);
                child = self.cells[child].skip as usize;
            }
            self.close(opened);
        }
    }

    /// Whether too many bodies are kept at a cell though they do not straddle its cut: they have come to where no child
    /// is yet.
    fn is_loose(&self, cell: &Aabb<D>, first: usize, kept: usize) -> bool {
        let entries = &self.tree.entries[first..kept];
        entries.len() > self.capacity
            && self
                .cut(cell)
                .is_some_and(|cut| entries.iter().filter(|entry| !cut.straddled(entry)).count() > self.capacity)
    }
}

impl<const D: usize> SpatialIndex<D> for AxisBsp<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        self.check(bodies)?;
        self.tree.enter(bodies);
        self.home.resize(bodies.len(), 0);
        self.build();
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.check(bodies)?;
        if self.cells.is_empty() || bodies.is_empty() {
            return self.rebuild(bodies);
        }
        if self.move_home(bodies) > self.capacity {
            self.build();
            return Ok(());
        }
        self.next.clear();
        self.tree.nodes.clear();
        self.renew(0, NONE);
        self.finish();
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
            + (self.cells.capacity() + self.next.capacity()) * size_of::<Cell<D>>()
            + (self.home.capacity() + self.start.capacity()) * size_of::<u32>()
    }

    asks_tree!(D);
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Crowd, LIES, Lie, Size, suite};
    use super::*;

    fn agrees<const D: usize>() {
        for (capacity, smallest) in [(1, 0.0), (4, 0.0), (12, 0.0), (64, 0.0), (2, 3.0)] {
            suite::<D, _>(&format!("axis BSP, {capacity} from {smallest} m"), || {
                AxisBsp::<D>::default().with_capacity(capacity).with_smallest(smallest)
            });
        }
    }

    #[test]
    fn agrees_in_the_plane() {
        agrees::<2>();
    }

    #[test]
    fn agrees_in_space() {
        agrees::<3>();
    }

    /// Cells are inside of their parents, and bodies inside of their cells, but for some at the root.
    fn check<const D: usize>(index: &AxisBsp<D>, bodies: Bodies<D>) {
        index.tree.check(bodies, index.capacity);
        for (at, cell) in index.cells.iter().enumerate().skip(1) {
            let parent = &index.cells[cell.parent as usize];
            assert!((cell.parent as usize) < at && cell.skip <= parent.skip && holds(&parent.bounds, &cell.bounds));
        }
        assert_eq!(index.home.len(), bodies.len());
        let outside = |row: usize| !holds(&index.cells[index.home[row] as usize].bounds, &bodies.bounds(row));
        let outsiders = (0..bodies.len()).filter(|&row| outside(row)).count();
        assert!(outsiders <= index.capacity, "{outsiders}");
    }

    #[test]
    fn updates_keep_the_cells_right() {
        for lie in LIES {
            let mut crowd = Crowd::<2>::new(lie, Size::Giants, 300, 2);
            let mut index = AxisBsp::default().with_capacity(4);
            index.rebuild(crowd.bodies()).unwrap();
            check(&index, crowd.bodies());
            for _ in 0..40 {
                crowd.stir();
                index.update(crowd.bodies()).unwrap();
                check(&index, crowd.bodies());
            }
        }
    }

    #[test]
    fn cells_are_cut_and_joined() {
        let mut crowd = Crowd::<2>::new(Lie::Uniform, Size::Zero, 400, 3);
        crowd.resting.clear();
        let mut index = AxisBsp::default().with_capacity(8);
        index.rebuild(crowd.bodies()).unwrap();
        let many = index.cells.len();
        assert!(many > 50, "{many}");
        let few = Bodies::new(&crowd.position[..6], &crowd.radius[..6], &crowd.id[..6]);
        index.update(few).unwrap();
        assert!(index.cells.len() <= 3, "{}", index.cells.len());
        index.update(crowd.bodies()).unwrap();
        assert!(index.cells.len() > many / 2, "{} of {many}", index.cells.len());
    }

    #[test]
    fn bounded_ones_name_who_is_outside() {
        let bounds = Some(Aabb { low: [0.0, -5.0], high: [10.0, 5.0] });
        let mut index = AxisBsp::new(&Tuning { bounds, ..Tuning::default() });
        let position = [[0.0, 0.0], [3.0, 6.0]];
        let bodies = Bodies::new(&position, &[1.0; 2], &[4, 8]);
        let expected = "body 8 (row 1) is at y = 6 m, outside the index, which spans -5 to 5 m; make its bounds wider, or \
                        use one without bounds";
        assert_eq!(index.rebuild(bodies).unwrap_err().to_string(), expected);
        index.rebuild(Bodies::new(&position[..1], &[1.0], &[4])).unwrap();
        assert_eq!(index.update(bodies).unwrap_err().to_string(), expected);
    }
}
