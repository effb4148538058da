//! The state by which a record goes on with a file of before.

use super::RecordError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::Path;

/// A state as bytes.
pub(super) fn to_bytes(state: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(state).unwrap_or_default()
}

/// The state of a record in `file` that `bytes` hold.
pub(super) fn of_bytes<S: DeserializeOwned>(bytes: &[u8], file: &Path) -> Result<S, RecordError> {
    let not_it = |_| RecordError::go_on(file)("the run that made the snapshot did not write it, or with other options");
    postcard::from_bytes(bytes).map_err(not_it)
}

/// The file, if there is one that can be gone on with: a device or a pipe holds nothing.
pub(super) fn open(path: &Path) -> Result<Option<File>, RecordError> {
    match File::open(path) {
        Ok(file) if file.metadata().is_ok_and(|found| found.is_file()) => Ok(Some(file)),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RecordError::go_on(path)(error)),
    }
}

/// As many things up to a tick as there were when the snapshot was taken.
pub(super) fn check_count(
    what: impl Display,
    (found, expected): (u64, u64),
    tick: u64,
    file: &Path,
) -> Result<(), RecordError> {
    let told = || format!("it has {found} {what} up to tick {tick}, expected {expected}");
    if found == expected { Ok(()) } else { Err(RecordError::go_on(file)(told())) }
}
