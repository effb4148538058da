//! Planners of throng against those of other crates, and against each other: same queries, same run, same thread.
//!
//! ```sh
//! THRONG_MOVINGAI=folder cargo run --release --manifest-path benches/peers/Cargo.toml
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- --only jps some.map other.map
//! ```
//!
//! Maps and queries are those of the Moving AI benchmarks (`name.map` and `name.map.scen` side by side): 500 evenly
//! spaced queries of each file, shuffled. Blocks of them are answered by one side and by the other in turn until the time
//! of the slower one is spent, so both have answered the same ones. Where both sides have one rule all costs must be equal.

mod contest;
mod others;
mod ours;
mod trips;

use contest::{Contest, Report};
use std::error::Error;
use std::path::{Path, PathBuf};
use trips::Trips;

const MAPS: [&str; 6] = ["AcrosstheCape", "brc202d", "maze512-4-0", "32room_000", "random512-25-0", "Berlin_0_1024"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).peekable();
    let mut only = None;
    if args.next_if(|arg| arg == "--only").is_some() {
        only = args.next();
    }
    let mut maps: Vec<PathBuf> = args.map(PathBuf::from).collect();
    if maps.is_empty() {
        let folder = std::env::var_os("THRONG_MOVINGAI").ok_or("name maps, or their folder in THRONG_MOVINGAI")?;
        maps = MAPS.iter().map(|name| Path::new(&folder).join(format!("{name}.map"))).collect();
    }
    let trips = maps.iter().map(|map| Trips::load(map)).collect::<Result<Vec<_>, _>>()?;
    let mut summary = Vec::new();
    for contest in Contest::ALL.into_iter().filter(|contest| only.as_ref().is_none_or(|only| contest.is(only))) {
        println!("{}", contest.title());
        let mut product = 0.0;
        for trips in &trips {
            let Report { ratio, line } = contest.hold(trips)?;
            println!("  {:<16} {line}", trips.name);
            product += ratio.ln();
        }
        let mean = (product / trips.len() as f64).exp();
        println!("  {:<16} {mean:.2}\n", "geometric mean");
        summary.push((contest, mean));
    }
    println!("{:<58} {:>8} {:>9} {:>9}", "ratio, geometric mean over the maps", "measured", "at least", "reach for");
    for (contest, mean) in summary {
        let [least, reach] = contest.targets();
        println!("{:<58} {mean:>8.2} {least:>9} {reach:>9}", contest.title());
    }
    Ok(())
}
