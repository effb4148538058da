//! `throng indices --window`: one index at work.

use super::CliError;
use super::output::note;
use clap::Args;
#[cfg(all(feature = "viewer", feature = "spatial-lab"))]
use throng::spatial::IndexKind;
use throng::spatial::{IndexSpec, SceneKind};

/// How the window is shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "In a window")]
pub(super) struct IndicesWindowArgs {
    /// Watch an index at work: discs, its cells over them, its figures, and a graph of its time that grows
    #[arg(long, conflicts_with_all = ["csv", "json", "plot", "cell", "capacity", "sort"])]
    pub(super) window: bool,
    /// Print each event of the window as a JSON object on a line
    #[cfg(all(feature = "viewer", feature = "spatial-lab"))]
    #[arg(long, requires = "window")]
    print_events: bool,
    /// Write a picture of the window when it closes (.png)
    #[cfg(all(feature = "viewer", feature = "spatial-lab"))]
    #[arg(long, value_name = "FILE", requires = "window")]
    screenshot: Option<std::path::PathBuf>,
}

/// Shows the window until it is closed; false, with a word, where none can be opened.
#[cfg(all(feature = "viewer", feature = "spatial-lab"))]
pub(super) fn show(
    discs: u32,
    indices: &[IndexSpec],
    scene: Option<SceneKind>,
    (density, seed): (f32, u64),
    frames: Option<u32>,
    args: &IndicesWindowArgs,
) -> Result<bool, CliError> {
    use throng::viewer::{Arrangement, IndexTrial, Window};
    let script = super::view::WindowArgs {
        print_events: args.print_events,
        frames: frames.map(u64::from),
        screenshot: args.screenshot.clone(),
    };
    let options = script.options(&[])?;
    if discs > IndexTrial::MAX_DISCS {
        return Err(CliError::Crowded { agents: discs, most: IndexTrial::MAX_DISCS });
    }
    // Without a name it is the default index.
    let all = IndexKind::ALL.into_iter().all(|kind| indices.iter().any(|spec| spec.kind == kind));
    let usual = indices.iter().find(|spec| all && spec.kind == IndexKind::default());
    let trial = IndexTrial {
        index: *usual.unwrap_or(&indices[0]),
        arrangement: scene.map_or(Arrangement::Bouncing, Arrangement::Scene),
        discs,
        density,
        seed,
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

/// Without the viewer and its spatial laboratory there is no window.
#[expect(clippy::unnecessary_wraps)] // one shape with and without
#[cfg(not(all(feature = "viewer", feature = "spatial-lab")))]
pub(super) fn show(
    _discs: u32,
    _indices: &[IndexSpec],
    _scene: Option<SceneKind>,
    _bodies: (f32, u64),
    _frames: Option<u32>,
    _args: &IndicesWindowArgs,
) -> Result<bool, CliError> {
    without("no window: built without the features viewer and spatial-lab");
    Ok(false)
}

fn without(reason: &str) {
    note(&format!("{reason}; comparing without a window, as without --window"));
}
