//! The ground is painted by the card or, where the driver is software, by the processor: it looks the same. Skipped, with a word,
//! where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, like, pixels, throng, want};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use throng::geom::{Vec2, Vec3};
use throng::grid::{Cell, Grid, Lattice, WATER};
use throng::record::{About, Recorder, Sink};
use throng::viewer::{Event, Theme};
use throng::world::{ArmyCount, ArmyId, Flight, Frame};

/// A map of all there is: thin walls, thick ones, water, terrain, a hill.
fn country(width: u32, height: u32) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    let lattice = grid.lattice();
    let cells: Vec<Cell> = lattice.cells().collect();
    for cell in cells {
        let (x, y) = lattice.column_row(cell);
        let (u, v) = (x * 100 / width, y * 100 / height);
        let is_wall = x % (width / 6) == 3 && y % (height / 4) > 5 || u > 80 && v > 60;
        let is_water = (40..55).contains(&u) && (20..50).contains(&v);
        grid.set_open(cell, !is_wall && !is_water);
        if is_water {
            grid.set_terrain(cell, WATER);
        } else if u < 30 && v > 50 {
            grid.set_terrain(cell, 1);
        }
        let from_top = f64::from(u.abs_diff(70)).hypot(f64::from(v.abs_diff(25)));
        grid.set_height(cell, (2000.0 - 100.0 * from_top).max(0.0) as u16);
    }
    grid
}

/// The window with a file in it after some frames, and its zoom.
fn window(screen: &Screen, folder: &Path, painter: &str, what: [&str; 2]) -> (Vec<[u8; 4]>, f32) {
    let mut command = throng(Some(&screen.name), folder);
    command.env("THRONG_PAINTER", painter);
    command.args(what).args(["--print-events", "--frames", "16", "--screenshot", "picture.png"]);
    let mut shown = Shown::start(command);
    let (_, zoom, _) = shown.ready();
    shown.ends_well();
    (pixels(&folder.join("picture.png")), zoom)
}

/// The window's picture of a map between the panels.
fn picture(screen: &Screen, folder: &Path, painter: &str) -> Vec<[u8; 4]> {
    let (all, _) = window(screen, folder, painter, ["view", "camp.toml"]);
    let rows = all.chunks_exact(1280).take(540);
    rows.flat_map(|row| row[280..1080].iter().copied()).collect()
}

#[test]
fn card_and_processor_paint_the_same_ground() {
    let Some(screen) = Screen::start() else { return };
    // Seen from near, where a cell is some pixels, and from afar, where a pixel is some cells.
    for (width, height) in [(60, 40), (1500, 900)] {
        let folder = tempfile::tempdir().unwrap();
        country(width, height).save_ascii(folder.path().join("camp.txt")).unwrap();
        let army = "squad = [{ count = 4, position = [8, 8], order = \"hold\" }]";
        let scenario = format!(
            "map = \"camp.txt\"\nmax_ticks = 1000000\n[[army]]\nname = \"red\"\n{army}\n[[army]]\nname = \"blue\"\n{}\n",
            army.replace("[8, 8]", "[40, 30]")
        );
        fs::write(folder.path().join("camp.toml"), scenario).unwrap();
        let [card, processor] = ["card", "processor"].map(|painter| picture(&screen, folder.path(), painter));
        let gaps: Vec<u8> = card
            .iter()
            .zip(&processor)
            .map(|(a, b)| (0..3).map(|part| a[part].abs_diff(b[part])).max().unwrap())
            .collect();
        let mean = gaps.iter().map(|&gap| f64::from(gap)).sum::<f64>() / gaps.len() as f64;
        let far = gaps.iter().filter(|&&gap| gap > 16).count();
        assert!(mean < 1.0 && far * 500 < gaps.len(), "{width} cells: {mean:.2} apart, {far} pixels by more than 16");
        // There is something on it.
        let dark = card.iter().filter(|pixel| pixel[..3].iter().all(|&part| part < 130)).count();
        let blue = card.iter().filter(|pixel| pixel[2] > pixel[0].saturating_add(10)).count();
        assert!(dark > 10_000 && blue > 10_000, "{dark} dark and {blue} blue pixels");
    }
}

/// A recording without movement: people in a block, and shots in the air beside them.
fn volley(path: &Path, people: u32, shots: &[Flight]) {
    let grid = Arc::new(Grid::open_plain(Lattice::new(96, 64, 1.0).unwrap()));
    let mut sink = Box::new(Recorder::create(path, &About { title: "volley".into(), ..About::default() }).unwrap());
    let place = |id: u32| Vec2::new(5.0 + (id % 150) as f32 * 0.36, 5.0 + (id / 150) as f32 * 0.36);
    for tick in 0..3 {
        sink.frame(&Frame {
            tick,
            grid: Some(grid.clone()),
            id: (0..people).collect(),
            position: (0..people).map(place).collect(),
            heading: vec![Vec2::X; people as usize],
            radius: vec![0.15; people as usize],
            army: vec![ArmyId(0); people as usize],
            health: vec![1.0; people as usize],
            armies: vec![ArmyCount { name: "archers".into(), alive: people, ..ArmyCount::default() }],
            shots: shots.to_vec(),
            ..Frame::default()
        })
        .unwrap();
    }
    sink.finish().unwrap();
}

