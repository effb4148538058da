//! A table of a file that passed the [check](super::check), read by its keys.

use super::ScenarioError;
use super::did_you_mean::name_hint;
use super::document::{Entry, Node, Value};
use super::error::At;
use super::schema::Table;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// A text and the name of its file, for messages.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub file: &'a Path,
}

impl Source<'_> {
    pub fn at(&self, byte: usize) -> At {
        At::of(self.text, byte, self.file)
    }

    /// A path that the file names, which starts at its folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(name)
    }
}

/// A name and its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Name<'a> {
    pub text: &'a str,
    pub span: Range<usize>,
}

/// A table, with its schema.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub source: Source<'a>,
    pub schema: &'static Table,
    pub node: &'a Node,
}

impl<'a> Section<'a> {
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        debug_assert!(self.schema.kind(key).is_some(), "{} has no key {key:?}", self.schema.title);
        self.node.get(key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Where the table is.
    pub fn at(&self) -> At {
        self.source.at(self.node.span.start)
    }

    /// Where the value of a key is; the table where there is none.
    pub fn at_key(&self, key: &str) -> At {
        self.get(key).map_or_else(|| self.at(), |node| self.source.at(node.span.start))
    }

    /// An error at the value of a key, or at the table.
    pub fn wrong<T>(&self, key: &str, message: impl Into<String>) -> Result<T, ScenarioError> {
        Err(ScenarioError::Rule { at: self.at_key(key), message: message.into() })
    }

    pub fn missing(&self, key: &str) -> ScenarioError {
        ScenarioError::MissingKey { at: self.at(), key: key.into() }
    }

    /// A number, or the default of the schema.
    pub fn number(&self, key: &str) -> f32 {
        let default = || self.schema.keys.iter().find(|known| known.name == key)?.default.parse().ok();
        self.some_number(key).or_else(default).unwrap_or(0.0)
    }

    /// A number, where it is there.
    pub fn some_number(&self, key: &str) -> Option<f32> {
        self.get(key).and_then(Node::number).map(|number| number as f32)
    }

    /// A whole number, or the default of the schema.
    pub fn whole(&self, key: &str) -> u64 {
        let default = || self.schema.keys.iter().find(|known| known.name == key)?.default.parse().ok();
        self.some_whole(key).or_else(default).unwrap_or(0)
    }

    /// A whole number, where it is there.
    pub fn some_whole(&self, key: &str) -> Option<u64> {
        match self.get(key)?.value {
            Value::Whole(number) => Some(number as u64),
            _ => None,
        }
    }

    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key)?.value {
            Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.name(key).map(|name| name.text)
    }

    pub fn name(&self, key: &str) -> Option<Name<'a>> {
        self.get(key).and_then(name)
    }

    /// The names in a list.
    pub fn names(&self, key: &str) -> impl Iterator<Item = Name<'a>> {
        self.list(key).iter().filter_map(name)
    }

    /// A list; empty where there is none.
    fn list(&self, key: &str) -> &'a [Node] {
        match self.get(key).map(|node| &node.value) {
            Some(Value::List(nodes)) => nodes,
            _ => &[],
        }
    }

    /// The elements of a list, each read as a table of a schema.
    pub fn elements(&self, key: &str, schema: &'static Table) -> impl Iterator<Item = Section<'a>> + use<'a> {
        let source = self.source;
        self.list(key).iter().map(move |node| Section { source, schema, node })
    }

    pub fn point(&self, key: &str) -> Option<Vec2> {
        self.get(key).and_then(point)
    }

    /// The points in a list, each with its place in the text.
    pub fn points(&self, key: &str) -> impl Iterator<Item = (Vec2, Range<usize>)> {
        self.list(key).iter().filter_map(|node| Some((point(node)?, node.span.clone())))
    }

    /// A point of the map.
    ///
    /// # Errors
    /// Where it is off the map, or not there.
    pub fn on_map(&self, key: &str, lattice: Lattice) -> Result<Vec2, ScenarioError> {
        match self.get(key) {
            Some(node) => on_map(self.source, key, node, lattice, 0.0),
            None => Err(self.missing(key)),
        }
    }

    /// The points of the map in a list.
    ///
    /// # Errors
    /// Where one is off the map.
    pub fn list_on_map(&self, key: &str, lattice: Lattice) -> Result<Vec<Vec2>, ScenarioError> {
        self.list(key).iter().map(|node| on_map(self.source, key, node, lattice, 0.0)).collect()
    }

    /// A point, where it is there, that is on the map or at most a cell beside it: the nearest cell of the map is meant.
    ///
    /// # Errors
    /// Where it is farther off.
    pub fn near_map(&self, key: &str, lattice: Lattice) -> Result<Option<Vec2>, ScenarioError> {
        let near = |node| on_map(self.source, key, node, lattice, lattice.cell_size);
        self.get(key).map(near).transpose()
    }

    /// The points in a list, as [`near_map`](Self::near_map), each with its place in the text.
    ///
    /// # Errors
    /// Where one is farther off.
    pub fn list_near_map(&self, key: &str, lattice: Lattice) -> Result<Vec<(Vec2, Range<usize>)>, ScenarioError> {
        let near = |node: &Node| on_map(self.source, key, node, lattice, lattice.cell_size);
        self.list(key).iter().map(|node| Ok((near(node)?, node.span.clone()))).collect()
    }

    /// The table of a key; `None` where its value is no table.
    pub fn table(&self, key: &str, schema: &'static Table) -> Option<Section<'a>> {
        let node = self.get(key).filter(|node| matches!(node.value, Value::Table(_)))?;
        Some(Section { schema, node, ..*self })
    }

    /// The tables in a list, or the one that stands in its place.
    pub fn tables(&self, key: &str, schema: &'static Table) -> impl Iterator<Item = Section<'a>> + use<'a> {
        let one = self.table(key, schema);
        let all = self.list(key).iter();
        let source = self.source;
        one.into_iter().chain(all.map(move |node| Section { source, schema, node }))
    }

    /// The keys of a table, as those of terrain.
    pub fn entries(&self, key: &str) -> Option<&'a [Entry]> {
        match &self.get(key)?.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// A choice, where it is there.
    ///
    /// # Errors
    /// Where it is none, as a planner with numbers that it does not take.
    pub fn choice<T: FromStr<Err: Display>>(&self, key: &str) -> Result<Option<T>, ScenarioError> {
        let parse = |text: &str| text.parse().or_else(|error: T::Err| self.wrong(key, error.to_string()));
        self.text(key).map(parse).transpose()
    }
}

