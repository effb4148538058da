//! Pictures and animations: the files hold the drawn pictures.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::fs::File;
use std::io::BufReader;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_record::{
    Camera, Framing, GifWriter, MeasurementArea, Overlays, Picture, RenderOptions, Sink, Still, Theme, palette,
};
use throng_sim::world::{ArmyCount, ArmyId, Frame, RemainingRoute, Verdict};

fn plan(longest: u32) -> RenderOptions {
    RenderOptions { theme: Theme::Plan, ..RenderOptions::new(longest) }
}

fn plain(width: u32, height: u32) -> Grid {
    Grid::open_plain(Lattice::new(width, height, 1.0).unwrap())
}

fn count(picture: &Picture, colour: u8) -> usize {
    picture.pixels.iter().map(|&pixel| usize::from(pixel == colour)).sum()
}

#[test]
fn a_cell_has_a_whole_number_of_pixels() {
    let mut grid = plain(20, 10).with_cell_size(2.0);
    let wall = grid.lattice().cell(7, 4);
    grid.set_open(wall, false);
    let (picture, camera) = Picture::map(&grid, 99);
    assert_eq!((picture.width, picture.height, camera.scale), (80, 40, 2.0));
    assert_eq!(count(&picture, palette::WALL) + count(&picture, palette::EDGE), 16);
    let corner = camera.to_pixel(Vec2::new(14.0, 8.0));
    assert_eq!(picture.pixels[corner.y as usize * 80 + corner.x as usize], palette::EDGE);
}

#[test]
fn other_ground_has_other_colours() {
    let mut grid = plain(40, 10);
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let (x, _) = lattice.column_row(cell);
        grid.set_terrain(cell, (x / 10) as u8);
    }
    // Pixels of a cell, and cells of a pixel.
    for (longest, each) in [(80, 20 * 20), (20, 5 * 5)] {
        let (picture, _) = Picture::map(&grid, longest);
        let counts = [0, 1, 2, 3].map(|class| count(&picture, palette::ground(class)));
        assert_eq!(counts, [each; 4]);
    }
}

#[test]
fn thin_walls_survive_shrinking() {
    let mut grid = plain(1000, 1000);
    for i in 0..1000 {
        for (x, y) in [(123, i), (i, 777)] {
            let cell = grid.lattice().cell(x, y);
            grid.set_open(cell, false);
        }
    }
    for side in [90, 100, 333, 700, 999] {
        let (picture, _) = Picture::map(&grid, side);
        assert_eq!((picture.width, picture.height), (side, side));
        let pixel = |x: u32, y: u32| picture.pixels[(y * side + x) as usize];
        let is_dark = |x: u32, y: u32| pixel(x, y) != palette::FLOOR;
        for i in 0..side {
            assert!((0..side).any(|x| is_dark(x, i)), "{side}: row {i}");
            assert!((0..side).any(|y| is_dark(i, y)), "{side}: column {i}");
        }
        assert!(count(&picture, palette::FLOOR) as u32 > (side - 4) * (side - 4));
    }
}

#[test]
fn agents_are_squares_then_triangles_then_discs() {
    let (positions, headings, colours) = ([Vec2::splat(50.0)], [Vec2::X], [palette::army(1)]);
    let area = |scale: f32, radius: f32| {
        let camera = Camera { origin: Vec2::ZERO, scale };
        let mut picture = Picture::new(1200, 1200, palette::FLOOR);
        picture.draw_agents(camera, &positions, &headings, &[radius], &colours);
        1200 * 1200 - count(&picture, palette::FLOOR)
    };
    assert_eq!(area(1.0, 0.4), 1);
    assert_eq!(area(1.0, 0.8), 4);
    assert_eq!(area(2.0, 0.7), 9);
    assert!((6..40).contains(&area(5.0, 0.5)), "{}", area(5.0, 0.5));
    let disc = std::f32::consts::PI * 100.0;
    assert!((area(20.0, 0.5) as f32 - disc).abs() < 20.0, "{}", area(20.0, 0.5));
}

/// The picture of a run of one frame.
fn still(grid: &Grid, options: RenderOptions, frames: &[Frame]) -> Picture {
    let folder = tempfile::tempdir().unwrap();
    let mut still = Still::with_options(folder.path().join("a.png"), grid, options);
    for frame in frames {
        still.frame(frame).unwrap();
    }
    let path = Box::new(still).finish().unwrap();
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    Picture { width: reader.info().width, height: reader.info().height, pixels }
}

fn at(picture: &Picture, x: u32, y: u32) -> u8 {
    picture.pixels[(y * picture.width + x) as usize]
}

