//! Panels are not laid out in every frame, yet show the moment that is seen. Skipped, with a word, where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, throng};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng::viewer::{Event, Mark};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat};
use x11rb::rust_connection::RustConnection;

/// Around the number of the tick, in the bar of time: left, top, width, height (pixels).
const TICK: [i16; 4] = [1040, 690, 90, 28];

/// What the display shows in a rectangle.
fn seen(display: &RustConnection, [x, y, width, height]: [i16; 4]) -> Vec<u8> {
    let root = display.setup().roots[0].root;
    let size = [width, height].map(|side| side as u16);
    let image = display.get_image(ImageFormat::Z_PIXMAP, root, x, y, size[0], size[1], u32::MAX).unwrap();
    image.reply().unwrap().data
}

/// A folder with a battle whose ticks take some frames: a tick that was asked for comes when the panels are laid out already.
fn crowd() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 100\nwidth 200\nmap\n".to_owned() + &(".".repeat(200) + "\n").repeat(100);
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    let army = |name: &str, x: u32| {
        format!("[[army]]\nname = \"{name}\"\nsquad = [{{ count = 1500, position = [{x}, 50], order = \"attack\" }}]\n")
    };
    let scenario = "map = \"field.map\"\nmax_ticks = 1000000\nindex = \"brute-force\"\n".to_owned();
    let file = folder.path().join("crowd.toml");
    std::fs::write(&file, scenario + &army("red", 40) + &army("blue", 160)).unwrap();
    (folder, file)
}

#[test]
fn panels_keep_up_with_time_and_show_the_last_tick_and_the_last_key() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, file) = crowd();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(&file).arg("--print-events");
    let mut shown = Shown::start(command);
    shown.ready();
    screen.focus();
    shown.press(&screen, "page-show");
    let (display, _) = RustConnection::connect(Some(&screen.name)).unwrap();
    // Soldiers stand still soon after a tick has come: nothing else has the panels laid out.
    screen.xdotool("key bracketright key bracketright key bracketright");
    (0..3).for_each(|_| _ = shown.speed());
    screen.xdotool("mousemove 700 500");
    let is_still = |shown: &mut Shown| shown.want(is!(Event::Still));
    // Whatever comes from the user has the panels laid out: had they been of another moment, they would change now.
    let same = |shown: &mut Shown, part, at: &str| {
        let before = seen(&display, part);
        screen.xdotool(&format!("mousemove {at}"));
        is_still(shown);
        assert!(before == seen(&display, part), "the panels were of another moment");
        before
    };
    let mut ticks = Vec::new();
    for _ in 0..3 {
        // Without a key or the mouse the number of the tick goes on.
        let (begun, mut changes, mut last) = (Instant::now(), 0, seen(&display, TICK));
        while changes < 6 {
            assert!(begun.elapsed() < Duration::from_mins(5), "{changes} numbers");
            std::thread::sleep(Duration::from_millis(15));
            let now = seen(&display, TICK);
            changes += u32::from(now != last);
            last = now;
        }
        screen.xdotool("key space");
        shown.want(is!(Event::Paused { paused: true }));
        is_still(&mut shown);
        ticks.push(same(&mut shown, TICK, "710 500"));
        // A single tick is another number.
        screen.xdotool("key period");
        shown.tick();
        is_still(&mut shown);
        ticks.push(same(&mut shown, TICK, "700 500"));
        screen.xdotool("key space");
        shown.want(is!(Event::Paused { paused: false }));
    }
    for (index, tick) in ticks.iter().enumerate() {
        assert!(!ticks[..index].contains(tick), "each moment has a number of its own");
    }
    // A key shows on the panels in the next frame, and so do its marks.
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    is_still(&mut shown);
    let [x, y, width, height] = shown.rectangle("radii").map(|part| part as i16);
    let mark = [x - width / 2, y - height / 2, width, height];
    let before = same(&mut shown, mark, "710 500");
    screen.xdotool("key p");
    shown.want(is!(Event::Mark { mark: Mark::Radii, .. }));
    is_still(&mut shown);
    assert!(same(&mut shown, mark, "700 500") != before, "a tick in a box");
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}
