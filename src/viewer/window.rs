//! The window: events in, frames out.

use super::camera::Camera;
use super::fallen::Fallen;
use super::graphics::{self, Graphics};
use super::hud::{self, Status};
use super::input::{self, Command, Pointer};
use super::layers::{Crowd, Layers};
use super::motion::Motion;
use super::simulation::{Runner, Speed};
use super::{Scene, Shown, ViewError, ViewOptions, screenshot};
use crate::geom::Vec2;
use ggez::event::{process_device_event, process_window_event};
use ggez::winit::application::ApplicationHandler;
use ggez::winit::event::{DeviceEvent, DeviceId, StartCause, WindowEvent};
use ggez::winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use ggez::winit::window::WindowId;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a picture in which nothing moves stays before it is drawn again.
const STILL: Duration = Duration::from_millis(100);

/// A window that is open and shows nothing yet.
///
/// Only one can be made in the life of a program, and only on its main thread.
///
/// ```no_run
/// use throng::grid::{Grid, Lattice};
/// use throng::viewer::{Scene, ViewOptions, Window};
/// use throng::world::{Settings, World};
///
/// let world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let scene = Scene {
///     title: "an empty plain".into(),
///     grid: world.grid().clone(),
///     step: world.settings().step,
///     simulation: Box::new(world),
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
    /// Where the Wayland display of the environment does not answer, X11 is asked.
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
        let mut app = App::new(self.graphics, scene, options)?;
        self.events.run_app(&mut app).map_err(|error| ViewError::Drawing { found: error.to_string() })?;
        app.end()
    }
}

impl std::fmt::Debug for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window").finish_non_exhaustive()
    }
}

#[allow(clippy::struct_excessive_bools)] // they are independent of one another
struct App {
    graphics: Graphics,
    layers: Layers,
    camera: Camera,
    pointer: Pointer,
    runner: Runner,
    motion: Motion,
    fallen: Fallen,
    options: ViewOptions,
    title: String,
    step: f32,
    speed: Speed,
    paused: bool,
    help: bool,
    hidden: bool,
    failure: Option<String>,
    notice: Option<(String, Instant)>,
    result_told: bool,
    /// The first state has come.
    arrived: bool,
    ready: bool,
    frames: u64,
    rates: Rates,
    last: Instant,
    /// When the last picture was drawn.
    drawn: Instant,
    /// Something has come from the user or the simulation since then.
    touched: bool,
    /// What drawing failed with.
    error: Option<ViewError>,
}

/// Frames and ticks a second, over the last half second.
struct Rates {
    since: Instant,
    frames: u64,
    tick: u64,
    frames_per_second: f32,
    ticks_per_second: f32,
}

impl Rates {
    fn count(&mut self, now: Instant, tick: u64) {
        let seconds = (now - self.since).as_secs_f32();
        if seconds >= 0.5 {
            self.frames_per_second = self.frames as f32 / seconds;
            self.ticks_per_second = tick.saturating_sub(self.tick) as f32 / seconds;
            (self.since, self.frames, self.tick) = (now, 0, tick);
        }
    }
}

impl App {
    fn new(graphics: Graphics, scene: Scene, options: ViewOptions) -> Result<Self, ViewError> {
        let layers = Layers::new(&graphics.gfx, &scene.grid);
        let map = scene.grid.lattice().size();
        let (width, height) = graphics.gfx.drawable_size();
        let panel = hud::TAKEN * graphics.gfx.window().scale_factor() as f32;
        let speed = Speed::REAL;
        let runner = Runner::start(scene.simulation, speed.interval(scene.step))
            .map_err(|error| ViewError::Thread { found: error.to_string() })?;
        let now = Instant::now();
        Ok(Self {
            graphics,
            layers,
            camera: Camera::new(map, Vec2::new(width, height), panel),
            pointer: Pointer::default(),
            runner,
            motion: Motion::default(),
            fallen: Fallen::default(),
            options,
            title: scene.title,
            step: scene.step,
            speed,
            paused: false,
            help: false,
            hidden: false,
            failure: None,
            notice: None,
            result_told: false,
            arrived: false,
            ready: false,
            frames: 0,
            rates: Rates { since: now, frames: 0, tick: 0, frames_per_second: 0.0, ticks_per_second: 0.0 },
            last: now,
            drawn: now,
            touched: true,
            error: None,
        })
    }

