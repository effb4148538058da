//! Every option of every command with values that nobody means.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BATTLE: &str = r#"
map = "room.map"
max_ticks = 3
[[army]]
name = "red"
[[army.squad]]
count = 2
position = [2, 2]
order = "attack"
[[army]]
name = "blue"
[[army.squad]]
count = 2
position = [8, 4]
order = "attack"
"#;

/// Commands that do little, to each of which one option is added.
const COMMANDS: [&str; 13] = [
    "run battle.toml --ticks 2 --no-pictures",
    "run --agents crowd.csv --ticks 2 --no-pictures",
    "run battle.toml --ticks 2 --size 64",
    "plan room.map --from 1,1 --to 8,4",
    "compare room.map --queries 2 --rounds 1 --planners astar",
    "indices --agents 20 --scenes uniform --indices grid --frames 2",
    "volumes --shapes 20 --steps 2",
    "batch battle.toml --runs 1 --ticks 2",
    "experiment crowd --scenes rand15 --agents 8 --seeds 1 --seconds 1",
    "experiment lanchester --soldiers 8 --odds 2 --seeds 1",
    "map info room.map",
    "map new field --size 64x64 --out new.map",
    "replay battle.throng --to csv --out again.csv",
];

/// A number that means much work where it is taken: the program is let go at it for a moment.
const MUCH: &str = "4294967296";
const LET_GO: Duration = Duration::from_millis(300);

const VALUES: [&str; 8] = ["", "0", "-1", "nan", "inf", MUCH, "99999999999999999999", "1,1,-1,nan"];

/// The options of a command that take a value, from its help.
fn options(folder: &Path, command: &str) -> Vec<String> {
    let mut words: Vec<&str> = command.split(' ').collect();
    let commands = if matches!(words[0], "experiment" | "map") { 2 } else { 1 };
    words.truncate(commands);
    let output =
        Command::new(env!("CARGO_BIN_EXE_throng")).args(&words).arg("--help").current_dir(folder).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| {
        let rest = line.trim_start();
        let rest = rest.strip_prefix("--").or_else(|| rest.split_once(", --").map(|(_, rest)| rest))?;
        let (name, value) = rest.split_once(' ')?;
        (line.starts_with("  ") && value.starts_with('<')).then(|| format!("--{name}"))
    };
    help.lines().filter_map(name).collect()
}

/// No value makes the program panic, hang or end by a signal: it does what it is asked for, or says in a line why not.
#[test]
fn no_value_of_an_option_does_harm() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("room.map"),
        format!("type octile\nheight 6\nwidth 12\nmap\n{}", "............\n".repeat(6)),
    )
    .unwrap();
    std::fs::write(folder.join("battle.toml"), BATTLE).unwrap();
    std::fs::write(folder.join("crowd.csv"), "x,y,goal_x,goal_y\n-5,0.25,5,0\n5,0,-5,0\n").unwrap();
    let throng = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.current_dir(folder).env("THRONG_PROGRESS", "none").stdin(Stdio::null()).stdout(Stdio::null());
        command
    };
    let record = "run battle.toml --ticks 2 --no-pictures --record battle.throng";
    assert!(throng().args(record.split(' ')).status().unwrap().success());
    let mut tried = 0;
    for command in COMMANDS {
        let options = options(folder, command);
        assert!(!options.is_empty(), "{command}");
        for option in options {
            for value in VALUES {
                let without: Vec<&str> = command.split(' ').collect();
                let given = without.iter().position(|word| **word == option);
                // In the place of the value that it has.
                let mut args: Vec<String> = without.iter().map(|&word| word.to_owned()).collect();
                match given {
                    Some(at) => args[at + 1] = value.to_owned(),
                    None => args.extend([option.clone(), value.to_owned()]),
                }
                let mut child = throng().args(&args).stderr(Stdio::piped()).spawn().unwrap();
                let begun = Instant::now();
                while child.try_wait().unwrap().is_none() {
                    if value == MUCH && begun.elapsed() > LET_GO {
                        child.kill().unwrap();
                    }
                    if begun.elapsed() > Duration::from_mins(1) {
                        child.kill().unwrap();
                        panic!("{args:?} hangs");
                    }
                    std::thread::sleep(Duration::from_micros(500));
                }
                let is_at_work = value == MUCH && begun.elapsed() > LET_GO;
                let output = child.wait_with_output().unwrap();
                let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
                assert!(is_at_work || matches!(code, Some(0..=3)), "{args:?} ends with {code:?}: {said}");
                assert!(
                    is_at_work || code == Some(0) || !said.is_empty(),
                    "{args:?} ends with {code:?} and says nothing"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}
