//! Films and pictures in the theme of battles: equal for any number of threads, and what they promise to show.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_record::{Film, Framing, MeasurementArea, Overlays, RenderOptions, Sink, Still, Theme, palette};
use throng_sim::battle::Look;
use throng_sim::world::{ArmyCount, ArmyId, Frame, SquadId, UnitId};

/// Two lines of twenty that walk towards each other; one in four falls on the way, and a wall opens.
fn run(ticks: u64) -> Vec<Frame> {
    let mut grid = Grid::open_plain(Lattice::new(96, 64, 1.0).unwrap());
    for y in 20..40 {
        grid.set_open(grid.lattice().cell(48, y), false);
    }
    let mut grids = vec![Arc::new(grid.clone())];
    grid.edit(&[30, 31].map(|y| Edit::Open(grid.lattice().cell(48, y))), &mut Vec::new());
    grids.push(Arc::new(grid));
    let at = |id: u32, tick: u64| {
        let (army, rank) = (id / 20, (id % 20) as f32);
        let x = if army == 0 { 20.0 + 0.1 * tick as f32 } else { 70.0 - 0.1 * tick as f32 };
        Vec2::new(x, 24.0 + 0.4 * rank)
    };
    let falls = |id: u32| (id % 4 == 3).then_some(u64::from(id) + 30);
    (0..=ticks)
        .map(|tick| {
            let id: Vec<u32> = (0..40).filter(|&id| falls(id).is_none_or(|at| at > tick)).collect();
            let count = id.len();
            Frame {
                tick,
                time: tick as f64 * 0.05,
                grid: Some(grids[usize::from(tick > 60)].clone()),
                position: id.iter().map(|&id| at(id, tick)).collect(),
                heading: id.iter().map(|&id| if id < 20 { Vec2::X } else { -Vec2::X }).collect(),
                radius: vec![0.3; count],
                army: id.iter().map(|&id| ArmyId((id / 20) as u8)).collect(),
                unit: id.iter().map(|&id| UnitId((id % 3) as u16)).collect(),
                squad: id.iter().map(|&id| Some(SquadId(id / 20))).collect(),
                health: vec![1.0; count],
                armies: vec![ArmyCount { name: "red".into(), alive: 20, ..ArmyCount::default() }; 2],
                looks: vec![Look::Swordsman, Look::Archer, Look::Rider],
                enlisted: vec![20, 20],
                enemies: vec![0b10, 0b01],
                fallen: (0..40).filter(|&id| falls(id) == Some(tick)).map(|id| at(id, tick)).collect(),
                id,
                ..Frame::default()
            }
        })
        .collect()
}

fn options(longest: u32) -> RenderOptions {
    RenderOptions { theme: Theme::Battle, ..RenderOptions::new(longest) }
}

fn show(mut sink: impl Sink + 'static, frames: &[Frame]) -> Vec<u8> {
    for frame in frames {
        sink.frame(frame).unwrap();
    }
    std::fs::read(Box::new(sink).finish().unwrap()).unwrap()
}

fn film(path: &Path, options: RenderOptions, frames: &[Frame]) -> Film {
    Film::with_options(path, frames[0].grid.as_ref().unwrap(), options)
}

/// Width, height and colours of a PNG in true colour.
fn decoded(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let (width, height) = reader.info().size();
    (width, height, pixels.as_chunks().0.to_vec())
}

/// Width, height and number of frames of a GIF.
fn measured(bytes: &[u8]) -> (u16, u16, usize) {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
    let mut frames = 0;
    while decoder.next_frame_info().unwrap().is_some() {
        frames += 1;
    }
    (decoder.width(), decoder.height(), frames)
}

#[test]
fn a_film_is_the_same_for_any_number_of_threads_and_camera() {
    let folder = tempfile::tempdir().unwrap();
    let frames = run(130);
    let path = folder.path().join("a.gif");
    let area = Framing::Area(MeasurementArea::wide(Vec2::new(45.0, 30.0), 50.0));
    for framing in [Framing::Armies, Framing::Map, area, Framing::Fighting] {
        let options = RenderOptions { framing, ..options(240) };
        for whole in [false, true] {
            let with_threads = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let film = film(&path, options, &frames);
                    show(if whole { film.whole() } else { film }, &frames)
                })
            };
            let bytes = with_threads(1);
            assert!(bytes == with_threads(3), "{framing:?} {whole}");
            let (width, _, count) = measured(&bytes);
            assert_eq!((width, count), (240, if whole { 131 } else { 67 }), "{framing:?}");
        }
    }
}

#[test]
fn a_run_of_one_state_and_of_none_is_a_film() {
    let folder = tempfile::tempdir().unwrap();
    let frames = run(0);
    for count in [0, 1] {
        for name in ["a.gif", "a.apng", "a.png"] {
            let path = folder.path().join(name);
            let bytes = if name == "a.png" {
                let still = Still::with_options(&path, frames[0].grid.as_ref().unwrap(), options(200));
                show(still, &frames[..count])
            } else {
                show(film(&path, options(200), &frames), &frames[..count])
            };
            assert!(bytes.len() > 1000, "{name}");
        }
    }
}

