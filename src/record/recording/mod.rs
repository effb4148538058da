//! A run in a file that can be watched again.
//!
//! [`Recorder`] writes one, [`Recording`] reads it. `docs/recordings.md` describes the file byte by byte.

mod bytes;
mod error;
mod format;
mod map;
mod moves;
mod names;
mod pack;
mod reader;
mod recorder;
mod rows;
mod writer;

pub use error::RecordingError;
pub use format::About;
pub use reader::{Ending, Recording};
pub use recorder::Recorder;