fn name(node: &Node) -> Option<Name<'_>> {
    match &node.value {
        Value::Text(text) => Some(Name { text, span: node.span.clone() }),
        _ => None,
    }
}

fn point(node: &Node) -> Option<Vec2> {
    let Value::List(axes) = &node.value else { return None };
    let axis = |i: usize| axes.get(i).and_then(Node::number).map(|axis| axis as f32);
    Some(Vec2::new(axis(0)?, axis(1)?))
}

/// A point that is at most so far beside the map (m).
fn on_map(source: Source<'_>, key: &str, node: &Node, lattice: Lattice, off: f32) -> Result<Vec2, ScenarioError> {
    let found = point(node).unwrap_or_default();
    let size = lattice.size();
    for (i, (axis, most)) in [(found.x, size.x), (found.y, size.y)].into_iter().enumerate() {
        if !(-off..=most + off).contains(&axis) {
            let place = if let Value::List(axes) = &node.value { axes.get(i) } else { None };
            let at = source.at(place.unwrap_or(node).span.start);
            let map = format!("the map of {} m x {} m", size.x, size.y);
            let message = format!("{key} must be between 0 and {most} (m), found {axis}; move it onto {map}");
            return Err(ScenarioError::Rule { at, message });
        }
    }
    Ok(found)
}

impl Name<'_> {
    /// The place of the name among the known ones.
    ///
    /// # Errors
    /// Where it is none of them; names that are empty cannot be meant.
    pub fn among(&self, source: Source<'_>, what: &'static str, known: &[&str]) -> Result<usize, ScenarioError> {
        known.iter().position(|known| *known == self.text).ok_or_else(|| {
            let named: Vec<&str> = known.iter().copied().filter(|known| !known.is_empty()).collect();
            let hint = if named.is_empty() { format!("no {what} has a name") } else { name_hint(self.text, &named) };
            self.unknown(source, what, hint)
        })
    }

    pub fn unknown(&self, source: Source<'_>, what: &'static str, hint: String) -> ScenarioError {
        ScenarioError::UnknownName { at: source.at(self.span.start), what, found: self.text.into(), hint }
    }
}

/// No two may have the same name.
///
/// # Errors
/// The second of two that have.
pub(super) fn distinct<'a>(
    source: Source<'_>,
    what: &'static str,
    names: impl Iterator<Item = Name<'a>>,
) -> Result<(), ScenarioError> {
    let mut seen = BTreeMap::new();
    for Name { text, span } in names {
        // Lines are counted where there is an error: counting them for each name would be quadratic.
        if let Some(first) = seen.insert(text, span.start) {
            let (at, first) = (source.at(span.start), source.at(first).line);
            return Err(ScenarioError::Duplicate { at, what, name: text.into(), first });
        }
    }
    Ok(())
}
