//! Signals that ask a command to end: Ctrl-C, and on Unix SIGTERM (`docker stop`, systemd, Slurm) and SIGHUP (a terminal that closes).

use super::Ended;
use super::output::{note, tell};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The signals, and what a person calls them.
const SIGNALS: &[(i32, &str)] = &[
    (SIGINT, "Ctrl-C"),
    (SIGTERM, "SIGTERM"),
    #[cfg(unix)]
    (signal_hook::consts::SIGHUP, "SIGHUP"),
];

/// Whether a signal has asked the command to end, and which. A command that watches ends by itself, and writes what there is; a
/// second Ctrl-C ends it at once.
#[derive(Debug, Default)]
pub(super) struct Stop {
    asked: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Watches from now on. `lost` is what a signal takes with it where the system does not let a program watch.
    pub fn watch(lost: &str) -> Self {
        let stop = Self::default();
        let watched = SIGNALS.iter().try_for_each(|&(signal, _)| {
            if signal == SIGINT {
                flag::register_conditional_shutdown(signal, code(signal).into(), Arc::clone(&stop.asked))?;
            }
            flag::register_usize(signal, Arc::clone(&stop.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&stop.asked)).map(drop)
        });
        if let Err(error) = watched {
            tell("warning", &format!("Ctrl-C will lose {lost}: {error}"));
        }
        stop
    }

    /// Set once a signal has come.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// True once a signal has come.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// What a person calls the signal that came last.
    pub fn name(&self) -> &'static str {
        let signal = self.signal.load(Ordering::Relaxed);
        SIGNALS.iter().find(|(known, _)| *known as usize == signal).map_or("a signal", |(_, name)| name)
    }

    /// Says of a measurement that was stopped how far it came: `so_far` is what the figures that follow are of.
    pub fn tell_rest(&self, so_far: &str) {
        if self.is_asked() {
            note(&format!("stopped by {} with {so_far}; the figures are of these", self.name()));
        }
    }

    /// Goes on until a signal comes.
    pub fn goes_on(&self) -> ControlFlow<()> {
        if self.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// How a command ended that did all else well.
    pub fn ended(&self) -> Ended {
        let signal = self.signal.load(Ordering::Relaxed) as i32;
        if self.is_asked() { Ended::Stopped(code(signal)) } else { Ended::Well }
    }
}

/// The exit code of a program that a signal has ended: 128 and its number.
fn code(signal: i32) -> u8 {
    128 + signal as u8
}
