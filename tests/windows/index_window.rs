//! A spatial index at work in a window: real keys and a real mouse on a display of its own (Xvfb, a software driver). Tests
//! say that they were skipped where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, like, pixels, throng, want};
use std::path::Path;
use std::process::{Command, Output};
use throng::viewer::{ContentInfo, Event, PACKAGES};

/// The command with its window.
fn window(screen: &Screen, folder: &Path) -> Command {
    let mut command = throng(Some(&screen.name), folder);
    command.args(["indices", "--window", "--print-events"]);
    command
}

/// The newest frame: its number, discs, tests, hits, cells.
fn frame(shown: &mut Shown) -> [u64; 5] {
    want!(shown, Event::TrialFrame { frame, discs, tests, hits, cells, .. } => {
        [frame, discs.into(), tests, hits as u64, cells as u64]
    })
}

/// The first content of the window.
fn content(index: &str, discs: u32) -> ContentInfo {
    ContentInfo::Index { index: index.to_owned(), discs }
}

#[test]
fn an_index_is_chosen_paused_stepped_and_its_cells_are_shown() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [with, without] = ["with.png", "without.png"].map(|name| folder.path().join(name));
    let mut command = window(&screen, folder.path());
    command.args(["--indices", "quadtree", "--agents", "1500"]).arg("--screenshot").arg(&without);
    let mut shown = Shown::start(command);
    assert_eq!(shown.ready().2, content("quadtree", 1500));
    screen.focus();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    shown.settle();
    screen.xdotool("key period");
    shown.want(is!(Event::Step { back: false }));
    let [number, discs, tests, hits, cells] = frame(&mut shown);
    assert!(number > 0 && discs == 1500 && tests >= hits && cells > 20, "{:?}", shown.seen.last());
    shown.press(&screen, "step");
    assert_eq!(frame(&mut shown)[0], number + 1);
    shown.settle();
    screen.xdotool("key F12");
    let picture = want!(shown, Event::Picture { path } => path);
    std::fs::rename(folder.path().join(picture), &with).unwrap();

    // Another index: the discs stay, so the same ones overlap; brute force tests all and has no cells.
    shown.press(&screen, "index");
    shown.settle();
    shown.press(&screen, "brute-force");
    shown.want(is!(Event::Trial { index, scene, discs: 1500 } if index == "brute-force" && scene == "bouncing"));
    let [still, _, all, same, none] = frame(&mut shown);
    assert_eq!([still, all, none], [number + 1, 1500 * 1499 / 2, 0]);
    assert!(same.abs_diff(hits) < 30 && all > tests);

    // The cells by the key and by the box; the clock by the buttons.
    screen.xdotool("key g");
    shown.want(is!(Event::Cells { shown: false }));
    shown.press(&screen, "cells");
    shown.want(is!(Event::Cells { shown: true }));
    screen.xdotool("key g");
    shown.want(is!(Event::Cells { shown: false }));
    shown.press(&screen, "faster");
    shown.want(is!(Event::Speed { speed } if speed == "2x"));
    shown.press(&screen, "slower");
    shown.want(is!(Event::Speed { speed } if speed == "1x"));
    shown.press(&screen, "pause");
    shown.want(is!(Event::Paused { paused: false }));
    shown.press(&screen, "scene");
    shown.settle();
    shown.press(&screen, "clustered");
    shown.want(is!(Event::Trial { index, scene, discs: 1500 } if index == "brute-force" && scene == "clustered"));
    let [x, y] = shown.place("discs");
    // A busy machine may miss a press.
    let tried = (0..5).find_map(|_| {
        screen.press([x, y]);
        shown.within(10, is!(Event::Trial { .. }))
    });
    let Some(Event::Trial { discs: tried, .. }) = tried else { panic!("{:#?}", shown.seen) };
    assert!((1..=20_000).contains(&tried) && tried != 1500, "{tried}");

    // The wheel, the whole again, the panels, the keys.
    screen.xdotool("mousemove 560 300 sleep 0.2 click 4");
    let (zoom, _) = shown.zoom_under();
    screen.xdotool("key f");
    assert!(shown.fit() < zoom);
    for is_shown in [false, true] {
        screen.xdotool("key Tab");
        shown.want(is!(Event::Panel { shown } if *shown == is_shown));
    }
    for is_shown in [true, false] {
        screen.xdotool("key F1");
        shown.want(is!(Event::Help { shown } if *shown == is_shown));
    }
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();

    // The ground is there, discs of both colours, and only with cells their ink.
    let [with, without] = [with, without].map(|file| pixels(&file));
    for (colour, least) in [([214, 204, 180], 20_000), ([0, 114, 178], 5000), ([213, 94, 0], 100)] {
        let found = like(&with, colour, 22);
        assert!(found > least, "{found} pixels of {colour:?}");
    }
    let [inked, bare] = [&with, &without].map(|pixels| like(pixels, [140, 124, 140], 40));
    assert!(inked > bare + 500, "{inked} pixels of cells, {bare} without");
}