#[test]
fn shots_have_a_stroke_in_the_air_and_a_shadow_below_and_crowds_cover_the_same_ground() {
    let Some(screen) = Screen::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |i: u32| Vec3::new(66.0 + (i % 5) as f32 * 5.0, 14.0 + (i / 5) as f32 * 9.0, 3.0 + (i % 3) as f32 * 2.0);
    let shots: Vec<Flight> =
        (0..25).map(|i| Flight { at: at(i), velocity: Vec3::new(30.0, 6.0, 1.0), army: ArmyId(0) }).collect();
    let mut covered = Vec::new();
    for (people, painter) in [(300, "card"), (22_000, "card"), (22_000, "processor")] {
        volley(&folder.path().join("volley.throng"), people, &shots);
        let (pixels, zoom) = window(&screen, folder.path(), painter, ["replay", "volley.throng"]);
        let brightness = |[x, y]: [i32; 2]| -> u32 {
            pixels[(y * 1280 + x) as usize][..3].iter().map(|&part| u32::from(part)).sum()
        };
        // The map fits beside the panels.
        let pixel = |point: Vec2| {
            let at = (point - Vec2::new(48.0, 32.0)) * zoom + Vec2::new(640.0 + 132.0, 360.0 - 17.0);
            at.to_array().map(|part| part as i32)
        };
        let darkest = |point: Vec2| {
            let [x, y] = pixel(point);
            (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| [x + dx, y + dy])).map(brightness).min().unwrap()
        };
        for shot in &shots {
            // As if seen from the side a little: half its height further up; 1.4 m long, up to where it is.
            let below = shot.at.truncate();
            let middle = below - shot.velocity.truncate().normalize() * 0.7 - Vec2::new(0.0, 0.5 * shot.at.z);
            let (stroke, shadow) = (darkest(middle), darkest(below));
            let ground = darkest(below + Vec2::new(0.0, 2.0));
            let what = format!("{people} by {painter}: stroke {stroke}, shadow {shadow}, ground {ground}");
            assert!(stroke + 150 < ground && shadow + 25 < ground && stroke < shadow, "{what}");
        }
        // A stroke is no block: there is little that is dark around each.
        let below: Vec<Vec2> = shots.iter().map(|shot| shot.at.truncate()).collect();
        let ground = brightness(pixel(below[0] + Vec2::new(0.0, 2.0)));
        let around = below.iter().flat_map(|&at| {
            let [x, y] = pixel(at - Vec2::new(0.7, 2.5));
            (-12..=12).flat_map(move |dy| (-12..=12).map(move |dx| [x + dx, y + dy]))
        });
        let dark = around.filter(|&at| brightness(at) + 150 < ground).count();
        assert!(dark < 70 * shots.len(), "{people} by {painter}: {dark} dark pixels");
        covered.push(like(&pixels, [213, 94, 0], 40));
    }
    let [few, card, processor] = covered[..] else { panic!() };
    assert!(few > 1_500 && card > 20 * few / 3, "{covered:?}");
    // Squares have no rims of another colour.
    assert!(processor > card && processor < 3 * card, "{covered:?}");
}

#[test]
fn a_landscape_that_cannot_be_painted_costs_only_itself_and_is_told() {
    let Some(screen) = Screen::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    country(60, 40).save_ascii(folder.path().join("camp.txt")).unwrap();
    let army = |name, x| format!("[[army]]\nname = \"{name}\"\n[[army.squad]]\ncount = 9\nposition = [{x}, 30]\n");
    let text = format!("map = \"camp.txt\"\n{}{}", army("red", 8), army("blue", 30));
    fs::write(folder.path().join("camp.toml"), text).unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.env("THRONG_PAINTER", "none");
    command.args(["view", "camp.toml", "--print-events", "--theme", "battle"]);
    let mut shown = Shown::start(command);
    let told = want!(shown, Event::Failed { reason } => reason);
    assert!(
        told.starts_with("the landscape could not be painted: ") && told.ends_with("it was told to fail"),
        "{told}"
    );
    shown.want(is!(Event::Theme { theme: Theme::Plan }));
    // The battle goes on, as a plan; the other look is not to be had.
    screen.focus();
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    // It stands now: each tick is one that was asked for, or that came before.
    screen.xdotool("key period");
    let tick = shown.tick();
    screen.xdotool("key period");
    assert!(shown.tick() > tick);
    screen.xdotool("key l");
    shown.want(is!(Event::Notice { text } if text == "the look of a battle could not be painted"));
    screen.xdotool("key ctrl+q");
    shown.want(is!(Event::End { .. }));
    assert_eq!(shown.code(), Some(1));
}
