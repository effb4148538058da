#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::scenario::CrowdTable;
use throng_fuzz::{file, told};

fuzz_target!(|bytes: &[u8]| {
    told(CrowdTable::load(file("a.csv", bytes)));
});
