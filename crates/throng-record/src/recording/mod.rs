//! A run in a file that can be watched again.
//!
//! [`Recorder`] writes one, [`Recording`] reads it. `docs/recordings.md` describes the file byte by byte.

mod bytes;
mod continued;
mod ending;
mod error;
mod figures;
mod flights;
mod format;
mod map;
mod moment;
mod moves;
mod names;
mod pack;
mod part_file;
mod reader;
mod recorder;
mod rows;
mod walls;
mod writer;

pub use ending::Ending;
pub use error::RecordingError;
pub use format::About;
pub use reader::Recording;
pub use recorder::Recorder;
