//! The text of a file as a tree of values that know their places in it.

use super::ScenarioError;
use super::error::At;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its place in the text (bytes).
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
    /// A date or time, which no key takes.
    Date,
    List(Vec<Node>),
    /// In the order of the file.
    Table(Vec<Entry>),
}

/// A key, its place and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: String,
    pub span: Range<usize>,
    pub node: Node,
}

impl Node {
    /// Reads the text of `file`; the root is a table.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ScenarioError> {
        match DeTable::parse(text) {
            Ok(table) => Ok(Self { span: table.span(), value: table_of(table.into_inner()) }),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                let found = text.get(span.clone()).unwrap_or_default();
                Err(ScenarioError::Syntax {
                    at: At::of(text, span.start, file),
                    message: plain(error.message(), found),
                })
            }
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Table(entries) = &self.value else { return None };
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let Value::Table(entries) = &mut self.value else { return None };
        entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node)
    }

    /// Adds to the list of a key; returns the place of the addition.
    pub fn push(&mut self, key: &str, node: Node) -> usize {
        if self.get(key).is_none() {
            self.set(key, Value::List(Vec::new()), 0);
        }
        match self.get_mut(key).map(|node| &mut node.value) {
            Some(Value::List(nodes)) => {
                nodes.push(node);
                nodes.len() - 1
            }
            _ => 0,
        }
    }

    /// The list of a key; empty where there is none.
    pub fn list_mut(&mut self, key: &str) -> &mut [Node] {
        match self.get_mut(key).map(|node| &mut node.value) {
            Some(Value::List(nodes)) => nodes,
            _ => &mut [],
        }
    }

    /// Sets a key of a table; a value that is new counts as one at the byte `place` of the text.
    pub fn set(&mut self, key: &str, value: Value, place: usize) {
        let Value::Table(entries) = &mut self.value else { return };
        if let Some(entry) = entries.iter_mut().find(|entry| entry.key == key) {
            entry.node.value = value;
        } else {
            let node = Node { span: place..place, value };
            entries.push(Entry { key: key.into(), span: place..place, node });
        }
    }

    /// The number, whole or not.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number),
            Value::Whole(number) => Some(number as f64),
            _ => None,
        }
    }
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(whole) => match i64::from_str_radix(whole.as_str(), whole.radix()) {
            Ok(number) => Value::Whole(number),
            Err(_) => Value::Number(whole.as_str().parse().unwrap_or(f64::NAN)),
        },
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(list) => Value::List(list.into_iter().map(node).collect()),
        DeValue::Table(table) => table_of(table),
    };
    Node { span, value }
}

fn table_of(table: DeTable<'_>) -> Value {
    let entry = |(key, value): (Spanned<_>, _)| {
        let span = key.span();
        Entry { key: std::borrow::Cow::into_owned(key.into_inner()), span, node: node(value) }
    };
    let mut entries: Vec<Entry> = table.into_iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.span.start);
    Value::Table(entries)
}

/// The message of the TOML reader, with the remedy; `found` is the piece of text it is about.
fn plain(message: &str, found: &str) -> String {
    const KNOWN: [(&str, &str); 5] = [
        (
            "unexpected key or value",
            "found more than one value on a line; lists are written in brackets, as in [1.5, 2], decimals with a point",
        ),
        ("invalid basic string", "this text is not closed, expected `\"`"),
        ("invalid literal string", "this text is not closed, expected `'`"),
        ("invalid mantissa", "a number needs digits before and after its point, as in 0.5"),
        ("missing escaped value", "a backslash in a text is written twice; paths may be written with `/`"),
    ];
    if let Some((_, plain)) = KNOWN.iter().find(|(start, _)| message.starts_with(start)) {
        return (*plain).into();
    }
    if message == "duplicate key" {
        let advice = match found {
            "unit" | "army" | "squad" | "journey" | "stop" | "breakable" | "trigger" => {
                "each needs double brackets, as in [[army]] and [[army.squad]]"
            }
            _ => "remove one",
        };
        return format!("the key {found:?} is there twice; {advice}");
    }
    if message.starts_with("string values must be quoted") {
        return match found.chars().next() {
            None => "the value is missing after `=`".into(),
            Some(first) if first.is_alphabetic() => {
                format!("found {found:?} without quotes; texts are written in quotes, as in name = \"red\"")
            }
            Some(_) => format!("{found:?} is no value; numbers are written as in 1.5, lists as in [1.5, 2]"),
        };
    }
    message.lines().collect::<Vec<_>>().join(", ").replace(", expected nothing", "; remove it")
}
