//! Errors of a scenario.

use super::MAX_TEXT_MIB;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_grid::{MapError, MapWarning};
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

impl At {
    /// Line and column of a byte of the text of a file.
    pub(super) fn of(text: &str, byte: usize, file: &Path) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        Self {
            file: file.to_path_buf(),
            line: before.split(|&byte| byte == b'\n').count(),
            column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count(),
        }
    }
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
    /// A file cannot be read.
    #[error("{}: {}", file.display(), unread(source))]
    Read {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// The text is no TOML, or no table of a crowd.
    #[error("{at}: {message}")]
    Syntax {
        /// Where.
        at: At,
        /// The found and the expected text.
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
    /// A value of the wrong kind, or out of its range.
    #[error("{at}: {key} must be {expected}, found {found}")]
    Value {
        /// Where.
        at: At,
        /// Its key, and the unit that it is of.
        key: String,
        /// The kind and range.
        expected: String,
        /// The text found.
        found: String,
    },
    /// A name or word that nothing has.
    #[error("{at}: unknown {what} {found:?}; {hint}")]
    UnknownName {
        /// Where.
        at: At,
        /// The kind of thing that it should name: "unit", "journey", "squad", "army", "area", "planner" and so on.
        what: &'static str,
        /// The name.
        found: String,
        /// The nearest name, or all of them.
        hint: String,
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
    /// Values that do not go together, or with the map.
    #[error("{at}: {message}")]
    Rule {
        /// Where.
        at: At,
        /// The found and the expected text, and the remedy.
        message: String,
    },
    /// A file that as a whole cannot be used or saved.
    #[error("{}: {message}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The found and the expected text, and the remedy.
        message: String,
    },
    /// A library of units that cannot be used.
    #[error("{at}: {source}")]
    Library {
        /// Where it is named.
        at: At,
        /// The error in it.
        source: Box<ScenarioError>,
    },
    /// A map, its heights or its colours cannot be read.
    #[error("{at}: {what} {source}")]
    Map {
        /// Where the scenario names it.
        at: At,
        /// "map", "heights" or "colours".
        what: &'static str,
        /// The error in it.
        source: Box<MapError>,
    },
    /// The map of an edited scenario cannot be written, or its old one not be read any more.
    #[error("{source}")]
    SavedMap {
        /// The error of the map.
        source: Box<MapError>,
    },
    /// The world refused it.
    #[error("{}: {source}", file.display())]
    World {
        /// The file.
        file: PathBuf,
        /// The error of the world.
        source: WorldError,
    },
}

/// The reason why a file cannot be read, and the remedy.
fn unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".into(),
        io::ErrorKind::IsADirectory => "this is a folder; name a file in it".into(),
        io::ErrorKind::InvalidData => "cannot be read: it is not UTF-8; save it as plain text".into(),
        io::ErrorKind::FileTooLarge => format!("has more than {MAX_TEXT_MIB} MiB; split it"),
        _ => format!("cannot be read: {error}"),
    }
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
    /// The reader of the map left something out.
    Map(MapWarning),
    /// A squad stood in a wall or off the map.
    Moved {
        /// Where in the file.
        at: At,
        /// "in a wall", "too close to a wall", "on ground closed to its unit" or "off the map".
        why: &'static str,
        /// Where it should have been (m).
        from: Vec2,
        /// Where it is now (m).
        to: Vec2,
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
        from: Vec2,
        /// Where it is now (m).
        to: Vec2,
    },
    /// The point to which a squad is to go is in a wall or off the map.
    GoalMoved {
        /// Where in the file.
        at: At,
        /// As of [`Warning::Moved`].
        why: &'static str,
        /// Where it should have been (m).
        from: Vec2,
        /// Where it is now (m).
        to: Vec2,
    },
    /// A squad can never carry out its order, since no way leads there, not over links that are shut either.
    NoWay {
        /// Where in the file.
        at: At,
        /// Where it shall go (m); `None` for an attack, which no enemy can be reached by.
        goal: Option<Vec2>,
        /// The radius of its bodies (m), and the first place that is too narrow for them (m), where a point would get through.
        narrow: Option<(f32, Vec2)>,
    },
}

/// The gap in the words of a warning.
fn reason(narrow: Option<(f32, Vec2)>) -> String {
    let narrow = narrow.map(|(radius, gap)| format!("too narrow for radius {radius} m at ({}, {})", gap.x, gap.y));
    narrow.unwrap_or_else(|| "walls are all around the one or the other".into())
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, why, from, to, what, moved) = match self {
            Self::Map(warning) => return warning.fmt(f),
            Self::Moved { at, why, from, to } => (at, why, from, to, "position", "squad"),
            Self::GoalMoved { at, why, from, to } => (at, why, from, to, "goal", "goal"),
            Self::NoWay { at, goal, narrow } => {
                let goal = goal.map_or_else(|| "any enemy".into(), |goal| format!("({}, {})", goal.x, goal.y));
                return write!(f, "{at}: the squad has no way to {goal}: {}", reason(*narrow));
            }
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
            "{at}: the {what} ({}, {}) is {why}; the {moved} was moved to the nearest open cell at ({}, {})",
            from.x, from.y, to.x, to.y
        )
    }
}
