//! The look of a battle in the window: a landscape with soldiers, seen at a slant. Skipped, with a word, where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, like, picture_of, pixels, throng, want};
use std::fs;
use std::sync::Arc;
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::record::{About, Recorder, Sink};
use throng::viewer::{Event, Theme};
use throng::world::{ArmyCount, ArmyId, Frame, SquadId};

/// A wall across a field, and two squads that hold.
fn camp(folder: &std::path::Path) {
    let mut grid = Grid::open_plain(Lattice::new(96, 64, 1.0).unwrap());
    for x in 30..66 {
        for y in 30..33 {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    grid.save_ascii(folder.join("camp.txt")).unwrap();
    let squad = |at| format!("squad = [{{ count = 20, position = {at}, order = \"hold\" }}]");
    let scenario = format!(
        "map = \"camp.txt\"\nmax_ticks = 1000000\n[[army]]\nname = \"red\"\n{}\n[[army]]\nname = \"blue\"\n{}\n",
        squad("[16, 16]"),
        squad("[70, 50]")
    );
    fs::write(folder.join("camp.toml"), scenario).unwrap();
}

/// How far the pictures of two places are apart: the mean over pixels and channels.
fn apart(one: &[[u8; 4]], other: &[[u8; 4]]) -> f64 {
    let sum: u64 =
        one.iter().zip(other).flat_map(|(a, b)| (0..3).map(|part| u64::from(a[part].abs_diff(b[part])))).sum();
    sum as f64 / (3.0 * one.len() as f64)
}

#[test]
fn the_window_looks_like_the_film_of_the_same_place() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    camp(folder.path());
    let runs = |arguments: &[&str]| {
        let done = throng(None, folder.path()).args(arguments).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    runs(&["run", "camp.toml", "--ticks", "3", "--record", "camp.throng", "--quiet"]);
    let mut film = None;
    for painter in ["card", "processor"] {
        let picture = folder.path().join(format!("{painter}.png"));
        let mut command = throng(Some(&screen.name), folder.path());
        command.env("THRONG_PAINTER", painter).env_remove("THRONG_THEME");
        command.args(["replay", "camp.throng", "--theme", "battle", "--print-events", "--screenshot"]);
        command.arg(&picture);
        let mut shown = Shown::start(command);
        shown.ready();
        screen.focus();
        screen.xdotool("key f");
        let (zoom, [low, high]) = want!(shown, Event::Fit { zoom, view } => (zoom, view));
        shown.want(is!(Event::Still));
        screen.xdotool("key ctrl+q");
        shown.ends_well();
        let film = film.get_or_insert_with(|| {
            let ([x, y], [width, height]) =
                ([0, 1].map(|i| f32::midpoint(low[i], high[i])), [0, 1].map(|i| high[i] - low[i]));
            let (size, camera) = (format!("{:.0}", width * zoom), format!("{x},{y},{width},{height}"));
            runs(&[
                "replay",
                "camp.throng",
                "--to",
                "png",
                "--out",
                "film.png",
                "--size",
                &size,
                "--camera",
                &camera,
                "--no-legend",
                "--quiet",
            ]);
            picture_of(&folder.path().join("film.png"))
        });
        // What is on the map beside the panels, above the words and the small map.
        let part = |pixels: &[[u8; 4]], width: usize, left: usize| -> Vec<[u8; 4]> {
            let places = (10..430).flat_map(|row| (10..990).map(move |column| (column, row)));
            let on_map = places.filter(|&(column, row)| {
                let (x, y) = (low[0] + column as f32 / zoom, low[1] + row as f32 / (0.8 * zoom));
                (2.0..94.0).contains(&x) && (4.0..62.0).contains(&y)
            });
            on_map.map(|(column, row)| pixels[row * width + left + column]).collect()
        };
        let whole = pixels(&picture);
        // The panels have their colour whoever paints.
        assert_eq!(
            [whole[660 * 1280 + 250], whole[715 * 1280 + 700]].map(|pixel| pixel[..3].to_vec()),
            [[24, 27, 33]; 2]
        );
        let window = part(&whole, 1280, 264);
        let (film, width) = &*film;
        let gap = apart(&window, &part(film, *width, 0));
        assert!(window.len() > 200_000, "{} pixels", window.len());
        assert!(gap < 5.0, "{painter}: {gap:.1} apart");
    }
}

#[test]
fn a_wall_that_breaks_burns_and_smokes_as_in_the_film() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    camp(folder.path());
    let grid = Arc::new(Grid::load(folder.path().join("camp.txt")).unwrap());
    let walls: Vec<_> = grid.lattice().cells().filter(|&cell| !grid.is_open(cell)).collect();
    let mut counts = Vec::new();
    for share in [1.0, 0.25] {
        let path = folder.path().join("wall.throng");
        let mut sink = Box::new(Recorder::create(&path, &About { title: "wall".into(), ..About::default() }).unwrap());
        for tick in 0..3 {
            sink.frame(&Frame {
                tick,
                time: tick as f64 * 0.1,
                grid: Some(grid.clone()),
                id: vec![0],
                position: vec![Vec2::new(48.0, 40.0)],
                heading: vec![Vec2::X],
                radius: vec![0.3],
                army: vec![ArmyId(0)],
                health: vec![1.0],
                armies: vec![ArmyCount { name: "red".into(), alive: 1, ..ArmyCount::default() }],
                ramparts: walls.iter().map(|&cell| (cell, share)).collect(),
                ..Frame::default()
            })
            .unwrap();
        }
        sink.finish().unwrap();
        for painter in ["card", "processor"] {
            let picture = folder.path().join(format!("{painter}.png"));
            let mut command = throng(Some(&screen.name), folder.path());
            command.env("THRONG_PAINTER", painter).env_remove("THRONG_THEME");
            command.args(["replay", "wall.throng", "--print-events", "--screenshot"]).arg(&picture);
            let mut shown = Shown::start(command);
            shown.ready();
            screen.focus();
            shown.want(is!(Event::Still));
            screen.xdotool("key ctrl+q");
            shown.ends_well();
            let all = pixels(&picture);
            let field: Vec<[u8; 4]> =
                all.chunks_exact(1280).take(480).flat_map(|row| row[280..1080].to_vec()).collect();
            let flames = count(&field, |[r, g, b, _]| r > 190 && b < 90 && r > g.saturating_add(48));
            counts.push((painter, share, flames));
        }
    }
    let [whole_card, whole_processor, card, processor] = counts[..] else { unreachable!() };
    assert!(whole_card.2 < 40 && whole_processor.2 < 40, "{counts:?}");
    assert!(card.2 > 100 && processor.2 > 100, "{counts:?}");
}

/// How many pixels are about of a colour.
fn count(pixels: &[[u8; 4]], is: impl Fn([u8; 4]) -> bool) -> usize {
    pixels.iter().filter(|&&pixel| is(pixel)).count()
}

#[test]
fn a_battle_is_a_landscape_whoever_paints_it_and_a_plan_at_a_key() {
    let Some(screen) = Screen::with_mouse() else { return };
    for painter in ["card", "processor"] {
        let folder = tempfile::tempdir().unwrap();
        camp(folder.path());
        let picture = folder.path().join("picture.png");
        let mut command = throng(Some(&screen.name), folder.path());
        command.env("THRONG_PAINTER", painter).env_remove("THRONG_THEME");
        command.args(["view", "camp.toml", "--print-events", "--screenshot"]).arg(&picture);
        let mut shown = Shown::start(command);
        let (_, zoom, _) = shown.ready();
        screen.focus();
        screen.xdotool("key space");
        shown.want(is!(Event::Paused { paused: true }));
        // The land and the soldiers are there once nothing changes any more.
        shown.want(is!(Event::Still));
        // The middle of the map is in the middle of what the panels leave free; ways to the south are shorter.
        let at = |x: f32, y: f32| [(x - 48.0) * zoom + 640.0 + 132.0, (y - 32.0) * 0.8 * zoom + 360.0 - 17.0];
        screen.press(at(16.0, 15.0));
        let squads = want!(shown, Event::Selected { squads, .. } => squads);
        assert_eq!(squads, [SquadId(0)], "{painter}");
        screen.xdotool("key Escape");
        shown.want(is!(Event::Selected { .. }));
        // A box around the others.
        let ([x, y], [u, v]) = (at(60.0, 40.0), at(77.0, 56.0));
        screen.xdotool(&format!(
            "mousemove {x:.0} {y:.0} sleep 0.15 mousedown 1 sleep 0.15 mousemove {u:.0} {v:.0} sleep 0.15 mouseup 1"
        ));
        let squads = want!(shown, Event::Selected { squads, .. } => squads);
        assert_eq!(squads, [SquadId(1)], "{painter}");
        screen.xdotool("key Escape");
        shown.want(is!(Event::Selected { .. }));
        screen.xdotool("key l");
        let theme = want!(shown, Event::Theme { theme } => theme);
        assert_eq!(theme, Theme::Plan);
        screen.xdotool("key l");
        shown.want(is!(Event::Theme { theme: Theme::Battle }));
        shown.want(is!(Event::Still));
        // A wall that is painted on the grass is built there.
        screen.xdotool("key e");
        shown.want(is!(Event::Tool { .. }));
        let ([x, y], [u, v]) = (at(10.0, 45.0), at(34.0, 45.0));
        screen.xdotool(&format!(
            "mousemove {x:.0} {y:.0} sleep 0.15 mousedown 1 sleep 0.15 mousemove {u:.0} {v:.0} sleep 0.15 mouseup 1"
        ));
        shown.want(is!(Event::EditShown { .. }));
        shown.want(is!(Event::Still));
        screen.xdotool("key ctrl+q");
        shown.ends_well();
        let all = pixels(&picture);
        let field: Vec<[u8; 4]> = all.chunks_exact(1280).take(540).flat_map(|row| row[280..1080].to_vec()).collect();
        // Its tops are seen north of its foot.
        let painted: Vec<[u8; 4]> = (20..30)
            .flat_map(|cell| {
                let [x, y] = at(cell as f32, 43.5).map(|part| part as usize);
                all[y * 1280 + x..y * 1280 + x + 4].to_vec()
            })
            .collect();
        let green = count(&painted, |[r, g, b, _]| g > r && g > b.saturating_add(15));
        assert!(green < painted.len() / 3, "{painter}: {green} of {} are grass", painted.len());
        let grass = count(&field, |[r, g, b, _]| g >= r && g > b.saturating_add(15));
        let stone = count(&field, |[r, g, b, _]| r > 120 && r.abs_diff(g) < 30 && r > b && b > 70);
        let red = count(&field, |[r, g, b, _]| r > 150 && g < 110 && b < 90);
        let blue = count(&field, |[r, g, b, _]| b > 140 && r < 90 && g < 150);
        assert!(grass > 150_000 && stone > 2_000, "{painter}: {grass} of grass, {stone} of stone");
        assert!(red > 150 && blue > 150, "{painter}: {red} and {blue} of the armies");
    }
}

#[test]
fn open_links_are_lines() {
    let Some(screen) = Screen::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    camp(folder.path());
    let camp = fs::read_to_string(folder.path().join("camp.toml")).unwrap();
    let light = |name: &str, more: &str| {
        fs::write(folder.path().join(name).with_extension("toml"), camp.clone() + more).unwrap();
        let picture = folder.path().join(name).with_extension("png");
        let mut command = throng(Some(&screen.name), folder.path());
        command
            .args(["view", &format!("{name}.toml"), "--print-events", "--frames", "12", "--screenshot"])
            .arg(&picture);
        Shown::start(command).ends_well();
        like(&pixels(&picture), [238, 234, 224], 8)
    };
    let link = "[[link]]\nfrom = [40.5, 20.5]\nto = [60.5, 44.5]\n";
    let (none, shut, open) = (light("none", ""), light("shut", &format!("{link}open = false\n")), light("open", link));
    assert!(open > none + 100 && shut.abs_diff(none) < 20, "{none} without, {shut} shut, {open} open");
}
