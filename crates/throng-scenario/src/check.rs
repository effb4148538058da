//! Checks a file against the schema: keys, kinds and ranges. Readers find what passed to be as the schema says.

use super::did_you_mean::{did_you_mean, name_hint};
use super::document::{Entry, Node, Value};
use super::schema::{Key, Kind, REQUIRED, Table};
use super::section::Source;
use super::{ScenarioError, terrain};
use throng_sim::battle::NumberRange;

/// Of what a point may be made (m); that it is on the map is checked with the map.
const COORDINATE: NumberRange = NumberRange::new(-1e6, 1e6, "m");

impl Table {
    /// The kind of a key.
    pub(super) fn kind(&self, key: &str) -> Option<Kind> {
        let number = || self.numbers.iter().find(|number| number.key.rsplit('.').next() == Some(key));
        match self.keys.iter().find(|known| known.name == key) {
            Some(known) => Some(known.kind),
            None => number().map(|number| Kind::Number(number.range)),
        }
    }

    /// The names of its keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let numbers = self.numbers.iter().map(|number| number.key.rsplit('.').next().unwrap_or(number.key));
        self.keys.iter().map(|key| key.name).chain(numbers)
    }

    /// Checks a table and all in it.
    ///
    /// # Errors
    /// The first thing in the order of the text that is not as the schema says.
    pub(super) fn check(&'static self, source: Source<'_>, node: &Node) -> Result<(), ScenarioError> {
        check_table(source, self, node, "", &owner(self, node))
    }
}

/// The owner of a number in a message: ` of unit "a"`.
fn owner(table: &Table, node: &Node) -> String {
    let name = || node.get("name").and_then(|name| if let Value::Text(name) = &name.value { Some(name) } else { None });
    let is_unit = !table.numbers.is_empty();
    name().filter(|_| is_unit).map_or_else(String::new, |name| format!(" of unit {name:?}"))
}

fn check_table(
    source: Source<'_>,
    table: &'static Table,
    node: &Node,
    prefix: &str,
    owner: &str,
) -> Result<(), ScenarioError> {
    let Value::Table(entries) = &node.value else { return Ok(()) };
    let at = || source.at(node.span.start);
    for Entry { key, span, node } in entries {
        let Some(kind) = table.kind(key) else {
            let (at, hint) = (source.at(span.start), unknown_key(table, key));
            return Err(ScenarioError::UnknownKey { at, found: key.clone(), hint });
        };
        check_value(source, kind, node, &format!("{prefix}{key}"), owner)?;
    }
    if let Some(key) = table.keys.iter().find(|key| key.default == REQUIRED && node.get(key.name).is_none()) {
        return Err(ScenarioError::MissingKey { at: at(), key: key.name.into() });
    }
    if table.one_of.is_empty() {
        return Ok(());
    }
    let found: Vec<&str> = table.one_of.iter().copied().filter(|key| node.get(key).is_some()).collect();
    let [only] = found[..] else {
        let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
        let message = format!("{} has one of the keys {}, found {found}", table.title, table.one_of.join(", "));
        return Err(ScenarioError::Rule { at: at(), message });
    };
    let strange = |key: &&Key| !key.of.is_empty() && !key.of.contains(&only);
    let strange = table.keys.iter().filter(strange).find_map(|key| Some((key, node.get(key.name)?)));
    strange.map_or(Ok(()), |(Key { name, of, .. }, node)| {
        let of = of.join(" and ");
        let this = table.title.split_once(' ').map_or(table.title, |(_, noun)| noun);
        let message = format!("the key {name:?} belongs to {of}; this {this} is {only}");
        Err(ScenarioError::Rule { at: source.at(node.span.start), message })
    })
}

