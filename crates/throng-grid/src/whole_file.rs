//! Files that are written whole or not at all.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::{NamedTempFile, TempPath};

/// The names of temporary files begin with this.
const PREFIX: &str = ".throng-";

/// What others put beside a temporary file, and remove themselves, while that is there.
const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];

/// A file that is no older may not have been locked yet.
const MIN_STALE_AGE: Duration = Duration::from_mins(1);

/// True for devices and pipes, of which a file of the same name must not take the place.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Where a file of this name is written: the end of a link, there or not yet there, so that the link stays.
pub fn end(path: &Path) -> PathBuf {
    /// As many links one after the other as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut end = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = std::fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    std::fs::canonicalize(&end).unwrap_or(end)
}

/// Gives a temporary file the name `path`. Where that leads to a device or a pipe, the content is written to it.
///
/// # Errors
/// The error of the operating system.
pub fn persist(temp: TempPath, path: &Path) -> io::Result<()> {
    if is_special(path) {
        return io::copy(&mut File::open(&temp)?, &mut File::options().write(true).open(path)?).map(drop);
    }
    temp.persist(end(path)).map(drop).map_err(|error| error.error)
}

/// Removes the temporary files of programs that were killed: those in a folder that nobody holds a lock on. Looks at a folder once.
/// What cannot be removed, or locked as on some network shares, stays.
fn remove_stale(folder: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_new = SEEN.lock().is_ok_and(|mut seen| seen.insert(folder.to_path_buf()));
    let Some(entries) = is_new.then(|| std::fs::read_dir(folder).ok()).flatten() else { return };
    let named = |entry: io::Result<std::fs::DirEntry>| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok().filter(|name| name.starts_with(PREFIX))?;
        entry.file_type().is_ok_and(|kind| kind.is_file()).then_some(name)
    };
    let mut names: Vec<String> = entries.filter_map(named).collect();
    // A file before what lies beside it: `a`, `a-journal`.
    names.sort_unstable();
    for name in names {
        let (path, base) = (folder.join(&name), COMPANIONS.iter().find_map(|ending| name.strip_suffix(ending)));
        let is_stale = match base {
            Some(base) => !folder.join(base).exists(),
            None => is_unlocked(&path).unwrap_or(false),
        };
        if is_stale {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// True for a file that is not quite new and that nobody holds a lock on.
fn is_unlocked(path: &Path) -> io::Result<bool> {
    let file = File::options().write(true).open(path)?;
    let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
    Ok(age >= MIN_STALE_AGE && file.try_lock().is_ok())
}

/// Makes a temporary file beside `path`, of which it is to take the name; dropped, it is removed. While it is open it is
/// locked where the system can do that, so that a later program tells it from one whose program was killed, and removes that.
///
/// # Errors
/// The error of the operating system.
pub fn temporary(path: &Path, suffix: &str) -> io::Result<NamedTempFile> {
    let end = end(path);
    let folder = match end.parent() {
        _ if is_special(path) => &std::env::temp_dir(),
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    remove_stale(folder);
    builder.prefix(PREFIX).suffix(suffix);
    #[cfg(unix)]
    {
        // The permissions of any newly made file, less the umask; temporary files are private by default.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let made = builder.tempfile_in(folder).map_err(|error| {
        // The system's message, without the name of the temporary file, which only the text tells apart.
        let text = error.to_string();
        let code = text.split_once("(os error ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
        code.map_or_else(|| io::Error::from(error.kind()), io::Error::from_raw_os_error)
    })?;
    // Elsewhere a lock keeps others from the file, SQLite too.
    #[cfg(unix)]
    let _ = made.as_file().try_lock();
    Ok(made)
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
        // A link to a link to a file that is not yet there.
        symlink("nowhere.txt", path("to_nowhere")).unwrap();
        symlink(path("to_nowhere"), path("to_it")).unwrap();
        write("to_it").unwrap();
        assert!(is_link("to_it") && is_link("to_nowhere") && std::fs::read(path("nowhere.txt")).unwrap() == b"new");
        // Links, so that no device is lost should this fail.
        symlink("/dev/null", path("nothing")).unwrap();
        write("nothing").unwrap();
        assert!(is_link("nothing") && std::fs::read(path("nothing")).unwrap().is_empty());
        if Path::new("/dev/full").exists() {
            symlink("/dev/full", path("full")).unwrap();
            assert_eq!(write("full").unwrap_err().raw_os_error(), Some(28));
        }
        assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 7);
    }

    #[cfg(unix)]
    #[test]
    fn temporary_files_of_killed_programs_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - Duration::from_hours(1);
        let file = |name: &str, is_old: bool| {
            let file = File::create(folder.path().join(name)).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
            file
        };
        let stale = [".throng-a", ".throng-a-journal", ".throng-b.sqlite", ".throng-gone-wal"];
        for name in stale {
            drop(file(name, true));
        }
        let kept = ["other", ".throngs", ".throng-new", ".throng-held", ".throng-held-journal"];
        let held: Vec<File> = kept.iter().map(|name| file(name, *name != ".throng-new")).collect();
        held[3].lock().unwrap();
        std::fs::create_dir(folder.path().join(".throng-folder")).unwrap();
        let mut whole = WholeFile::create(&folder.path().join("a.txt")).unwrap();
        whole.write_all(b"new").unwrap();
        whole.finish().unwrap();
        let left =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let expected: BTreeSet<String> =
            kept.into_iter().chain(["a.txt", ".throng-folder"]).map(str::to_owned).collect();
        assert_eq!(left.collect::<BTreeSet<String>>(), expected);
        // What has its name is no longer locked for others.
        assert!(File::open(folder.path().join("a.txt")).unwrap().try_lock().is_ok());
    }
}
