//! Trajectories as text, which `PedPy` opens.

use super::{RecordError, Sink};
use std::io::{self, Write};
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
    every: u64,
    origin: [f64; 2],
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
        let attempt = || {
            let mut out = WholeFile::create(&path)?;
            writeln!(out, "# framerate: {:?} fps\n# id frame x/m y/m z/m", frames_a_second(step, every))?;
            Ok(out)
        };
        let out = attempt().map_err(RecordError::write(&path))?;
        Ok(Self { out, path, every, origin, order: Vec::new() })
    }

    fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let number = frame.tick / self.every;
        in_order_of_number(&mut self.order, frame);
        for row in self.order.iter().map(|&row| row as usize) {
            let position = frame.position[row].as_dvec2();
            let [x, y] = [position.x + self.origin[0], position.y + self.origin[1]].map(rounded);
            writeln!(self.out, "{} {number} {x:.4} {y:.4} 0", frame.person_of(row))?;
        }
        Ok(())
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
