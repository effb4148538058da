//! How far a command has come.

use super::output::{grouped, is_json, is_quiet, note, object};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// With the value `none` no progress is told: the messages of a command then do not depend on how fast the machine is.
const PROGRESS_VARIABLE: &str = "THRONG_PROGRESS";

fn is_silent() -> bool {
    is_quiet() || std::env::var_os(PROGRESS_VARIABLE).is_some_and(|value| value == "none")
}

/// After a second, a bar where a person looks at the terminal; otherwise a line now and then, for programs once a second.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    /// The counted unit.
    unit: &'static str,
    of: u64,
    began: Instant,
    said: Instant,
}

impl Progress {
    pub(super) fn new(unit: &'static str, of: u64) -> Self {
        let now = Instant::now();
        Self { bar: None, unit, of, began: now, said: now }
    }

    /// There are another number of them in all.
    pub(super) fn of(&mut self, of: u64) {
        self.of = of;
    }

    /// After `done` of them; `more` is what else there is to say.
    pub(super) fn show(&mut self, done: u64, more: impl FnOnce() -> String) {
        let elapsed = self.began.elapsed();
        if elapsed < PATIENCE || is_silent() {
            return;
        }
        let (unit, of) = (self.unit, self.of);
        let left = elapsed.as_secs_f64() / done.max(1) as f64 * of.saturating_sub(done) as f64;
        if is_json() {
            if self.said.elapsed() >= PATIENCE {
                self.said = Instant::now();
                let left = (left * 10.0).round() / 10.0;
                object(&json!({ "progress": { "unit": unit, "done": done, "of": of, "left_s": left } }));
            }
        } else if stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(|| bar(unit));
            bar.set_length(of);
            bar.set_position(done);
            if self.said.elapsed() >= Duration::from_millis(200) {
                self.said = Instant::now();
                bar.set_message(more());
            }
        } else if self.said.elapsed() >= INTERVAL {
            self.said = Instant::now();
            let more = more();
            let comma = if more.is_empty() { "" } else { ", " };
            note(&format!("{unit} {} of {}{comma}{more}, {} left", grouped(done), grouped(of), duration(left)));
        }
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn bar(unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(0);
    match ProgressStyle::with_template(&format!("{{bar:32}} {unit} {{pos}} of {{len}}  {{msg}}  {{eta}} left")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Does work of unknown length; after a second its name is shown.
pub(super) fn busy<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if is_silent() {
        return work();
    }
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || tell_until(what, &wait));
        let result = work();
        drop(done);
        result
    })
}

/// Tells now and then that something is done, until the other end of the channel is gone.
fn tell_until(what: &str, done: &Receiver<()>) {
    let began = Instant::now();
    let waits = |time: Duration| done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if stderr().is_terminal() && !is_json() {
        if waits(PATIENCE) {
            let spinner = ProgressBar::new_spinner().with_message(what.to_owned()).with_elapsed(PATIENCE);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
                spinner.set_style(style);
            }
            while waits(Duration::from_millis(100)) {
                spinner.tick();
            }
            spinner.finish_and_clear();
        }
    } else {
        let interval = if is_json() { PATIENCE } else { INTERVAL };
        while waits(interval) {
            let seconds = began.elapsed().as_secs();
            if is_json() {
                object(&json!({ "progress": { "unit": what, "elapsed_s": seconds } }));
            } else {
                note(&format!("{what}, {} so far", duration(seconds as f64)));
            }
        }
    }
}

/// A time as people say it.
fn duration(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{busy, duration};

    #[test]
    fn durations_are_said_in_two_units() {
        let texts = [0.0, 0.2, 99.0, 100.0, 5999.0, 6000.0, 90_061.0].map(duration);
        assert_eq!(texts, ["0 s", "1 s", "99 s", "1 min 40 s", "99 min 59 s", "1 h 40 min", "25 h 1 min"]);
    }

    #[test]
    fn work_is_done_once_and_its_result_returned() {
        let mut count = 0;
        assert_eq!(
            busy("counting", || {
                count += 1;
                count
            }),
            1
        );
        assert_eq!(count, 1);
    }
}
