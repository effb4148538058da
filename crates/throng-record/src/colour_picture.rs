//! Pictures in true colour.

use super::RecordError;
use std::io::{self, Write};
use std::path::Path;
use throng_grid::whole_file::WholeFile;

/// A sheet of opaque colours, row by row: red, green and blue of each pixel.
///
/// ```
/// use throng_record::ColourPicture;
/// # let folder = tempfile::tempdir()?;
/// let mut picture = ColourPicture::new(64, 48, [90, 106, 70]);
/// picture.pixels[64 * 24 + 32] = [255, 79, 18];
/// picture.write_png(folder.path().join("a.png"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColourPicture {
    /// Pixels a row.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Red, green and blue of each pixel; `width * height` of them.
    pub pixels: Vec<[u8; 3]>,
}

impl ColourPicture {
    /// A picture of one colour.
    pub fn new(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// A picture of pixels that have a fourth channel, which is left out: four bytes a pixel, row by row. Pixels that are
    /// missing are black, those beyond the last row are left out.
    ///
    /// ```
    /// use throng_record::ColourPicture;
    /// let picture = ColourPicture::from_rgba(2, 1, &[1, 2, 3, 255, 4, 5, 6, 255]);
    /// assert_eq!(picture.pixels, [[1, 2, 3], [4, 5, 6]]);
    /// ```
    pub fn from_rgba(width: u32, height: u32, bytes: &[u8]) -> Self {
        let mut picture = Self::default();
        picture.set_rgba(width, height, bytes);
        picture
    }

    /// Becomes [`from_rgba`](Self::from_rgba) in the memory that it has.
    pub(super) fn set_rgba(&mut self, width: u32, height: u32, bytes: &[u8]) {
        let count = width as usize * height as usize;
        (self.width, self.height) = (width, height);
        self.pixels.clear();
        self.pixels.extend(bytes.as_chunks().0.iter().take(count).map(|&[red, green, blue, _]| [red, green, blue]));
        self.pixels.resize(count, [0; 3]);
    }

    /// Writes the picture as a PNG file with 8 bits a channel, whole or not at all.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        self.write_png_at(path.as_ref())
    }

    fn write_png_at(&self, path: &Path) -> Result<(), RecordError> {
        let attempt = || -> io::Result<()> {
            let mut out = WholeFile::create(path)?;
            let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_compression(png::Compression::Fast);
            encoder.set_filter(png::Filter::Adaptive);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(self.pixels.as_flattened())?;
            writer.finish()?;
            out.flush()?;
            out.finish()
        };
        attempt().map_err(RecordError::write(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_holds_the_colours() {
        let mut picture = ColourPicture::new(30, 20, [1, 2, 3]);
        for (pixel, number) in picture.pixels.iter_mut().zip(0_u32..) {
            *pixel = [number as u8, (number * 7) as u8, (number / 3) as u8];
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        picture.write_png(&path).unwrap();
        let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; 30 * 20 * 3];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (30, 20, png::ColorType::Rgb));
        assert_eq!(bytes, picture.pixels.as_flattened());

        let nowhere = folder.path().join("no/a.png");
        let message = picture.write_png(&nowhere).unwrap_err().to_string();
        assert!(message.contains("no/a.png: cannot be written"), "{message}");
        // One that has not its pixels is refused, and nothing is left behind.
        picture.pixels.pop();
        let short = folder.path().join("short.png");
        assert!(picture.write_png(&short).is_err() && !short.exists());
    }
}
