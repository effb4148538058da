//! Images whose colours a table explains.
#![allow(clippy::unwrap_used, missing_docs)]

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Cursor;
use throng_grid::{Colours, Grid, Lattice, MapFile, MapOptions};

const TABLE: &str = r##"
[colours]
"#000000" = "wall"
"#ffffff" = "open"
"#00ff00" = "swamp"
"#0000FF" = { wall = true, terrain = 3 }
"#ff0000" = { terrain = 7, height = 2.5 }
"##;

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn png(pixels: &[[u8; 3]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.len() as u32, 1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(pixels.as_flattened()).unwrap();
    bytes
}

fn read(table: &str, name: &str, bytes: &[u8]) -> Result<Grid, String> {
    let colours = Colours::parse(table, "table.toml").map_err(|error| error.to_string())?;
    let options = MapOptions { colours: Some(colours), ..MapOptions::default() };
    MapFile::from_bytes(bytes, name, &options).map(|map| map.grid).map_err(|error| error.to_string())
}

/// Open, terrain and height of each cell.
fn cells(grid: &Grid) -> Vec<(bool, u8, u16)> {
    grid.lattice().cells().map(|cell| (grid.is_open(cell), grid.terrain(cell), grid.height(cell))).collect()
}

#[test]
fn colours_mean_what_the_table_says() {
    let pixels = [[0, 0, 0], [255; 3], [0, 255, 0], [0, 0, 255], [255, 0, 0]];
    let expected = [(false, 0, 0), (true, 0, 0), (true, 1, 0), (false, 3, 0), (true, 7, 250)];
    assert_eq!(cells(&read(TABLE, "a.png", &png(&pixels)).unwrap()), expected);
    let image = RgbImage::from_fn(5, 1, |x, _| Rgb(pixels[x as usize]));
    for (name, format) in [("a.bmp", ImageFormat::Bmp), ("a.gif", ImageFormat::Gif), ("a.webp", ImageFormat::WebP)] {
        assert_eq!(cells(&read(TABLE, name, &encoded(image.clone(), format)).unwrap()), expected, "{name}");
    }
    // On white where it is transparent.
    let glass = image::RgbaImage::from_pixel(1, 1, Rgba([0, 0, 0, 0]));
    assert_eq!(cells(&read(TABLE, "a.webp", &encoded(glass, ImageFormat::WebP)).unwrap()), [(true, 0, 0)]);
}

#[test]
fn what_is_near_may_count() {
    let near = [[3, 0, 4], [250, 255, 251], [9, 250, 0]];
    let message = "a.png: pixel 0,0 has the colour #030004, which table.toml does not explain (3 of such pixels in all); add it \
                   there, or a default or a tolerance";
    assert_eq!(read(TABLE, "a.png", &png(&near)).unwrap_err(), message);
    let tolerant = format!("tolerance = 9\n{TABLE}");
    assert_eq!(cells(&read(&tolerant, "a.png", &png(&near)).unwrap()), [(false, 0, 0), (true, 0, 0), (true, 1, 0)]);
    let message = "a.png: pixel 1,0 has the colour #0a0000, which table.toml does not explain (1 of such pixels in all); add it \
                   there, or a default or a tolerance";
    assert_eq!(read(&tolerant, "a.png", &png(&[[9, 0, 0], [10, 0, 0]])).unwrap_err(), message);
    let generous = format!("default = {{ terrain = 9 }}\n{TABLE}");
    assert_eq!(cells(&read(&generous, "a.png", &png(&[[0; 3], [10, 0, 0]])).unwrap()), [(false, 0, 0), (true, 9, 0)]);
    // Blocks of 8 x 8 pixels, which JPEG changes a little.
    let blocks = RgbImage::from_fn(32, 8, |x, _| Rgb([[0, 0, 0], [255; 3], [0, 255, 0], [255, 0, 0]][x as usize / 8]));
    let jpeg = encoded(blocks, ImageFormat::Jpeg);
    let grid = read(&format!("tolerance = 60\n{TABLE}"), "a.jpg", &jpeg).unwrap();
    let middle = |x| grid.lattice().cell(x, 4);
    let found: Vec<_> =
        [4, 12, 20, 28].map(middle).into_iter().map(|cell| (grid.is_open(cell), grid.terrain(cell))).collect();
    assert_eq!(found, [(false, 0), (true, 0), (true, 1), (true, 7)]);
}

#[test]
fn half_transparent_pixels_have_the_colour_that_shows_on_white() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(&[0, 100, 200, 100, 9, 9, 9, 0]).unwrap();
    let table = "[colours]\n\"#9bc2e9\" = { terrain = 7 }\n\"#ffffff\" = \"wall\"\n";
    assert_eq!(cells(&read(table, "a.png", &bytes).unwrap()), [(true, 7, 0), (false, 0, 0)]);
}

#[test]
fn every_kind_of_ground_is_written_in_a_colour_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let (image, table) = (folder.path().join("a.png"), folder.path().join("a.toml"));
    let mut grid = Grid::open_plain(Lattice::new(5, 1, 1.0).unwrap());
    for (x, class) in (0..).zip([0, 1, 9, 255, 9]) {
        grid.set_terrain(grid.lattice().cell(x, 0), class);
    }
    grid.set_open(grid.lattice().cell(4, 0), false);
    grid.save_coloured(&image, &table).unwrap();
    let text = "[colours]\n\"#ffffff\" = \"open\"\n\"#bfffff\" = \"swamp\"\n\"#9fffff\" = { terrain = 9 }\n\
                \"#8f8f9f\" = { terrain = 255 }\n\"#600000\" = { wall = true, terrain = 9 }\n";
    assert_eq!(std::fs::read_to_string(&table).unwrap(), text);
    let options = MapOptions { colours: Some(Colours::load(&table).unwrap()), ..MapOptions::default() };
    assert_eq!(MapFile::load(&image, &options).unwrap().grid, grid);
}

