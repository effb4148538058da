#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::world::{Resume, World};
use throng_fuzz::{file, told};

/// Where the parts of the head begin, as `src/world/snapshot/file.rs` has them.
const LENGTH: usize = 28;
const SUM: usize = 36;
const HEAD: usize = 40;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    // With the right length and checksum, so that the bytes behind them are read.
    if bytes.len() >= HEAD {
        let length = (bytes.len() - HEAD) as u64;
        bytes[LENGTH..SUM].copy_from_slice(&length.to_le_bytes());
        let mut sum = crc32fast::Hasher::new();
        sum.update(&bytes[..SUM]);
        sum.update(&bytes[HEAD..]);
        let sum = sum.finalize();
        bytes[SUM..HEAD].copy_from_slice(&sum.to_le_bytes());
    }
    let path = file("a.snapshot", &bytes);
    let Some(mut world) = told(World::restore(path, Resume { threads: 1, ..Resume::default() })) else { return };
    for _ in 0..2 {
        told(world.tick());
    }
});
