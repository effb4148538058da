//! Areas that are drawn in the window, and what it measures there, against what `throng run --measure` measures.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, throng, want};
use crate::time_window::duel;
use std::collections::BTreeMap;
use throng::viewer::{Event, Page, Tool};

/// A table's numbers by its columns' names, a map for each tick; an empty field is no number.
fn by_tick(text: &str) -> BTreeMap<u64, BTreeMap<String, f64>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let rows = lines.map(|line| {
        let fields = names.iter().cloned().zip(line.split(','));
        let row: BTreeMap<_, _> = fields.filter_map(|(name, field)| Some((name, field.parse().ok()?))).collect();
        (row["tick"] as u64, row)
    });
    rows.collect()
}

#[test]
fn areas_drawn_with_the_mouse_measure_what_a_run_without_a_window_measures() {
    let Some(screen) = Screen::with_mouse() else { return };
    let (folder, file) = duel();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(&file).arg("--print-events");
    let mut shown = Shown::start(command);
    shown.ready();
    screen.focus();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    screen.xdotool("key Home");
    while shown.tick() != 0 {}
    screen.xdotool("key F3");
    shown.want(is!(Event::Page { page: Page::Laboratory }));
    // Two areas, the second from its lower right corner.
    let mut areas = Vec::new();
    shown.press(&screen, "tool-measure");
    for (from, to) in [("600 300", "790 460"), ("900 470", "800 310")] {
        screen.xdotool(&format!(
            "mousemove {from} sleep 0.15 mousedown 1 sleep 0.15 mousemove {to} sleep 0.15 mouseup 1"
        ));
        areas.push(want!(shown, Event::Measures { centre, size, .. } => (centre, size)));
    }
    shown.press(&screen, "tool-measure");
    shown.want(is!(Event::Tool { tool: Tool::Select }));
    assert!(areas.iter().all(|(_, size)| size.iter().all(|&side| side > 1.0)), "{areas:?}");
    // Until the armies have met in the areas.
    let met = |table: &BTreeMap<u64, BTreeMap<String, f64>>, area| {
        let agents = table.values().filter_map(|row| row.get(&format!("area{area}_agents")));
        agents.fold(0.0, |most: f64, &agents| most.max(agents)) >= 5.0
    };
    let mut seen = BTreeMap::new();
    for _ in 0..100 {
        for paused in [false, true] {
            screen.xdotool("key space sleep 1");
            shown.want(is!(Event::Paused { paused: now } if *now == paused));
        }
        shown.press(&screen, "save-curves");
        let files = want!(shown, Event::Saved { files, .. } => files);
        seen = by_tick(&std::fs::read_to_string(folder.path().join(&files[0])).unwrap());
        if seen.len() >= 40 && met(&seen, 1) && met(&seen, 2) {
            break;
        }
    }

    // One that is taken away is in no table any more, and the other keeps its number.
    shown.press(&screen, "unmeasure-1");
    shown.want(is!(Event::Unmeasured { number: 1 }));
    shown.settle();
    shown.press(&screen, "save-curves");
    let files = want!(shown, Event::Saved { files, .. } => files);
    let text = std::fs::read_to_string(folder.path().join(&files[0])).unwrap();
    assert!(text.starts_with("tick,time_s,area2_agents,"), "{text}");
    screen.xdotool("key ctrl+q");
    shown.ends_well();

    let last = *seen.keys().next_back().unwrap();
    let mut run = throng(None, folder.path());
    run.arg("run").arg(&file).args(["--ticks", &last.to_string(), "--every", "1", "--statistics", "run.csv"]);
    for ([x, y], [width, height]) in &areas {
        run.arg("--measure").arg(format!("{x},{y},{width},{height}"));
    }
    let output = run.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let run = by_tick(&std::fs::read_to_string(folder.path().join("run.csv")).unwrap());

    assert!(seen.len() >= 40, "{} ticks", seen.len());
    let mut most = [0.0_f64; 2];
    for (tick, of) in &seen {
        for number in 1..=2 {
            for (what, tolerance) in [("agents", 0.0), ("density_m2", 1e-4), ("speed_m_s", 1e-3), ("passed", 0.0)] {
                let name = format!("area{number}_{what}");
                let [here, there] = [of.get(&name), run[tick].get(&name)];
                // The window has measured nothing before the areas were drawn: no speed at tick 0.
                if what == "speed_m_s" && (*tick == 0 || here.is_none() && of[&format!("area{number}_agents")] == 0.0) {
                    continue;
                }
                let (here, there) = (*here.unwrap(), *there.unwrap());
                assert!((here - there).abs() <= tolerance, "{name} at tick {tick}: {here}, {there} without a window");
                if what == "agents" {
                    most[number - 1] = most[number - 1].max(here);
                }
            }
        }
    }
    assert!(most.iter().all(|&most| most >= 5.0), "nobody was there: {most:?}");
}
