//! Other files: dropped on the window, chosen, or made for a new battle.

use super::open_error::OpenError;
use crate::Scene;
use directories::ProjectDirs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use throng_grid::whole_file::WholeFile;
use throng_grid::{MapFile, MapOptions};
use throng_scenario::{NewArmy, NewBattle, NewMap};

/// Makes of a file what a window can show.
pub type Opener = Arc<dyn Fn(&Path) -> Result<Scene, OpenError> + Send + Sync>;

/// The greatest number of recent files.
const MAX_RECENT_FILES: usize = 8;

/// A file on its way, and those of before.
#[derive(Default)]
pub(crate) struct Opening {
    opener: Option<Opener>,
    coming: Option<(PathBuf, Receiver<Result<Scene, OpenError>>)>,
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

    /// The file that is on its way.
    pub fn coming(&self) -> Option<&Path> {
        self.coming.as_ref().map(|(path, _)| path.as_path())
    }

    /// Begins to open a file, on a thread of its own, and returns a notice. A map becomes a battle of two armies without soldiers.
    pub fn open(&mut self, path: &Path) -> String {
        let file = path.to_path_buf();
        if matches!(path.extension().and_then(|ending| ending.to_str()), Some("toml" | "throng")) {
            return self.begin(path, move |opener| opener(&file));
        }
        self.begin(path, move |opener| {
            let map = MapFile::load(&file, &MapOptions::default())?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let armies = ["red", "blue"].map(|name| NewArmy { name: name.into(), colour: None, soldiers: [0; 5] });
            let map = NewMap::File(file, map.grid.lattice().size());
            deploy(&NewBattle { map, size: [0; 2], seed: 1, armies: armies.to_vec() }, &name, opener)
        })
    }

    /// Begins to make a new battle, and returns a notice.
    pub fn make(&mut self, battle: NewBattle) -> String {
        let folder = battles();
        let is_free = |number: &u32| !folder.join(format!("battle-{number}.toml")).exists();
        let name = format!("battle-{}", (1..10_000).find(is_free).unwrap_or(10_000));
        let path = folder.join(format!("{name}.toml"));
        self.begin(&path, move |opener| deploy(&battle, &name, opener))
    }

    fn begin(
        &mut self,
        path: &Path,
        make: impl FnOnce(&Opener) -> Result<Scene, OpenError> + Send + 'static,
    ) -> String {
        let Some(opener) = self.opener.clone() else { return "no other file can be opened here".to_owned() };
        let (sender, receiver) = channel();
        let work = move || {
            // The receiver is gone if another file was chosen meanwhile.
            let _ = sender.send(make(&opener));
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
    pub fn take(&mut self) -> Option<Result<Scene, OpenError>> {
        let (path, receiver) = self.coming.as_ref()?;
        let come = match receiver.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(OpenError::Failed { file: path.clone() }),
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

/// Writes a new battle and opens it, to be deployed.
fn deploy(battle: &NewBattle, name: &str, opener: &Opener) -> Result<Scene, OpenError> {
    let path = battle.write(battles(), name)?;
    Ok(Scene { deploys: true, ..opener(&path)? })
}

/// The folder of new battles.
pub(crate) fn battles() -> PathBuf {
    let folders = ProjectDirs::from("", "", "throng");
    folders.map_or_else(std::env::temp_dir, |folders| folders.data_local_dir().to_path_buf()).join("battles")
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
