//! A tree of cells in one array, without links: children before their parent.
//!
//! Cells that would have one child alone are left out, so that there are fewer inner cells than leaves, however deep the
//! tree is.

use super::lattice::Lattice;
use super::morton::separate;
use crate::Bodies;
use crate::bodies::{around, larger, meet, union};
use crate::volume::{Aabb, distance_squared};
use std::ops::{ControlFlow, Range};

/// The cells, and the bodies in the order of the leaves.
#[derive(Clone, Debug)]
pub(super) struct Postorder<const D: usize> {
    cells: Vec<Cell<D>>,
    pub(super) row: Vec<u32>,
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
    /// The bodies' boxes.
    bounds: Vec<Aabb<D>>,
}

/// A leaf, or a cell with two and more children.
#[derive(Clone, Copy, Debug)]
struct Cell<const D: usize> {
    /// The box around its bodies (m).
    bounds: Aabb<D>,
    /// Its bodies' places.
    first: u32,
    end: u32,
    /// The first cell in it: itself where it is a leaf.
    begin: u32,
    /// It is 2^shift steps wide.
    shift: u32,
}

impl<const D: usize> Cell<D> {
    fn places(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

impl<const D: usize> Default for Postorder<D> {
    fn default() -> Self {
        Self { cells: Vec::new(), row: Vec::new(), position: Vec::new(), radius: Vec::new(), bounds: Vec::new() }
    }
}

impl<const D: usize> Postorder<D> {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.row.clear();
        self.position.clear();
        self.radius.clear();
        self.bounds.clear();
    }

    /// Builds the tree over rows that are in order. Of the first place of a leaf, `leaf` tells where the leaf ends and
    /// its shift. Of a place, `common` tells the shift of the smallest cell that holds it and the place before.
    pub(super) fn build(
        &mut self,
        bodies: Bodies<D>,
        rows: &[u32],
        leaf: impl Fn(usize) -> (usize, u32),
        common: impl Fn(usize) -> u32,
    ) {
        self.clear();
        self.row.extend_from_slice(rows);
        self.position.extend(rows.iter().map(|&row| bodies.position[row as usize]));
        self.radius.extend(rows.iter().map(|&row| bodies.radius[row as usize]));
        let balls = self.position.iter().zip(&self.radius);
        self.bounds.extend(balls.map(|(&centre, &radius)| around(centre, radius)));
        // Cells that are begun: their shifts, first cells and first places. They are nested, so there are few.
        let mut open = [(0, 0, 0); 33];
        let mut count = 0;
        let mut place = 0;
        while place < rows.len() {
            let (end, shift) = leaf(place);
            let mut begin = self.cells.len() as u32;
            let mut first = place as u32;
            let bounds = self.hull(place..end);
            self.cells.push(Cell { bounds, first, end: end as u32, begin, shift });
            let shift = if end < rows.len() { common(end) } else { u32::MAX };
            // All that do not hold the next leaf are complete.
            while count > 0 && open[count - 1].0 < shift {
                count -= 1;
                let shift;
                (shift, begin, first) = open[count];
                let bounds = self.around_children(begin);
                self.cells.push(Cell { bounds, first, end: end as u32, begin, shift });
            }
            if end < rows.len() && (count == 0 || open[count - 1].0 > shift) {
                open[count] = (shift, begin, first);
                count += 1;
            }
            place = end;
        }
    }

    /// The box around the bodies at some places.
    #[inline]
    fn hull(&self, places: Range<usize>) -> Aabb<D> {
        let mut hull = Aabb { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] };
        for bounds in &self.bounds[places] {
            hull = union(&hull, bounds);
        }
        hull
    }

    /// The box around the last cells, back to `begin`, that are in no other one.
    fn around_children(&self, begin: u32) -> Aabb<D> {
        let mut child = &self.cells[self.cells.len() - 1];
        let mut bounds = child.bounds;
        while child.begin != begin {
            child = &self.cells[child.begin as usize - 1];
            bounds = union(&bounds, &child.bounds);
        }
        bounds
    }

    /// How wide each leaf is: 2^shift steps.
    pub(super) fn shifts(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().zip(0..).filter(|(cell, index)| cell.begin == *index).map(|(cell, _)| cell.shift)
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell<D>>()
            + self.position.capacity() * size_of::<[f32; D]>()
            + self.bounds.capacity() * size_of::<Aabb<D>>()
            + (self.row.capacity() + self.radius.capacity()) * 4
    }

