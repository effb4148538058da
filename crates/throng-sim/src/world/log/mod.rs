//! A log of all commands that a world is given, from which another does the same.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`FORMAT`] |
//! | 8 | how many bytes the snapshot has |
//! | | the snapshot with which the log begins |
//! | | the entries: 4 bytes of length, 4 of CRC-32, and the entry |
//!
//! Numbers have their least byte first.

mod apply;
mod command;
mod error;
mod replay;

pub use command::Command;
pub use error::LogError;
pub use replay::{CommandReplay, Replayed};

use super::World;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Write};

/// The first bytes of a log.
const MAGIC: [u8; 8] = *b"\x93THRCMD\n";

/// Counted up with every change of the entries.
const FORMAT: u32 = 1;

/// The places of all are noted after so many ticks.
const MARK_EVERY: u64 = 64;

/// What the log of a world writes to.
pub(in crate::world) struct CommandLog {
    to: Box<dyn Write + Send + Sync>,
    /// The first error: nothing more was written from then on.
    failed: Option<io::Error>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Entry {
    Command(Box<Command>),
    /// A tick begins.
    Tick,
    /// The [hash](World::position_hash) of all places.
    Mark(u64),
}

impl CommandLog {
    fn begin(mut to: Box<dyn Write + Send + Sync>, snapshot: &[u8]) -> io::Result<Self> {
        to.write_all(&MAGIC)?;
        to.write_all(&FORMAT.to_le_bytes())?;
        to.write_all(&(snapshot.len() as u64).to_le_bytes())?;
        to.write_all(snapshot)?;
        Ok(Self { to, failed: None })
    }

    fn write(&mut self, entry: &Entry) {
        if self.failed.is_none() {
            self.failed = framed(entry).and_then(|bytes| self.to.write_all(&bytes)).err();
        }
    }
}

/// An entry behind its length and its checksum.
fn framed(entry: &Entry) -> io::Result<Vec<u8>> {
    let mut bytes = postcard::to_extend(entry, vec![0; 8]).map_err(io::Error::other)?;
    let (length, sum) = ((bytes.len() - 8) as u32, crc32fast::hash(&bytes[8..]));
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes[4..8].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

impl fmt::Debug for CommandLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandLog").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl World {
    /// Logs the world as it is, and from now on each command that it is given and each tick: with [`CommandReplay`] another
    /// program does the same again, to the same bytes. So the report of a fault is a file.
    ///
    /// Each entry is written at once, in some 20 bytes; a program that is killed leaves a log that ends there. Give it a
    /// [`BufWriter`](std::io::BufWriter) where that is too slow. An older log of the world ends.
    ///
    /// # Errors
    /// Where the world cannot be written. Later errors of the writer are told by [`World::end_log`]: the world goes on.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{CommandReplay, Resume, Settings, World};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("walk.commands");
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// world.log_commands(std::fs::File::create(&path)?)?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let id = world.spawn_walkers(all, walker, &[Vec2::splat(4.5)], &[])?[0];
    /// world.walk_to(id, Vec2::new(9.5, 4.5))?;
    /// world.tick_until(|world| world.ticks() == 100)?;
    /// world.end_log()?;
    ///
    /// let mut replay = CommandReplay::open(&path, Resume::default())?;
    /// while replay.advance()?.is_some() {}
    /// assert_eq!(replay.world().to_bytes()?, world.to_bytes()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_commands(&mut self, to: impl Write + Send + Sync + 'static) -> Result<(), LogError> {
        let snapshot = self.to_bytes()?;
        self.log = Some(CommandLog::begin(Box::new(to), &snapshot).map_err(LogError::Write)?);
        Ok(())
    }

    /// Ends the log of commands; nothing happens where there is none.
    ///
    /// # Errors
    /// The first error of the writer. The log ends where it occurred.
    pub fn end_log(&mut self) -> Result<(), LogError> {
        let hash = self.position_hash();
        let Some(mut log) = self.log.take() else { return Ok(()) };
        log.write(&Entry::Mark(hash));
        log.failed.map_or_else(|| log.to.flush(), Err).map_err(LogError::Write)
    }

    /// Logs a command that the world is given.
    pub(super) fn log(&mut self, command: impl FnOnce() -> Command) {
        if let Some(log) = &mut self.log {
            log.write(&Entry::Command(Box::new(command())));
        }
    }

    /// Makes calls that follow from the one that is logged.
    pub(super) fn unlogged<R>(&mut self, calls: impl FnOnce(&mut Self) -> R) -> R {
        let log = self.log.take();
        let result = calls(self);
        self.log = log;
        result
    }

    /// Logs that a tick begins.
    pub(super) fn log_tick(&mut self) {
        if let Some(log) = &mut self.log {
            log.write(&Entry::Tick);
        }
    }

    /// Logs now and then where all are after a tick.
    pub(super) fn log_places(&mut self) {
        if self.log.is_some() && self.state.tick.is_multiple_of(MARK_EVERY) {
            let hash = self.position_hash();
            if let Some(log) = &mut self.log {
                log.write(&Entry::Mark(hash));
            }
        }
    }
}
