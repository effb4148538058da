//! A disk that fills up, a folder that goes away, one that cannot be written, a result without a reader: a clear error,
//! and the written part can be read.
//!
//! A limit on the size of files takes the place of a full disk: writing fails in the midst of a file, with another number of
//! the system's and otherwise in the same way.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use super::program::throng;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const BATTLE: &str = r#"map = "field.map"
max_ticks = 300
[[army]]
name = "red"
[[army.squad]]
count = 40
position = [14, 20]
order = "attack"
[[army]]
name = "blue"
[[army.squad]]
count = 40
position = [40, 20]
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = ".".repeat(60) + "\n";
    let map = format!("type octile\nheight 40\nwidth 60\nmap\n{}", row.repeat(40));
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    std::fs::write(folder.path().join("battle.toml"), BATTLE).unwrap();
    folder
}

/// Runs the program with no file of more than so many bytes; blocks of the limit are of 512 or 1024 bytes.
fn limited(folder: &Path, blocks: u32, args: &str) -> (i32, String) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {args}");
    let program = env!("CARGO_BIN_EXE_throng");
    let Output { status, stderr, .. } = Command::new("sh")
        .args(["-c", &script, program])
        .current_dir(folder)
        .env("THRONG_PROGRESS", "none")
        .output()
        .unwrap();
    (status.code().unwrap(), String::from_utf8(stderr).unwrap())
}

/// Names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_picture_that_does_not_fit_leaves_the_others() {
    let folder = folder();
    let (code, error) = limited(folder.path(), 24, "run battle.toml --theme plan");
    assert_eq!((code, error.as_str()), (1, "error: out/battle.gif: cannot be written: File too large (os error 27)\n"));
    // The film alone is missing, and nothing of it is left.
    assert_eq!(names(&folder.path().join("out")), ["battle.json", "battle.png"]);
    let json = std::fs::read(folder.path().join("out/battle.json")).unwrap();
    let figures: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(figures["ticks"].as_u64().unwrap() > 0);
}

