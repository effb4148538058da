#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::grid::Scen;
use throng_fuzz::{file, told};

fuzz_target!(|bytes: &[u8]| {
    told(Scen::load(file("a.scen", bytes)));
});
