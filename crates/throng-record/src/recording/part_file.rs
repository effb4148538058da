//! The name of a recording while it is made.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempPath;
use throng_grid::whole_file;

/// The file of a recording while it is made: nameless until the first frame, then `FILE.part`, at last `FILE`. So the recording
/// of before stays until the new one is whole, and the frames of a run that was killed can be read.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    /// Beside the file that is at the end of a link; `None` for a device or a pipe, which is written to at once.
    part: Option<PathBuf>,
    /// The nameless file.
    temp: Option<TempPath>,
}

impl PartFile {
    /// Opens a nameless neighbour of `path`, locked while it is open.
    pub fn create(path: &Path) -> io::Result<(Self, File)> {
        let path = path.to_path_buf();
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Ok((Self { path: path.clone(), part: None, temp: None }, File::create(path)?));
        }
        let mut part: OsString = whole_file::end(&path).into();
        part.push(".part");
        let (file, temp) = whole_file::temporary(&path, "")?.into_parts();
        Ok((Self { path, part: Some(part.into()), temp: Some(temp) }, file))
    }

    /// The file at the end.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the frames are until then.
    pub fn part(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.path)
    }

    /// True where another run records into the file. Systems without locks cannot tell.
    pub fn is_taken(&self) -> bool {
        let locked = |part: &PathBuf| {
            File::open(part).is_ok_and(|file| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)))
        };
        cfg!(unix) && self.temp.is_some() && self.part.as_ref().is_some_and(locked)
    }

    /// Gives the nameless file its first name, in place of what a run that was killed has left there.
    pub fn show(&mut self) -> io::Result<()> {
        match (&self.part, self.temp.take()) {
            (Some(part), Some(temp)) => temp.persist(part).map_err(|error| error.error),
            _ => Ok(()),
        }
    }

    /// Gives the file its last name.
    pub fn finish(&mut self) -> io::Result<()> {
        self.show()?;
        match &self.part {
            Some(part) => std::fs::rename(part, whole_file::end(&self.path)),
            None => Ok(()),
        }
    }
}
