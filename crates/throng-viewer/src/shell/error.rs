//! Why there is no window.

/// The packages that a window needs at run time on Debian and its relatives, for `apt install`: the libraries are
/// opened when the window is, so no program that lists linked libraries shows them.
///
/// `mesa-vulkan-drivers` is the driver for machines without a graphics card too.
pub const PACKAGES: &str = "libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libvulkan1 mesa-vulkan-drivers";

/// Why no window could be opened, or why it had to be closed. Every message is one line.
///
/// ```
/// use throng_viewer::ViewError;
/// let error = ViewError::NoDisplay { found: "DISPLAY is not set".into() };
/// assert!(error.to_string().starts_with("no window: there is no display"));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// No display to open a window on.
    #[error("no window: there is no display ({found}); on a desktop of Debian or Ubuntu: apt install {PACKAGES}")]
    NoDisplay {
        /// The variable or display that was tried.
        found: String,
    },
    /// There is a display, but the way to it is barred: most often a library is missing.
    #[error("no window: the display cannot be used ({found}); on Debian or Ubuntu: apt install {PACKAGES}")]
    Display {
        /// The message of the window system.
        found: String,
    },
    /// No graphics driver that speaks Vulkan (on Apple's and Microsoft's systems: Metal, Direct3D 12).
    #[error("no window: no Vulkan driver was found; on Debian or Ubuntu: apt install {PACKAGES}")]
    NoDriver,
    /// The window was open, but drawing in it failed.
    #[error("the window was closed: drawing failed ({found})")]
    Drawing {
        /// The message of the graphics library.
        found: String,
    },
    /// The simulation could not be started.
    #[error("the window was closed: no thread for the simulation ({found})")]
    Thread {
        /// The message of the system.
        found: String,
    },
}

/// `text` in one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
