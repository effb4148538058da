//! Time in a live battle, in the window: back and on, the time line, the result, films of the whole battle.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, throng, want};
use std::path::{Path, PathBuf};
use throng::viewer::Event;

const FASTER: &str = "key bracketright ";
const SLOWER: &str = "key bracketleft ";

/// A folder with a small battle in it that ends after a while.
pub fn duel() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let row = ".".repeat(64) + "\n";
    let map = format!("type octile\nheight 40\nwidth 64\nmap\n{}", row.repeat(40));
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    let army = |name: &str, count: u32, x: u32, facing: u32| {
        format!(
            "[[army]]\nname = \"{name}\"\n[[army.squad]]\ncount = {count}\nposition = [{x}, 20]\nfacing = {facing}\n\
             order = \"attack\"\n"
        )
    };
    let armies = [army("red", 60, 20, 0), army("blue", 24, 40, 180)].concat();
    let file = folder.path().join("duel.toml");
    std::fs::write(&file, format!("name = \"duel\"\nmap = \"field.map\"\nmax_ticks = 20000\n{armies}")).unwrap();
    (folder, file)
}

/// The window with a battle, as fast as it can go, up to its verdict: the tick and the text of that.
fn fought(screen: &Screen, folder: &Path, file: &Path) -> (Shown, u64, String) {
    let mut command = throng(Some(&screen.name), folder);
    command.arg("view").arg(file).args(["--print-events", "--theme", "plan"]);
    let mut shown = Shown::start(command);
    shown.place("time-line");
    shown.want(is!(Event::Ready { .. }));
    screen.focus();
    screen.xdotool(&FASTER.repeat(6));
    let text = want!(shown, Event::Result { text } => text);
    shown.want(is!(Event::Outcome { shown: true }));
    // A look at the end that stays where it is tells its tick.
    screen.xdotool("key End");
    let end = shown.tick();
    (shown, end, text)
}

/// The tick that is shown once it is this one.
fn until(shown: &mut Shown, tick: u64) {
    while shown.tick() != tick {}
}

#[test]
fn time_is_turned_back_and_goes_on_to_the_same_end_and_restarts() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, file) = duel();
    let (mut shown, end, text) = fought(&screen, folder.path(), &file);
    screen.xdotool("key o");
    shown.want(is!(Event::Outcome { shown: false }));
    // To the start, to the middle by the line, a tick back.
    screen.xdotool("key Home");
    until(&mut shown, 0);
    let [x, y, ..] = shown.rectangle("time-line");
    screen.press([x, y]);
    let middle = shown.tick();
    assert!(middle.abs_diff(end / 2) <= end / 50 + 2, "{middle} of {end}");
    screen.xdotool("key comma");
    until(&mut shown, middle - 1);
    // It goes on to the same verdict at the same tick.
    screen.xdotool("key space");
    let again = want!(shown, Event::Result { text } => text);
    screen.xdotool("key End");
    let tick = shown.tick();
    assert_eq!((again, tick), (text.clone(), end));
    // Another command in the past: what came after it is forgotten.
    screen.xdotool("key Home");
    until(&mut shown, 0);
    screen.xdotool("key ctrl+z");
    shown.want(is!(Event::NothingToUndo));
    screen.xdotool("key End");
    until(&mut shown, end);
    // Anew, from the result.
    screen.xdotool("key o");
    shown.want(is!(Event::Outcome { shown: true }));
    screen.xdotool(&SLOWER.repeat(6));
    shown.press(&screen, "restart");
    shown.want(is!(Event::Restarted));
    assert!(shown.tick() < 20);
    screen.xdotool(&FASTER.repeat(6));
    let fresh = want!(shown, Event::Result { text } => text);
    screen.xdotool("key End");
    assert_eq!((fresh, shown.tick()), (text, end));
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn the_whole_battle_becomes_a_film_and_is_watched_again() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, file) = duel();
    let (mut shown, _, text) = fought(&screen, folder.path(), &file);
    shown.press(&screen, "film-battle");
    let path = want!(shown, Event::FilmingBattle { path } => path);
    shown.want(is!(Event::Film { .. }));
    let film = std::fs::read(folder.path().join(&path)).unwrap();
    assert!(film.starts_with(b"GIF89a") && film.ends_with(b";"), "{} bytes", film.len());
    let frames = film.windows(3).filter(|bytes| *bytes == [0x21, 0xf9, 0x04]).count();
    assert!((20..=100).contains(&frames), "{frames} pictures");
    screen.xdotool(&SLOWER.repeat(6));
    shown.press(&screen, "watch-again");
    shown.want(is!(Event::Outcome { shown: false }));
    assert!(shown.tick() < 20);
    screen.xdotool(&FASTER.repeat(6));
    let again = want!(shown, Event::Result { text } => text);
    assert_eq!(again, text);
    // It was seen: it opens no more by itself, but when it is asked for.
    screen.xdotool("key Home");
    until(&mut shown, 0);
    screen.xdotool("key End key o");
    let opened = want!(shown, Event::Outcome { shown } => shown);
    assert!(opened);
    // The keys lie over it, and go first.
    screen.xdotool("key F1");
    shown.want(is!(Event::Help { shown: true }));
    shown.settle();
    screen.xdotool("key Escape");
    shown.want(is!(Event::Help { shown: false }));
    shown.press(&screen, "fold-time");
    shown.want(is!(Event::TimeLine { unfolded: true }));
    shown.press(&screen, "close-outcome");
    shown.want(is!(Event::Outcome { shown: false }));
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}
