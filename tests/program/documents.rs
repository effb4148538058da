//! Commands in the README and the manuals work when they are copied.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and the manuals, with their names.
fn documents() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.push(root().join("README.md"));
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// The shell blocks of a text, each with its lines.
fn shell_blocks(text: &str) -> Vec<String> {
    text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// A block as a shell runs it, in a folder that has the maps and examples beside it. No window opens: a command that
/// asks for one says so.
fn shell(block: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_throng"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-c", block]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    command.env("THRONG_PROGRESS", "none").env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
}

/// The first line that a command says to standard error about a window; then it is stopped, since it may go on for minutes without one.
fn says_of_a_window(line: &str, folder: &Path) -> Option<String> {
    let script = format!("exec {line}");
    let mut child = shell(&script, folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let said = lines.take_while(|line| !line.contains("Usage")).find(|line| line.contains("window"));
    child.kill().unwrap();
    child.wait().unwrap();
    said
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["maps", "examples", "examples/library"] {
        let to = folder.path().join(name);
        fs::create_dir(&to).unwrap();
        let entries = fs::read_dir(root().join(name)).unwrap().map(|entry| entry.unwrap().path());
        for from in entries.filter(|path| path.is_file()) {
            fs::copy(&from, to.join(from.file_name().unwrap())).unwrap();
        }
    }
    folder
}

/// True for a line that this test does not run as it stands.
fn is_for_cargo(line: &str) -> bool {
    line.starts_with("cargo ") || line.starts_with("THRONG_")
}

/// True for lines that open a window.
fn opens_a_window(line: &str) -> bool {
    line.starts_with("throng view") || line.contains("--window")
}

/// Every shell block of the README and the manuals, line by line, but for windows and for cargo.
#[test]
#[ignore = "it takes minutes; continuous integration runs it"]
fn commands_work_when_they_are_copied() {
    let mut failed = Vec::new();
    for (name, text) in documents() {
        let folder = folder();
        for block in shell_blocks(&text) {
            let runs = |line: &&str| !is_for_cargo(line) && !opens_a_window(line);
            let lines: Vec<&str> = block.lines().filter(runs).collect();
            if lines.is_empty() {
                continue;
            }
            let begun = std::time::Instant::now();
            let output = shell(&format!("set -eu\n{}", lines.join("\n")), folder.path()).output().unwrap();
            println!("{:6.1} s  {name}: {}", begun.elapsed().as_secs_f64(), lines.join("; "));
            if !output.status.success() {
                failed.push(format!("{name}: {block}{}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// Tables of figures that a program writes to the last bit are what it writes: "Of `COMMAND`, the first twelve columns:" and a block.
#[test]
fn tables_are_what_their_command_writes() {
    const COLUMNS: &str = "`, the first twelve columns:\n\n```\n";
    let folder = folder();
    let mut tables = 0;
    for (name, text) in documents() {
        for (before, after) in text.match_indices(COLUMNS).map(|(at, mark)| (&text[..at], &text[at + mark.len()..])) {
            let command = before.rsplit("Of `").next().unwrap();
            let table = after.split("```").next().unwrap();
            let output = shell(command, folder.path()).output().unwrap();
            assert!(output.status.success(), "{name}: {command}: {}", String::from_utf8_lossy(&output.stderr));
            let file = command.rsplit(' ').next().unwrap();
            let written = fs::read_to_string(folder.path().join(file)).unwrap();
            let columns = |line: &str| line.split(',').take(12).collect::<Vec<_>>().join(",") + "\n";
            assert_eq!(written.lines().map(columns).collect::<String>(), table, "{name}: {command}");
            tables += 1;
        }
    }
    assert!(tables > 0, "no document has such a table");
}

/// The columns of a comparison of planners that no machine changes, by planner: expanded, cost ratio, optimal.
fn figures_of_planners(table: &str) -> BTreeMap<String, Vec<String>> {
    // Two blanks at least part the columns.
    let row = |line: &str| line.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let mut rows =
        table.lines().map(row).skip_while(|row: &Vec<String>| row.first().is_none_or(|word| word != "planner"));
    let names = rows.next().expect("a head");
    let places =
        ["expanded", "cost ratio", "optimal"].map(|name| names.iter().position(|found| found == name).unwrap());
    let figures = |row: Vec<String>| (row[0].clone(), places.iter().map(|&place| row[place].clone()).collect());
    rows.take_while(|row| !row.is_empty()).map(figures).collect()
}

#[test]
fn the_manual_has_the_table_that_compare_writes() {
    let manual = fs::read_to_string(root().join("docs/planners.md")).unwrap();
    let (_, table) = manual.split_once("```\nmap      maps/town.map").expect("a table");
    let output = shell("throng compare maps/town.map --rounds 1", root()).output().unwrap();
    let written = figures_of_planners(&String::from_utf8(output.stdout).unwrap());
    assert!(written.len() > 12, "{written:?}");
    assert_eq!(figures_of_planners(table.split("```").next().unwrap()), written);
}

#[test]
fn the_readme_installs_the_program_before_it_calls_it() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let installed = readme.find("cargo install --path .").unwrap();
    for call in ["\nthrong ", "`throng "] {
        assert!(readme.find(call).is_none_or(|at| at > installed), "{call:?} comes first");
    }
}

#[test]
fn the_battle_of_the_readme_is_fought_to_its_end() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, section) = readme.split_once("## Bring a map").unwrap();
    let folder = folder();
    let output = shell(&shell_blocks(section)[0], folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let figures = fs::read_to_string(folder.path().join("out/my.json")).unwrap();
    let figures: serde_json::Value = serde_json::from_str(&figures).unwrap();
    assert!(figures["winner"].is_string(), "{figures:#}");
}

/// Where a window cannot be opened a command says so, and nothing else is wrong with it.
#[test]
fn commands_that_open_a_window_are_understood() {
    let folder = folder();
    let mut count = 0;
    for (name, text) in documents() {
        for block in shell_blocks(&text) {
            for line in block.lines().filter(|line| opens_a_window(line)) {
                let said = says_of_a_window(line, folder.path());
                assert!(said.is_some(), "{name}: {line} says nothing of a window");
                count += 1;
            }
        }
    }
    assert!(count > 3, "only {count} commands with a window found");
}

/// Benchmarks, examples and tests that documents name are there.
#[test]
fn what_cargo_is_asked_for_is_there() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut asked = BTreeMap::new();
    for (name, text) in documents() {
        for option in ["--bench", "--example", "--test"] {
            for rest in text.split(&format!("{option} ")).skip(1) {
                let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || "_-".contains(*c)).collect();
                asked.insert((option, word), name.clone());
            }
        }
    }
    asked.retain(|(_, word), _| word.chars().any(char::is_lowercase));
    assert!(asked.len() > 5, "only {} found", asked.len());
    for ((option, word), name) in asked {
        let is_there = match option {
            "--bench" => root().join(format!("benches/{word}.rs")).is_file(),
            "--example" => folders().any(|folder| folder.join(format!("examples/{word}.rs")).is_file()),
            _ => manifest.contains(&format!("name = \"{word}\"")) || is_test(&word),
        };
        assert!(is_there, "{name} names {option} {word}, which is not there");
    }
}

/// The folders of all crates.
fn folders() -> impl Iterator<Item = PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    crates.chain([root().to_owned()])
}

/// True where some crate has a test of this name.
fn is_test(name: &str) -> bool {
    folders().any(|folder| folder.join("tests").join(name).join("main.rs").is_file())
}