    /// Calls `visit` with each leaf where `enter` holds for it and all cells around it.
    #[inline]
    fn walk(
        &self,
        enter: impl Fn(&Cell<D>) -> bool,
        mut visit: impl FnMut(&Cell<D>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut left = self.cells.len();
        while left > 0 {
            let cell = &self.cells[left - 1];
            if !enter(cell) {
                left = cell.begin as usize;
                continue;
            }
            left -= 1;
            if cell.begin as usize == left {
                visit(cell)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with the leaves whose cells, made `loose` times as wide, share a point with `region`, and how many
    /// bodies each holds. `code` tells the code of the body at a place.
    pub(super) fn leaves(
        &self,
        lattice: &Lattice<D>,
        code: impl Fn(usize) -> u64,
        loose: f32,
        region: &Aabb<D>,
        mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bounds = |cell: &Cell<D>| {
            let shift = cell.shift;
            let corner = separate::<D>(code(cell.first as usize)).map(|x| x >> shift << shift);
            let mut bounds = lattice.cell(corner, shift);
            let slack = ((f64::from(loose) - 1.0) * 0.5 * lattice.side(shift)) as f32;
            for axis in 0..D {
                bounds.low[axis] -= slack;
                bounds.high[axis] += slack;
            }
            bounds
        };
        self.walk(|cell| meet(&bounds(cell), region), |leaf| visit(&bounds(leaf), leaf.places().len()))
    }

    pub(super) fn touching(&self, region: &Aabb<D>, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.walk(
            |cell| meet(&cell.bounds, region),
            |leaf| {
                for place in leaf.places() {
                    if meet(&self.bounds[place], region) {
                        visit(self.row[place])?;
                    }
                }
                ControlFlow::Continue(())
            },
        )
    }

    pub(super) fn within(
        &self,
        point: [f32; D],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (limit, region) = (radius.max(0.0) * radius, around(point, radius));
        self.walk(
            |cell| meet(&cell.bounds, &region),
            |leaf| {
                for place in leaf.places() {
                    let squared = distance_squared(self.position[place], point);
                    if squared < limit {
                        visit(self.row[place], squared)?;
                    }
                }
                ControlFlow::Continue(())
            },
        )
    }

    pub(super) fn pairs(&self, bodies: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut join = Join { tree: self, bodies, tests: 0, visit };
        if let Some(root) = self.cells.len().checked_sub(1) {
            let _ = join.inside(root);
        }
        join.tests
    }
}

/// As [`meet`], without branches that are mispredicted: for boxes that are finite, whose gaps have the right sign.
#[inline]
fn touch<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> bool {
    let mut gap = f32::NEG_INFINITY;
    for axis in 0..D {
        gap = larger(gap, larger(a.low[axis] - b.high[axis], b.low[axis] - a.high[axis]));
    }
    gap <= 0.0
}

/// Bodies of a leaf that are looked at together.
const LEAF_CHUNK_BODIES: usize = 32;

/// The tree against itself: two cells are looked into where their boxes meet, so that no cell is searched for.
struct Join<'a, const D: usize, V> {
    tree: &'a Postorder<D>,
    bodies: Bodies<'a, D>,
    tests: u64,
    visit: V,
}

impl<const D: usize, V: FnMut(u32, u32) -> ControlFlow<()>> Join<'_, D, V> {
    /// All pairs of bodies in a cell.
    fn inside(&mut self, cell: usize) -> ControlFlow<()> {
        let Cell { begin, .. } = self.tree.cells[cell];
        if begin as usize == cell {
            let places = self.tree.cells[cell].places();
            return places.clone().try_for_each(|place| self.test(place, place + 1..places.end));
        }
        let mut child = cell - 1;
        loop {
            self.inside(child)?;
            let mut other = self.tree.cells[child].begin;
            if other == begin {
                return ControlFlow::Continue(());
            }
            let next = other as usize - 1;
            while other != begin {
                self.across(child, other as usize - 1)?;
                other = self.tree.cells[other as usize - 1].begin;
            }
            child = next;
        }
    }

    /// Writes the places of bodies whose boxes meet another box. Returns how many there are.
    #[inline]
    fn meeting(&self, places: Range<usize>, bounds: &Aabb<D>, found: &mut [u32; LEAF_CHUNK_BODIES]) -> usize {
        let mut count = 0;
        for (own, place) in self.tree.bounds[places.clone()].iter().zip(places.start as u32..) {
            // Always written, counted only where they meet: no branch to mispredict.
            found[count % LEAF_CHUNK_BODIES] = place;
            count += usize::from(touch(own, bounds));
        }
        count
    }

    /// All pairs of a body in one cell and a body in another.
    fn across(&mut self, one: usize, two: usize) -> ControlFlow<()> {
        let (a, b) = (&self.tree.cells[one], &self.tree.cells[two]);
        if !touch(&a.bounds, &b.bounds) {
            return ControlFlow::Continue(());
        }
        let leaves = (a.begin as usize == one, b.begin as usize == two);
        if leaves == (true, true) {
            let (first, second) = (a.bounds, b.bounds);
            let (places, others) = (a.places(), b.places());
            let (mut near, mut nearby) = ([0; LEAF_CHUNK_BODIES], [0; LEAF_CHUNK_BODIES]);
            for start in places.clone().step_by(LEAF_CHUNK_BODIES) {
                let count = self.meeting(start..places.end.min(start + LEAF_CHUNK_BODIES), &second, &mut near);
                if count == 0 {
                    continue;
                }
                for start in others.clone().step_by(LEAF_CHUNK_BODIES) {
                    let others = self.meeting(start..others.end.min(start + LEAF_CHUNK_BODIES), &first, &mut nearby);
                    for &place in &near[..count] {
                        self.test(place as usize, nearby[..others].iter().map(|&place| place as usize))?;
                    }
                }
            }
            return ControlFlow::Continue(());
        }
        // The larger one is opened.
        let (open, other) = if leaves.1 || !leaves.0 && a.shift > b.shift { (one, two) } else { (two, one) };
        let begin = self.tree.cells[open].begin;
        let mut end = open as u32;
        while end != begin {
            self.across(end as usize - 1, other)?;
            end = self.tree.cells[end as usize - 1].begin;
        }
        ControlFlow::Continue(())
    }

    /// Tests the body at a place against those at others.
    #[inline]
    fn test(&mut self, place: usize, others: impl Iterator<Item = usize>) -> ControlFlow<()> {
        let tree = self.tree;
        let (row, position, radius) = (tree.row[place], tree.position[place], tree.radius[place]);
        let rests = self.bodies.rests(row as usize);
        for place in others {
            let other = tree.row[place];
            if rests && self.bodies.rests(other as usize) {
                continue;
            }
            self.tests += 1;
            let reach = radius + tree.radius[place];
            if distance_squared(position, tree.position[place]) < reach * reach {
                (self.visit)(row.min(other), row.max(other))?;
            }
        }
        ControlFlow::Continue(())
    }
}
