//! Snapshots of a run, and going on from one.

use super::CliError;
use super::file_kind::{self, Wanted};
use super::numbers::positive;
use super::output::{check_file, check_not_read, same_file};
use super::record::{Record, Sinks};
use clap::Args;
use std::path::{Path, PathBuf};
use throng::world::{Army, Resume, World};

#[derive(Args, Debug)]
#[command(next_help_heading = "Snapshots")]
pub(super) struct SnapshotArgs {
    /// Keep the whole world in a file: every N ticks, and at the end
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    snapshot_every: Option<u64>,
    /// The file [default: NAME.snapshot in the output folder]; without --snapshot-every, at the end alone
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// Go on from a snapshot of this scenario or crowd, and with the files that are there; units, seed and settings are those of the snapshot
    #[arg(long, value_name = "FILE")]
    pub(super) resume: Option<PathBuf>,
}

/// When and where the world is kept.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    file: Option<PathBuf>,
    every: Option<u64>,
}

impl SnapshotArgs {
    /// Says before the run whether the snapshots can be written, over nothing that is read or written beside them but the
    /// snapshot that the run goes on from.
    pub(super) fn prepare(&self, record: &Record, inputs: &[&Path]) -> Result<Snapshots, CliError> {
        const OPTION: &str = "--snapshot";
        let kept = self.snapshot.clone().or_else(|| self.snapshot_every.map(|_| record.file("snapshot")));
        if let Some(file) = &kept {
            check_file(file, OPTION)?;
            check_not_read(file, OPTION, inputs)?;
            if record.files().iter().any(|other| same_file(file, other)) {
                return Err(CliError::Twice { file: file.clone(), option: OPTION, other: "--out" });
            }
        }
        Ok(Snapshots { file: kept, every: self.snapshot_every })
    }
}

impl Snapshots {
    /// The file that is written.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// After a tick.
    pub(super) fn tick(&self, world: &World, sinks: &mut Sinks) -> Result<(), CliError> {
        match (&self.file, self.every) {
            (Some(file), Some(every)) if world.ticks().is_multiple_of(every) => {
                Ok(world.save_with_notes(file, &sinks.notes())?)
            }
            _ => Ok(()),
        }
    }

    /// After the last tick: the file that was written.
    pub(super) fn end(&self, world: &World, sinks: &mut Sinks) -> Result<Option<PathBuf>, CliError> {
        if let Some(file) = &self.file {
            world.save_with_notes(file, &sinks.notes())?;
        }
        Ok(self.file.clone())
    }
}

/// The world of a snapshot, its notes, and the tick to stop at: `ticks` in all, or the limit of the run that made the snapshot.
///
/// `armies` are the names, numbers of squads and strengths with which the battle of `source` begins.
pub(super) fn go_on(
    file: &Path,
    source: &Path,
    resume: Resume<'_>,
    armies: &[(&str, usize, usize)],
    ticks: Option<u64>,
) -> Result<(World, Vec<u8>, u64), CliError> {
    file_kind::check(file, Wanted::Snapshot)?;
    let (world, notes) = World::restore_with_notes(file, Resume { allow_ticks: ticks.unwrap_or(0), ..resume })?;
    let text = |armies: &mut dyn Iterator<Item = (&str, usize)>| {
        let armies: Vec<String> = armies.map(|(name, count)| format!("{name} {count}")).collect();
        if armies.is_empty() { "no armies".into() } else { armies.join(", ") }
    };
    let first: usize = armies.iter().map(|(_, squads, _)| squads).sum();
    let later = |army: usize| {
        let squads = world.squads().iter().skip(first).filter(|squad| squad.army.index() == army);
        squads.map(|squad| squad.tally.spawned).sum::<u32>()
    };
    // Waves that have come since do not count.
    let begun = |(number, army): (usize, &Army)| army.spawned.saturating_sub(later(number)) as usize;
    let mut found = world.armies().iter().enumerate().map(|army| (&*army.1.name, begun(army)));
    let (found, expected) = (text(&mut found), text(&mut armies.iter().map(|&(name, _, count)| (name, count))));
    if found != expected {
        let (file, source_file) = (file.to_path_buf(), source.to_path_buf());
        return Err(CliError::OtherBattle { file, source_file, found, expected });
    }
    let ticks = ticks.unwrap_or(world.settings().max_ticks);
    Ok((world, notes, ticks))
}
