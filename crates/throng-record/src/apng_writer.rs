//! Animated PNGs.
//!
//! The chunks are those of the PNG specification (W3C, third edition, 2025), written by hand: frames are packed on several
//! threads, and the file is the same for any number of threads.

use super::frame_change::{FrameChange, Screen};
use super::{ColourTable, Picture, RecordError};
use flate2::{Compression, write::ZlibEncoder};
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// Frames that are packed at a time.
const BATCH: usize = 16;

/// How hard zlib tries: level 6 is 1 % smaller and takes twice as long.
const LEVEL: u32 = 4;

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
    let size = pictures.first().map_or((0, 0), |(first, _)| (first.width, first.height));
    let mut writer = ApngWriter::create(path, size, pictures.len(), &ColourTable::plan(), 0)?;
    for &(picture, delay) in pictures {
        writer.frame(picture, delay, true)?;
    }
    writer.finish()
}

/// Writes an animated PNG of a number of frames that is known before.
#[derive(Debug)]
pub(super) struct ApngWriter {
    out: WholeFile,
    path: PathBuf,
    size: (u32, u32),
    screen: Screen,
    /// Frames that are not written yet.
    waiting: Vec<FrameChange>,
    /// Chunks of animation so far: each has its number.
    sequence: u32,
    /// Frames that are still to come.
    missing: usize,
}

impl ApngWriter {
    /// Starts an animation of `count` frames in the colours of a table; `tolerance` as of a GIF.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made or no size or no frame is left.
    pub fn create(
        path: &Path,
        size: (u32, u32),
        count: usize,
        table: &ColourTable,
        tolerance: u8,
    ) -> Result<Self, RecordError> {
        let attempt = || -> io::Result<_> {
            let is_side = |side: u32| (1..=i32::MAX as u32).contains(&side);
            if count == 0 || !is_side(size.0) || !is_side(size.1) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "an animation needs a picture with pixels"));
            }
            let mut out = WholeFile::create(path)?;
            out.write_all(b"\x89PNG\r\n\x1a\n")?;
            // Eight bits a pixel, indexed, not interlaced.
            let head = [&size.0.to_be_bytes()[..], &size.1.to_be_bytes(), &[8, 3, 0, 0, 0]].concat();
            chunk(&mut out, *b"IHDR", &head)?;
            chunk(&mut out, *b"acTL", &[(count as u32).to_be_bytes(), 0_u32.to_be_bytes()].concat())?;
            chunk(&mut out, *b"PLTE", &table.flat())?;
            // All are opaque but the one that keeps a pixel.
            let opacity: Vec<u8> =
                (0..=table.keep()).map(|index| if index == table.keep() { 0 } else { 255 }).collect();
            chunk(&mut out, *b"tRNS", &opacity)?;
            Ok(out)
        };
        let out = attempt().map_err(RecordError::write(path))?;
        let (screen, path) = (Screen::new(table, tolerance), path.to_path_buf());
        Ok(Self { out, path, size, screen, waiting: Vec::new(), sequence: 0, missing: count })
    }

    /// Adds a frame that is shown for `delay` hundredths of a second; with `exact`, tolerance or not.
    ///
    /// # Errors
    /// [`RecordError`] where a frame cannot be written, has another size than the animation, or is one too many.
    pub fn frame(&mut self, picture: &Picture, delay: u16, exact: bool) -> Result<(), RecordError> {
        let (found, expected) = ((picture.width, picture.height), self.size);
        if found != expected {
            return Err(RecordError::FrameSize { file: self.path.clone(), found, expected });
        }
        let Some(missing) = self.missing.checked_sub(1) else {
            return Err(RecordError::write(&self.path)(io::Error::other("more frames than were announced")));
        };
        self.missing = missing;
        self.waiting.push(self.screen.change(picture, delay, exact));
        if self.waiting.len() == BATCH {
            self.flush().map_err(RecordError::write(&self.path))?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let pack = |change: FrameChange| pack(&change).map(|data| (change, data));
        let packed: Vec<io::Result<(FrameChange, Vec<u8>)>> = self.waiting.par_drain(..).map(pack).collect();
        for frame in packed {
            let (change, data) = frame?;
            let mut control = Vec::with_capacity(26);
            for number in [self.sequence, change.width, change.height, change.left, change.top] {
                control.extend(number.to_be_bytes());
            }
            control.extend([change.delay.to_be_bytes(), 100_u16.to_be_bytes()].as_flattened());
            // What is shown stays, and the frame is laid over it.
            control.extend([0, 1]);
            chunk(&mut self.out, *b"fcTL", &control)?;
            self.sequence += 1;
            if change.is_first {
                chunk(&mut self.out, *b"IDAT", &data)?;
            } else {
                chunk(&mut self.out, *b"fdAT", &[&self.sequence.to_be_bytes()[..], &data].concat())?;
                self.sequence += 1;
            }
        }
        Ok(())
    }

    /// Ends the animation and gives the file its name.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written or frames are missing.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let mut attempt = || {
            if self.missing > 0 {
                return Err(io::Error::other("fewer frames than were announced"));
            }
            self.flush()?;
            chunk(&mut self.out, *b"IEND", &[])?;
            self.out.flush()
        };
        attempt().map_err(RecordError::write(&self.path))?;
        self.out.finish().map_err(RecordError::write(&self.path))
    }
}

