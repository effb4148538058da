//! A figure of a table.

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// A count.
    Whole(u64),
    /// The number of something, where there is one.
    Place(Option<u64>),
    /// A name.
    Text(&'a str),
    /// A measured number, and its decimals in CSV; NaN is an empty field.
    Number(f64, usize),
    /// A time (s), to a microsecond.
    Time(f64),
}

impl Value<'_> {
    pub(super) fn text(&self) -> String {
        match *self {
            Self::Whole(count) | Self::Place(Some(count)) => count.to_string(),
            Self::Text(text) => text.into(),
            Self::Place(None) => String::new(),
            Self::Number(number, _) if number.is_nan() => String::new(),
            Self::Number(number, decimals) => format!("{number:.decimals$}"),
            Self::Time(seconds) => to_microseconds(seconds).to_string(),
        }
    }
}

/// The step of a tick is no round number of 32 bits.
pub(super) fn to_microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
