//! The file: a head, and the world in bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`FORMAT`] |
//! | 16 | version of the program, as text, filled up with zeros |
//! | 8 | how many bytes follow the head |
//! | 4 | CRC-32 of the head up to here, and of what follows it |
//!
//! Numbers have their least byte first.

use super::SnapshotError;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use throng_grid::whole_file::WholeFile;

/// The first bytes of a snapshot. One byte is no text, and there are line ends, so that a file that was copied as text is
/// known at once.
pub(super) const MAGIC: [u8; 8] = *b"\x93THRONG\n";

/// Counted up with every change of what is stored.
pub(super) const FORMAT: u32 = 27;

/// Bytes of the head, and where its parts begin.
const HEAD: usize = 40;
const PROGRAM: usize = 12;
const LENGTH: usize = 28;
const SUM: usize = 36;

/// A head without length and checksum; the world follows it.
pub(super) fn head() -> Vec<u8> {
    let mut bytes = vec![0; HEAD];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..PROGRAM].copy_from_slice(&FORMAT.to_le_bytes());
    for (to, from) in bytes[PROGRAM..LENGTH].iter_mut().zip(env!("CARGO_PKG_VERSION").bytes()) {
        *to = from;
    }
    bytes
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[..SUM]);
    sum.update(&bytes[HEAD..]);
    sum.finalize()
}

/// Completes the head of `bytes`.
pub(super) fn complete(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = (bytes.len() - HEAD) as u64;
    bytes[LENGTH..SUM].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes);
    bytes[SUM..HEAD].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Writes the bytes of a snapshot, whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish_on_disk()
}

/// The world in bytes, where the file is what it should be.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, SnapshotError> {
    let file = File::open(path).map_err(|source| SnapshotError::Read { file: path.to_path_buf(), source })?;
    let known = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|found| found.len());
    read_from(file, known, path)
}

/// The world in the bytes of a source, which is called by a name in errors and is so long, where that is known.
pub(super) fn read_from(mut source: impl Read, known: Option<u64>, path: &Path) -> Result<Vec<u8>, SnapshotError> {
    let read_error = |source| SnapshotError::Read { file: path.to_path_buf(), source };
    let mut bytes = Vec::new();
    source.by_ref().take(HEAD as u64).read_to_end(&mut bytes).map_err(read_error)?;
    let file_name = || path.to_path_buf();
    if !bytes.starts_with(&MAGIC) {
        let found = bytes[..bytes.len().min(MAGIC.len())].to_vec();
        // The first bytes of a snapshot are a snapshot that was cut short.
        if !found.is_empty() && MAGIC.starts_with(&found) {
            return Err(SnapshotError::Length { file: file_name(), found: found.len() as u64, expected: HEAD as u64 });
        }
        return Err(SnapshotError::Foreign { file: file_name(), found, expected: &MAGIC });
    }
    if bytes.len() >= LENGTH {
        let found = number(&bytes[8..PROGRAM]) as u32;
        if found != FORMAT {
            let program =
                String::from_utf8_lossy(&bytes[PROGRAM..LENGTH]).trim_end_matches('\0').escape_debug().to_string();
            return Err(SnapshotError::Version { file: file_name(), found, program, expected: FORMAT });
        }
    }
    if bytes.len() < HEAD {
        let found = bytes.len() as u64;
        return Err(SnapshotError::Length { file: file_name(), found, expected: HEAD as u64 });
    }
    let length = number(&bytes[LENGTH..SUM]);
    let expected = length.saturating_add(HEAD as u64);
    // Before anything is read or any memory asked for.
    if let Some(found) = known.filter(|&found| found != expected) {
        return Err(SnapshotError::Length { file: file_name(), found, expected });
    }
    source.take(length.saturating_add(1)).read_to_end(&mut bytes).map_err(read_error)?;
    if bytes.len() as u64 != expected {
        return Err(SnapshotError::Length { file: file_name(), found: bytes.len() as u64, expected });
    }
    let (found, expected) = (checksum(&bytes), number(&bytes[SUM..HEAD]) as u32);
    if found != expected {
        return Err(SnapshotError::Checksum { file: file_name(), found, expected });
    }
    bytes.drain(..HEAD);
    Ok(bytes)
}

/// A number with its least byte first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
