//! The window as a user meets it: real keys and a real mouse on a display of its own (Xvfb, a software driver), and
//! what happens where no window can be opened. Tests say that they were skipped where something is missing.
#![cfg(all(feature = "viewer", target_os = "linux"))]
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use throng::viewer::PACKAGES;

/// Ends its process when dropped, so that a failed test leaves nothing behind.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display of our own.
struct Screen {
    name: String,
    _server: Guard,
}

impl Screen {
    /// Starts Xvfb on a free display; `None`, with a word, where that or the driver is missing.
    fn start() -> Option<Self> {
        if driver().is_none() {
            eprintln!("skipped: no software Vulkan driver (apt install mesa-vulkan-drivers)");
            return None;
        }
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut server) = server else {
            eprintln!("skipped: no Xvfb (apt install xvfb)");
            return None;
        };
        // The number comes when the display is ready.
        let mut number = String::new();
        let stdout = server.stdout.take().unwrap();
        let server = Guard(server);
        BufReader::new(stdout).read_line(&mut number).unwrap();
        Some(Self { name: format!(":{}", number.trim()), _server: server })
    }

    fn xdotool(&self, arguments: &str) -> String {
        let output = Command::new("xdotool").args(arguments.split(' ')).env("DISPLAY", &self.name).output().unwrap();
        assert!(output.status.success(), "xdotool {arguments}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The file that names the software driver.
fn driver() -> Option<PathBuf> {
    let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    files.map(|file| file.path()).find(|path| path.file_name().unwrap().to_string_lossy().starts_with("lvp_icd"))
}

/// A folder with a small battle in it.
fn battle(max_ticks: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let row = |y: u32| {
        let cell = |x: u32| if (x == 48 && y % 16 > 3) || y == 0 || y == 63 { '@' } else { '.' };
        (0..96).map(cell).collect::<String>() + "\n"
    };
    let map = "type octile\nheight 64\nwidth 96\nmap\n".to_owned() + &(0..64).map(row).collect::<String>();
    std::fs::write(folder.path().join("yard.map"), map).unwrap();
    let scenario = format!(
        r#"
name = "yard"
map = "yard.map"
max_ticks = {max_ticks}

[[army]]
name = "blue"
[[army.squad]]
count = 300
position = [20, 32]
order = "attack"

[[army]]
name = "red"
[[army.squad]]
count = 300
position = [76, 32]
facing = 180
order = "attack"
"#
    );
    let file = folder.path().join("yard.toml");
    std::fs::write(&file, scenario).unwrap();
    (folder, file)
}

/// Our program on `display` (or none), with an empty folder for sockets and nothing of the user's own displays.
fn throng(display: Option<&str>, folder: &Path) -> Command {
    under(Command::new(env!("CARGO_BIN_EXE_throng")), display, folder)
}

fn under(mut command: Command, display: Option<&str>, folder: &Path) -> Command {
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
    command.current_dir(folder);
    command
}

/// The program with its window open, and what it tells.
struct Shown {
    program: Guard,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Shown {
    fn start(mut command: Command) -> Self {
        let mut program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let (stdout, stderr) = (program.stdout.take().unwrap(), program.stderr.take().unwrap());
        let errors = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        std::thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|line| errors.send(line))
        });
        Self { program: Guard(program), lines, seen: Vec::new() }
    }

    /// The next line that starts with `start`.
    fn want(&mut self, start: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(90);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line {start:?} came, but: {:#?}", self.seen));
            self.seen.push(line.clone());
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Lets what is under way come, and forgets it.
    fn settle(&mut self) {
        std::thread::sleep(Duration::from_millis(700));
        self.seen.extend(self.lines.try_iter());
    }

    /// The numbers in the next line that starts with `start`.
    fn numbers(&mut self, start: &str) -> Vec<f32> {
        let line = self.want(start);
        let words = line.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
        words.filter_map(|word| word.parse().ok()).collect()
    }

    /// Waits for the end, which must be a good one.
    fn ends_well(mut self) {
        self.want("END");
        let status = self.program.0.wait().unwrap();
        assert!(status.success(), "{status}, after {:#?}", self.seen);
    }
}

fn near(a: f32, b: f32, tolerance: f32) -> bool {
    (a - b).abs() <= tolerance
}

#[test]
fn keys_and_mouse_do_what_the_help_says() {
    let Some(screen) = Screen::start() else { return };
    if Command::new("xdotool").arg("version").output().is_err() {
        eprintln!("skipped: no xdotool (apt install xdotool)");
        return;
    }
    let (folder, scenario) = battle(100_000);
    let picture = folder.path().join("window.png");
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(&scenario).arg("--print-events").arg("--screenshot").arg(&picture);
    let mut shown = Shown::start(command);
    let ready = shown.numbers("READY");
    let [_, _, whole, agents] = ready[..] else { panic!("{ready:?}") };
    assert_eq!(agents, 600.0);
    let window = screen.xdotool("search --sync --onlyvisible --name throng");
    let window = window.lines().next().unwrap();
    // Without a window manager nothing has the focus.
    screen.xdotool(&format!("windowfocus --sync {window}"));

    screen.xdotool("key space");
    shown.want("paused");
    // The tick that was under way.
    shown.settle();
    screen.xdotool("key period");
    let before = shown.numbers("tick")[0];
    screen.xdotool("key period");
    assert_eq!(shown.numbers("tick")[0], before + 1.0);
    screen.xdotool("key space");
    shown.want("running");
    screen.xdotool("key plus");
    assert_eq!(shown.want("speed"), "speed 2x");
    screen.xdotool("key minus key minus");
    assert_eq!(shown.want("speed"), "speed 1x");
    assert_eq!(shown.want("speed"), "speed 1/2x");
    screen.xdotool("key h");
    shown.want("help shown");
    screen.xdotool("key h");
    shown.want("help hidden");

    // The point under the pointer stays while the wheel turns.
    screen.xdotool("mousemove 800 300 sleep 0.1 click 4 sleep 0.1 click 4");
    let first = shown.numbers("zoom");
    let second = shown.numbers("zoom");
    assert!(whole < first[0] && first[0] < second[0], "{whole} {first:?} {second:?}");
    assert!(near(first[1], second[1], 0.02) && near(first[2], second[2], 0.02), "{first:?} {second:?}");

    // A drag moves the map with the pointer, and ends with the button.
    screen.xdotool("key f");
    assert!(near(shown.numbers("fit")[0], whole, 0.002));
    screen.xdotool("mousemove 600 400 sleep 0.1 mousedown 3 sleep 0.1 mousemove 700 430 sleep 0.1 mouseup 3");
    let centre = shown.numbers("pan");
    // The map fits beside the numbers, which take 278 pixels.
    let middle = 48.0 - 0.5 * 278.0 / whole;
    assert!(near(centre[0], middle - 100.0 / whole, 0.1) && near(centre[1], 32.0 - 30.0 / whole, 0.1), "{centre:?}");
    screen.xdotool("mousemove 640 360 sleep 0.1 click 5");
    shown.want("zoom");
    assert!(shown.seen.iter().filter(|line| line.starts_with("pan")).count() == 1, "{:#?}", shown.seen);
    screen.xdotool("key f");
    shown.want("fit");
    shown.want("frames");
    screen.xdotool("key Escape");
    shown.ends_well();
    check_picture(&picture);
}

/// The picture shows ground, walls and both armies.
fn check_picture(file: &Path) {
    let decoder = png::Decoder::new(BufReader::new(std::fs::File::open(file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1280, 720));
    let count = |is: &dyn Fn(i32, i32, i32) -> bool| {
        pixels.chunks_exact(4).filter(|p| is(p[0].into(), p[1].into(), p[2].into())).count()
    };
    let like = |colour: [i32; 3]| {
        count(&move |r, g, b| (r - colour[0]).abs() < 22 && (g - colour[1]).abs() < 22 && (b - colour[2]).abs() < 22)
    };
    let (ground, blue, red) = (like([214, 204, 180]), like([0, 114, 178]), like([213, 94, 0]));
    let walls = like([122, 112, 100]);
    assert!(ground > 300_000, "{ground} pixels of ground");
    assert!(walls > 5_000, "{walls} pixels of walls");
    assert!(blue > 2_000 && red > 2_000, "{blue} pixels of blue, {red} of red");
}

#[test]
fn the_result_stays_on_the_screen() {
    let Some(screen) = Screen::start() else { return };
    let (folder, scenario) = battle(3);
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(scenario).args(["--print-events", "--frames", "50"]);
    let mut shown = Shown::start(command);
    assert_eq!(shown.want("result"), "result draw");
    // Nothing moves any more, but the window goes on until it has drawn its frames.
    shown.ends_well();
}

#[test]
fn a_dead_wayland_display_does_not_hide_a_live_x11_one() {
    let Some(screen) = Screen::start() else { return };
    let (folder, scenario) = battle(30);
    let mut command = throng(Some(&screen.name), folder.path());
    command.env("WAYLAND_DISPLAY", "wayland-dead");
    command.arg("view").arg(scenario).args(["--print-events", "--frames", "5"]);
    let mut shown = Shown::start(command);
    shown.want("READY");
    shown.ends_well();
}

/// Runs to the end without a window: one line says why, and the usual files are written.
fn falls_back(mut command: Command, folder: &Path, reason: &str) {
    let Output { status, stderr, .. } = command.output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{status}: {text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("no window: ") && text.contains(reason), "{text}");
    assert!(text.ends_with(&format!("apt install {PACKAGES}; running without a window, see out\n")), "{text}");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("out/yard.gif").starts_with(b"GIF89a") && read("out/yard.png").starts_with(b"\x89PNG"));
    let json: serde_json::Value = serde_json::from_slice(&read("out/yard.json")).unwrap();
    assert_eq!((&json["ticks"], &json["winner"]), (&10.into(), &"draw".into()));
}

#[test]
fn without_a_display_it_runs_headless() {
    let (folder, scenario) = battle(10);
    let mut command = throng(None, folder.path());
    command.arg("view").arg(&scenario);
    falls_back(command, folder.path(), "there is no display");
    let mut command = throng(None, folder.path());
    command.env("WAYLAND_DISPLAY", "wayland-dead").arg("view").arg(&scenario);
    falls_back(command, folder.path(), "does not answer");
    let mut command = throng(Some(":9876"), folder.path());
    command.arg("view").arg(scenario);
    falls_back(command, folder.path(), "the display cannot be used");
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_the_run() {
    let (folder, scenario) = battle(1_000_000_000);
    let mut command = throng(None, folder.path());
    std::fs::write(folder.path().join("out"), "").unwrap();
    let Output { status, stderr, .. } = command.arg("view").arg(&scenario).output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{text}");
    let expected =
        "error: the output folder out cannot be written: File exists (os error 17); choose another with --out\n";
    assert!(text.starts_with("no window: there is no display") && text.ends_with(expected), "{text}");
}

#[test]
fn without_a_driver_it_runs_headless() {
    let Some(screen) = Screen::start() else { return };
    let (folder, scenario) = battle(10);
    let mut command = throng(Some(&screen.name), folder.path());
    command.env("VK_DRIVER_FILES", "/nonexistent.json").env("VK_ICD_FILENAMES", "/nonexistent.json");
    command.arg("view").arg(scenario);
    falls_back(command, folder.path(), "no Vulkan driver");
}

#[test]
fn without_a_library_it_runs_headless() {
    let Some(screen) = Screen::start() else { return };
    // A namespace of our own, in which an empty file lies over the library.
    let as_root = Command::new("unshare").args(["-m", "true"]).output().is_ok_and(|o| o.status.success());
    let flags = if as_root { "-m" } else { "-rm" };
    if !Command::new("unshare")
        .args([flags, "mount", "-t", "tmpfs", "none", "/mnt"])
        .output()
        .is_ok_and(|o| o.status.success())
    {
        eprintln!("skipped: no mount namespaces (unshare) here");
        return;
    }
    for library in ["libxkbcommon-x11.so.0", "libX11.so.6", "libXcursor.so.1", "libXi.so.6", "libX11-xcb.so.1"] {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
        let Some(path) = folders.iter().map(|folder| Path::new(folder).join(library)).find(|path| path.exists()) else {
            eprintln!("skipped: {library} is not here to be hidden");
            continue;
        };
        let (folder, scenario) = battle(10);
        let mut command = under(Command::new("unshare"), Some(&screen.name), folder.path());
        command.args([flags, "sh", "-c", "mount --bind /dev/null \"$1\" && shift && exec \"$@\"", "sh"]);
        command.arg(path.canonicalize().unwrap()).arg(env!("CARGO_BIN_EXE_throng")).arg("view").arg(scenario);
        falls_back(command, folder.path(), "the display cannot be used");
    }
}
