//! The result of a run.

use super::{Batch, Run};

/// The result of a run: a row of the table.
///
/// ```
/// use throng_lab::batch::{Row, Run, ArmyResult};
/// let red = ArmyResult { spawned: 10, alive: 3, routed: 1, dead: 5, left: 1 };
/// let run = Run { point: 0, seed: 7 };
/// let row = Row { run, winner: Some(0), ticks: 400, seconds: 20.0, armies: vec![red, ArmyResult::default()] };
/// assert_eq!(row.survivors(), Some(3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which run.
    pub run: Run,
    /// The army that has won, by its place in the file; `None` = a draw.
    pub winner: Option<usize>,
    /// Ticks until the end.
    pub ticks: u64,
    /// Simulated time until the end (s).
    pub seconds: f64,
    /// The armies.
    pub armies: Vec<ArmyResult>,
}

/// The strength of an army at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmyResult {
    /// Soldiers it had.
    pub spawned: u32,
    /// Living soldiers.
    pub alive: u32,
    /// Soldiers that fled over the edge of the map.
    pub routed: u32,
    /// Dead ones.
    pub dead: u32,
    /// Agents that left at the end of their journey.
    pub left: u32,
}

/// The counts of a tally, in their order.
const TALLIES: [&str; 5] = ["spawned", "alive", "routed", "dead", "left"];

/// The winner of a draw.
const DRAW: &str = "draw";

impl Row {
    /// Living soldiers of the winner; `None` after a draw.
    pub fn survivors(&self) -> Option<u32> {
        Some(self.armies.get(self.winner?)?.alive)
    }

    /// The line of the table.
    pub(super) fn line(&self, batch: &Batch) -> String {
        let mut fields: Vec<String> = batch.point(self.run.point).iter().map(ToString::to_string).collect();
        fields.push(self.run.seed.to_string());
        fields.push(self.winner.and_then(|army| batch.armies.get(army)).map_or(DRAW.into(), |name| plain(name)));
        fields.extend([self.ticks.to_string(), self.seconds.to_string()]);
        for army in &self.armies {
            fields.extend([army.spawned, army.alive, army.routed, army.dead, army.left].map(|count| count.to_string()));
        }
        line(&fields)
    }

    /// Reads a line of the table.
    ///
    /// # Errors
    /// The found and the expected text.
    pub(super) fn read(text: &str, batch: &Batch) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
        let columns = columns(batch);
        if record.len() != columns.len() {
            return Err(format!("it has {} fields, expected {}", record.len(), columns.len()));
        }
        let mut fields = columns.iter().zip(&record);
        let mut next = || fields.next().map_or(("", ""), |(column, field)| (column.as_str(), field));
        let odd = |(column, field): (&str, &str)| format!("{column} is {field:?}");
        let mut values = Vec::with_capacity(batch.varies.len());
        for _ in &batch.varies {
            let field = next();
            values.push(field.1.parse().map_err(|_| odd(field))?);
        }
        let point = batch.point_of(&values).ok_or("its values are none of those varied")?;
        let field = next();
        let seed = field.1.parse().map_err(|_| odd(field))?;
        let field = next();
        let winner = match field.1 {
            DRAW => None,
            name => Some(batch.armies.iter().position(|army| plain(army) == name).ok_or_else(|| odd(field))?),
        };
        let field = next();
        let ticks = field.1.parse().map_err(|_| odd(field))?;
        let field = next();
        let is_time = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
        let seconds = field.1.parse().ok().filter(is_time).ok_or_else(|| odd(field))?;
        let mut armies = Vec::with_capacity(batch.armies.len());
        for _ in &batch.armies {
            let mut count = || {
                let field = next();
                field.1.parse::<u32>().map_err(|_| odd(field))
            };
            let [spawned, alive, routed] = [count()?, count()?, count()?];
            armies.push(ArmyResult { spawned, alive, routed, dead: count()?, left: count()? });
        }
        Ok(Self { run: Run { point, seed }, winner, ticks, seconds, armies })
    }
}

/// The names of the columns.
pub(super) fn columns(batch: &Batch) -> Vec<String> {
    let mut columns: Vec<String> = batch.varies.iter().map(|vary| plain(&vary.key)).collect();
    columns.extend(["seed", "winner", "ticks", "seconds"].map(String::from));
    for army in &batch.armies {
        columns.extend(TALLIES.map(|what| format!("{}_{what}", plain(army))));
    }
    columns
}

/// Fields as a line of CSV, with its end.
pub(super) fn line(fields: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    String::from_utf8(written.unwrap_or_default()).unwrap_or_default()
}

/// A name on one line: a row is a line.
pub(super) fn plain(name: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    name.chars().map(escaped).collect()
}
