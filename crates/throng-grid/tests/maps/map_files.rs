//! Reading and writing map and query files: accepted files, and the exact words about refused ones.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use throng_grid::{Grid, Ground, Lattice, PLAIN, SWAMP, Scen, WATER};

/// A folder of its own for each test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The message for a file, without the folder.
    fn refusal(&self, path: &Path) -> String {
        let message = Grid::load(path).unwrap_err().to_string();
        message.replace(&format!("{}/", self.0.path().display()), "")
    }

    fn refusal_of(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.refusal(&self.file(name, bytes))
    }
}

fn rows(grid: &Grid) -> Vec<String> {
    let lattice = grid.lattice();
    let letter = |x, y| if grid.is_open(lattice.cell(x, y)) { '.' } else { '@' };
    (0..lattice.height).map(|y| (0..lattice.width).map(|x| letter(x, y)).collect()).collect()
}

#[test]
fn all_letters_and_crlf_are_read() {
    let folder = Folder::new();
    let text = "type octile\nheight 2\nwidth 7\nmap\n.GS@OTW\n@.@.@.@\n";
    for (name, text) in
        [("a.map", text.to_owned()), ("b.map", text.replace('\n', "\r\n")), ("c.MAP", format!("{text}\n \n\r\n"))]
    {
        let grid = Grid::load(folder.file(name, &text)).unwrap();
        assert_eq!(rows(&grid), ["...@@@@", "@.@.@.@"], "{name}");
        assert_eq!((grid.lattice().width, grid.lattice().height, grid.lattice().cell_size), (7, 2, 1.0));
    }
    // The last line end may be missing, the extension need not be .map, and a byte order mark does no harm.
    assert!(Grid::load(folder.file("d.txt", text.trim_end())).is_ok());
    assert!(Grid::load(folder.file("e.map", format!("\u{feff}{text}"))).is_ok());
}

#[test]
fn what_is_written_is_read_again() {
    let folder = Folder::new();
    for width in [1, 7, 8, 9, 64, 65] {
        let lattice = Lattice::new(width, 5, 1.0).unwrap();
        let mut grid = Grid::closed(lattice);
        for cell in lattice.cells().filter(|cell| cell.0.wrapping_mul(2_654_435_761) % 7 < 3) {
            grid.set_open(cell, true);
        }
        for name in ["a.map", "a.png"] {
            let path = folder.0.path().join(name);
            if name == "a.map" {
                grid.save_map(&path).unwrap();
            } else {
                grid.save_png(&path).unwrap();
            }
            assert_eq!(Grid::load(&path).unwrap(), grid, "{name}, {width} wide");
        }
    }
    let nowhere = folder.0.path().join("no/a.map");
    let message = Grid::open_plain(Lattice::new(1, 1, 1.0).unwrap()).save_map(&nowhere).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: cannot be written: ", nowhere.display())), "{message}");
}

#[test]
fn swamp_and_water_are_terrain_and_stay_it_in_map_files() {
    let folder = Folder::new();
    let text = "type octile\nheight 2\nwidth 5\nmap\n.S@SG\nWSST.\n";
    let grid = Grid::load(folder.file("a.map", text)).unwrap();
    let lattice = grid.lattice();
    let classes: Vec<u8> = lattice.cells().map(|cell| grid.terrain(cell)).collect();
    assert_eq!(classes, [PLAIN, SWAMP, PLAIN, SWAMP, PLAIN, WATER, SWAMP, SWAMP, PLAIN, PLAIN]);
    assert!(grid.is_water(lattice.cell(0, 1)) && !grid.is_water(lattice.cell(2, 0)));
    assert_eq!(rows(&grid), ["..@..", "@..@."]);

    // Other classes have no letter, and walls are walls whatever they stand on.
    let mut other = grid.clone();
    other.set_terrain(lattice.cell(4, 0), 7);
    other.set_terrain(lattice.cell(2, 0), SWAMP);
    let written = folder.0.path().join("b.map");
    other.save_map(&written).unwrap();
    let plain = "type octile\nheight 2\nwidth 5\nmap\n.S@S.\nWSS@.\n";
    assert_eq!(std::fs::read_to_string(&written).unwrap(), plain);
    assert_eq!(Grid::load(&written).unwrap(), grid);

    // Without costs, all terrain is the same.
    let ground = Ground::new(grid.into(), 0.4).unwrap();
    assert!(ground.is_uniform());
}

