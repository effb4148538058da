#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::grid::{Grid, Lattice};
use throng_fuzz::{file, told};

fuzz_target!(|bytes: &[u8]| {
    // Of a size that mutations of the seed keep.
    let mut grid = Grid::open_plain(Lattice::new(8, 6, 1.0).expect("a lattice"));
    told(grid.load_heights(file("a.png", bytes), 20.0));
});