#[test]
fn a_table_of_a_mebibyte_is_read_and_a_longer_one_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let load = |length: usize| {
        std::fs::write(&path, format!("[colours]\n{}", " ".repeat(length - 10))).unwrap();
        Colours::load(&path).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(load(1 << 20), Ok(()));
    assert!(load((1 << 20) + 1).unwrap_err().contains("1 MiB"));
}

#[test]
fn grey_may_be_terrain() {
    let table = format!("grey = \"terrain\"\n{TABLE}");
    let pixels = [[255; 3], [254; 3], [128; 3], [1; 3], [0; 3], [255, 0, 0]];
    let expected = [(true, 0, 0), (true, 1, 0), (true, 127, 0), (true, 254, 0), (false, 0, 0), (true, 7, 250)];
    assert_eq!(cells(&read(&table, "a.png", &png(&pixels)).unwrap()), expected);
}

#[test]
fn tables_are_checked() {
    let refused = |text: &str, message: &str| {
        assert_eq!(Colours::parse(text, "t.toml").unwrap_err().to_string(), message, "{text}");
    };
    let line = |line: &str| format!("[colours]\n{line}\n");
    refused(&line("\"black\" = \"wall\""), "t.toml:2:1: found \"black\", expected a colour as in \"#6080ff\"");
    refused(&line("\"#12+456\" = \"wall\""), "t.toml:2:1: found \"#12+456\", expected a colour as in \"#6080ff\"");
    refused(&line("\"#12345678\" = \"wall\""), "t.toml:2:1: found \"#12345678\", expected a colour as in \"#6080ff\"");
    refused(
        &line("\"#aabbcc\" = \"wall\"\n\"#AABBCC\" = \"open\""),
        "t.toml:3:1: found \"#AABBCC\" twice, expected each colour once",
    );
    refused(&line("\"#aabbcc\" = \"mud\""), "t.toml:2:13: found \"mud\", expected \"open\", \"wall\" or \"swamp\"");
    refused(
        &line("\"#aabbcc\" = { terrain = 256 }"),
        "t.toml:2:13: found terrain = 256, expected a class of terrain, 0 to 255",
    );
    refused(
        &line("\"#aabbcc\" = { height = -0.5 }"),
        "t.toml:2:13: found height = -0.5, expected a number of metres from 0 to 655.35",
    );
    refused(
        &line("\"#aabbcc\" = 7"),
        "t.toml:2:13: this cannot be read as a colour table: expected open, wall, swamp or { wall = true, terrain = 7, height = 2.5 }; correct it, or save it once more",
    );
    refused(
        "tolerance = 256\n[colours]\n",
        "t.toml:1:13: found tolerance = 256, expected a whole number from 0 to 255",
    );
    refused(
        "grey = \"cost\"\n[colours]\n",
        "t.toml:1:8: found grey = \"cost\", expected grey = \"terrain\", or no such line",
    );
    refused(
        "",
        "t.toml:1:1: this cannot be read as a colour table: missing field `colours`; correct it, or save it once more",
    );
    let error = Colours::load("nowhere.toml").unwrap_err();
    assert_eq!(error.to_string(), "nowhere.toml: no such file; check the path");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    /// Against a look at every colour of the table.
    #[test]
    fn the_nearest_colour_counts(
        colours in prop::collection::vec(any::<[u8; 3]>(), 1..6),
        pixels in prop::collection::vec(any::<[u8; 3]>(), 1..40),
        tolerance in 0..255_u8,
    ) {
        let mut table = format!("tolerance = {tolerance}\ndefault = \"wall\"\n[colours]\n");
        let mut known: Vec<[u8; 3]> = Vec::new();
        for &[r, g, b] in &colours {
            if !known.contains(&[r, g, b]) {
                known.push([r, g, b]);
                writeln!(table, "\"#{r:02x}{g:02x}{b:02x}\" = {{ terrain = {} }}", known.len()).unwrap();
            }
        }
        let grid = read(&table, "a.png", &png(&pixels)).unwrap();
        let lattice: Lattice = grid.lattice();
        for (x, pixel) in (0..).zip(&pixels) {
            let steps = |colour: &[u8; 3]| (0..3).map(|i| u32::from(colour[i].abs_diff(pixel[i]))).collect::<Vec<_>>();
            let fit = |colour: &&[u8; 3]| steps(colour).iter().all(|&step| step <= tolerance.into());
            let near = known.iter().filter(fit).min_by_key(|colour| steps(colour).iter().map(|step| step * step).sum::<u32>());
            let class = near.map_or(0, |near| 1 + known.iter().position(|colour| colour == near).unwrap());
            let cell = lattice.cell(x, 0);
            prop_assert_eq!((grid.is_open(cell), usize::from(grid.terrain(cell))), (near.is_some(), class));
        }
    }

    #[test]
    fn no_text_can_panic_the_reader(text in "(\\[colours\\]\n)?(\"#[0-9a-f]{4,7}\" = [\"{a-z0-9.=-]{0,12}\n){0,3}") {
        let _ = Colours::parse(&text, "t.toml");
    }
}
