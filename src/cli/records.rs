//! What a run leaves behind besides its figures: everybody's way, and figures over time.

use super::CliError;
use super::output::{check_file, check_not_read, same_file};
use super::run::{Record, positive};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use throng::geom::Vec2;
use throng::record::{About, RecordError, Recorder, Sink, Statistics, Trajectories, TrajectoryText};
use throng::world::World;

#[derive(Args, Debug)]
#[command(next_help_heading = "Records")]
pub(super) struct RecordArgs {
    /// Record where everybody is: text for PedPy where FILE ends in .txt, else a JuPedSim file, version 2
    #[arg(long, value_name = "FILE")]
    trajectories: Option<PathBuf>,
    /// Write figures over time as CSV: agents, sleepers, mean speed, the strength of each army
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Record the run as it can be watched again: throng replay FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Add the times of ticks and their stages (ms) to --statistics; they differ from run to run
    #[arg(long, requires = "statistics")]
    stage_times: bool,
    /// Record every n-th tick
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = positive, allow_negative_numbers = true)]
    every: u64,
    /// Format of the animation
    #[arg(long, value_name = "FORMAT", default_value = "gif", conflicts_with = "no_pictures")]
    pub(super) film: FilmFormat,
}

/// A record of a run, and that every so many ticks it is shown one.
pub(super) type Every = (u64, Box<dyn Sink>);

/// A format of animations; its name is the ending of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FilmFormat {
    Gif,
    Apng,
}

impl FilmFormat {
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Apng => "apng",
        }
    }
}

impl RecordArgs {
    fn files(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let files =
            [(&self.trajectories, "--trajectories"), (&self.statistics, "--statistics"), (&self.record, "--record")];
        files.into_iter().filter_map(|(file, option)| Some((file.as_deref()?, option)))
    }

    /// Says before anything is made whether the files can be written, over nothing that is read.
    pub(super) fn check(&self, inputs: &[&Path]) -> Result<(), CliError> {
        self.files().try_for_each(|(file, option)| {
            check_file(file, option)?;
            check_not_read(file, option, inputs)
        })
    }

    /// Says whether no two files of the run have one name.
    pub(super) fn check_apart(&self, record: &Record) -> Result<(), CliError> {
        let mut others: Vec<_> = record.files().into_iter().map(|file| (file, "--out")).collect();
        for (file, option) in self.files() {
            if let Some(&(_, other)) = others.iter().find(|(other, _)| same_file(file, other)) {
                return Err(CliError::Twice { file: file.to_path_buf(), option, other });
            }
            others.push((file.to_path_buf(), option));
        }
        Ok(())
    }

    /// The sinks of a run called `title`. `plain` is where the origin of the world lies and how large it is (m), on an open plain that has
    /// coordinates of its own.
    pub(super) fn sinks(
        &self,
        title: &str,
        world: &World,
        plain: Option<([f64; 2], Vec2)>,
    ) -> Result<Vec<Every>, RecordError> {
        let (step, every) = (world.settings().step, self.every);
        let mut sinks: Vec<Every> = Vec::new();
        if let Some(file) = &self.trajectories {
            let is_text = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
            let sink: Box<dyn Sink> = match plain {
                _ if is_text => {
                    let origin = plain.map_or([0.0; 2], |(origin, _)| origin);
                    Box::new(TrajectoryText::create(file, step, every, origin)?)
                }
                Some((origin, size)) => Box::new(Trajectories::create(file, step, every, origin, size)?),
                None => Box::new(Trajectories::on_map(file, step, every, world.grid())?),
            };
            sinks.push((every, sink));
        }
        if let Some(file) = &self.statistics {
            let table = Statistics::create(file)?;
            sinks.push((every, Box::new(if self.stage_times { table.with_times() } else { table })));
        }
        if let Some(file) = &self.record {
            let (seed, origin) = (world.settings().seed, plain.map_or([0.0; 2], |(origin, _)| origin));
            let about = About { title: title.to_owned(), seed, step, every, origin, ..About::default() };
            // Shown every tick, for the fallen; it keeps every n-th.
            sinks.push((1, Box::new(Recorder::create(file, &about)?)));
        }
        Ok(sinks)
    }
}
