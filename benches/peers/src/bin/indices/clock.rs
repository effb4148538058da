//! The time that is measured.

use rustix::time::{ClockId, clock_gettime};
use std::sync::atomic::{AtomicBool, Ordering};

static WALL: AtomicBool = AtomicBool::new(false);

/// From now on the time that passes is measured, as several threads need it, or that of one thread on its processor,
/// which does not count what other programs take.
pub fn measure_wall(wall: bool) {
    WALL.store(wall, Ordering::Relaxed);
}

/// The time now (ns).
pub fn now() -> f64 {
    let id = if WALL.load(Ordering::Relaxed) { ClockId::Monotonic } else { ClockId::ThreadCPUTime };
    let time = clock_gettime(id);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
