//! Ticks as seconds.

/// How many ticks of `step` seconds each are (s), to a microsecond.
///
/// The step counts as it is written. The `f32` nearest to 0.05 is a little more than that, but 4,000 ticks are 200 s.
///
/// ```
/// assert_eq!(throng_sim::world::seconds(4000, 0.05), 200.0);
/// assert_ne!(4000.0 * f64::from(0.05_f32), 200.0);
/// ```
pub fn seconds(ticks: u64, step: f32) -> f64 {
    (ticks as f64 * as_written(step) * 1e6).round() / 1e6
}

/// The shortest decimal that gives this `f32`: that of 0.1 is a tenth.
pub fn as_written(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// A time (s) in ticks of `step` seconds, rounded up.
pub(super) fn ticks_above(seconds: f32, step: f32) -> u64 {
    (f64::from(seconds) / f64::from(step)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_are_the_decimals_that_are_meant() {
        for (ticks, step, time) in [
            (3, 0.1, "0.3"),
            (7, 0.05, "0.35"),
            (4001, 0.05, "200.05"),
            (123_457, 0.01, "1234.57"),
            (1_000_003, 0.001, "1000.003"),
            (1, 0.000_001, "0.000001"),
            (60, 0.016_666_668, "1"),
            (0, 0.05, "0"),
            (10, 2.5, "25"),
        ] {
            assert_eq!(seconds(ticks, step).to_string(), time, "{ticks} of {step}");
        }
    }
}
