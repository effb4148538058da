//! `throng compare MAP --window`: planners side by side, under the mouse.

use super::CliError;
use super::output::note;
use clap::Args;
use std::path::Path;
use std::sync::Arc;
use throng::grid::Ground;
use throng::plan::PlannerChoice;

/// How the window is shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "In a window")]
pub(super) struct CompareWindowArgs {
    /// Compare up to six planners in a window, with the mouse: drag start and goal, build walls and tear them down, play
    /// the searches; with --scen go through its problems
    #[arg(long, conflicts_with_all = ["queries", "rounds", "csv", "json", "plot"])]
    pub(super) window: bool,
    /// Cell of the start [default: random]
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "X,Y", value_parser = super::plan::cell, allow_hyphen_values = true,
        requires_all = ["to", "window"])]
    from: Option<(u32, u32)>,
    /// Cell of the goal [default: random]
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "X,Y", value_parser = super::plan::cell, allow_hyphen_values = true,
        requires_all = ["from", "window"])]
    to: Option<(u32, u32)>,
    #[cfg(feature = "viewer")]
    #[command(flatten)]
    script: super::view::WindowArgs,
}

/// The planners that are shown without names; the others are a key away.
pub(super) fn side_by_side() -> Vec<PlannerChoice> {
    let telling = ["dijkstra", "astar", "jps", "hpa", "lazy-theta", "weighted-astar", "bidirectional"];
    telling.into_iter().filter_map(|name| name.parse().ok()).take(4).collect()
}

/// Shows the window until it is closed; false, with a word, where none can be opened.
#[cfg(feature = "viewer")]
pub(super) fn show(
    map: &Path,
    ground: &Arc<Ground>,
    planners: Vec<PlannerChoice>,
    (scen, seed): (Option<&Path>, u64),
    args: &CompareWindowArgs,
) -> Result<bool, CliError> {
    use super::plan::resolve;
    use throng::viewer::{Comparison, Window};
    let inputs: Vec<&Path> = [Some(map), scen].into_iter().flatten().collect();
    let options = args.script.options(&inputs)?;
    let problems =
        scen.map(|file| throng::compare::scen_trips(ground, file, usize::MAX)).transpose()?.unwrap_or_default();
    let trip = match (args.from, args.to) {
        (Some(from), Some(to)) => Some((resolve(ground, "--from", from, true)?, resolve(ground, "--to", to, true)?)),
        _ => None,
    };
    let title = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let window = match Window::open(&format!("throng: {title}")) {
        Ok(window) => window,
        Err(reason) => {
            without(&reason.to_string());
            return Ok(false);
        }
    };
    let comparison = Comparison { title, ground: Arc::clone(ground), planners, trip, problems, seed };
    window.compare(comparison, options).map_err(|error| CliError::View(error.to_string()))?;
    Ok(true)
}

/// Without the viewer there is no window.
#[expect(clippy::unnecessary_wraps)] // one shape with and without
#[cfg(not(feature = "viewer"))]
pub(super) fn show(
    _map: &Path,
    _ground: &Arc<Ground>,
    _planners: Vec<PlannerChoice>,
    _trips: (Option<&Path>, u64),
    _args: &CompareWindowArgs,
) -> Result<bool, CliError> {
    without("no window: built without the viewer feature");
    Ok(false)
}

fn without(reason: &str) {
    note(&format!("{reason}; comparing without a window, as without --window"));
}
