//! How a recording ends.

use std::fmt;

/// How a recording ends.
///
/// ```
/// assert_eq!(throng_record::Ending::Cut { bytes: 0 }.to_string(), "it was not ended properly");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// By its recorder.
    Proper,
    /// By another cause; this number of bytes of another block follow the last whole one.
    Cut {
        /// Bytes that are of no use.
        bytes: u64,
    },
    /// By a block that is not as it was written; there may be more behind it.
    Damaged {
        /// Number of the block, from 0.
        block: usize,
        /// Where it begins in the file.
        offset: u64,
        /// The defect.
        what: String,
    },
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proper => f.write_str("it was ended properly"),
            Self::Cut { bytes: 0 } => f.write_str("it was not ended properly"),
            Self::Cut { bytes } => write!(f, "it was cut short: its last {bytes} bytes are of no use"),
            Self::Damaged { block, offset, what } => {
                write!(f, "block {block} at byte {offset} is damaged and ends it: {what}")
            }
        }
    }
}
