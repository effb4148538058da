//! Planners side by side in a window: real keys and a real mouse on a display of its own (Xvfb, a software driver). Tests
//! say that they were skipped where something is missing.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use crate::screen::{Screen, Shown, is, like, near, pixels, throng, want};
use std::path::PathBuf;
use std::process::Output;
use throng::viewer::{ContentInfo, Event, PACKAGES, Tab};

/// Columns and rows of the map.
const SIDE: u32 = 40;

/// Width of the panel.
const PANEL: f32 = 264.0;

/// A folder with an open plain in it.
fn plain() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plain.map");
    let row = ".".repeat(SIDE as usize) + "\n";
    std::fs::write(&file, format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n") + &row.repeat(SIDE as usize))
        .unwrap();
    (folder, file)
}

/// The results of the panes for a task: name, length and expansions.
struct Results(Vec<(String, f64, u64)>);

impl Results {
    /// The results that come with the next task that is done, and its start and goal.
    fn of(shown: &mut Shown) -> (Self, Vec<u32>) {
        let trip = want!(shown, Event::Task { trip: Some(trip), .. } => trip.concat());
        let results = shown.seen.iter().rev().skip(1).map_while(|event| match event {
            Event::PaneResult { planner, found: Some((length, expanded)), .. } => {
                Some((planner.clone(), *length, *expanded))
            }
            _ => None,
        });
        let mut results: Vec<_> = results.collect();
        results.reverse();
        (Self(results), trip)
    }

    fn length(&self, pane: usize) -> f64 {
        self.0[pane].1
    }
}

#[test]
fn ends_and_walls_are_dragged_and_all_planners_follow() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, map) = plain();
    let picture = folder.path().join("window.png");
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--from", "5,20", "--to", "30,20"]);
    command.args(["--planners", "dijkstra,astar,weighted-astar:1,3,pathfinding-astar"]);
    command.arg("--screenshot").arg(&picture);
    let mut shown = Shown::start(command);
    let (results, _) = Results::of(&mut shown);
    let names: Vec<&str> = results.0.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["dijkstra", "astar", "weighted-astar:1,3", "pathfinding-astar"]);
    assert!((0..4).all(|pane| results.length(pane) == 25.0));
    assert!(results.0[0].2 > 10 * results.0[1].2, "Dijkstra looks everywhere, A* straight ahead");
    let (_, zoom, content) = shown.ready();
    let ContentInfo::Comparison { panes: 4, size: [width, height] } = content else { panic!("{content:?}") };
    assert!(zoom > 5.0, "{zoom}");
    screen.focus();

    // The second pane is the upper right one; a cell of the map is there. Gaps are 8 pixels, the panel is at the left.
    let at = |x: f32, y: f32| {
        let middle = (PANEL + 8.0 + width + 8.0 + width / 2.0, 8.0 + height / 2.0);
        let cell = |part: f32, middle: f32| middle + (part + 0.5 - SIDE as f32 / 2.0) * zoom;
        format!("{:.0} {:.0}", cell(x, middle.0), cell(y, middle.1))
    };
    let drag = |from: (f32, f32), to: (f32, f32)| {
        let (from, to) = (at(from.0, from.1), at(to.0, to.1));
        screen.xdotool(&format!("mousemove {from} sleep 0.1 mousedown 1 sleep 0.1 mousemove {to} sleep 0.1 mouseup 1"));
    };

    // The goal is dragged, in one pane for all.
    drag((30.0, 20.0), (30.0, 27.0));
    shown.want(is!(Event::HoldsGoal));
    let (results, trip) = Results::of(&mut shown);
    assert_eq!(trip, [5, 20, 30, 27]);
    let octile = 18.0 + 7.0 * 2.0_f64.sqrt();
    assert!([0, 1, 3].into_iter().all(|pane| (results.length(pane) - octile).abs() < 0.001));

    // A wall across the way, and a hole in it.
    drag((15.0, 3.0), (15.0, 36.0));
    shown.want(is!(Event::Stroke { erases: false, from: [15, 3] }));
    shown.settle();
    drag((15.0, 36.0), (15.0, 39.0));
    shown.want(is!(Event::Stroke { erases: true, from: [15, 36] }));
    let (results, _) = Results::of(&mut shown);
    assert!([0, 1, 3].into_iter().all(|pane| results.length(pane) > octile + 2.0));
    assert!(results.length(2) >= results.length(1));
    shown.settle();

    // Another planner in a pane: by its number, under the pointer, and by a click on its name.
    screen.xdotool("key 1");
    shown.want(is!(Event::PanePlanner { pane: 1, planner } if planner == "astar"));
    screen.xdotool("key 2");
    shown.want(is!(Event::PanePlanner { pane: 2, planner } if planner == "weighted-astar:1,2"));
    let name = height + 8.0 + 15.0;
    screen.xdotool(&format!("mousemove {} {name} sleep 0.1 click 1", PANEL + 60.0));
    shown.want(is!(Event::PanePlanner { pane: 1, planner } if planner.starts_with("weighted-astar")));
    shown.settle();

    // The wheel zooms under the pointer in its pane, and the map follows the right button.
    let cell = at(10.0, 10.0);
    screen.xdotool(&format!("mousemove {cell} sleep 0.1 click 4"));
    let (zoomed, [x, y]) = shown.zoom_under();
    assert!(zoomed > zoom && near(x, 10.5, 0.2) && near(y, 10.5, 0.2), "{zoomed} {x},{y}");
    screen.xdotool("mousemove 900 200 sleep 0.1 mousedown 3 sleep 0.1 mousemove 930 200 sleep 0.1 mouseup 3");
    shown.want(is!(Event::Pan { .. }));
    screen.xdotool("key f");
    assert!(near(shown.fit(), zoom, 0.01));

    screen.xdotool("key c");
    shown.want(is!(Event::MapRestored));
    shown.settle();
    screen.xdotool("key ctrl+z");
    shown.want(is!(Event::Undone { .. }));
    shown.settle();
    screen.xdotool("key ctrl+y");
    shown.want(is!(Event::Redone { .. }));
    screen.xdotool("key ctrl+y");
    shown.want(is!(Event::NothingToRedo));
    screen.xdotool("key ctrl+z");
    shown.want(is!(Event::Undone { .. }));
    shown.settle();
    screen.xdotool("key r");
    shown.want(is!(Event::RandomTrip));
    let (results, trip) = Results::of(&mut shown);
    assert!(trip != [5, 20, 30, 27] && results.length(0) > 0.0);
    screen.xdotool("key F1");
    shown.want(is!(Event::Help { shown: true }));
    screen.xdotool("key F1");
    shown.want(is!(Event::Help { shown: false }));
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();

    let pixels = pixels(&picture);
    let ground = like(&pixels, [214, 204, 180], 22);
    assert!(ground > 50_000, "{ground} pixels of ground");
    for (colour, least) in [([0, 122, 85], 300), ([192, 31, 58], 400), ([240, 228, 66], 300)] {
        let found = like(&pixels, colour, 12);
        assert!(found > least, "{found} pixels of {colour:?}");
    }
}

