//! The camera of a battle's window: what it shows at first, stored views, the hottest fighting. Skipped, with a word, where
//! something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, near, throng, want};
use std::fs;
use std::path::Path;
use throng::grid::{Grid, Lattice};
use throng::viewer::Event;

/// A wide field; two squads fight in its east, a third holds near them.
fn field(folder: &Path) {
    let grid = Grid::open_plain(Lattice::new(400, 300, 1.0).unwrap());
    grid.save_ascii(folder.join("field.txt")).unwrap();
    let squad = |at, order, facing| {
        format!("[[army.squad]]\ncount = 40\nposition = {at}\norder = \"{order}\"\nfacing = {facing}\n")
    };
    let scenario = format!(
        "map = \"field.txt\"\nmax_ticks = 1000000\n[[army]]\nname = \"red\"\n{}{}[[army]]\nname = \"blue\"\n{}",
        squad("[300, 200]", "attack", 0),
        squad("[200, 160]", "hold", 0),
        squad("[312, 200]", "attack", 180),
    );
    fs::write(folder.join("field.toml"), scenario).unwrap();
}

/// The window with the field in it, its display, and the zoom at first.
fn open(folder: &Path, camera: Option<&str>) -> Option<(Screen, Shown, f32)> {
    let screen = Screen::with_mouse()?;
    field(folder);
    let mut command = throng(Some(&screen.name), folder);
    command.env_remove("THRONG_CAMERA");
    if let Some(camera) = camera {
        command.env("THRONG_CAMERA", camera);
    }
    command.args(["view", "field.toml", "--print-events"]);
    let mut shown = Shown::start(command);
    let (_, zoom, _) = shown.ready();
    screen.focus();
    Some((screen, shown, zoom))
}

#[test]
fn it_shows_the_armies_at_first_and_the_map_at_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, mut shown, first)) = open(folder.path(), None) else { return };
    screen.xdotool("key f");
    let (map, view) = want!(shown, Event::Fit { zoom, view } => (zoom, view));
    assert!(first > 2.0 * map, "{first} for the armies, {map} for the map");
    assert!(view[0][0] <= 0.0 && view[0][1] <= 0.0 && view[1][0] >= 400.0 && view[1][1] >= 300.0, "{view:?}");
    screen.xdotool("key f");
    let (armies, [low, high]) = want!(shown, Event::Fit { zoom, view } => (zoom, view));
    assert!(armies > 2.0 * map);
    // All of them, with some ground around.
    assert!(low[0] < 195.0 && low[1] < 155.0 && high[0] > 315.0 && high[1] > 205.0, "{low:?} {high:?}");
    screen.xdotool("key ctrl+q");
    shown.ends_well();

    let Some((screen, shown, first)) = open(folder.path(), Some("map")) else { return };
    assert!(near(first, map, 0.01), "{first} and {map}");
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn views_are_stored_and_returned_to() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, mut shown, _)) = open(folder.path(), None) else { return };
    screen.xdotool("key F6");
    shown.want(is!(Event::Notice { text } if text.contains("shift+F6")));
    screen.xdotool("key shift+F6");
    let (centre, zoom) = want!(shown, Event::Bookmark { number: 2, stored: true, centre, zoom } => (centre, zoom));
    screen.xdotool("mousemove 800 300 sleep 0.1 click 4 sleep 0.1 key Left");
    shown.want(is!(Event::Pan { .. }));
    screen.xdotool("key shift+F8");
    let (other, nearer) = want!(shown, Event::Bookmark { number: 4, stored: true, centre, zoom } => (centre, zoom));
    assert!(nearer > zoom && other != centre);
    for (key, number, at, wanted) in [("F6", 2, centre, zoom), ("F8", 4, other, nearer)] {
        screen.xdotool(&format!("key {key}"));
        let event = shown.want(is!(Event::Bookmark { stored: false, .. }));
        assert_eq!(event, Event::Bookmark { number, stored: false, centre: at, zoom: wanted });
        // It is there: the same is stored again.
        screen.xdotool(&format!("key shift+{key}"));
        let (again, zoom) = want!(shown, Event::Bookmark { stored: true, centre, zoom, .. } => (centre, zoom));
        assert!(near(again[0], at[0], 0.1) && near(again[1], at[1], 0.1) && near(zoom, wanted, 1e-3), "{again:?}");
    }
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn it_follows_the_hottest_fighting_until_it_is_moved() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, mut shown, _)) = open(folder.path(), Some("map")) else { return };
    screen.xdotool("key k");
    shown.want(is!(Event::Directs { directs: true }));
    // It takes its time. What it looks at is stored without moving it.
    let looks_there = |[x, y]: [f32; 2]| (295.0..320.0).contains(&x) && (190.0..210.0).contains(&y);
    let mut centres = Vec::new();
    while !centres.last().is_some_and(|&centre| looks_there(centre)) {
        assert!(centres.len() < 300, "{centres:?}");
        screen.xdotool("sleep 0.5 key shift+F5");
        centres.push(want!(shown, Event::Bookmark { stored: true, centre, .. } => centre));
    }
    screen.xdotool("key Left");
    shown.want(is!(Event::Directs { directs: false }));
    shown.want(is!(Event::Pan { .. }));
    // The button does the same.
    shown.press(&screen, "page-show");
    shown.press(&screen, "direct");
    shown.want(is!(Event::Directs { directs: true }));
    screen.xdotool("key f");
    shown.want(is!(Event::Directs { directs: false }));
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}
