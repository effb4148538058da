//! The record of a run as a recording.

use super::format::About;
use super::writer::Writer;
use crate::{RecordError, Sink};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// Frames that may wait to be written.
const MAX_WAITING_FRAMES: usize = 2;

/// Records a run into a `.throng` file, which [`Recording`](super::Recording) reads: every frame whose tick
/// [`About::every`] divides, and the one in which the battle was decided.
///
/// Show it every tick, since it keeps the deaths of the ticks between. Each frame is copied and handed to a thread of
/// its own; where that falls behind, [`Sink::frame`] waits for it, so that no frame is lost. The file is there under
/// its name from the start, and each frame is written to it at once: however the run ends, it can be read up to the
/// last whole frame. Positions are kept to a centimetre, headings to a 256th of a turn, health to a 255th. Equal runs
/// give equal files.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::{About, Recorder, Recording, Sink};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.throng");
/// let mut sink = Recorder::create(&path, &About { title: "a walk".into(), step: 0.1, ..About::default() })?;
/// for tick in 0..100 {
///     let position = vec![Vec2::new(3.0 + 0.13 * tick as f32, 4.0)];
///     sink.frame(&Frame { tick, id: vec![7], position, ..Frame::default() })?;
/// }
/// Box::new(sink).finish()?;
///
/// let mut recording = Recording::open(&path)?;
/// let mut frame = Frame::default();
/// recording.frame(70, &mut frame)?;
/// assert_eq!((recording.frames(), frame.tick, frame.position[0]), (100, 70, Vec2::new(12.1, 4.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    every: u64,
    /// Frames to be written; `None` after the end.
    full: Option<SyncSender<Box<Frame>>>,
    /// Frames to be filled.
    empty: Receiver<Box<Frame>>,
    thread: Option<JoinHandle<Result<(), RecordError>>>,
    /// Where soldiers died in ticks that are no frames (m).
    fallen: Vec<Vec2>,
}

impl Recorder {
    /// Starts a recording, in place of a file that was there before.
    ///
    /// # Errors
    /// [`RecordError`] where the file or its thread cannot be made.
    pub fn create(path: impl AsRef<Path>, about: &About) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref(), about)
    }

    fn create_at(path: &Path, about: &About) -> Result<Self, RecordError> {
        let path = path.to_path_buf();
        let attempt = || {
            let writer = Writer::new(File::create(&path)?, about)?;
            let (full, to_write) = sync_channel::<Box<Frame>>(MAX_WAITING_FRAMES);
            let (written, empty) = sync_channel(MAX_WAITING_FRAMES + 2);
            for _ in 0..=MAX_WAITING_FRAMES {
                let _ = written.send(Box::default());
            }
            let file = path.clone();
            let thread = std::thread::Builder::new()
                .name("recorder".into())
                .spawn(move || write(writer, &file, &to_write, &written))?;
            Ok((full, empty, thread))
        };
        let (full, empty, thread) = attempt().map_err(RecordError::write(&path))?;
        let every = about.every.max(1);
        Ok(Self { path, every, full: Some(full), empty, thread: Some(thread), fallen: Vec::new() })
    }

    /// Ends the thread, and says what went wrong there, once.
    fn end(&mut self) -> Result<(), RecordError> {
        self.full = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(ended)) => ended,
            Some(Err(_)) => {
                Err(RecordError::write(&self.path)(io::Error::other("the thread that writes it has failed")))
            }
        }
    }
}

impl Sink for Recorder {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        if !frame.tick.is_multiple_of(self.every) && frame.verdict.is_none() {
            self.fallen.extend_from_slice(&frame.fallen);
            return Ok(());
        }
        let Some(full) = &self.full else { return Ok(()) };
        let Ok(mut copy) = self.empty.recv() else { return self.end() };
        copy.as_mut().clone_from(frame);
        copy.fallen.append(&mut self.fallen);
        if full.send(copy).is_err() { self.end() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        self.end()?;
        Ok(std::mem::take(&mut self.path))
    }
}

/// Frames that were handed over are still written.
impl Drop for Recorder {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Writes what comes until nothing more comes.
fn write(
    mut writer: Writer<File>,
    path: &Path,
    to_write: &Receiver<Box<Frame>>,
    written: &SyncSender<Box<Frame>>,
) -> Result<(), RecordError> {
    let failed = |source, frames| RecordError::Recording { file: path.to_path_buf(), frames, source };
    while let Ok(frame) = to_write.recv() {
        if let Err(source) = writer.frame(&frame) {
            // Part of a block is of no use; a file that cannot be cut is read up to here all the same.
            let _ = writer.out().set_len(writer.written);
            return Err(failed(source, writer.frames));
        }
        let _ = written.send(frame);
    }
    let frames = writer.frames;
    writer.finish().map(drop).map_err(|source| failed(source, frames))
}
