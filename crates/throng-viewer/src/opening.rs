//! Other files: dropped on the window, or chosen from the recent ones.

use super::Scene;
use directories::ProjectDirs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use throng_grid::whole_file::WholeFile;

/// Makes of a file what a window can show; else says why not, in words for the user.
pub type Opener = Arc<dyn Fn(&Path) -> Result<Scene, String> + Send + Sync>;

/// The greatest number of recent files.
const MAX_RECENT_FILES: usize = 8;

/// A file on its way, and those of before.
#[derive(Default)]
pub(super) struct Opening {
    opener: Option<Opener>,
    coming: Option<(PathBuf, Receiver<Result<Scene, String>>)>,
    recent: Vec<PathBuf>,
}

impl Opening {
    /// Opens files by `opener`, where there is one; `shown` is open already.
    pub fn new(opener: Option<Opener>, shown: Option<&Path>) -> Self {
        let recent = if opener.is_some() { read() } else { Vec::new() };
        let mut opening = Self { opener, coming: None, recent };
        if let Some(path) = shown {
            opening.remember(path);
        }
        opening
    }

    /// Recently opened files, the last first.
    pub fn recent(&self) -> &[PathBuf] {
        &self.recent
    }

    /// Begins to open a file, on a thread of its own, and returns a notice.
    pub fn open(&mut self, path: &Path) -> String {
        let Some(opener) = self.opener.clone() else { return "no other file can be opened here".to_owned() };
        let (sender, receiver) = channel();
        let file = path.to_path_buf();
        let work = move || {
            // The receiver is gone if another file was chosen meanwhile.
            let _ = sender.send(opener(&file));
        };
        match std::thread::Builder::new().name("opening".into()).spawn(work) {
            Ok(_) => {
                self.coming = Some((path.to_path_buf(), receiver));
                format!("opening {}", path.display())
            }
            Err(error) => format!("not opened: {error}"),
        }
    }

    /// The opened file or its error, once.
    pub fn take(&mut self) -> Option<Result<Scene, String>> {
        let (path, receiver) = self.coming.as_ref()?;
        let come = match receiver.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(format!("{}: reading it has failed", path.display())),
            Ok(come) => come,
        };
        let path = path.clone();
        self.coming = None;
        if come.is_ok() {
            self.remember(&path);
        }
        Some(come)
    }

    fn remember(&mut self, path: &Path) {
        if self.opener.is_none() {
            return;
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        self.recent.retain(|known| *known != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT_FILES);
        // A list that cannot be kept is only a little less comfortable.
        let _ = write(&self.recent);
    }
}

/// The file of the list.
fn list() -> Option<PathBuf> {
    let folders = ProjectDirs::from("", "", "throng")?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).join("recent"))
}

fn read() -> Vec<PathBuf> {
    let text = list().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    text.lines().map(PathBuf::from).filter(|path| path.exists()).take(MAX_RECENT_FILES).collect()
}

fn write(recent: &[PathBuf]) -> std::io::Result<()> {
    let Some(file) = list() else { return Ok(()) };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut out = WholeFile::create(&file)?;
    for path in recent {
        writeln!(out, "{}", path.display())?;
    }
    out.finish()
}