/// Agents of the first army that stand at some places.
fn crowd(positions: Vec<Vec2>) -> Frame {
    let count = positions.len();
    Frame {
        id: (0..count as u32).collect(),
        heading: vec![Vec2::X; count],
        radius: vec![0.3; count],
        army: vec![ArmyId(0); count],
        armies: vec![army("red", count as u32), army("blue", 1200)],
        position: positions,
        ..Frame::default()
    }
}

fn army(name: &str, alive: u32) -> ArmyCount {
    ArmyCount { name: name.into(), alive, ..ArmyCount::default() }
}

#[test]
fn a_legend_stands_below_the_map() {
    let (map, _) = Picture::map(&plain(100, 60), 500);
    let frame = crowd(Vec::new());
    let bare = still(&plain(100, 60), RenderOptions { legend: false, ..plan(500) }, std::slice::from_ref(&frame));
    assert!(bare == map);
    let picture = still(&plain(100, 60), plan(500), std::slice::from_ref(&frame));
    assert_eq!((picture.width, picture.pixels[..map.pixels.len()] == map.pixels), (500, true));
    // A square in the colour of each army, 5 x 5 pixels within its rim.
    let legend =
        Picture { pixels: picture.pixels[map.pixels.len()..].to_vec(), height: picture.height - 300, ..picture };
    assert_eq!([0, 1, 2].map(|number| count(&legend, palette::army(number))), [25, 25, 0]);
    assert!(count(&legend, palette::TEXT) > 100);
    assert_eq!(count(&legend, palette::HEAT), 0);
    let overlays = Overlays { density: true, ..Overlays::default() };
    let explained = still(&plain(100, 60), RenderOptions { overlays, ..plan(500) }, std::slice::from_ref(&frame));
    for step in 0..palette::HEATS {
        assert_eq!(count(&explained, palette::HEAT + step), 35, "step {step}");
    }
    // The winner is said, and nothing else moves.
    let won = Frame { verdict: Some(Verdict::Winner(ArmyId(1))), ..frame.clone() };
    let end = still(&plain(100, 60), plan(500), &[frame, won]);
    assert_eq!((end.height, end.width), (300 + legend.height, 500));
    let changed = end.pixels[map.pixels.len()..].iter().zip(&legend.pixels).filter(|(end, before)| end != before);
    assert!((40..200).contains(&changed.count()));
}

#[test]
fn the_scale_bar_is_as_long_as_it_says() {
    // Width of the map and of its cells (m), pixels; length of the bar (m): at most a fifth of the picture.
    for (cells, cell, longest, metres) in [
        (100, 1.0, 500, 20.0),
        (100, 2.0, 600, 20.0),
        (384, 1.0, 768, 50.0),
        (50, 0.2, 1000, 2.0),
        (4000, 1.0, 800, 500.0),
    ] {
        let grid = plain(cells, cells / 2).with_cell_size(cell);
        let (map, camera) = Picture::map(&grid, longest);
        let picture = still(&grid, plan(longest), &[Frame::default()]);
        let longest_run = (map.height..picture.height)
            .flat_map(|y| {
                let row = &picture.pixels[(y * picture.width) as usize..][..picture.width as usize];
                row.chunk_by(|a, b| a == b).filter(|run| run[0] == palette::TEXT).map(<[u8]>::len).collect::<Vec<_>>()
            })
            .max();
        assert_eq!(longest_run, Some((metres * camera.scale).round() as usize), "{cells} cells of {cell} m");
    }
}

#[test]
fn the_camera_shows_what_it_is_pointed_at() {
    let mut grid = plain(100, 60);
    let wall = grid.lattice().cell(30, 20);
    grid.set_open(wall, false);
    let options = |x, y, width| RenderOptions {
        framing: Framing::Area(MeasurementArea::wide(Vec2::new(x, y), width)),
        legend: false,
        ..plan(400)
    };
    // The wall is the cell from 30 to 31 and 20 to 21 m, the picture from 26 to 34 and 17.5 to 23.5 m.
    let frame = crowd(vec![Vec2::new(27.0, 18.0)]);
    let near = still(&grid, options(30.0, 20.5, 8.0), std::slice::from_ref(&frame));
    assert_eq!((near.width, near.height), (400, 300));
    assert_eq!(count(&near, palette::WALL) + count(&near, palette::EDGE), 50 * 50);
    assert_eq!([at(&near, 200, 125), at(&near, 249, 174)], [palette::EDGE; 2]);
    assert_eq!([at(&near, 199, 150), at(&near, 225, 124)], [palette::FLOOR; 2]);
    // A body of 15 pixels about 50, 25.
    let red = [palette::army(0), palette::dark(palette::army(0))];
    assert!(red.contains(&at(&near, 50, 25)) && red.contains(&at(&near, 63, 25)) && !red.contains(&at(&near, 66, 25)));
    // Half of this is beyond the map, and no agent is seen.
    let edge = still(&grid, options(0.0, 30.0, 20.0), &[frame]);
    assert_eq!(count(&edge, palette::OUTSIDE), 200 * 300);
    assert_eq!(count(&edge, palette::army(0)), 0);
    // As high as it shall be.
    let framing = Framing::Area(MeasurementArea { centre: Vec2::new(30.0, 20.0), width: 5.0, height: 20.0 });
    let high = still(&grid, RenderOptions { framing, legend: false, ..plan(400) }, &[crowd(Vec::new())]);
    assert_eq!((high.width, high.height), (100, 400));
}

