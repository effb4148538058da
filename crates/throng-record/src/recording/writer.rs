//! Frames into a file, one after the other.

use super::bytes::put;
use super::continued::Continued;
use super::format::{About, Block, BlockHead, END, FORMAT, HEAD, Kind, MAGIC, put_index};
use super::map;
use super::moment::Moment;
use super::moves::{self, Columns, MAX_AGENTS, put_points};
use super::names::Names;
use super::pack::{Effort, Packer};
use std::io::{self, Write};
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// From one frame that is complete in itself to the next.
pub(super) const KEY: u64 = 32;

#[derive(Debug)]
pub(super) struct Writer<W> {
    out: W,
    /// Bytes of the file that are whole blocks.
    pub written: u64,
    /// Frames in the file.
    pub frames: u64,
    about: About,
    blocks: Vec<Block>,
    /// The block that is being made.
    block: Vec<u8>,
    grid: Option<Arc<Grid>>,
    /// The content of the block of the map that was taken over; empty after the first frame.
    map: Vec<u8>,
    names: Names,
    /// Where soldiers died since the last block that says so.
    fallen: Vec<Vec2>,
    /// The last frame, and this one.
    before: Moment,
    now: Moment,
    order: Vec<u64>,
    columns: Columns,
    packer: Packer,
}

impl<W: Write> Writer<W> {
    pub fn new(out: W, about: &About) -> io::Result<Self> {
        let nothing = Continued { bytes: HEAD as u64, ..Continued::default() };
        let mut writer = Self::after(nothing, out, about);
        writer.out.write_all(&MAGIC)?;
        writer.out.write_all(&FORMAT.to_le_bytes())?;
        writer.begin();
        about.write(&mut writer.block);
        writer.end(Kind::About, 0)?;
        Ok(writer)
    }

    /// Goes on after the beginning of a recording, which is in `out`.
    pub fn after(beginning: Continued, out: W, about: &About) -> Self {
        let Continued { bytes, frames, blocks, map, names, fallen, before } = beginning;
        Self {
            out,
            written: bytes,
            frames,
            about: about.clone(),
            blocks,
            block: Vec::new(),
            grid: None,
            map,
            names,
            fallen,
            before,
            now: Moment::default(),
            order: Vec::new(),
            columns: Columns::default(),
            packer: Packer::new(),
        }
    }

    /// Writes a frame and, where they are others than before, the map and the names.
    pub fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        if let Some(grid) = &frame.grid
            && self.grid.as_ref().is_none_or(|old| !is_same(old, grid))
        {
            self.begin();
            map::write(grid, &mut self.packer, &mut self.block);
            if self.block[BlockHead::BYTES..] != self.map {
                self.end(Kind::Map, frame.tick)?;
            }
            self.map.clear();
            self.grid = Some(Arc::clone(grid));
        }
        if !self.names.are_in(frame) {
            self.names = Names::of(frame);
            self.begin();
            self.names.write(&mut self.block);
            self.end(Kind::Names, frame.tick)?;
        }
        let is_key = self.frames.is_multiple_of(KEY);
        if is_key {
            if !self.fallen.is_empty() {
                self.begin();
                put_points(&mut self.block, &self.fallen);
                self.end(Kind::Fallen, frame.tick)?;
                self.fallen.clear();
            }
            self.before.clear();
        }
        self.now.take(frame, &mut self.order);
        if let Some(row) = self.now.rows.last().filter(|row| row.id >= MAX_AGENTS) {
            let what = format!("agent {} has too large a number, expected at most {}", row.id, MAX_AGENTS - 1);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        self.begin();
        let seconds = self.about.between(self.before.tick, frame.tick);
        let Self { now, before, columns, packer, block, .. } = self;
        moves::write(frame, seconds, now, before, columns, packer, block);
        std::mem::swap(now, before);
        self.end(if is_key { Kind::Key } else { Kind::Step }, frame.tick)?;
        self.fallen.extend_from_slice(&frame.fallen);
        self.frames += 1;
        Ok(())
    }

