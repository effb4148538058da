//! A log of commands, done again.

use super::{Command, Entry, FORMAT, LogError, MAGIC};
use crate::world::{Resume, World, WorldError};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng_plan::{Planner, PlannerChoice};

/// A [log of commands](World::log_commands) that is done again, entry by entry.
#[derive(Debug)]
pub struct CommandReplay {
    file: PathBuf,
    from: BufReader<File>,
    /// Where the next entry begins.
    at: u64,
    is_cut: bool,
    planners: Vec<Arc<dyn Planner>>,
    world: World,
}

/// An entry of a log that was done again.
#[derive(Debug)]
#[non_exhaustive]
pub enum Replayed {
    /// A command, and whether the world took it: what it refused when it was logged, it refuses again.
    Command(Box<Command>, Result<(), WorldError>),
    /// A tick, and how it went.
    Tick(Result<(), WorldError>),
    /// All agents are where they were.
    Same,
}

impl CommandReplay {
    /// Opens a log. The world is as it was when the log began.
    ///
    /// # Errors
    /// Where the file cannot be read, is no log, or its world cannot be made: see [`World::restore`].
    pub fn open(path: impl AsRef<Path>, resume: Resume<'_>) -> Result<Self, LogError> {
        let path = path.as_ref();
        let read_error = |source| LogError::Read { file: path.to_path_buf(), source };
        let mut from = BufReader::new(File::open(path).map_err(read_error)?);
        let head = up_to(&mut from, 20).map_err(read_error)?;
        if !head.starts_with(&MAGIC) || head.len() < 20 {
            return Err(LogError::Foreign { file: path.to_path_buf() });
        }
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found != FORMAT {
            return Err(LogError::Version { file: path.to_path_buf(), found, expected: FORMAT });
        }
        let length = head[12..].iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte));
        let snapshot = up_to(&mut from, length).map_err(read_error)?;
        let planners = resume.planners.to_vec();
        let world = World::in_file(&snapshot, path, resume)?;
        let at = 20 + snapshot.len() as u64;
        Ok(Self { file: path.to_path_buf(), from, at, is_cut: false, planners, world })
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to go on with.
    pub fn into_world(self) -> World {
        self.world
    }

    /// True where the log ends within an entry: its program was killed.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Does the next entry again; `None` at the end.
    ///
    /// # Errors
    /// Where an entry is damaged, a planner is not given, or the agents are not where they were.
    pub fn advance(&mut self) -> Result<Option<Replayed>, LogError> {
        let at = self.at;
        let damaged = |what: &str| LogError::Damaged { file: self.file.clone(), at, what: what.to_owned() };
        let read_error = |source| LogError::Read { file: self.file.clone(), source };
        let head = up_to(&mut self.from, 8).map_err(read_error)?;
        let mut number = head.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let (Some(length), Some(sum)) = (number.next(), number.next()) else {
            self.is_cut |= !head.is_empty();
            return Ok(None);
        };
        let bytes = up_to(&mut self.from, length.into()).map_err(read_error)?;
        if bytes.len() < length as usize {
            self.is_cut = true;
            return Ok(None);
        }
        if crc32fast::hash(&bytes) != sum {
            return Err(damaged("its checksum is another"));
        }
        let (entry, rest) = postcard::take_from_bytes::<Entry>(&bytes).map_err(|error| damaged(&error.to_string()))?;
        if !rest.is_empty() {
            return Err(damaged(&format!("{} bytes are left over", rest.len())));
        }
        self.at += 8 + u64::from(length);
        Ok(Some(match entry {
            Entry::Command(mut command) => {
                self.give_planners(&mut command, at)?;
                let result = self.world.apply((*command).clone());
                Replayed::Command(command, result)
            }
            Entry::Tick => Replayed::Tick(self.world.tick()),
            Entry::Mark(expected) => {
                let (found, tick) = (self.world.position_hash(), self.world.ticks());
                if found != expected {
                    return Err(LogError::Differs { file: self.file.clone(), tick, found, expected });
                }
                Replayed::Same
            }
        }))
    }

    /// Puts the planners that were given in the place of their names.
    fn give_planners(&self, command: &mut Command, at: u64) -> Result<(), LogError> {
        for planner in command.planners() {
            if let PlannerChoice::Missing(name) = planner {
                let given = self.planners.iter().find(|given| given.name() == &**name);
                let missing = || LogError::Planner { file: self.file.clone(), at, name: name.to_string() };
                *planner = PlannerChoice::Custom(Arc::clone(given.ok_or_else(missing)?));
            }
        }
        Ok(())
    }
}

/// The next bytes, so many or as many as there are.
fn up_to(from: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
