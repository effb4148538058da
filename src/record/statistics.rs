//! A run as a table of figures over time.

use super::{RecordError, Sink};
use crate::geom::Vec2;
use crate::whole_file::WholeFile;
use crate::world::{Frame, Stage};
use std::io;
use std::path::{Path, PathBuf};

/// Figures over time as CSV: a row for every frame that it is shown.
///
/// Columns: `tick`, `time_s` (s), `agents`, `asleep`, `speed_m_s` (m/s), then `NAME_alive` and `NAME_dead` of each army. The
/// speed is the mean, over those who are in this row and in the row before, of the straight way between the two over the
/// time between them; it is empty where there is nobody, and in the first row. Equal runs give equal files, unless
/// [`Statistics::with_times`] adds how long the ticks took.
///
/// A row costs O(agents).
///
/// ```
/// use throng::{geom::Vec2, record::{Sink, Statistics}, world::Frame};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.csv");
/// let mut sink = Statistics::create(&path)?;
/// for tick in 0..2 {
///     let position = vec![Vec2::new(0.15 * tick as f32, 0.0)];
///     sink.frame(&Frame { tick, time: 0.1 * tick as f64, id: vec![0], position, ..Frame::default() })?;
/// }
/// Box::new(sink).finish()?;
/// let text = std::fs::read_to_string(path)?;
/// assert_eq!(text, "tick,time_s,agents,asleep,speed_m_s\n0,0,1,0,\n1,0.1,1,0,1.5000\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Statistics {
    out: csv::Writer<WholeFile>,
    path: PathBuf,
    times: bool,
    /// How many armies have columns; `None` before the first row.
    armies: Option<usize>,
    /// Places of the row before (m) by agent, NaN where there was none.
    before: Vec<Vec2>,
    /// Those of this row.
    places: Vec<Vec2>,
    /// Time of the row before (s).
    time: f64,
}

impl Statistics {
    /// Starts a table.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref().to_path_buf();
        let out = WholeFile::create(&path).map_err(RecordError::write(&path))?;
        Ok(Self {
            out: csv::Writer::from_writer(out),
            path,
            times: false,
            armies: None,
            before: Vec::new(),
            places: Vec::new(),
            time: 0.0,
        })
    }

    /// Adds how long the tick took (ms): `tick_ms`, and `NAME_ms` of each [`Stage`]. These differ from run to run.
    #[must_use]
    pub fn with_times(mut self) -> Self {
        self.times = true;
        self
    }

    fn header(&mut self, frame: &Frame) -> io::Result<()> {
        let mut names = ["tick", "time_s", "agents", "asleep", "speed_m_s"].map(String::from).to_vec();
        for army in &frame.armies {
            names.extend(["alive", "dead"].map(|what| format!("{}_{what}", army.name)));
        }
        if self.times {
            names.push("tick_ms".into());
            names.extend(Stage::ALL.iter().map(|stage| format!("{}_ms", stage.name())));
        }
        Ok(self.out.write_record(&names)?)
    }

    /// Mean speed since the row before (m/s), summed in the order of the agents' numbers.
    fn speed(&mut self, frame: &Frame) -> Option<f64> {
        self.places.clear();
        for (&id, &place) in frame.id.iter().zip(&frame.position) {
            let id = id as usize;
            if id >= self.places.len() {
                self.places.resize(id + 1, Vec2::NAN);
            }
            self.places[id] = place;
        }
        let (mut sum, mut count) = (0.0, 0_u64);
        for (now, before) in self.places.iter().zip(&self.before) {
            if !now.is_nan() && !before.is_nan() {
                sum += (now.as_dvec2() - before.as_dvec2()).length();
                count += 1;
            }
        }
        let seconds = frame.time - self.time;
        (self.before, self.places) = (std::mem::take(&mut self.places), std::mem::take(&mut self.before));
        self.time = frame.time;
        (count > 0 && seconds > 0.0).then(|| sum / count as f64 / seconds)
    }

    fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let armies = if let Some(armies) = self.armies {
            armies
        } else {
            self.header(frame)?;
            *self.armies.insert(frame.armies.len())
        };
        let speed = self.speed(frame).map_or_else(String::new, |speed| format!("{speed:.4}"));
        // To a microsecond: the step of a tick is no round number of 32 bits.
        let time = (frame.time * 1e6).round() / 1e6;
        let mut row =
            vec![frame.tick.to_string(), time.to_string(), frame.id.len().to_string(), frame.asleep.to_string(), speed];
        for army in 0..armies {
            let count = |of: fn(&crate::world::ArmyCount) -> u32| frame.armies.get(army).map_or(0, of).to_string();
            row.extend([count(|army| army.alive), count(|army| army.dead)]);
        }
        if self.times {
            row.push(format!("{:.4}", frame.tick_ms));
            row.extend(frame.stage_ms.iter().map(|ms| format!("{ms:.4}")));
        }
        Ok(self.out.write_record(&row)?)
    }
}

impl Sink for Statistics {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.write(frame).map_err(RecordError::write(&self.path))
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
        let Self { out, path, .. } = *self;
        let attempt = || out.into_inner().map_err(csv::IntoInnerError::into_error)?.finish();
        attempt().map_err(RecordError::write(&path))?;
        Ok(path)
    }
}
