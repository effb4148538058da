#![no_main]
use libfuzzer_sys::fuzz_target;
use throng::record::Recording;
use throng::world::Frame;
use throng_fuzz::told;

/// Bytes before the first block, and of the head of a block up to its checksum.
const START: usize = 12;
const HEAD: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    // With the right checksums, so that the bytes behind them are read.
    let mut at = START;
    while let Some(length) = bytes.get(at + 4..at + 8) {
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let (sum, content) = (at + HEAD, at + HEAD + 4);
        let Some(end) = content.checked_add(length).filter(|&end| end <= bytes.len()) else { break };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[at..sum]);
        hasher.update(&bytes[content..end]);
        bytes[sum..content].copy_from_slice(&hasher.finalize().to_le_bytes());
        at = end;
    }
    let Some(mut recording) = told(Recording::from_bytes(bytes)) else { return };
    let (mut frame, mut fallen) = (Frame::default(), Vec::new());
    told(recording.first_map());
    let frames = recording.frames();
    for number in (0..frames.min(20)).chain([frames.saturating_sub(1), frames / 2]) {
        told(recording.frame(number, &mut frame));
        told(recording.fallen(number, &mut fallen));
        assert!(recording.frame_at(recording.time(number)) < frames.max(1));
    }
});
