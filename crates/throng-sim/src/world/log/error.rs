//! Errors of logs of commands.

use crate::world::SnapshotError;
use std::io;
use std::path::PathBuf;

/// A log of commands that cannot be written, or not be done again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The writer would not take it.
    #[error("the log of commands cannot be written: {0}; it ends there")]
    Write(#[source] io::Error),
    /// The system would not let us read the file.
    #[error("{}: cannot be read: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of another program.
    #[error("{}: is no log of commands; name a file that World::log_commands wrote", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// A log in another format.
    #[error(
        "{}: is a log of commands of format {found}; this throng {} reads format {expected}: replay it with the throng \
         that wrote it",
        file.display(), env!("CARGO_PKG_VERSION")
    )]
    Version {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: u32,
        /// The format that is read.
        expected: u32,
    },
    /// The world with which it begins cannot be made, or written down.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// An entry is not as it was written.
    #[error("{}: byte {at}: the entry there is damaged: {what}; copy the file again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where the entry begins.
        at: u64,
        /// A message about what does not fit.
        what: String,
    },
    /// A command names a planner from outside.
    #[error("{}: byte {at}: the command there names the planner \"{name}\"; give it in Resume::planners", file.display())]
    Planner {
        /// The file.
        file: PathBuf,
        /// Where the entry begins.
        at: u64,
        /// The name of the planner.
        name: String,
    },
    /// The agents are not where they were.
    #[error(
        "{}: after tick {tick} the agents are not where they were: the hash of their places is {found:016x}, expected \
         {expected:016x}; replay it with the same version of throng, planners and models as it was written with",
        file.display()
    )]
    Differs {
        /// The file.
        file: PathBuf,
        /// Ticks done.
        tick: u64,
        /// The hash of their places.
        found: u64,
        /// The logged one.
        expected: u64,
    },
}