    /// Writes the index.
    pub fn finish(mut self) -> io::Result<W> {
        let (place, mut index) = (self.written, Vec::new());
        put_index(&self.blocks, place, &mut index);
        let (count, tick) = (self.blocks.len(), self.blocks.last().map_or(0, |block| block.tick));
        self.begin();
        put(&mut self.block, count as u64);
        self.packer.pack(&index, Effort::Repetitions, &mut self.block);
        self.end(Kind::Index, tick)?;
        self.out.write_all(&[place.to_le_bytes(), END].concat())?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// The file alone.
    pub fn into_out(self) -> W {
        self.out
    }

    /// The bytes that were written so far.
    pub fn out(&self) -> &W {
        &self.out
    }

    fn begin(&mut self) {
        self.block.clear();
        self.block.resize(BlockHead::BYTES, 0);
    }

    /// Writes the block at once, so that nothing of it waits in memory.
    fn end(&mut self, kind: Kind, tick: u64) -> io::Result<()> {
        if u32::try_from(self.block.len()).is_err() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "a frame takes more than 4 GiB"));
        }
        BlockHead::complete(kind, tick, &mut self.block);
        self.out.write_all(&self.block)?;
        self.blocks.push(Block { kind, offset: self.written, tick });
        self.written += self.block.len() as u64;
        Ok(())
    }
}

fn is_same(old: &Arc<Grid>, new: &Arc<Grid>) -> bool {
    Arc::ptr_eq(old, new) || (old.revision() == new.revision() && old == new)
}

#[cfg(test)]
mod tests {
    use super::super::{Ending, Recording};
    use super::*;

    /// A disk with room for this number of bytes.
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.room - self.bytes.len());
            self.bytes.extend_from_slice(&bytes[..fits]);
            if fits == 0 && !bytes.is_empty() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(fits) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn frame(tick: u64) -> Frame {
        Frame {
            tick,
            id: (0..20).collect(),
            position: (0..20).map(|x| Vec2::new(x as f32 + tick as f32 * 0.1, 3.0)).collect(),
            ..Frame::default()
        }
    }

    #[test]
    fn a_full_disk_keeps_what_was_written_before() {
        let mut fullest = 0;
        for room in (100..8000).step_by(37) {
            let mut writer = Writer::new(Disk { bytes: Vec::new(), room }, &About::default()).unwrap();
            let failed = (0..100).map(|tick| writer.frame(&frame(tick))).find_map(Result::err);
            let (frames, written) = (writer.frames, writer.written);
            let Some(error) = failed else { break };
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            let mut recording = Recording::from_bytes(writer.out().bytes.clone()).unwrap();
            assert_eq!(recording.frames() as u64, frames);
            assert_eq!(recording.ending(), &Ending::Cut { bytes: room as u64 - written });
            if let Some(last) = frames.checked_sub(1) {
                let mut found = Frame::default();
                recording.frame(last as usize, &mut found).unwrap();
                let near = |(a, b): (&Vec2, &Vec2)| (a - b).length() < 0.001;
                assert!(found.position.iter().zip(&frame(last).position).all(near));
            }
            fullest = fullest.max(frames);
        }
        assert!(fullest > 60, "{fullest}");
    }

    #[test]
    fn numbers_beyond_the_format_are_refused() {
        let mut writer = Writer::new(Vec::new(), &About::default()).unwrap();
        let error = writer.frame(&Frame { id: vec![MAX_AGENTS], ..Frame::default() }).unwrap_err().to_string();
        assert_eq!(error, "agent 16777216 has too large a number, expected at most 16777215");
    }

    #[test]
    fn agents_that_stand_cost_next_to_nothing() {
        let mut writer = Writer::new(Vec::new(), &About::default()).unwrap();
        for tick in 0..KEY {
            writer.frame(&Frame { tick, id: (0..1000).collect(), ..Frame::default() }).unwrap();
        }
        let bytes = writer.finish().unwrap().len();
        // Most of it are the numbers, once.
        assert!(bytes < 180 * KEY as usize, "{bytes}");
    }
}
