//! `throng volumes --window`: moving volumes and what their tests find.

use super::CliError;
use super::output::note;
use clap::Args;
use throng::spatial::Response;

/// How the window is shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "In a window")]
pub(super) struct VolumesWindowArgs {
    /// Watch the shapes: hits, what tunnels, sphere trees, cells of the index, and what a view cone sees
    #[arg(long, conflicts_with = "json")]
    pub(super) window: bool,
    /// Print each event of the window as a JSON object on a line
    #[cfg(feature = "viewer")]
    #[arg(long, requires = "window")]
    print_events: bool,
    /// Close the window after so many frames
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "N", requires = "window", value_parser = super::numbers::whole, allow_negative_numbers = true)]
    frames: Option<u64>,
    /// Write a picture of the window when it closes (.png)
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "FILE", requires = "window")]
    screenshot: Option<std::path::PathBuf>,
}

/// Shows the window until it is closed; false, with a word, where none can be opened.
#[cfg(feature = "viewer")]
pub(super) fn show(
    dimensions: u32,
    (shapes, speed, seed): (u32, f32, u64),
    response: Response,
    args: &VolumesWindowArgs,
) -> Result<bool, CliError> {
    use throng::viewer::{VolumeTrial, Window};
    let script = super::view::WindowArgs {
        print_events: args.print_events,
        frames: args.frames,
        screenshot: args.screenshot.clone(),
    };
    let options = script.options(&[])?;
    if shapes > VolumeTrial::MAX_SHAPES {
        return Err(CliError::CrowdedShapes { shapes, most: VolumeTrial::MAX_SHAPES });
    }
    let trial = VolumeTrial { space: dimensions == 3, shapes, speed, seed, response, ..VolumeTrial::default() };
    let window = match Window::open("throng: moving volumes") {
        Ok(window) => window,
        Err(reason) => {
            without(&reason.to_string());
            return Ok(false);
        }
    };
    window.volumes(trial, options).map_err(|error| CliError::View(error.to_string()))?;
    Ok(true)
}

/// Without the viewer there is no window.
#[expect(clippy::unnecessary_wraps)] // one shape with and without
#[cfg(not(feature = "viewer"))]
pub(super) fn show(
    _dimensions: u32,
    _shapes: (u32, f32, u64),
    _response: Response,
    _args: &VolumesWindowArgs,
) -> Result<bool, CliError> {
    without("no window: built without the viewer feature");
    Ok(false)
}

fn without(reason: &str) {
    note(&format!("{reason}; measuring without a window, as without --window"));
}
