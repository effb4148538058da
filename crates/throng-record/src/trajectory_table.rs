//! Trajectories as a plain table.

use super::table::{Table, Value};
use super::trajectory_text::in_order_of_number;
use super::{RecordError, Sink, going_on};
use std::path::{Path, PathBuf};
use throng_sim::world::Frame;

/// Records the positions of all agents into a table: Parquet where the file's name ends in `.parquet` (with the feature `parquet`), else
/// CSV.
///
/// Columns: `tick`, `time_s` (s), `id`, `x_m` and `y_m` (m), `heading_x` and `heading_y`, `army` and `unit` (numbers, in the
/// order of the scenario), `health` (share of the full one). An `id` is one agent, also after it has left. Rows are in the order of tick and id. Equal runs give equal files.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::{Sink, TrajectoryTable};
/// use throng_sim::world::{ArmyId, Frame, UnitId};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.csv");
/// let mut sink = TrajectoryTable::create(&path, [20.0, 0.0])?;
/// let (id, position, heading) = (vec![7], vec![Vec2::new(1.5, 3.0)], vec![Vec2::X]);
/// let (army, unit) = (vec![ArmyId(0)], vec![UnitId(1)]);
/// sink.frame(&Frame { id, position, heading, army, unit, health: vec![1.0], ..Frame::default() })?;
/// Box::new(sink).finish()?;
/// let text = std::fs::read_to_string(path)?;
/// assert!(text.ends_with("unit,health\n0,0,7,21.5000,3.0000,1.0000,0.0000,0,1,1.0000\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrajectoryTable {
    table: Table,
    origin: [f64; 2],
    /// Rows of a frame in the order of their ids.
    order: Vec<u32>,
}

const NAMES: [&str; 10] = ["tick", "time_s", "id", "x_m", "y_m", "heading_x", "heading_y", "army", "unit", "health"];

impl TrajectoryTable {
    /// Starts a record; the origin of the world lies at `origin` in the coordinates of the file (m).
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made, [`RecordError::NoParquet`] where it is to be Parquet and this
    /// build knows none.
    pub fn create(path: impl AsRef<Path>, origin: [f64; 2]) -> Result<Self, RecordError> {
        Ok(Self { table: Table::create(path.as_ref())?, origin, order: Vec::new() })
    }
}

/// Names the columns, once.
fn begin(table: &mut Table) -> Result<(), RecordError> {
    let kinds = [&[Value::Whole(0), Value::Time(0.0), Value::Whole(0)][..], &[Value::Number(0.0, 0); 7]].concat();
    if table.has_header() { Ok(()) } else { table.header(&NAMES.map(String::from), &kinds) }
}

impl Sink for TrajectoryTable {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        begin(&mut self.table)?;
        in_order_of_number(&mut self.order, frame);
        for row in self.order.iter().map(|&row| row as usize) {
            let (position, heading) = (frame.position[row].as_dvec2(), frame.heading[row].as_dvec2());
            // Parts that a frame lacks are left out.
            let army = frame.army.get(row).map_or(f64::NAN, |army| army.0.into());
            let unit = frame.unit.get(row).map_or(f64::NAN, |unit| unit.0.into());
            let health = frame.health.get(row).map_or(f64::NAN, |&health| f64::from(health));
            self.table.row(&[
                Value::Whole(frame.tick),
                Value::Time(frame.time),
                Value::Whole(frame.person_of(row).into()),
                Value::Number(position.x + self.origin[0], 4),
                Value::Number(position.y + self.origin[1], 4),
                Value::Number(heading.x, 4),
                Value::Number(heading.y, 4),
                Value::Number(army, 0),
                Value::Number(unit, 0),
                Value::Number(health, 4),
            ])?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        begin(&mut self.table)?;
        self.table.finish()
    }

    fn state(&mut self) -> Vec<u8> {
        going_on::to_bytes(&self.table.rows())
    }

    fn go_on(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        self.table.go_on_by_rows(tick, state)
    }
}
