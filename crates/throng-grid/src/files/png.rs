//! Maps as PNG images: dark pixels are walls.
//! See [`Grid::load`] for what counts as dark.

use super::colours::Colouring;
use super::format::{SIGNATURE, looks_like};
use super::tones::Tones;
use super::{Colours, lattice};
use crate::{Grid, Lattice, Layer, MapError};
use std::io::{self, Cursor, ErrorKind, Write};
use std::path::Path;

/// Reads an image; `file` is named in errors.
pub(super) fn read(bytes: &[u8], tones: &Tones, file: &Path) -> Result<Grid, MapError> {
    let sheet = Sheet::open(bytes, file, png::Transformations::normalize_to_color8())?;
    let lattice = lattice(sheet.width.into(), sheet.height.into(), file)?;
    let mut grid = Grid::closed(lattice);
    sheet.rows(brightness::<1>, |y, row| {
        for (x, _) in (0..).zip(row).filter(|&(_, &[luma])| tones.is_open(luma)) {
            grid.set_open(lattice.cell(x, y), true);
        }
    })?;
    Ok(grid)
}

/// Reads an image whose colours a table explains.
pub(super) fn read_colours(bytes: &[u8], colours: &Colours, file: &Path) -> Result<Grid, MapError> {
    let sheet = Sheet::open(bytes, file, png::Transformations::normalize_to_color8())?;
    let mut painting = colours.painting(lattice(sheet.width.into(), sheet.height.into(), file)?);
    sheet.rows(|pixel, _| rgb(pixel), |y, row| painting.row(y, row.iter().copied()))?;
    painting.finish(file)
}

/// Reads an image of the heights (cm) of the cells of a map: black is 0, white is `white` metres.
pub(super) fn read_heights(bytes: &[u8], file: &Path, map: Lattice, white: f32) -> Result<Layer<u16>, MapError> {
    let sheet = Sheet::open(bytes, file, png::Transformations::EXPAND)?;
    let (found, expected) = ((sheet.width, sheet.height), (map.width, map.height));
    if found != expected {
        return Err(MapError::HeightSize { file: file.to_path_buf(), found, expected });
    }
    let most = (100.0 * f64::from(white)).round().clamp(0.0, u16::MAX.into()) as u64;
    let mut heights = Layer::new(map, 0);
    sheet.rows(brightness::<2>, |y, row| {
        for (x, &luma) in (0..).zip(row) {
            heights[map.cell(x, y)] = ((u64::from(u16::from_be_bytes(luma)) * most + 32_767) / 65_535) as u16;
        }
    })?;
    Ok(heights)
}

/// An image of which the size is known.
struct Sheet<'a> {
    decoder: png::Decoder<Cursor<&'a [u8]>>,
    file: &'a Path,
    width: u32,
    height: u32,
}

impl<'a> Sheet<'a> {
    fn open(bytes: &'a [u8], file: &'a Path, transformations: png::Transformations) -> Result<Self, MapError> {
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
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(transformations);
        decoder.set_ignore_text_chunk(true);
        let (width, height) = decoder.read_header_info().map_err(failed(file, "header"))?.size();
        Ok(Self { decoder, file, width, height })
    }

    /// Calls `take` with each row: its number, and what `convert` makes of its pixels, whose samples have two bytes where it is
    /// told so.
    fn rows<const BYTES: usize>(
        self,
        convert: impl Fn(&[u8], bool) -> [u8; BYTES],
        mut take: impl FnMut(u32, &[[u8; BYTES]]),
    ) -> Result<(), MapError> {
        let Self { decoder, file, width, height } = self;
        let mut reader = decoder.read_info().map_err(failed(file, "header"))?;
        // The decoder trusts in whole colours.
        if reader.info().palette.as_ref().is_some_and(|palette| !palette.len().is_multiple_of(3)) {
            let source = "its palette ends within a colour".into();
            return Err(MapError::Damaged { file: file.to_path_buf(), kind: "PNG", source });
        }
        let (colour, depth) = reader.output_color_type();
        let (samples, is_deep) = (colour.samples(), depth == png::BitDepth::Sixteen);
        // Only of interlaced images all of it is held.
        let (mut line, mut sheet, mut y) = (Vec::new(), Vec::new(), 0);
        while let Some(row) = reader.next_interlaced_row().map_err(failed(file, "pixels"))? {
            line.clear();
            for pixel in row.data().chunks_exact(if is_deep { 2 * samples } else { samples }) {
                line.extend(convert(pixel, is_deep));
            }
            if let png::InterlaceInfo::Adam7(pass) = row.interlace() {
                sheet.resize(width as usize * height as usize * BYTES, u8::MAX);
                png::expand_interlaced_row(&mut sheet, width as usize * BYTES, &line, pass, 8 * BYTES as u8);
            } else {
                take(y, line.as_chunks().0);
                y += 1;
            }
        }
        for (y, row) in (0..).zip(sheet.chunks_exact(width as usize * BYTES)) {
            take(y, row.as_chunks().0);
        }
        Ok(())
    }
}

