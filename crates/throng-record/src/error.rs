//! Errors of writing records.

use std::io;
use std::path::{Path, PathBuf};

/// A picture, an animation or another record that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The system would not let us write the file.
    #[error("{}: cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The message of the system.
        source: io::Error,
    },
    /// Not a size that a GIF may have.
    #[error("{}: a GIF must be 1 to 65535 pixels wide and high, found {width} x {height}", file.display())]
    Size {
        /// The file.
        file: PathBuf,
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// A frame that is not as large as the first one.
    #[error(
        "{}: every frame must be {} x {} pixels like the first, found {} x {}",
        file.display(), expected.0, expected.1, found.0, found.1
    )]
    FrameSize {
        /// The file.
        file: PathBuf,
        /// Width and height of this frame (pixels).
        found: (u32, u32),
        /// Width and height of the first frame (pixels).
        expected: (u32, u32),
    },
    /// A Parquet file was asked for, and this build knows none.
    #[error(
        "{}: this throng was built without Parquet; build it with `cargo build --release --features parquet`, or choose a \
         name that does not end in .parquet",
        file.display()
    )]
    NoParquet {
        /// The file.
        file: PathBuf,
    },
    /// The file of an earlier run is not that of the same run up to the tick from which it is to go on.
    #[error(
        "{}: cannot go on with it: {what}; choose another name for what follows, or remove the file",
        file.display()
    )]
    GoOn {
        /// The file.
        file: PathBuf,
        /// The thing found, and the thing expected.
        what: String,
    },
    /// Another run records into the file.
    #[error("{}: another run records into it; wait until that ends, or choose another name", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// A recording that could not be written to its end.
    #[error(
        "{}: cannot be written: {source}; {} can be read, with the {frames} frames that are in it",
        file.display(), kept.display()
    )]
    Recording {
        /// The file.
        file: PathBuf,
        /// Where its frames are.
        kept: PathBuf,
        /// How many frames can be read.
        frames: u64,
        /// The message of the system.
        source: io::Error,
    },
    /// An `SQLite` file was asked for, and this build knows none.
    #[error(
        "{}: this throng was built without SQLite; build it with the feature sqlite, which needs a C compiler, or choose a \
         name that ends in .txt or .csv",
        file.display()
    )]
    NoSqlite {
        /// The file.
        file: PathBuf,
    },
    /// The database library would not write the file.
    #[cfg(feature = "sqlite")]
    #[error("{}: cannot be written: {source}", file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// The message of the library.
        source: rusqlite::Error,
    },
}

impl RecordError {
    /// Converts the system's refusal to write `file`.
    pub(super) fn write(file: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Write { file: file.to_path_buf(), source }
    }

    /// Converts the reason why `file` cannot be gone on with.
    pub(super) fn go_on<T: ToString>(file: &Path) -> impl Fn(T) -> Self {
        |what| Self::GoOn { file: file.to_path_buf(), what: what.to_string() }
    }

    /// The same of the database library.
    #[cfg(feature = "sqlite")]
    pub(super) fn database(file: &Path) -> impl FnOnce(rusqlite::Error) -> Self {
        |source| Self::Database { file: file.to_path_buf(), source }
    }
}
