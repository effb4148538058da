//! Maps of robots: a YAML file and its image, and such images alone.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::path::Path;
use throng_grid::{Grid, Lattice, MapFile, MapOptions};

/// Free, occupied, unknown, as map savers write them.
const FREE: u8 = 254;
const OCCUPIED: u8 = 0;
const UNKNOWN: u8 = 205;

fn raw(width: usize, greys: &[u8]) -> Vec<u8> {
    [format!("P5\n# made by a robot\n{width} {}\n255\n", greys.len() / width).as_bytes(), greys].concat()
}

fn plain(width: usize, most: u32, greys: &[u32]) -> String {
    let numbers: Vec<String> = greys.iter().map(u32::to_string).collect();
    format!("P2 {width}\t{} # size\n{most}\n{}\n", greys.len() / width, numbers.join(" "))
}

fn rows(grid: &Grid) -> String {
    let lattice = grid.lattice();
    let letter = |cell| if grid.is_open(cell) { '.' } else { '#' };
    lattice.cells().map(letter).collect()
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn refusal(folder: &Path, name: &str) -> String {
    let message = Grid::load(folder.join(name)).unwrap_err().to_string();
    message.replace(&format!("{}/", folder.display()), "")
}

const PIXELS: [u8; 6] = [FREE, OCCUPIED, UNKNOWN, FREE, FREE, OCCUPIED];

#[test]
fn a_map_of_a_robot_is_its_image_by_its_thresholds() {
    let image = raw(3, &PIXELS);
    let head = "image: room.pgm\nmode: trinary\nresolution: 0.050000\norigin: [-3.54, -1.53, 0]\nnegate: 0\n";
    let usual = format!("{head}occupied_thresh: 0.65\nfree_thresh: 0.196\n");
    let newer = format!("{head}occupied_thresh: 0.65\nfree_thresh: 0.25\n");
    let folder = folder(&[("room.pgm", &image), ("room.yaml", usual.as_bytes()), ("newer.yml", newer.as_bytes())]);
    let grid = Grid::load(folder.path().join("room.yaml")).unwrap();
    assert_eq!((rows(&grid).as_str(), grid.lattice()), (".##..#", Lattice::new(3, 2, 0.05).unwrap()));
    // 205 is free where the file says that a grey of less than a quarter is.
    assert_eq!(rows(&Grid::load(folder.path().join("newer.yml")).unwrap()), ".#...#");
    let options = MapOptions { cell_size: Some(0.5), ..MapOptions::default() };
    let wider = MapFile::load(folder.path().join("room.yaml"), &options).unwrap();
    assert_eq!(wider.grid.lattice().cell_size, 0.5);
}

#[test]
fn its_image_may_be_of_any_kind() {
    let mut bitmap = std::io::Cursor::new(Vec::new());
    let grey = image::GrayImage::from_raw(3, 2, PIXELS.to_vec()).unwrap();
    image::DynamicImage::ImageLuma8(grey).to_rgb8().write_to(&mut bitmap, image::ImageFormat::Bmp).unwrap();
    let mut portable = Vec::new();
    let mut encoder = png::Encoder::new(&mut portable, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&PIXELS).unwrap();
    for (name, bytes) in [("a.png", &portable), ("a.bmp", bitmap.get_ref())] {
        let yaml = format!("image: {name}\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\n");
        let folder = folder(&[(name, bytes), ("a.yaml", yaml.as_bytes())]);
        assert_eq!(rows(&Grid::load(folder.path().join("a.yaml")).unwrap()), ".##..#", "{name}");
    }
}

#[test]
fn an_image_alone_is_read_as_robots_mean_it() {
    let read = |bytes: &[u8], name: &str| rows(&Grid::from_bytes(bytes, name).unwrap());
    assert_eq!(read(&raw(3, &PIXELS), "a.pgm"), ".##..#");
    assert_eq!(read(&raw(3, &PIXELS), "no-ending"), ".##..#");
    assert_eq!(read(plain(3, 255, &PIXELS.map(u32::from)).as_bytes(), "a.pgm"), ".##..#");
    assert_eq!(read(plain(2, 1, &[1, 0, 0, 1]).as_bytes(), "a.pgm"), ".##.");
    let deep = [b"P5 2 1 65535\n".as_slice(), &[0xFF, 0xF0, 0x00, 0x80]].concat();
    assert_eq!(read(&deep, "a.pgm"), ".#");
}

#[test]
fn broken_ones_are_refused_in_words() {
    let cut = &raw(3, &PIXELS)[..raw(3, &PIXELS).len() - 1];
    let yaml = "image: room.pgm\nresolution: 0.05\n";
    let folder = folder(&[("room.yaml", yaml.as_bytes()), ("cut.pgm", cut)]);
    assert_eq!(refusal(folder.path(), "room.yaml"), "room.yaml:1:8: image room.pgm: no such file; check the path");
    assert_eq!(refusal(folder.path(), "cut.pgm"), "cut.pgm: the PGM image is cut off in the pixels; get a whole copy");
    let other = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        refusal(folder.path(), name)
    };
    let end = "get another copy, or save it anew";
    assert_eq!(other("a.pgm", b"P5 3 2"), "a.pgm: the PGM image is cut off in the header; get a whole copy");
    assert_eq!(other("a.pgm", b""), "a.pgm: the file is empty; expected a PGM image");
    assert_eq!(
        other("a.pgm", b"P6\n1 1 255\n..."),
        "a.pgm: this is no PGM image, it looks like a PPM image; convert it to PGM"
    );
    assert_eq!(
        other("a.pgm", b"P2 2 1 7 7 8"),
        format!("a.pgm: the PGM image is damaged: a pixel of 8, where white is 7; {end}")
    );
    assert_eq!(
        other("a.pgm", b"P2 2 1 0 0 0"),
        format!("a.pgm: the PGM image is damaged: white is 0, expected 1 to 65535; {end}")
    );
    assert_eq!(
        other("a.pgm", b"P2 2 x"),
        format!("a.pgm: the PGM image is damaged: found \"x\" where a number should be; {end}")
    );
    assert_eq!(
        other("a.pgm", b"P5 20000 2 255\n"),
        "a.pgm: the map is 20000 wide and 2 high; at most 16384 x 16384 cells can be read, split the map"
    );
    assert_eq!(
        other("b.yaml", b"image: room.yaml\nresolution: 1\n"),
        "b.yaml:1:8: image room.yaml: this is no PGM image, it looks like text; convert it to PGM"
    );
    assert_eq!(
        other("compose.yaml", b"services:\n  web:\n    image: nginx\n"),
        "compose.yaml:2:3: found \"web:\", expected a key and a value, as in \"image: map.pgm\"; keys are image, resolution, \
         origin, negate, occupied_thresh, free_thresh or mode"
    );
}

proptest! {
    /// No bytes make a reader panic.
    #[test]
    fn anything_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "[a-z:\\[\\]#\"' \n0-9.,-]{0,80}") {
        let _ = Grid::from_bytes(&[b"P5 ", &bytes[..]].concat(), "a.pgm");
        let _ = Grid::from_bytes(&[b"P2\n", &bytes[..]].concat(), "a.pgm");
        let _ = Grid::from_bytes(text.as_bytes(), "a.yaml");
        let _ = Grid::from_bytes(format!("image: {text}").as_bytes(), "a.yaml");
        let _ = Grid::from_bytes(&bytes, "a.txt");
    }

    #[test]
    fn plain_and_raw_are_the_same(width in 1_usize..9, greys in prop::collection::vec(any::<u8>(), 1..80)) {
        let greys = &greys[..greys.len() / width * width];
        prop_assume!(!greys.is_empty());
        let wide: Vec<u32> = greys.iter().map(|&grey| grey.into()).collect();
        let (one, other) = (raw(width, greys), plain(width, 255, &wide));
        prop_assert_eq!(Grid::from_bytes(&one, "a.pgm").unwrap(), Grid::from_bytes(other.as_bytes(), "a.pgm").unwrap());
    }
}
