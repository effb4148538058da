//! The window as a user meets it: real keys and a real mouse on a display of its own (Xvfb, a software driver), and
//! the output where no window can be opened. Tests say that they were skipped where something is missing.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use crate::screen::{Screen, Shown, is, like, near, pixels, throng, under, want};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use throng::viewer::{ContentInfo, Event, PACKAGES};

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

#[test]
fn keys_and_mouse_do_what_the_help_says() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, scenario) = battle(100_000);
    let picture = folder.path().join("window.png");
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(&scenario).arg("--print-events").arg("--screenshot").arg(&picture);
    let mut shown = Shown::start(command);
    let (_, whole, content) = shown.ready();
    assert_eq!(content, ContentInfo::Battle { agents: 600 });
    screen.focus();

    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    // The tick that was under way.
    shown.settle();
    screen.xdotool("key period");
    let before = shown.tick();
    screen.xdotool("key period");
    assert_eq!(shown.tick(), before + 1);
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: false }));
    screen.xdotool("key bracketright");
    assert_eq!(shown.speed(), "2x");
    screen.xdotool("key bracketleft key bracketleft");
    assert_eq!([shown.speed(), shown.speed()], ["1x", "1/2x"]);
    screen.xdotool("key F1");
    shown.want(is!(Event::Help { shown: true }));
    screen.xdotool("key F1");
    shown.want(is!(Event::Help { shown: false }));

    // The point under the pointer stays while the wheel turns.
    screen.xdotool("mousemove 800 300 sleep 0.1 click 4 sleep 0.1 click 4");
    let [(first, [x, y]), (second, [u, v])] = [(); 2].map(|()| shown.zoom_under());
    assert!(whole < first && first < second, "{whole} {first} {second}");
    assert!(near(x, u, 0.02) && near(y, v, 0.02), "{x},{y} {u},{v}");

    // A drag moves the map with the pointer, and ends with the button.
    // The armies, and then the whole map again.
    screen.xdotool("key f key f");
    assert!(shown.fit() > whole);
    assert!(near(shown.fit(), whole, 0.002));
    screen.xdotool("mousemove 600 400 sleep 0.1 mousedown 3 sleep 0.1 mousemove 700 430 sleep 0.1 mouseup 3");
    let centre = want!(shown, Event::Pan { centre } => centre);
    // The map fits beside the panels, which take 264 pixels at the left and 34 at the bottom.
    let middle = [48.0 - 0.5 * 264.0 / whole, 32.0 + 0.5 * 34.0 / whole];
    let moved = [middle[0] - 100.0 / whole, middle[1] - 30.0 / whole];
    assert!(near(centre[0], moved[0], 0.1) && near(centre[1], moved[1], 0.1), "{centre:?}");
    screen.xdotool("mousemove 640 360 sleep 0.1 click 5");
    shown.want(is!(Event::Zoom { .. }));
    assert!(shown.seen.iter().filter(|event| is!(Event::Pan { .. })(event)).count() == 1, "{:#?}", shown.seen);
    screen.xdotool("key f key f");
    shown.want(is!(Event::Fit { .. }));
    shown.want(is!(Event::Fit { .. }));
    shown.want(is!(Event::Frames { .. }));
    screen.xdotool("key ctrl+q");
    shown.ends_well();
    check_picture(&picture);
}

/// The picture shows ground, walls and both armies.
fn check_picture(file: &Path) {
    let pixels = pixels(file);
    let like = |colour| like(&pixels, colour, 22);
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
    command.arg("view").arg(scenario).args(["--print-events", "--frames", "25"]);
    let mut shown = Shown::start(command);
    shown.want(is!(Event::Result { text } if text == "draw"));
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
    shown.want(is!(Event::Ready { .. }));
    shown.ends_well();
}

#[test]
fn a_covered_window_rests_and_its_battle_goes_on() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, scenario) = battle(1_000_000);
    let open = |arguments: &[&str]| {
        let mut command = throng(Some(&screen.name), folder.path());
        command.args(arguments).arg("--print-events");
        let mut shown = Shown::start(command);
        shown.want(is!(Event::Ready { .. }));
        shown
    };
    let mut below = open(&["view", scenario.to_str().unwrap()]);
    below.want(is!(Event::Frames { .. }));
    // It closes itself after some six seconds.
    let above = open(&["compare", "yard.map", "--window", "--planners", "astar", "--frames", "60"]);
    let hidden = want!(below, Event::Hidden { hidden: true, moment } => moment);
    std::thread::sleep(std::time::Duration::from_secs(2));
    let drawn = below.events.try_iter().filter(is!(Event::Frames { .. })).count();
    assert_eq!(drawn, 0, "nobody can see it");
    above.ends_well();
    let visible = want!(below, Event::Hidden { hidden: false, moment } => moment);
    assert!(visible > hidden, "ticks {hidden} to {visible}");
    below.want(is!(Event::Frames { .. }));
    screen.focus();
    screen.xdotool("key ctrl+q");
    below.ends_well();
}

#[test]
fn closing_waits_for_files_and_not_for_searches() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, scenario) = battle(1_000_000);
    let side = 2000;
    let map = folder.path().join("plain.map");
    let row = ".".repeat(side) + "\n";
    std::fs::write(&map, format!("type octile\nheight {side}\nwidth {side}\nmap\n") + &row.repeat(side)).unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--from", "1,1", "--to", "1990,1980"]);
    // Planners of other crates, which cannot be stopped.
    command.args(["--planners", "petgraph-dijkstra,pathfinding-dijkstra,petgraph-astar"]);
    let mut shown = Shown::start(command);
    shown.place("random");
    screen.focus();
    screen.xdotool("key r key r sleep 0.3 key ctrl+q");
    // Had it waited for the searches, they would have taken some seconds of a processor.
    let begun = shown.processor_time();
    shown.want(is!(Event::End { .. }));
    let taken = shown.processor_time() - begun;
    assert!(taken < 1.5, "{taken} s");
    shown.has_ended_well();

    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(&scenario).arg("--print-events");
    let mut shown = Shown::start(command);
    shown.want(is!(Event::Ready { .. }));
    screen.focus();
    screen.xdotool("key F9 sleep 0.6 key ctrl+s key ctrl+q");
    shown.ends_well();
    let names = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let ending =
        |ending: &'static str| names().filter(move |name| name.extension().is_some_and(|found| found == ending));
    let saved = ending("toml").find(|name| *name != scenario).expect("a saved scenario");
    throng::scenario::Scenario::load(&saved).unwrap();
    let film = std::fs::read(ending("gif").next().expect("a film")).unwrap();
    assert!(film.starts_with(b"GIF89a") && film.ends_with(b";"), "{} bytes", film.len());
    assert!(
        names().all(|name| !name.file_name().unwrap().to_string_lossy().contains("tmp")),
        "nothing half written is left"
    );
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
