//! A window that is minimised, on a display of its own: there is no window manager there, so the test does its work.
//! Skipped, with a word, where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, throng, want};
use std::time::Duration;
use throng::viewer::Event;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, PropMode, Window};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Minimises a window, or shows it again.
fn minimise(display: &RustConnection, window: Window, minimised: bool) {
    let atom = |name: &str| display.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
    let (state, hidden) = (atom("_NET_WM_STATE"), atom("_NET_WM_STATE_HIDDEN"));
    let states: &[u32] = if minimised { &[hidden] } else { &[] };
    display.change_property32(PropMode::REPLACE, window, state, AtomEnum::ATOM, states).unwrap();
    if minimised {
        display.unmap_window(window).unwrap();
    } else {
        display.map_window(window).unwrap();
    }
    display.flush().unwrap();
}

#[test]
fn a_minimised_window_rests_and_its_battle_goes_on() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rows = (".".repeat(30) + "\n").repeat(20);
    std::fs::write(folder.path().join("yard.map"), format!("type octile\nheight 20\nwidth 30\nmap\n{rows}")).unwrap();
    let armies = "[[army]]\nname = \"red\"\nsquad = [{ count = 2, position = [3, 3] }]\n[[army]]\nname = \"blue\"\nsquad = [{ count = 2, position = [25, 15] }]\n";
    std::fs::write(folder.path().join("yard.toml"), format!("map = \"yard.map\"\nmax_ticks = 1000000\n{armies}"))
        .unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.args(["view", "yard.toml", "--print-events"]);
    let mut shown = Shown::start(command);
    shown.want(is!(Event::Ready { .. }));
    shown.want(is!(Event::Frames { .. }));
    let window: Window = screen.xdotool("search --onlyvisible --name throng").lines().next().unwrap().parse().unwrap();
    let (display, _) = RustConnection::connect(Some(&screen.name)).unwrap();

    minimise(&display, window, true);
    let hidden = want!(shown, Event::Hidden { hidden: true, moment } => moment);
    let before = shown.processor_time();
    std::thread::sleep(Duration::from_secs(3));
    let busy = shown.processor_time() - before;
    let drawn = shown.events.try_iter().filter(is!(Event::Frames { .. })).count();
    assert_eq!(drawn, 0, "nobody can see it");
    // One that asks for ever whether it is visible takes a whole processor.
    assert!(busy < 1.0, "{busy} s of 3");

    minimise(&display, window, false);
    let visible = want!(shown, Event::Hidden { hidden: false, moment } => moment);
    assert!(visible > hidden, "ticks {hidden} to {visible}");
    shown.want(is!(Event::Frames { .. }));
    screen.focus();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}
