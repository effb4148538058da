//! The files of a run, of one name in one folder.

use super::CliError;
use super::output::{check_folder, check_not_read};
use super::picture_sink::PictureSink;
use super::pictures::Pictures;
use std::path::{Path, PathBuf};
use throng::record::Sink;
use throng::world::World;

/// A record of a run, and that every so many ticks it is shown one.
pub(super) type Every = (u64, Box<dyn Sink>);

/// The files of a run.
#[derive(Debug)]
pub(super) struct Record {
    folder: PathBuf,
    pub(super) stem: String,
    pictures: Option<Pictures>,
}

impl Record {
    /// Says before the run whether its files can be written, and are none of the input files.
    pub(super) fn prepare(
        source: &Path,
        inputs: &[&Path],
        folder: &Path,
        pictures: Option<Pictures>,
    ) -> Result<Self, CliError> {
        let stem = source.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        let record = Self { folder: folder.to_path_buf(), stem, pictures };
        let names: Vec<_> = record.endings().iter().map(|ending| format!("{}.{ending}", record.stem)).collect();
        check_folder(folder, &names)?;
        names.iter().try_for_each(|name| check_not_read(&folder.join(name), "--out", inputs))?;
        Ok(record)
    }

    fn endings(&self) -> Vec<&'static str> {
        ["json"].into_iter().chain(self.pictures.iter().flat_map(Pictures::endings)).collect()
    }

    pub(super) fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.stem))
    }

    /// All files that the run writes into its folder.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.endings().iter().map(|ending| self.file(ending)).collect()
    }

    pub(super) fn wants_routes(&self) -> bool {
        self.pictures.is_some_and(|pictures| pictures.wants_routes())
    }

    pub(super) fn json(&self) -> PathBuf {
        self.file("json")
    }

    pub(super) fn sinks(&self, world: &World) -> Result<Vec<Every>, CliError> {
        let Some(pictures) = self.pictures else { return Ok(Vec::new()) };
        pictures.check(world.grid())?;
        let [film, still] = pictures.endings().map(|ending| self.file(ending));
        let (every, footage) = pictures.film(film.clone(), world.grid(), world.settings().step);
        let end = match every {
            1 => pictures.still_of(&footage, &still, world.grid()),
            _ => pictures.still(&still, world.grid()),
        };
        Ok(vec![(every, Box::new(PictureSink::new(&film, footage))), (1, Box::new(PictureSink::new(&still, end)))])
    }
}
