//! The parameters of indices: one table, from which they are read, written and documented.

use crate::{IndexKind, KdAxis, KdCut, Sort, Tuning};

/// A parameter of an index that can be set by name, as in `quadtree:capacity=8`.
///
/// ```
/// use throng_spatial::{IndexKind, Parameter};
/// let names: Vec<&str> = Parameter::of(IndexKind::Quadtree).map(|parameter| parameter.name()).collect();
/// assert_eq!(names, ["cell", "capacity"]);
/// let capacity = Parameter::named("capacity").unwrap();
/// assert_eq!(capacity.expected(IndexKind::KdTree), "a whole number from 1 to 64");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameter(&'static Row);

/// A row of the table of parameters.
#[derive(Debug)]
struct Row {
    name: &'static str,
    about: &'static str,
    values: Values,
}

/// Which values a parameter takes, and where a [`Tuning`] holds it.
#[derive(Debug)]
enum Values {
    /// A number in a range, and its unit.
    Number { low: f32, high: f32, unit: &'static str, field: fn(&mut Tuning) -> &mut Option<f32> },
    /// A whole number in a range that the kind may narrow.
    Count { low: usize, high: fn(IndexKind) -> usize, field: fn(&mut Tuning) -> &mut Option<usize> },
    /// One of some names.
    Name {
        all: &'static [&'static str],
        write: fn(&Tuning) -> Option<&'static str>,
        read: fn(&str, &mut Tuning) -> bool,
    },
}

/// All parameters. A value without a name belongs to the first one that a kind has.
static TABLE: [Row; 8] = [
    Row {
        name: "cell",
        about: "side of a cell (m), the smallest one for a tree; of a hash at least a quarter of a body",
        values: Values::Number { low: 0.01, high: 1e6, unit: " (m)", field: |tuning| &mut tuning.cell },
    },
    Row {
        name: "capacity",
        about: "bodies that a cell or leaf holds before it is split",
        values: Values::Count { low: 1, high: IndexKind::max_capacity, field: |tuning| &mut tuning.capacity },
    },
    Row {
        name: "sections",
        about: "parts that the world is cut into",
        values: Values::Count { low: 1, high: |_| 1 << 20, field: |tuning| &mut tuning.sections },
    },
    Row {
        name: "looseness",
        about: "how much wider than its cell a body's box may be, of a loose tree",
        values: Values::Number { low: 1.01, high: 100.0, unit: "", field: |tuning| &mut tuning.looseness },
    },
    Row {
        name: "sort",
        about: "how bodies are sorted along the axis",
        values: Values::Name {
            all: &["quick", "bubble", "recursive-bubble", "insertion", "recursive-insertion"],
            write: |tuning| tuning.sort.map(Sort::name),
            read: |text, tuning| set(&mut tuning.sort, text.parse().ok()),
        },
    },
    Row {
        name: "cut",
        about: "where a node is cut: half of its bodies on each side, or half of its box",
        values: Values::Name {
            all: &["median", "middle"],
            write: |tuning| tuning.cut.map(KdCut::name),
            read: |text, tuning| set(&mut tuning.cut, KdCut::named(text)),
        },
    },
    Row {
        name: "axis",
        about: "across which axis a node is cut: that of the greatest extent, or each in turn",
        values: Values::Name {
            all: &["widest", "cyclic"],
            write: |tuning| tuning.axis.map(KdAxis::name),
            read: |text, tuning| set(&mut tuning.axis, KdAxis::named(text)),
        },
    },
    Row {
        name: "reach",
        about: "how far queries will reach (m), from which a grid takes the side of its cells",
        values: Values::Number { low: 0.01, high: 1e6, unit: " (m)", field: |tuning| &mut tuning.reach },
    },
];

/// Sets a field; false where there is no value.
fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let known = value.is_some();
    *field = value;
    known
}

impl Parameter {
    /// All parameters of all kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(Self)
    }

    /// The parameters of a kind, the main one first.
    pub fn of(kind: IndexKind) -> impl Iterator<Item = Self> {
        Self::all().filter(move |parameter| parameter.concerns(kind))
    }

    /// The parameter of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|parameter| parameter.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its effect, in a few words.
    pub fn about(self) -> &'static str {
        self.0.about
    }

    /// True where a kind has this parameter.
    pub fn concerns(self, kind: IndexKind) -> bool {
        kind.heeds().contains(&self.0.name)
    }

    /// Which values a kind takes, as errors say it.
    pub fn expected(self, kind: IndexKind) -> String {
        match &self.0.values {
            Values::Number { low, high, unit, .. } => format!("a number from {low} to {high}{unit}"),
            Values::Count { low, high, .. } => format!("a whole number from {low} to {}", high(kind)),
            Values::Name { all, .. } => format!("one of {}", all.join(", ")),
        }
    }

    /// The names that it takes; empty of a number.
    pub fn names(self) -> &'static [&'static str] {
        match &self.0.values {
            Values::Number { .. } | Values::Count { .. } => &[],
            Values::Name { all, .. } => all,
        }
    }

    /// Sets it to a value given as text; false, and nothing is set, where the kind does not take the value.
    pub fn read(self, kind: IndexKind, text: &str, tuning: &mut Tuning) -> bool {
        match &self.0.values {
            Values::Number { low, high, field, .. } => {
                let value = text.parse().ok().filter(|value| (*low..=*high).contains(value));
                value.is_some_and(|value| set(field(tuning), Some(value)))
            }
            Values::Count { low, high, field } => {
                let value = text.parse().ok().filter(|value| (*low..=high(kind)).contains(value));
                value.is_some_and(|value| set(field(tuning), Some(value)))
            }
            Values::Name { all, read, .. } => all.contains(&text) && read(text, tuning),
        }
    }

    /// The value as text; `None` where it is the default.
    pub fn value(self, tuning: &Tuning) -> Option<String> {
        match &self.0.values {
            Values::Number { field, .. } => field(&mut { *tuning }).map(|value| value.to_string()),
            Values::Count { field, .. } => field(&mut { *tuning }).map(|value| value.to_string()),
            Values::Name { write, .. } => write(tuning).map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_is_read_as_it_is_written() {
        for parameter in Parameter::all() {
            for kind in IndexKind::ALL.into_iter().filter(|&kind| parameter.concerns(kind)) {
                let values: Vec<String> = match &parameter.0.values {
                    Values::Number { low, high, .. } => vec![low.to_string(), high.to_string(), "1.5".into()],
                    Values::Count { low, high, .. } => vec![low.to_string(), high(kind).to_string()],
                    Values::Name { all, .. } => all.iter().map(|name| (*name).to_owned()).collect(),
                };
                for value in values {
                    let mut tuning = Tuning::default();
                    assert!(parameter.read(kind, &value, &mut tuning), "{kind} {parameter:?} {value}");
                    assert_eq!(parameter.value(&tuning), Some(value));
                    assert_eq!(tuning.heeded_by(kind), tuning, "{kind} {parameter:?}");
                }
                for value in ["", "-1", "0", "1e9", "NaN", "inf", "nobody"] {
                    let mut tuning = Tuning::default();
                    assert!(!parameter.read(kind, value, &mut tuning), "{kind} {parameter:?} {value}");
                    assert_eq!(tuning, Tuning::default());
                }
            }
        }
    }

    #[test]
    fn every_tuning_but_the_bounds_is_a_parameter() {
        for kind in IndexKind::ALL {
            for field in kind.heeds() {
                assert!(*field == "bounds" || Parameter::named(field).is_some(), "{kind} {field}");
            }
        }
    }
}
