//! `throng view`: in a window, or without one where none can be opened.

use super::output::note;
use super::run::{Pictures, default_threads, run_scenario, threads, warn};
use super::{CliError, Ended};
use clap::Args;
use std::path::{Path, PathBuf};
use throng::scenario::Scenario;

/// The scenario that is shown where none is named.
const SIEGE: &str = "examples/siege.toml";

#[derive(Args, Debug)]
#[command(after_help = "\
Where no window can be opened, it says why and does what throng run would: pictures and figures in the output folder.

Examples:
  throng view examples/arena.toml
  throng view examples/siege.toml --seed 7 --threads 2")]
pub(super) struct ViewArgs {
    /// A scenario file (.toml)
    scenario: PathBuf,
    /// Seed of everything random [default: that of the scenario]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Threads [default: one a core]; results do not depend on them
    #[arg(long, value_name = "T", value_parser = threads)]
    threads: Option<usize>,
    /// Folder for what is written where no window can be opened
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
}

impl ViewArgs {
    /// The default scenario: of the current folder, or else of the folder this program was built from.
    pub(super) fn siege() -> Self {
        let here = Path::new(SIEGE);
        let scenario =
            if here.exists() { here.to_path_buf() } else { Path::new(env!("CARGO_MANIFEST_DIR")).join(SIEGE) };
        Self { scenario, seed: None, threads: None, out: "out".into() }
    }
}

pub(super) fn view(args: &ViewArgs) -> Result<Ended, CliError> {
    let (mut scenario, warnings) = Scenario::load(&args.scenario)?;
    warn(&warnings);
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    let threads = args.threads.unwrap_or_else(default_threads);
    match window(&scenario, threads) {
        Ok(()) => Ok(Ended::Well),
        Err(reason) => {
            note(&format!("{reason}; running without a window, see {}", args.out.display()));
            run_scenario(scenario, None, threads, &args.out, Pictures::Yes)
        }
    }
}

/// Shows the scenario until the window is closed; the error says why no window could be opened.
fn window(_scenario: &Scenario, _threads: usize) -> Result<(), String> {
    Err("no window: built without the viewer feature".into())
}
