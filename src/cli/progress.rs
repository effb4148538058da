//! How far a run has come.

use super::output::{grouped, note};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// A bar where a person looks at the terminal, otherwise a plain line now and then.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    ticks: u64,
    said: Instant,
}

impl Progress {
    pub(super) fn new(ticks: u64) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(ticks);
            if let Ok(style) = ProgressStyle::with_template("{bar:32} tick {pos} of {len}  {msg}  {eta} left") {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, ticks, said: Instant::now() }
    }

    /// After a tick.
    pub(super) fn show(&mut self, tick: u64, agents: usize) {
        if let Some(bar) = &self.bar {
            bar.set_position(tick);
            if tick.is_multiple_of(10) {
                bar.set_message(format!("{} agents", grouped(agents as u64)));
            }
        } else if self.said.elapsed() >= INTERVAL {
            self.said = Instant::now();
            note(&format!("tick {tick} of {}, {} agents", self.ticks, grouped(agents as u64)));
        }
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