#[test]
fn files_that_cannot_be_maps_are_refused() {
    let folder = Folder::new();
    let refused = |name: &str, bytes: &[u8], message: &str| assert_eq!(folder.refusal_of(name, bytes), message);
    assert_eq!(folder.refusal(&folder.0.path().join("no.map")), "no.map: no such file; check the path");
    let inner = folder.0.path().join("maps");
    std::fs::create_dir(&inner).unwrap();
    assert_eq!(folder.refusal(&inner), "maps: this is a folder; name a file in it");
    refused("a.map", b"", "a.map: the file is empty; expected a Moving AI map, \"type octile\" first");
    refused("a.map", b" \r\n\n", "a.map: the file is empty; expected a Moving AI map, \"type octile\" first");
    refused("a.png", b"", "a.png: the file is empty; expected a PNG image");
    let kinds = "maps are Moving AI .map files, ASCII .txt files, Tiled .tmx and .tmj files, .wkt and .geojson floor plans, \
                 .yaml maps of robots, and PNG, BMP, GIF, JPEG, WebP or PGM images";
    refused("a.svg", b"<?xml version=\"1.0\"?><svg/>", &format!("a.svg: this looks like XML or HTML; {kinds}"));
    refused("a.tif", b"II*\0\x08\0", &format!("a.tif: this looks like a TIFF image; {kinds}"));
    refused("notes", b"hello", &format!("notes: this looks like text; {kinds}"));
    refused("bits", b"\x00\x01\x80", &format!("bits: this looks like binary data; {kinds}"));
}

#[test]
fn each_line_of_the_header_is_checked() {
    let folder = Folder::new();
    let refused = |text: &str, message: &str| assert_eq!(folder.refusal_of("a.map", text), message);
    refused("tpye octile\n", "a.map:1: found \"tpye octile\", expected \"type octile\"");
    refused("type tile\n", "a.map:1: found \"type tile\", expected \"type octile\"");
    refused("type octile\nheigth 3\n", "a.map:2: found \"heigth 3\", expected \"height\" and a whole number");
    refused("type octile\nheight -3\n", "a.map:2: found \"height -3\", expected \"height\" and a whole number");
    refused("type octile\nheight 3\nwidth\n", "a.map:3: found \"width\", expected \"width\" and a whole number");
    refused("type octile\nheight 3\n", "a.map:3: found nothing, expected \"width\" and a whole number");
    refused("type octile\nheight 3\nwidth 3\n...\n", "a.map:4: found \"...\", expected \"map\"");
    let long = "x".repeat(99);
    let start = &long[..40];
    refused(&long, &format!("a.map:1: found \"{start}\" and more, expected \"type octile\""));
}

#[test]
fn the_size_is_checked_before_anything_is_made() {
    let folder = Folder::new();
    let refused = |height: &str, width: &str, message: &str| {
        assert_eq!(folder.refusal_of("a.map", format!("type octile\nheight {height}\nwidth {width}\nmap\n")), message);
    };
    let none = "it needs at least one column and one row";
    refused("0", "5", &format!("a.map: the map is 5 wide and 0 high; {none}"));
    refused("5", "0", &format!("a.map: the map is 0 wide and 5 high; {none}"));
    let limit = "at most 16384 x 16384 cells can be read, split the map";
    refused("16385", "5", &format!("a.map: the map is 5 wide and 16385 high; {limit}"));
    refused("1", "4294967297", &format!("a.map: the map is 4294967297 wide and 1 high; {limit}"));
    let huge = "9".repeat(30);
    refused("1", &huge, &format!("a.map: the map is 18446744073709551615 wide and 1 high; {limit}"));
    let header = |width: u32, height: u32| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_depth(png::BitDepth::One);
        drop(encoder.write_header().unwrap());
        bytes
    };
    let message = folder.refusal_of("a.png", header(16_385, 2));
    assert_eq!(message, format!("a.png: the map is 16385 wide and 2 high; {limit}"));
}

