//! Files of a run besides its figures: the positions of all agents, and figures over time.

use super::CliError;
use super::numbers::positive;
use super::output::{check_file, check_not_read, same_file};
use super::pictures::{check_sees, measurement_area};
use super::record::{DueSink, Record};
use clap::Args;
use std::path::{Path, PathBuf};
use throng::geom::Vec2;
#[cfg(not(feature = "sqlite"))]
use throng::record::RecordError;
#[cfg(feature = "sqlite")]
use throng::record::Trajectories;
use throng::record::{
    About, MeasurementArea, Plot, Recorder, Sink, SquadTable, Statistics, TrajectoryTable, TrajectoryText,
};
use throng::world::World;

#[derive(Args, Debug)]
#[command(next_help_heading = "Records")]
pub(super) struct RecordArgs {
    /// Record the positions of all agents: text for PedPy where FILE ends in .txt, a table where it ends in .csv or (with the feature
    /// of that name) .parquet, else a JuPedSim file, version 2
    #[arg(long, value_name = "FILE")]
    trajectories: Option<PathBuf>,
    /// Write figures over time: agents, sleepers, mean speed, the strength, kills and harm of each army, the strength of each of its units; Parquet
    /// where FILE ends in .parquet (with the feature of that name), else CSV
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Add to --statistics how many are in an area, how many that is a square metre, and how fast they walk: its middle and
    /// its size in metres; may be given several times
    #[arg(long, value_name = "X,Y,WIDTH,HEIGHT", requires = "statistics", value_parser = measurement_area,
        allow_negative_numbers = true)]
    measure: Vec<MeasurementArea>,
    /// Write what every squad has done so far, once a second of the run: order, strength, losses, kills, harm, distance walked;
    /// Parquet where FILE ends in .parquet (with the feature of that name), else CSV
    #[arg(long, value_name = "FILE")]
    squads: Option<PathBuf>,
    /// Record the run as it can be watched again: throng replay FILE. It is FILE.part until the run ends
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Add the times of ticks and their stages (ms) to --statistics; they differ from run to run
    #[arg(long, requires = "statistics")]
    stage_times: bool,
    /// Draw the strength of each army, the number of agents and their mean speed over time, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Record every n-th tick, but for --trajectories [default: 1, for --squads a second]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    every: Option<u64>,
    /// Write every n-th tick to --trajectories, whose frames a second the file tells [default: 1]
    #[arg(long, value_name = "N", requires = "trajectories", value_parser = positive, allow_negative_numbers = true)]
    trajectories_every: Option<u64>,
}

impl RecordArgs {
    fn files(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let files = [
            (&self.trajectories, "--trajectories"),
            (&self.statistics, "--statistics"),
            (&self.squads, "--squads"),
            (&self.plot, "--plot"),
            (&self.record, "--record"),
        ];
        files.into_iter().filter_map(|(file, option)| Some((file.as_deref()?, option)))
    }

    /// Says before anything is made whether the files can be written, over nothing that is read.
    pub(super) fn check(&self, inputs: &[&Path]) -> Result<(), CliError> {
        if self.every.is_some() && self.files().all(|(_, option)| option == "--trajectories") {
            return Err(CliError::EveryOfNothing);
        }
        self.files().try_for_each(|(file, option)| {
            check_file(file, option)?;
            check_not_read(file, option, inputs)
        })
    }

    /// Says whether no two files of the run have one name. `snapshot` is where the world is kept.
    pub(super) fn check_apart(&self, record: &Record, snapshot: Option<&Path>) -> Result<(), CliError> {
        let mut others: Vec<_> = record.files().into_iter().map(|file| (file, "--out")).collect();
        others.extend(snapshot.map(|file| (file.to_path_buf(), "--snapshot")));
        for (file, option) in self.files() {
            if let Some(&(_, other)) = others.iter().find(|(other, _)| same_file(file, other)) {
                return Err(CliError::Twice { file: file.to_path_buf(), option, other });
            }
            others.push((file.to_path_buf(), option));
        }
        Ok(())
    }

    /// The records of a run called `title`; `names` are those of its squads. `plain` is where the origin of the world lies and how large it is (m), on an open plain that has
    /// coordinates of its own.
    pub(super) fn sinks(
        &self,
        title: &str,
        names: &[String],
        world: &mut World,
        plain: Option<([f64; 2], Vec2)>,
    ) -> Result<Vec<DueSink>, CliError> {
        let origin = plain.map_or([0.0; 2], |(origin, _)| origin);
        self.measure.iter().try_for_each(|area| check_sees(*area, "--measure", world.grid(), origin))?;
        let (step, every) = (world.settings().step, self.every.unwrap_or(1));
        let mut all = Vec::new();
        if let Some(file) = &self.trajectories {
            let every = self.trajectories_every.unwrap_or(1);
            let ends = |ending: &str| file.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
            let sink: Box<dyn Sink> = match plain {
                _ if ends("txt") => Box::new(TrajectoryText::create(file, step, every, origin)?),
                _ if ends("csv") || ends("parquet") => Box::new(TrajectoryTable::create(file, origin)?),
                #[cfg(not(feature = "sqlite"))]
                _ => return Err(RecordError::NoSqlite { file: file.clone() }.into()),
                #[cfg(feature = "sqlite")]
                Some((origin, size)) => Box::new(Trajectories::create(file, step, every, origin, size)?),
                #[cfg(feature = "sqlite")]
                None => Box::new(Trajectories::on_map(file, step, every, world.grid())?),
            };
            all.push(DueSink { option: "--trajectories", every, after: None, sink });
        }
        if let Some(file) = &self.statistics {
            let [x, y] = origin.map(|metres| metres as f32);
            let areas =
                self.measure.iter().map(|area| MeasurementArea { centre: area.centre - Vec2::new(x, y), ..*area });
            let table = areas.fold(Statistics::create(file)?, Statistics::with_area);
            let table = if self.stage_times { table.with_times() } else { table };
            all.push(DueSink::new("--statistics", every, table));
        }
        if let Some(file) = &self.squads {
            world.count_walks();
            let second = ((1.0 / step).round() as u64).max(1);
            let table = SquadTable::create(file)?.with_names(names.to_vec());
            all.push(DueSink::new("--squads", self.every.unwrap_or(second), table));
        }
        if let Some(file) = &self.plot {
            all.push(DueSink::new("--plot", every, Plot::create(file)?));
        }
        if let Some(file) = &self.record {
            let about =
                About { title: title.to_owned(), seed: world.settings().seed, step, every, origin, ..About::default() };
            // Shown every tick, for the fallen; it keeps every n-th.
            all.push(DueSink::new("--record", 1, Recorder::create(file, &about)?));
        }
        Ok(all)
    }
}
