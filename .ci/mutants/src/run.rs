//! Builds the tests of a crate once, and runs them for each mutant until one fails.

use crate::sites::Mutant;
use std::error::Error;
use std::io::{BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// A test fails.
    Failed,
    /// The tests end by a signal, as where memory runs out.
    Ended,
    /// The tests do not end in time.
    Endless,
    /// No test sees a difference.
    Missed,
}

type Places = Vec<(String, RangeInclusive<usize>)>;

/// The test programs of a crate, or the lines that do not compile.
pub fn build(tree: &Path, target: &Path, name: &str) -> Result<Result<Vec<PathBuf>, Places>, Box<dyn Error>> {
    let out = Command::new("cargo")
        .args(["test", "--release", "--locked", "--no-run", "--lib", "--tests", "--message-format", "json", "-p", name])
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "--cap-lints allow")
        .current_dir(tree)
        .stderr(Stdio::null())
        .output()?;
    let (mut tests, mut places) = (Vec::new(), Places::new());
    for line in String::from_utf8(out.stdout)?.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        if let Some(program) = message["executable"].as_str()
            && message["profile"]["test"] == true
        {
            tests.push(program.into());
        }
        if message["message"]["level"] == "error" {
            // The call of a macro lies where its expansion says.
            for span in message["message"]["spans"].as_array().into_iter().flatten() {
                let (file, from, to) =
                    (span["file_name"].as_str(), span["line_start"].as_u64(), span["line_end"].as_u64());
                if let (Some(file), Some(from), Some(to), true) = (file, from, to, span["is_primary"] == true) {
                    places.push((file.to_owned(), from as usize..=to as usize));
                }
            }
        }
    }
    if !out.status.success() && places.is_empty() {
        return Err("the build fails, and says no line".into());
    }
    // The tests of single files are the quickest, and come first.
    tests.sort_by_key(|program: &PathBuf| {
        !program.file_name().is_some_and(|file| file.to_string_lossy().starts_with("throng"))
    });
    Ok(if out.status.success() { Ok(tests) } else { Err(places) })
}

/// How long all tests take without a change.
pub fn baseline(tests: &[PathBuf], package: &Path) -> Result<Duration, Box<dyn Error>> {
    let begun = Instant::now();
    match verdict(tests, package, 0, Duration::from_mins(20)) {
        Verdict::Missed => Ok(begun.elapsed()),
        other => Err(format!("the tests fail without a change: {other:?}").into()),
    }
}

/// Tries all mutants, on as many threads as the machine has cores.
pub fn all(tests: &[PathBuf], package: &Path, mutants: &[Mutant], limit: Duration) -> Vec<Verdict> {
    let (next, verdicts) = (AtomicUsize::new(0), Mutex::new(vec![Verdict::Missed; mutants.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = mutants.get(at) else { break };
                    let verdict = verdict(tests, package, mutant.number, limit);
                    if verdict == Verdict::Missed {
                        let file = mutant.file.strip_prefix(package).unwrap_or(&mutant.file).display();
                        println!("missed {file}:{}:{}: {}", mutant.line, mutant.column, mutant.what);
                    }
                    if let Ok(mut verdicts) = verdicts.lock() {
                        verdicts[at] = verdict;
                    }
                }
            });
        }
    });
    verdicts.into_inner().unwrap_or_default()
}

fn verdict(tests: &[PathBuf], package: &Path, number: usize, limit: Duration) -> Verdict {
    let begun = Instant::now();
    // Tests of pinned results see the most in the least time.
    let golden = tests.iter().map(|test| (test, "golden"));
    for (test, filter) in golden.chain(tests.iter().map(|test| (test, ""))) {
        match one((test, filter), package, number, limit.saturating_sub(begun.elapsed())) {
            Ok(Verdict::Missed) => {}
            Ok(other) => return other,
            Err(_) => return Verdict::Ended,
        }
    }
    Verdict::Missed
}

fn one(
    (test, filter): (&PathBuf, &str),
    package: &Path,
    number: usize,
    limit: Duration,
) -> Result<Verdict, std::io::Error> {
    // A change can take memory without end; the shell has a limit for it.
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 8000000; exec \"$0\" --test-threads 1 \"$1\""])
        .args([test.as_os_str(), filter.as_ref()])
        .env("THRONG_MUTANT", number.to_string())
        .env("PROPTEST_RNG_SEED", "20261120")
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .current_dir(package)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let Some(output) = child.stdout.take() else { return Ok(Verdict::Ended) };
    let failed = Arc::new(AtomicBool::new(false));
    let reader = std::thread::spawn({
        let failed = Arc::clone(&failed);
        move || listen(output, &failed)
    });
    let begun = Instant::now();
    let verdict = watch(&mut child, &failed, || begun.elapsed() > limit);
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    verdict
}

fn listen(output: impl Read, failed: &AtomicBool) {
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if line.ends_with("FAILED") {
            failed.store(true, Ordering::Relaxed);
        }
    }
}

fn watch(child: &mut Child, failed: &AtomicBool, late: impl Fn() -> bool) -> Result<Verdict, std::io::Error> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match status.code() {
                Some(0) => Verdict::Missed,
                Some(_) => Verdict::Failed,
                None => Verdict::Ended,
            });
        }
        if failed.load(Ordering::Relaxed) {
            return Ok(Verdict::Failed);
        }
        if late() {
            return Ok(Verdict::Endless);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
