//! A world in a file, and back.

mod check;
mod crowding;
mod error;
mod file;
mod memory;
mod saved;
mod searches;

pub use error::{MapMark, SnapshotError};
pub use memory::Snapshot;

use super::World;
use super::parts::State;
use crate::crowd::models::CustomModel;
use error::Failure;
use saved::Saved;
use std::path::Path;
use std::sync::Arc;
use throng_grid::Grid;
use throng_plan::Planner;
use throng_spatial::IndexChoice;

/// The name of a snapshot that is in no file.
const IN_MEMORY: &str = "a snapshot in memory";

/// How a world goes on: what may be another than before, since results do not depend on it.
///
/// See [`World::restore`].
#[derive(Clone, Debug)]
pub struct Resume<'a> {
    /// Threads of the tick, and as many workers that plan; at least 1. One a core unless said otherwise.
    pub threads: usize,
    /// The spatial index; `None` = the one before. It must be given where that was one from outside.
    pub index: Option<IndexChoice>,
    /// The model of avoidance from outside that the world had; one of another name is refused.
    pub model: Option<CustomModel>,
    /// The [stage](super::Settings::stage) that the world had; one of another name is refused.
    pub stage: Option<CustomModel>,
    /// So many ticks are allowed at the least before the battle is a draw: a later end than was set before.
    pub allow_ticks: u64,
    /// The map that the world was made with, before any edit; a snapshot of another is refused. `None` = whichever.
    pub map: Option<&'a Grid>,
    /// Planners from outside the library ([`PlannerChoice::Custom`](throng_plan::PlannerChoice::Custom)) that the world
    /// used: a snapshot has only their names. They must search as they did, or the world goes on otherwise.
    pub planners: &'a [Arc<dyn Planner>],
}

impl Default for Resume<'_> {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, index: None, model: None, stage: None, allow_ticks: 0, map: None, planners: &[] }
    }
}

