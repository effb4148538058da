//! Seeds of runs.

use super::BatchError;
use std::str::FromStr;

/// The most seeds of a batch.
const MAX_SEEDS: u64 = 1_000_000;

/// How many runs there are of each point, where nothing is said.
const RUNS: u64 = 100;

/// Which seeds, written as `A..` (from A on, as many as there are runs), `A..B` (both counted) or `A,B,C`.
///
/// ```
/// use throng_lab::batch::Seeds;
/// assert_eq!("7..".parse::<Seeds>()?.list(Some(3))?, [7, 8, 9]);
/// assert_eq!("7..8".parse::<Seeds>()?.list(None)?, [7, 8]);
/// # Ok::<(), throng_lab::batch::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// This and those after it.
    From(u64),
    /// The first and the last.
    Range(u64, u64),
    /// These.
    List(Vec<u64>),
}

impl Default for Seeds {
    /// From 1 on.
    fn default() -> Self {
        Self::From(1)
    }
}

impl Seeds {
    /// All of them, for so many runs of each point; without a number as many as are named, or 100.
    ///
    /// # Errors
    /// [`BatchError::Runs`] where as many are not named, or too many.
    pub fn list(&self, runs: Option<u64>) -> Result<Vec<u64>, BatchError> {
        let wrong = |message: String| Err(BatchError::Runs { message });
        let named = match self {
            Self::From(_) => runs.unwrap_or(RUNS),
            Self::Range(first, last) => last.saturating_sub(*first).saturating_add(1),
            Self::List(list) => list.len() as u64,
        };
        if let Some(runs) = runs.filter(|&runs| runs != named) {
            return wrong(format!("{named} seeds are named for {runs} runs; leave out one of the two"));
        }
        if named > MAX_SEEDS {
            return wrong(format!("{named} runs of each point are too many; the limit is {MAX_SEEDS}"));
        }
        match self {
            Self::List(list) => Ok(list.clone()),
            &(Self::From(first) | Self::Range(first, _)) => match first.checked_add(named) {
                Some(end) => Ok((first..end).collect()),
                None => wrong(format!("there are no {named} seeds from {first} on")),
            },
        }
    }
}

impl FromStr for Seeds {
    type Err = BatchError;

    fn from_str(text: &str) -> Result<Self, BatchError> {
        let seed = |text: &str| text.trim().parse::<u64>().ok();
        let read = || match text.trim().split_once("..") {
            Some((first, "")) => Some(Self::From(seed(first)?)),
            Some((first, last)) => {
                let (first, last) = (seed(first)?, seed(last)?);
                (first <= last).then_some(Self::Range(first, last))
            }
            None => {
                let list = text.split(',').map(seed).collect::<Option<Vec<_>>>()?;
                let mut sorted = list.clone();
                sorted.sort_unstable();
                sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(Self::List(list))
            }
        };
        read().ok_or_else(|| BatchError::Seeds { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str, runs: Option<u64>) -> Result<Vec<u64>, String> {
        text.parse::<Seeds>().and_then(|seeds| seeds.list(runs)).map_err(|error| error.to_string())
    }

    #[test]
    fn seeds_are_counted_or_named() {
        assert_eq!(list("3..", Some(2)), Ok(vec![3, 4]));
        assert_eq!(list("3..5", None), Ok(vec![3, 4, 5]));
        assert_eq!(list("3..5", Some(3)), Ok(vec![3, 4, 5]));
        assert_eq!(list("9, 3,5", None), Ok(vec![9, 3, 5]));
        assert_eq!(list("1..", None).map(|seeds| seeds.len()), Ok(100));
    }

    #[test]
    fn bad_seeds_are_named() {
        for text in ["", "..", "..3", "5..1", "a", "1..2..3", "-1", "1,,2", "4,4"] {
            let expected = "expected seeds as in 1.., 1..100 or 3,5,9, each once";
            assert_eq!(list(text, None), Err(format!("{expected}, found {text:?}")));
        }
        assert_eq!(list("1..5", Some(6)), Err("5 seeds are named for 6 runs; leave out one of the two".into()));
        assert_eq!(
            list("1..2000000", None),
            Err("2000000 runs of each point are too many; the limit is 1000000".into())
        );
        assert_eq!(
            list("18446744073709551615..", Some(5)),
            Err("there are no 5 seeds from 18446744073709551615 on".into())
        );
    }
}
