//! Maps as BMP, GIF, JPEG and WebP images: images that are read, and the exact words about refused ones.
#![allow(clippy::unwrap_used, missing_docs)]

use image::{DynamicImage, ImageFormat, Luma, Rgb, Rgba};
use proptest::prelude::*;
use std::io::Cursor;
use throng_grid::{Grid, Lattice};

const FORMATS: [(&str, ImageFormat); 4] =
    [("bmp", ImageFormat::Bmp), ("gif", ImageFormat::Gif), ("jpg", ImageFormat::Jpeg), ("webp", ImageFormat::WebP)];

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn load(name: &str, bytes: &[u8]) -> Result<Grid, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    Grid::load(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

fn refused(name: &str, bytes: &[u8], message: &str) {
    assert_eq!(load(name, bytes).unwrap_err(), message);
}

/// Walls of 8 x 8 pixels, which JPEG does not blur.
fn blocks(grid: &Grid) -> DynamicImage {
    let lattice = grid.lattice();
    DynamicImage::ImageRgb8(image::ImageBuffer::from_fn(lattice.width, lattice.height, |x, y| {
        if grid.is_open(lattice.cell(x, y)) { Rgb([250, 240, 230]) } else { Rgb([20, 30, 10]) }
    }))
}

fn chequered(columns: u32, rows: u32, side: u32, pattern: u64) -> Grid {
    let lattice = Lattice::new(columns * side, rows * side, 1.0).unwrap();
    let mut grid = Grid::closed(lattice);
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        grid.set_open(cell, pattern >> ((y / side * columns + x / side) % 64) & 1 == 1);
    }
    grid
}

/// The threshold is that of PNG images: luma in whole numbers, on a white sheet.
#[test]
fn brightness_counts_as_in_png() {
    let grey = |value: u8| DynamicImage::ImageLuma8(image::ImageBuffer::from_pixel(1, 1, Luma([value])));
    let rgb = |value: [u8; 3]| DynamicImage::ImageRgb8(image::ImageBuffer::from_pixel(1, 1, Rgb(value)));
    let rgba = |value: [u8; 4]| DynamicImage::ImageRgba8(image::ImageBuffer::from_pixel(1, 1, Rgba(value)));
    for (name, format) in [("a.bmp", ImageFormat::Bmp), ("a.gif", ImageFormat::Gif), ("a.webp", ImageFormat::WebP)] {
        let is_open = |image: &DynamicImage| load(name, &encoded(image, format)).unwrap().open_cells() == 1;
        assert!(!is_open(&rgb([127; 3])) && is_open(&rgb([128; 3])), "{name}");
        assert!(!is_open(&rgb([255, 0, 0])) && is_open(&rgb([0, 255, 0])), "{name}");
    }
    for (image, open) in [(grey(127), 0), (grey(128), 1)] {
        for (name, format) in [("a.bmp", ImageFormat::Bmp), ("a.jpg", ImageFormat::Jpeg), ("a.webp", ImageFormat::WebP)]
        {
            assert_eq!(load(name, &encoded(&image, format)).unwrap().open_cells(), open, "{name}");
        }
    }
    // Half transparent black is darker than half of white, and fully transparent pixels are white.
    for (image, open) in [(rgba([9, 9, 9, 0]), 1), (rgba([0, 0, 0, 128]), 0), (rgba([0, 0, 0, 127]), 1)] {
        assert_eq!(load("a.webp", &encoded(&image, ImageFormat::WebP)).unwrap().open_cells(), open);
    }
}

#[test]
fn images_are_known_by_their_first_bytes() {
    let grid = chequered(3, 2, 8, 0b10_1101);
    for (ending, format) in FORMATS {
        let bytes = encoded(&blocks(&grid), format);
        for name in [&format!("a.{ending}"), "a.png", "a.map", "plan"] {
            assert_eq!(load(name, &bytes).unwrap(), grid, "{ending} named {name}");
        }
    }
}

