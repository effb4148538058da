//! An index and its parameters in one word.

use crate::{IndexKind, Parameter, Tuning, UnknownIndex};
use std::fmt;
use std::str::FromStr;

/// A kind of index with its parameters, written `kind:parameter=value:…`: `sections:9`, `quadtree:cell=2:capacity=8`.
///
/// A value without a name belongs to the main [parameter](Parameter::of) of the kind. A parameter that is not named keeps its
/// default. Scenario files, the command line and snapshots all use this form.
///
/// ```
/// use throng_spatial::{IndexKind, IndexSpec, Tuning};
/// let spec: IndexSpec = "quadtree:2:capacity=8".parse()?;
/// assert_eq!(spec.kind, IndexKind::Quadtree);
/// assert_eq!(spec.tuning, Tuning { cell: Some(2.0), capacity: Some(8), ..Tuning::default() });
/// assert_eq!(spec.to_string(), "quadtree:cell=2:capacity=8");
/// assert_eq!(IndexSpec::from(IndexKind::Bvh).to_string(), "bvh");
/// let error = "sections:0".parse::<IndexSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "the sections of the index sections must be a whole number from 1 to 1048576, found \"0\"");
/// # Ok::<(), throng_spatial::IndexSpecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub struct IndexSpec {
    /// The kind.
    pub kind: IndexKind,
    /// Its parameters. Bounds are no part of the text.
    pub tuning: Tuning,
}

impl From<IndexKind> for IndexSpec {
    fn from(kind: IndexKind) -> Self {
        Self { kind, tuning: Tuning::default() }
    }
}

impl From<IndexSpec> for String {
    fn from(spec: IndexSpec) -> Self {
        spec.to_string()
    }
}

impl TryFrom<String> for IndexSpec {
    type Error = IndexSpecError;

    fn try_from(text: String) -> Result<Self, IndexSpecError> {
        text.parse()
    }
}

impl fmt::Display for IndexSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.kind.name().to_owned();
        for parameter in Parameter::of(self.kind) {
            if let Some(value) = parameter.value(&self.tuning) {
                text.extend([":", parameter.name(), "=", &value]);
            }
        }
        f.pad(&text)
    }
}

impl FromStr for IndexSpec {
    type Err = IndexSpecError;

    fn from_str(text: &str) -> Result<Self, IndexSpecError> {
        let mut parts = text.split(':');
        let kind: IndexKind = parts.next().unwrap_or_default().parse().map_err(IndexSpecError::Unknown)?;
        let mut tuning = Tuning::default();
        for part in parts {
            let (parameter, value) = match part.split_once('=') {
                Some((name, value)) => (Parameter::of(kind).find(|parameter| parameter.name() == name), value),
                None => (Parameter::of(kind).next(), part),
            };
            let Some(parameter) = parameter else {
                return Err(IndexSpecError::Parameter { kind, found: part.to_owned() });
            };
            if parameter.value(&tuning).is_some() {
                return Err(IndexSpecError::Twice { kind, parameter: parameter.name() });
            }
            if !parameter.read(kind, value, &mut tuning) {
                return Err(IndexSpecError::Value { kind, parameter, found: value.to_owned() });
            }
        }
        Ok(Self { kind, tuning })
    }
}

/// An index that cannot be made of the text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum IndexSpecError {
    /// There is no such kind.
    Unknown(UnknownIndex),
    /// The kind has no such parameter.
    Parameter {
        /// The kind.
        kind: IndexKind,
        /// The parameter, with its value.
        found: String,
    },
    /// A parameter has two values.
    Twice {
        /// The kind.
        kind: IndexKind,
        /// The name of the parameter.
        parameter: &'static str,
    },
    /// A value out of range.
    Value {
        /// The kind.
        kind: IndexKind,
        /// The parameter.
        parameter: Parameter,
        /// The value.
        found: String,
    },
}

impl fmt::Display for IndexSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Parameter { kind, found } => {
                let known: Vec<&str> = Parameter::of(*kind).map(Parameter::name).collect();
                let name = found.split('=').next().unwrap_or_default();
                if known.is_empty() {
                    return write!(f, "the index {kind} has no parameters, found {found:?}");
                }
                write!(f, "the index {kind} has no parameter {name:?}; known are {}", known.join(", "))
            }
            Self::Twice { kind, parameter } => write!(f, "the {parameter} of the index {kind} is given twice"),
            Self::Value { kind, parameter, found } => {
                write!(
                    f,
                    "the {} of the index {kind} must be {}, found {found:?}",
                    parameter.name(),
                    parameter.expected(*kind)
                )
            }
        }
    }
}

impl std::error::Error for IndexSpecError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Index;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "grid",
            "grid:cell=2.5",
            "sections:sections=9",
            "kd-tree:capacity=8:cut=middle:axis=cyclic",
            "closest-pair:sort=quick",
            "loose-quadtree:cell=1:looseness=1.5",
            "hash:cell=3:reach=4",
        ] {
            let spec: IndexSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(String::from(spec), text);
            let usual = format!("{:?}", Index::new(spec.kind));
            assert_eq!(format!("{:?}", Index::from(spec)) == usual, !text.contains(':'), "{text}");
        }
        for (text, same) in [("sections:9", "sections:sections=9"), ("kd-tree:8", "kd-tree:capacity=8")] {
            assert_eq!(text.parse::<IndexSpec>().unwrap().to_string(), same);
        }
    }

    #[test]
    fn a_kind_alone_is_not_tuned() {
        for kind in IndexKind::ALL {
            let spec = IndexSpec::from(kind);
            assert_eq!((spec.kind, spec.tuning, spec.to_string()), (kind, Tuning::default(), kind.name().to_owned()));
        }
    }

    #[test]
    fn errors_say_what_is_possible() {
        for (text, message) in [
            ("bvh:4", "the index bvh has no parameters, found \"4\""),
            ("grid:leaf=4", "the index grid has no parameter \"leaf\"; known are cell, reach"),
            ("grid:cel=4", "the index grid has no parameter \"cel\"; known are cell, reach"),
            ("grid:0", "the cell of the index grid must be a number from 0.01 to 1000000 (m), found \"0\""),
            ("grid:", "the cell of the index grid must be a number from 0.01 to 1000000 (m), found \"\""),
            ("kd-tree:65", "the capacity of the index kd-tree must be a whole number from 1 to 64, found \"65\""),
            ("kd-tree:cut=half", "the cut of the index kd-tree must be one of median, middle, found \"half\""),
            ("quadtree:2:cell=3", "the cell of the index quadtree is given twice"),
        ] {
            assert_eq!(text.parse::<IndexSpec>().unwrap_err().to_string(), message);
        }
    }
}
