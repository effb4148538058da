//! Well-known text: `POLYGON`, `MULTIPOLYGON` and `GEOMETRYCOLLECTION`s of them, one or several. Source: OGC 06-103r4, *Simple
//! feature access*, 2011, section 7.

use super::{Plan, Polygons, Rings};
use crate::MapError;
use crate::files::source::{Source, quoted};

/// Collections in collections.
const MAX_DEPTH: usize = 32;

/// Reads all polygons, which are of one kind.
pub(super) fn plan(source: &Source, kind: Polygons) -> Result<Plan, MapError> {
    let mut reader = Reader { source, at: 0, kind, plan: Plan::default() };
    // PostGIS says first which coordinates these are.
    if let Some(end) = source.text.find(';').filter(|_| source.text.trim_start().starts_with("SRID=")) {
        reader.at = end + 1;
    }
    while reader.peek().is_some() {
        reader.geometry(0)?;
        if reader.peek() == Some(b';') {
            reader.at += 1;
        }
    }
    // Only `GeoJSON` is in degrees by its rules.
    reader.plan.is_projected = true;
    Ok(reader.plan)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    at: usize,
    kind: Polygons,
    plan: Plan,
}

impl Reader<'_> {
    /// The next byte that is no blank, which is not taken.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.source.text.as_bytes().get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        self.source.text.as_bytes().get(self.at).copied()
    }

    /// The text here, up to a blank, bracket or comma.
    fn token(&mut self) -> (usize, &str) {
        self.peek();
        let (start, text) = (self.at, self.source.text);
        let rest = &text[start..];
        let end = rest.find(|letter: char| letter.is_whitespace() || "(),;".contains(letter)).unwrap_or(rest.len());
        // A bracket is a token of its own.
        let end = if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
        self.at = start + end;
        (start, &text[start..start + end])
    }

    fn wrong(&mut self, expected: &str) -> MapError {
        let (at, found) = self.token();
        let found = if found.is_empty() { "the end of the file".to_owned() } else { quoted(found) };
        self.source.wrong(at, found, expected)
    }

    fn expect(&mut self, bracket: u8) -> Result<(), MapError> {
        if self.peek() == Some(bracket) {
            self.at += 1;
            return Ok(());
        }
        Err(self.wrong(&format!("{:?}", char::from(bracket).to_string())))
    }

    fn geometry(&mut self, depth: usize) -> Result<(), MapError> {
        self.peek();
        let start = self.at;
        let word = self.token().1.to_ascii_uppercase();
        let word = word.trim_end_matches(['Z', 'M']);
        let kinds = ["POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"];
        if !kinds.contains(&word) || depth > MAX_DEPTH {
            self.at = start;
            return Err(
                self.wrong("POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION: walls are polygons too, as broad as they are")
            );
        }
        let mut after = self.at;
        loop {
            match self.token().1.to_ascii_uppercase().as_str() {
                "Z" | "M" | "ZM" => after = self.at,
                "EMPTY" => return Ok(()),
                _ => break,
            }
        }
        self.at = after;
        match word {
            "POLYGON" => self.polygon(),
            "MULTIPOLYGON" => self.list(Self::polygon),
            _ => self.list(|reader| reader.geometry(depth + 1)),
        }
    }

    /// The items in brackets, with commas between.
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), MapError>) -> Result<(), MapError> {
        self.expect(b'(')?;
        loop {
            item(self)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.wrong("\",\" or \")\"")),
            }
        }
    }

    fn polygon(&mut self) -> Result<(), MapError> {
        let mut rings = Rings::new();
        self.list(|reader| {
            let mut ring = Vec::new();
            reader.list(|reader| {
                ring.push([reader.number()?, reader.number()?]);
                // Height and measure.
                while !matches!(reader.peek(), None | Some(b',' | b')')) {
                    reader.number()?;
                }
                Ok(())
            })?;
            ring.shrink_to_fit();
            rings.push(ring);
            Ok(())
        })?;
        self.plan.add(self.kind, rings);
        Ok(())
    }

    fn number(&mut self) -> Result<f64, MapError> {
        self.peek();
        let start = self.at;
        if let Some(number) = self.token().1.parse().ok().filter(|number: &f64| number.is_finite()) {
            return Ok(number);
        }
        self.at = start;
        Err(self.wrong("a number (m)"))
    }
}
