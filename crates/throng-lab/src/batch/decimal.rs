//! Numbers as people write them.

use std::fmt;
use std::str::FromStr;

/// The most digits after the point.
const PLACES: usize = 9;

/// No number is greater, either way.
const GREATEST: i64 = 1_000_000_000;

/// A decimal number, kept as it was written: three times 0.1 is 0.3. Up to a thousand million either way, with up to nine digits
/// after the point.
///
/// ```
/// use throng_lab::batch::Decimal;
/// let number: Decimal = "0.30".parse()?;
/// assert_eq!((number.to_string().as_str(), number.value()), ("0.3", 0.3));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal {
    /// In thousand millionths.
    units: i64,
}

impl Decimal {
    /// As the nearest float.
    pub fn value(self) -> f64 {
        // Not by division: a written number is read as Rust reads it.
        self.to_string().parse().unwrap_or(0.0)
    }

    /// As a whole number from 0, where it is one.
    pub fn count(self) -> Option<u64> {
        (self.units % GREATEST == 0).then(|| u64::try_from(self.units / GREATEST).ok()).flatten()
    }

    /// The difference to a smaller number.
    pub(super) fn less(self, other: Self) -> Self {
        Self { units: self.units.saturating_sub(other.units) }
    }

    /// The numbers from `self` to `last` in steps of `step`, at most `limit`; `None` where there are more, or the step does
    /// not lead there.
    pub(super) fn up_to(self, last: Self, step: Self, limit: usize) -> Option<Vec<Self>> {
        if step.units <= 0 || last < self {
            return None;
        }
        let more = (last.units.checked_sub(self.units)? / step.units) as usize;
        (more < limit).then(|| (0..=more as i64).map(|i| Self { units: self.units + i * step.units }).collect())
    }
}

impl FromStr for Decimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
            let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
            let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number(whole) || !is_number(part) || part.len() > PLACES {
                return None;
            }
            let units: i64 = format!("{part:0<PLACES$}").parse().ok()?;
            let whole: i64 = whole.parse().ok().filter(|&whole| whole < GREATEST || whole == GREATEST && units == 0)?;
            Some(Self { units: sign * (whole * GREATEST + units) })
        };
        read().ok_or_else(|| {
            format!("expected a number between -{GREATEST} and {GREATEST} with at most {PLACES} digits after the point")
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.units.unsigned_abs();
        let (whole, part) = (size / GREATEST as u64, size % GREATEST as u64);
        let sign = if self.units < 0 { "-" } else { "" };
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        write!(f, "{sign}{whole}.{}", format!("{part:0PLACES$}").trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_as_they_were_written() {
        for (text, shown) in
            [("0", "0"), ("-0", "0"), ("007", "7"), ("1.50", "1.5"), ("-0.25", "-0.25"), ("0.000000001", "0.000000001")]
        {
            assert_eq!(text.parse::<Decimal>().map(|number| number.to_string()), Ok(shown.into()));
        }
        for text in
            ["", "-", ".5", "5.", "1e3", "inf", "+1", "1 ", "0.0000000001", "1000000000.1", "99999999999999999999"]
        {
            assert!(text.parse::<Decimal>().is_err(), "{text}");
        }
    }

    #[test]
    fn steps_do_not_drift() {
        let [low, high, step] = ["0.1", "0.75", "0.1"].map(|text| text.parse::<Decimal>().unwrap());
        let steps: Vec<_> = low.up_to(high, step, 10).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(steps, ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert_eq!((low.up_to(high, step, 6), high.up_to(low, step, 10)), (None, None));
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_again(units in -GREATEST * 1000..GREATEST * 1000) {
            let number = Decimal { units };
            prop_assert_eq!(number.to_string().parse::<Decimal>(), Ok(number));
            prop_assert!((number.value() - units as f64 / GREATEST as f64).abs() < 1e-9);
        }
    }
}
