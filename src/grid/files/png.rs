//! Maps as PNG images: dark pixels are walls.
//! See [`Grid::load`] for what counts as dark.

use super::{Colours, lattice, looks_like};
use crate::grid::{Grid, Lattice, Layer, MapError};
use std::io::{self, Cursor, ErrorKind, Write};
use std::path::Path;

/// The first bytes of every PNG image.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// Pixels whose luma is below this are walls.
pub(super) const THRESHOLD: u8 = 128;

/// Reads an image; `file` is named in errors.
pub(super) fn read(bytes: &[u8], file: &Path) -> Result<Grid, MapError> {
    let lattice = |width: u32, height: u32| lattice(width.into(), height.into(), file);
    let to_bytes = png::Transformations::normalize_to_color8();
    let (lattice, luma) = sheet(bytes, file, to_bytes, lattice, brightness::<1>)?;
    let mut grid = Grid::closed(lattice);
    for (cell, _) in lattice.cells().zip(&luma).filter(|&(_, &[luma])| luma >= THRESHOLD) {
        grid.set_open(cell, true);
    }
    Ok(grid)
}

/// Reads an image whose colours a table explains.
pub(super) fn read_colours(bytes: &[u8], colours: &Colours, file: &Path) -> Result<Grid, MapError> {
    let lattice = |width: u32, height: u32| lattice(width.into(), height.into(), file);
    let to_bytes = png::Transformations::normalize_to_color8();
    let (lattice, pixels) = sheet(bytes, file, to_bytes, lattice, |pixel, _| rgb(pixel))?;
    colours.grid(lattice, pixels.into_iter(), file)
}

/// Reads an image of the heights (cm) of the cells of a map: black is 0, white is `white` metres.
pub(super) fn read_heights(bytes: &[u8], file: &Path, map: Lattice, white: f32) -> Result<Layer<u16>, MapError> {
    let fits = |width: u32, height: u32| {
        let (found, expected) = ((width, height), (map.width, map.height));
        if found == expected {
            Ok(map)
        } else {
            Err(MapError::HeightSize { file: file.to_path_buf(), found, expected })
        }
    };
    let (_, luma) = sheet(bytes, file, png::Transformations::EXPAND, fits, brightness::<2>)?;
    let most = (100.0 * f64::from(white)).round().clamp(0.0, u16::MAX.into()) as u64;
    let mut heights = Layer::new(map, 0);
    for (cell, &luma) in map.cells().zip(&luma) {
        heights[cell] = ((u64::from(u16::from_be_bytes(luma)) * most + 32_767) / 65_535) as u16;
    }
    Ok(heights)
}

/// The lattice that `lattice` makes of width and height, and what `convert` makes of every pixel, whose samples have two bytes
/// where it is told so.
fn sheet<const BYTES: usize>(
    bytes: &[u8],
    file: &Path,
    transformations: png::Transformations,
    lattice: impl FnOnce(u32, u32) -> Result<Lattice, MapError>,
    convert: impl Fn(&[u8], bool) -> [u8; BYTES],
) -> Result<(Lattice, Vec<[u8; BYTES]>), MapError> {
    if bytes.is_empty() {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "a PNG image" });
    }
    if !bytes.starts_with(SIGNATURE) {
        return Err(if SIGNATURE.starts_with(bytes) {
            MapError::Truncated { file: file.to_path_buf(), kind: "PNG", part: "header" }
        } else {
            MapError::NotImage { file: file.to_path_buf(), kind: "PNG", found: looks_like(bytes) }
        });
    }
    let failed = |part: &'static str| {
        move |error: png::DecodingError| match error {
            png::DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
                MapError::Truncated { file: file.to_path_buf(), kind: "PNG", part }
            }
            source => MapError::Damaged { file: file.to_path_buf(), kind: "PNG", source: source.into() },
        }
    };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(transformations);
    decoder.set_ignore_text_chunk(true);
    let (width, height) = decoder.read_header_info().map_err(failed("header"))?.size();
    let lattice = lattice(width, height)?;
    let mut reader = decoder.read_info().map_err(failed("header"))?;
    // The decoder trusts in whole colours.
    if reader.info().palette.as_ref().is_some_and(|palette| !palette.len().is_multiple_of(3)) {
        let source = "its palette ends within a colour".into();
        return Err(MapError::Damaged { file: file.to_path_buf(), kind: "PNG", source });
    }
    let (colour, depth) = reader.output_color_type();
    let (samples, is_deep) = (colour.samples(), depth == png::BitDepth::Sixteen);
    let mut sheet = Vec::with_capacity(width as usize * height as usize * BYTES);
    let mut line = Vec::new();
    while let Some(row) = reader.next_interlaced_row().map_err(failed("pixels"))? {
        line.clear();
        for pixel in row.data().chunks_exact(if is_deep { 2 * samples } else { samples }) {
            line.extend(convert(pixel, is_deep));
        }
        if let png::InterlaceInfo::Adam7(pass) = row.interlace() {
            sheet.resize(width as usize * height as usize * BYTES, u8::MAX);
            png::expand_interlaced_row(&mut sheet, width as usize * BYTES, &line, pass, 8 * BYTES as u8);
        } else {
            sheet.extend_from_slice(&line);
        }
    }
    Ok((lattice, sheet.as_chunks::<BYTES>().0.to_vec()))
}

