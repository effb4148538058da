//! How often times of each length came, in memory of a fixed size.

use super::Quantiles;

/// Times of fewer microseconds are counted exactly.
const EXACT_US: u64 = 256;

/// From there on, each power of two is cut into so many equal parts.
const PARTS: usize = 128;

/// Powers of two from the exact ones on: the longest time is more than an hour.
const OCTAVES: usize = 24;

/// Counts of times, exact to a microsecond below 256 µs and to 0.4 % above. Its size does not grow with the times.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    counts: Box<[u64]>,
    total: u64,
    /// The longest time (ms).
    worst: f32,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; EXACT_US as usize + OCTAVES * PARTS].into(), total: 0, worst: 0.0 }
    }
}

impl Histogram {
    /// Adds a time (ms).
    pub fn add(&mut self, ms: f32) {
        self.counts[bin(ms)] += 1;
        self.total += 1;
        self.worst = self.worst.max(ms);
    }

    /// How many times were added.
    pub fn len(&self) -> u64 {
        self.total
    }

    /// The smallest time that is at least as long as the share of all. O(1).
    pub fn quantiles(&self) -> Quantiles {
        let at = |percent: u64| {
            let wanted = (u128::from(self.total) * u128::from(percent)).div_ceil(100) as u64;
            let mut below = 0;
            let bin = self.counts.iter().position(|&count| {
                below += count;
                below >= wanted
            });
            bin.filter(|_| self.total > 0).map_or(0.0, |bin| time_us(bin) / 1e3)
        };
        // Nothing is longer than the longest, whatever its part of an octave.
        let worst = (f64::from(self.worst) * 1e3).round() / 1e3;
        Quantiles { median: at(50).min(worst), p99: at(99).min(worst), worst }
    }
}

/// The bin of a time (ms).
fn bin(ms: f32) -> usize {
    let micros = (f64::from(ms) * 1e3).round() as u64;
    if micros < EXACT_US {
        return micros as usize;
    }
    // The octave from 2^(8 + octave) on.
    let octave = (micros.ilog2() - EXACT_US.ilog2()) as usize;
    let part = (micros >> (octave + 1)) as usize - PARTS;
    EXACT_US as usize + (octave * PARTS + part).min(OCTAVES * PARTS - 1)
}

/// The middle of a bin (µs).
fn time_us(bin: usize) -> f64 {
    match bin.checked_sub(EXACT_US as usize) {
        None => bin as f64,
        Some(bin) => {
            let (octave, part) = (bin / PARTS, bin % PARTS);
            ((PARTS + part) as f64 + 0.5) * (2_u64 << octave) as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quantiles_are_those_of_the_sorted_times(times in prop::collection::vec(0.0_f32..20_000.0, 1..400), short in any::<bool>()) {
            let times: Vec<f32> = times.into_iter().map(|ms| if short { ms * 1e-5 } else { ms }).collect();
            let mut histogram = Histogram::default();
            for &ms in &times {
                histogram.add(ms);
            }
            let (found, exact) = (histogram.quantiles(), Quantiles::of(times));
            for (found, exact) in [(found.median, exact.median), (found.p99, exact.p99), (found.worst, exact.worst)] {
                prop_assert!((found - exact).abs() <= (0.004 * exact).max(1e-9), "{found} for {exact}");
            }
        }
    }

    #[test]
    fn no_time_is_too_long_and_none_is_none() {
        assert_eq!(Histogram::default().quantiles(), Quantiles::default());
        let mut histogram = Histogram::default();
        histogram.add(1e12);
        assert_eq!((histogram.len(), histogram.quantiles().worst), (1, 999_999_995_904.0));
    }
}
