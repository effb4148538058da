#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::grid::Colours;
use throng_fuzz::{file, told};

fuzz_target!(|bytes: &[u8]| {
    told(Colours::load(file("a.toml", bytes)));
});
