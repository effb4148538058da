//! A run as a table of figures over time.

use super::going_on;
use super::pace::{Pace, mean};
use super::squad_table::points;
use super::table::{Table, Value};
use super::{AreaFigures, AreaMeter, MeasurementArea, RecordError, Sink};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use throng_sim::world::{ArmyCount, ArmyId, Frame, Stage, UnitId};

/// Figures over time: a row for every frame that it is shown. Parquet where the file's name ends in `.parquet` (with the
/// feature `parquet`), else CSV.
///
/// Columns: `tick`, `time_s` (s), `agents`, `asleep`, `speed_m_s` (m/s); of each army `ARMY_alive`, `ARMY_routed`, `ARMY_left`, `ARMY_dead`, `ARMY_kills`,
/// `ARMY_dealt` and `ARMY_taken`, the last two in points of health, all over the run so far; `ARMY_UNIT_alive` and
/// `ARMY_UNIT_speed_m_s` of each kind of soldier that an army has in the first row, or has a squad of that is yet to come
/// ([`Frame::kinds`]). A speed is the mean over
/// the agents of this row and the row before, of the straight distance between the two over the time between them; it is
/// empty without such agents, and in the first row. Equal runs give equal files, unless [`Statistics::with_times`] adds
/// the times of ticks.
///
/// A row costs O(agents · areas).
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::{Sink, Statistics};
/// use throng_sim::world::Frame;
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
    table: Table,
    times: bool,
    areas: Vec<AreaMeter>,
    /// The groups of columns; `None` before the first row.
    columns: Option<Columns>,
    pace: Pace,
    row: Vec<Value<'static>>,
}

/// The groups of columns of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Columns {
    armies: usize,
    /// Army and kind of soldier.
    units: Vec<(ArmyId, UnitId)>,
}

/// The state by which a table goes on.
#[derive(Serialize, Deserialize)]
struct State<'a> {
    rows: u64,
    times: bool,
    columns: Option<Cow<'a, Columns>>,
    areas: Cow<'a, [AreaMeter]>,
    pace: Cow<'a, Pace>,
}

impl Statistics {
    /// Starts a table.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made, [`RecordError::NoParquet`] where it is to be Parquet and this
    /// build knows none.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref())
    }

    fn create_at(path: &Path) -> Result<Self, RecordError> {
        let table = Table::create(path)?;
        Ok(Self { table, times: false, areas: Vec::new(), columns: None, pace: Pace::default(), row: Vec::new() })
    }

    /// Adds how long the tick took (ms): `tick_ms`, and `NAME_ms` of each [`Stage`]. These differ from run to run.
    #[must_use]
    pub fn with_times(mut self) -> Self {
        self.times = true;
        self
    }

    /// Adds the columns of a measurement area, numbered from 1, as [`AreaFigures`] has them: `areaN_agents`, `areaN_density_m2`,
    /// `areaN_speed_m_s`, and `areaN_passed`, from row to row.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_record::{MeasurementArea, Sink, Statistics};
    /// use throng_sim::world::Frame;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("run.csv");
    /// let door = MeasurementArea { centre: Vec2::new(20.0, 5.0), width: 4.0, height: 2.0 };
    /// let mut table = Statistics::create(&path)?.with_area(door);
    /// let position = vec![Vec2::new(19.0, 5.0), Vec2::new(21.0, 5.5), Vec2::new(30.0, 5.0)];
    /// table.frame(&Frame { id: vec![0, 1, 2], position, ..Frame::default() })?;
    /// Box::new(table).finish()?;
    /// let text = std::fs::read_to_string(path)?;
    /// assert!(text.starts_with("tick,time_s,agents,asleep,speed_m_s,area1_agents,area1_density_m2,area1_speed_m_s,area1_passed\n"));
    /// assert_eq!(text.lines().nth(1), Some("0,0,3,0,,2,0.250000,,0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_area(mut self, area: MeasurementArea) -> Self {
        self.areas.push(AreaMeter::new(area));
        self
    }

    fn header(&mut self, frame: &Frame) -> Result<(), RecordError> {
        let (whole, number) = (Value::Whole(0), Value::Number(0.0, 0));
        let mut names = ["tick", "time_s", "agents", "asleep", "speed_m_s"].map(String::from).to_vec();
        let mut kinds = vec![whole, Value::Time(0.0), whole, whole, number];
        for army in &frame.armies {
            names.extend(
                ["alive", "routed", "left", "dead", "kills", "dealt", "taken"]
                    .map(|what| format!("{}_{what}", army.name)),
            );
            kinds.extend([whole, whole, whole, whole, whole, number, number]);
        }
        let here = frame.army.iter().copied().zip(frame.unit.iter().copied());
        let units: BTreeSet<_> = here.chain(frame.kinds.iter().copied()).collect();
        for &(army, unit) in &units {
            let army = frame.armies.get(army.index()).map_or("", |army| &army.name);
            let unit = frame.units.get(unit.index()).map_or("", String::as_str);
            names.extend(["alive", "speed_m_s"].map(|what| format!("{army}_{unit}_{what}")));
            kinds.extend([whole, number]);
        }
        for area in 1..=self.areas.len() {
            names.extend(["agents", "density_m2", "speed_m_s", "passed"].map(|what| format!("area{area}_{what}")));
            kinds.extend([whole, number, number, whole]);
        }
        if self.times {
            names.push("tick_ms".into());
            names.extend(Stage::ALL.iter().map(|stage| format!("{}_ms", stage.name())));
            kinds.resize(names.len(), number);
        }
        self.columns = Some(Columns { armies: frame.armies.len(), units: units.into_iter().collect() });
        self.table.header(&names, &kinds)
    }
}

