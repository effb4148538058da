//! The way into a battle without a text file: the menu, its examples, a new battle, its deployment, its end, once more.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, throng, want};
use std::path::Path;
use throng::scenario::Scenario;
use throng::viewer::Event;

/// The window with its menu open, in an empty folder, so that nothing of a repository is there.
fn start(folder: &Path) -> Option<(Screen, Shown)> {
    let screen = Screen::with_mouse()?;
    let mut command = throng(Some(&screen.name), folder);
    command.args(["view", "--print-events"]);
    let mut shown = Shown::start(command);
    shown.ready();
    screen.focus();
    shown.settle();
    Some((screen, shown))
}

#[test]
fn from_the_menu_to_a_new_battle_its_deployment_its_end_and_once_more() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, mut shown)) = start(folder.path()) else { return };
    // Nothing is lost by a key too many.
    screen.xdotool("key Escape");
    shown.want(is!(Event::Menu { open: false }));
    screen.xdotool("key Escape");
    shown.want(is!(Event::Menu { open: true }));
    shown.settle();
    // Larger words move all buttons, and they are pressed where they are.
    shown.press(&screen, "menu-settings");
    shown.settle();
    shown.press(&screen, "text-130");
    shown.settle();
    shown.press(&screen, "menu-new");
    shown.settle();
    shown.press(&screen, "deploy-new");
    shown.want(is!(Event::Opened { title } if title == "battle-1"));
    shown.settle();
    // Time stands still until all are in place.
    let file = folder.path().join("data/throng/battles/battle-1.toml");
    let (scenario, _) = Scenario::load(&file).unwrap();
    let before: usize = scenario.armies.iter().flat_map(|army| &army.squads).map(|squad| squad.positions.len()).sum();
    assert_eq!(before, 980);
    // All squads but one of each army leave, by their cards.
    screen.xdotool("key q");
    shown.settle();
    screen.xdotool("key ctrl+a");
    shown.settle();
    shown.press(&screen, "menu");
    shown.want(is!(Event::Menu { open: true }));
    shown.settle();
    shown.press(&screen, "menu-save");
    shown.settle();
    shown.press(&screen, "save-as");
    let files = want!(shown, Event::Saved { files, .. } => files);
    let (saved, warnings) = Scenario::load(folder.path().join(&files[0])).unwrap();
    assert_eq!((warnings.len(), saved.armies.len()), (0, 2), "{files:?}");
    shown.settle();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: false }));
    for _ in 0..6 {
        screen.xdotool("key bracketright");
    }
    shown.want(is!(Event::Result { .. }));
    shown.settle();
    screen.xdotool("key Escape");
    shown.settle();
    screen.xdotool("key Escape");
    shown.want(is!(Event::Menu { open: true }));
    shown.settle();
    shown.press(&screen, "menu-restart");
    shown.want(is!(Event::Restarted));
    shown.want(is!(Event::Result { .. }));
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn every_example_opens_by_its_picture() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, mut shown)) = start(folder.path()) else { return };
    let mut opened = Vec::new();
    for number in 0..16 {
        // Each row that is passed is scrolled away.
        let name = format!("example-{number}");
        let [x, y] = shown.place("menu-battles");
        screen.xdotool(&format!("mousemove {} {y}", x + 400.0));
        let mut tries = 0;
        loop {
            shown.settle();
            let [_, y, _, height] = shown.rectangle(&name);
            if y - height / 2.0 > 40.0 && y + height / 2.0 < 690.0 {
                break;
            }
            tries += 1;
            assert!(tries < 60, "{name} stays at {y}");
            screen.xdotool(if y < 360.0 { "click 4" } else { "click 5" });
        }
        shown.press(&screen, &name);
        opened.push(want!(shown, Event::Opened { title } => title));
        shown.settle();
        screen.xdotool("key Escape");
        shown.want(is!(Event::Menu { open: true }));
        shown.settle();
    }
    opened.sort();
    let mut known: Vec<String> = std::fs::read_dir(folder.path().join("data/throng/shipped/examples"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "toml"))
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    known.sort();
    assert_eq!(opened, known);
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}
