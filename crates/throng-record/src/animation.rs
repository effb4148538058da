//! Animations.

use super::{Picture, RecordError, palette};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// Writes pictures as the frames of a GIF that plays for ever.
///
/// The file appears under its name only with [`GifWriter::finish`]; a writer that is dropped before leaves nothing.
///
/// ```
/// use throng_record::{GifWriter, Picture, palette};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.gif");
/// let mut writer = GifWriter::create(&path, 64, 64)?;
/// for army in 0..3 {
///     writer.frame(&Picture::new(64, 64, palette::army(army)), 10)?;
/// }
/// writer.finish()?;
/// assert!(path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GifWriter {
    encoder: gif::Encoder<WholeFile>,
    path: PathBuf,
    width: u32,
    height: u32,
    /// The pixels on the screen, empty before the first frame.
    shown: Vec<u8>,
    frame: Vec<u8>,
}

impl std::fmt::Debug for GifWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GifWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

impl GifWriter {
    /// Starts an animation of `width` x `height` pixels.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be made or the size is more than a GIF can have.
    pub fn create(path: impl AsRef<Path>, width: u32, height: u32) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref(), width, height)
    }

    fn create_at(path: &Path, width: u32, height: u32) -> Result<Self, RecordError> {
        let path = path.to_path_buf();
        let (Ok(columns @ 1..), Ok(rows @ 1..)) = (u16::try_from(width), u16::try_from(height)) else {
            return Err(RecordError::Size { file: path, width, height });
        };
        let attempt = || -> io::Result<_> {
            let out = WholeFile::create(&path)?;
            let mut encoder = gif::Encoder::new(out, columns, rows, &palette::palette()).map_err(as_io)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(as_io)?;
            Ok(encoder)
        };
        let encoder = attempt().map_err(RecordError::write(&path))?;
        Ok(Self { encoder, path, width, height, shown: Vec::new(), frame: Vec::new() })
    }

    /// Adds a frame that is shown for `delay` hundredths of a second; browsers slow down those below 2.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be written or the picture has another size than the animation.
    pub fn frame(&mut self, picture: &Picture, delay: u16) -> Result<(), RecordError> {
        let (found, expected) = ((picture.width, picture.height), (self.width, self.height));
        if found != expected {
            return Err(RecordError::FrameSize { file: self.path.clone(), found, expected });
        }
        let first = self.shown.is_empty();
        let [left, top, width, height] = difference(&self.shown, picture, &mut self.frame).map(|number| number as u16);
        self.shown.clear();
        self.shown.extend(&picture.pixels);
        let frame = gif::Frame {
            delay,
            transparent: (!first).then_some(palette::KEEP),
            left,
            top,
            width,
            height,
            buffer: Cow::Borrowed(&self.frame),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| self.failed(as_io(error)))
    }

    /// Ends the animation and gives the file its name.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        let Self { encoder, path, .. } = self;
        let attempt = || {
            let mut out = encoder.into_inner().map_err(as_io)?;
            out.flush()?;
            out.finish()
        };
        attempt().map_err(RecordError::write(&path))
    }

    fn failed(&self, source: io::Error) -> RecordError {
        RecordError::Write { file: self.path.clone(), source }
    }
}

/// Writes pictures as an animated PNG that plays for ever, whole or not at all: each is shown for so many hundredths of a
/// second. Programs that know no animations show the first.
///
/// ```
/// use throng_record::{Picture, palette, write_apng};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.png");
/// let [red, blue] = [0, 1].map(|army| Picture::new(64, 64, palette::army(army)));
/// write_apng(&path, &[(&red, 10), (&blue, 50)])?;
/// assert!(path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RecordError::Write`] where the file cannot be written or there is no picture, [`RecordError::FrameSize`] where one has
/// another size than the first.
pub fn write_apng(path: impl AsRef<Path>, pictures: &[(&Picture, u16)]) -> Result<(), RecordError> {
    write_apng_at(path.as_ref(), pictures)
}

