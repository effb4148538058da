//! Opening a window: the display, the driver, and what may be missing of them.

use super::error::one_line;
use crate::ViewError;
use ggez::conf::{Backend, Conf, WindowMode, WindowSetup};
use ggez::context::{ContextFields, HasMut};
use ggez::filesystem::Filesystem;
use ggez::graphics::GraphicsContext;
use ggez::input::{keyboard::KeyboardContext, mouse::MouseContext};
use ggez::winit::dpi::LogicalSize;
use ggez::winit::event_loop::EventLoop;
use ggez::{GameError, GameResult};
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// The parts of ggez's context that the viewer uses. Made by hand because ggez's own builder makes the event loop
/// itself and so takes Wayland even where only X11 answers.
pub(crate) struct Graphics {
    pub gfx: GraphicsContext,
    fields: ContextFields,
    keyboard: KeyboardContext,
    mouse: MouseContext,
    begun: Option<Instant>,
    /// How long the last frame took from its first command to its last (processor time).
    pub drawing: Duration,
}

impl Graphics {
    /// Begins a frame, once there is an image to draw into.
    pub fn begin_frame(&mut self) -> GameResult {
        self.gfx.begin_frame()?;
        self.begun = Some(Instant::now());
        Ok(())
    }

    /// Hands the frame over and shows it.
    pub fn end_frame(&mut self) -> GameResult {
        self.drawing = self.begun.take().map_or(Duration::ZERO, |begun| begun.elapsed());
        self.gfx.end_frame()
    }
}

impl HasMut<GraphicsContext> for Graphics {
    fn retrieve_mut(&mut self) -> &mut GraphicsContext {
        &mut self.gfx
    }
}

impl HasMut<ContextFields> for Graphics {
    fn retrieve_mut(&mut self) -> &mut ContextFields {
        &mut self.fields
    }
}

impl HasMut<KeyboardContext> for Graphics {
    fn retrieve_mut(&mut self) -> &mut KeyboardContext {
        &mut self.keyboard
    }
}

impl HasMut<MouseContext> for Graphics {
    fn retrieve_mut(&mut self) -> &mut MouseContext {
        &mut self.mouse
    }
}

/// Opens a window of 1280 x 720 logical pixels.
pub(super) fn open(title: &str) -> Result<(Graphics, EventLoop<()>), ViewError> {
    let display = Display::choose()?;
    // A missing keyboard library makes winit panic. That is no news for the user beyond our own line.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let opened = panic::catch_unwind(AssertUnwindSafe(|| build(title, display)));
    panic::set_hook(hook);
    opened.unwrap_or_else(|payload| Err(ViewError::Display { found: panic_message(payload.as_ref()) }))
}

/// The message of a caught panic, in one line.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied());
    one_line(text.unwrap_or("an unknown panic"))
}

fn build(title: &str, display: Display) -> Result<(Graphics, EventLoop<()>), ViewError> {
    let barred = |found: String| {
        let found = one_line(&found);
        // winit names the line of its own source that failed.
        let plain = found.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ")).map(|(_, plain)| plain);
        ViewError::Display { found: plain.unwrap_or(&found).to_owned() }
    };
    let mut mode = WindowMode::default().resizable(true).min_dimensions(320.0, 240.0);
    mode.logical_size = Some(LogicalSize::new(1280.0, 720.0));
    mode.resize_on_scale_factor_change = true;
    let conf = Conf {
        window_mode: mode,
        window_setup: WindowSetup::default().title(title).vsync(true),
        // The secondary ones do not work through ggez and trying them prints a line.
        backend: Backend::OnlyPrimary,
    };
    let files = Filesystem::new("throng", "throng", "resources", "resources.zip").map_err(|e| barred(e.to_string()))?;
    let events = display.event_loop().map_err(|error| barred(error.to_string()))?;
    let gfx = GraphicsContext::new("throng", &events, &conf, &files).map_err(|error| match error {
        GameError::GraphicsInitializationError | GameError::RequestDeviceError(_) => ViewError::NoDriver,
        GameError::EventLoopError(error) => barred(error.to_string()),
        GameError::WindowCreationError(error) => barred(error.to_string()),
        error => barred(error.to_string()),
    })?;
    let fields = ContextFields { conf, continuing: true, quit_requested: false };
    let (keyboard, mouse) = (KeyboardContext::new(), MouseContext::new());
    Ok((Graphics { gfx, fields, keyboard, mouse, begun: None, drawing: Duration::ZERO }, events))
}

/// The window system to ask.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Display {
    /// Whatever winit takes by itself.
    Usual,
    /// X11, although Wayland's variable is set: its display does not answer.
    #[cfg(target_os = "linux")]
    X11,
}

impl Display {
    /// Looks at the variables, and whether the Wayland display answers where one is named.
    #[cfg(target_os = "linux")]
    fn choose() -> Result<Self, ViewError> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let x11 = variable("DISPLAY").is_some();
        let Some(name) = variable("WAYLAND_DISPLAY") else {
            let usable = x11 || variable("WAYLAND_SOCKET").is_some();
            let found = "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned();
            return if usable { Ok(Self::Usual) } else { Err(ViewError::NoDisplay { found }) };
        };
        // An absolute name replaces the folder.
        let socket = variable("XDG_RUNTIME_DIR").map(std::path::PathBuf::from).unwrap_or_default().join(&name);
        match std::os::unix::net::UnixStream::connect(socket) {
            Ok(_) => Ok(Self::Usual),
            Err(_) if x11 => Ok(Self::X11),
            Err(_) => Err(ViewError::NoDisplay {
                found: format!(
                    "WAYLAND_DISPLAY names {}, which does not answer, and DISPLAY is not set",
                    name.display()
                ),
            }),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn choose() -> Result<Self, ViewError> {
        Ok(Self::Usual)
    }

    fn event_loop(self) -> Result<EventLoop<()>, ggez::winit::error::EventLoopError> {
        let mut builder = EventLoop::builder();
        #[cfg(target_os = "linux")]
        if self == Self::X11 {
            ggez::winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
        }
        builder.build()
    }
}
