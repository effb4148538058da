//! The parts that all windows share: events in, frames out, the camera, pictures, and a report of events.

use super::camera::Camera;
use super::content::Content;
use super::dialog::Dialog;
use super::event::Event;
use super::frame_times::{FrameTime, FrameTimes};
use super::graphics::Graphics;
use super::input::{self, Pointer, WindowAction};
use super::menu::{Menu, MenuAction, MenuKind};
use super::opening::Opening;
use super::panel_output::Name;
use super::settings::Settings;
use super::ui::Ui;
use crate::film::screenshot;
use crate::{Theme, ViewError, ViewOptions};
use ggez::event::{process_device_event, process_window_event};
use ggez::winit::application::ApplicationHandler;
use ggez::winit::event::{DeviceEvent, DeviceId, ElementState, Modifiers, MouseButton, StartCause, WindowEvent};
use ggez::winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use ggez::winit::window::{Fullscreen, WindowId};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;

mod menu;
mod panels;

/// How long a picture in which nothing moves stays before it is drawn again, where frames are counted.
const COUNTED_REDRAW_INTERVAL: Duration = Duration::from_millis(100);
/// How long the answer whether the window is minimised holds.
const MINIMIZED_QUERY_INTERVAL: Duration = Duration::from_millis(100);
/// How long news stay on the screen.
const NOTICE_DURATION: Duration = Duration::from_secs(3);

/// The window itself.
#[allow(clippy::struct_excessive_bools)] // they are independent of one another
pub(crate) struct Shell {
    pub graphics: Graphics,
    /// The panels.
    pub ui: Ui,
    pub pointer: Pointer,
    /// Keys held down beside others.
    pub modifiers: Modifiers,
    /// True while the keys are shown.
    help: bool,
    /// Something has come since the last picture.
    pub touched: bool,
    /// The panels of this frame, or of the last one, are laid out for it; else they may be those of a frame before.
    pub lays_out: bool,
    /// Frames drawn.
    pub frames: u64,
    /// Over the last half second.
    pub frames_per_second: f32,
    /// Other files.
    pub opening: Opening,
    pub settings: Settings,
    /// The error of a file that could not be opened, until the user has read it.
    pub trouble: Option<String>,
    /// The name of what is shown.
    pub title: String,
    menu: Menu,
    kind: MenuKind,
    /// A dialog of the system that is open.
    dialog: Option<Dialog>,
    /// What was chosen in the menu for the content to do.
    chosen: Vec<MenuAction>,
    /// The window is to be closed.
    quits: bool,
    options: ViewOptions,
    notice: Option<(String, Instant)>,
    /// The places of buttons and the like that were told last.
    places: BTreeMap<Name, [i32; 4]>,
    /// It is covered, or minimised; and when the latter was looked up.
    hidden: bool,
    minimized: (bool, Instant),
    /// Nothing is drawn, since the window is not visible.
    rests: bool,
    /// Nothing has moved since that was told.
    still: bool,
    ready: bool,
    /// Since when how many frames were counted.
    counted: (Instant, u64),
    /// When the last picture was drawn, and what the last ones cost.
    drawn: Instant,
    costs: FrameTimes,
    /// The error that ended drawing.
    error: Option<ViewError>,
}

impl Shell {
    pub fn new(graphics: Graphics, mut options: ViewOptions, kind: MenuKind) -> Self {
        let now = Instant::now();
        let settings = Settings::load();
        let mut menu = Menu::new(std::mem::take(&mut options.examples));
        if options.menu {
            menu.turn(kind);
        }
        let mut ui = Ui::new(&graphics.gfx);
        ui.set_text_percent(settings.text_percent);
        Self {
            opening: Opening::new(options.opener.take(), options.file.as_deref()),
            settings,
            trouble: None,
            title: String::new(),
            menu,
            kind,
            dialog: None,
            chosen: Vec::new(),
            quits: false,
            ui,
            graphics,
            pointer: Pointer::default(),
            modifiers: Modifiers::default(),
            help: false,
            touched: true,
            lays_out: true,
            frames: 0,
            frames_per_second: 0.0,
            options,
            notice: None,
            places: BTreeMap::new(),
            hidden: false,
            minimized: (false, now),
            rests: false,
            still: false,
            ready: false,
            counted: (now, 0),
            drawn: now,
            costs: FrameTimes::default(),
            error: None,
        }
    }

    /// The look of battles that was asked for.
    pub fn theme(&self) -> Theme {
        self.options.theme.or_else(Theme::of_surroundings).unwrap_or(self.settings.look)
    }

