//! A run as a table of squads over time.

use super::table::{Table, Value};
use super::{RecordError, Sink, going_on};
use std::path::{Path, PathBuf};
use throng_sim::battle::SquadStats;
use throng_sim::world::{ArmyCount, Frame, SquadCount};

/// The columns.
const NAMES: [&str; 13] = [
    "tick",
    "time_s",
    "squad",
    "name",
    "army",
    "unit",
    "order",
    "alive",
    "losses",
    "kills",
    "dealt",
    "taken",
    "distance_m",
];

/// Writes the figures of every squad so far: a row for each in every frame that it is shown. Parquet where the file's name ends in
/// `.parquet` (with the feature `parquet`), else CSV.
///
/// Columns: `tick`, `time_s` (s), `squad` (its number), `name`, `army`, `unit`, `order`; `alive`, `losses`, `kills`, of
/// enemies; `dealt` and `taken`, points of health; `distance_m`, the distance that all its members together have walked
/// (m), where the world [counts that](throng_sim::world::World::count_walks). Squads are there from when they come.
/// Those of an army that are in no squad share a row without `squad`, `unit` and `order`, so that the rows of a frame
/// add up to the armies. Equal runs give equal files.
///
/// A frame costs O(squads).
///
/// ```
/// use throng_sim::battle::SquadStats;
/// use throng_record::{Sink, SquadTable};
/// use throng_sim::world::{ArmyCount, Frame, SquadCount};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("squads.csv");
/// let mut sink = SquadTable::create(&path)?.with_names(vec!["first".into()]);
/// let tally = SquadStats { spawned: 9, losses: 1, kills: 2, dealt: 52_500_000, taken: 100_000_000, walked: 8_250_000, ..SquadStats::default() };
/// let armies = vec![ArmyCount {
///     name: "red".into(), alive: 8, dead: 1, kills: 2, dealt: 52.5, taken: 100.0, walked: 8_250_000, ..ArmyCount::default()
/// }];
/// let squads = vec![SquadCount { tally, ..SquadCount::default() }];
/// sink.frame(&Frame { tick: 20, time: 1.0, armies, squads, units: vec!["pike".into()], ..Frame::default() })?;
/// Box::new(sink).finish()?;
/// let text = std::fs::read_to_string(path)?;
/// assert_eq!(text.lines().nth(1), Some("20,1,0,first,red,pike,hold,8,1,2,52.5,100.0,8.25"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SquadTable {
    table: Table,
    names: Vec<String>,
}

impl SquadTable {
    /// Starts a table.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made, [`RecordError::NoParquet`] where it is to be Parquet and this
    /// build knows none.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref())
    }

    fn create_at(path: &Path) -> Result<Self, RecordError> {
        Ok(Self { table: Table::create(path)?, names: Vec::new() })
    }

    /// Sets the names of the squads, by their number; an empty name is none.
    #[must_use]
    pub fn with_names(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }
}

/// Names the columns, once.
fn begin(table: &mut Table) -> Result<(), RecordError> {
    let (whole, text, number) = (Value::Whole(0), Value::Text(""), Value::Number(0.0, 0));
    let [tick, squad] = [[whole, Value::Time(0.0)], [Value::Place(None), text]];
    let kinds = [&tick[..], &squad, &[text; 3], &[whole; 3], &[number; 3]].concat();
    if table.has_header() { Ok(()) } else { table.header(&NAMES.map(String::from), &kinds) }
}

/// To a tenth of a point, in the same way wherever it is asked for.
pub(super) fn points(points: f64) -> Value<'static> {
    Value::Number((points * 10.0).round() / 10.0, 1)
}

/// The figures of an army's soldiers without a squad; `None` if there were none.
fn rest(number: usize, army: &ArmyCount, squads: &[SquadCount]) -> Option<SquadStats> {
    let own = || squads.iter().filter(|squad| squad.army.index() == number).map(|squad| &squad.tally);
    let left = |all: u32, of: fn(&SquadStats) -> u32| all.saturating_sub(own().map(of).sum());
    let rest =
        |all: f64, of: fn(&SquadStats) -> u64| own().map(of).fold((all * 1e6).round() as u64, u64::saturating_sub);
    let (alive, losses) = (left(army.alive, SquadStats::alive), left(army.dead, |tally| tally.losses));
    let tally = SquadStats {
        spawned: alive + losses,
        losses,
        kills: left(army.kills, |tally| tally.kills),
        dealt: rest(army.dealt, |tally| tally.dealt),
        taken: rest(army.taken, |tally| tally.taken),
        walked: army.walked.saturating_sub(own().map(|tally| tally.walked).sum()),
        ..SquadStats::default()
    };
    (tally.spawned > 0 || tally.walked > 0).then_some(tally)
}

impl Sink for SquadTable {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        let Self { table, names } = self;
        begin(table)?;
        let army_of = |army: usize| frame.armies.get(army).map_or("", |army| &army.name);
        let mut row = |squad: Option<u64>, [name, army, unit, order]: [&str; 4], tally: &SquadStats| {
            let [dealt, taken] = tally.damage();
            table.row(&[
                Value::Whole(frame.tick),
                Value::Time(frame.time),
                Value::Place(squad),
                Value::Text(name),
                Value::Text(army),
                Value::Text(unit),
                Value::Text(order),
                Value::Whole(tally.alive().into()),
                Value::Whole(tally.losses.into()),
                Value::Whole(tally.kills.into()),
                points(dealt),
                points(taken),
                Value::Number(tally.metres(), 2),
            ])
        };
        for (number, squad) in frame.squads.iter().enumerate().filter(|(_, squad)| squad.tally.spawned > 0) {
            let unit = frame.units.get(squad.unit.index()).map_or("", String::as_str);
            let name = names.get(number).map_or("", String::as_str);
            let texts = [name, army_of(squad.army.index()), unit, squad.order.name()];
            row(Some(number as u64), texts, &squad.tally)?;
        }
        for (number, army) in frame.armies.iter().enumerate() {
            if let Some(tally) = rest(number, army, &frame.squads) {
                row(None, ["", &army.name, "", ""], &tally)?;
            }
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
