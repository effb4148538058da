//! JSON by `serde_json`, with places in errors, and lists that are never held as a whole.

use super::source::{Source, one_line};
use crate::MapError;
use serde::Deserialize;
use serde::de::{Deserializer as _, Visitor};
use serde_json::value::RawValue;
#[cfg(feature = "tiled")]
use std::borrow::Cow;
use std::fmt;

/// All of a text as a value of the expected type, and where it begins.
pub(super) fn whole<'a, T: Deserialize<'a>>(source: &Source<'a>) -> Result<(usize, T), MapError> {
    let value = serde_json::from_str(source.text).map_err(|error| at(source, 0, &error))?;
    Ok((source.text.len() - source.text.trim_start().len(), value))
}

/// A part of the text as a value of the expected type.
pub(super) fn parse<'a, T: Deserialize<'a>>(source: &Source, part: &'a RawValue) -> Result<T, MapError> {
    serde_json::from_str(part.get()).map_err(|error| wrong(source, part, &error))
}

/// Calls `take` with each element of a list: where it begins, and its value of the expected type. Where there is no
/// list, `take` is not called.
pub(super) fn each<'a, T: Deserialize<'a>>(
    source: &Source,
    list: Option<&'a RawValue>,
    mut take: impl FnMut(usize, T) -> Result<(), MapError>,
) -> Result<(), MapError> {
    let Some(list) = list.filter(|list| list.get() != "null") else { return Ok(()) };
    let (text, start) = (list.get(), source.offset(list.get()));
    if !text.starts_with('[') {
        let Err(error) = serde_json::Deserializer::from_str(text).deserialize_seq(List) else { return Ok(()) };
        return Err(wrong(source, list, &error));
    }
    // The list was read over when it was found: its brackets and commas are where they belong.
    let mut next = 1;
    loop {
        let rest = &text.as_bytes()[next..];
        let Some(ahead) = rest.iter().position(|byte| !b" \t\r\n,".contains(byte)) else { return Ok(()) };
        next += ahead;
        if text.as_bytes()[next] == b']' {
            return Ok(());
        }
        let mut elements = serde_json::Deserializer::from_str(&text[next..]).into_iter();
        match elements.next() {
            Some(Ok(element)) => take(start + next, element)?,
            Some(Err(error)) => return Err(at(source, start + next, &error)),
            None => return Ok(()),
        }
        next += elements.byte_offset();
    }
}

#[cfg(feature = "tiled")]
/// Calls `take` with each entry of an object: where its value begins, its key, its value. Where there is no object, `take` is
/// not called.
pub(super) fn entries<'a>(
    source: &Source,
    object: Option<&'a RawValue>,
    take: impl FnMut(usize, Cow<'a, str>, &'a RawValue) -> Result<(), MapError>,
) -> Result<(), MapError> {
    let Some(object) = object.filter(|object| object.get() != "null") else { return Ok(()) };
    let mut failure = None;
    let entries = Entries { source, take, failure: &mut failure };
    let read = serde_json::Deserializer::from_str(object.get()).deserialize_map(entries);
    match (failure, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(wrong(source, object, &error)),
        (None, Ok(())) => Ok(()),
    }
}

#[cfg(feature = "tiled")]
/// Walks over the entries of an object; the error of `take` is put into `failure`.
struct Entries<'s, 'f, T> {
    source: &'s Source<'s>,
    take: T,
    failure: &'f mut Option<MapError>,
}

#[cfg(feature = "tiled")]
impl<'a, T: FnMut(usize, Cow<'a, str>, &'a RawValue) -> Result<(), MapError>> Visitor<'a> for Entries<'_, '_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: serde::de::MapAccess<'a>>(mut self, mut entries: A) -> Result<(), A::Error> {
        while let Some((key, value)) = entries.next_entry::<Key, &RawValue>()? {
            if let Err(error) = (self.take)(self.source.offset(value.get()), key.0, value) {
                *self.failure = Some(error);
                return Err(serde::de::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

#[cfg(feature = "tiled")]
/// A key, a piece of the text where it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The error that `serde_json` reports for a part of the text, at its place in the whole.
fn wrong(source: &Source, part: &RawValue, error: &serde_json::Error) -> MapError {
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

/// For the error of `serde_json` about a value that is no list.
struct List;

impl Visitor<'_> for List {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
}
