//! The distances to the nearest wall after an edit.

use super::{Area, half_cell, metres, transform};
use crate::{Cell, Grid, Lattice, Layer};

/// Makes the clearance of a map that of `grid`, which is different in the `dirty` cells and no others: to the last bit what
/// is made anew. `false` where starting over would be sooner; the layer is then of no use.
///
/// Where a cell was closed, the cells around get the distance to it where that is less: O(those). Where one was opened, the
/// distances that were those to it are taken anew, with all walls that can be the nearest now: O(the area of those).
pub(crate) fn mend(layer: &mut Layer<f32>, grid: &Grid, dirty: &[Cell]) -> bool {
    try_mend(layer, grid, dirty).is_some()
}

fn try_mend(layer: &mut Layer<f32>, grid: &Grid, dirty: &[Cell]) -> Option<()> {
    // Half of the cost of starting over.
    let mut budget = Budget(layer.cells.len() / 2);
    let mut patches: Vec<Patch> = Vec::new();
    let changed = dirty.iter().copied().filter(|&cell| grid.is_open(cell) != (layer[cell] > 0.0));
    let (opened, closed): (Vec<Cell>, Vec<Cell>) = changed.partition(|&cell| grid.is_open(cell));
    for cell in opened {
        budget.spend(patches.len())?;
        join(&mut patches, Patch::around(layer, grid, cell, &mut budget)?, layer.lattice);
    }
    let half = half_cell(layer.lattice);
    for patch in patches {
        budget.spend(patch.cells())?;
        // Walls beyond the patch are further away than this.
        let exact = (2 * i64::from(patch.reach) + 1).pow(2);
        transform(grid, patch.outer, patch.inner, |cell, halves| {
            if halves <= exact {
                layer.cells[cell] = metres(halves, half);
            }
        });
    }
    for cell in closed {
        layer[cell] = 0.0;
        rings(layer, cell, &mut budget, |old, new, _| *old = old.min(new))?;
    }
    Some(())
}

/// How many cells may still be looked at.
struct Budget(usize);

impl Budget {
    fn spend(&mut self, cells: usize) -> Option<()> {
        self.0 = self.0.checked_sub(cells)?;
        Some(())
    }
}

/// Calls `visit` with the clearance of each cell around `cell` to which `cell` may be the nearest wall, the distance to it,
/// and the offset; ring by ring, as far as any cell of the ring is as near to it as to a wall.
///
/// The way from a cell straight to its nearest wall leads through every ring between them, and all its points have the same
/// nearest wall. A cell of the ring is at most half a cell from such a point, so both its distances are off by no more: a
/// ring without such a cell is the last.
fn rings(
    layer: &mut Layer<f32>,
    cell: Cell,
    budget: &mut Budget,
    mut visit: impl FnMut(&mut f32, f32, (i32, i32)),
) -> Option<()> {
    let lattice = layer.lattice;
    let half = half_cell(lattice);
    let slack = lattice.cell_size * 1.01;
    let (x, y) = lattice.column_row(cell);
    let (left, top) = (-(x as i32), -(y as i32));
    let (right, bottom) = ((lattice.width - 1 - x) as i32, (lattice.height - 1 - y) as i32);
    let squares = |d: i32| i64::from(2 * d.abs() - 1).max(0).pow(2);
    let stride = lattice.stride as i32;
    for ring in 1..=lattice.width.max(lattice.height) as i32 {
        budget.spend(8 * ring as usize)?;
        let mut near = false;
        let mut look = |dx: i32, dy: i32| {
            let old = &mut layer.cells[cell.index().wrapping_add_signed((dy * stride + dx) as isize)];
            let new = metres(squares(dx) + squares(dy), half);
            near |= new <= *old + slack;
            visit(old, new, (dx, dy));
        };
        for dy in [-ring, ring].into_iter().filter(|dy| (top..=bottom).contains(dy)) {
            ((-ring).max(left)..=ring.min(right)).for_each(|dx| look(dx, dy));
        }
        for dx in [-ring, ring].into_iter().filter(|dx| (left..=right).contains(dx)) {
            ((1 - ring).max(top)..=(ring - 1).min(bottom)).for_each(|dy| look(dx, dy));
        }
        if !near {
            break;
        }
    }
    Some(())
}

/// Cells whose distances are to be taken anew.
#[derive(Clone, Copy, Debug)]
struct Patch {
    inner: Area,
    /// The nearest walls of those cells are at most so far from them (cells).
    reach: u32,
    /// The area of all walls that matter.
    outer: Area,
}

impl Patch {
    /// The cells whose nearest wall was this one, which is open now.
    fn around(layer: &mut Layer<f32>, grid: &Grid, cell: Cell, budget: &mut Budget) -> Option<Self> {
        let lattice = layer.lattice;
        let (x, y) = lattice.column_row(cell);
        let (x, y) = (x + 1, y + 1);
        let mut inner = Area { left: x, top: y, right: x, bottom: y };
        let mut far = 0;
        rings(layer, cell, budget, |old, new, (dx, dy)| {
            if *old == new {
                let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                inner = hull(inner, Area { left: x, top: y, right: x, bottom: y });
                far = far.max(i64::from(dx).pow(2) + i64::from(dy).pow(2));
            }
        })?;
        // From each of them the way over the cell leads to a wall.
        let least = nearest_wall(grid, cell, budget)?;
        let reach = ((least as f64).sqrt() * 0.5 + (far as f64).sqrt()).ceil() as u32 + 1;
        Some(Self { inner, reach, outer: inner.grown(reach, lattice) })
    }

