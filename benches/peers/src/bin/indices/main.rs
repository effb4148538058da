//! Spatial indices of throng against those of other crates: same crowds, same questions, same run, one thread.
//!
//! ```sh
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin indices
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin indices -- --only uniform --quick
//! ```
//!
//! Measured is the time that the thread is on its processor; where there are two threads, the time that passes.
//!
//! All agents move each frame. A side comes up to date (update or rebuild, the faster of both) and lists all
//! overlapping pairs, tested exactly; sides take turns in blocks of frames. Their pairs must be the same in every
//! frame, their answers to questions the same in every block, or the run ends with an error.

mod clock;
mod contest;
mod heat;
mod ours;
mod peers;
mod scenes;
mod side;

use std::error::Error;
use std::time::{Duration, Instant};

/// The last contest: each structure in each scene.
const SCENES: &str = "scenes, each structure's worst against its uniform";

fn main() -> Result<(), Box<dyn Error>> {
    // The pool in any use by the library: one thread, but where more are said.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(one.install(|| run().map_err(|error| error.to_string()))?)
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (mut only, mut share) = (String::new(), 1.0);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--only" => only = args.next().ok_or("--only wants the beginning of a name")?,
            "--quick" => share = 0.1,
            _ => return Err(format!("unknown argument {arg}; known are --only PREFIX and --quick").into()),
        }
    }
    let start = Instant::now();
    println!(
        "{:<26} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "ns an agent, medians", "build", "answers", "total", "mean", "least"
    );
    let mut summary = Vec::new();
    for contest in contest::ALL.iter().filter(|contest| contest.name.starts_with(&only)) {
        println!("{}", contest.name);
        summary.push((contest.name, contest.hold(share)?, contest.targets, contest.theirs == contest::Peer::Nobody));
    }
    if SCENES.starts_with(&only) {
        println!("{SCENES}");
        let worst = scenes::table((100_000.0 * share) as u32, Duration::from_secs_f64(1.5 * share.max(0.2)))?;
        summary.push((SCENES, Some([worst.ordinary; 2]), Some([20.0, 5.0]), true));
        summary.push(("scenes, diagonal and stadium too", Some([worst.any; 2]), None, true));
    }
    println!("\n{:<52} {:>9} {:>9} {:>9} {:>9}", "times faster", "measured", "by least", "at least", "reach for");
    for (name, measured, targets, less_is_better) in summary {
        let [medians, least] =
            measured.map_or(["not yet".to_owned(), String::new()], |ratios| ratios.map(|ratio| format!("{ratio:.2}")));
        let goals =
            targets.map_or(["-".to_owned(), "-".to_owned()], |targets| targets.map(|target| target.to_string()));
        let met = |target: f64| measured.is_some_and(|[m, _]| if less_is_better { m <= target } else { m >= target });
        let verdict = match targets {
            _ if measured.is_none() => "",
            Some([_, reach]) if met(reach) => "reached",
            Some([least, _]) if met(least) => "met",
            Some(_) => "missed",
            None => "",
        };
        println!("{name:<52} {medians:>9} {least:>9} {:>9} {:>9} {verdict}", goals[0], goals[1]);
    }
    println!("{:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}
