//! Curves over a run of unknown length.

/// Some numbers at each of at most so many times, spread evenly over all that were seen.
#[derive(Debug)]
pub(super) struct Samples {
    most: usize,
    columns: usize,
    times: Vec<f64>,
    /// `columns` for each time.
    values: Vec<f64>,
    /// The number of rows from one that is kept to the next.
    every: u64,
    seen: u64,
    /// The last row, kept or not.
    last: (f64, Vec<f64>),
}

impl Samples {
    pub fn new(most: usize) -> Self {
        let (columns, every, seen) = (0, 1, 0);
        Self { most: most.max(2), columns, times: Vec::new(), values: Vec::new(), every, seen, last: (0.0, Vec::new()) }
    }

    /// Adds a row: as many numbers as the first has, NaN for those that are missing.
    pub fn push(&mut self, time: f64, row: impl Iterator<Item = f64>) {
        self.last.0 = time;
        self.last.1.clear();
        self.last.1.extend(row);
        if self.seen == 0 {
            self.columns = self.last.1.len();
        }
        self.last.1.resize(self.columns, f64::NAN);
        if self.seen.is_multiple_of(self.every) {
            if self.times.len() == self.most {
                let columns = self.columns.max(1);
                let (mut time, mut value) = (0..usize::MAX, 0..usize::MAX);
                self.times.retain(|_| time.next().is_some_and(|i| i % 2 == 0));
                self.values.retain(|_| value.next().is_some_and(|i| (i / columns).is_multiple_of(2)));
                self.every *= 2;
            }
            if self.seen.is_multiple_of(self.every) {
                self.times.push(time);
                self.values.extend(&self.last.1);
            }
        }
        self.seen += 1;
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The first and the last time.
    pub fn span(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or(0.0), self.last.0)
    }

    /// One column over time, to its end.
    pub fn curve(&self, column: usize) -> impl Iterator<Item = (f64, f64)> {
        let ends = self.times.last() == Some(&self.last.0);
        let end = self.last.1.get(column).filter(|_| !ends).map(|&value| (self.last.0, value));
        let values = self.values.iter().skip(column).step_by(self.columns.max(1));
        self.times.iter().copied().zip(values.copied()).chain(end)
    }

    /// The greatest number of some columns; 0 where there is none.
    pub fn most(&self, columns: std::ops::Range<usize>) -> f64 {
        columns.flat_map(|column| self.curve(column)).map(|(_, value)| value).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_its_shape() {
        for rows in [0, 1, 2, 63, 64, 65, 127, 128, 1000, 4097] {
            let mut samples = Samples::new(64);
            (0..rows).for_each(|i| samples.push(f64::from(i), [f64::from(i * i), 5.0].into_iter()));
            let curve: Vec<_> = samples.curve(0).collect();
            assert!(curve.len() <= 65 && curve.len() as i32 >= rows.min(32), "{rows}: {}", curve.len());
            assert!(curve.iter().all(|(time, value)| *value == time * time));
            assert!(curve.is_sorted_by(|a, b| a.0 < b.0), "{rows}");
            assert_eq!(curve.last().map(|last| last.0), (rows > 0).then(|| f64::from(rows - 1)));
            assert_eq!(curve.first().map(|first| first.0), (rows > 0).then_some(0.0));
            assert!(samples.curve(1).all(|(_, value)| value == 5.0));
            assert_eq!(samples.most(0..2), if rows == 0 { 0.0 } else { f64::from((rows - 1) * (rows - 1)).max(5.0) });
        }
    }
}