#[test]
fn rows_are_checked() {
    let folder = Folder::new();
    let refused = |rows: &str, message: &str| {
        assert_eq!(folder.refusal_of("a.map", format!("type octile\nheight 3\nwidth 3\nmap\n{rows}")), message);
    };
    refused("...\n..\n...\n", "a.map:6: row 1 has 2 letters, expected 3: the width in the header");
    refused("...\n....\n...\n", "a.map:6: row 1 has 4 letters, expected 3: the width in the header");
    refused("...\n\n...\n...", "a.map:6: row 1 has 0 letters, expected 3: the width in the header");
    let few = "3 rows, the height in the header; add the others or correct the height";
    refused("...\n...\n", &format!("a.map: the file ends after 2 of {few}"));
    refused("", &format!("a.map: the file ends after 0 of {few}"));
    let on = "the map goes on after row 3, the height in the header; remove what follows or correct the height";
    refused("...\n...\n...\n...\n", &format!("a.map:8: {on}"));
    let known = "known are . G S (open) and @ O T W (closed)";
    refused("...\n.#.\n...\n", &format!("a.map:6:2: unknown letter '#'; {known}"));
    refused("...\n...\n.é.\n", &format!("a.map:7:2: unknown letter 'é'; {known}"));
    refused(".\t.\n...\n...\n", &format!("a.map:5:2: unknown letter '\\t'; {known}"));
    let mut bytes = b"type octile\nheight 1\nwidth 3\nmap\n.".to_vec();
    bytes.extend(b"\xFF.\n");
    assert_eq!(folder.refusal_of("a.map", bytes), "a.map:5:2: byte 0xFF is not UTF-8; save the file as plain text");
}

#[test]
fn images_that_are_no_png_are_refused() {
    let folder = Folder::new();
    let refused = |bytes: &[u8], found: &str| {
        let message = format!("a.png: this is no PNG image, it looks like {found}; convert it to PNG");
        assert_eq!(folder.refusal_of("a.png", bytes), message);
    };
    refused(b"II*\0\x08\0", "a TIFF image");
    refused(b"BMX 3", "text");
    refused(b"type octile\nheight 3\n", "a Moving AI map");
    refused("ein Bild, später".as_bytes(), "text");
    refused(b"\x00\x00\x01\x00\x01", "binary data");
}

