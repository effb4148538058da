//! What a reader of maps left out, for the user to know.

use std::fmt;
use std::path::PathBuf;

/// A part of a map file that was left out, or read in a way that may not be meant. The map was read all the same.
///
/// ```
/// use throng_grid::MapWarning;
/// let warning = MapWarning { file: "a.tmx".into(), place: Some((7, 2)), message: "a point is no wall".into() };
/// assert_eq!(warning.to_string(), "a.tmx:7:2: a point is no wall");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapWarning {
    /// The file.
    pub file: PathBuf,
    /// Line and column, from 1; `None` where it concerns all of the file.
    pub place: Option<(usize, usize)>,
    /// What was left out, why, and what to do.
    pub message: String,
}

impl fmt::Display for MapWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.message)
    }
}