/// A speed (m/s).
fn speed(speeds: impl Iterator<Item = f64>) -> Value<'static> {
    Value::Number(mean(speeds).unwrap_or(f64::NAN), 4)
}

impl Sink for Statistics {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        if self.columns.is_none() {
            self.header(frame)?;
        }
        let Some(columns) = &self.columns else { return Ok(()) };
        let speeds = self.pace.step(frame);
        let row = &mut self.row;
        row.clear();
        let [agents, asleep] = [frame.id.len(), frame.asleep].map(|count| Value::Whole(count as u64));
        row.extend([Value::Whole(frame.tick), Value::Time(frame.time), agents, asleep]);
        row.push(speed(speeds.iter().copied()));
        for army in 0..columns.armies {
            let count = |of: fn(&ArmyCount) -> u32| Value::Whole(frame.armies.get(army).map_or(0, of).into());
            row.extend([count(|army| army.alive), count(|army| army.routed), count(|army| army.left)]);
            row.extend([count(|army| army.dead), count(|army| army.kills)]);
            let health = |of: fn(&ArmyCount) -> f64| points(frame.armies.get(army).map_or(0.0, of));
            row.extend([health(|army| army.dealt), health(|army| army.taken)]);
        }
        // Alive, and speeds of those whose speed is known: their sum and how many.
        let mut units = vec![(0_u64, 0.0, 0_u64); columns.units.len()];
        for ((&army, &unit), &speed) in frame.army.iter().zip(&frame.unit).zip(speeds) {
            if let Ok(place) = columns.units.binary_search(&(army, unit)) {
                let (alive, sum, count) = &mut units[place];
                *alive += 1;
                if !speed.is_nan() {
                    *sum += speed;
                    *count += 1;
                }
            }
        }
        for (alive, sum, count) in units {
            row.extend([Value::Whole(alive), Value::Number(sum / count as f64, 4)]);
        }
        for area in &mut self.areas {
            let AreaFigures { agents, density, speed, passed } = area.see(frame, speeds);
            row.extend([Value::Whole(agents), Value::Number(density, 6)]);
            row.extend([Value::Number(speed.unwrap_or(f64::NAN), 4), Value::Whole(passed)]);
        }
        if self.times {
            row.push(Value::Number(f64::from(frame.tick_ms), 4));
            row.extend(frame.stage_ms.iter().map(|&ms| Value::Number(f64::from(ms), 4)));
        }
        self.table.row(row)
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        if self.columns.is_none() {
            self.header(&Frame::default())?;
        }
        self.table.finish()
    }

    fn state(&mut self) -> Vec<u8> {
        going_on::to_bytes(&State {
            rows: self.table.rows(),
            times: self.times,
            columns: self.columns.as_ref().map(Cow::Borrowed),
            areas: Cow::Borrowed(&self.areas),
            pace: Cow::Borrowed(&self.pace),
        })
    }

    fn go_on(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        if !self.table.is_there()? {
            return Ok(false);
        }
        let State { rows, times, columns, areas, pace } = going_on::of_bytes(state, self.table.path())?;
        let are_same = areas.iter().map(AreaMeter::area).eq(self.areas.iter().map(AreaMeter::area));
        if times != self.times || !are_same {
            return Err(RecordError::go_on(self.table.path())(
                "it measures other areas, or has times and is to have none",
            ));
        }
        self.table.go_on(tick, rows)?;
        self.columns = columns.map(Cow::into_owned);
        (self.areas, self.pace) = (areas.into_owned(), pace.into_owned());
        Ok(true)
    }
}
