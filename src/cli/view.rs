//! `throng view`: in a window, or without one where none can be opened.

use super::examples;
use super::file_kind::{self, FileKind, Wanted};
use super::numbers::{default_threads, threads, whole};
use super::output::note;
use super::pictures::{Pictures, theme, theme_of};
use super::progress::busy;
use super::run::{run_scenario, warn};
use super::{CliError, Ended};
use clap::Args;
#[cfg(feature = "viewer")]
use std::path::Path;
use std::path::PathBuf;
use throng::record::Theme;
use throng::scenario::Scenario;
use throng::spatial::IndexSpec;

/// The example that is shown where no scenario is named.
const DEFAULT: &str = "siege";

#[derive(Args, Debug)]
#[command(after_help = "\
Where no window can be opened, it says why and does what throng run would: pictures and figures in the output folder.

Examples:
  throng view examples/arena.toml
  throng view examples/siege.toml --seed 7 --threads 2
  throng view maps/town.map")]
pub(super) struct ViewArgs {
    /// A scenario file (.toml), or a map, which is shown with an army each; without one, the menu over the default scenario
    scenario: Option<PathBuf>,
    /// Seed of everything random [default: that of the scenario]
    #[arg(long, value_name = "S", value_parser = whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Threads [default: one a core]; results do not depend on them
    #[arg(long, value_name = "T", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Spatial index that finds neighbours; throng indices --help lists them [default: that of the scenario]
    #[arg(long, value_name = "KIND")]
    index: Option<IndexSpec>,
    /// How the battle looks: as one sees it, or as a plan; L changes it in the window, where dark plans are like others
    #[arg(long, value_name = "THEME", value_parser = theme)]
    theme: Option<Theme>,
    /// Folder for the files where no window can be opened
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    #[cfg(feature = "viewer")]
    #[command(flatten)]
    window: WindowArgs,
}

/// For scripts and tests.
#[cfg(feature = "viewer")]
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Scripting the window")]
pub(super) struct WindowArgs {
    /// Print each event of the window as a JSON object on a line
    #[arg(long)]
    pub(super) print_events: bool,
    /// Close the window after so many frames
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(super) frames: Option<u64>,
    /// Write a picture of the window when it closes (.png)
    #[arg(long, value_name = "FILE")]
    pub(super) screenshot: Option<PathBuf>,
}

#[cfg(feature = "viewer")]
impl WindowArgs {
    /// How the window shall be shown; the picture must not overwrite an input file.
    pub(super) fn options(&self, inputs: &[&Path]) -> Result<throng::viewer::ViewOptions, CliError> {
        use super::output::{check_file, check_not_read, print};
        let print_event = |event: &throng::viewer::Event| {
            if let Ok(line) = serde_json::to_string(event) {
                print(&line);
            }
        };
        if let Some(file) = &self.screenshot {
            check_file(file, "--screenshot")?;
            check_not_read(file, "--screenshot", inputs)?;
        }
        Ok(throng::viewer::ViewOptions {
            events: self.print_events.then(|| Box::new(print_event) as throng::viewer::Listener),
            frames: self.frames,
            screenshot: self.screenshot.clone(),
            ..throng::viewer::ViewOptions::default()
        })
    }
}

/// The menu over the default scenario; without a window, that scenario.
pub(super) fn siege() -> Result<Ended, CliError> {
    view(&ViewArgs {
        scenario: None,
        seed: None,
        threads: None,
        index: None,
        theme: None,
        out: "out".into(),
        #[cfg(feature = "viewer")]
        window: WindowArgs::default(),
    })
}

pub(super) fn view(args: &ViewArgs) -> Result<Ended, CliError> {
    let file = args.scenario.clone().map_or_else(|| examples::path(DEFAULT), Ok)?;
    file_kind::check(&file, Wanted::ScenarioOrMap)?;
    let (mut scenario, warnings) = busy("reading the map", || match file_kind::of(&file) {
        Some(FileKind::Map(_)) => Scenario::skirmish(&file),
        _ => Scenario::load(&file),
    })?;
    warn(&warnings);
    scenario.settings.seed = args.seed.unwrap_or(scenario.settings.seed);
    if let Some(index) = args.index {
        scenario.settings.index = index.into();
    }
    let threads = args.threads.unwrap_or_else(default_threads);
    show(scenario, threads, args)
}

/// Does without a window what `throng run` does.
fn headless(reason: &str, scenario: Scenario, threads: usize, args: &ViewArgs) -> Result<Ended, CliError> {
    note(&format!("{reason}; running without a window, see {}", args.out.display()));
    let theme = args.theme.unwrap_or_else(|| theme_of(&scenario));
    run_scenario(scenario, None, threads, &args.out, Some(Pictures::of(theme)))
}

/// Shows the scenario until the window is closed.
#[cfg(feature = "viewer")]
fn show(scenario: Scenario, threads: usize, args: &ViewArgs) -> Result<Ended, CliError> {
    use throng::viewer::Window;
    let mut options = args.window.options(&[&scenario.file, &scenario.map])?;
    options.examples = examples::all();
    // What nobody has chosen is not among the files that were opened.
    options.menu = args.scenario.is_none();
    options.file.clone_from(&args.scenario);
    // Without either, the surroundings may ask for one.
    let named = scenario.theme.as_ref().map(|_| theme_of(&scenario));
    options.theme = args.theme.or(named).map(Into::into);
    options.opener = Some(std::sync::Arc::new(move |path: &Path| super::open::open(path, threads)));
    // Errors of the scenario are reported before a window flashes up.
    let world = busy("making the world", || scenario.build(threads))?;
    let window = match Window::open(&format!("throng: {}", scenario.name)) {
        Ok(window) => window,
        Err(reason) => return headless(&reason.to_string(), scenario, threads, args),
    };
    let scene = super::open::of_scenario(scenario, world);
    let shown = window.show(scene, options).map_err(|error| CliError::View(error.to_string()))?;
    shown.failure.map_or(Ok(Ended::Well), |failure| Err(CliError::View(failure)))
}

#[cfg(not(feature = "viewer"))]
fn show(scenario: Scenario, threads: usize, args: &ViewArgs) -> Result<Ended, CliError> {
    headless("no window: built without the viewer feature", scenario, threads, args)
}