fn check_value(source: Source<'_>, kind: Kind, node: &Node, key: &str, owner: &str) -> Result<(), ScenarioError> {
    let wrong = |expected: String| {
        let (at, key) = (source.at(node.span.start), format!("{key}{owner}"));
        Err(ScenarioError::Value { at, key, expected, found: found(source, node) })
    };
    match (kind, &node.value) {
        (Kind::Number(range), Value::Whole(_) | Value::Number(_)) => {
            let number = node.number().unwrap_or(f64::NAN);
            let is_whole = !range.is_whole || matches!(node.value, Value::Whole(_));
            if is_whole && range.contains(number) { Ok(()) } else { wrong(range.to_string()) }
        }
        (Kind::Flag, Value::Flag(_)) | (Kind::Text, Value::Text(_)) => Ok(()),
        (Kind::Word(what, words), Value::Text(word)) => {
            let (words, base) = (words(), word.split(':').next().unwrap_or_default());
            let has_parameters = matches!(what, "planner" | "index");
            let is_known = words.contains(&if has_parameters { base } else { word.as_str() });
            if is_known { Ok(()) } else { Err(unknown_word(source, node, what, word, &words, &words.join(", "))) }
        }
        (Kind::Point, Value::List(axes)) if axes.len() == 2 => {
            axes.iter().try_for_each(|axis| check_value(source, Kind::Number(COORDINATE), axis, key, owner))
        }
        (Kind::Terrain, Value::Table(entries)) => terrain::check(source, entries),
        (Kind::List(kind), Value::List(nodes)) => {
            nodes.iter().try_for_each(|node| check_value(source, *kind, node, key, owner))
        }
        (Kind::Table(table), Value::Table(_)) if table.numbers.is_empty() => check_table(source, table, node, "", ""),
        // The numbers of a weapon are those of the unit that has it.
        (Kind::Table(table), Value::Table(_)) => {
            let own = self::owner(table, node);
            if own.is_empty() {
                check_table(source, table, node, "ranged.", owner)
            } else {
                check_table(source, table, node, "", &own)
            }
        }
        (Kind::Any(kinds, written), value) => match kinds.iter().find(|kind| kind.fits(value)) {
            Some(&Kind::Word(what, words)) if !matches!(value, Value::Text(word) if words().contains(&word.as_str())) =>
            {
                let word = if let Value::Text(word) = value { word.as_str() } else { "" };
                Err(unknown_word(source, node, what, word, &words(), written))
            }
            Some(&kind) => check_value(source, kind, node, key, owner),
            None => wrong(written.into()),
        },
        (kind, _) => wrong(kind.expected()),
    }
}

impl Kind {
    /// True where a value has the shape of this kind; its content may be anything.
    fn fits(&self, value: &Value) -> bool {
        match self {
            Self::Number(_) => matches!(value, Value::Whole(_) | Value::Number(_)),
            Self::Flag => matches!(value, Value::Flag(_)),
            Self::Text | Self::Word(..) => matches!(value, Value::Text(_)),
            Self::Point | Self::List(_) => matches!(value, Value::List(_)),
            Self::Table(_) | Self::Terrain => matches!(value, Value::Table(_)),
            Self::Any(kinds, _) => kinds.iter().any(|kind| kind.fits(value)),
        }
    }

    /// True where a number is in the range of this kind.
    pub(super) fn contains(&self, number: f32) -> bool {
        matches!(self, Self::Number(range) if range.contains(number.into()))
    }

    /// The shape that a value of another shape should have.
    pub(super) fn expected(&self) -> String {
        match self {
            Self::Number(range) if range.is_whole => range.to_string(),
            Self::Number(range) => format!("a number {range}"),
            Self::Flag => "true or false".into(),
            Self::Text => "text in quotes".into(),
            Self::Word(_, words) => format!("one of {}", words().join(", ")),
            Self::Point => "[x, y]".into(),
            Self::Terrain => "written as in { plain = 1, swamp = 3 } or { swamp = \"closed\" }".into(),
            Self::List(Kind::Point) => "a list of points, as in [[4, 5], [6, 5]]".into(),
            Self::List(Kind::Table(_)) => "a list of tables, written in double brackets as [[army]]".into(),
            Self::List(Kind::Any(..)) => "a list of orders, as in [\"attack\", { go_to = [4, 5] }]".into(),
            Self::List(_) => "a list of names, as in [\"horseman\"]".into(),
            Self::Table(table) => format!("a table of {}", table.names().collect::<Vec<_>>().join(", ")),
            Self::Any(_, written) => (*written).into(),
        }
    }
}

fn unknown_word(
    source: Source<'_>,
    node: &Node,
    what: &'static str,
    word: &str,
    words: &[&'static str],
    known: &str,
) -> ScenarioError {
    let near = did_you_mean(word, words).map_or_else(String::new, |near| format!("did you mean {near:?}? "));
    let (at, hint) = (source.at(node.span.start), format!("{near}known are {known}"));
    ScenarioError::UnknownName { at, what, found: word.into(), hint }
}

fn unknown_key(table: &Table, found: &str) -> String {
    let names: Vec<&str> = table.names().collect();
    if matches!(found, "squad" | "squads") && names.contains(&"army") && names.contains(&"map") {
        return "a squad belongs to an army: write [[army.squad]] below its [[army]]".into();
    }
    name_hint(found, &names)
}

/// A value as a user would write it, in a line.
fn found(source: Source<'_>, node: &Node) -> String {
    const LONG: usize = 40;
    match &node.value {
        Value::Text(text) => format!("{:?}", text.chars().take(LONG).collect::<String>()),
        Value::Whole(number) => number.to_string(),
        Value::Number(number) => number.to_string().to_lowercase(),
        Value::Flag(flag) => flag.to_string(),
        Value::Table(_) => "a table".into(),
        Value::List(_) | Value::Date => match source.text.get(node.span.clone()) {
            Some(text) if text.len() <= LONG && !text.contains('\n') => text.into(),
            _ => "a list".into(),
        },
    }
}
