//! Moving volumes in a window: real keys and a real mouse on a display of its own (Xvfb, a software driver). Tests say that
//! they were skipped where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, like, pixels, throng, want};
use std::path::Path;
use std::process::{Command, Output};
use throng::viewer::{ContentInfo, Event};

/// The command with its window.
fn window(screen: &Screen, folder: &Path) -> Command {
    let mut command = throng(Some(&screen.name), folder);
    command.args(["volumes", "--window", "--print-events"]);
    command
}

/// The end of a step: its number, hits, tunnelled, seen.
fn step(shown: &mut Shown) -> [u64; 4] {
    want!(shown, Event::VolumeStep { step, hits, tunnelled, seen } => [step, hits, tunnelled, seen as u64])
}

#[test]
fn shots_tunnel_less_with_more_sub_steps_and_space_is_shown() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [flat, deep] = ["flat.png", "deep.png"].map(|name| folder.path().join(name));
    let mut command = window(&screen, folder.path());
    command.args(["--shapes", "320", "--dimensions", "2", "--screenshot"]).arg(&deep);
    let mut shown = Shown::start(command);
    assert_eq!(shown.ready().2, ContentInfo::Volumes { space: false, shapes: 320 });
    screen.focus();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    shown.settle();
    for _ in 0..3 {
        screen.xdotool("key period");
        shown.want(is!(Event::Step { back: false }));
        step(&mut shown);
    }
    let [number, hits, tunnelled, seen] = step_after(&mut shown, &screen);
    assert!(number >= 4 && hits > 20 && tunnelled > 0 && tunnelled < hits, "{:?}", shown.seen.last());
    assert!(seen > 0 && seen < 240, "{seen} of 240 bodies in the cone");
    shown.settle();
    screen.xdotool("key F12");
    let picture = want!(shown, Event::Picture { path } => path);
    std::fs::rename(folder.path().join(picture), &flat).unwrap();

    // The layers by their keys and boxes.
    for (key, layer, first) in [("c", "cone", false), ("w", "ways", false), ("b", "balls", true), ("g", "cells", true)]
    {
        screen.xdotool(&format!("key {key}"));
        shown.want(is!(Event::Layer { name, shown } if name == layer && *shown == first));
        shown.press(&screen, layer);
        shown.want(is!(Event::Layer { name, shown } if name == layer && *shown != first));
    }

    // A response, what the shots heed, and the number of sub-steps.
    shown.press(&screen, "slide");
    shown.want(is!(Event::Volumes { response, .. } if response == "slide"));
    shown.press(&screen, "found hits");
    shown.want(is!(Event::Volumes { tunnels: true, substeps: 4, .. }));
    let [x, y, width, _] = shown.rectangle("substeps");
    // A busy machine may miss a press. The text field is at the right.
    let tried = (0..5).find_map(|_| {
        screen.press([x + 0.12 * width, y]);
        shown.within(10, is!(Event::Volumes { .. }))
    });
    let Some(Event::Volumes { substeps, .. }) = tried else { panic!("{:#?}", shown.seen) };
    assert!(substeps > 8, "{substeps}");
    shown.settle();
    let mut last = [0; 4];
    for _ in 0..4 {
        last = step_after(&mut shown, &screen);
    }
    let share = |[_, hits, tunnelled, _]: [u64; 4]| tunnelled as f64 / hits as f64;
    assert!(share(last) < share([number, hits, tunnelled, seen]), "{last:?}");

    // Space, with all that can be shown.
    screen.xdotool("key d");
    shown.want(is!(Event::Volumes { space: true, shapes: 320, .. }));
    for key in ["b", "g"] {
        screen.xdotool(&format!("key {key}"));
        shown.want(is!(Event::Layer { shown: true, .. }));
    }
    step_after(&mut shown, &screen);
    shown.press(&screen, "pause");
    shown.want(is!(Event::Paused { paused: false }));
    shown.press(&screen, "faster");
    shown.want(is!(Event::Speed { speed } if speed == "2x"));
    screen.xdotool("mousemove 760 300 sleep 0.2 click 4");
    let (zoom, _) = shown.zoom_under();
    screen.xdotool("key f");
    assert!(shown.fit() < zoom);
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    for is_shown in [true, false] {
        screen.xdotool("key F1");
        shown.want(is!(Event::Help { shown } if *shown == is_shown));
    }
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();

    // Found and tunnelled hits, and bodies of two kinds, in their colours; in space the cells of the octree too.
    let [flat, deep] = [flat, deep].map(|file| pixels(&file));
    for (colour, least) in [([60, 220, 170], 100), ([255, 96, 56], 100), ([230, 159, 0], 60), ([150, 140, 255], 60)] {
        let found = like(&flat, colour, 22);
        assert!(found > least, "{found} pixels of {colour:?}");
    }
    let [with, without] = [&deep, &flat].map(|pixels| like(pixels, [92, 108, 140], 12));
    assert!(with > without + 1000, "{with} pixels of cells, {without} without");
}

/// Goes to the end of the next step.
fn step_after(shown: &mut Shown, screen: &Screen) -> [u64; 4] {
    screen.xdotool("key period");
    shown.want(is!(Event::Step { back: false }));
    step(shown)
}

#[test]
fn without_a_display_it_says_why_and_measures() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = throng(None, folder.path());
    command.args(["volumes", "--window", "--dimensions", "2", "--shapes", "40", "--steps", "3"]);
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert!(status.success() && text.lines().count() == 1, "{status}: {text}");
    assert!(String::from_utf8(stdout).unwrap().contains("\ncontinuous "));
    assert!(text.starts_with("no window: there is no display"), "{text}");
    assert!(text.ends_with("; measuring without a window, as without --window\n"), "{text}");
}

#[test]
fn options_that_make_no_sense_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (more, word) in [
        (&["--window", "--json"][..], "--json"),
        (&["--print-events"], "--window"),
        (&["--frames", "5"], "--window"),
        (&["--window", "--shapes", "3000"], "at most 2000 shapes"),
    ] {
        let output = throng(None, folder.path()).arg("volumes").args(more).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains(word), "{more:?}: {text}");
    }
}