fn write_apng_at(path: &Path, pictures: &[(&Picture, u16)]) -> Result<(), RecordError> {
    let expected = pictures.first().map_or((0, 0), |(first, _)| (first.width, first.height));
    let size = |picture: &Picture| (picture.width, picture.height);
    if let Some(found) = pictures.iter().map(|(picture, _)| size(picture)).find(|&found| found != expected) {
        return Err(RecordError::FrameSize { file: path.to_path_buf(), found, expected });
    }
    play_apng(path, expected, pictures.len(), |show| {
        pictures.iter().try_for_each(|&(picture, delay)| show(picture, delay))
    })
}

/// Writes the `count` pictures of one size that `play` shows one after the other, each with its delay, as [`write_apng`].
///
/// # Errors
/// [`RecordError::Write`] where the file cannot be written.
pub(super) fn play_apng(
    path: &Path,
    (width, height): (u32, u32),
    count: usize,
    play: impl FnOnce(&mut dyn FnMut(&Picture, u16) -> io::Result<()>) -> io::Result<()>,
) -> Result<(), RecordError> {
    let attempt = || -> io::Result<()> {
        let mut out = WholeFile::create(path)?;
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette::palette().to_vec());
        // All are opaque but the one that keeps a pixel.
        let opacity: Vec<u8> = (0..=palette::KEEP).map(|index| if index == palette::KEEP { 0 } else { 255 }).collect();
        encoder.set_trns(opacity);
        encoder.set_compression(png::Compression::Balanced);
        // Neighbouring indices are no neighbouring colours: filters only do harm.
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_animated(count as u32, 0)?;
        encoder.set_blend_op(png::BlendOp::Over)?;
        let mut writer = encoder.write_header()?;
        let (mut shown, mut frame) = (Vec::new(), Vec::new());
        play(&mut |picture, delay| {
            let [left, top, width, height] = difference(&shown, picture, &mut frame).map(|number| number as u32);
            // Smaller first, then to its place: both must lie within the picture at all times.
            writer.reset_frame_position()?;
            writer.set_frame_dimension(width, height)?;
            writer.set_frame_position(left, top)?;
            writer.set_frame_delay(delay, 100)?;
            writer.write_image_data(&frame)?;
            shown.clone_from(&picture.pixels);
            Ok(())
        })?;
        writer.finish()?;
        out.finish()
    };
    attempt().map_err(RecordError::write(path))
}

/// Writes into `frame` what is to be drawn over `shown`, nothing for a start, to get a picture: the rectangle (left, top,
/// width, height) outside of which nothing changes, where [`palette::KEEP`] keeps a pixel.
fn difference(shown: &[u8], picture: &Picture, frame: &mut Vec<u8>) -> [usize; 4] {
    let width = picture.width as usize;
    frame.clear();
    if shown.is_empty() {
        frame.extend(&picture.pixels);
        return [0, 0, width, picture.height as usize];
    }
    let (left, top, right, bottom) = changed(shown, &picture.pixels, width);
    for y in top..bottom {
        let row = y * width + left..y * width + right;
        let pairs = picture.pixels[row.clone()].iter().zip(&shown[row]);
        frame.extend(pairs.map(|(&new, &old)| if new == old { palette::KEEP } else { new }));
    }
    [left, top, right - left, bottom - top]
}

/// The smallest rectangle (left, top, right, bottom) outside of which two pictures are equal; one pixel where they
/// are equal everywhere, because a frame needs one.
fn changed(old: &[u8], new: &[u8], width: usize) -> (usize, usize, usize, usize) {
    let (mut left, mut top, mut right, mut bottom) = (width, usize::MAX, 0, 0);
    for (y, (old, new)) in old.chunks_exact(width).zip(new.chunks_exact(width)).enumerate() {
        let differs = |x: &usize| old[*x] != new[*x];
        let Some(from) = (0..width).find(differs) else { continue };
        let to = (from..width).rfind(differs).unwrap_or(from);
        (left, right) = (left.min(from), right.max(to + 1));
        (top, bottom) = (top.min(y), y + 1);
    }
    if bottom == 0 { (0, 0, 1, 1) } else { (left, top, right, bottom) }
}

fn as_io(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}
