#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::grid::Grid;
use throng_fuzz::{file, told};

fuzz_target!(|bytes: &[u8]| {
    told(Grid::load(file("a.ldtk", bytes)));
});