    /// Tells the caller what happened.
    fn tell(&mut self, event: &str) {
        if let Some(listener) = &mut self.options.events {
            listener(event);
        }
    }

    fn obey(&mut self, command: Command, event_loop: &ActiveEventLoop) {
        match command {
            Command::Pause => {
                self.paused = !self.paused;
                self.runner.set_paused(self.paused);
                self.tell(if self.paused { "paused" } else { "running" });
            }
            Command::Tick => {
                if !self.paused {
                    self.paused = true;
                    self.runner.set_paused(true);
                }
                self.runner.single_tick();
                self.tell("single tick");
            }
            Command::Faster | Command::Slower => {
                self.speed = if command == Command::Faster { self.speed.faster() } else { self.speed.slower() };
                self.runner.set_interval(self.speed.interval(self.step));
                self.tell(&format!("speed {}", self.speed));
            }
            Command::Fit => {
                self.camera.fit();
                self.tell(&format!("fit zoom {:.3}", self.camera.zoom));
            }
            Command::Help => {
                self.help = !self.help;
                self.tell(if self.help { "help shown" } else { "help hidden" });
            }
            Command::Picture => {
                let path = screenshot::free_name(self.runner.frames.front().tick);
                self.save(&path);
            }
            Command::Quit => event_loop.exit(),
        }
    }

    fn save(&mut self, path: &Path) {
        let news = match screenshot::save(&self.graphics.gfx, path) {
            Ok(()) => format!("picture {}", path.display()),
            Err(error) => format!("no picture: {}: {error}", path.display()),
        };
        self.tell(&news);
        self.notice = Some((news, Instant::now()));
    }

    /// Takes the newest frame and lets time pass.
    fn follow(&mut self) {
        let now = Instant::now();
        self.motion.advance((now - self.last).as_secs_f32());
        self.last = now;
        if self.runner.frames.is_fresh() {
            self.motion.leave(self.runner.frames.front());
            self.arrived = self.runner.frames.take();
            self.touched = true;
            let frame = self.runner.frames.front();
            self.motion.enter(frame, self.speed.interval(self.step).as_secs_f32());
            self.fallen.add(&frame.fallen, frame.time);
            if self.paused {
                let event = format!("tick {}", frame.tick);
                self.tell(&event);
            }
        }
        self.rates.count(now, self.runner.frames.front().tick);
        if self.failure.is_none() {
            self.failure = self.runner.failure();
            if let Some(failure) = self.failure.clone() {
                self.tell(&format!("failure {failure}"));
            }
        }
        if let Some(result) = hud::result(self.runner.frames.front()).filter(|_| !self.result_told) {
            self.result_told = true;
            self.tell(&format!("result {result}"));
        }
        if self.notice.as_ref().is_some_and(|(_, since)| since.elapsed() > Duration::from_secs(3)) {
            self.notice = None;
        }
    }

    fn draw(&mut self) -> ggez::GameResult {
        let status = Status {
            title: &self.title,
            frames_per_second: self.rates.frames_per_second,
            ticks_per_second: self.rates.ticks_per_second,
            speed: self.speed,
            paused: self.paused,
            help: self.help,
            failure: self.failure.as_deref(),
            notice: self.notice.as_ref().map(|(text, _)| text.as_str()),
        };
        let crowd = Crowd { frame: self.runner.frames.front(), motion: &self.motion, fallen: &self.fallen };
        self.layers.draw(&mut self.graphics, &self.camera, &crowd, &status)
    }

    /// True where nothing moves and nobody has touched anything since the last picture.
    fn is_still(&self) -> bool {
        let stopped = self.paused || self.failure.is_some() || self.runner.frames.front().verdict.is_some();
        stopped && self.ready && !self.touched && self.motion.is_done()
    }

