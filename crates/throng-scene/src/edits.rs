//! The cells in which two maps differ: of a map and what became of it.

use throng_grid::{Cell, Grid, Lattice, Layer};

/// The number of cells of a layer that are compared at once.
const RUN_CELLS: usize = 4096;

/// The cells that are open on one of two maps of a lattice and closed on the other, in their order. O(cells / 64).
pub fn toggled<'a>(old: &'a Grid, new: &'a Grid) -> impl Iterator<Item = Cell> + 'a {
    let words = old.words().iter().zip(new.words()).enumerate().filter(|(_, (old, new))| old != new);
    words.flat_map(|(at, (old, new))| {
        let bits = (0..64).filter(move |bit| (old ^ new) >> bit & 1 == 1);
        bits.map(move |bit| Cell(at as u32 * 64 + bit))
    })
}

/// The cells in which two maps of one lattice differ, in any layer; some of them twice. O(cells), 64 of them at a time.
pub fn changed(old: &Grid, new: &Grid) -> Vec<Cell> {
    let lattice = new.lattice();
    let of = |index: usize| Cell(index as u32);
    let mut cells: Vec<Cell> = toggled(old, new).collect();
    differing(old.terrain_layer(), new.terrain_layer(), lattice, |index| cells.push(of(index)));
    differing(old.height_layer(), new.height_layer(), lattice, |index| cells.push(of(index)));
    cells
}

/// The cells in which two layers differ; a missing layer is the default everywhere.
fn differing<T: Copy + Default + PartialEq>(
    old: Option<&Layer<T>>,
    new: Option<&Layer<T>>,
    lattice: Lattice,
    mut tell: impl FnMut(usize),
) {
    let plain = [T::default(); RUN_CELLS];
    if old.is_none() && new.is_none() {
        return;
    }
    for begin in (0..lattice.len()).step_by(RUN_CELLS) {
        let range = begin..(begin + RUN_CELLS).min(lattice.len());
        let [old, new] =
            [old, new].map(|layer| layer.map_or(&plain[..range.len()], |layer| &layer.cells[range.clone()]));
        if old != new {
            old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new).for_each(|(at, _)| tell(begin + at));
        }
    }
}
