//! Pictures and animations: what is drawn is what is in the files.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::fs::File;
use std::io::BufReader;
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::record::{Camera, GifWriter, Picture, palette};

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

#[test]
fn a_caption_stands_below_the_map() {
    let (mut picture, _) = Picture::map(&plain(40, 40), 200);
    let map = picture.clone();
    picture.add_bar();
    picture.draw_caption(&[("tick 12 ", palette::TEXT), ("blue 7", palette::army(0))]);
    assert_eq!(picture.height, map.height + Picture::BAR_HEIGHT);
    assert_eq!(picture.pixels[..map.pixels.len()], map.pixels);
    assert!(count(&picture, palette::TEXT) > 30);
    let once = picture.clone();
    picture.draw_caption(&[("tick 12 ", palette::TEXT), ("blue 7", palette::army(0))]);
    assert_eq!(picture, once);
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
    assert_eq!(decoder.global_palette(), Some(&palette::palette()[..]));
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
