//! Parts of a batch, for many machines.

use super::BatchError;
use std::fmt;
use std::str::FromStr;

/// A part of a batch, written as `I/N`: every N-th run, beginning with the I-th.
///
/// ```
/// use throng_lab::batch::Shard;
/// let shard: Shard = "2/3".parse()?;
/// let runs: Vec<usize> = (0..7).filter(|&run| shard.has(run)).collect();
/// assert_eq!(runs, [1, 4]);
/// # Ok::<(), throng_lab::batch::BatchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: usize,
    of: usize,
}

impl Default for Shard {
    /// All of it.
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

impl Shard {
    /// True where a run, by its number from 0, belongs to this part.
    pub fn has(self, run: usize) -> bool {
        run % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = BatchError;

    fn from_str(text: &str) -> Result<Self, BatchError> {
        let whole = |text: &str| text.trim().parse::<usize>().ok();
        let parts = text.split_once('/').and_then(|(number, of)| Some((whole(number)?, whole(of)?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(BatchError::Shard { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn parts_make_the_whole() {
        for of in 1..6_usize {
            let mut runs: Vec<usize> = Vec::new();
            for number in 1..=of {
                let shard: Shard = format!("{number}/{of}").parse().unwrap();
                runs.extend((0..23).filter(|&run| shard.has(run)));
            }
            runs.sort_unstable();
            assert_eq!(runs, (0..23).collect::<Vec<_>>());
        }
        for text in ["", "1", "0/2", "3/2", "1/0", "a/2", "-1/2", "1/2/3"] {
            let expected = format!("expected a part and how many there are, as in 2/4, found {text:?}");
            assert_eq!(text.parse::<Shard>().unwrap_err().to_string(), expected);
        }
    }
}
