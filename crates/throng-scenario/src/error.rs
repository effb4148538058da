//! What can be wrong with a scenario.

use super::{MAX_AGENTS, MAX_SQUAD};
use std::fmt;
use std::io;
use std::path::PathBuf;
use throng_grid::{GroundError, LatticeError, MapError};
use throng_sim::battle::UnitError;
use throng_sim::world::WorldError;

/// A place in a text file.
///
/// ```
/// let at = throng_scenario::At { file: "siege.toml".into(), line: 3, column: 7 };
/// assert_eq!(at.to_string(), "siege.toml:3:7");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The file.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in letters, from 1.
    pub column: usize,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// A scenario or crowd file that cannot be used.
///
/// ```
/// let error = throng_scenario::Scenario::load("nowhere.toml").unwrap_err();
/// assert_eq!(error.to_string(), "nowhere.toml: no such file; check the path");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// There is no such file.
    #[error("{}: no such file; check the path", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// The path leads to a folder.
    #[error("{}: this is a folder; name a file in it", file.display())]
    Folder {
        /// The folder.
        file: PathBuf,
    },
    /// The system would not let us read the file.
    #[error("{}: cannot be read: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The text is no TOML, or a value is of the wrong type.
    #[error("{at}: {message}")]
    Toml {
        /// Where.
        at: At,
        /// What the reader said.
        message: String,
    },
    /// A key that means nothing here.
    #[error("{at}: unknown key {found:?}; {hint}")]
    UnknownKey {
        /// Where.
        at: At,
        /// The key.
        found: String,
        /// The nearest known key, or all of them.
        hint: String,
    },
    /// A key that has to be there.
    #[error("{at}: the key {key:?} is missing")]
    MissingKey {
        /// The table that lacks it.
        at: At,
        /// The key.
        key: String,
    },
    /// A unit that the file does not define.
    #[error("{at}: unknown unit {found:?}; {hint}")]
    UnknownUnit {
        /// Where.
        at: At,
        /// The name.
        found: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A unit or army to be ignored that the file does not define.
    #[error("{at}: unknown unit or army {found:?}; {hint}")]
    UnknownIgnored {
        /// Where.
        at: At,
        /// The name.
        found: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A journey, stop, squad or army that the file does not define, or an area that the map does not have.
    #[error("{at}: unknown {what} {found:?}; {hint}")]
    UnknownName {
        /// Where.
        at: At,
        /// "journey", "stop", "squad", "army", "area" or "trigger".
        what: &'static str,
        /// The name.
        found: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A stop that is none, or several at once.
    #[error("{at}: {message}")]
    Stop {
        /// Where.
        at: At,
        /// What was found and what was expected.
        message: String,
    },
    /// A squad without a place, with two, or in an area that does not suit it.
    #[error("{at}: {message}")]
    Squad {
        /// Where.
        at: At,
        /// What was found and what was expected.
        message: String,
    },
    /// A library of units that cannot be used.
    #[error("{at}: {source}")]
    Library {
        /// Where it is named.
        at: At,
        /// What is wrong with it.
        source: Box<ScenarioError>,
    },
    /// Two armies that cannot be to each other what is said.
    #[error("{at}: {message}")]
    Relation {
        /// Where.
        at: At,
        /// What was found and what is known.
        message: String,
    },
    /// Something that an army cannot be told to do.
    #[error("{at}: {message}")]
    Objective {
        /// Where.
        at: At,
        /// What was found and what was expected.
        message: String,
    },
    /// A trigger that cannot be.
    #[error("{at}: {message}")]
    Trigger {
        /// Where.
        at: At,
        /// What was found and what was expected.
        message: String,
    },
    /// Something that cannot be broken.
    #[error("{at}: {message}")]
    Breakable {
        /// Where.
        at: At,
        /// What was found and what was expected.
        message: String,
    },
    /// A journey that cannot be.
    #[error("{at}: journey {journey:?}: {source}")]
    Journey {
        /// Where.
        at: At,
        /// Its name.
        journey: String,
        /// What is wrong.
        source: Box<WorldError>,
    },
    /// A planner, index or avoidance that does not exist.
    #[error("{at}: {message}")]
    UnknownChoice {
        /// Where.
        at: At,
        /// What was found and what is known.
        message: String,
    },
    /// A squad of nobody, or of too many.
    #[error("{at}: count must be between 1 and {MAX_SQUAD} (soldiers a squad), found {found}")]
    Count {
        /// Where.
        at: At,
        /// The number.
        found: i64,
    },
    /// More agents than a world may have.
    #[error("{}: {found} agents in all; the limit is {MAX_AGENTS}", file.display())]
    TooMany {
        /// The file.
        file: PathBuf,
        /// Agents of all squads.
        found: u64,
    },
    /// A number out of its range.
    #[error("{at}: {key} must be {expected}, found {found}")]
    Number {
        /// Where.
        at: At,
        /// Name of the number.
        key: &'static str,
        /// The range.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A number of a unit out of its range.
    #[error("{at}: {source}")]
    Unit {
        /// Where.
        at: At,
        /// Which number.
        source: UnitError,
    },
    /// Nobody to simulate.
    #[error("{}: there are no armies; add [[army]] and below it [[army.squad]]", file.display())]
    NoArmies {
        /// The file.
        file: PathBuf,
    },
    /// An army without a squad.
    #[error("{at}: the army {army:?} has no squads; add [[army.squad]] below it")]
    NoSquads {
        /// Where.
        at: At,
        /// Name of the army.
        army: String,
    },
    /// Two of one name.
    #[error("{at}: there are two {what} of the name {name:?}, the first in line {first}; rename one")]
    Duplicate {
        /// Where the second is.
        at: At,
        /// "units", "armies", "squads", "journeys", "stops" or "triggers".
        what: &'static str,
        /// The name.
        name: String,
        /// Line of the first.
        first: usize,
    },
    /// The map of an edited scenario cannot be written, or its old one not be read any more.
    #[error("{source}")]
    MapNotWritten {
        /// What went wrong.
        source: Box<MapError>,
    },
    /// The map of an edited scenario holds more than a file of its kind can.
    #[error("{}: not written, since it cannot hold {what}; {holds}", file.display())]
    MapLoss {
        /// The file that was to be written.
        file: PathBuf,
        /// What would be lost.
        what: String,
        /// Which kind of file holds it.
        holds: &'static str,
    },
    /// A scenario that is saved has an army that is not in its text.
    #[error("{}: there is no army {army:?} with squads in it; a squad can be added to the armies of the file only", file.display())]
    NoArmy {
        /// The file.
        file: PathBuf,
        /// Name of the army.
        army: String,
    },
    /// An edited scenario cannot be written.
    #[error("{}: cannot be written: {source}", file.display())]
    NotWritten {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The map cannot be read.
    #[error("{at}: map {source}")]
    Map {
        /// Where the scenario names it.
        at: At,
        /// What is wrong with it.
        source: Box<MapError>,
    },
    /// The heights of the map cannot be read.
    #[error("{at}: heights {source}")]
    Heights {
        /// Where the scenario names them.
        at: At,
        /// What is wrong with them.
        source: Box<MapError>,
    },
    /// The colour table of the map cannot be read.
    #[error("{at}: colours {source}")]
    Colours {
        /// Where the scenario names it.
        at: At,
        /// What is wrong with it.
        source: Box<MapError>,
    },
    /// The map and a unit do not go together.
    #[error("{}: {source}", file.display())]
    Ground {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: GroundError,
    },
    /// No cell of the map has room for one unit.
    #[error("{at}: nowhere on the map is room for a unit of radius {radius} m")]
    NoPlace {
        /// The squad.
        at: At,
        /// Radius (m).
        radius: f32,
    },
    /// A squad that does not fit around its position.
    #[error(
        "{at}: only {placed} of {count} soldiers find room in this part of the map; \
         lower the count or the spacing, or move the squad"
    )]
    NoRoom {
        /// The squad.
        at: At,
        /// How many found room.
        placed: usize,
        /// How many there should be.
        count: usize,
    },
    /// A crowd file without the header.
    #[error("{at}: the header must be x,y,goal_x,goal_y, found {found}")]
    Header {
        /// Where.
        at: At,
        /// The first line, quoted and cut short.
        found: String,
    },
    /// A row of a crowd file with more or fewer fields than four.
    #[error("{at}: this row has {found} fields, expected 4: x,y,goal_x,goal_y")]
    Fields {
        /// Where.
        at: At,
        /// How many.
        found: usize,
    },
    /// A crowd file without a row.
    #[error("{}: there are no agents; add a row for each below the header", file.display())]
    NoAgents {
        /// The file.
        file: PathBuf,
    },
    /// A crowd that is too far apart.
    #[error("{}: {source}", file.display())]
    Plain {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: LatticeError,
    },
    /// The world would not take it.
    #[error("{}: {source}", file.display())]
    World {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: WorldError,
    },
}

/// Something in a scenario that was put right.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_scenario::{At, Warning};
/// let warning = Warning::Moved {
///     at: At { file: "a.toml".into(), line: 9, column: 12 },
///     why: "in a wall",
///     from: Vec2::new(4.0, 4.0),
///     to: Vec2::new(6.5, 4.5),
/// };
/// assert_eq!(
///     warning.to_string(),
///     "a.toml:9:12: the position (4, 4) is in a wall; the squad was moved to the nearest open cell at (6.5, 4.5)"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A squad stood in a wall or off the map.
    Moved {
        /// Where in the file.
        at: At,
        /// "in a wall", "too close to a wall", "on ground closed to its unit" or "off the map".
        why: &'static str,
        /// Where it should have been (m).
        from: throng_grid::geom::Vec2,
        /// Where it is now (m).
        to: throng_grid::geom::Vec2,
    },
    /// Soldiers of a squad cannot stand at the places that it gives them, and stand as near to them as they can.
    Displaced {
        /// Where in the file the place of the first is.
        at: At,
        /// How many.
        moved: usize,
        /// Soldiers of the squad.
        count: usize,
        /// Where the first should have been (m).
        from: throng_grid::geom::Vec2,
        /// Where he is now (m).
        to: throng_grid::geom::Vec2,
    },
    /// The point that a squad shall go to is in a wall or off the map.
    GoalMoved {
        /// Where in the file.
        at: At,
        /// "in a wall", "too close to a wall", "on ground closed to its unit" or "off the map".
        why: &'static str,
        /// Where it should have been (m).
        from: throng_grid::geom::Vec2,
        /// Where it is now (m).
        to: throng_grid::geom::Vec2,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, why, from, to, what, who) = match self {
            Self::Moved { at, why, from, to } => (at, why, from, to, "position", "squad"),
            Self::GoalMoved { at, why, from, to } => (at, why, from, to, "goal", "goal"),
            Self::Displaced { at, moved, count, from, to } => {
                return write!(
                    f,
                    "{at}: {moved} of {count} soldiers cannot stand at their places, which are in walls, off the map or taken; \
                     the first was moved from ({}, {}) to ({}, {})",
                    from.x, from.y, to.x, to.y
                );
            }
        };
        write!(
            f,
            "{at}: the {what} ({}, {}) is {why}; the {who} was moved to the nearest open cell at ({}, {})",
            from.x, from.y, to.x, to.y
        )
    }
}
