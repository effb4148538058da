//! Animations.

use super::{Picture, RecordError, palette};
use crate::whole_file::WholeFile;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes pictures as the frames of a GIF that plays for ever.
///
/// The file appears under its name only with [`GifWriter::finish`]; a writer that is dropped before leaves nothing.
///
/// ```
/// use throng::record::{GifWriter, Picture, palette};
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
    /// What is on the screen, empty before the first frame.
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
        let path = path.as_ref().to_path_buf();
        let (Ok(columns @ 1..), Ok(rows @ 1..)) = (u16::try_from(width), u16::try_from(height)) else {
            return Err(RecordError::Size { file: path, width, height });
        };
        let attempt = || -> io::Result<_> {
            let out = WholeFile::create(&path)?;
            let mut encoder = gif::Encoder::new(out, columns, rows, &palette::palette()).map_err(as_io)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(as_io)?;
            Ok(encoder)
        };
        match attempt() {
            Ok(encoder) => Ok(Self { encoder, path, width, height, shown: Vec::new(), frame: Vec::new() }),
            Err(source) => Err(RecordError::Write { file: path, source }),
        }
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
        let width = self.width as usize;
        let first = self.shown.is_empty();
        let (left, top, right, bottom) =
            if first { (0, 0, width, self.height as usize) } else { changed(&self.shown, &picture.pixels, width) };
        self.frame.clear();
        for y in top..bottom {
            let row = y * width + left..y * width + right;
            if first {
                self.frame.extend(&picture.pixels[row]);
            } else {
                let pairs = picture.pixels[row.clone()].iter().zip(&self.shown[row]);
                self.frame.extend(pairs.map(|(&new, &old)| if new == old { palette::KEEP } else { new }));
            }
        }
        self.shown.clear();
        self.shown.extend(&picture.pixels);
        let frame = gif::Frame {
            delay,
            transparent: (!first).then_some(palette::KEEP),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
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
        attempt().map_err(|source| RecordError::Write { file: path, source })
    }

    fn failed(&self, source: io::Error) -> RecordError {
        RecordError::Write { file: self.path.clone(), source }
    }
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