fn failed(file: &Path, part: &'static str) -> impl Fn(png::DecodingError) -> MapError {
    move |error| match error {
        png::DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            MapError::Truncated { file: file.to_path_buf(), kind: "PNG", part }
        }
        source => MapError::Damaged { file: file.to_path_buf(), kind: "PNG", source: source.into() },
    }
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

/// Writes the map with one byte a pixel and a palette.
pub(super) fn write_coloured(grid: &Grid, colours: &Colouring, out: &mut impl Write) -> io::Result<()> {
    let lattice = grid.lattice();
    let mut encoder = png::Encoder::new(out, lattice.width, lattice.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(colours.palette());
    let bytes: Vec<u8> = lattice.cells().map(|cell| colours.index(grid, cell)).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}

impl Grid {
    /// Reads the heights of the cells from a grey PNG image of the map's size: black is 0 and white `white` metres, rounded
    /// to centimetres and at most 655.35 m. All colour types and depths of PNG are read, 16 bits in full; of colours the luma
    /// counts, as in [`Grid::load`].
    ///
    /// # Errors
    /// [`MapError`] where the file is no PNG image or has another size than the map.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("hill.png");
    /// use throng_grid::{Grid, Lattice};
    /// let mut hill = Grid::open_plain(Lattice::new(3, 3, 1.0)?);
    /// hill.set_height(hill.lattice().cell(1, 1), 250);
    /// hill.save_heights(&path)?;
    /// let mut plain = Grid::open_plain(hill.lattice());
    /// plain.load_heights(&path, 2.5)?;
    /// assert_eq!(plain, hill);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_heights(&mut self, path: impl AsRef<Path>, white: f32) -> Result<(), MapError> {
        self.load_heights_at(path.as_ref(), white)
    }

    fn load_heights_at(&mut self, path: &Path, white: f32) -> Result<(), MapError> {
        let heights = read_heights(&super::read(path)?, path, self.lattice(), white)?;
        for cell in self.lattice().cells() {
            self.set_height(cell, heights[cell]);
        }
        Ok(())
    }

    /// Writes the heights of the cells as a grey PNG image of 16 bits: black is 0, white the highest cell's height, which is
    /// returned (m). With that, [`Grid::load_heights`] reads the same heights again.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_heights(&self, path: impl AsRef<Path>) -> Result<f32, MapError> {
        self.save_heights_at(path.as_ref())
    }

    fn save_heights_at(&self, path: &Path) -> Result<f32, MapError> {
        let white = self.height_layer().and_then(|heights| heights.cells.iter().copied().max()).unwrap_or(0);
        super::write(path, |out| write_heights(self, white, out))?;
        Ok(f32::from(white) / 100.0)
    }

    /// Writes the map as a PNG image with one bit a pixel: white for open cells, black for closed ones. The file is
    /// written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_png_at(path.as_ref())
    }

    fn save_png_at(&self, path: &Path) -> Result<(), MapError> {
        super::write(path, |out| self::write(self, out))
    }

    /// Writes the map as a PNG image with a colour for each class of terrain, open and walled, and the table of the
    /// colours' meanings. With the table, [`MapFile::load`](crate::MapFile::load) reads the same walls and terrain
    /// again. Without it, walls are dark enough to be read as walls. Each file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where a file cannot be written, or there are more than the 256 colours of a table.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (image, table) = (folder.path().join("pond.png"), folder.path().join("pond.toml"));
    /// use throng_grid::{Colours, Grid, Lattice, MapFile, MapOptions};
    /// let mut pond = Grid::open_plain(Lattice::new(3, 2, 1.0)?);
    /// pond.set_terrain(pond.lattice().cell(1, 0), 7);
    /// pond.save_coloured(&image, &table)?;
    /// let options = MapOptions { colours: Some(Colours::load(&table)?), ..MapOptions::default() };
    /// assert_eq!(MapFile::load(&image, &options)?.grid, pond);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_coloured(&self, image: impl AsRef<Path>, table: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_coloured_at(image.as_ref(), table.as_ref())
    }

    fn save_coloured_at(&self, image: &Path, table: &Path) -> Result<(), MapError> {
        let colours = Colouring::of(self).map_err(|source| MapError::Write { file: image.to_path_buf(), source })?;
        super::write(image, |out| write_coloured(self, &colours, out))?;
        super::write(table, |out| out.write_all(colours.table().as_bytes()))
    }
}
