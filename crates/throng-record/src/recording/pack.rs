//! Bytes made fewer: deflate (RFC 1951).

use super::bytes::{Bytes, Fault, put};
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{
    DecompressorOxide, decompress, inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};

/// The greatest number of bytes that deflate makes of one.
const MAX_DEFLATE_RATIO: usize = 1032;

/// The greatest size (bytes) of a block before packing: a layer of two bytes a cell of the largest map.
const MAX_BLOCK_BYTES: usize = 1 << 30;

/// Strategies of the compressor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    /// Only runs of one byte are looked for: noise has no other repetitions.
    Runs,
    /// Any repetition.
    Repetitions,
}

/// Packs bytes. Its memory is used again.
pub(super) struct Packer {
    compressor: [Box<CompressorOxide>; 2],
    buffer: Vec<u8>,
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packer").finish_non_exhaustive()
    }
}

impl Packer {
    pub fn new() -> Self {
        // A raw stream; the fourth strategy of zlib is that of runs.
        let [runs, repetitions] = [(6, 3), (6, 0)].map(|(level, strategy)| {
            Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(level, 0, strategy)))
        });
        Self { compressor: [runs, repetitions], buffer: Vec::new() }
    }

    /// Appends how many bytes there are, how many are stored, and these: deflated where that makes them fewer.
    pub fn pack(&mut self, bytes: &[u8], effort: Effort, out: &mut Vec<u8>) {
        put(out, bytes.len() as u64);
        if bytes.is_empty() {
            return;
        }
        self.buffer.resize(bytes.len(), 0);
        let compressor = &mut self.compressor[effort as usize];
        compressor.reset();
        let (status, _, written) = compress(compressor, bytes, &mut self.buffer, TDEFLFlush::Finish);
        // Where it does not fit into as many bytes, it is no shorter.
        let packed =
            if matches!(status, TDEFLStatus::Done) && written < bytes.len() { &self.buffer[..written] } else { bytes };
        put(out, packed.len() as u64);
        out.extend_from_slice(packed);
    }
}

/// Unpacks `bytes` of [`Packer::pack`] into `out`, which is cleared first.
///
/// No memory is allocated before it is known that the file can hold that many bytes.
pub(super) fn unpack(bytes: &mut Bytes, out: &mut Vec<u8>) -> Result<(), Fault> {
    out.clear();
    let length = bytes.number()? as usize;
    if length == 0 {
        return Ok(());
    }
    let stored = bytes.count(1)?;
    if length > MAX_BLOCK_BYTES || length.div_ceil(MAX_DEFLATE_RATIO) > stored || stored > length {
        return Err(format!("{length} bytes cannot be packed in {stored}"));
    }
    let packed = bytes.take(stored)?;
    if stored == length {
        out.extend_from_slice(packed);
        return Ok(());
    }
    out.resize(length, 0);
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    match decompress(&mut DecompressorOxide::new(), packed, out, 0, flags) {
        (TINFLStatus::Done, read, written) if (read, written) == (stored, length) => Ok(()),
        (status, read, written) => {
            Err(format!("{stored} bytes should unpack to {length}, found {read} to {written} ({status:?})"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(0..4_u8, 0..900), noise in any::<bool>()) {
            let bytes: Vec<u8> = bytes.iter().enumerate().map(|(i, &b)| if noise { b.wrapping_mul(91).wrapping_add((i * i) as u8) } else { b / 3 }).collect();
            let mut packer = Packer::new();
            for effort in [Effort::Runs, Effort::Repetitions] {
                let mut packed = vec![];
                packer.pack(&bytes, effort, &mut packed);
                prop_assert!(packed.len() <= bytes.len() + 4);
                let mut out = vec![1, 2, 3];
                let mut rest = Bytes(&packed);
                unpack(&mut rest, &mut out).unwrap();
                prop_assert!(rest.end().is_ok());
                prop_assert_eq!(&out, &bytes);
            }
        }

        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut out = Vec::new();
            if unpack(&mut Bytes(&bytes), &mut out).is_err() {
                prop_assert!(out.len() <= bytes.len() * MAX_DEFLATE_RATIO);
            }
        }
    }

    #[test]
    fn more_than_can_be_in_the_file_is_refused_before_memory_is_asked_for() {
        let mut bytes = Vec::new();
        put(&mut bytes, 1 << 40);
        bytes.extend([3, 1, 2, 3]);
        let mut out = Vec::new();
        let fault = unpack(&mut Bytes(&bytes), &mut out).unwrap_err();
        assert_eq!((fault.as_str(), out.capacity()), ("1099511627776 bytes cannot be packed in 3", 0));
    }
}
