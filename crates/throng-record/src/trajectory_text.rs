//! Trajectories as text, which `PedPy` opens.

use super::{RecordError, Sink, going_on};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;
use throng_sim::world::{Frame, as_written};

/// Records the positions of all agents in every frame that it is shown, as text: the frames a second in the head, then
/// `id frame x y z` a row, in metres to a tenth of a millimetre, z always 0.
///
/// Frames are counted as in [`Trajectories`](super::Trajectories); rows are in the order of frame and id. Equal runs give
/// equal files. The walkable area is not in the file.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::{Sink, TrajectoryText};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.txt");
/// let mut sink = TrajectoryText::create(&path, 0.1, 1, [-20.0, 0.0])?;
/// sink.frame(&Frame { id: vec![7], position: vec![Vec2::new(21.5, 3.0)], ..Frame::default() })?;
/// Box::new(sink).finish()?;
/// let text = std::fs::read_to_string(path)?;
/// assert_eq!(text, "# framerate: 10.0 fps\n# id frame x/m y/m z/m\n7 0 1.5000 3.0000 0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrajectoryText {
    out: WholeFile,
    path: PathBuf,
    /// The first lines.
    head: String,
    every: u64,
    origin: [f64; 2],
    rows: u64,
    /// Rows of a frame in the order of their ids.
    order: Vec<u32>,
}

impl TrajectoryText {
    /// Starts a record that will be shown every `every`-th tick of `step` seconds. The origin of the world lies at
    /// `origin` in the coordinates of the file (m).
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made.
    pub fn create(path: impl AsRef<Path>, step: f32, every: u64, origin: [f64; 2]) -> Result<Self, RecordError> {
        let path = path.as_ref().to_path_buf();
        let every = every.max(1);
        let mut out = WholeFile::create(&path).map_err(RecordError::write(&path))?;
        let head = format!("# framerate: {:?} fps\n# id frame x/m y/m z/m\n", frames_a_second(step, every));
        out.write_all(head.as_bytes()).map_err(RecordError::write(&path))?;
        Ok(Self { out, path, head, every, origin, rows: 0, order: Vec::new() })
    }

    fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let number = frame.tick / self.every;
        in_order_of_number(&mut self.order, frame);
        for row in self.order.iter().map(|&row| row as usize) {
            let position = frame.position[row].as_dvec2();
            let [x, y] = [position.x + self.origin[0], position.y + self.origin[1]].map(rounded);
            writeln!(self.out, "{} {number} {x:.4} {y:.4} 0", frame.person_of(row))?;
            self.rows += 1;
        }
        Ok(())
    }

    /// Copies the rows of a file up to a tick.
    fn copy(&mut self, old: impl BufRead, tick: u64) -> Result<(), RecordError> {
        let unread = |what: String| RecordError::go_on(&self.path)(what);
        let (mut head, heads) = (String::new(), self.head.lines().count());
        for (number, line) in old.lines().enumerate() {
            let line = line.map_err(|error| unread(error.to_string()))?;
            if number < heads {
                head.extend([&*line, "\n"]);
                continue;
            }
            let frame = line.split(' ').nth(1).and_then(|frame| frame.parse::<u64>().ok());
            let frame = frame.ok_or_else(|| unread(format!("line {} has no frame", number + 1)))?;
            if frame > tick / self.every {
                break;
            }
            writeln!(self.out, "{line}").map_err(RecordError::write(&self.path))?;
            self.rows += 1;
        }
        let expected = self.head.trim_end();
        if head.trim_end() == expected { Ok(()) } else { Err(unread(format!("it begins otherwise than {expected:?}"))) }
    }
}

impl Sink for TrajectoryText {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.write(frame).map_err(RecordError::write(&self.path))
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
        let Self { out, path, .. } = *self;
        out.finish().map_err(RecordError::write(&path))?;
        Ok(path)
    }

    fn state(&mut self) -> Vec<u8> {
        going_on::to_bytes(&self.rows)
    }

    fn go_on(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        let Some(old) = going_on::open(&self.path)? else { return Ok(false) };
        let rows = going_on::of_bytes(state, &self.path)?;
        self.copy(BufReader::new(old), tick)?;
        going_on::check_count("rows", (self.rows, rows), tick, &self.path)?;
        Ok(true)
    }
}

/// To a tenth of a millimetre; no zero is negative.
fn rounded(metres: f64) -> f64 {
    (metres * 1e4).round() / 1e4 + 0.0
}

/// How many frames a file has for each second where a tick takes `step` seconds and every `every`-th is written.
pub(super) fn frames_a_second(step: f32, every: u64) -> f64 {
    1.0 / as_written(step) / every as f64
}

/// The rows of a frame in the order of their numbers among all that were ever there.
pub(super) fn in_order_of_number(order: &mut Vec<u32>, frame: &Frame) {
    order.clear();
    order.extend(0..frame.id.len() as u32);
    order.sort_unstable_by_key(|&row| frame.person_of(row as usize));
}
