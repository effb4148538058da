//! Panics, which are faults of the program, on whatever thread: each is told, and none ends with 0.

use super::output::tell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};

static HAPPENED: AtomicBool = AtomicBool::new(false);

/// From now on a panic is told in one line on standard error, after its backtrace where the surroundings ask for that.
pub(super) fn watch() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |fault| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wish| wish != "0") {
            usual(fault);
        }
        HAPPENED.store(true, Ordering::Relaxed);
        tell("error", &sentence(fault));
    }));
}

/// True once there was one.
pub(super) fn happened() -> bool {
    HAPPENED.load(Ordering::Relaxed)
}

/// The result of some work; `None` after a panic, which has been told.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

fn sentence(fault: &PanicHookInfo) -> String {
    let payload = fault.payload();
    let found = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied());
    let found = found.unwrap_or("no message").split_whitespace().collect::<Vec<_>>().join(" ");
    let place = fault.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
    let thread = std::thread::current();
    let thread = thread.name().map_or_else(String::new, |name| format!(", thread {name}"));
    format!("a fault of throng{place}{thread}: {found}; please report it, with this line and the files")
}
