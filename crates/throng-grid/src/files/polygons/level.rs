//! Levels of a building: the property `level` of features.

use crate::MapError;
use crate::files::source::Source;
use std::collections::BTreeMap;

/// The levels named in an error at most.
const NAMED: usize = 12;

/// Chooses features by level, and notes which levels there are.
#[derive(Debug)]
pub(super) struct Levels<'a> {
    wanted: Option<&'a str>,
    /// The levels of the file, and where the first feature of each begins.
    found: BTreeMap<String, usize>,
}

impl<'a> Levels<'a> {
    pub(super) fn new(wanted: Option<&'a str>) -> Self {
        Self { wanted, found: BTreeMap::new() }
    }

    /// True where a feature of this level, a value of JSON at a place in the text, belongs to the wanted one. One without a level belongs to
    /// all.
    pub(super) fn take(&mut self, value: Option<&str>, at: usize) -> bool {
        let all = levels(value.unwrap_or_default());
        let is_wanted =
            all.is_empty() || self.wanted.is_none_or(|wanted| all.iter().any(|level| is_same(level, wanted)));
        for level in all {
            self.found.entry(level).or_insert(at);
        }
        is_wanted
    }

    /// An error where the wanted level is not in the file, or none is wanted and there are several.
    pub(super) fn check(&self, source: &Source) -> Result<(), MapError> {
        let mut names: Vec<&str> = self.found.keys().map(String::as_str).collect();
        names.sort_by(|a, b| number(a).total_cmp(&number(b)).then(a.cmp(b)));
        let more = if names.len() > NAMED { format!(" and {} more", names.len() - NAMED) } else { String::new() };
        let list = names[..names.len().min(NAMED)].join(", ") + &more;
        let choose = "choose one with --level (level = \"...\" in a scenario)";
        match self.wanted {
            None if names.len() > 1 => {
                let at = self.found.values().copied().max().unwrap_or(0);
                Err(source.wrong(at, format!("features of the levels {list}"), format!("those of one level; {choose}")))
            }
            Some(wanted) if !names.is_empty() && !names.iter().any(|level| is_same(level, wanted)) => {
                let found = format!("no feature of the level {wanted:?}");
                let expected = format!("one of the levels {list}; {choose}");
                Err(MapError::Plan { file: source.file.to_path_buf(), found, expected })
            }
            _ => Ok(()),
        }
    }
}

/// Numbers go by size, words after them.
fn number(level: &str) -> f64 {
    level.parse().unwrap_or(f64::INFINITY)
}

/// The same name or the same number: 1 is 1.0 and +1.
fn is_same(one: &str, other: &str) -> bool {
    let other = other.trim();
    let numbers = one.parse::<f64>().ok().zip(other.parse::<f64>().ok());
    one == other || numbers.is_some_and(|(one, other)| one == other)
}

/// The levels of a value: a number, a text such as "0;1" or "0-2", or a list of them.
fn levels(value: &str) -> Vec<String> {
    if value == "null" {
        return Vec::new();
    }
    let parts = value.split(['[', ']', '"', ';', ',']).map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| range(part).unwrap_or_else(|| vec![name(part)])).collect()
}

/// Numbers are written in one way.
fn name(level: &str) -> String {
    level
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map_or_else(|| level.to_owned(), |number| number.to_string())
}

/// All levels of "-1-2".
fn range(part: &str) -> Option<Vec<String>> {
    let dash = part.char_indices().skip(1).find(|&(_, letter)| letter == '-')?.0;
    let (first, last) = (part[..dash].trim().parse::<i32>().ok()?, part[dash + 1..].trim().parse::<i32>().ok()?);
    ((first..first.saturating_add(1000)).contains(&last))
        .then(|| (first..=last).map(|level| level.to_string()).collect())
}
