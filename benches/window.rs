//! Cost of the window, and how soon a key is seen: `cargo bench --bench window [-- SCENARIO]`.
//!
//! The scenario, by default `examples/siege.toml`, at its usual pace in a window of 1280 x 720, in the look of battles and on the
//! plan, on a display of its own with a software driver. Medians of the frames while time runs, with the mean of the panels, which are
//! not laid out in every frame; the time from a key to the pixel that it changes on the display, over 60 presses at odd moments
//! (Tab: a panel of a fifth of the window goes or comes, and the map is fitted anew); and the share of a core while the battle is paused.
#![allow(clippy::unwrap_used, missing_docs)]

#[cfg(all(feature = "viewer", target_os = "linux"))]
#[path = "../tests/windows/screen.rs"]
mod screen;

#[cfg(all(feature = "viewer", target_os = "linux"))]
fn main() {
    let scenario = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    measure::all(scenario.as_deref().unwrap_or("examples/siege.toml"));
}

#[cfg(not(all(feature = "viewer", target_os = "linux")))]
fn main() {
    println!("the window is measured on Linux alone, with the feature `viewer`");
}

#[cfg(all(feature = "viewer", target_os = "linux"))]
mod measure {
    use crate::screen::{Screen, Shown, is, throng, want};
    use std::io::Write as _;
    use std::path::Path;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::time::{Duration, Instant};
    use throng::viewer::{Event, FrameTimesInfo};
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, Window};
    use x11rb::rust_connection::RustConnection;

    const PRESSES: u64 = 60;
    /// Where the panel at the left is, or the map.
    const PIXEL: [i16; 2] = [3, 300];
    /// How long a paused battle is watched.
    const PAUSE: Duration = Duration::from_secs(10);

    /// What the display shows.
    struct Eye {
        display: RustConnection,
        root: Window,
    }

    impl Eye {
        fn new(screen: &Screen) -> Self {
            let (display, number) = RustConnection::connect(Some(&screen.name)).unwrap();
            let root = display.setup().roots[number].root;
            Self { display, root }
        }

        fn pixel(&self) -> [u8; 3] {
            let [x, y] = PIXEL;
            let image = self.display.get_image(ImageFormat::Z_PIXMAP, self.root, x, y, 1, 1, u32::MAX).unwrap();
            let data = image.reply().unwrap().data;
            [data[0], data[1], data[2]]
        }

        /// Waits until the display has a key that is down; when that was.
        fn key(&self) -> Instant {
            let deadline = Instant::now() + Duration::from_secs(20);
            while self.display.query_keymap().unwrap().reply().unwrap().keys == [0; 32] {
                assert!(Instant::now() < deadline, "no key is pressed");
            }
            Instant::now()
        }

        /// Waits until the pixel has this colour, or no longer.
        fn wait(&self, colour: [u8; 3], is: bool) {
            let deadline = Instant::now() + Duration::from_secs(20);
            while (self.pixel() == colour) != is {
                assert!(Instant::now() < deadline, "the key is not seen");
                std::thread::sleep(Duration::from_micros(300));
            }
        }
    }

    /// Keys without the start of a process each.
    struct Keys(Child, ChildStdin);

    impl Keys {
        fn new(screen: &Screen) -> Self {
            let keys = Command::new("xdotool").arg("-").env("DISPLAY", &screen.name).stdin(Stdio::piped()).spawn();
            let mut keys = keys.unwrap();
            let stdin = keys.stdin.take().unwrap();
            Self(keys, stdin)
        }

        fn press(&mut self, key: &str) {
            writeln!(self.1, "key {key}").unwrap();
            self.1.flush().unwrap();
        }
    }

    impl Drop for Keys {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    pub fn all(scenario: &str) {
        let Some(screen) = Screen::with_mouse() else { return };
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(scenario);
        println!("{scenario}, ms but for the last column");
        println!(
            "{:<7} {:>6} {:>6} {:>6} {:>6} {:>6} | {:>6} {:>6} {:>6} | paused",
            "", "panels", "(mean)", "draw", "frame", "worst", "key", "90 %", "worst"
        );
        for look in ["battle", "plan"] {
            let folder = tempfile::tempdir().unwrap();
            let mut command = throng(Some(&screen.name), folder.path());
            for variable in ["THRONG_THEME", "THRONG_CAMERA", "THRONG_CARDS"] {
                command.env_remove(variable);
            }
            command.arg("view").arg(&file).args(["--theme", look, "--print-events"]);
            let mut shown = Shown::start(command);
            shown.ready();
            screen.focus();
            let times = frames(&mut shown);
            let keys = keys(&screen);
            let paused = paused(&screen, &mut shown);
            let FrameTimesInfo { panels, panels_mean, draw, frame, worst } = times;
            println!(
                "{look:<7} {panels:>6.2} {panels_mean:>6.2} {draw:>6.2} {frame:>6.1} {worst:>6.1} | \
                 {:>6.1} {:>6.1} {:>6.1} | {:.1} % of a core",
                quantile(&keys, 0.5),
                quantile(&keys, 0.9),
                quantile(&keys, 1.0),
                paused * 100.0
            );
            screen.xdotool("key ctrl+q");
            shown.ends_well();
        }
    }

    /// The times of frames after the first seconds: medians over reports, each of fifty frames, and the worst of all.
    fn frames(shown: &mut Shown) -> FrameTimesInfo {
        let mut report = || want!(shown, Event::Frames { times, .. } => times);
        let reports: Vec<FrameTimesInfo> = (0..12).map(|_| report()).skip(4).collect();
        let of = |part: fn(&FrameTimesInfo) -> f64, q| quantile(&reports.iter().map(part).collect::<Vec<_>>(), q);
        FrameTimesInfo {
            panels: of(|times| times.panels, 0.5),
            panels_mean: of(|times| times.panels_mean, 0.5),
            draw: of(|times| times.draw, 0.5),
            frame: of(|times| times.frame, 0.5),
            worst: of(|times| times.worst, 1.0),
        }
    }

    /// The times from a key to the pixel (ms).
    fn keys(screen: &Screen) -> Vec<f64> {
        let (eye, mut keys) = (Eye::new(screen), Keys::new(screen));
        let panel = eye.pixel();
        // The first ones start xdotool, and change the map for good: what it is fitted to.
        for is_shown in [false, true] {
            keys.press("Tab");
            eye.wait(panel, is_shown);
        }
        let press = |number: u64| {
            std::thread::sleep(Duration::from_millis(150 + number * 37 % 101));
            keys.press("Tab");
            let begun = eye.key();
            eye.wait(panel, number % 2 == 1);
            begun.elapsed().as_secs_f64() * 1e3
        };
        (0..PRESSES).map(press).collect()
    }

    /// The share of a core that a paused battle takes.
    fn paused(screen: &Screen, shown: &mut Shown) -> f64 {
        screen.xdotool("key space");
        shown.want(is!(Event::Paused { paused: true }));
        shown.want(is!(Event::Still));
        let (begun, before) = (Instant::now(), shown.processor_time());
        std::thread::sleep(PAUSE);
        (shown.processor_time() - before) / begun.elapsed().as_secs_f64()
    }

    fn quantile(times: &[f64], q: f64) -> f64 {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * q).round() as usize]
    }
}
