//! Frames out of a file, in any order.

use super::RecordingError;
use super::bytes::{Bytes, Fault};
use super::ending::Ending;
use super::format::{About, Block, BlockHead, END, FORMAT, HEAD, Kind, MAGIC, TAIL, misplaced, take_index};
use super::map;
use super::moment::Moment;
use super::moves::{self, Columns, take_points};
use super::names::Names;
use super::pack::unpack;
use super::rows;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::world::Frame;

/// A file, or the bytes of one.
trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// Where the parts of a frame are in `blocks`.
#[derive(Clone, Copy)]
struct Parts {
    frame: usize,
    map: Option<usize>,
    names: Option<usize>,
    /// Number of the last complete frame up to this one.
    key: Option<usize>,
}

/// The frame that was read last.
#[derive(Default)]
struct Shown {
    frame: Option<usize>,
    moment: Moment,
    columns: Columns,
}

/// A recording of a run, which [`Recorder`](super::Recorder) wrote.
///
/// Opening reads the index, O(frames); where there is none, all of the file once. A frame after the one that was read last
/// costs O(agents); any other costs up to 32 of these, since every 32nd is complete in itself. Agents are in the order
/// of their ids. No file makes it panic, and it takes no memory that the file does not account for: up to about 9 kB a byte of
/// it.
///
/// ```
/// use throng_record::{Recording, RecordingError};
/// let foreign = Recording::from_bytes(b"a picture, perhaps".to_vec());
/// assert!(matches!(foreign, Err(RecordingError::Foreign { .. })));
/// ```
pub struct Recording {
    input: Box<dyn Input>,
    file: PathBuf,
    length: u64,
    format: u32,
    about: About,
    blocks: Vec<Block>,
    frames: Vec<Parts>,
    ending: Ending,
    headings: Box<[Vec2; 256]>,
    shown: Shown,
    /// The map and the names read last, with their places in `blocks`.
    grid: Option<(usize, Arc<Grid>)>,
    /// That of the map that was read first.
    lattice: Option<Lattice>,
    names: Option<(usize, Names)>,
    /// The content of the block that was read last.
    content: Vec<u8>,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("file", &self.file)
            .field("about", &self.about)
            .field("frames", &self.frames.len())
            .field("ending", &self.ending)
            .finish_non_exhaustive()
    }
}

