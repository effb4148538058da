//! The command line: from arguments to a run.
#![allow(clippy::doc_markdown)] // what clap shows as help is no Markdown

mod batch;
mod command_log;
mod compare;
mod compare_window;
mod edge_list;
mod error;
mod examples;
mod experiment;
mod fault;
mod file_kind;
mod hints;
mod indices;
mod indices_window;
mod map;
mod numbers;
#[cfg(feature = "viewer")]
mod open;
mod output;
mod picture_sink;
mod pictures;
mod plan;
mod plan_graph;
mod progress;
mod record;
mod records;
mod replay;
mod run;
mod snapshots;
mod stop;
mod unit;
mod view;
#[cfg(feature = "spatial-lab")]
mod volumes;
#[cfg(feature = "spatial-lab")]
mod volumes_window;

use clap::{CommandFactory, Parser, Subcommand};
use error::CliError;
use std::io::ErrorKind;
use std::process::ExitCode;

/// The exit code where the reader of standard output has gone (`throng indices | head -1`): 128 and the number of the signal
/// by which most programs end then. Nothing is said: it was done on purpose. Some end with 0 (ripgrep, fd), but then a script
/// takes the part for the whole.
///
/// All else that keeps a result from being printed, as a disk that is full, is an error and ends with 1.
const UNREAD: u8 = 141;

#[derive(Parser, Debug)]
#[command(
    name = "throng",
    version,
    about = "Thousands of agents plan routes over a grid map and walk them, with collision avoidance every tick",
    after_help = "\
Without a command: the menu of examples; without a window, the siege (examples/siege.toml).

Examples:
  throng                                        the menu, with the siege behind it
  throng view examples/arena.toml               watch another battle
  throng run examples/siege.toml --ticks 500    no window: pictures and figures
  throng run examples/siege.toml --record siege.throng
  throng batch examples/arena.toml --runs 20    how often each army wins
  throng replay siege.throng                    watch it again, from any moment
  throng plan maps/town.map --from 20,20 --to 480,480 --png route.png
  throng plan --graph examples/roads.csv --from harbour --to farm
  throng compare maps/town.map --plot plot.svg  planners against each other
  throng indices --plot plot.svg                spatial indices likewise
  throng indices --window                       one of them at work
  throng volumes --window                       shots that tunnel, in the plane
  throng experiment crowd                       crowds in scenes hard for them
  throng map new caverns --size 256x256 --seed 7 --out my.map

Exit codes: 0 all went well, 1 it could not be done (one line says why), 2 the arguments are wrong, 130 stopped by \
Ctrl-C (143 by SIGTERM, 129 by SIGHUP), 141 standard output is no longer read. Of compare and indices, 1 says that a planner or an index broke a promise or \
that the result could not be printed, 2 all else."
)]
struct Cli {
    /// Say nothing but warnings and errors
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Command {
    /// Watch a scenario in a window
    View(view::ViewArgs),
    /// Run a scenario or a crowd without a window; write pictures and figures
    Run(run::RunArgs),
    /// Run a scenario many times, with other seeds and numbers, for win rates
    Batch(batch::BatchArgs),
    /// Watch a recording, or write its content as other files
    Replay(replay::ReplayArgs),
    /// Plan one route on a map
    Plan(plan::PlanArgs),
    /// Compare planners on a map
    Compare(compare::CompareArgs),
    /// Compare spatial indices on moving crowds
    Indices(indices::IndicesArgs),
    #[cfg(feature = "spatial-lab")]
    /// Test moving shapes continuously and by sub-steps, and count what tunnels
    Volumes(volumes::VolumesArgs),
    /// Measure how crowds behave
    #[command(
        arg_required_else_help = true,
        after_help = "\
Examples:
  throng experiment crowd --scenes circle,door --seeds 1..3
  throng experiment fundamental-diagram --plot diagram.svg"
    )]
    Experiment {
        #[command(subcommand)]
        command: experiment::ExperimentCommand,
    },
    /// Look at maps and make new ones
    #[command(
        arg_required_else_help = true,
        after_help = "\
Examples:
  throng map info maps/town.map
  throng map new fortress --size 512x512 --seed 3 --out my.map"
    )]
    Map {
        #[command(subcommand)]
        command: map::MapCommand,
    },
}

/// Reads the arguments and does what they say.
pub(crate) fn main() -> ExitCode {
    let Cli { quiet, command } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) if error.use_stderr() => {
            hints::hint(&mut error, Cli::command(), std::env::args_os());
            error.exit()
        }
        Err(help) => {
            output::note_loss(help.print());
            return end(Ok(Ended::Well), 1);
        }
    };
    if quiet {
        output::be_quiet();
    }
    // Of a comparison, 1 says that a planner or an index broke a promise.
    let failure = if matches!(command, Some(Command::Compare(_) | Command::Indices(_))) { 2 } else { 1 };
    fault::watch();
    match fault::guarded(|| perform(command.as_ref())) {
        Some(ended) => end(ended, failure),
        None => ExitCode::from(failure),
    }
}

fn perform(command: Option<&Command>) -> Result<Ended, CliError> {
    match command {
        None => view::siege(),
        Some(Command::View(args)) => view::view(args),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Batch(args)) => batch::batch(args),
        Some(Command::Replay(args)) => replay::replay(args),
        Some(Command::Plan(args)) => plan::plan(args),
        Some(Command::Compare(args)) => compare::compare(args),
        Some(Command::Indices(args)) => indices::indices(args),
        #[cfg(feature = "spatial-lab")]
        Some(Command::Volumes(args)) => volumes::volumes(args),
        Some(Command::Experiment { command }) => experiment::experiment(command),
        Some(Command::Map { command }) => map::map(command),
    }
}

/// Says why a command could not be done, which ends with the code `failure`, or that its result could not be printed.
fn end(ended: Result<Ended, CliError>, failure: u8) -> ExitCode {
    match (ended, output::lost()) {
        (Err(CliError::Arguments(error)), _) => error.exit(),
        (Err(error), _) => {
            output::tell("error", &error.to_string());
            ExitCode::from(failure)
        }
        (Ok(_), _) if fault::happened() => ExitCode::from(failure),
        (Ok(Ended::Well), Some(lost)) if lost.kind() == ErrorKind::BrokenPipe => ExitCode::from(UNREAD),
        (Ok(_), Some(lost)) if lost.kind() != ErrorKind::BrokenPipe => {
            output::tell("error", &CliError::Unprinted(lost).to_string());
            ExitCode::FAILURE
        }
        (Ok(Ended::Well), _) => ExitCode::SUCCESS,
        (Ok(Ended::Broken), _) => ExitCode::FAILURE,
        (Ok(Ended::Stopped(code)), _) => ExitCode::from(code),
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Well,
    /// A planner or an index has broken its promise.
    Broken,
    /// By a signal: 128 and its number.
    Stopped(u8),
}

/// Two whole numbers with a separator between them.
fn pair(text: &str, separator: char, expected: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once(separator).and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    numbers.ok_or_else(|| format!("expected {expected}"))
}