/// The colour of a pixel of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) bytes, on white.
pub(super) fn rgb(pixel: &[u8]) -> [u8; 3] {
    let (rgb, alpha) = match *pixel {
        [grey] => ([grey; 3], 255),
        [grey, alpha] => ([grey; 3], alpha),
        [red, green, blue] => ([red, green, blue], 255),
        [red, green, blue, alpha] => ([red, green, blue], alpha),
        _ => ([255; 3], 0),
    };
    let alpha = u32::from(alpha);
    rgb.map(|part| ((u32::from(part) * alpha + 255 * (255 - alpha)) / 255) as u8)
}

/// Luma of a pixel of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) samples of one byte, or two where it is deep, on
/// white.
pub(super) fn brightness<const BYTES: usize>(pixel: &[u8], is_deep: bool) -> [u8; BYTES] {
    let mut samples = [0_u64; 4];
    let count = pixel.len() / (1 + usize::from(is_deep));
    for (i, sample) in samples.iter_mut().enumerate().take(count) {
        *sample = match (is_deep, BYTES) {
            (true, _) => u16::from_be_bytes([pixel[2 * i], pixel[2 * i + 1]]).into(),
            (false, 1) => pixel[i].into(),
            (false, _) => 257 * u64::from(pixel[i]),
        };
    }
    let white = if BYTES == 1 { 255 } else { 65_535 };
    let rgb = |r: u64, g: u64, b: u64| (299 * r + 587 * g + 114 * b) / 1000;
    let (luma, alpha) = match (count, samples) {
        (1, [grey, ..]) => (grey, white),
        (2, [grey, alpha, ..]) => (grey, alpha),
        (3, [r, g, b, _]) => (rgb(r, g, b), white),
        (4, [r, g, b, alpha]) => (rgb(r, g, b), alpha),
        _ => (white, 0),
    };
    let luma = ((luma * alpha + white * (white - alpha)) / white).to_be_bytes();
    std::array::from_fn(|i| luma[8 - BYTES + i])
}

/// Writes the heights of a map with 16 bits a pixel, black for 0 and white for `white` (cm).
pub(super) fn write_heights(grid: &Grid, white: u16, out: &mut impl Write) -> io::Result<()> {
    let lattice = grid.lattice();
    let mut encoder = png::Encoder::new(out, lattice.width, lattice.height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let white = u64::from(white.max(1));
    let grey = |height: u16| ((u64::from(height) * 65_535 + white / 2) / white).min(65_535) as u16;
    let bytes: Vec<u8> = lattice.cells().flat_map(|cell| grey(grid.height(cell)).to_be_bytes()).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}

/// Writes the map with one bit a pixel, white where open.
pub(super) fn write(grid: &Grid, out: &mut impl Write) -> io::Result<()> {
    let lattice = grid.lattice();
    let mut encoder = png::Encoder::new(out, lattice.width, lattice.height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let row_bytes = lattice.width.div_ceil(8) as usize;
    let mut bits = vec![0_u8; row_bytes * lattice.height as usize];
    for cell in lattice.cells().filter(|&cell| grid.is_open(cell)) {
        let (x, y) = lattice.column_row(cell);
        bits[y as usize * row_bytes + x as usize / 8] |= 0x80 >> (x % 8);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bits)?;
    writer.finish()?;
    Ok(())
}