    fn joined(self, other: Self, lattice: Lattice) -> Self {
        let (inner, reach) = (hull(self.inner, other.inner), self.reach.max(other.reach));
        Self { inner, reach, outer: inner.grown(reach, lattice) }
    }

    fn cells(&self) -> usize {
        self.outer.columns() * self.outer.rows()
    }
}

/// Adds a patch, as one with others where that is less work.
fn join(patches: &mut Vec<Patch>, mut patch: Patch, lattice: Lattice) {
    let pays = |other: &Patch, patch: Patch| other.joined(patch, lattice).cells() <= other.cells() + patch.cells();
    while let Some(place) = patches.iter().position(|other| pays(other, patch)) {
        patch = patches.swap_remove(place).joined(patch, lattice);
    }
    patches.push(patch);
}

fn hull(a: Area, b: Area) -> Area {
    Area {
        left: a.left.min(b.left),
        top: a.top.min(b.top),
        right: a.right.max(b.right),
        bottom: a.bottom.max(b.bottom),
    }
}

/// The square of the distance (half cells) from a cell to the nearest closed one, itself apart.
fn nearest_wall(grid: &Grid, cell: Cell, budget: &mut Budget) -> Option<i64> {
    let lattice = grid.lattice();
    let (x, y) = lattice.column_row(cell);
    let (x, y) = (i64::from(x), i64::from(y));
    let mut least = i64::MAX;
    let mut ring = 1;
    while least > (2 * ring - 1_i64).pow(2) {
        budget.spend(8 * ring as usize)?;
        let mut look = |dx: i64, dy: i64| {
            let closed = lattice.checked_cell(x + dx, y + dy).is_none_or(|cell| !grid.is_open(cell));
            if closed {
                let halves = |d: i64| (2 * d.abs() - 1).max(0).pow(2);
                least = least.min(halves(dx) + halves(dy));
            }
        };
        for d in -ring..=ring {
            for (dx, dy) in [(d, -ring), (d, ring), (-ring, d), (ring, d)] {
                look(dx, dy);
            }
        }
        ring += 1;
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clearance::clearance;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};

    /// The bits, since they shall be equal to the last one.
    fn bits(layer: &Layer<f32>) -> Vec<u32> {
        layer.cells.iter().map(|value| value.to_bits()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn a_mended_layer_is_a_fresh_one(
            (width, height) in (1_u32..60, 1_u32..60), size in 0.1..3.0_f32, closed in 0..40_u32, seed: u64,
            block in 0_u32..8,
        ) {
            let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
            let lattice = Lattice::new(width, height, size).unwrap();
            let mut grid = Grid::open_plain(lattice);
            for cell in lattice.cells() {
                grid.set_open(cell, random.random_range(0..200) >= closed);
            }
            let mut layer = clearance(&grid);
            for _ in 0..6 {
                // A few cells anywhere, or a block that is opened or closed.
                let mut dirty = Vec::new();
                let (x, y) = (random.random_range(0..width), random.random_range(0..height));
                let open = random.random_range(0..2) == 0;
                for i in 0..if block < 3 { random.random_range(1..6) } else { block * block } {
                    let cell = if block < 3 {
                        lattice.cell(random.random_range(0..width), random.random_range(0..height))
                    } else {
                        lattice.cell((x + i % block).min(width - 1), (y + i / block).min(height - 1))
                    };
                    grid.set_open(cell, if block < 3 { random.random_range(0..2) == 0 } else { open });
                    dirty.push(cell);
                }
                let whole = mend(&mut layer, &grid, &dirty);
                let fresh = clearance(&grid);
                if whole {
                    prop_assert_eq!(bits(&layer), bits(&fresh));
                }
                layer = fresh;
            }
        }
    }

    #[test]
    fn the_nearest_wall_is_looked_for_ring_by_ring_as_far_as_the_budget_goes() {
        let lattice = Lattice::new(15, 15, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        // Two rings around the cell; a third that could be as near is not there.
        grid.set_open(lattice.cell(9, 7), false);
        let look = |budget: usize| nearest_wall(&grid, lattice.cell(7, 7), &mut Budget(budget));
        assert_eq!((look(23), look(24)), (None, Some(9)), "3 half cells away");
        assert_eq!(nearest_wall(&grid, lattice.cell(7, 5), &mut Budget(99)), Some(18), "3 half cells both ways");
        assert_eq!(nearest_wall(&grid, lattice.cell(14, 14), &mut Budget(99)), Some(1), "the edge of the map");
    }

    #[test]
    fn a_cell_among_walls_is_mended_and_one_on_a_plain_made_anew() {
        let lattice = Lattice::new(200, 200, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        let middle = lattice.cell(100, 100);
        let plain = clearance(&grid);
        grid.set_open(middle, false);
        let mut layer = plain.clone();
        assert!(mend(&mut layer, &grid, &[middle]));
        assert_eq!(bits(&layer), bits(&clearance(&grid)));
        grid.set_open(middle, true);
        assert!(!mend(&mut layer, &grid, &[middle]), "its walls are all around the map");
        for i in 0..20 {
            (0..200).for_each(|j| grid.set_open(lattice.cell(j, i * 10), false));
        }
        let mut layer = clearance(&grid);
        grid.edit(&[crate::Edit::Open(lattice.cell(77, 50))], &mut Vec::new());
        assert!(mend(&mut layer, &grid, &[lattice.cell(77, 50)]));
        assert_eq!(bits(&layer), bits(&clearance(&grid)));
    }
}
