//! Errors of a batch.

use std::io;
use std::path::PathBuf;
use throng_scenario::ScenarioError;

/// A batch that cannot be run, or written.
///
/// ```
/// let error = "3..1".parse::<throng_lab::batch::Seeds>().unwrap_err();
/// assert_eq!(error.to_string(), "expected seeds as in 1.., 1..100 or 3,5,9, each once, found \"3..1\"");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The scenario cannot be used.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// No values after a key.
    #[error(
        "{found:?} names no values; expected KEY=LOW..HIGH:STEP or KEY=A,B,C, as in army.red.soldier.count=100..500:100"
    )]
    NoValues {
        /// The text found.
        found: String,
    },
    /// Values that are none.
    #[error("values of {key}: {message}")]
    Values {
        /// Which number.
        key: String,
        /// The expected and the found text.
        message: String,
    },
    /// A number that no scenario has.
    #[error(
        "{found:?} is no number of a scenario; expected army.ARMY.UNIT.count, army.ARMY.squad.N.count or unit.UNIT.FIELD"
    )]
    Key {
        /// The text found.
        found: String,
    },
    /// An army, unit or number that this scenario does not have.
    #[error("{key}: unknown {what} {found:?}; {hint}")]
    Unknown {
        /// The key that names it.
        key: String,
        /// "army", "unit of this army", "unit" or "number of a unit".
        what: &'static str,
        /// The name.
        found: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A squad that this army does not have.
    #[error("{key}: the army has {squads} squads, counted from 1; found {found}")]
    NoSquad {
        /// The key that names it.
        key: String,
        /// How many there are.
        squads: usize,
        /// The number.
        found: String,
    },
    /// A number that is varied twice.
    #[error("{key} and {other} say the same number; vary it once")]
    Twice {
        /// The second key.
        key: String,
        /// The first.
        other: String,
    },
    /// An army whose name would be taken for a draw.
    #[error("an army is called \"draw\", as results without a winner are; give it another name")]
    Draw,
    /// Seeds that are none.
    #[error("expected seeds as in 1.., 1..100 or 3,5,9, each once, found {found:?}")]
    Seeds {
        /// The text found.
        found: String,
    },
    /// Not as many seeds as runs, or too many.
    #[error("{message}")]
    Runs {
        /// The text found, and the remedy.
        message: String,
    },
    /// More runs than a batch may have.
    #[error("{found} runs in all; the limit is {limit}; vary fewer values, or take fewer seeds")]
    TooMany {
        /// How many.
        found: u128,
        /// The most.
        limit: usize,
    },
    /// A part of a batch that is none.
    #[error("expected a part and how many there are, as in 2/4, found {found:?}")]
    Shard {
        /// The text found.
        found: String,
    },
    /// A point of the grid whose scenario cannot be.
    #[error("at {point}: {source}")]
    Point {
        /// The varied numbers.
        point: String,
        /// The error of the scenario.
        source: Box<ScenarioError>,
    },
    /// A run that ended in an error.
    #[error("at {point}, seed {seed}: {message}")]
    Run {
        /// The varied numbers.
        point: String,
        /// Seed.
        seed: u64,
        /// The message of the error.
        message: String,
    },
    /// The system would not let us read or write the table.
    #[error("{}: cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// A file that is no table of a batch.
    #[error("{}: is there, and is no table of a batch; name another file", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// A table of another batch.
    #[error(
        "{}: holds another batch: its {what} is {found}, expected {expected}; name another file, or run that batch",
        file.display()
    )]
    Other {
        /// The file.
        file: PathBuf,
        /// The property that differs.
        what: String,
        /// Its value in the file.
        found: String,
        /// Its value in the batch that runs.
        expected: String,
    },
    /// A row that is none of the batch.
    #[error("{}:{line}: is no row of this batch: {message}; mend or remove the line", file.display())]
    Row {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The found and the expected row.
        message: String,
    },
    /// A table that another process is writing.
    #[error("{}: another throng is writing it; wait for its end, or name another file", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
}
