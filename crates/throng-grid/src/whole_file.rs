//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// True for devices and pipes, of which a file of the same name must not take the place.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Gives a temporary file the name `path`. Where that leads to a device or a pipe, the content is written to it.
///
/// # Errors
/// The error of the operating system.
pub fn persist(temp: TempPath, path: &Path) -> io::Result<()> {
    if is_special(path) {
        return io::copy(&mut File::open(&temp)?, &mut File::options().write(true).open(path)?).map(drop);
    }
    // The end of a link is written, and the link stays.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    temp.persist(path).map(drop).map_err(|error| error.error)
}

/// Makes a temporary file beside `path`, of which it is to take the name; dropped, it is removed.
///
/// # Errors
/// The error of the operating system.
pub fn temporary(path: &Path, suffix: &str) -> io::Result<NamedTempFile> {
    let end = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match end.parent() {
        _ if is_special(path) => &std::env::temp_dir(),
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".throng-").suffix(suffix);
    #[cfg(unix)]
    {
        // The permissions of any newly made file, less the umask; temporary files are private by default.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| {
        // The system's message, without the name of the temporary file, which only the text tells apart.
        let text = error.to_string();
        let code = text.split_once("(os error ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
        code.map_or_else(|| io::Error::from(error.kind()), io::Error::from_raw_os_error)
    })
}

/// A file that appears under its name only when [`WholeFile::finish`] is called; dropped before, it leaves nothing
/// behind, and a file of that name from before stays as it was.
#[derive(Debug)]
pub struct WholeFile {
    /// The file itself: errors in writing do not name the temporary one.
    out: BufWriter<File>,
    temp: TempPath,
    path: PathBuf,
}

impl WholeFile {
    /// Opens a nameless neighbour of `path`.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (file, temp) = temporary(path, "")?.into_parts();
        Ok(Self { out: BufWriter::new(file), temp, path: path.to_path_buf() })
    }

    /// Gives the file its name once it is on the disk: the file of before is not lost, even if the power fails.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn finish_on_disk(self) -> io::Result<()> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        persist(self.temp, &self.path)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn finish(self) -> io::Result<()> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        persist(self.temp, &self.path)
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

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_devices_written_to() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str| {
            let mut file = WholeFile::create(&path(name)).unwrap();
            file.write_all(b"new").unwrap();
            file.finish()
        };
        let is_link = |name: &str| path(name).symlink_metadata().unwrap().is_symlink();
        std::fs::write(path("a.txt"), "old").unwrap();
        symlink(path("a.txt"), path("to_a")).unwrap();
        write("to_a").unwrap();
        assert!(is_link("to_a") && std::fs::read(path("a.txt")).unwrap() == b"new");
        // Links, so that no device is lost should this fail.
        symlink("/dev/null", path("nothing")).unwrap();
        write("nothing").unwrap();
        assert!(is_link("nothing") && std::fs::read(path("nothing")).unwrap().is_empty());
        if Path::new("/dev/full").exists() {
            symlink("/dev/full", path("full")).unwrap();
            assert_eq!(write("full").unwrap_err().raw_os_error(), Some(28));
        }
        assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 4);
    }
}
