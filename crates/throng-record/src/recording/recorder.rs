//! The record of a run as a recording.

use super::continued::Continued;
use super::format::About;
use super::part_file::PartFile;
use super::writer::Writer;
use crate::{RecordError, Sink, going_on};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
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
/// its own; where that falls behind, [`Sink::frame`] waits for it, so that no frame is lost. From the first frame on the file
/// is there under its name with `.part` behind, and each frame is written to it at once: however the run ends, it can be read up
/// to the last whole frame. [`Sink::finish`] gives it its name. On Unix a second run into the same file is refused. Positions are kept to a centimetre, headings to a 256th of a turn, health to a 255th. Equal runs
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
    about: About,
    file: PartFile,
    /// Before the first frame.
    ready: Option<Writer<File>>,
    /// After it; `None` after the end.
    writing: Option<Writing>,
    /// Where soldiers died in ticks that are no frames (m).
    fallen: Vec<Vec2>,
}

/// The thread that writes.
#[derive(Debug)]
struct Writing {
    /// Frames to be written.
    full: SyncSender<Box<Frame>>,
    /// Frames to be filled.
    empty: Receiver<Box<Frame>>,
    thread: JoinHandle<Result<(), RecordError>>,
    /// Those of `empty` that were taken out of it.
    #[expect(clippy::vec_box, reason = "as they go from thread to thread")]
    spare: Vec<Box<Frame>>,
}

impl Writing {
    fn start(writer: Writer<File>, file: &PartFile) -> io::Result<Self> {
        let (full, to_write) = sync_channel::<Box<Frame>>(MAX_WAITING_FRAMES);
        let (written, empty) = sync_channel(MAX_WAITING_FRAMES + 2);
        let (name, kept) = (file.path().to_path_buf(), file.part().to_path_buf());
        let thread = std::thread::Builder::new()
            .name("recorder".into())
            .spawn(move || write(writer, (&name, &kept), &to_write, &written))?;
        let spare = (0..=MAX_WAITING_FRAMES).map(|_| Box::default()).collect();
        Ok(Self { full, empty, thread, spare })
    }

    /// Hands a frame over; false where the thread has ended.
    fn hand_over(&mut self, frame: &Frame, fallen: &mut Vec<Vec2>) -> bool {
        let Some(mut copy) = self.spare.pop().or_else(|| self.empty.recv().ok()) else { return false };
        copy.as_mut().clone_from(frame);
        copy.fallen.append(fallen);
        self.full.send(copy).is_ok()
    }

    /// Waits until all that was handed over is written, or the thread has ended.
    fn wait(&mut self) {
        while self.spare.len() <= MAX_WAITING_FRAMES {
            let Ok(frame) = self.empty.recv() else { return };
            self.spare.push(frame);
        }
    }
}

impl Recorder {
    /// Starts a recording. A file that was there before stays until [`Sink::finish`].
    ///
    /// # Errors
    /// [`RecordError::Busy`] where another run records into the file, [`RecordError::Write`] where it cannot be made.
    pub fn create(path: impl AsRef<Path>, about: &About) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref(), about)
    }

    fn create_at(path: &Path, about: &About) -> Result<Self, RecordError> {
        let about = About { every: about.every.max(1), ..about.clone() };
        let failed = || RecordError::write(path);
        let (file, out) = PartFile::create(path).map_err(failed())?;
        if file.is_taken() {
            return Err(RecordError::Busy { file: path.to_path_buf() });
        }
        let ready = Some(Writer::new(out, &about).map_err(failed())?);
        Ok(Self { about, file, ready, writing: None, fallen: Vec::new() })
    }

    /// Gives the file a name, and starts the thread, once.
    fn start(&mut self) -> Result<(), RecordError> {
        let Some(writer) = self.ready.take() else { return Ok(()) };
        if self.file.is_taken() {
            return Err(RecordError::Busy { file: self.file.path().to_path_buf() });
        }
        let started = self.file.show().and_then(|()| Writing::start(writer, &self.file));
        self.writing = Some(started.map_err(RecordError::write(self.file.path()))?);
        Ok(())
    }

    /// Ends the thread, and says what went wrong there, once.
    fn end(&mut self) -> Result<(), RecordError> {
        let Some(Writing { full, thread, .. }) = self.writing.take() else { return Ok(()) };
        drop(full);
        thread.join().unwrap_or_else(|_| {
            Err(RecordError::write(self.file.path())(io::Error::other("the thread that writes it has failed")))
        })
    }

    /// Goes on after the beginning of the recording in `old`.
    fn after(&mut self, old: &Path, beginning: Continued) -> io::Result<()> {
        let Some(mut out) = self.ready.take().map(Writer::into_out) else { return Ok(()) };
        out.set_len(0)?;
        out.seek(SeekFrom::Start(0))?;
        let copied = io::copy(&mut File::open(old)?.take(beginning.bytes), &mut out)?;
        if copied != beginning.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.ready = Some(Writer::after(beginning, out, &self.about));
        Ok(())
    }
}

impl Sink for Recorder {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        if !frame.tick.is_multiple_of(self.about.every) && frame.verdict.is_none() {
            self.fallen.extend_from_slice(&frame.fallen);
            return Ok(());
        }
        self.start()?;
        let Some(writing) = &mut self.writing else { return Ok(()) };
        if writing.hand_over(frame, &mut self.fallen) { Ok(()) } else { self.end() }
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        self.start()?;
        self.end()?;
        self.file.finish().map_err(RecordError::write(self.file.path()))?;
        Ok(self.file.path().to_path_buf())
    }

    fn state(&mut self) -> Vec<u8> {
        // The snapshot that this is kept with must not be ahead of the frames, whatever ends the program next.
        self.writing.iter_mut().for_each(Writing::wait);
        going_on::to_bytes(&self.fallen)
    }

    fn go_on(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        let mut unfit = None;
        // A part that a killed run has left is newer than the whole file.
        for old in [self.file.part(), self.file.path()].map(Path::to_path_buf) {
            if going_on::open(&old)?.is_none() {
                continue;
            }
            let fallen = going_on::of_bytes(state, &old)?;
            match Continued::read(&old, tick, &self.about) {
                Ok(beginning) => {
                    self.after(&old, beginning).map_err(RecordError::write(self.file.path()))?;
                    self.fallen = fallen;
                    return Ok(true);
                }
                Err(what) => unfit = Some(RecordError::go_on(&old)(what)),
            }
        }
        unfit.map_or(Ok(false), Err)
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
    (path, kept): (&Path, &Path),
    to_write: &Receiver<Box<Frame>>,
    written: &SyncSender<Box<Frame>>,
) -> Result<(), RecordError> {
    let failed =
        |source, frames| RecordError::Recording { file: path.to_path_buf(), kept: kept.to_path_buf(), frames, source };
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
