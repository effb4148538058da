//! Numbers on the command line, each in its range.

pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number from 0".into())
}

pub(super) fn positive(text: &str) -> Result<u64, String> {
    whole(text).ok().filter(|&number| number > 0).ok_or_else(|| "expected a whole number from 1".into())
}

pub(super) fn number(text: &str, least: f32, most: f32) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("expected a number from {least} to {most}")),
    }
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=256) => Ok(threads),
        _ => Err("expected a whole number from 1 to 256".into()),
    }
}

/// Threads to use where nothing is said.
pub(super) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(256)
}