#[test]
fn cut_and_damaged_png_images_are_refused() {
    let folder = Folder::new();
    let lattice = Lattice::new(64, 64, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    for cell in lattice.cells().filter(|cell| cell.0.wrapping_mul(2_654_435_761) >> 30 == 0) {
        grid.set_open(cell, false);
    }
    let path = folder.0.path().join("whole.png");
    grid.save_png(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let cut = |part: &str| format!("a.png: the PNG image is cut off in the {part}; get a whole copy");
    assert_eq!(folder.refusal_of("a.png", &whole[..5]), cut("header"));
    assert_eq!(folder.refusal_of("a.png", &whole[..20]), cut("header"));
    assert_eq!(folder.refusal_of("a.png", &whole[..whole.len() / 2]), cut("pixels"));
    for length in 1..whole.len() - 12 {
        assert!(Grid::load(folder.file("a.png", &whole[..length])).is_err(), "{length} bytes of {}", whole.len());
    }
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0xFF;
    let message = folder.refusal_of("a.png", damaged);
    assert!(message.starts_with("a.png: the PNG image is damaged: "), "{message}");
}

/// Walls where the column is odd, in every way a PNG can say so.
#[test]
fn every_kind_of_png_is_read() {
    use png::{BitDepth, ColorType};
    let folder = Folder::new();
    let odd = |x: u32| x % 2 == 1;
    let encode = |name: &str, colour: ColorType, depth: BitDepth, palette: &[u8], dark: &[u8], light: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 6, 3);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        let bits = depth as usize;
        let mut image = Vec::new();
        for _ in 0..3 {
            if bits < 8 {
                let mut row = vec![0_u8; (6 * bits).div_ceil(8)];
                for x in 0..6 {
                    let sample = if odd(x) { dark[0] } else { light[0] };
                    row[x as usize * bits / 8] |= sample << (8 - bits - x as usize * bits % 8);
                }
                image.extend(row);
            } else {
                image.extend((0..6).flat_map(|x| if odd(x) { dark } else { light }));
            }
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&image).unwrap();
        writer.finish().unwrap();
        let grid = Grid::load(folder.file("a.png", &bytes)).unwrap();
        assert_eq!(rows(&grid), [".@.@.@"; 3], "{name}");
    };
    encode("grey 1", ColorType::Grayscale, BitDepth::One, &[], &[0], &[1]);
    encode("grey 2", ColorType::Grayscale, BitDepth::Two, &[], &[1], &[2]);
    encode("grey 4", ColorType::Grayscale, BitDepth::Four, &[], &[7], &[8]);
    encode("grey 8", ColorType::Grayscale, BitDepth::Eight, &[], &[127], &[128]);
    encode("grey 16", ColorType::Grayscale, BitDepth::Sixteen, &[], &[127, 255], &[128, 0]);
    encode("grey alpha", ColorType::GrayscaleAlpha, BitDepth::Eight, &[], &[0, 128], &[0, 127]);
    encode("rgb", ColorType::Rgb, BitDepth::Eight, &[], &[255, 0, 0], &[0, 255, 0]);
    encode("rgba, transparent is white", ColorType::Rgba, BitDepth::Eight, &[], &[9, 9, 9, 255], &[9, 9, 9, 0]);
    encode("rgb 16", ColorType::Rgb, BitDepth::Sixteen, &[], &[0; 6], &[255; 6]);
    encode("palette 2", ColorType::Indexed, BitDepth::Two, &[250, 250, 250, 9, 9, 9, 0, 0, 255], &[2], &[0]);
    encode("palette 8", ColorType::Indexed, BitDepth::Eight, &[250, 250, 250, 9, 9, 9], &[1], &[0]);
}

/// An interlaced image, written by hand: the encoder makes none. The seven passes of 8 x 8 pixels with 1 bit each.
#[test]
fn interlaced_png_images_are_read() {
    let folder = Folder::new();
    let wall = |x: u32, y: u32| (x * 3 + y * 5) % 7 < 3;
    let passes = [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)];
    let mut raw = Vec::new();
    for (x0, dx, y0, dy) in passes {
        for y in (y0..8).step_by(dy) {
            let columns = (x0..8).step_by(dx);
            let bits = columns.enumerate().fold(0_u8, |bits, (i, x)| bits | u8::from(!wall(x, y)) << (7 - i));
            raw.extend([0, bits]);
        }
    }
    // One stored block of zlib.
    let length = raw.len() as u16;
    let mut zlib = vec![0x78, 0x01, 0x01];
    zlib.extend(length.to_le_bytes());
    zlib.extend((!length).to_le_bytes());
    zlib.extend(&raw);
    let (a, b) = raw.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    zlib.extend((b << 16 | a).to_be_bytes());
    let mut bytes = b"\x89PNG\r\n\x1A\n".to_vec();
    let mut chunk = |name: &[u8; 4], data: &[u8]| {
        bytes.extend((data.len() as u32).to_be_bytes());
        let start = bytes.len();
        bytes.extend(name);
        bytes.extend(data);
        let crc = bytes[start..].iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ (0xEDB8_8320 * (crc & 1)))
        });
        bytes.extend((!crc).to_be_bytes());
    };
    chunk(b"IHDR", &[0, 0, 0, 8, 0, 0, 0, 8, 1, 0, 0, 0, 1]);
    chunk(b"IDAT", &zlib);
    chunk(b"IEND", &[]);
    let grid = Grid::load(folder.file("a.png", &bytes)).unwrap();
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        assert_eq!(grid.is_open(cell), !wall(x, y), "({x}, {y})");
    }
}

