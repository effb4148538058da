//! The file: a mark, blocks one after the other, and where it was ended properly an index of them.
//!
//! `docs/recordings.md` describes it byte by byte.

use super::bytes::{Bytes, Fault, put, put_text};
use throng_sim::world::seconds;

/// The first bytes of a recording. They have a byte that is no text, and a line end, so that a file that was copied as text is
/// known at once.
pub(super) const MAGIC: [u8; 8] = *b"\x93THRREC\n";

/// The last bytes of a complete recording, after the place of its index.
pub(super) const END: [u8; 8] = *b"\x93THREND\n";

/// The version of the format; it grows with every change. Older ones are read.
pub(super) const FORMAT: u32 = 6;

/// Bytes before the first block: [`MAGIC`] and [`FORMAT`].
pub(super) const HEAD: usize = 12;

/// Bytes after the index: its place and [`END`].
pub(super) const TAIL: usize = 16;

/// The content of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The description of the run: the first block.
    About,
    /// The map from here on.
    Map,
    /// Names of the armies from here on.
    Names,
    /// Where soldiers died since the block of this kind before.
    Fallen,
    /// A frame that is complete in itself.
    Key,
    /// A frame as the changes since the one before.
    Step,
    /// Which blocks there are: the last block.
    Index,
}

impl Kind {
    const LETTERS: [(Kind, u8); 7] = [
        (Kind::About, b'A'),
        (Kind::Map, b'M'),
        (Kind::Names, b'N'),
        (Kind::Fallen, b'D'),
        (Kind::Key, b'K'),
        (Kind::Step, b'S'),
        (Kind::Index, b'I'),
    ];

    pub fn letter(self) -> u8 {
        Self::LETTERS.iter().find(|(kind, _)| *kind == self).map_or(0, |(_, letter)| *letter)
    }

    pub fn of(letter: u8) -> Option<Self> {
        Self::LETTERS.iter().find(|(_, of)| *of == letter).map(|(kind, _)| *kind)
    }

    pub fn is_frame(self) -> bool {
        matches!(self, Kind::Key | Kind::Step)
    }
}

/// The head of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHead {
    pub kind: Kind,
    /// Bytes of the content.
    pub length: u32,
    /// The tick that it belongs to.
    pub tick: u64,
    /// CRC-32 of the fields before it here, and of the content.
    pub sum: u32,
}

impl BlockHead {
    pub const BYTES: usize = 20;
    const SUMMED: usize = 16;

    /// Reads a head, which may be of no block at all.
    pub fn read(bytes: &[u8; Self::BYTES]) -> Result<Self, Fault> {
        let mut rest = Bytes(bytes);
        let kind = rest.u32()?;
        let known = u8::try_from(kind).ok().and_then(Kind::of);
        let kind = known.ok_or_else(|| format!("there is no kind of block {kind:#x}"))?;
        Ok(Self { kind, length: rest.u32()?, tick: rest.u64()?, sum: rest.u32()? })
    }