#[test]
fn an_agent_walks_and_its_route_is_repaired_around_new_walls() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, map) = plain();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--from", "3,20", "--to", "36,20"]);
    command.args(["--planners", "astar"]);
    let mut shown = Shown::start(command);
    let (_, zoom, content) = shown.ready();
    let ContentInfo::Comparison { panes: 1, size: [width, height] } = content else { panic!("{content:?}") };
    screen.focus();
    screen.press(shown.place("walk"));
    shown.want(is!(Event::Walks { walks: true }));
    shown.want(is!(Event::Replanned { repair: false, cells: 34, .. }));
    // A wall across its way.
    let at = |x: f32, y: f32| {
        let middle = (PANEL + 8.0 + width / 2.0, 8.0 + height / 2.0);
        let cell = |part: f32, middle: f32| middle + (part + 0.5 - SIDE as f32 / 2.0) * zoom;
        format!("{:.0} {:.0}", cell(x, middle.0), cell(y, middle.1))
    };
    let (from, to) = (at(30.0, 12.0), at(30.0, 28.0));
    screen.xdotool(&format!("mousemove {from} sleep 0.1 mousedown 1 sleep 0.1 mousemove {to} sleep 0.1 mouseup 1"));
    let (cells, expanded, anew) = want!(shown, Event::Replanned { repair: true, cells, expanded, anew } if *expanded > 0 => (cells, expanded, anew));
    assert!((2..60).contains(&cells) && anew > 0, "{cells} {expanded} {anew}");
    screen.xdotool("key F12");
    let kept = want!(shown, Event::Picture { path } => path);
    let orange = like(&pixels(&folder.path().join(kept)), [230, 159, 0], 12);
    assert!(orange > 80, "{orange} pixels of the agent and its route");
    shown.want(is!(Event::Arrived));
    screen.xdotool("key w");
    shown.want(is!(Event::Walks { walks: false }));
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

