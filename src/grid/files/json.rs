//! JSON by `serde_json`, with places in errors, and lists that are never held as a whole.

use super::source::{Source, one_line};
use crate::grid::MapError;
use serde::Deserialize;
use serde::de::{Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// All of a text as one value.
pub(super) fn raw<'a>(source: &Source<'a>) -> Result<&'a RawValue, MapError> {
    serde_json::from_str(source.text).map_err(|error| at(source, 0, &error))
}

/// A part of the text as what it should be.
pub(super) fn parse<'a, T: Deserialize<'a>>(source: &Source, part: &'a RawValue) -> Result<T, MapError> {
    serde_json::from_str(part.get()).map_err(|error| wrong(source, part, &error))
}

/// Calls `take` with each element of a list, as it is written and as what it should be. Of no list nothing is called.
pub(super) fn each<'a, T: Deserialize<'a>>(
    source: &Source,
    list: Option<&'a RawValue>,
    mut take: impl FnMut(&'a RawValue, T) -> Result<(), MapError>,
) -> Result<(), MapError> {
    let Some(list) = list.filter(|list| list.get() != "null") else { return Ok(()) };
    let mut failed = None;
    let each = |raw: &'a RawValue| match parse(source, raw).and_then(|element| take(raw, element)) {
        Ok(()) => true,
        Err(error) => {
            failed = Some(error);
            false
        }
    };
    let result = serde_json::Deserializer::from_str(list.get()).deserialize_seq(Elements(each));
    match (failed, result) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(wrong(source, list, &error)),
        (None, Ok(())) => Ok(()),
    }
}

/// What `serde_json` says of a part of the text, where it is in the whole.
pub(super) fn wrong(source: &Source, part: &RawValue, error: &serde_json::Error) -> MapError {
    at(source, source.offset(part.get()), error)
}

fn at(source: &Source, start: usize, error: &serde_json::Error) -> MapError {
    let message = error.to_string();
    let message = one_line(message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message));
    let (line, column) = place(source, start, error);
    MapError::Syntax { file: source.file.to_path_buf(), line, column, kind: "JSON", message }
}

/// Line and column of an error in the part of the text that begins at a byte.
fn place(source: &Source, start: usize, error: &serde_json::Error) -> (usize, usize) {
    let (line, column) = source.place(start);
    match error.line() {
        0 => (line, column),
        // Columns of the error count the letters before it.
        1 => (line, column + error.column().saturating_sub(1)),
        more => (line + more - 1, error.column().max(1)),
    }
}

/// What was found and what was expected where the reader of a part of the text was stopped.
pub(super) fn stopped(
    source: &Source,
    part: &RawValue,
    error: &serde_json::Error,
    (found, expected): (String, String),
) -> MapError {
    let (line, column) = place(source, source.offset(part.get()), error);
    MapError::Element { file: source.file.to_path_buf(), line, column, found, expected }
}

/// Calls a function with each element, while it returns true.
struct Elements<F>(F);

impl<'de, F: FnMut(&'de RawValue) -> bool> Visitor<'de> for Elements<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}