/// The rows of a frame, each after the number of its filter, as a stream of zlib. Neighbouring indices are no neighbouring
/// colours: filters only do harm.
fn pack(change: &FrameChange) -> io::Result<Vec<u8>> {
    let mut rows = Vec::with_capacity(change.pixels.len() + change.height as usize);
    for row in change.pixels.chunks(change.width as usize) {
        rows.push(0);
        rows.extend(row);
    }
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(rows.len() / 3), Compression::new(LEVEL));
    encoder.write_all(&rows)?;
    encoder.finish()
}

fn chunk(out: &mut impl Write, kind: [u8; 4], data: &[u8]) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(|_| io::Error::other("a frame of more than 2 GB"))?;
    let mut sum = crc32fast::Hasher::new();
    sum.update(&kind);
    sum.update(data);
    out.write_all(&length.to_be_bytes())?;
    out.write_all(&kind)?;
    out.write_all(data)?;
    out.write_all(&sum.finalize().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apng_is_the_same_for_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let write = |threads: usize| {
            let path = folder.path().join(format!("{threads}.apng"));
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                let table = ColourTable::new((0..200).map(|step| [step, step / 2, 255 - step]).collect());
                let mut writer = ApngWriter::create(&path, (60, 40), 37, &table, 3).unwrap();
                for step in 0..37_u32 {
                    let mut picture = Picture::new(60, 40, 7);
                    for (pixel, i) in picture.pixels.iter_mut().zip(0..) {
                        *pixel = ((i * i / 7 + step * (i % 5)) % 200) as u8;
                    }
                    writer.frame(&picture, 4, false).unwrap();
                }
                writer.finish().unwrap();
            });
            std::fs::read(path).unwrap()
        };
        assert_eq!(write(1), write(3));
    }

    #[test]
    fn as_many_frames_as_announced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.apng");
        let picture = Picture::new(4, 4, 1);
        let mut writer = ApngWriter::create(&path, (4, 4), 1, &ColourTable::plan(), 0).unwrap();
        writer.frame(&picture, 1, false).unwrap();
        assert!(writer.frame(&picture, 1, false).unwrap_err().to_string().contains("more frames"));
        drop(writer);
        let writer = ApngWriter::create(&path, (4, 4), 1, &ColourTable::plan(), 0).unwrap();
        assert!(writer.finish().unwrap_err().to_string().contains("fewer frames"));
        assert!(ApngWriter::create(&path, (0, 4), 1, &ColourTable::plan(), 0).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
