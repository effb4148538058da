//! Opening a window and showing something in it.

use super::graphics::{self, Graphics};
use super::menu::MenuKind;
use super::tabs::Tabs;
use crate::battle::BattleView;
use crate::lab::compare::{Compared, Comparison, ComparisonView};
#[cfg(feature = "spatial-lab")]
use crate::lab::index_view::{IndexCurve, IndexTrial, IndexView};
#[cfg(feature = "spatial-lab")]
use crate::lab::volume_view::{VolumeTally, VolumeTrial, VolumeView};
use crate::shell::{App, Shell};
use crate::{Scene, Shown, ViewError, ViewOptions};
use ggez::winit::event_loop::EventLoop;

/// A window that is open and shows nothing yet.
///
/// Only one can be made in the life of a program, and only on its main thread.
///
/// ```no_run
/// use throng_grid::{Grid, Lattice};
/// use throng_viewer::{Scene, ViewOptions, Window};
/// use throng_sim::world::{Settings, World};
///
/// let world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let scene = Scene {
///     title: "an empty plain".into(),
///     grid: world.grid().clone(),
///     step: world.settings().step,
///     simulation: Box::new(world),
///     scenario: None,
///     deploys: false,
/// };
/// match Window::open("a plain") {
///     Ok(window) => println!("{} frames", window.show(scene, ViewOptions::default())?.frames),
///     Err(error) => eprintln!("{error}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Window {
    graphics: Graphics,
    events: EventLoop<()>,
}

impl Window {
    /// Opens a window of 1280 x 720 logical pixels.
    ///
    /// If the Wayland display of the environment does not answer, X11 is asked.
    ///
    /// # Errors
    /// Where there is no display, no driver, or a library is missing; the message names the packages to install.
    pub fn open(title: &str) -> Result<Self, ViewError> {
        let (graphics, events) = graphics::open(title)?;
        Ok(Self { graphics, events })
    }

    /// Shows a simulation until the user closes the window.
    ///
    /// The simulation runs on a thread of its own, at its own pace; the window never makes it wait.
    ///
    /// # Errors
    /// Where drawing fails.
    pub fn show(self, scene: Scene, options: ViewOptions) -> Result<Shown, ViewError> {
        let mut shell = Shell::new(self.graphics, options, MenuKind::Battles);
        let battle = BattleView::new(&mut shell, scene)?;
        let (frames, tabs) = App::new(shell, Tabs::new(battle)).run(self.events)?;
        Ok(tabs.into_battle().end(frames))
    }

    /// Shows planners side by side until the user closes the window.
    ///
    /// They search on a thread of their own, one after the other, so that they take no time from each other; the window
    /// never waits for them, and the newest trip wins. Their times are medians of up to 15 searches.
    ///
    /// # Errors
    /// Where drawing fails.
    pub fn compare(self, comparison: Comparison, options: ViewOptions) -> Result<Compared, ViewError> {
        let shell = Shell::new(self.graphics, options, MenuKind::Other);
        let comparison_view = ComparisonView::new(&shell, comparison)?;
        let (frames, comparison_view) = App::new(shell, comparison_view).run(self.events)?;
        Ok(comparison_view.end(frames))
    }

    /// Shows a spatial index at work until the user closes the window; what was measured.
    ///
    /// It works on a thread of its own. Its times are medians of the last 60 frames.
    ///
    /// # Errors
    /// Where drawing fails.
    #[cfg(feature = "spatial-lab")]
    pub fn index(self, trial: IndexTrial, options: ViewOptions) -> Result<Vec<IndexCurve>, ViewError> {
        let shell = Shell::new(self.graphics, options, MenuKind::Other);
        let content = IndexView::new(&shell, trial)?;
        let (_, content) = App::new(shell, content).run(self.events)?;
        Ok(content.end())
    }

    /// Shows moving volumes until the user closes the window; what the tests have found since the trial was changed last.
    ///
    /// They move on a thread of their own.
    ///
    /// # Errors
    /// Where drawing fails.
    #[cfg(feature = "spatial-lab")]
    pub fn volumes(self, trial: VolumeTrial, options: ViewOptions) -> Result<VolumeTally, ViewError> {
        let shell = Shell::new(self.graphics, options, MenuKind::Other);
        let content = VolumeView::new(&shell, trial)?;
        let (_, content) = App::new(shell, content).run(self.events)?;
        Ok(content.end())
    }
}

impl std::fmt::Debug for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window").finish_non_exhaustive()
    }
}
