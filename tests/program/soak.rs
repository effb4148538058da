//! Runs that go on for long: memory and open files stay as they are, and the threads make no difference.
//!
//! `THRONG_SOAK_S=3600 cargo test --release --test program -- --ignored soak` takes that many seconds for each run.
#![cfg(target_os = "linux")]

use super::program::throng;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use throng::scenario::Scenario;

/// A battle that is fed by waves: some have come before the last ones have fallen.
const BATTLE: &str = r#"
map = "field.map"
step = 0.1
max_ticks = 1000000000
[[unit]]
name = "soldier"
health = 20
[[army]]
name = "red"
[[army.squad]]
count = 4
position = [6, 8]
order = "hold"
[[army]]
name = "blue"
[[army.squad]]
count = 4
position = [58, 40]
order = "hold"
"#;

/// Seconds from wave to wave, each of which is a squad of either army.
const EVERY: u64 = 30;

/// Waves of both armies for more ticks than an hour has. A trigger comes 10,000 times, then the next one begins.
fn waves() -> String {
    let squad = |army: &str, x: u32, turn: u64| {
        let begin = match turn {
            0 => "at = 1".to_owned(),
            _ => format!("after = \"{army} {}\"\ndelay = {}", turn - 1, 10_000 * EVERY),
        };
        format!(
            "[[trigger]]\nname = \"{army} {turn}\"\n{begin}\nrepeat = {{ every = {EVERY}, times = 10000 }}\n[[trigger.squad]]\n\
             army = \"{army}\"\nunit = \"soldier\"\ncount = 3\nposition = [{x}, 24]\norder = \"attack\"\n",
        )
    };
    (0..15).flat_map(|turn| [squad("red", 6, turn), squad("blue", 58, turn)]).collect()
}

/// Bytes that a squad of the past may take.
const SQUAD_BYTES: u64 = 500;

/// Resident memory (kB) and open files of a process.
fn usage(child: &Child) -> (u64, usize) {
    let process = Path::new("/proc").join(child.id().to_string());
    let status = std::fs::read_to_string(process.join("status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it runs on");
    (resident.trim().trim_end_matches(" kB").parse().unwrap(), std::fs::read_dir(process.join("fd")).unwrap().count())
}

fn scenarios(folder: &Path) -> [std::path::PathBuf; 2] {
    let rows = vec![".".repeat(64); 48].join("\n");
    std::fs::write(folder.join("field.map"), format!("type octile\nheight 48\nwidth 64\nmap\n{rows}\n")).unwrap();
    std::fs::write(folder.join("waves.toml"), BATTLE.to_owned() + &waves()).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let station = std::fs::read_to_string(examples.join("station.toml")).unwrap();
    std::fs::copy(examples.join("station.map"), folder.join("station.map")).unwrap();
    std::fs::write(folder.join("station.toml"), station.replace("max_ticks = 6000", "max_ticks = 1000000000")).unwrap();
    [folder.join("waves.toml"), folder.join("station.toml")]
}

#[test]
#[ignore = "takes as long as THRONG_SOAK_S says, for each of two runs"]
fn soak() {
    let seconds = std::env::var("THRONG_SOAK_S").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(60);
    let time = Duration::from_secs(seconds);
    let folder = tempfile::tempdir().unwrap();
    for scenario in scenarios(folder.path()) {
        let mut child = throng(folder.path());
        let child = child.arg("run").arg(&scenario).args(["--no-pictures", "--ticks", "1000000000", "--threads", "2"]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (begun, settles) = (Instant::now(), time.min(Duration::from_mins(3)) / 3);
        let (mut settled, mut most) = ((0, 0), 0);
        while begun.elapsed() < time {
            std::thread::sleep(Duration::from_millis(500));
            let (kilobytes, files) = usage(&child);
            if begun.elapsed() < settles || settled.0 == 0 {
                settled = (settled.0.max(kilobytes), files);
            }
            most = most.max(kilobytes);
            assert_eq!(files, settled.1, "{}: open files", scenario.display());
        }
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(143));
        let stem = scenario.file_stem().unwrap().to_string_lossy().into_owned();
        let json = std::fs::read(folder.path().join(format!("out/{stem}.json"))).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let ticks = json["ticks"].as_u64().unwrap();
        // A squad that has fallen is remembered with its figures, in less than this. A page or two are more than 2 % of a small
        // program.
        let squads = if stem == "waves" { ticks / (10 * EVERY) * 2 } else { 0 };
        let may = settled.0 + settled.0 / 50 + 512 + squads * SQUAD_BYTES / 1024;
        println!("{stem}: {ticks} ticks in {:?}, {} kB, later {most} kB of {may} kB", begun.elapsed(), settled.0);
        assert!(most <= may, "{stem}: {} kB, then {most} kB, expected at most {may} kB", settled.0);
    }
}

#[test]
fn a_long_run_is_the_same_with_other_threads() {
    let folder = tempfile::tempdir().unwrap();
    for file in scenarios(folder.path()) {
        let [one, two] = [1, 3].map(|threads| {
            let mut world = Scenario::load(&file).unwrap().0.build(threads).unwrap();
            while world.ticks() < 1500 && world.verdict().is_none() {
                world.tick().unwrap();
            }
            (world.ticks(), world.agents(), world.position_hash())
        });
        assert_eq!(one, two, "{}", file.display());
        assert!(one.0 == 1500, "{}: it ends after {} ticks", file.display(), one.0);
    }
}