#[test]
fn both_armies_the_fallen_and_the_caption_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let frames = run(130);
    let path = folder.path().join("a.png");
    let (width, height, pixels) =
        decoded(&show(Still::with_options(&path, frames[0].grid.as_ref().unwrap(), options(600)), &frames));
    assert!(width == 600 && (300..700).contains(&height), "{width} x {height}");
    let count = |is: &dyn Fn(i32, i32, i32) -> bool| {
        pixels.iter().filter(|pixel| is(i32::from(pixel[0]), i32::from(pixel[1]), i32::from(pixel[2]))).count()
    };
    let [vermilion, blue] = [count(&|r, g, b| r > g + 90 && r > b + 90), count(&|r, g, b| b > r + 90 && b > g + 60)];
    assert!(vermilion > 200 && blue > 200, "{vermilion} {blue}");
    // The bar of the caption, and text on it.
    let bar = pixels.chunks(600).rev().take_while(|row| row[..4] == [row[0]; 4]).count();
    assert!(bar >= 15, "{bar}");
    let bare = RenderOptions { legend: false, ..options(600) };
    let (_, lower, _) = decoded(&show(Still::with_options(&path, frames[0].grid.as_ref().unwrap(), bare), &frames));
    assert!(lower < height);
    // An army has the colour that it was given.
    let green = [Some([20, 200, 60]), None];
    let given: Vec<Frame> = frames.iter().map(|frame| Frame { colours: green.to_vec(), ..frame.clone() }).collect();
    let (_, _, pixels) = decoded(&show(Still::with_options(&path, frames[0].grid.as_ref().unwrap(), bare), &given));
    let greens = pixels.iter().filter(|[r, g, b]| g > &r.saturating_add(70) && g > &b.saturating_add(50)).count();
    assert!(greens > 400, "{greens}");
}

#[test]
fn overlays_are_drawn_over_a_battle() {
    let folder = tempfile::tempdir().unwrap();
    let frames = run(130);
    let path = folder.path().join("a.png");
    let picture = |overlays| {
        let options = RenderOptions { overlays, legend: false, ..options(500) };
        decoded(&show(Still::with_options(&path, frames[0].grid.as_ref().unwrap(), options), &frames)).2
    };
    let plain = picture(Overlays::default());
    for overlays in
        [Overlays { density: true, ..Overlays::default() }, Overlays { strength: true, ..Overlays::default() }]
    {
        let differing = picture(overlays).iter().zip(&plain).filter(|(a, b)| a != b).count();
        assert!(differing > 300, "{overlays:?}: {differing}");
    }
    assert_eq!(palette::army(0), palette::ARMY);
}

#[test]
fn a_whole_film_that_knows_what_comes_shows_all_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    let grid = Grid::open_plain(Lattice::new(300, 60, 1.0).unwrap());
    // One walks from the west to the east.
    let state = |tick: u64| Frame {
        position: vec![Vec2::new(20.0 + tick as f32, 30.0)],
        ..Frame { tick, time: tick as f64, ..run(0)[0].clone() }
    };
    let states: Vec<Frame> = (0..260)
        .map(|tick| Frame {
            id: vec![0],
            heading: vec![Vec2::X],
            army: vec![ArmyId(0)],
            unit: vec![UnitId(0)],
            squad: vec![Some(SquadId(0))],
            grid: None,
            ..state(tick)
        })
        .collect();
    let aspect = |foreseen: &[Frame]| {
        let mut film = Film::with_options(folder.path().join("a.gif"), &grid, options(200)).whole();
        for frame in foreseen {
            film.preview(frame);
        }
        let (width, height, count) = measured(&show(film, &states));
        assert_eq!(count, 260);
        f32::from(width) / f32::from(height)
    };
    // Wide and low from the first to the last step, and less so around the first 64.
    assert!(aspect(&states) > aspect(&[]) * 1.3);
}

#[test]
fn a_still_beside_a_film_is_as_one_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let frames = run(80);
    let grid = frames[0].grid.clone().unwrap();
    for (filmed, theme) in [Theme::Battle, Theme::Plan].into_iter().flat_map(|one| Theme::ALL.map(|other| (one, other)))
    {
        let options = |theme| RenderOptions { theme, ..RenderOptions::new(120) };
        let alone = show(Still::with_options(path("alone.png"), &grid, options(theme)), &frames);
        let mut film = film(&path("a.gif"), options(filmed), &frames);
        let mut still = film.still(path("beside.png"), &grid, options(theme));
        for frame in &frames {
            film.frame(frame).unwrap();
            still.frame(frame).unwrap();
        }
        Box::new(film).finish().unwrap();
        let beside = std::fs::read(Box::new(still).finish().unwrap()).unwrap();
        assert!(alone == beside, "{theme} beside {filmed}");
    }
}