impl Recording {
    /// Opens a recording. One that is still being written has the frames that are in it now.
    ///
    /// # Errors
    /// [`RecordingError`] where it cannot be read, is no recording, has no description of the run, or has blocks twice or in
    /// another order than they were written. A later defect is [`Recording::ending`], or the error of the frames concerned.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::open_at(path.as_ref())
    }

    fn open_at(path: &Path) -> Result<Self, RecordingError> {
        let attempt = || {
            let file = File::open(path)?;
            let found = file.metadata()?;
            if found.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            if !found.is_file() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file that can be read in any order"));
            }
            Ok((file, found.len()))
        };
        let (file, length) = attempt().map_err(|source| RecordingError::Read { file: path.to_path_buf(), source })?;
        Self::new(Box::new(file), path.to_path_buf(), length)
    }

    /// Reads a recording in memory, which its errors call `recording`.
    ///
    /// # Errors
    /// As [`Recording::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, RecordingError> {
        let length = bytes.len() as u64;
        Self::new(Box::new(Cursor::new(bytes)), "recording".into(), length)
    }

    fn new(mut input: Box<dyn Input>, file: PathBuf, length: u64) -> Result<Self, RecordingError> {
        let read_error = |source| RecordingError::Read { file: file.clone(), source };
        let mut head = Vec::new();
        input.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(read_error)?;
        let short = || RecordingError::Short { file: file.clone(), found: length };
        if !head.starts_with(&MAGIC) {
            let found = head[..head.len().min(MAGIC.len())].to_vec();
            let begun = !found.is_empty() && MAGIC.starts_with(&found);
            return Err(if begun { short() } else { RecordingError::Foreign { file, found, expected: &MAGIC } });
        }
        let Some(&[a, b, c, d]) = head[MAGIC.len()..].first_chunk() else { return Err(short()) };
        let format = u32::from_le_bytes([a, b, c, d]);
        if !(1..=FORMAT).contains(&format) {
            return Err(RecordingError::Version { file, found: format, expected: FORMAT });
        }
        let mut recording = Self {
            input,
            file,
            length,
            format,
            about: About::default(),
            blocks: Vec::new(),
            frames: Vec::new(),
            ending: Ending::Proper,
            headings: rows::headings(),
            shown: Shown::default(),
            grid: None,
            lattice: None,
            names: None,
            content: Vec::new(),
        };
        match recording.indexed()? {
            Some(blocks) => recording.blocks = blocks,
            None => recording.scan()?,
        }
        if recording.blocks.first().is_none_or(|block| block.kind != Kind::About) {
            return Err(match &recording.ending {
                Ending::Damaged { block, offset, what } => {
                    RecordingError::Damaged { file: recording.file, block: *block, offset: *offset, what: what.clone() }
                }
                _ => RecordingError::Short { file: recording.file, found: length },
            });
        }
        recording.content(0)?;
        let about = About::read(Bytes(&recording.content));
        recording.about = about.map_err(|what| recording.damaged(0, what))?;
        if let Some((place, what)) = misplaced(&recording.blocks) {
            return Err(recording.damaged(place, what));
        }
        let (mut map, mut names, mut key) = (None, None, None);
        for (place, block) in recording.blocks.iter().enumerate() {
            match block.kind {
                Kind::Map => map = Some(place),
                Kind::Names => names = Some(place),
                Kind::Key => key = Some(recording.frames.len()),
                _ => {}
            }
            if block.kind.is_frame() {
                recording.frames.push(Parts { frame: place, map, names, key });
            }
        }
        Ok(recording)
    }

    /// The description of the run.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The tick of a frame, or of the last one if there are fewer.
    pub fn tick(&self, frame: usize) -> u64 {
        let parts = self.frames.get(frame).or(self.frames.last());
        parts.map_or(0, |parts| self.blocks[parts.frame].tick)
    }

    /// The simulated time of a frame (s).
    pub fn time(&self, frame: usize) -> f64 {
        self.about.time(self.tick(frame))
    }

    /// The last frame at or before a simulated time (s), or the first of all. O(log frames).
    pub fn frame_at(&self, time: f64) -> usize {
        let so_far = |parts: &Parts| self.about.time(self.blocks[parts.frame].tick) <= time;
        self.frames.partition_point(so_far).saturating_sub(1)
    }

    /// The last frame at or before a tick, or the first of all. O(log frames).
    pub fn frame_of(&self, tick: u64) -> usize {
        let so_far = |parts: &Parts| self.blocks[parts.frame].tick <= tick;
        self.frames.partition_point(so_far).saturating_sub(1)
    }

    /// The format of the file.
    pub(super) fn format(&self) -> u32 {
        self.format
    }

    /// Number of the last complete frame up to one.
    pub(super) fn key_of(&self, frame: usize) -> usize {
        self.frames.get(frame).and_then(|parts| parts.key).unwrap_or(frame)
    }

    /// The blocks up to a frame, and where they end in the file.
    pub(super) fn blocks_to(&mut self, frame: usize) -> Result<(Vec<Block>, u64), RecordingError> {
        let place = self.frames.get(frame).map_or(0, |parts| parts.frame);
        self.content(place)?;
        let end = self.blocks[place].offset + (BlockHead::BYTES + self.content.len()) as u64;
        Ok((self.blocks[..=place].to_vec(), end))
    }

    /// The content of a block.
    pub(super) fn content_of(&mut self, place: usize) -> Result<Vec<u8>, RecordingError> {
        self.content(place)?;
        Ok(self.content.clone())
    }

    /// The names and the agents of the frame that was read last.
    pub(super) fn take_shown(&mut self) -> (Names, Moment) {
        let names = self.names.take().map(|(_, names)| names).unwrap_or_default();
        (names, std::mem::take(&mut self.shown).moment)
    }

    /// Bytes of the file when it was opened.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// How it ends.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Reads a frame, from 0. Parts that a recording does not keep are empty: times of stages, remaining routes, squads.
    /// The memory of `frame` is used again.
    ///
    /// # Errors
    /// [`RecordingError::NoFrame`], [`RecordingError::Read`], or [`RecordingError::Damaged`] where a block that it is made of is
    /// not as it was written. Frames after the next complete one can be read then.
    pub fn frame(&mut self, number: usize, frame: &mut Frame) -> Result<(), RecordingError> {
        let Some(&Parts { frame: place, map, names, key }) = self.frames.get(number) else {
            return Err(RecordingError::NoFrame { file: self.file.clone(), found: number, frames: self.frames() });
        };
        let key = key.ok_or_else(|| self.damaged(place, "no complete frame stands before it".into()))?;
        // From the frame read last, or again it, where that is the shorter way.
        let mut next = self.shown.frame.take().map_or(key, |shown| shown + 1);
        if next <= key || next > number {
            next = key;
        }
        self.name(names)?;
        for number in next..=number {
            self.step(number, frame)?;
        }
        self.shown.frame = Some(number);
        frame.grid = match map {
            Some(map) => Some(self.map(map)?),
            None => None,
        };
        frame.tick = self.blocks[place].tick;
        frame.time = self.about.time(frame.tick);
        (frame.stage_ms, frame.tick_ms) = Default::default();
        match &self.names {
            Some((_, names)) => names.show(frame),
            None => Names::default().show(frame),
        }
        let shown = self.shown.moment.show(&self.headings, frame);
        shown.map_err(|what| self.damaged(place, what))
    }

    /// The map of the first frame.
    ///
    /// # Errors
    /// As [`Recording::frame`].
    pub fn first_map(&mut self) -> Result<Option<Arc<Grid>>, RecordingError> {
        let first = self.frames.first().and_then(|parts| parts.map);
        first.map(|map| self.map(map)).transpose()
    }

    /// As [`Recording::frame`], but with all the fallen of the run up to it: for readers that skipped the frames
    /// before.
    ///
    /// # Errors
    /// As [`Recording::frame`].
    pub fn moment(&mut self, number: usize, frame: &mut Frame) -> Result<(), RecordingError> {
        let Some(&Parts { frame: place, key, .. }) = self.frames.get(number) else {
            return self.frame(number, frame);
        };
        let mut fallen = Vec::new();
        for place in (0..place).filter(|&place| self.blocks[place].kind == Kind::Fallen).collect::<Vec<_>>() {
            self.content(place)?;
            let mut bytes = Bytes(&self.content);
            let taken = take_points(&mut bytes, &mut fallen).and_then(|()| bytes.end());
            taken.map_err(|what| self.damaged(place, what))?;
        }
        for number in key.unwrap_or(number)..=number {
            self.frame(number, frame)?;
            fallen.append(&mut frame.fallen);
        }
        frame.fallen = fallen;
        Ok(())
    }

    /// Where soldiers died up to a frame, that one included (m).
    ///
    /// # Errors
    /// As [`Recording::frame`].
    pub fn fallen(&mut self, number: usize, fallen: &mut Vec<Vec2>) -> Result<(), RecordingError> {
        let mut frame = Frame::default();
        self.moment(number, &mut frame)?;
        *fallen = frame.fallen;
        Ok(())
    }

    /// Turns the agents of the frame before into those of this one.
    fn step(&mut self, number: usize, frame: &mut Frame) -> Result<(), RecordingError> {
        let place = self.frames[number].frame;
        self.content(place)?;
        let Self { shown: Shown { moment, columns, .. }, content, names, blocks, .. } = self;
        let Block { kind, tick, .. } = blocks[place];
        if kind == Kind::Key {
            moment.clear();
        }
        let seconds = self.about.between(moment.tick, tick);
        moment.tick = tick;
        let armies = names.as_ref().map_or(&[][..], |(_, names)| &names.armies);
        let mut bytes = Bytes(content);
        let read =
            moves::read(&mut bytes, (self.format, seconds), armies, moment, columns, frame).and_then(|()| bytes.end());
        read.map_err(|what| self.damaged(place, what))
    }

    fn map(&mut self, place: usize) -> Result<Arc<Grid>, RecordingError> {
        if let Some((_, grid)) = self.grid.as_ref().filter(|(of, _)| *of == place) {
            return Ok(Arc::clone(grid));
        }
        self.content(place)?;
        let grid = map::read(Bytes(&self.content)).map_err(|what| self.damaged(place, what))?;
        let lattice = grid.lattice();
        if *self.lattice.get_or_insert(lattice) != lattice {
            return Err(self.damaged(place, "the map has another size than before".into()));
        }
        let (_, grid) = self.grid.insert((place, Arc::new(grid)));
        Ok(Arc::clone(grid))
    }

    /// Reads the names.
    fn name(&mut self, place: Option<usize>) -> Result<(), RecordingError> {
        let Some(place) = place else {
            self.names = None;
            return Ok(());
        };
        if self.names.as_ref().is_some_and(|(of, _)| *of == place) {
            return Ok(());
        }
        self.content(place)?;
        let names = Names::read(Bytes(&self.content), self.format).map_err(|what| self.damaged(place, what))?;
        self.names = Some((place, names));
        Ok(())
    }

    fn damaged(&self, block: usize, what: Fault) -> RecordingError {
        let offset = self.blocks.get(block).map_or(0, |block| block.offset);
        RecordingError::Damaged { file: self.file.clone(), block, offset, what }
    }

    /// Reads the content of a block and checks that it is that one.
    fn content(&mut self, place: usize) -> Result<(), RecordingError> {
        let Block { kind, offset, tick } = self.blocks[place];
        let found = self.block(offset)?.map_err(|what| self.damaged(place, what))?;
        if (found.kind, found.tick) != (kind, tick) {
            let what = format!("it holds {:?} of tick {}, expected {kind:?} of tick {tick}", found.kind, found.tick);
            return Err(self.damaged(place, what));
        }
        Ok(())
    }

    /// Reads the block at `offset` into `content`, or returns its error.
    fn block(&mut self, offset: u64) -> Result<Result<BlockHead, Fault>, RecordingError> {
        let (input, content) = (&mut self.input, &mut self.content);
        let left = self.length.saturating_sub(offset);
        let mut attempt = || -> io::Result<Result<BlockHead, Fault>> {
            input.seek(SeekFrom::Start(offset))?;
            let mut bytes = [0; BlockHead::BYTES];
            if left < bytes.len() as u64 {
                return Ok(Err(format!("{left} bytes are left")));
            }
            input.read_exact(&mut bytes)?;
            let head = match BlockHead::read(&bytes) {
                Ok(head) => head,
                Err(what) => return Ok(Err(what)),
            };
            let left = left - bytes.len() as u64;
            if u64::from(head.length) > left {
                return Ok(Err(format!("{} bytes should follow, {left} are left", head.length)));
            }
            content.resize(head.length as usize, 0);
            input.read_exact(content)?;
            let sum = BlockHead::sum_of(&bytes, content);
            Ok(if sum == head.sum {
                Ok(head)
            } else {
                Err(format!("its checksum is {sum:08x}, expected {:08x}", head.sum))
            })
        };
        attempt().map_err(|source| RecordingError::Read { file: self.file.clone(), source })
    }

    /// The blocks as the index says, where there is one at the end.
    fn indexed(&mut self) -> Result<Option<Vec<Block>>, RecordingError> {
        let Some(tail) = self.length.checked_sub(TAIL as u64).filter(|&tail| tail > HEAD as u64) else {
            return Ok(None);
        };
        let mut bytes = [0; TAIL];
        let read = self.input.seek(SeekFrom::Start(tail)).and_then(|_| self.input.read_exact(&mut bytes));
        read.map_err(|source| RecordingError::Read { file: self.file.clone(), source })?;
        let mut rest = Bytes(&bytes);
        let place = rest.u64().unwrap_or(u64::MAX);
        if rest.0 != END || place >= tail {
            return Ok(None);
        }
        let Ok(head) = self.block(place)? else { return Ok(None) };
        if head.kind != Kind::Index || place + BlockHead::BYTES as u64 + u64::from(head.length) != tail {
            return Ok(None);
        }
        // No more blocks than there are in the file.
        let most = place / BlockHead::BYTES as u64;
        let mut bytes = Bytes(&self.content);
        let mut read = || {
            let count = bytes.number()?;
            let mut index = Vec::new();
            unpack(&mut bytes, &mut index)?;
            bytes.end()?;
            if count > most {
                return Err(format!("{count} blocks are more than {most}"));
            }
            take_index(Bytes(&index), count as usize, place)
        };
        // A malformed index is as good as none.
        Ok(read().ok())
    }

    /// The blocks as they stand in the file, up to the first that is not whole.
    fn scan(&mut self) -> Result<(), RecordingError> {
        let mut offset = HEAD as u64;
        loop {
            let left = self.length - offset;
            if left < BlockHead::BYTES as u64 {
                self.ending = Ending::Cut { bytes: left };
                return Ok(());
            }
            let block = self.blocks.len();
            match self.block(offset)? {
                Ok(head) if head.kind == Kind::Index => {
                    // It says what was found already.
                    let what = "it is an index that does not end the file".into();
                    let cut = left - BlockHead::BYTES as u64 - u64::from(head.length);
                    self.ending = if cut < TAIL as u64 {
                        Ending::Cut { bytes: left }
                    } else {
                        Ending::Damaged { block, offset, what }
                    };
                    return Ok(());
                }
                Ok(head) => {
                    self.blocks.push(Block { kind: head.kind, offset, tick: head.tick });
                    offset += BlockHead::BYTES as u64 + u64::from(head.length);
                }
                Err(what) => {
                    self.ending = if what.ends_with("are left") {
                        Ending::Cut { bytes: left }
                    } else {
                        Ending::Damaged { block, offset, what }
                    };
                    return Ok(());
                }
            }
        }
    }
}
