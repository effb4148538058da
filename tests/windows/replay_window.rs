//! A recording in the window: real keys and a real mouse on a display of its own (Xvfb, a software driver). Skipped, with a
//! word, where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, like, pixels, throng, want};
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::record::{About, Recorder, Sink};
use throng::viewer::{ContentInfo, Event};
use throng::world::{ArmyCount, ArmyId, Frame};

/// 500 people, twenty abreast, walk across a plain for 400 frames; one falls in every tenth.
fn walk(path: &std::path::Path) {
    let (people, abreast, frames) = (500, 20, 400);
    let grid = std::sync::Arc::new(Grid::open_plain(Lattice::new(96, 64, 1.0).unwrap()));
    let mut sink = Box::new(Recorder::create(path, &About { title: "walk".into(), ..About::default() }).unwrap());
    for tick in 0..frames {
        let start = |id: u32| Vec2::new(4.0 + (id % abreast) as f32 * 0.9, 20.0 + (id / abreast) as f32 * 0.9);
        let place = |id: u32| start(id) + Vec2::new(tick as f32 * 0.15, 0.0);
        let ids = tick as u32 / 10..people;
        sink.frame(&Frame {
            tick,
            grid: Some(grid.clone()),
            id: ids.clone().collect(),
            position: ids.clone().map(place).collect(),
            heading: ids.clone().map(|_| Vec2::X).collect(),
            radius: ids.clone().map(|_| 0.4).collect(),
            army: ids.clone().map(|_| ArmyId(0)).collect(),
            health: ids.clone().map(|_| 1.0).collect(),
            armies: vec![ArmyCount {
                name: "walkers".into(),
                alive: people - tick as u32 / 10,
                dead: tick as u32 / 10,
                ..ArmyCount::default()
            }],
            fallen: if tick % 10 == 0 && tick > 0 { vec![place(tick as u32 / 10 - 1)] } else { vec![] },
            ..Frame::default()
        })
        .unwrap();
    }
    sink.finish().unwrap();
}

#[test]
fn the_time_line_leads_to_any_moment() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    walk(&folder.path().join("walk.throng"));
    let picture = folder.path().join("window.png");
    let mut command = throng(Some(&screen.name), folder.path());
    command.args(["replay", "walk.throng", "--print-events", "--screenshot"]).arg(&picture);
    let mut shown = Shown::start(command);
    let line = shown.rectangle("time-line");
    let (_, _, content) = shown.ready();
    assert!(matches!(content, ContentInfo::Battle { agents: 451.. }), "{content:?}");
    screen.focus();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    shown.settle();

    // A click on the middle of the line.
    let [x, y, width, _] = line;
    screen.press([x, y]);
    let middle = shown.tick();
    assert!((198..=201).contains(&middle), "{middle}");
    // The moment that is shown may be told more than once.
    for (key, tick) in [("period", middle + 1), ("comma", middle), ("comma", middle - 1)] {
        screen.xdotool(&format!("key {key}"));
        while shown.tick() != tick {}
    }
    // A drag, beyond the end; the height above the line does not matter then.
    let drag = format!(
        "mousemove {x:.0} {y:.0} sleep 0.3 mousedown 1 sleep 0.2 mousemove 800 600 sleep 0.2 mousemove 1270 400"
    );
    // A busy machine may have missed the button.
    let has_come = (0..5).any(|_| {
        screen.xdotool(&drag);
        let came = shown.within(10, is!(Event::Tick { tick: 399.. })).is_some();
        screen.xdotool("mouseup 1 sleep 0.1 mousemove 300 400");
        came
    });
    assert!(has_come, "the end was not come to, but: {:#?}", shown.seen);
    shown.settle();
    screen.press([x + 0.35 * width, y]);
    let late = shown.tick();
    assert!((300..399).contains(&late), "{late}");
    // It goes on from there to the end, and stays.
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: false }));
    let keys = |key: &str| screen.xdotool(&format!("key {key} key {key} key {key} key {key} key {key} key {key}"));
    keys("bracketright");
    shown.want(is!(Event::Still));
    // To the same moment once more, and to the end again.
    keys("bracketleft");
    shown.settle();
    screen.press([x + 0.35 * width, y]);
    let again = shown.tick();
    assert!((late..late + 9).contains(&again), "{again} after {late}");
    keys("bracketright");
    shown.want(is!(Event::Still));
    screen.xdotool("key F12");
    shown.want(is!(Event::Picture { .. }));
    screen.xdotool("key comma");
    shown.want(is!(Event::Step { back: true }));
    while shown.tick() != 398 {}
    screen.xdotool("key ctrl+q");
    shown.ends_well();
    let pixels = pixels(&picture);
    let (walkers, knob) = (like(&pixels, [213, 94, 0], 22), like(&pixels, [245, 240, 230], 12));
    assert!(walkers > 2_000 && knob > 100, "{walkers} pixels of walkers, {knob} of the knob");
}

/// Changes a byte of the frame of a tick.
fn damage(path: &std::path::Path, tick: u64) {
    let mut bytes = std::fs::read(path).unwrap();
    let mut place = 12;
    while !(matches!(bytes[place], b'S' | b'K') && bytes[place + 8..place + 16] == tick.to_le_bytes()) {
        place += 20 + u32::from_le_bytes(bytes[place + 4..place + 8].try_into().unwrap()) as usize;
    }
    bytes[place + 24] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_frame_is_left_out_and_not_gone_to() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    walk(&folder.path().join("walk.throng"));
    // Every 32nd frame is complete in itself: those up to 223 cannot be read.
    damage(&folder.path().join("walk.throng"), 200);
    let mut command = throng(Some(&screen.name), folder.path());
    command.args(["replay", "walk.throng", "--print-events"]);
    let mut shown = Shown::start(command);
    let line = shown.rectangle("time-line");
    shown.want(is!(Event::Ready { .. }));
    screen.focus();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    shown.settle();
    let [x, y, width, _] = line;
    screen.press([x - 0.1 * width, y]);
    let before = shown.tick();
    assert!((150..170).contains(&before), "{before}");
    screen.press([x + 0.03 * width, y]);
    let told = want!(shown, Event::Notice { text } => text);
    assert!(told.contains(" cannot be read: walk.throng: block ") && told.starts_with("tick 2"), "{told}");
    screen.xdotool("key period");
    assert_eq!(shown.tick(), before + 1);
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: false }));
    let told = want!(shown, Event::Notice { text } => text);
    assert!(told.starts_with("left out ticks 200 to 223, which cannot be read: walk.throng: block "), "{told}");
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    screen.xdotool("key period");
    assert!(shown.tick() > 224);
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn a_recording_begins_with_the_first_frame_that_is_whole() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    walk(&folder.path().join("walk.throng"));
    damage(&folder.path().join("walk.throng"), 0);
    let mut command = throng(Some(&screen.name), folder.path());
    command.args(["replay", "walk.throng", "--print-events"]);
    let mut shown = Shown::start(command);
    let told = want!(shown, Event::Notice { text } => text);
    assert!(told.starts_with("left out ticks 0 to 31, which cannot be read: walk.throng: block "), "{told}");
    shown.want(is!(Event::Ready { .. }));
    screen.focus();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}