#[test]
fn query_files_are_read_and_checked() {
    let folder = Folder::new();
    let tabs = "version 1\n72\tmaps/arena2.map\t281\t209\t109\t9\t274\t178\t289.764\n";
    let blanks = "version 1.0\r\n72 arena2.map 281 209 109 9 274 178 289.764\r\n\r\n";
    for text in [tabs, blanks] {
        let scen = Scen::load(folder.file("a.scen", text)).unwrap();
        let problem = &scen.problems[0];
        assert_eq!((problem.from, problem.to, problem.bucket), ((109, 9), (274, 178), 72));
        assert!((problem.optimal - 289.764).abs() < 1e-9);
        assert_eq!(scen.problems.len(), 1);
    }
    let refused = |text: &str, expected: &str| {
        let message = Scen::load(folder.file("a.scen", text)).unwrap_err().to_string();
        assert_eq!(message.replace(&format!("{}/", folder.0.path().display()), ""), expected);
    };
    let fields = "expected bucket, map, width, height, start x, start y, goal x, goal y, optimal length";
    refused("", "a.scen: the file is empty; expected a query file, \"version 1\" first");
    refused("version 2\n", "a.scen:1: found \"version 2\", expected \"version 1\"");
    refused("version 1\n1 a.map 2 2\n", &format!("a.scen:2: found \"1 a.map 2 2\", {fields}"));
    refused("version 1\n0 a 9 9 0 -1 0 0 1\n", &format!("a.scen:2: found \"0 a 9 9 0 -1 0 0 1\", {fields}"));
    refused("version 1\n0 a 9 9 0 1 0 0 NaN\n", &format!("a.scen:2: found \"0 a 9 9 0 1 0 0 NaN\", {fields}"));
}

