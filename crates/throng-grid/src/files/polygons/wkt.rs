//! Well-known text: `POLYGON`, `MULTIPOLYGON`, `LINESTRING`, `MULTILINESTRING` and `GEOMETRYCOLLECTION`s of them, one or several. Source:
//! OGC 06-103r4, *Simple feature access*, 2011, section 7; each may begin with `SRID=25832;`, as in `PostGIS`.

use super::system::{System, unit};
use super::{Line, Mark, Plan, Polygons, Rings};
use crate::MapError;
use crate::files::source::{Source, quoted};

/// Collections in collections.
const MAX_DEPTH: usize = 32;

/// Reads all polygons, which are of one kind.
pub(super) fn plan(source: &Source, kind: Polygons) -> Result<Plan, MapError> {
    let mut reader = Reader { source, at: 0, kind, plan: Plan::default() };
    while reader.peek().is_some() {
        reader.system()?;
        reader.geometry(0)?;
        if reader.peek() == Some(b';') {
            reader.at += 1;
        }
    }
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

    /// Notes the coordinate system, `SRID=25832;`, where it is named; 0 is none.
    fn system(&mut self) -> Result<(), MapError> {
        self.peek();
        let (source, at) = (self.source, self.at);
        let rest = &source.text[at..];
        let code = rest.split_once(';').and_then(|(head, _)| {
            let (word, code) = head.split_once('=')?;
            word.trim().eq_ignore_ascii_case("SRID").then(|| code.trim().parse::<u32>().ok())?
        });
        let Some(code) = code else { return Ok(()) };
        self.at += rest.find(';').map_or(0, |end| end + 1);
        let name = format!("SRID={code}");
        match &self.plan.system {
            _ if code == 0 => {}
            Some(first) if first.name != name => {
                let expected = format!("{}, as before: all of a plan in one coordinate system", quoted(&first.name));
                return Err(source.wrong(at, quoted(&name), expected));
            }
            Some(_) => {}
            None => self.plan.system = Some(System { unit: unit(&code.to_string()), name, at }),
        }
        Ok(())
    }

    fn geometry(&mut self, depth: usize) -> Result<(), MapError> {
        self.peek();
        let start = self.at;
        let word = self.token().1.to_ascii_uppercase();
        let word = word.trim_end_matches(['Z', 'M']);
        let kinds = ["POLYGON", "MULTIPOLYGON", "LINESTRING", "MULTILINESTRING", "GEOMETRYCOLLECTION"];
        if !kinds.contains(&word) || depth > MAX_DEPTH {
            self.at = start;
            return Err(self.wrong("POLYGON, LINESTRING, MULTIPOLYGON, MULTILINESTRING or GEOMETRYCOLLECTION"));
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
            "LINESTRING" => self.line(),
            "MULTILINESTRING" => self.list(Self::line),
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
            rings.push(reader.points()?);
            Ok(())
        })?;
        self.plan.add(Mark::default(), self.kind, rings);
        Ok(())
    }

    fn line(&mut self) -> Result<(), MapError> {
        let points = self.points()?;
        self.plan.lines.push(Line { points, width: None, mark: Mark::default() });
        Ok(())
    }

    fn points(&mut self) -> Result<Vec<[f64; 2]>, MapError> {
        let mut points = Vec::new();
        self.list(|reader| {
            points.push([reader.number()?, reader.number()?]);
            // Height and measure.
            while !matches!(reader.peek(), None | Some(b',' | b')')) {
                reader.number()?;
            }
            Ok(())
        })?;
        points.shrink_to_fit();
        Ok(points)
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
