//! Raw video: YUV4MPEG2, as the programs of MJPEG Tools and `ffmpeg` read it.

use super::RecordError;
use super::planes::Planes;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// Writes pictures as raw video, each as it comes: a file appears whole or not at all, a stream takes what is there.
pub(super) struct Y4mWriter {
    path: PathBuf,
    out: Output,
    /// Hundredths of a second of a frame.
    delay: u16,
    /// None before the first frame.
    size: Option<(u32, u32)>,
}

enum Output {
    /// A file that is made when the first frame comes.
    Later,
    File(WholeFile),
    Stream(Box<dyn Write + Send>),
}

impl std::fmt::Debug for Y4mWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Y4mWriter").field("path", &self.path).field("size", &self.size).finish_non_exhaustive()
    }
}

impl Y4mWriter {
    /// Video in a file, or in a stream that errors name `path`.
    pub fn new(path: &Path, stream: Option<Box<dyn Write + Send>>, delay: u16) -> Self {
        let out = stream.map_or(Output::Later, Output::Stream);
        Self { path: path.to_path_buf(), out, delay: delay.max(1), size: None }
    }

    /// Shows each frame for `delay` hundredths of a second; said before the first.
    pub fn set_delay(&mut self, delay: u16) {
        self.delay = delay.max(1);
    }

    /// So many frames are shown for some hundredths of a second; at least one.
    pub fn frames_in(&self, hundredths: u16) -> u16 {
        hundredths.div_ceil(self.delay).max(1)
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`RecordError`] where it cannot be written or has another size than the first.
    pub fn frame(&mut self, planes: &Planes) -> Result<(), RecordError> {
        let found = (planes.width, planes.height);
        let is_first = self.size.is_none();
        let expected = *self.size.get_or_insert(found);
        if found != expected {
            return Err(RecordError::FrameSize { file: self.path.clone(), found, expected });
        }
        let mut attempt = || -> io::Result<()> {
            if let Output::Later = self.out {
                self.out = Output::File(WholeFile::create(&self.path)?);
            }
            if is_first {
                // Frames a second as a fraction, not interlaced, square pixels, colours between the pixels of a square.
                let (rate, over) = reduced(100, u32::from(self.delay));
                let (width, height) = expected;
                let head =
                    format!("YUV4MPEG2 W{width} H{height} F{rate}:{over} Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n");
                self.out.write_all(head.as_bytes())?;
            }
            self.out.write_all(b"FRAME\n")?;
            self.out.write_all(&planes.bytes)
        };
        attempt().map_err(RecordError::write(&self.path))
    }

    /// Ends the video and gives a file its name.
    ///
    /// # Errors
    /// [`RecordError::Write`] where it cannot be written.
    pub fn finish(mut self) -> Result<PathBuf, RecordError> {
        let mut attempt = || self.out.flush();
        attempt().map_err(RecordError::write(&self.path))?;
        let Self { path, out, .. } = self;
        if let Output::File(file) = out {
            file.finish().map_err(RecordError::write(&path))?;
        }
        Ok(path)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Later => Err(io::ErrorKind::NotFound.into()),
            Self::File(file) => file.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Later => Ok(()),
            Self::File(file) => file.flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}

/// A fraction in lowest terms.
fn reduced(over: u32, under: u32) -> (u32, u32) {
    let (mut a, mut b) = (over, under);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (over / a.max(1), under / a.max(1))
}
