//! How sure a share is that was counted.

/// The normal distribution has 95 % of its mass within so many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % score interval of a probability of which `wins` of `runs` came true; 0 to 1 where there were none.
/// E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
///
/// ```
/// let (low, high) = throng_lab::batch::wilson(8, 10);
/// assert!((low - 0.490).abs() < 5e-4 && (high - 0.943).abs() < 5e-4);
/// ```
pub fn wilson(wins: u64, runs: u64) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    let (n, z2) = (runs as f64, Z * Z);
    let share = wins as f64 / n;
    let middle = share + z2 / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // A certain result is an end of the interval exactly.
    let low = if wins == 0 { 0.0 } else { (middle - spread) / scale };
    let high = if wins == runs { 1.0 } else { (middle + spread) / scale };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn known_intervals() {
        for (wins, runs, low, high) in [
            (8, 10, 0.490_2, 0.943_3),
            (0, 10, 0.0, 0.277_5),
            (10, 10, 0.722_5, 1.0),
            (1, 1, 0.206_5, 1.0),
            (50, 100, 0.403_8, 0.596_2),
            (15, 148, 0.062_4, 0.160_5),
        ] {
            let found = wilson(wins, runs);
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{wins} of {runs}: {found:?}");
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn intervals_hold_the_share_and_mirror_each_other() {
        for runs in 1..60 {
            for wins in 0..=runs {
                let (low, high) = wilson(wins, runs);
                let share = wins as f64 / runs as f64;
                assert!((0.0..=share).contains(&low) && (share..=1.0).contains(&high));
                let mirrored = wilson(runs - wins, runs);
                assert!((mirrored.0 - (1.0 - high)).abs() < 1e-12 && (mirrored.1 - (1.0 - low)).abs() < 1e-12);
            }
        }
    }
}
