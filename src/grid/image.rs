//! Maps as PNG images: dark pixels are walls.
//! See [`Grid::load`] for what counts as dark.

use super::{Grid, MapError, file, movingai};
use std::io::{self, Cursor, ErrorKind, Write};
use std::path::Path;

/// The first bytes of every PNG image.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// Pixels whose luma is below this are walls.
pub(super) const THRESHOLD: u8 = 128;

/// Reads an image; `file` is named in errors.
pub(super) fn read(bytes: &[u8], file: &Path) -> Result<Grid, MapError> {
    if bytes.is_empty() {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "a PNG image" });
    }
    if !bytes.starts_with(SIGNATURE) {
        return Err(if SIGNATURE.starts_with(bytes) {
            MapError::Truncated { file: file.to_path_buf(), part: "header" }
        } else {
            MapError::NotPng { file: file.to_path_buf(), found: file::looks_like(bytes) }
        });
    }
    let failed = |part: &'static str| {
        move |error: png::DecodingError| match error {
            png::DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
                MapError::Truncated { file: file.to_path_buf(), part }
            }
            source => MapError::Damaged { file: file.to_path_buf(), source },
        }
    };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    let (width, height) = decoder.read_header_info().map_err(failed("header"))?.size();
    let lattice = movingai::lattice(width.into(), height.into(), file)?;
    let mut reader = decoder.read_info().map_err(failed("header"))?;
    let samples = reader.output_color_type().0.samples();
    let (mut grid, mut y) = (Grid::closed(lattice), 0);
    let (mut luma, mut sheet) = (Vec::new(), Vec::new());
    while let Some(row) = reader.next_interlaced_row().map_err(failed("pixels"))? {
        luma.clear();
        luma.extend(row.data().chunks_exact(samples).map(brightness));
        if let png::InterlaceInfo::Adam7(pass) = row.interlace() {
            sheet.resize(width as usize * height as usize, u8::MAX);
            png::expand_interlaced_row(&mut sheet, width as usize, &luma, pass, 8);
        } else {
            open_row(&mut grid, y, &luma);
            y += 1;
        }
    }
    for (row, y) in sheet.chunks_exact(width as usize).zip(0..) {
        open_row(&mut grid, y, row);
    }
    Ok(grid)
}

/// Luma of a pixel of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) samples, on white.
fn brightness(pixel: &[u8]) -> u8 {
    let rgb = |r: u8, g: u8, b: u8| (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000;
    let (luma, alpha) = match *pixel {
        [grey] => (u32::from(grey), 255),
        [grey, alpha] => (u32::from(grey), u32::from(alpha)),
        [r, g, b] => (rgb(r, g, b), 255),
        [r, g, b, alpha] => (rgb(r, g, b), u32::from(alpha)),
        _ => (255, 0),
    };
    ((luma * alpha + 255 * (255 - alpha)) / 255) as u8
}

fn open_row(grid: &mut Grid, y: u32, luma: &[u8]) {
    for (x, &luma) in (0..).zip(luma) {
        if luma >= THRESHOLD {
            grid.set_open(grid.lattice().cell(x, y), true);
        }
    }
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