    /// The checksum that `content` should have.
    pub fn sum_of(bytes: &[u8; Self::BYTES], content: &[u8]) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&bytes[..Self::SUMMED]);
        sum.update(content);
        sum.finalize()
    }

    /// Fills in the head of a block that was begun with room for it.
    pub fn complete(kind: Kind, tick: u64, block: &mut [u8]) {
        let Some((head, content)) = block.split_first_chunk_mut::<{ Self::BYTES }>() else { return };
        head[..4].copy_from_slice(&u32::from(kind.letter()).to_le_bytes());
        head[4..8].copy_from_slice(&(content.len() as u32).to_le_bytes());
        head[8..16].copy_from_slice(&tick.to_le_bytes());
        let sum = Self::sum_of(head, content);
        head[16..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// The description of the run.
///
/// ```
/// use throng_record::About;
/// let about = About { title: "siege".into(), seed: 7, step: 0.05, every: 2, ..About::default() };
/// assert_eq!(about.frames_a_second(), 10.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Name of the scenario.
    pub title: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Length of a tick (s).
    pub step: f32,
    /// The ticks that are frames: those that it divides, and the one in which the battle was decided.
    pub every: u64,
    /// The origin of the world in the coordinates of the crowd's source (m).
    pub origin: [f64; 2],
    /// Version of the program.
    pub program: String,
}

impl Default for About {
    fn default() -> Self {
        Self {
            title: String::new(),
            seed: 0,
            step: 0.05,
            every: 1,
            origin: [0.0; 2],
            program: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

impl About {
    /// Frames a second of simulated time.
    pub fn frames_a_second(&self) -> f64 {
        crate::trajectory_text::frames_a_second(self.step, self.every)
    }

    /// Simulated time of a tick (s), as the world counts it.
    pub(super) fn time(&self, tick: u64) -> f64 {
        seconds(tick, self.step)
    }

    /// Simulated time from one tick to a later one (s), by which shots are foretold: a part of the format, it stays as it is.
    pub(super) fn between(&self, tick: u64, later: u64) -> f64 {
        later.wrapping_sub(tick) as f64 * f64::from(self.step)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.step.to_le_bytes());
        out.extend(self.every.to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        self.origin.iter().for_each(|metres| out.extend(metres.to_le_bytes()));
        put_text(out, &self.title);
        put_text(out, &self.program);
    }

    pub(super) fn read(mut bytes: Bytes) -> Result<Self, Fault> {
        let step = f32::from_bits(bytes.u32()?);
        let (every, seed) = (bytes.u64()?, bytes.u64()?);
        let origin = [f64::from_bits(bytes.u64()?), f64::from_bits(bytes.u64()?)];
        let (title, program) = (bytes.text()?, bytes.text()?);
        bytes.end()?;
        if !(1e-9..=1e9).contains(&step) {
            return Err(format!("a tick takes {step} s, expected 1e-9 to 1e9"));
        }
        if every == 0 {
            return Err("it says that one tick in 0 is recorded, expected one in 1 or more".into());
        }
        if !origin.iter().all(|metres| metres.is_finite()) {
            return Err(format!("the origin lies at {origin:?}"));
        }
        Ok(Self { title, seed, step, every, origin, program })
    }
}

/// A block of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub kind: Kind,
    /// Where it begins in the file.
    pub offset: u64,
    pub tick: u64,
}

/// The content of the index of `blocks`, each of which ends where the next begins, the last at `end`.
pub(super) fn put_index(blocks: &[Block], end: u64, out: &mut Vec<u8>) {
    out.extend(blocks.iter().map(|block| block.kind.letter()));
    let ends = blocks.iter().skip(1).map(|block| block.offset).chain([end]);
    for (block, end) in blocks.iter().zip(ends) {
        put(out, end - block.offset);
    }
    let mut last = 0;
    for block in blocks {
        put(out, block.tick.wrapping_sub(last));
        last = block.tick;
    }
}

/// The blocks of an index of `count` that are to end at `end`.
pub(super) fn take_index(mut bytes: Bytes, count: usize, end: u64) -> Result<Vec<Block>, Fault> {
    let kinds = bytes.take(count)?;
    let mut offset = HEAD as u64;
    let mut blocks = Vec::with_capacity(count);
    for &letter in kinds {
        let kind = Kind::of(letter).ok_or_else(|| format!("there is no kind of block {letter:#x}"))?;
        blocks.push(Block { kind, offset, tick: 0 });
        let length = bytes.number()?;
        offset = offset.saturating_add(length);
        if length < BlockHead::BYTES as u64 || offset > end {
            return Err(format!("a block of {length} bytes ends at {offset}"));
        }
    }
    if offset != end {
        return Err(format!("the blocks end at {offset}, expected {end}"));
    }
    let mut tick = 0_u64;
    for block in &mut blocks {
        tick = tick.wrapping_add(bytes.number()?);
        block.tick = tick;
    }
    bytes.end()?;
    Ok(blocks)
}

/// The first block that cannot stand where it does, and why: ticks rise from frame to frame, and no frame has two blocks of
/// a kind. O(blocks).
pub(super) fn misplaced(blocks: &[Block]) -> Option<(usize, Fault)> {
    let mut parts: Vec<Kind> = Vec::new();
    let mut frame: Option<u64> = None;
    for (place, block) in blocks.iter().enumerate().skip(1) {
        let Block { kind, tick, .. } = *block;
        let order = "blocks stand twice or in another order than they were written; record the run again";
        if kind == Kind::About || parts.contains(&kind) {
            return Some((place, format!("there is a second {kind:?} before a frame: {order}")));
        }
        if let Some(before) = frame.filter(|before| tick <= *before) {
            return Some((place, format!("it is of tick {tick} and stands after tick {before}: {order}")));
        }
        parts.push(kind);
        if kind.is_frame() {
            frame = Some(tick);
            parts.clear();
        }
    }
    None
}