/// The cost of the cheapest way over open ground (cells), of any number of searches the plainest: cell by cell, the nearest first.
fn dijkstra(from: [u32; 2], is_open: impl Fn(u32, u32) -> bool) -> Vec<f64> {
    let side = SIDE as usize;
    let mut cost = vec![f64::INFINITY; side * side];
    let mut done = vec![false; side * side];
    cost[from[1] as usize * side + from[0] as usize] = 0.0;
    loop {
        let open = (0..side * side).filter(|&cell| !done[cell] && cost[cell].is_finite());
        let Some(cell) = open.min_by(|&a, &b| cost[a].total_cmp(&cost[b])) else { return cost };
        done[cell] = true;
        let (x, y) = ((cell % side) as i32, (cell / side) as i32);
        let free = |x: i32, y: i32| {
            let inside = (0..SIDE as i32).contains(&x) && (0..SIDE as i32).contains(&y);
            inside && is_open(x as u32, y as u32)
        };
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            if free(x + dx, y + dy) && free(x + dx, y) && free(x, y + dy) {
                let to = (y + dy) as usize * side + (x + dx) as usize;
                cost[to] = cost[to].min(cost[cell] + f64::from(dx * dx + dy * dy).sqrt());
            }
        }
    }
}

#[test]
fn the_cell_under_the_pointer_tells_its_costs_and_a_race_becomes_a_film() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("wall.map");
    let is_open = |x: u32, y: u32| x != 20 || y > 30;
    let rows: String = (0..SIDE)
        .map(|y| (0..SIDE).map(|x| if is_open(x, y) { '.' } else { '@' }).collect::<String>() + "\n")
        .collect();
    std::fs::write(&map, format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n{rows}")).unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--from", "5,20", "--to", "30,20"]);
    command.args(["--planners", "dijkstra,astar,jps"]);
    let mut shown = Shown::start(command);
    let (_, zoom, content) = shown.ready();
    let ContentInfo::Comparison { panes: 3, size: [width, height] } = content else { panic!("{content:?}") };
    screen.focus();
    let at = |pane: u32, x: u32, y: u32| {
        let middle = (PANEL + 8.0 + (width + 8.0) * pane as f32 + width / 2.0, 8.0 + height / 2.0);
        let cell = |part: u32, middle: f32| middle + (part as f32 + 0.5 - SIDE as f32 / 2.0) * zoom;
        format!("mousemove {:.0} {:.0}", cell(x, middle.0), cell(y, middle.1))
    };
    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
    let least = dijkstra([5, 20], is_open);
    for (x, y) in [(5, 20), (12, 9), (19, 33), (24, 30)] {
        screen.xdotool(&at(0, x, y));
        let (cell, g, h, f, order, parent) = want!(shown, Event::CellFacts { pane: 1, cell, g: Some(g), h: Some(h), f: Some(f), order: Some(order), parent, .. }
            if *cell == [x, y] => (cell, g, h, f, order, parent));
        let expected = least[(cell[1] * SIDE + cell[0]) as usize];
        assert!(near(g, expected) && h == 0.0 && near(f, g), "{x}, {y}: {g} {h} {f}, not {expected}");
        assert_eq!((order == 1, parent.is_none()), ((x, y) == (5, 20), (x, y) == (5, 20)));
        let [px, py] = parent.unwrap_or([x, y]);
        assert!(least[(py * SIDE + px) as usize] <= expected && px.abs_diff(x) <= 1 && py.abs_diff(y) <= 1);
    }
    screen.xdotool(&at(1, 19, 24));
    let (g, h, f) =
        want!(shown, Event::CellFacts { pane: 2, cell: [19, 24], g: Some(g), h: Some(h), f: Some(f), .. } => (g, h, f));
    assert!(near(h, 7.0 + 4.0 * 2.0_f64.sqrt()) && near(f, g + h), "{g} {h} {f}");
    screen.xdotool(&at(1, 20, 5));
    shown.want(is!(Event::CellFacts { state, g: None, .. } if state == "wall"));
    // In the middle of the searches too: what was not yet expanded there has no turn.
    screen.xdotool("key Home");
    shown.want(is!(Event::Moment { at: 0, .. }));
    screen.xdotool(&at(0, 24, 30));
    shown.want(is!(Event::CellFacts { pane: 1, state, g: None, order: None, .. } if state == "not seen"));
    screen.xdotool("key F9");
    shown.want(is!(Event::Filming { .. }));
    let film = want!(shown, Event::Film { path } => path);
    let mut decoder = gif::DecodeOptions::new()
        .read_info(std::io::BufReader::new(std::fs::File::open(folder.path().join(film)).unwrap()))
        .unwrap();
    let mut frames = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    assert!((60..=251).contains(&frames), "{frames} pictures");
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn links_crowds_and_terrain_of_a_battle_count_where_they_are_switched_on() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.args(["view", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/links.toml"), "--print-events"]);
    let mut shown = Shown::start(command);
    shown.ready();
    screen.focus();
    screen.xdotool("key F2");
    shown.want(is!(Event::Tab { tab: Tab::Planners }));
    // What Dijkstra's algorithm and JPS have to say.
    let say = |shown: &mut Shown| {
        let mut say = |name: &str| {
            want!(shown, Event::PaneResult { planner, found, reason, .. } if planner == name => {
                assert_eq!(planner, name);
                (found.is_some(), reason.unwrap_or_default())
            })
        };
        let [dijkstra, jps] = ["dijkstra", "jps"].map(&mut say);
        assert!(dijkstra.0, "{dijkstra:?}");
        jps
    };
    assert!(say(&mut shown).1.contains("use links"));
    shown.settle();
    shown.press(&screen, "link-costs");
    shown.want(is!(Event::Costs { terrain: false, links: false, crowds: false }));
    assert!(say(&mut shown).0);
    shown.settle();
    shown.press(&screen, "crowd-costs");
    shown.want(is!(Event::Costs { crowds: true, .. }));
    assert!(say(&mut shown).1.contains("crowded"));
    shown.settle();
    shown.press(&screen, "crowd-costs");
    shown.want(is!(Event::Costs { crowds: false, .. }));
    shown.press(&screen, "terrain-costs");
    shown.want(is!(Event::Costs { terrain: true, .. }));
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn the_panel_adds_panes_and_changes_weights_steps_and_trips() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, map) = plain();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--from", "5,5", "--to", "30,20"]);
    command.args(["--planners", "dijkstra,astar,weighted-astar,ara,bidirectional"]);
    let mut shown = Shown::start(command);
    let (results, _) = Results::of(&mut shown);
    assert!(results.0.len() == 5 && results.0.iter().take(2).all(|(_, length, _)| (length - 31.213).abs() < 0.001));
    shown.want(is!(Event::Ready { .. }));
    screen.focus();

    screen.press(shown.place("steps-four"));
    shown.want(is!(Event::Steps { steps } if steps == "Four"));
    let (results, _) = Results::of(&mut shown);
    assert!(results.0.iter().take(2).all(|(_, length, _)| *length == 40.0), "{:?}", results.0);
    screen.press(shown.place("steps-never"));
    shown.want(is!(Event::Task { .. }));
    screen.press(shown.place("more"));
    shown.want(is!(Event::Panes { count: 6 }));
    let (results, _) = Results::of(&mut shown);
    assert_eq!(results.0.len(), 6);
    screen.press(shown.place("random"));
    shown.want(is!(Event::RandomTrip));
    screen.xdotool("key Tab");
    shown.want(is!(Event::Panel { shown: false }));
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn searches_are_played_stepped_raced_and_taken_from_a_bundle() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, map) = plain();
    let scen = folder.path().join("plain.map.scen");
    let problem = |from: (u32, u32), to: (u32, u32), length: f64| {
        format!("0\tplain.map\t{SIDE}\t{SIDE}\t{}\t{}\t{}\t{}\t{length}\n", from.0, from.1, to.0, to.1)
    };
    let problems =
        [problem((5, 5), (30, 5), 25.0), problem((2, 3), (2, 33), 30.0), problem((1, 1), (39, 39), 53.740_115)];
    std::fs::write(&scen, "version 1\n".to_owned() + &problems.concat()).unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).arg("--scen").arg(&scen).args(["--window", "--print-events"]);
    command.args(["--planners", "dijkstra,astar,ara,pathfinding-astar,hpa:8,1"]);
    let mut shown = Shown::start(command);
    let (results, trip) = Results::of(&mut shown);
    assert_eq!((trip, results.length(1)), (vec![5, 5, 30, 5], 25.0));
    shown.want(is!(Event::Ready { .. }));
    screen.focus();

    // Through the bundle, by key and by button, and round its end.
    screen.xdotool("key n");
    shown.want(is!(Event::Problem { number: 2, count: 3 }));
    assert_eq!(Results::of(&mut shown).1, [2, 3, 2, 33]);
    screen.press(shown.place("problem-next"));
    shown.want(is!(Event::Problem { number: 3, count: 3 }));
    let (results, _) = Results::of(&mut shown);
    let last = results.0.iter().map(|(.., expanded)| *expanded).max().unwrap();
    shown.want(is!(Event::Optimum { length: Some(length) } if (length - 53.740).abs() < 0.001));

    // To the start, three steps on, one back: as many cells are seen as before.
    screen.xdotool("key Home");
    let seen_at = |shown: &mut Shown, wanted: u64| {
        let event = shown.want(is!(Event::Moment { at, .. } if *at == wanted));
        let Event::Moment { last: of, seen, .. } = event else { unreachable!() };
        assert_eq!(of, last);
        seen
    };
    let mut seen = vec![seen_at(&mut shown, 0)];
    for (key, at) in [("period", 1), ("Right", 2), ("period", 3)] {
        screen.xdotool(&format!("key {key}"));
        seen.push(seen_at(&mut shown, at));
    }
    assert!(seen[3] != seen[2] && seen[2] != seen[1], "{seen:?}");
    screen.press(shown.place("back"));
    assert_eq!(seen_at(&mut shown, 2), seen[2]);
    // A planner that cannot be stopped shows nothing on the way.
    assert_eq!(seen[2][3], Some(0), "{:?}", seen[2]);

    // It plays, slower, and stops where it is told; and goes to the end.
    screen.press(shown.place("slower"));
    let speed: f64 = shown.speed().parse().unwrap();
    screen.press(shown.place("play"));
    shown.want(is!(Event::Playback { playing: true, at: 2, .. }));
    screen.xdotool("sleep 0.7 key space");
    let stopped = want!(shown, Event::Playback { playing: false, at, .. } => at);
    assert!(stopped > 2 && speed >= 20.0, "{stopped} at {speed}");
    screen.xdotool("key End");
    assert_eq!(seen_at(&mut shown, last), [None; 5]);

    // A pane is closed, and the others stay.
    screen.press(shown.place("close-4"));
    shown.want(is!(Event::Panes { count: 4 }));
    assert_eq!(Results::of(&mut shown).0.0.len(), 4);
    shown.settle();
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn walls_without_a_way_and_tiny_maps_are_no_trouble() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, _) = plain();
    let map = folder.path().join("tiny.map");
    std::fs::write(&map, "type octile\nheight 1\nwidth 3\nmap\n.@.\n").unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--from", "0,0", "--to", "2,0"]);
    command.args(["--planners", "astar"]);
    let mut shown = Shown::start(command);
    let reason = want!(shown, Event::PaneResult { reason, .. } => reason);
    assert_eq!(reason.as_deref(), Some("no route: the goal is in another part of the map"));
    shown.want(is!(Event::Ready { .. }));
    screen.focus();
    // The wall is in the middle of the only pane.
    screen.xdotool("mousemove 772 320 sleep 0.1 click 1");
    assert_eq!(want!(shown, Event::PaneResult { found, .. } => found), Some((2.0, 2)));
    screen.xdotool("key ctrl+q");
    shown.ends_well();
}

#[test]
fn a_map_without_an_open_cell_says_what_to_do() {
    let Some(screen) = Screen::start() else { return };
    let (folder, _) = plain();
    let map = folder.path().join("rock.map");
    std::fs::write(&map, "type octile\nheight 2\nwidth 2\nmap\n@@\n@@\n").unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("compare").arg(&map).args(["--window", "--print-events", "--frames", "5"]);
    let mut shown = Shown::start(command);
    let reason = want!(shown, Event::PaneResult { reason, .. } => reason);
    assert_eq!(reason.as_deref(), Some("no open cell: erase walls, then press R"));
    shown.ends_well();
}

#[test]
fn without_a_display_it_says_why_and_writes_the_table() {
    let (folder, map) = plain();
    let mut command = throng(None, folder.path());
    command.arg("compare").arg(&map).args(["--window", "--planners", "astar", "--seed", "3"]);
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert!(status.success() && text.lines().count() == 1, "{status}: {text}");
    assert!(String::from_utf8(stdout).unwrap().contains("\nastar "));
    assert!(text.starts_with("no window: there is no display"), "{text}");
    assert!(
        text.ends_with(&format!("apt install {PACKAGES}; comparing without a window, as without --window\n")),
        "{text}"
    );
}