#[test]
fn tables_that_do_not_fit_end_the_run() {
    let folder = folder();
    for (args, blocks, error) in [
        ("--statistics s.csv", 8, "s.csv: cannot be written: File too large (os error 27)"),
        ("--trajectories t.txt", 16, "t.txt: cannot be written: File too large (os error 27)"),
        ("--trajectories t.sqlite", 64, "t.sqlite: cannot be written: disk I/O error"),
        (
            "--snapshot-every 100",
            4,
            "out/battle.snapshot: the snapshot cannot be written: File too large (os error 27); one that was there before is as it was",
        ),
    ] {
        let (code, found) = limited(folder.path(), blocks, &format!("run battle.toml --no-pictures {args}"));
        assert_eq!(code, 1, "{args}: {found}");
        assert!(found.lines().all(|line| line == format!("error: {error}")) && !found.is_empty(), "{args}: {found}");
        // The file of before, and the figures of the ticks that were done.
        assert_eq!(names(folder.path()), ["battle.toml", "field.map", "out"], "{args}");
        assert_eq!(names(&folder.path().join("out")), ["battle.json"], "{args}");
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

/// A recording that grew until the disk was full can be read up to its last whole frame.
#[test]
fn a_recording_that_does_not_fit_can_be_replayed() {
    let folder = folder();
    let (code, error) = limited(folder.path(), 16, "run battle.toml --no-pictures --record battle.throng");
    assert_eq!(code, 1, "{error}");
    let count = |text: &str| text.split(' ').find_map(|word| word.parse::<u64>().ok()).unwrap();
    let frames = count(error.rsplit("; ").next().unwrap());
    let expected = format!(
        "error: battle.throng: cannot be written: File too large (os error 27); battle.throng.part can be read, with the {frames} frames that are in it\n"
    );
    assert_eq!(error, expected);
    assert!(frames > 20);
    let (code, said) = limited(folder.path(), 4096, "replay battle.throng.part --to csv --out again.csv");
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("warning: ") && said.ends_with(&format!("; {frames} frames can be read\n")), "{said}");
    let rows = std::fs::read_to_string(folder.path().join("again.csv")).unwrap();
    assert!(rows.lines().count() as u64 > frames, "{rows}");
}

/// The snapshot from before the disk was full can be gone on from.
#[test]
fn the_snapshot_from_before_stays() {
    let folder = folder();
    let good = "run battle.toml --no-pictures --ticks 50 --snapshot-every 50";
    assert_eq!(limited(folder.path(), 4096, good), (0, String::new()));
    let before = std::fs::read(folder.path().join("out/battle.snapshot")).unwrap();
    let (code, _) =
        limited(folder.path(), 4, "run battle.toml --no-pictures --resume out/battle.snapshot --snapshot-every 20");
    assert_eq!(code, 1);
    assert_eq!(std::fs::read(folder.path().join("out/battle.snapshot")).unwrap(), before);
    let (code, error) = limited(folder.path(), 4096, "run battle.toml --no-pictures --resume out/battle.snapshot");
    assert_eq!((code, error.as_str()), (0, ""));
}

#[test]
fn maps_and_plots_that_do_not_fit_leave_nothing() {
    let folder = folder();
    for args in ["map convert field.map other.txt", "map new field --size 128x128 --out other.map"] {
        let (code, error) = limited(folder.path(), 2, args);
        let file = args.rsplit(' ').next().unwrap();
        assert_eq!(
            (code, error),
            (1, format!("error: {file}: cannot be written: File too large (os error 27)\n")),
            "{args}"
        );
        assert_eq!(names(folder.path()), ["battle.toml", "field.map"], "{args}");
    }
}

/// A command that prints, and a result that takes little time.
const PRINTING: [&str; 9] = [
    "plan field.map --from 1,1 --to 50,30",
    "map info field.map",
    "map check field.map",
    "compare field.map --queries 2 --rounds 1 --planners astar",
    "indices --agents 20 --scenes uniform --indices grid --frames 2",
    "experiment crowd --scenes rand15 --agents 8 --seeds 1 --seconds 1",
    "batch battle.toml --runs 1 --ticks 20",
    "run battle.toml --no-pictures --ticks 20",
    "replay battle.throng --info",
];

/// Runs the program with an output of its own; the exit code and its messages.
fn printing(folder: &Path, args: &str, output: Stdio) -> (Option<i32>, String) {
    let child = throng(folder).args(args.split(' ')).stdout(output).stderr(Stdio::piped()).spawn();
    let Output { status, stderr, .. } = child.unwrap().wait_with_output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_standard_output_does_not_take_is_an_error() {
    let folder = folder();
    let path = folder.path();
    let record = "run battle.toml --no-pictures --ticks 20 --record battle.throng";
    assert_eq!(printing(path, record, Stdio::null()), (Some(0), String::new()));
    let begin = "standard output does not take the result: ";
    let end = "; lead it to a file or a pipe with room for it";
    let full = format!("{begin}No space left on device (os error 28){end}");
    let closed = format!("{begin}it is closed{end}");
    let json = |error: &str| serde_json::json!({ "error": error }).to_string();
    for command in PRINTING {
        let device = || Stdio::from(std::fs::File::create("/dev/full").unwrap());
        assert_eq!(printing(path, command, device()), (Some(1), format!("error: {full}\n")), "{command}");
        let command = format!("{command} --json");
        assert_eq!(printing(path, &command, device()), (Some(1), format!("{}\n", json(&full))), "{command}");
        // Thrown away on purpose.
        assert_eq!(printing(path, &command, Stdio::null()), (Some(0), String::new()), "{command}");
        assert_eq!(limited(path, 4096, &format!("{command} >&-")), (1, format!("{}\n", json(&closed))), "{command}");
    }
    // The files of a run are written all the same.
    assert!(path.join("out/battle.json").is_file());
    for help in ["--help", "--version", "map new --help"] {
        let device = std::fs::File::create("/dev/full").unwrap();
        assert_eq!(printing(path, help, device.into()), (Some(1), format!("error: {full}\n")), "{help}");
    }
}

/// As `throng plan ... | head -1`.
#[test]
fn a_reader_who_goes_away_ends_the_program_quietly() {
    let folder = folder();
    let record = "run battle.toml --no-pictures --ticks 20 --record battle.throng";
    assert_eq!(printing(folder.path(), record, Stdio::null()), (Some(0), String::new()));
    for command in PRINTING {
        for json in ["", " --json"] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let command = format!("{command}{json}");
            assert_eq!(printing(folder.path(), &command, writer.into()), (Some(141), String::new()), "{command}");
        }
    }
}

/// As `throng replay ... --to y4m --out - | ffmpeg ...`, where that ends early or the disk is full.
#[test]
#[cfg(target_os = "linux")]
fn video_that_standard_output_does_not_take() {
    let folder = folder();
    let record = "run battle.toml --no-pictures --ticks 100 --record battle.throng";
    assert_eq!(printing(folder.path(), record, Stdio::null()), (Some(0), String::new()));
    for frames in ["", " --film-every 1"] {
        let command = format!("replay battle.throng --size 64 --to y4m --out -{frames}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(printing(folder.path(), &command, writer.into()), (Some(141), String::new()), "{command}");
        let device = std::fs::File::create("/dev/full").unwrap();
        let full = "error: standard output does not take the result: No space left on device (os error 28); lead it to a \
                    file or a pipe with room for it\n";
        assert_eq!(printing(folder.path(), &command, device.into()), (Some(1), full.to_owned()), "{command}");
        let closed = "error: standard output does not take the result: it is closed; lead it to a file or a pipe with room for \
                      it\n";
        assert_eq!(limited(folder.path(), 65_536, &format!("{command} >&-")), (1, closed.to_owned()), "{command}");
    }
    assert_eq!(names(folder.path()), ["battle.throng", "battle.toml", "field.map", "out"]);
}

/// The folder of the outputs is removed while the battle is fought.
#[test]
fn a_folder_that_goes_away() {
    let folder = folder();
    let long = BATTLE.replace("\"attack\"", "\"hold\"").replace("max_ticks = 300", "max_ticks = 100000000");
    std::fs::write(folder.path().join("battle.toml"), long).unwrap();
    let out = folder.path().join("out");
    let mut child = throng(folder.path())
        .args(["run", "battle.toml", "--snapshot-every", "5"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !out.join("battle.snapshot").exists() {
        assert!(child.try_wait().unwrap().is_none(), "no snapshot");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The program may write into it while it is taken away.
    while std::fs::remove_dir_all(&out).is_err() {}
    let status = child.wait().unwrap();
    let error = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(
        error.contains("out/battle.snapshot: the snapshot cannot be written: No such file or directory (os error 2)"),
        "{error}"
    );
    assert!(error.contains("error: out/battle.gif: cannot be written: "), "{error}");
    assert!(error.contains("error: out/battle.json: cannot be written: "), "{error}");
    assert!(!error.contains("panicked"), "{error}");
    assert!(!out.exists());
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = folder();
    let path = folder.path();
    std::fs::create_dir(path.join("out")).unwrap();
    let mode = |path: &Path, mode: u32| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&path.join("out"), 0o555);
    mode(path, 0o755);
    let mut command = throng(path);
    command.args(["run", "battle.toml"]);
    if std::fs::write(path.join("out/probe"), "").is_ok() {
        // To a superuser nothing is forbidden.
        std::fs::remove_file(path.join("out/probe")).unwrap();
        command.uid(65_534).gid(65_534);
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return eprintln!("skipped: as nobody the program cannot be started here: {error}"),
    };
    let error = String::from_utf8(output.stderr).unwrap();
    let expected =
        "error: the output folder out cannot be written: Permission denied (os error 13); choose another with --out\n";
    assert_eq!((output.status.code(), error.as_str()), (Some(1), expected));
    // Reported before anything is run, and output for other places goes there.
    assert!(output.stdout.is_empty() && names(&path.join("out")).is_empty());
}