#[test]
fn the_graph_grows_and_stops() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut shown = Shown::start(window(&screen, folder.path()));
    assert_eq!(shown.ready().2, content("grid", 1000));
    screen.focus();
    shown.settle();
    shown.press(&screen, "grow");
    shown.want(is!(Event::Growth { grows: true }));
    let points: Vec<(u32, f64)> =
        (0..9).map(|_| want!(shown, Event::Point { discs, micros, .. } => (discs, micros))).collect();
    let discs: Vec<u32> = points.iter().map(|point| point.0).collect();
    assert_eq!(discs, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 20_000]);
    assert!(points.iter().all(|point| point.1 > 0.0), "{points:?}");
    shown.want(is!(Event::Grown { index } if index == "grid"));
    // Another one beside it, which is stopped on its way.
    shown.press(&screen, "index");
    shown.settle();
    shown.press(&screen, "hash");
    shown.want(is!(Event::Trial { index, discs: 20_000, .. } if index == "hash"));
    screen.xdotool("key Return");
    shown.want(is!(Event::Growth { grows: true }));
    shown.want(is!(Event::Point { index, discs: 100, .. } if index == "hash"));
    screen.xdotool("key Return");
    shown.want(is!(Event::Growth { grows: false }));
    shown.press(&screen, "clear");
    shown.want(is!(Event::CurvesCleared));
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn a_window_may_be_closed_at_once_and_every_scene_is_shown() {
    let Some(screen) = Screen::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    for scene in ["line", "stadium", "mixed"] {
        let mut command = window(&screen, folder.path());
        command.args(["--scenes", scene, "--indices", "bvh", "--agents", "3000", "--frames", "5"]);
        let mut shown = Shown::start(command);
        assert_eq!(shown.ready().2, content("bvh", 3000));
        shown.ends_well();
    }
}

#[test]
fn options_that_make_no_sense_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (more, word) in [
        (&["--window", "--csv", "a.csv"][..], "--csv"),
        (&["--window", "--json"], "--json"),
        (&["--window", "--cell", "2"], "--cell"),
        (&["--print-events"], "--window"),
        (&["--window", "--agents", "30000"], "at most 20000 discs"),
    ] {
        let output = throng(None, folder.path()).arg("indices").args(more).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.contains(word), "{more:?}: {text}");
    }
}

#[test]
fn without_a_display_it_says_why_and_compares() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = throng(None, folder.path());
    command.args(["indices", "--window", "--indices", "grid", "--scenes", "line", "--agents", "200", "--frames", "3"]);
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert!(status.success() && text.lines().count() == 1, "{status}: {text}");
    assert!(String::from_utf8(stdout).unwrap().contains("\ngrid "));
    assert!(text.starts_with("no window: there is no display"), "{text}");
    assert!(
        text.ends_with(&format!("apt install {PACKAGES}; comparing without a window, as without --window\n")),
        "{text}"
    );
}