    /// Reports an event to the caller.
    pub fn tell(&mut self, event: &Event) {
        if let Some(listener) = &mut self.options.events {
            listener(event);
        }
    }

    /// Reports an event and shows its text for a while.
    pub fn say(&mut self, event: &Event) {
        self.tell(event);
        self.notice = Some((event.text(), Instant::now()));
        self.touched = true;
    }

    /// Shows the keys, or no longer.
    fn turn_help(&mut self) {
        self.help = !self.help;
        self.touched = true;
        self.tell(&Event::Help { shown: self.help });
    }

    /// Size (pixels).
    pub fn size(&self) -> Vec2 {
        self.graphics.gfx.drawable_size().into()
    }

    /// Pixels of a point, which is as large as the user has set words.
    pub fn scale(&self) -> f32 {
        self.graphics.gfx.window().scale_factor() as f32 * self.settings.text_percent as f32 / 100.0
    }

    /// Tells what a camera shows that was fitted.
    pub fn tell_fit(&mut self, camera: &Camera) {
        let view = camera.clear_view().map(|corner| corner.to_array());
        self.tell(&Event::Fit { zoom: camera.zoom, view });
    }

    fn save(&mut self, path: &Path) {
        self.say(&match screenshot::save(&self.graphics.gfx, path) {
            Ok(()) => Event::Picture { path: path.to_owned() },
            Err(error) => Event::notice(format!("no picture: {}: {error}", path.display())),
        });
    }

    /// True where a picture in which nothing moves is to be drawn again.
    fn is_due(&self) -> bool {
        let is_counted = self.options.frames.is_some() && self.drawn.elapsed() >= COUNTED_REDRAW_INTERVAL;
        is_counted || self.ui.is_due()
    }

    /// True while the window is not visible.
    fn is_hidden(&mut self) -> bool {
        // Not every system tells; asking takes a way to the display and back.
        if self.minimized.1.elapsed() > MINIMIZED_QUERY_INTERVAL {
            self.minimized = (self.graphics.gfx.window().is_minimized() == Some(true), Instant::now());
        }
        self.hidden || self.minimized.0
    }

    /// Counts frames and lets news grow old.
    fn follow(&mut self) {
        let now = Instant::now();
        let seconds = (now - self.counted.0).as_secs_f32();
        if seconds >= 0.5 {
            self.frames_per_second = (self.frames - self.counted.1) as f32 / seconds;
            self.counted = (now, self.frames);
        }
        if self.notice.as_ref().is_some_and(|(_, since)| since.elapsed() > NOTICE_DURATION) {
            self.notice = None;
            self.touched = true;
        }
        self.follow_dialog();
    }
}

/// A window with its content.
pub(crate) struct App<C> {
    shell: Shell,
    content: C,
}

impl<C: Content> App<C> {
    pub fn new(shell: Shell, content: C) -> Self {
        Self { shell, content }
    }

    /// Runs until the window is closed and writes the last picture; frames drawn and the content.
    pub fn run(mut self, events: EventLoop<()>) -> Result<(u64, C), ViewError> {
        events.run_app(&mut self).map_err(|error| ViewError::Drawing { found: error.to_string() })?;
        let Self { mut shell, content } = self;
        if let Some(error) = shell.error {
            return Err(error);
        }
        if let Some(path) = shell.options.screenshot.take() {
            shell.save(&path);
        }
        let frames = shell.frames;
        shell.tell(&Event::End { frames });
        Ok((frames, content))
    }

    fn obey(&mut self, command: WindowAction) {
        match command {
            WindowAction::Fit => self.content.fit(&mut self.shell),
            WindowAction::Help => self.shell.turn_help(),
            WindowAction::Picture => {
                let path = screenshot::free_name(Path::new("throng"), self.content.moment(), &[".png"]);
                self.shell.save(&path);
            }
            WindowAction::FullScreen => {
                let window = self.shell.graphics.gfx.window();
                let fills = window.fullscreen().is_none();
                window.set_fullscreen(fills.then_some(Fullscreen::Borderless(None)));
                self.shell.tell(&Event::FullScreen { on: fills });
            }
            WindowAction::Quit => self.shell.quits = true,
            WindowAction::Menu if self.shell.help => self.shell.turn_help(),
            // The first press clears the selection.
            WindowAction::Menu if !self.shell.is_in_menu() && self.content.lets_go(&mut self.shell) => {}
            WindowAction::Menu => self.shell.turn_menu(),
        }
    }

