//! `throng indices --window`: one index at work.

use super::CliError;
use super::indices::IndicesArgs;
use super::output::note;
use clap::Args;

/// How the window is shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "In a window")]
pub(super) struct IndicesWindowArgs {
    /// Watch an index at work: discs, its cells over them, its figures, and a graph of its time that grows
    #[arg(long, conflicts_with_all = ["csv", "json", "plot", "cell", "capacity", "sort"])]
    pub(super) window: bool,
    /// Print a line for whatever happens in the window
    #[cfg(feature = "viewer")]
    #[arg(long, requires = "window")]
    print_events: bool,
    /// Write a picture of the window when it closes (.png)
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "FILE", requires = "window")]
    screenshot: Option<std::path::PathBuf>,
}

/// Shows the window until it is closed; false, with a word, where none can be opened.
#[cfg(feature = "viewer")]
pub(super) fn show(args: &IndicesArgs, shown: &IndicesWindowArgs) -> Result<bool, CliError> {
    use throng::spatial::IndexKind;
    use throng::viewer::{Arrangement, IndexTrial, Window};
    let script = super::view::WindowArgs {
        print_events: shown.print_events,
        frames: args.frames.map(u64::from),
        screenshot: shown.screenshot.clone(),
    };
    let options = script.options(&[])?;
    let discs = args.agents.0[0];
    if discs > IndexTrial::MOST {
        return Err(CliError::Crowded { agents: discs, most: IndexTrial::MOST });
    }
    // Where nobody is named, it is the one that is the default everywhere.
    let all = args.indices.0.len() == IndexKind::ALL.len();
    let trial = IndexTrial {
        index: if all { IndexKind::default() } else { args.indices.0[0] },
        arrangement: args.scenes.as_ref().map_or(Arrangement::Bouncing, |scenes| Arrangement::Scene(scenes.0[0])),
        discs,
        density: args.density,
        seed: args.seed,
    };
    let window = match Window::open("throng: spatial indices") {
        Ok(window) => window,
        Err(reason) => {
            without(&reason.to_string());
            return Ok(false);
        }
    };
    window.index(trial, options).map_err(|error| CliError::View(error.to_string()))?;
    Ok(true)
}

/// Without the viewer there is no window.
#[expect(clippy::unnecessary_wraps)] // one shape with and without
#[cfg(not(feature = "viewer"))]
pub(super) fn show(_args: &IndicesArgs, _shown: &IndicesWindowArgs) -> Result<bool, CliError> {
    without("no window: built without the viewer feature");
    Ok(false)
}

fn without(reason: &str) {
    note(&format!("{reason}; comparing without a window, as without --window"));
}
