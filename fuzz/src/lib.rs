//! The common parts of the fuzz targets: every reader is asked as the program asks it, with the name of a file.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// The folder of this process; set TMPDIR to a file system in memory.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder for the inputs"))
}

/// A file of these bytes.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().path().join(name);
    fs::write(&path, bytes).expect("an input is written");
    path
}

/// The message for a refused input: one line, as the program prints it.
pub fn told<T, E: std::fmt::Display>(read: Result<T, E>) -> Option<T> {
    match read {
        Ok(read) => Some(read),
        Err(error) => {
            let line = error.to_string();
            assert!(!line.is_empty() && !line.contains('\n'), "no line: {line:?}");
            None
        }
    }
}
