//! The beginning of a recording, as a writer must know it to go on.

use super::format::{About, Block, FORMAT, Kind};
use super::moment::Moment;
use super::names::Names;
use super::reader::Recording;
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// The beginning of a recording, up to a tick.
#[derive(Debug, Default)]
pub(super) struct Continued {
    /// Bytes of it.
    pub bytes: u64,
    pub frames: u64,
    pub blocks: Vec<Block>,
    /// The content of the last block of a map.
    pub map: Vec<u8>,
    pub names: Names,
    /// Where soldiers died since the last block that says so (m).
    pub fallen: Vec<Vec2>,
    /// The last frame.
    pub before: Moment,
}

impl Continued {
    /// Reads that of a recording of `about` up to a tick; says why it cannot be gone on with.
    pub fn read(file: &Path, tick: u64, about: &About) -> Result<Self, String> {
        let mut recording = Recording::open(file).map_err(|error| error.to_string())?;
        let found = recording.about();
        // Another version of the program may go on otherwise; the snapshot says so.
        if (About { program: about.program.clone(), ..found.clone() }) != *about {
            return Err(format!(
                "it is of {:?}, seed {}, a tick of {} s, one tick in {}; expected {:?}, {}, {}, {}",
                found.title, found.seed, found.step, found.every, about.title, about.seed, about.step, about.every
            ));
        }
        if recording.format() != FORMAT {
            return Err(format!("it has format {}, expected {FORMAT}", recording.format()));
        }
        let frames = (0..recording.frames()).take_while(|&frame| recording.tick(frame) <= tick).count();
        let expected = tick - tick % about.every;
        let last = frames.checked_sub(1).ok_or("it has no frame up to that tick")?;
        if recording.tick(last) < expected {
            return Err(format!("it ends at tick {}, expected {expected}", recording.tick(last)));
        }
        recording.beginning(last).map_err(|error| error.to_string())
    }
}

impl Recording {
    /// The beginning of it, up to a frame.
    fn beginning(&mut self, last: usize) -> Result<Continued, super::RecordingError> {
        let (mut frame, mut fallen) = (Frame::default(), Vec::new());
        for number in self.key_of(last)..=last {
            self.frame(number, &mut frame)?;
            fallen.append(&mut frame.fallen);
        }
        let (blocks, bytes) = self.blocks_to(last)?;
        let place = |wanted: Kind| blocks.iter().rposition(|block| block.kind == wanted);
        let map = place(Kind::Map).map(|place| self.content_of(place)).transpose()?.unwrap_or_default();
        let (names, before) = self.take_shown();
        Ok(Continued { bytes, frames: last as u64 + 1, blocks, map, names, fallen, before })
    }
}
