//! Cases one after the other, each within its time.

use rand::SeedableRng;
use rand_pcg::Pcg32;
use std::sync::mpsc;
use std::time::Duration;

/// A case that takes longer hangs: most take a few milliseconds, and no machine is so busy.
const HANGS: Duration = Duration::from_mins(1);

/// All cases that are tried at a time take no more memory (bytes): the largest that a file may ask for is a map of a few hundred
/// megabytes.
const MAX_MEMORY: u64 = 1 << 30;

/// The most memory that this program has taken (bytes), where the system tells it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.map_or(0, |kilobytes: u64| kilobytes << 10)
}

/// One a core.
pub fn threads() -> u64 {
    std::thread::available_parallelism().map_or(1, usize::from) as u64
}

/// How many cases are tried: more where `THRONG_CASES` says so.
pub fn count(usual: u64) -> u64 {
    std::env::var("THRONG_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Tries cases `0..count`, in as many threads as there are cores. `case` gets
/// the number of its thread, its own, and the random numbers that follow from that. A panic or a hang is told with its number.
pub fn try_all(what: &'static str, count: u64, case: impl Fn(u64, u64, &mut Pcg32) + Clone + Send + 'static) {
    let only = std::env::var("THRONG_CASE").ok().and_then(|number| number.parse::<u64>().ok());
    let threads = threads();
    let (told, hears) = mpsc::channel();
    for first in 0..threads {
        let (case, told) = (case.clone(), told.clone());
        std::thread::spawn(move || {
            let numbers = (first..count).step_by(threads as usize);
            for number in numbers.filter(|&number| only.is_none_or(|only| only == number)) {
                let _ = told.send((first, number));
                let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    case(first, number, &mut Pcg32::seed_from_u64(number));
                }));
                if caught.is_err() {
                    let _ = told.send((first, u64::MAX));
                }
            }
        });
    }
    drop(told);
    let (mut at, mut failed) = (vec![0; threads as usize], Vec::new());
    loop {
        match hears.recv_timeout(HANGS) {
            Ok((thread, u64::MAX)) => failed.push(at[thread as usize]),
            Ok((thread, number)) => at[thread as usize] = number,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                assert!(failed.is_empty(), "{what}: cases {failed:?} fail; THRONG_CASE=NUMBER repeats one");
                let peak = peak_memory();
                assert!(peak < MAX_MEMORY, "{what}: one of the cases took {} MB", peak >> 20);
                return;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what}: one of the cases {at:?} hangs"),
        }
    }
}
