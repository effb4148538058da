//! A display of our own for the tests of windows: Xvfb and a software driver, with real keys and a real mouse. Where
//! something is missing, tests say that they were skipped; with the variable `CI` set they fail.
#![allow(dead_code)] // not every test uses all of it

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use throng::viewer::{ContentInfo, Event};

/// How many times as long as on a quiet machine a window took to open, in percent: so much longer all waits are.
static SLOWNESS: AtomicU32 = AtomicU32::new(100);

/// The time in which a window opens on a quiet machine.
const OPENING_TIME: Duration = Duration::from_millis(1500);

/// A time to wait on a quiet machine, as long as it has to be on this one.
fn here(time: Duration) -> Duration {
    time * SLOWNESS.load(Ordering::Relaxed) / 100
}

/// Notes how long a window took to open.
fn note_opening(time: Duration) {
    let percent = time.as_millis() * 100 / OPENING_TIME.as_millis();
    SLOWNESS.fetch_max(percent as u32, Ordering::Relaxed);
}

/// A test for events of a pattern.
macro_rules! is {
    ($event:pat $(if $guard:expr)?) => {{
        #[allow(unused_variables)] // `want` takes them
        let is = |event: &throng::viewer::Event| matches!(event, $event $(if $guard)?);
        is
    }};
}

/// Waits for the next event of a pattern, and takes a value out of it.
macro_rules! want {
    ($shown:expr, $event:pat $(if $guard:expr)? => $value:expr) => {
        match $shown.want(is!($event $(if $guard)?)) {
            $event => $value,
            _ => unreachable!(),
        }
    };
}

pub(crate) use {is, want};

/// Ends its process when dropped, so that a failed test leaves nothing behind.
pub struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Nothing, and a word about why; an error where tests decide what lands.
fn missing<T>(what: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "this test needs a display: {what}");
    eprintln!("skipped: {what}");
    None
}

/// A display of our own.
pub struct Screen {
    pub name: String,
    _server: Guard,
}