/// A photograph that was taken with the camera on its side: "turn me a quarter to the right".
#[test]
fn cameras_say_which_side_is_up() {
    let grid = chequered(3, 2, 8, 0b00_0001);
    let bytes = encoded(&blocks(&grid), ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    let length = (exif.len() as u16 + 2).to_be_bytes();
    exif.splice(0..0, [0xFF, 0xE1, length[0], length[1]]);
    let turned = load("a.jpg", &[&bytes[..2], &exif, &bytes[2..]].concat()).unwrap();
    let lattice = turned.lattice();
    assert_eq!((lattice.width, lattice.height), (16, 24));
    let open: Vec<_> = lattice.cells().filter(|&cell| turned.is_open(cell)).map(|c| lattice.column_row(c)).collect();
    assert_eq!(
        (open.len(), open[0], open[63]),
        (64, (8, 0), (15, 7)),
        "the upper left corner is the upper right one now"
    );
}

#[test]
fn what_is_no_image_is_refused() {
    refused("a.jpg", b"", "a.jpg: the file is empty; expected a JPEG image");
    refused("a.JPEG", b"hello", "a.JPEG: this is no JPEG image, it looks like text; convert it to JPEG");
    refused("a.bmp", b"BMP of my house", "a.bmp: this is no BMP image, it looks like text; convert it to BMP");
    refused("a.gif", b"<html>", "a.gif: this is no GIF image, it looks like XML or HTML; convert it to GIF");
    refused(
        "a.webp",
        b"RIFF\0\0\0\0WAVE",
        "a.webp: this is no WebP image, it looks like binary data; convert it to WebP",
    );
}

/// A few bytes may claim to be a picture of any size.
#[test]
fn the_size_is_checked_before_pixels_are_unpacked() {
    let gif = |width: u16, height: u16| {
        let mut bytes = encoded(&DynamicImage::new_rgb8(8, 8), ImageFormat::Gif);
        bytes[6..8].copy_from_slice(&width.to_le_bytes());
        bytes[8..10].copy_from_slice(&height.to_le_bytes());
        bytes
    };
    let limit = "at most 16384 x 16384 cells can be read, split the map";
    refused("a.gif", &gif(16_385, 2), &format!("a.gif: the map is 16385 wide and 2 high; {limit}"));
    let memory =
        "a.gif: the GIF image unpacks to 1024 MiB, at most 256 MiB can be read; make it smaller or save it as PNG";
    refused("a.gif", &gif(16_384, 16_384), memory);
    let mut bmp = encoded(&DynamicImage::new_rgb8(8, 8), ImageFormat::Bmp);
    bmp[18..22].copy_from_slice(&16_000_u32.to_le_bytes());
    bmp[22..26].copy_from_slice(&16_000_u32.to_le_bytes());
    let memory =
        "a.bmp: the BMP image unpacks to 732 MiB, at most 256 MiB can be read; make it smaller or save it as PNG";
    refused("a.bmp", &bmp, memory);
    let mut jpeg = encoded(&DynamicImage::new_rgb8(8, 8), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|mark| mark == [0xFF, 0xC0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xFF; 4]);
    refused("a.jpg", &jpeg, &format!("a.jpg: the map is 65535 wide and 65535 high; {limit}"));
}

#[test]
fn cut_images_are_refused() {
    let image = blocks(&chequered(5, 4, 8, 0xA5C3_96F0_1234_5678));
    for (ending, format) in FORMATS {
        let whole = encoded(&image, format);
        let name = format!("a.{ending}");
        // The last bytes may be padding, or a mark that it ends here.
        let least = whole.len() - whole.len() / 10;
        for length in 4..least {
            let message =
                load(&name, &whole[..length]).expect_err(&format!("{length} bytes of {} of {name}", whole.len()));
            assert!(
                message.starts_with(&format!("{name}: this is no ")) || message.contains(" image is "),
                "{message}"
            );
        }
    }
    let whole = encoded(&image, ImageFormat::Jpeg);
    refused("a.jpg", &whole[..whole.len() - 20], "a.jpg: the JPEG image is cut off in the pixels; get a whole copy");
    let whole = encoded(&image, ImageFormat::Gif);
    refused("a.gif", &whole[..8], "a.gif: the GIF image is cut off in the header; get a whole copy");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    #[test]
    fn every_kind_of_image_holds_walls(columns in 1..9_u32, rows in 1..7_u32, pattern in any::<u64>()) {
        for (ending, format) in FORMATS {
            // JPEG works on blocks of 16 x 16 pixels.
            let side = if ending == "jpg" { 16 } else { 1 };
            let grid = chequered(columns, rows, side, pattern);
            prop_assert_eq!(load(&format!("a.{ending}"), &encoded(&blocks(&grid), format)).unwrap(), grid);
        }
    }

    /// Bytes of all sorts end in a map or in an error, never in a panic.
    #[test]
    fn no_bytes_can_panic_the_readers(at in any::<prop::sample::Index>(), noise in prop::collection::vec(any::<u8>(), 1..20)) {
        let image = blocks(&chequered(5, 4, 8, 0xA5C3_96F0_1234_5678));
        for (ending, format) in FORMATS {
            let mut bytes = encoded(&image, format);
            let start = at.index(bytes.len());
            for (byte, noise) in bytes[start..].iter_mut().zip(&noise) {
                *byte = *noise;
            }
            let _ = load(&format!("a.{ending}"), &bytes);
            let _ = load(&format!("a.{ending}"), &bytes[..start]);
        }
    }
}