    /// One turn: the newest state, drawn.
    fn turn(&mut self, event_loop: &ActiveEventLoop) {
        let Self { shell, content } = self;
        let size = shell.graphics.gfx.window().inner_size();
        let hidden = shell.is_hidden();
        if hidden != shell.rests {
            shell.rests = hidden;
            // The simulation goes on unseen.
            content.follow(shell);
            shell.touched = true;
            shell.tell(&Event::Hidden { hidden, moment: content.moment() });
        }
        if hidden || size.width == 0 || size.height == 0 {
            // ggez would wait for ever for an image of a hidden window.
            std::thread::sleep(Duration::from_millis(50));
            return;
        }
        shell.follow();
        content.follow(shell);
        if shell.quits {
            event_loop.exit();
            return;
        }
        // Panels of before would stay.
        let is_still = shell.ready && !shell.touched && shell.lays_out && content.is_still();
        if is_still && !shell.is_due() {
            if !shell.still {
                shell.still = true;
                shell.tell(&Event::Still);
            }
            // The picture would be the same: leave the processor to others, but be quick to answer.
            std::thread::sleep(Duration::from_millis(8));
            return;
        }
        let whole = shell.drawn.elapsed();
        shell.drawn = Instant::now();
        shell.lays_out = shell.touched || shell.ui.is_due() || shell.ui.is_old() || content.is_still();
        (shell.touched, shell.still) = (false, is_still && shell.still);
        shell.ui.spent = Duration::ZERO;
        if let Err(error) = content.draw(shell) {
            shell.error = Some(ViewError::Drawing { found: super::error::one_line(&error.to_string()) });
            event_loop.exit();
            return;
        }
        shell.frames += 1;
        shell.costs.push(FrameTime { panels: shell.ui.spent, draw: shell.graphics.drawing, whole });
        if !shell.ready
            && let Some(info) = content.greeting()
        {
            shell.ready = true;
            let zoom = content.camera().zoom;
            shell.tell(&Event::Ready { size: [size.width, size.height], zoom, content: info });
        }
        if shell.frames.is_multiple_of(50) {
            shell.tell(&Event::Frames {
                frames: shell.frames,
                per_second: shell.frames_per_second,
                moment: content.moment(),
                ticks_per_second: content.ticks_per_second(),
                times: shell.costs.summary(),
            });
        }
        if shell.options.frames.is_some_and(|frames| shell.frames >= frames) {
            event_loop.exit();
        }
    }
}

impl<C: Content> ApplicationHandler<()> for App<C> {
    fn new_events(&mut self, event_loop: &ActiveEventLoop, _: StartCause) {
        event_loop.set_control_flow(ControlFlow::Poll);
    }

    fn resumed(&mut self, _: &ActiveEventLoop) {}

    fn window_event(&mut self, event_loop: &ActiveEventLoop, mut id: WindowId, mut event: WindowEvent) {
        process_window_event(&mut self.shell.graphics, &mut id, &mut event);
        let Self { shell, content } = self;
        shell.touched = true;
        if shell.ui.takes(shell.graphics.gfx.window(), &event) {
            return;
        }
        let covered = shell.ui.covers(shell.pointer.at);
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Occluded(hidden) => shell.hidden = hidden,
            WindowEvent::Resized(size) => {
                content.resized(Vec2::new(size.width as f32, size.height as f32));
                shell.tell(&Event::Resized { size: [size.width, size.height] });
            }
            WindowEvent::ModifiersChanged(modifiers) => shell.modifiers = modifiers,
            // Keys that are down when the window gets the focus were not meant for it.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                match input::common(&event, shell.modifiers.state()) {
                    Some(command) => self.obey(command),
                    None if shell.is_in_menu() => {}
                    None => content.key(shell, &event),
                }
            }
            WindowEvent::DroppedFile(path) => content.dropped(shell, &path),
            WindowEvent::CursorMoved { position, .. } => {
                if let Some(by) = shell.pointer.moved(Vec2::new(position.x as f32, position.y as f32)) {
                    content.pan(shell, by);
                }
                content.moved(shell);
            }
            // A press on a panel is the panel's; a release ends the drag that its press began, wherever it is.
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } | WindowEvent::MouseWheel { .. }
                if covered => {}
            WindowEvent::MouseInput { button, state, .. } => {
                let takes =
                    button == MouseButton::Right && state == ElementState::Pressed && content.takes_right_button();
                if !takes {
                    shell.pointer.button(button, state);
                }
                content.button(shell, button, state);
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let at = shell.pointer.at - content.corner(shell.pointer.at);
                content.zoom(shell, at, 1.2_f32.powf(input::clicks(delta)));
                content.moved(shell);
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, mut id: DeviceId, mut event: DeviceEvent) {
        process_device_event(&mut self.shell.graphics, &mut id, &mut event);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if !event_loop.exiting() {
            self.turn(event_loop);
        }
    }
}
