//! Varied keys and their values.

use super::{BatchError, Decimal};
use std::fmt;
use std::str::FromStr;

/// The most values of a number.
const MAX_VALUES: usize = 100_000;

/// A number of a scenario and the values it takes, written as `KEY=LOW..HIGH:STEP` or `KEY=A,B,C`. The last value of the
/// first form is the greatest that is not above `HIGH`.
///
/// ```
/// use throng_lab::batch::Vary;
/// let vary: Vary = "unit.knight.health=80..100:10".parse()?;
/// assert_eq!(vary.key, "unit.knight.health");
/// assert_eq!(vary, "unit.knight.health=80,90,100".parse()?);
/// # Ok::<(), throng_lab::batch::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// Which number.
    pub key: String,
    /// Its values, in the order of the runs.
    pub values: Vec<Decimal>,
}

impl FromStr for Vary {
    type Err = BatchError;

    fn from_str(text: &str) -> Result<Self, BatchError> {
        let text = text.trim();
        // Names may hold anything, values hold no sign of equality.
        let Some((key, list)) = text.rsplit_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
            return Err(BatchError::NoValues { found: text.to_owned() });
        };
        let key = key.trim().to_owned();
        let wrong = |message: String| BatchError::Values { key: key.clone(), message };
        let number = |text: &str| {
            let text = text.trim();
            text.parse::<Decimal>().map_err(|expected| wrong(format!("{expected}, found {text:?}")))
        };
        let values = if let Some((low, rest)) = list.split_once("..") {
            let Some((high, step)) = rest.split_once(':') else {
                return Err(wrong(format!("expected a step, as in {}:1", list.trim())));
            };
            let [low, high, step] = [number(low)?, number(high)?, number(step)?];
            if high < low {
                return Err(wrong(format!("expected the lower end first, found {low}..{high}")));
            }
            if step.value() <= 0.0 {
                return Err(wrong(format!("expected a step above 0, found {step}")));
            }
            low.up_to(high, step, MAX_VALUES)
                .ok_or_else(|| wrong(format!("expected at most {MAX_VALUES} values; choose a longer step")))?
        } else {
            list.split(',').map(number).collect::<Result<Vec<_>, _>>()?
        };
        if values.len() > MAX_VALUES {
            return Err(wrong(format!("expected at most {MAX_VALUES} values, found {}", values.len())));
        }
        let mut sorted = values.clone();
        sorted.sort_unstable();
        if let Some([twice, _]) = sorted.windows(2).find(|pair| pair.first() == pair.last()) {
            return Err(wrong(format!("the value {twice} is named twice")));
        }
        Ok(Self { key, values })
    }
}

/// Values at equal distances as a range, others one by one: equal values are written equally.
impl fmt::Display for Vary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.key).and_then(|()| match &*self.values {
            &[first, second, .., last]
                if first.up_to(last, second.less(first), MAX_VALUES).as_ref() == Some(&self.values) =>
            {
                write!(f, "{first}..{last}:{}", second.less(first))
            }
            values => {
                let values: Vec<_> = values.iter().map(Decimal::to_string).collect();
                f.write_str(&values.join(","))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        text.parse::<Vary>().map(|vary| vary.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(read("a=1..10:3"), Ok("a=1..10:3".into()));
        assert_eq!(read("a = 0.5..0.75:0.1"), Ok("a=0.5..0.7:0.1".into()));
        assert_eq!(read("unit.x.priority=-1..1:1"), Ok("unit.x.priority=-1..1:1".into()));
        assert_eq!(read("odd=name=3, 1"), Ok("odd=name=3,1".into()));
        assert_eq!(read("a=5..5:1"), Ok("a=5".into()));
        assert_eq!(read("a=3,2,1"), Ok("a=3,2,1".into()));
        assert_eq!(read("a=1,2,3,5"), Ok("a=1,2,3,5".into()));
    }

    #[test]
    fn bad_lists_are_named() {
        let expected = "expected KEY=LOW..HIGH:STEP or KEY=A,B,C, as in army.red.soldier.count=100..500:100";
        assert_eq!(read("a"), Err(format!("\"a\" names no values; {expected}")));
        assert_eq!(read("=3"), Err(format!("\"=3\" names no values; {expected}")));
        let number = "expected a number between -1000000000 and 1000000000 with at most 9 digits after the point";
        assert_eq!(read("a=1,x"), Err(format!("values of a: {number}, found \"x\"")));
        assert_eq!(read("a="), Err(format!("values of a: {number}, found \"\"")));
        assert_eq!(read("a=1..9"), Err("values of a: expected a step, as in 1..9:1".into()));
        assert_eq!(read("a=9..1:1"), Err("values of a: expected the lower end first, found 9..1".into()));
        assert_eq!(read("a=1..9:0"), Err("values of a: expected a step above 0, found 0".into()));
        assert_eq!(read("a=1..9:-1"), Err("values of a: expected a step above 0, found -1".into()));
        assert_eq!(read("a=1,2,1.0"), Err("values of a: the value 1 is named twice".into()));
        assert_eq!(
            read("a=0..1000000:1"),
            Err("values of a: expected at most 100000 values; choose a longer step".into())
        );
    }
}
