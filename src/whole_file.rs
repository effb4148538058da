//! Files that are written whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Makes a temporary file beside `path`, of which it is to take the name; dropped, it is removed.
pub(crate) fn temporary(path: &Path, suffix: &str) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".throng-").suffix(suffix);
    #[cfg(unix)]
    {
        // What any newly made file has, less the umask; temporary files are private by default.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| {
        // What the system said, without the name of the temporary file.
        let inner = error.get_ref().and_then(std::error::Error::source);
        let code = inner.and_then(|inner| inner.downcast_ref()).and_then(io::Error::raw_os_error);
        code.map_or_else(|| io::Error::from(error.kind()), io::Error::from_raw_os_error)
    })
}

/// A file that appears under its name only when [`WholeFile::finish`] is called; dropped before, it leaves nothing
/// behind, and a file of that name from before stays as it was.
#[derive(Debug)]
pub(crate) struct WholeFile {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    /// Opens a nameless neighbour of `path`.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let temp = temporary(path, "")?;
        Ok(Self { out: BufWriter::new(temp), path: path.to_path_buf() })
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> io::Result<()> {
        let temp = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        temp.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