#[test]
fn density_is_seen_where_it_is_dense() {
    let mut grid = plain(60, 40);
    for y in 0..40 {
        let cell = grid.lattice().cell(40, y);
        grid.set_open(cell, false);
    }
    // 4.5 a square metre in a block of ten metres, one in 25 m² elsewhere.
    let mut positions: Vec<_> =
        (0..450).map(|i| Vec2::new(10.1 + (i % 21) as f32 * 0.47, 10.1 + (i / 21) as f32 * 0.47)).collect();
    positions.extend((0..24).map(|i| Vec2::new(42.0 + (i % 3) as f32 * 5.0, 2.0 + (i / 3) as f32 * 5.0)));
    let overlays = Overlays { density: true, ..Overlays::default() };
    let options = RenderOptions { overlays, legend: false, ..plan(240) };
    let frame = Frame { radius: vec![0.15; positions.len()], ..crowd(positions) };
    let picture = still(&grid, options, std::slice::from_ref(&frame));
    // One of four pixels of a body shows the body.
    let heat = |x: f32, y: f32| {
        let (x, y) = ((x * 4.0) as u32, (y * 4.0) as u32);
        at(&picture, x, y).max(at(&picture, x + 1, y)).wrapping_sub(palette::HEAT)
    };
    assert_eq!(heat(15.0, 15.0), 7);
    assert!((300..900).contains(&count(&picture, palette::army(0))));
    let levels = [17.0, 19.0, 20.5].map(|x| heat(x, 15.0));
    assert!(levels.windows(2).all(|pair| pair[0] > pair[1]), "{levels:?}");
    assert_eq!(at(&picture, 4 * 30, 4 * 15), palette::FLOOR);
    assert_eq!(at(&picture, 4 * 50 + 10, 4 * 18), palette::FLOOR);
    assert!((160..168).all(|x| at(&picture, x, 60) < palette::HEAT));
    // Near by, bodies stand on it.
    let framing = Framing::Area(MeasurementArea::wide(Vec2::new(15.0, 15.0), 4.0));
    let near = still(&grid, RenderOptions { framing, ..options }, &[frame]);
    assert!(count(&near, palette::HEAT + 7) > 4000 && count(&near, palette::army(0)) > 4000);
}

#[test]
fn routes_and_strength_are_drawn_over_the_map() {
    let grid = plain(100, 60);
    let overlays = Overlays { routes: true, strength: true, density: false };
    let options = RenderOptions { overlays, legend: false, ..plan(500) };
    let routes = vec![RemainingRoute {
        army: ArmyId(1),
        points: vec![Vec2::new(5.0, 30.0), Vec2::new(50.0, 30.0), Vec2::new(50.0, 55.0)],
    }];
    let frames: Vec<_> = (0..=10)
        .map(|tick| {
            let armies = vec![army("red", 100 - 10 * tick), army("blue", 50)];
            Frame { time: f64::from(tick), armies, remaining_routes: routes.clone(), ..crowd(Vec::new()) }
        })
        .collect();
    let picture = still(&grid, options, &frames);
    let plain = still(&grid, RenderOptions { overlays: Overlays::default(), ..options }, &frames);
    let blue = at(&picture, 150, 150);
    assert_ne!(blue, palette::FLOOR);
    assert!([(250, 200), (250, 270), (30, 150)].iter().all(|&(x, y)| at(&picture, x, y) == blue));
    assert!([(150, 140), (20, 150), (250, 285)].iter().all(|&(x, y)| at(&picture, x, y) == palette::FLOOR));
    // All corners are free: the graph is in the upper right one.
    let changed = |x: u32, y: u32| at(&picture, x, y) != at(&plain, x, y);
    assert!(changed(450, 40) && !changed(50, 40) && !changed(50, 260) && !changed(450, 260));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn nothing_that_is_drawn_can_panic(
        x in prop::num::f32::ANY, y in prop::num::f32::ANY, radius in prop::num::f32::ANY,
        scale in prop_oneof![0.01_f32..100.0, prop::num::f32::ANY], close in any::<bool>(),
    ) {
        let mut picture = Picture::new(40, 30, palette::FLOOR);
        let camera = Camera { origin: Vec2::ZERO, scale };
        let point = if close { Vec2::new(x % 60.0, y % 60.0) } else { Vec2::new(x, y) };
        let radius = if close { radius % 9.0 } else { radius };
        picture.draw_agents(camera, &[point], &[Vec2::new(y, x)], &[radius], &[palette::army(0)]);
        picture.draw_path(camera, &[point, Vec2::splat(3.0)], palette::PATH);
        picture.draw_mark(camera, point, palette::GOAL);
        let lattice = Lattice::new(8, 8, 1.0).unwrap();
        picture.draw_cells(camera, lattice, lattice.cells(), palette::EXPANDED);
        picture.draw_text(x as i32, y as i32, 2, "Aé", palette::TEXT);
        let _ = Picture::view(&plain(8, 8), Camera { origin: point, scale }, 9, 9);
        prop_assert_eq!(picture.pixels.len(), 1200);
    }
}