/// The benchmark maps, where they are at hand.
#[test]
fn the_benchmark_maps_are_read() {
    let Some(folder) = std::env::var_os("THRONG_MOVINGAI") else {
        return eprintln!("skipped: THRONG_MOVINGAI is not set");
    };
    let folder = Path::new(&folder);
    for (name, width, height, open) in [
        ("32room_000", 512, 512, 240_671),
        ("AR0011SR", 512, 512, 120_458),
        ("AcrosstheCape", 768, 768, 392_287),
        ("Berlin_0_1024", 1024, 1024, 794_748),
        ("arena2", 281, 209, 24_311),
        ("brc202d", 530, 481, 43_151),
        ("den520d", 256, 257, 28_178),
        ("ht_chantry", 162, 141, 7_461),
        ("maze512-4-0", 512, 512, 209_263),
        ("orz900d", 1491, 656, 96_603),
        ("plaguelands", 512, 512, 77_916),
        ("random512-25-0", 512, 512, 195_313),
    ] {
        let grid = Grid::load(folder.join(format!("{name}.map"))).unwrap();
        let lattice = grid.lattice();
        assert_eq!((lattice.width, lattice.height, grid.open_cells()), (width, height, open), "{name}");
        let scen = Scen::load(folder.join(format!("{name}.map.scen"))).unwrap();
        assert_eq!(scen.problems.len(), 300, "{name}");
        for problem in &scen.problems {
            let open = |(x, y): (u32, u32)| lattice.checked_cell(x.into(), y.into()).is_some_and(|c| grid.is_open(c));
            assert!(open(problem.from) && open(problem.to), "{name}: {problem:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// Bytes of all sorts end in a map or in an error, never in a panic.
    #[test]
    fn no_bytes_can_panic_the_readers(
        noise in prop::collection::vec(any::<u8>(), 0..80),
        at in any::<prop::sample::Index>(),
        text in "(type octile\\n|)height [0-9]{1,3}\\nwidth [0-9]{1,3}\\nmap\\n[.@TGS\\n ]{0,40}",
        version in "version 1\\n([0-9.\\t -]{0,30}\\n){0,3}",
    ) {
        let folder = Folder::new();
        let path = folder.0.path().join("whole.png");
        Grid::open_plain(Lattice::new(9, 7, 1.0).unwrap()).save_png(&path).unwrap();
        let mut image = std::fs::read(&path).unwrap();
        let start = at.index(image.len());
        for (byte, noise) in image[start..].iter_mut().zip(&noise) {
            *byte = *noise;
        }
        let _ = Grid::load(folder.file("a.png", &image));
        let _ = Grid::load(folder.file("a.png", &noise));
        let _ = Grid::load(folder.file("a.map", &noise));
        let _ = Grid::load(folder.file("b.map", &text));
        let _ = Scen::load(folder.file("a.scen", &noise));
        let _ = Scen::load(folder.file("b.scen", &version));
    }
}

/// The open cells of a map as `.`, its walls as `#`, its water as `W`.
fn drawn(grid: &Grid) -> String {
    let lattice = grid.lattice();
    let letter = |x, y| match (grid.is_open(lattice.cell(x, y)), grid.is_water(lattice.cell(x, y))) {
        (true, _) => '.',
        (_, true) => 'W',
        _ => '#',
    };
    (0..lattice.height).map(|y| (0..lattice.width).map(|x| letter(x, y)).chain(['/']).collect::<String>()).collect()
}

#[test]
fn text_without_a_legend_is_read_by_the_usual_letters() {
    let table = [
        // Dots and walls, of both sorts; what begins with empty lines; CRLF.
        ("a.txt", "####\n#..#\n####\n", "####/#..#/####/"),
        ("a.ascii", "\n\r\n@@@@\r\n@.G@\r\n@@TO\r\n", "####/#..#/####/"),
        ("a.map", "..#\n..W\n", "..#/..W/"),
        ("a", ".S#\n", "..#/"),
        // A maze: blanks are its ways; those at ends may be missing.
        ("a.txt", "####  \n   #\n##  \n", "####/...#/##../"),
        ("a.txt", "## ##\n\n## ##\n", "##.##/...../##.##/"),
        // Beside open letters a blank is what lies outside.
        ("a.txt", "  ###\n###.#\n#...#\n#####\n", "#####/###.#/#...#/#####/"),
        // A head without a legend.
        ("a.txt", "throng ascii map\ncell_size = 2\nmap\n.#\n@.\n", ".#/#./"),
    ];
    for (name, text, expected) in table {
        let grid = Grid::from_bytes(text.as_bytes(), name).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(drawn(&grid), expected, "{text:?}");
    }
    let refused = |text: &str| Grid::from_bytes(text.as_bytes(), "a.txt").unwrap_err().to_string();
    assert_eq!(refused(".#.\n.#\n"), "a.txt:2:3: this row has 2 letters, expected 3 as in the first row");
    assert_eq!(
        refused(".#.\n.#x\n"),
        "a.txt:2:3: unknown letter 'x'; the legend explains nothing, so that . G S are open, # @ O T W closed; add a \
         legend for others"
    );
}

#[test]
fn names_of_maps_in_query_files_may_have_blanks() {
    let problem = |line: &str| {
        let scen = Scen::from_bytes(format!("version 1\n{line}\n").as_bytes(), "a.scen");
        scen.map(|scen| (scen.problems[0].from, scen.problems[0].to)).map_err(|error| error.to_string())
    };
    let right = Ok(((1, 2), (3, 4)));
    assert_eq!(problem("0\tmaps/The Old Town.map\t8\t8\t1\t2\t3\t4\t2.8"), right);
    assert_eq!(problem("0\t a b \t8\t8\t1\t2\t3\t4\t2.8 "), right);
    assert_eq!(problem("0 town.map 8 8 1 2 3 4 2.8"), right);
    assert_eq!(problem("0\ttown.map 8 8\t1 2\t3 4\t2.8"), right);
    // Blanks alone cannot say where a name ends.
    for line in ["0 old town.map 8 8 1 2 3 4 2.8", "0\told\ttown.map\t8\t8\t1\t2\t3\t4\t2.8"] {
        assert!(problem(line).is_err(), "{line}");
    }
}

#[test]
fn text_ends_where_the_map_does() {
    let refused = |text: &str| Grid::from_bytes(text.as_bytes(), "a.txt").unwrap_err().to_string();
    let limit = "at most 16384 x 16384 cells can be read, split the map";
    assert_eq!(refused(&".\n".repeat(16_385)), format!("a.txt: the map is 1 wide and 16385 high; {limit}"));
    assert_eq!(
        refused("map\n.#\n##\nheights in cm\n1 2\n3 4\n5 6\n"),
        "a.txt:7: found \"5 6\", expected nothing: there is a height for each of 2 rows"
    );
}

#[test]
fn heights_are_written_where_there_are_any_and_read_again() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.path().join(name);
    let mut grid = Grid::open_plain(Lattice::new(3, 1, 0.5).unwrap());
    let head = "throng ascii map\nlegend . = open\ncell_size = 0.5\nmap\n...\n";
    grid.save_ascii(path("a.txt")).unwrap();
    assert_eq!(std::fs::read_to_string(path("a.txt")).unwrap(), head);
    for (x, height) in (0..).zip([0, 1000, u16::MAX]) {
        grid.set_height(grid.lattice().cell(x, 0), height);
    }
    grid.save_ascii(path("a.txt")).unwrap();
    assert_eq!(std::fs::read_to_string(path("a.txt")).unwrap(), format!("{head}heights in cm\n0 1000 65535\n"));
    assert_eq!(Grid::load(path("a.txt")).unwrap(), grid);
    let white = grid.save_heights(path("a.png")).unwrap();
    assert!((white - 655.35).abs() < 1e-3, "{white}");
    let mut again = Grid::open_plain(grid.lattice());
    again.load_heights(path("a.png"), white).unwrap();
    assert_eq!(again, grid);
}

/// Of the map that is plain but for one thing, the words about each loss.
#[test]
fn each_format_tells_what_it_cannot_hold() {
    use throng_grid::geom::Vec2;
    use throng_grid::{Area, MapFormat, MapLink};
    let plain = |cell_size| Grid::open_plain(Lattice::new(4, 3, cell_size).unwrap());
    let with = |change: &dyn Fn(&mut Grid, throng_grid::Cell)| {
        let mut grid = plain(1.0);
        let cell = grid.lattice().cell(2, 1);
        change(&mut grid, cell);
        grid
    };
    let area = Area { name: "a".into(), corners: vec![Vec2::ZERO, Vec2::X, Vec2::ONE], properties: Vec::new() };
    let link = MapLink::new(Vec2::ZERO, Vec2::X, 1.0);
    let kinds =
        [MapFormat::MovingAi, MapFormat::Ascii, MapFormat::Tiled, MapFormat::GeoJson, MapFormat::Wkt, MapFormat::Png];
    let told = |grid: &Grid, areas: &[Area], links: &[MapLink]| {
        kinds.map(|kind| {
            let losses = kind.losses(grid, areas, links);
            losses
                .iter()
                .filter(|loss| !loss.what().starts_with("cells"))
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        })
    };
    assert_eq!(told(&plain(1.0), &[], &[]), [""; 6]);
    let wall = with(&|grid, cell| grid.set_open(cell, false));
    assert_eq!(told(&wall, &[], &[]), [""; 6]);
    let deep = with(&|grid, cell| {
        grid.set_open(cell, false);
        grid.set_terrain(cell, WATER);
    });
    let left_out = "terrain under walls; it is left out (1 cell)";
    assert_eq!(told(&deep, &[], &[]), ["", "", "", "", left_out, left_out]);
    let swamp = with(&|grid, cell| grid.set_terrain(cell, SWAMP));
    let becomes_plain = "terrain of class 1; it becomes plain ground (1 cell)";
    assert_eq!(told(&swamp, &[], &[]), ["", "", "", "", becomes_plain, becomes_plain]);
    let hill = with(&|grid, cell| grid.set_height(cell, 250));
    let heights = "heights, up to 2.5 m; an ASCII map (.txt) does";
    assert_eq!(told(&hill, &[], &[]), [heights, "", "", heights, heights, heights]);
    let areas = "spawn areas; a Tiled map (.tmx) does (1)";
    assert_eq!(told(&plain(1.0), &[area], &[]), [areas, areas, "", areas, areas, areas]);
    let links = "links; a Tiled map (.tmx) does (1)";
    assert_eq!(told(&plain(1.0), &[], &[link]), [links, links, "", links, links, links]);
    let sizes = |side: f32| kinds.map(|kind| kind.losses(&plain(side), &[], &[]).len());
    assert_eq!((sizes(1.0), sizes(0.25), sizes(3.0)), ([0, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 1, 1]));
}