impl World {
    /// Writes the whole world into a file, from which [`World::restore`] goes on to the same bytes. A file that was there
    /// before is replaced at once, and only by a whole one, even if the power fails.
    ///
    /// It holds the map as it is, pending edits, all agents and all else on the map, the routes that are walked, asked for and
    /// under way, and the settings. It does not hold the code: another version of the program may go on otherwise. O(n +
    /// cells).
    ///
    /// # Errors
    /// [`SnapshotError::Write`] where the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SnapshotError> {
        self.save_at(path.as_ref(), &[])
    }

    /// As [`World::save`], with bytes of the caller's own: what it must know, beside the world, to go on. They are whole where
    /// the snapshot is, and [`World::restore_with_notes`] gives them back.
    ///
    /// # Errors
    /// [`SnapshotError::Write`] where the file cannot be written.
    pub fn save_with_notes(&self, path: impl AsRef<Path>, notes: &[u8]) -> Result<(), SnapshotError> {
        self.save_at(path.as_ref(), notes)
    }

    fn save_at(&self, path: &Path, notes: &[u8]) -> Result<(), SnapshotError> {
        let done = self.bytes(notes).and_then(|bytes| file::write(path, &bytes));
        done.map_err(|source| SnapshotError::Write { file: path.to_path_buf(), source })
    }

    fn bytes(&self, notes: &[u8]) -> std::io::Result<Vec<u8>> {
        let bytes = postcard::to_extend(&Saved::of(self, notes), file::head()).map_err(std::io::Error::other)?;
        Ok(file::complete(bytes))
    }

    /// The bytes that [`World::save`] would write, for a save of a game's own, or to send. [`World::snapshot`] is the quicker way to go back
    /// within one program. O(n + cells).
    ///
    /// # Errors
    /// [`SnapshotError::Write`] where the world cannot be written down.
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Resume, Settings, World};
    /// let world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// let other = World::from_bytes(&world.to_bytes()?, Resume::default())?;
    /// assert_eq!((other.ticks(), other.to_bytes()?), (0, world.to_bytes()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        self.bytes(&[]).map_err(|source| SnapshotError::Write { file: IN_MEMORY.into(), source })
    }

    /// Goes on from the bytes of [`World::to_bytes`], or of a file that [`World::save`] has written: see [`World::restore`].
    ///
    /// # Errors
    /// As [`World::restore`].
    pub fn from_bytes(bytes: &[u8], resume: Resume<'_>) -> Result<Self, SnapshotError> {
        Self::in_file(bytes, Path::new(IN_MEMORY), resume)
    }

    /// As [`World::from_bytes`], where the bytes are called by a name in errors.
    pub(super) fn in_file(bytes: &[u8], path: &Path, resume: Resume<'_>) -> Result<Self, SnapshotError> {
        let bytes = file::read_from(bytes, Some(bytes.len() as u64), path)?;
        Ok(Self::restored(&bytes, path, resume)?.0)
    }

    /// Goes on where a world was when it was saved: each later tick gives the same bytes, whatever the threads and the
    /// index.
    ///
    /// Searches that were under way are done again from their beginning, and fall due in the tick in which they would have.
    /// Costs what setting up the world has cost, and what those searches did.
    ///
    /// # Errors
    /// [`SnapshotError`] names the file, what was found, what was expected, and what to do.
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_spatial::IndexKind;
    /// use throng_sim::world::{SquadSpec, Resume, Settings, World};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("march.snapshot");
    /// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(8.5, 8.5)]))?;
    /// world.order(squad, Order::GoTo(Vec2::new(50.5, 30.5)))?;
    /// world.tick()?;
    /// world.save(&path)?;
    ///
    /// let mut other = World::restore(&path, Resume { threads: 3, index: Some(IndexKind::Bvh.into()), ..Resume::default() })?;
    /// for _ in 0..100 {
    ///     world.tick()?;
    ///     other.tick()?;
    /// }
    /// assert_eq!(other.position_hash(), world.position_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(path: impl AsRef<Path>, resume: Resume<'_>) -> Result<Self, SnapshotError> {
        Ok(Self::restore_at(path.as_ref(), resume)?.0)
    }

    /// As [`World::restore`], with the notes that [`World::save_with_notes`] kept; none of a snapshot without.
    ///
    /// # Errors
    /// As [`World::restore`].
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Resume, Settings, World};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("level.snapshot");
    /// let world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// world.save_with_notes(&path, b"score 70")?;
    /// let (_, notes) = World::restore_with_notes(&path, Resume::default())?;
    /// assert_eq!(notes, b"score 70");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore_with_notes(path: impl AsRef<Path>, resume: Resume<'_>) -> Result<(Self, Vec<u8>), SnapshotError> {
        Self::restore_at(path.as_ref(), resume)
    }

    fn restore_at(path: &Path, resume: Resume<'_>) -> Result<(Self, Vec<u8>), SnapshotError> {
        Self::restored(&file::read(path)?, path, resume)
    }

    /// The world in the content of a snapshot, which is called by a name in errors, and its notes.
    fn restored(bytes: &[u8], path: &Path, resume: Resume<'_>) -> Result<(Self, Vec<u8>), SnapshotError> {
        let file = || path.to_path_buf();
        let content = |what: String| SnapshotError::Content { file: file(), what };
        let (mut saved, rest) =
            postcard::take_from_bytes::<Saved<'static, State>>(bytes).map_err(|error| content(error.to_string()))?;
        if !rest.is_empty() {
            return Err(content(format!("{} bytes are left over", rest.len())));
        }
        let Resume { threads, index, model, stage, allow_ticks, map, planners } = resume;
        if let Some(expected) = map.map(MapMark::of).filter(|&mark| mark != saved.state.origin) {
            return Err(SnapshotError::Map { file: file(), found: saved.state.origin, expected });
        }
        let settings = saved.settings.to_mut();
        settings.threads = threads;
        if let Some(index) = index {
            settings.index = index;
        }
        if settings.model.is_some() && settings.model != model {
            let name = settings.model.as_ref().map_or(String::new(), |model| model.name().to_owned());
            return Err(SnapshotError::Model { file: file(), name });
        }
        settings.model = model.or(settings.model.take());
        if settings.stage != stage {
            let name = settings.stage.as_ref().map(|stage| stage.name().to_owned());
            return Err(SnapshotError::Stage { file: file(), name });
        }
        settings.stage = stage;
        if let IndexChoice::Missing(name) = &settings.index {
            return Err(SnapshotError::Index { file: file(), name: name.to_string() });
        }
        settings.max_ticks = settings.max_ticks.max(allow_ticks);
        let notes = std::mem::take(&mut saved.notes).into_owned();
        let world = saved.into_world(planners).map_err(|failure| match failure {
            Failure::Content(what) => content(what),
            Failure::World(source) => SnapshotError::World { file: file(), source },
        })?;
        Ok((world, notes))
    }
}