#[test]
fn a_png_holds_the_indices() {
    let folder = tempfile::tempdir().unwrap();
    let (mut picture, camera) = Picture::map(&plain(30, 20), 100);
    picture.draw_path(camera, &[Vec2::splat(2.0), Vec2::splat(15.0)], palette::PATH);
    picture.draw_cells(camera, Lattice::new(30, 20, 1.0).unwrap(), [], palette::EXPANDED);
    let path = folder.path().join("a.png");
    picture.write_png(&path).unwrap();
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, picture.pixels);
    assert_eq!(reader.info().palette.as_deref(), Some(&palette::palette()[..]));
    let nowhere = folder.path().join("no/a.png");
    let message = picture.write_png(&nowhere).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: cannot be written: ", nowhere.display())), "{message}");
}

#[test]
fn a_gif_plays_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let (base, camera) = Picture::map(&plain(50, 40), 150);
    let frames: Vec<Picture> = [1.0, 1.0, 8.0, 30.0, 30.0, 49.0]
        .into_iter()
        .map(|x| {
            let mut frame = base.clone();
            frame.draw_agents(camera, &[Vec2::new(x, 20.0)], &[Vec2::X], &[0.8], &[palette::army(0)]);
            frame
        })
        .collect();
    let mut writer = GifWriter::create(&path, base.width, base.height).unwrap();
    for frame in &frames {
        writer.frame(frame, 7).unwrap();
    }
    assert!(!path.exists(), "the file has its name before it is finished");
    writer.finish().unwrap();

    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
    // A GIF has a power of two of colours; the rest are black.
    let (colours, rest) = decoder.global_palette().unwrap().split_at(palette::palette().len());
    assert!(colours == palette::palette() && rest.iter().all(|&channel| channel == 0));
    let mut screen = vec![u8::MAX; base.pixels.len()];
    for (i, expected) in frames.iter().enumerate() {
        let frame = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!(frame.delay, 7);
        for (y, row) in frame.buffer.chunks_exact(frame.width.into()).enumerate() {
            for (x, &index) in row.iter().enumerate() {
                if frame.transparent != Some(index) {
                    screen[(y + frame.top as usize) * base.width as usize + x + frame.left as usize] = index;
                }
            }
        }
        assert!(screen == expected.pixels, "frame {i}");
    }
    assert!(decoder.read_next_frame().unwrap().is_none());
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
}

#[test]
fn what_cannot_be_an_animation_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let name = path.display();
    for (width, height) in [(0, 5), (5, 0), (65_536, 5)] {
        let message = GifWriter::create(&path, width, height).unwrap_err().to_string();
        let expected = "a GIF must be 1 to 65535 pixels wide and high";
        assert_eq!(message, format!("{name}: {expected}, found {width} x {height}"));
    }
    let mut writer = GifWriter::create(&path, 8, 8).unwrap();
    let message = writer.frame(&Picture::new(9, 8, palette::FLOOR), 5).unwrap_err().to_string();
    assert_eq!(message, format!("{name}: every frame must be 8 x 8 pixels like the first, found 9 x 8"));
    writer.frame(&Picture::new(8, 8, palette::FLOOR), 5).unwrap();
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a dropped writer leaves something behind");
    let nowhere = folder.path().join("no/a.gif");
    let message = GifWriter::create(&nowhere, 8, 8).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: cannot be written: ", nowhere.display())), "{message}");
}

#[test]
fn an_army_has_its_own_colour() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let own = [0x12, 0x34, 0x56];
    let mut still = Still::with_options(&path, &plain(40, 30), plan(200));
    let armies = vec![army("red", 1), army("grey", 1)];
    still.frame(&Frame { armies, colours: vec![None, Some(own)], ..Frame::default() }).unwrap();
    Box::new(still).finish().unwrap();
    let reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let colours = reader.info().palette.as_ref().unwrap().as_chunks().0;
    let of = |number| colours[usize::from(palette::army(number))];
    assert_eq!([of(0), of(1)], [palette::rgb(palette::army(0)), own]);
}