    /// One turn: the newest state, drawn.
    fn turn(&mut self, event_loop: &ActiveEventLoop) {
        let size = self.graphics.gfx.window().inner_size();
        if self.hidden || size.width == 0 || size.height == 0 {
            // Nobody looks, and ggez would wait for ever for an image to draw into.
            std::thread::sleep(Duration::from_millis(50));
            return;
        }
        self.follow();
        if self.is_still() && self.drawn.elapsed() < STILL {
            // The picture would be the same: leave the processor to others, but be quick to answer.
            std::thread::sleep(Duration::from_millis(8));
            return;
        }
        self.drawn = Instant::now();
        self.touched = false;
        if let Err(error) = self.draw() {
            self.error = Some(ViewError::Drawing { found: super::error::one_line(&error.to_string()) });
            event_loop.exit();
            return;
        }
        self.frames += 1;
        self.rates.frames += 1;
        if !self.ready && self.arrived {
            self.ready = true;
            let frame = self.runner.frames.front();
            let (zoom, agents) = (self.camera.zoom, frame.id.len());
            self.tell(&format!("READY {}x{} zoom {zoom:.3} agents {agents}", size.width, size.height));
        }
        if self.frames.is_multiple_of(50) {
            let (fps, tps) = (self.rates.frames_per_second, self.rates.ticks_per_second);
            let (tick, frames) = (self.runner.frames.front().tick, self.frames);
            self.tell(&format!("frames {frames} tick {tick} fps {fps:.1} ticks/s {tps:.1}"));
        }
        if self.options.frames.is_some_and(|frames| self.frames >= frames) {
            event_loop.exit();
        }
    }

    /// Writes the last picture and gives the last state back.
    fn end(mut self) -> Result<Shown, ViewError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if let Some(path) = self.options.screenshot.take() {
            self.save(&path);
        }
        let frames = self.frames;
        self.tell(&format!("END frames {frames}"));
        Ok(Shown { frames, last: self.runner.frames.front().clone(), failure: self.failure })
    }
}

impl ApplicationHandler<()> for App {
    fn new_events(&mut self, event_loop: &ActiveEventLoop, _: StartCause) {
        event_loop.set_control_flow(ControlFlow::Poll);
    }

    fn resumed(&mut self, _: &ActiveEventLoop) {}

    fn window_event(&mut self, event_loop: &ActiveEventLoop, mut id: WindowId, mut event: WindowEvent) {
        process_window_event(&mut self.graphics, &mut id, &mut event);
        self.touched = true;
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Occluded(hidden) => self.hidden = hidden,
            WindowEvent::Resized(size) => {
                self.camera.resize(Vec2::new(size.width as f32, size.height as f32));
                self.tell(&format!("resized {}x{}", size.width, size.height));
            }
            // Keys that are down when the window gets the focus were not meant for it.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                if let Some(command) = input::command(&event) {
                    self.obey(command, event_loop);
                }
            }
            WindowEvent::CursorMoved { position, .. } => {
                if let Some(by) = self.pointer.moved(Vec2::new(position.x as f32, position.y as f32)) {
                    self.camera.pan(by);
                    let centre = self.camera.centre;
                    self.tell(&format!("pan to {:.2},{:.2}", centre.x, centre.y));
                }
            }
            WindowEvent::MouseInput { button, state, .. } => self.pointer.button(button, state),
            WindowEvent::MouseWheel { delta, .. } => {
                self.camera.zoom_at(self.pointer.at, 1.2_f32.powf(input::clicks(delta)));
                let (zoom, under) = (self.camera.zoom, self.camera.to_world(self.pointer.at));
                self.tell(&format!("zoom {zoom:.3} under pointer {:.2},{:.2}", under.x, under.y));
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, mut id: DeviceId, mut event: DeviceEvent) {
        process_device_event(&mut self.graphics, &mut id, &mut event);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if !event_loop.exiting() {
            self.turn(event_loop);
        }
    }
}
