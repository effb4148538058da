//! How a window is shown.

use super::event::Event;
use super::example::Example;
use super::opening::Opener;
use crate::Theme;
use std::path::PathBuf;

/// Called with each event of a window.
pub type Listener = Box<dyn FnMut(&Event) + Send>;

/// How a window is shown.
///
/// See [`Window::show`](crate::Window::show).
#[derive(Default)]
pub struct ViewOptions {
    /// Called with each event, from [`Event::Ready`] after the first frame to [`Event::End`].
    pub events: Option<Listener>,
    /// Closes the window after this number of frames.
    pub frames: Option<u64>,
    /// Writes a picture of the window when it closes (PNG).
    pub screenshot: Option<PathBuf>,
    /// Opens files that are dropped on the window, and those of before; without it the window keeps what it has.
    pub opener: Option<Opener>,
    /// The look of a battle; without one it is that of `THRONG_THEME` (`battle` or `plan`), or a battle.
    pub theme: Option<Theme>,
    /// The file that is shown, to be found among those of before.
    pub file: Option<PathBuf>,
    /// The battles that can be chosen from the menu.
    pub examples: Vec<Example>,
    /// Begins with the menu open.
    pub menu: bool,
}

impl std::fmt::Debug for ViewOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewOptions")
            .field("events", &self.events.is_some())
            .field("frames", &self.frames)
            .field("screenshot", &self.screenshot)
            .field("opener", &self.opener.is_some())
            .field("theme", &self.theme)
            .field("file", &self.file)
            .field("examples", &self.examples.len())
            .field("menu", &self.menu)
            .finish()
    }
}
