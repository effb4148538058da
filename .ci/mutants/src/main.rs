//! Changes one operator or function of a crate at a time, and tells which changes no test of that crate notices.
//!
//! `cargo run --release --manifest-path .ci/mutants/Cargo.toml -- throng-plan 300` tries 300 mutants of a crate, picked by chance
//! and the same in each run. All are compiled at once: each is a branch that an environment variable takes, so that a mutant
//! costs a run of the tests and no build. A third word, as `world/`, takes the files whose path contains it.

mod run;
mod sites;

use run::Verdict;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("which crate? e.g. throng-plan 300")?;
    let wanted: usize = arguments.next().ok_or("how many mutants? e.g. throng-plan 300")?.parse()?;
    let part = arguments.next().unwrap_or_default();
    let house = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| house.join("target"), PathBuf::from).join("mutants");
    let tree = target.join("tree");
    copy(&house, &tree)?;

    let package = tree.join("crates").join(&name);
    let sources = sites::sources(&package.join("src/lib.rs"))?;
    let mut chosen = sites::choose(&sources, &part, wanted);
    println!("{name}: {} mutants chosen", chosen.len());
    // Those that do not compile (a type without that operator, a value without a default) are taken out.
    let tests = loop {
        sites::write(&sources, &chosen, &package)?;
        match run::build(&tree, &target, &name)? {
            Ok(tests) => break tests,
            Err(places) => {
                let before = chosen.len();
                chosen
                    .retain(|m| !places.iter().any(|(file, lines)| m.file.ends_with(file) && lines.contains(&m.line)));
                println!("{name}: {} do not compile", before - chosen.len());
                if chosen.len() == before {
                    return Err(format!("the build fails where no mutant is: {places:?}").into());
                }
            }
        }
    };

    let limit = run::baseline(&tests, &package)?;
    println!("{name}: {} mutants, {:.0} s for all tests of the crate", chosen.len(), limit.as_secs_f32());
    let verdicts = run::all(&tests, &package, &chosen, limit * 3);
    let mut counts = BTreeMap::<Verdict, usize>::new();
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
    }
    let missed = counts.get(&Verdict::Missed).copied().unwrap_or(0);
    println!("{name}: {counts:?}, {:.1} % caught", 100.0 - 100.0 * missed as f64 / chosen.len() as f64);
    Ok(())
}

/// Copies what git knows of the house to `tree`; files that have not changed keep their times, so that little is built again.
fn copy(house: &Path, tree: &Path) -> Result<(), Box<dyn Error>> {
    let listed = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(house).output()?;
    for file in String::from_utf8(listed.stdout)?.lines() {
        let (from, to) = (house.join(file), tree.join(file));
        let Ok(bytes) = std::fs::read(&from) else { continue };
        if std::fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        std::fs::create_dir_all(to.parent().ok_or("a file without a folder")?)?;
        std::fs::write(to, bytes)?;
    }
    Ok(())
}
