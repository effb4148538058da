//! The files of a run, of one name in one folder.

use super::CliError;
use super::output::{check_folder, check_not_read, note};
use super::picture_sink::PictureSink;
use super::pictures::{MAX_ROUTES, Pictures};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use throng::record::Sink;
use throng::world::{Frame, World};

/// A record of a run, and when it is shown a frame.
#[derive(Debug)]
pub(super) struct DueSink {
    /// The option that asks for it.
    pub option: &'static str,
    /// It is shown every so many ticks.
    pub every: u64,
    /// It holds all up to this tick already.
    pub after: Option<u64>,
    pub sink: Box<dyn Sink>,
}

impl DueSink {
    pub(super) fn new(option: &'static str, every: u64, sink: impl Sink + 'static) -> Self {
        Self { option, every, after: None, sink: Box::new(sink) }
    }

    fn is_due(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.every) && self.after.is_none_or(|after| tick > after)
    }
}

/// The records of a run.
#[derive(Debug, Default)]
pub(super) struct Sinks {
    pub all: Vec<DueSink>,
    /// Whether remaining routes are drawn.
    pub wants_routes: bool,
    frame: Frame,
}

impl Sinks {
    /// Shows the world to those that are to see this tick.
    pub(super) fn show(&mut self, world: &World) -> Result<(), CliError> {
        let Self { all, wants_routes, frame } = self;
        let tick = world.ticks();
        if all.iter().any(|sink| sink.is_due(tick)) {
            world.frame(frame);
            if *wants_routes {
                world.remaining_routes(MAX_ROUTES, &mut frame.remaining_routes);
            }
        }
        let mut failure = None;
        // A sink that fails is dropped at once: its part of a full disk is free for the others.
        all.retain_mut(|entry| {
            let is_due = failure.is_none() && entry.is_due(tick);
            let shown = if is_due { entry.sink.frame(frame) } else { Ok(()) };
            shown.map_err(|error| failure = Some(error)).is_ok()
        });
        failure.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The states by which a later run goes on with the files, to be kept with the world.
    pub(super) fn notes(&mut self) -> Vec<u8> {
        let states: Vec<_> = self.all.iter_mut().map(|one| (one.option.to_owned(), one.sink.state())).collect();
        let states: BTreeMap<String, Vec<u8>> = states.into_iter().filter(|(_, state)| !state.is_empty()).collect();
        postcard::to_allocvec(&states).unwrap_or_default()
    }

    /// Goes on with the files of the run that made a snapshot after this tick and kept these notes.
    pub(super) fn go_on(&mut self, tick: u64, notes: &[u8]) -> Result<(), CliError> {
        // Another program may have made the snapshot: then these are not the notes of records.
        let states: BTreeMap<String, Vec<u8>> = postcard::from_bytes(notes).unwrap_or_default();
        for DueSink { option, after, sink, .. } in &mut self.all {
            let state = states.get(*option);
            if sink.go_on(tick, state.map_or(&[], Vec::as_slice))? {
                *after = Some(tick);
            } else if state.is_some() {
                note(&format!(
                    "the file of {option} begins at tick {tick}: the run before has left none to go on with"
                ));
            }
        }
        Ok(())
    }
}

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

    pub(super) fn json(&self) -> PathBuf {
        self.file("json")
    }

    /// The pictures of the run.
    pub(super) fn sinks(&self, world: &World) -> Result<Sinks, CliError> {
        let Some(pictures) = self.pictures else { return Ok(Sinks::default()) };
        pictures.check(world.grid())?;
        let [film, still] = pictures.endings().map(|ending| self.file(ending));
        let (every, footage) = pictures.film(film.clone(), world.grid(), world.settings().step);
        let end = match every {
            1 => pictures.still_of(&footage, &still, world.grid()),
            _ => pictures.still(&still, world.grid()),
        };
        let all = [(every, PictureSink::new(&film, footage)), (1, PictureSink::new(&still, end))];
        let all = all.into_iter().map(|(every, sink)| DueSink::new("--out", every, sink)).collect();
        Ok(Sinks { all, wants_routes: pictures.wants_routes(), frame: Frame::default() })
    }
}
