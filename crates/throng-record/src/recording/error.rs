//! Errors of recordings.

use std::io;
use std::path::PathBuf;

/// A recording that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The system would not let us read the file.
    #[error("{}: cannot be read: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The message of the system.
        source: io::Error,
    },
    /// A file of another program.
    #[error(
        "{}: is no recording of throng: it begins with \"{}\", expected \"{}\"; name a file that throng run --record wrote",
        file.display(), found.escape_ascii(), expected.escape_ascii()
    )]
    Foreign {
        /// The file.
        file: PathBuf,
        /// Its first bytes.
        found: Vec<u8>,
        /// Those of a recording.
        expected: &'static [u8],
    },
    /// A recording in a format that is not known here.
    #[error(
        "{}: is a recording in format {found}, expected 1 to {expected}; read it with the version of throng that wrote it",
        file.display()
    )]
    Version {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that is read here.
        expected: u32,
    },
    /// A file that ends before its first block does.
    #[error("{}: is cut short: {found} bytes hold no block; record the run again", file.display())]
    Short {
        /// The file.
        file: PathBuf,
        /// Its bytes.
        found: u64,
    },
    /// A block that is not as it was written.
    #[error("{}: block {block} at byte {offset} is damaged: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Number of the block, from 0.
        block: usize,
        /// Where it begins in the file.
        offset: u64,
        /// The defect.
        what: String,
    },
    /// A frame that is not in the recording.
    #[error("{}: has no frame {found}, its frames are 0 to {}", file.display(), frames.saturating_sub(1))]
    NoFrame {
        /// The file.
        file: PathBuf,
        /// The frame asked for.
        found: usize,
        /// How many there are.
        frames: usize,
    },
}