impl Screen {
    /// Starts Xvfb on a free display; `None`, with a word, where that or the driver is missing.
    pub fn start() -> Option<Self> {
        if driver().is_none() {
            return missing("no software Vulkan driver (apt install mesa-vulkan-drivers)");
        }
        // It would start afresh when the last window closes, and refuse one that opens just then.
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut server) = server else {
            return missing("no Xvfb (apt install xvfb)");
        };
        // The number comes when the display is ready.
        let mut number = String::new();
        let stdout = server.stdout.take().unwrap();
        let server = Guard(server);
        BufReader::new(stdout).read_line(&mut number).unwrap();
        Some(Self { name: format!(":{}", number.trim()), _server: server })
    }

    /// A display on which xdotool can act; `None`, with a word, where something is missing.
    pub fn with_mouse() -> Option<Self> {
        if Command::new("xdotool").arg("version").output().is_err() {
            return missing("no xdotool (apt install xdotool)");
        }
        Self::start()
    }

    /// Gives our window the focus: without a window manager nothing has it.
    pub fn focus(&self) {
        let window = self.xdotool("search --sync --onlyvisible --name throng");
        self.xdotool(&format!("windowfocus --sync {}", window.lines().next().unwrap()));
    }

    /// Presses the left button at a pixel as a finger does: the window has drawn the pointer there, and the button down.
    pub fn press(&self, [x, y]: [f32; 2]) {
        self.xdotool(&format!("mousemove {x:.0} {y:.0} sleep 0.15 mousedown 1 sleep 0.15 mouseup 1"));
    }

    /// Keys, presses and moves; a number after `sleep` is of seconds on a quiet machine.
    pub fn xdotool(&self, arguments: &str) -> String {
        let mut sleeps = false;
        let words = arguments.split(' ').map(|word| {
            let seconds = word.parse().ok().filter(|_| std::mem::replace(&mut sleeps, word == "sleep"));
            let time = seconds.map(|seconds| here(Duration::from_secs_f64(seconds)));
            time.map_or_else(|| word.to_owned(), |time| time.as_secs_f64().to_string())
        });
        let output = Command::new("xdotool").args(words).env("DISPLAY", &self.name).output().unwrap();
        assert!(output.status.success(), "xdotool {arguments}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The file that names the software driver.
pub fn driver() -> Option<PathBuf> {
    let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    files.map(|file| file.path()).find(|path| path.file_name().unwrap().to_string_lossy().starts_with("lvp_icd"))
}

/// Our program on `display` (or none), with an empty folder for sockets and nothing of the user's own displays.
pub fn throng(display: Option<&str>, folder: &Path) -> Command {
    under(Command::new(env!("CARGO_BIN_EXE_throng")), display, folder)
}

pub fn under(mut command: Command, display: Option<&str>, folder: &Path) -> Command {
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    if let Some(driver) = driver() {
        command.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
    }
    let sockets = folder.join("sockets");
    std::fs::create_dir_all(&sockets).unwrap();
    std::fs::set_permissions(&sockets, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    command.env("XDG_RUNTIME_DIR", sockets).env("WINIT_X11_SCALE_FACTOR", "1");
    // Files that were opened lately, settings and new battles are not the user's.
    command.env("XDG_STATE_HOME", folder.join("state")).env("XDG_CONFIG_HOME", folder.join("config"));
    command.env("XDG_DATA_HOME", folder.join("data"));
    // Most tests know where things are on the plan.
    command.env("THRONG_THEME", "plan").env("THRONG_CAMERA", "map").env("THRONG_CARDS", "none");
    command.current_dir(folder);
    command
}

/// The program with its window open, and its events.
pub struct Shown {
    pub program: Guard,
    pub events: Receiver<Event>,
    pub seen: Vec<Event>,
    started: Instant,
}

impl Shown {
    pub fn start(mut command: Command) -> Self {
        let mut program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, events) = channel();
        let (stdout, stderr) = (program.stdout.take().unwrap(), program.stderr.take().unwrap());
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            let events = lines.filter_map(|line| serde_json::from_str(&line).inspect_err(|_| eprintln!("{line}")).ok());
            events.into_iter().try_for_each(|event| sender.send(event))
        });
        std::thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).for_each(|line| eprintln!("{line}"));
        });
        Self { program: Guard(program), events, seen: Vec::new(), started: Instant::now() }
    }

    /// The next event that `is` the wanted one.
    pub fn want(&mut self, is: impl Fn(&Event) -> bool) -> Event {
        let event = self.within(300, is);
        event.unwrap_or_else(|| panic!("it did not come, but: {:#?}", self.seen))
    }

    /// The next event that `is` the wanted one, if it comes within so many seconds of a quiet machine.
    pub fn within(&mut self, seconds: u64, is: impl Fn(&Event) -> bool) -> Option<Event> {
        // However slow the machine: a test that waits for ever tells nobody why.
        let deadline = Instant::now() + here(Duration::from_secs(seconds)).min(Duration::from_mins(5));
        while let Ok(event) = self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if let Event::Ready { .. } = event {
                note_opening(self.started.elapsed());
            }
            self.seen.push(event.clone());
            if is(&event) {
                return Some(event);
            }
        }
        None
    }

    /// Waits for the first state; size of the window (pixels), zoom (pixels a metre), and content.
    pub fn ready(&mut self) -> ([u32; 2], f32, ContentInfo) {
        want!(self, Event::Ready { size, zoom, content } => (size, zoom, content))
    }

    /// The next tick that is shown while paused, or after a jump.
    pub fn tick(&mut self) -> u64 {
        want!(self, Event::Tick { tick } => tick)
    }

    /// The speed that was chosen.
    pub fn speed(&mut self) -> String {
        want!(self, Event::Speed { speed } => speed)
    }

    /// The zoom (pixels a metre) after the wheel turned, and the point of the map under the pointer (m).
    pub fn zoom_under(&mut self) -> (f32, [f32; 2]) {
        want!(self, Event::Zoom { zoom, under: Some(under) } => (zoom, under))
    }

    /// The zoom at which the whole map is shown, or the armies (pixels a metre).
    pub fn fit(&mut self) -> f32 {
        want!(self, Event::Fit { zoom, .. } => zoom)
    }

    /// Presses a button or the like by its name, and waits until the window has seen it; where a busy machine has missed it, once
    /// more.
    pub fn press(&mut self, screen: &Screen, name: &str) {
        for _ in 0..5 {
            screen.press(self.place(name));
            if self.within(10, is!(Event::Pressed { name: pressed } if pressed == name)).is_some() {
                return;
            }
        }
        panic!("{name} was not pressed, but: {:#?}", self.seen);
    }

    /// Lets pending events come, until nothing moves any more; a battle that goes on is not waited for.
    pub fn settle(&mut self) {
        let deadline = Instant::now() + here(Duration::from_millis(700));
        while let Ok(event) = self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.seen.push(event);
            if self.seen.last() == Some(&Event::Still) {
                return;
            }
        }
    }

    /// The middle of a button or the like, as it was told last; one that is only about to be drawn is waited for.
    pub fn place(&mut self, name: &str) -> [f32; 2] {
        let [x, y, ..] = self.rectangle(name);
        [x, y]
    }

    /// The same, and its size.
    pub fn rectangle(&mut self, name: &str) -> [f32; 4] {
        self.seen.extend(self.events.try_iter());
        let is = |event: &Event| matches!(event, Event::Place { name: told, .. } if told == name);
        let event = self.seen.iter().rev().find(|event| is(event)).cloned();
        let Event::Place { middle: [x, y], size: [width, height], .. } = event.unwrap_or_else(|| self.want(is)) else {
            unreachable!()
        };
        [x, y, width, height].map(|part| part as f32)
    }

    /// Number of its process.
    pub fn id(&self) -> u32 {
        self.program.0.id()
    }

    /// Processor time that it has taken so far (s).
    pub fn processor_time(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        // In hundredths of a second, in any unit of the kernel.
        (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
    }

    /// The code with which the program ends.
    pub fn code(mut self) -> Option<i32> {
        self.program.0.wait().unwrap().code()
    }

    /// Waits for the end, which must be a good one.
    pub fn ends_well(mut self) {
        self.want(is!(Event::End { .. }));
        self.has_ended_well();
    }

    /// The same, after the last event.
    pub fn has_ended_well(mut self) {
        let status = self.program.0.wait().unwrap();
        assert!(status.success(), "{status}, after {:#?}", self.seen);
    }
}

pub fn near(a: f32, b: f32, tolerance: f32) -> bool {
    (a - b).abs() <= tolerance
}

/// The pixels of a picture of a window of 1280 x 720, red, green, blue and opacity.
pub fn pixels(file: &Path) -> Vec<[u8; 4]> {
    let (pixels, width) = picture_of(file);
    assert_eq!((width, pixels.len()), (1280, 1280 * 720));
    pixels
}

/// The pixels of a picture, and its width.
pub fn picture_of(file: &Path) -> (Vec<[u8; 4]>, usize) {
    let mut decoder = png::Decoder::new(BufReader::new(std::fs::File::open(file).unwrap()));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let pixels = pixels.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]]).collect();
    (pixels, info.width as usize)
}

/// How many pixels are like a colour.
pub fn like(pixels: &[[u8; 4]], colour: [u8; 3], tolerance: u8) -> usize {
    let close = |pixel: &&[u8; 4]| (0..3).all(|part| pixel[part].abs_diff(colour[part]) < tolerance);
    pixels.iter().filter(close).count()
}
