//! `throng run --record` and `throng replay`: the files made of a recording, and its listing.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use throng::record::{Ending, Recording};
use throng::world::{ArmyId, Frame};

const YARD: &str = r#"
name = "yard"
map = "yard.map"
max_ticks = 100000

[[army]]
name = "blue"
[[army.squad]]
count = 60
position = [12, 32]
order = "attack"

[[army]]
name = "red"
[[army.squad]]
count = 60
position = [36, 32]
facing = 180
order = "attack"
"#;

/// A folder with a small battle in it.
fn battle() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |y: u32| {
        let cell = |x: u32| if (x == 24 && y % 16 > 3) || y == 0 || y == 63 { '@' } else { '.' };
        (0..48).map(cell).collect::<String>() + "\n"
    };
    let map = "type octile\nheight 64\nwidth 48\nmap\n".to_owned() + &(0..64).map(row).collect::<String>();
    std::fs::write(folder.path().join("yard.map"), map).unwrap();
    std::fs::write(folder.path().join("yard.toml"), YARD).unwrap();
    folder
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = program::throng(folder);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    command.args(line.split(' '));
    command
}

/// Its standard output and its standard error.
fn throng(folder: &Path, line: &str) -> [String; 2] {
    let Output { status, stdout, stderr } = command(folder, line).output().unwrap();
    let [out, beside] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(status.success(), "{line}: {out}{beside}");
    [out, beside]
}

fn fails(folder: &Path, line: &str) -> String {
    let Output { status, stderr, .. } = command(folder, line).output().unwrap();
    assert_eq!(status.code(), Some(1), "{line}");
    String::from_utf8(stderr).unwrap().trim_end().to_owned()
}

/// Rows by what stands in their first `keys` columns.
fn table(file: &Path, separator: char, keys: usize) -> BTreeMap<Vec<String>, Vec<f64>> {
    let text = std::fs::read_to_string(file).unwrap();
    let rows = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    rows.map(|row| {
        let cells: Vec<_> = row.split(separator).map(str::to_owned).collect();
        let numbers = cells[keys..].iter().map(|cell| cell.parse().unwrap_or(-1.0)).collect();
        (cells[..keys].to_vec(), numbers)
    })
    .collect()
}

fn alike(one: &Path, other: &Path, separator: char, keys: usize, near: f64) -> usize {
    let [one, other] = [one, other].map(|file| table(file, separator, keys));
    assert!(one.keys().eq(other.keys()));
    for (key, row) in &one {
        let found = &other[key];
        assert!(
            row.len() == found.len() && row.iter().zip(found).all(|(a, b)| (a - b).abs() <= near),
            "{key:?}: {row:?} {found:?}"
        );
    }
    one.len()
}

#[test]
fn a_replay_gives_what_the_run_gave() {
    let folder = battle();
    let path = |name: &str| folder.path().join(name);
    let run = "run yard.toml --ticks 200 --no-pictures --every 3 --trajectories-every 3 --statistics run.csv";
    throng(folder.path(), &format!("{run} --threads 1 --trajectories run.txt --record run.throng"));
    throng(folder.path(), &format!("{run} --threads 2 --trajectories run.sqlite --record two.throng"));
    assert!(std::fs::read(path("run.throng")).unwrap() == std::fs::read(path("two.throng")).unwrap());

    let [out, beside] = throng(folder.path(), "replay run.throng --to sqlite,txt,csv,gif,apng,png --out again");
    let names = ["sqlite", "txt", "csv", "gif", "apng", "png"].map(|ending| format!("again/run.{ending}"));
    assert_eq!((out, beside), (format!("wrote {}\n", names.join(", ")), String::new()));
    let rows = alike(&path("run.txt"), &path("again/run.txt"), ' ', 2, 0.0101);
    assert!(rows > 67 * 60, "{rows}");
    // Speeds over 0.15 s of places to half a centimetre.
    assert_eq!(alike(&path("run.csv"), &path("again/run.csv"), ',', 4, 0.07), 67);
    let [ran, again] = ["run.sqlite", "again/run.sqlite"].map(|name| {
        let connection = rusqlite::Connection::open(path(name)).unwrap();
        let mut query = connection.prepare("SELECT frame, id, pos_x, pos_y FROM trajectory_data").unwrap();
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        let rows: Vec<(i64, i64, f64, f64)> = rows.unwrap().map(Result::unwrap).collect();
        let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        let fps = text("SELECT value FROM metadata WHERE key = 'fps'");
        (rows, fps, text("SELECT wkt FROM geometry"))
    });
    assert_eq!((ran.0.len(), &ran.1, &ran.2), (again.0.len(), &again.1, &again.2));
    for (a, b) in ran.0.iter().zip(&again.0) {
        assert!((a.0, a.1) == (b.0, b.1) && (a.2 - b.2).abs().max((a.3 - b.3).abs()) <= 0.01, "{a:?} {b:?}");
    }
    assert!(std::fs::read(path("again/run.gif")).unwrap().starts_with(b"GIF89a"));
    assert!(std::fs::read(path("again/run.png")).unwrap().starts_with(b"\x89PNG"));

    // A part of it, into one file.
    throng(folder.path(), "replay run.throng --to txt --from 3 --until 6 --every 6 --out part.txt");
    let frames: Vec<u64> = table(&path("part.txt"), ' ', 2).keys().map(|key| key[1].parse().unwrap()).collect();
    assert_eq!((frames.iter().min(), frames.iter().max()), (Some(&10), Some(&20)));
}

/// The size of a PNG, and its pixels in bytes.
fn picture(file: &Path) -> ((u32, u32), Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(std::fs::read(file).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    ((info.width, info.height), pixels)
}

/// Places are kept to a centimetre, so edges of bodies and shots may be a part of a pixel off: few parts of colours differ
/// by more than a fifth.
fn assert_alike(one: &[u8], other: &[u8]) {
    let differ = one.iter().zip(other).filter(|(a, b)| a.abs_diff(**b) > 51).count();
    assert!(one.len() == other.len() && differ * 100 < one.len(), "{differ} of {} parts of colours", one.len());
}

#[test]
fn pictures_of_a_replay_look_as_those_of_a_run() {
    let folder = battle();
    let path = |name: &str| folder.path().join(name);
    let look = "--camera 24,32,20,30 --size 300 --overlay density,strength --no-legend --film-every 4 --fps 20";
    throng(folder.path(), &format!("run yard.toml --ticks 60 --record run.throng --film apng {look}"));
    throng(folder.path(), &format!("replay run.throng --to apng,png --out again {look}"));
    let (ran, again) = (picture(&path("out/yard.png")), picture(&path("again/run.png")));
    // A metre to the south is seen 0.8 times as long as one to the east.
    assert_eq!((ran.0, again.0), ((250, 300), (250, 300)));
    assert_alike(&ran.1, &again.1);
    // The state before the first tick, every fourth, and the end.
    let frames = |file: &str| std::fs::read(path(file)).unwrap().windows(4).filter(|name| name == b"fcTL").count();
    assert_eq!((frames("out/yard.apng"), frames("again/run.apng")), (16, 16));
}

#[test]
fn video_goes_to_a_file_or_to_standard_output_alone() {
    let folder = battle();
    let path = |name: &str| folder.path().join(name);
    let look = "--camera map --size 64 --film-every 4";
    throng(folder.path(), &format!("run yard.toml --ticks 40 --film y4m --record run.throng {look}"));
    throng(folder.path(), &format!("replay run.throng --to y4m --out again.y4m {look}"));
    let video = std::fs::read(path("again.y4m")).unwrap();
    let head: Vec<&[u8]> = video[..40].split(|&byte| byte == b' ').collect();
    assert!(head[0] == b"YUV4MPEG2" && head[3] == b"F5:1", "{head:?}");
    assert_eq!(std::fs::read(path("out/yard.y4m")).unwrap().len(), video.len());
    let output = command(folder.path(), &format!("replay run.throng --to y4m --out - {look}")).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty() && output.stdout == video);
    let alone =
        "error: --out - writes raw video to standard output and nothing else; give --to y4m alone, and no --json";
    for formats in ["gif", "y4m,png", "txt"] {
        assert_eq!(fails(folder.path(), &format!("replay run.throng --to {formats} --out -")), alone);
    }
    let json = fails(folder.path(), "replay run.throng --to y4m --json --out -");
    assert_eq!(json, serde_json::json!({ "error": &alone[7..] }).to_string());
    assert!(!path("-").exists());
}

/// Miners at a wall that can be broken, and archers that shoot at others.
const ASSAULT: &str = r#"
name = "yard"
map = "yard.map"

[[unit]]
name = "archer"
sight = 40
ranged = { range = 30, damage = 5, cooldown = 0.5 }

[[unit]]
name = "miner"
breach = 9

[[breakable]]
from = [24, 20]
to = [25, 32]
health = 200
army = "red"

[[army]]
name = "blue"
neutral = ["green", "grey"]
[[army.squad]]
unit = "miner"
count = 20
position = [20, 25]
order = "attack"

[[army]]
name = "red"
[[army.squad]]
count = 60
position = [36, 32]
facing = 180

[[army]]
name = "green"
[[army.squad]]
unit = "archer"
count = 60
position = [12, 40]

[[army]]
name = "grey"
[[army.squad]]
count = 20
position = [12, 56]
"#;

#[test]
fn shots_and_broken_walls_are_replayed() {
    let folder = battle();
    let path = |name: &str| folder.path().join(name);
    // No other way leads through the yard's wall.
    let map = std::fs::read_to_string(path("yard.map")).unwrap();
    let closed = |(y, row): (usize, &str)| if y < 4 { row.to_owned() } else { row[..24].to_owned() + "@" + &row[25..] };
    let rows: Vec<String> = map.lines().enumerate().map(closed).collect();
    std::fs::write(path("yard.map"), rows.join("\n") + "\n").unwrap();
    std::fs::write(path("yard.toml"), ASSAULT).unwrap();
    let look = "--camera 24,32,48,64 --size 600 --no-legend";
    throng(folder.path(), &format!("run yard.toml --ticks 160 --record run.throng --every 5 {look}"));
    throng(folder.path(), &format!("replay run.throng --to png,gif --out again {look} --film-every 5"));
    let (ran, again) = (picture(&path("out/yard.png")), picture(&path("again/run.png")));
    assert_eq!(ran.0, again.0);
    assert_alike(&ran.1, &again.1);
    let mut recording = Recording::open(path("run.throng")).unwrap();
    let (mut frame, mut shots, mut least, mut most) = (Frame::default(), 0, 1.0_f32, 0);
    for number in 0..recording.frames() {
        recording.frame(number, &mut frame).unwrap();
        shots = shots.max(frame.shots.len());
        for shot in &frame.shots {
            assert!(shot.army == ArmyId(2) && shot.velocity.length() > 3.0, "{shot:?}");
        }
        least = frame.ramparts.iter().map(|&(_, share)| share).fold(least, f32::min);
        most = most.max(frame.ramparts.len());
    }
    assert!(shots > 9 && least < 1.0 && most == 12, "{shots} {least} {most}");
    assert!(frame.ramparts.len() < most, "walls were broken: {} of {most} stand", frame.ramparts.len());
}

#[test]
fn info_says_what_is_in_it() {
    let folder = battle();
    throng(folder.path(), "run yard.toml --ticks 100 --no-pictures --seed 5 --record run.throng");
    let bytes = std::fs::metadata(folder.path().join("run.throng")).unwrap().len();
    let [out, beside] = throng(folder.path(), "replay run.throng --info");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(beside, "");
    assert_eq!(lines[0], format!("run.throng: yard, seed 5, recorded by throng {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(lines[1], "  101 frames, every tick of 0.05 s from tick 0 to 100, 5.0 s");
    assert_eq!(lines[2], "  up to 120 agents of blue, red, on a map of 48 x 64 cells");
    assert!(lines[3].ends_with(" an agent and frame; it was ended properly"), "{out}");
    let [out, _] = throng(folder.path(), "replay run.throng --info --json");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["bytes"], &json["frames"], &json["proper"]), (&bytes.into(), &101.into(), &true.into()));
    assert!(json["bytes_an_agent_and_frame"].as_f64().unwrap() < 4.0, "{json}");
    throng(folder.path(), "run yard.toml --ticks 30 --no-pictures --record run.throng --every 3");
    let [out, _] = throng(folder.path(), "replay run.throng --info");
    assert!(out.contains("  11 frames, every 3 ticks of 0.05 s from tick 0 to 30, 1.5 s\n"), "{out}");
}

#[test]
fn a_run_that_is_killed_leaves_what_was_recorded() {
    let folder = battle();
    let file = folder.path().join("run.throng");
    let mut run = command(folder.path(), "run yard.toml --no-pictures --record run.throng");
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let file = file.with_extension("throng.part");
    while std::fs::metadata(&file).map_or(0, |found| found.len()) < 20_000 {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let mut recording = Recording::open(&file).unwrap();
    assert!(matches!(recording.ending(), Ending::Cut { .. }));
    assert!(recording.frames() > 20);
    let mut frame = Frame::default();
    for number in 0..recording.frames() {
        recording.frame(number, &mut frame).unwrap();
        assert_eq!((frame.tick, frame.id.len() > 60), (number as u64, true));
    }
    let [_, beside] = throng(folder.path(), "replay run.throng.part --to csv --out run.csv");
    // It may have been killed between two blocks or in the middle of one.
    let expected =
        format!("warning: run.throng.part: {}; {} frames can be read\n", recording.ending(), recording.frames());
    assert!(beside.ends_with(&expected), "{beside}");
}

#[test]
fn a_disk_that_is_full_is_said_and_the_rest_is_written() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = battle();
    let message = fails(folder.path(), "run yard.toml --ticks 20 --no-pictures --record /dev/full");
    assert_eq!(message, "error: /dev/full: cannot be written: No space left on device (os error 28)");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = battle();
    throng(folder.path(), "run yard.toml --ticks 30 --no-pictures --record run.throng --every 3");
    let message = |line: &str| fails(folder.path(), line);
    std::fs::write(folder.path().join("empty.throng"), "").unwrap();
    assert_eq!(
        message("replay empty.throng"),
        "error: empty.throng: this is an empty file, expected a recording (.throng) or a log of commands; check the path"
    );
    assert_eq!(
        message("replay yard.map --info"),
        "error: yard.map: this is a map (a Moving AI map), expected a recording (.throng) or a log of commands; throng view yard.map opens it with \
         an army each"
    );
    assert_eq!(message("replay no.throng"), "error: no.throng: no such file; check the path");
    assert_eq!(
        message("replay ."),
        "error: .: this is a folder, expected a recording (.throng) or a log of commands; name a file in it"
    );
    assert_eq!(
        message("replay run.throng --to csv --every 4"),
        "error: --every 4: run.throng holds one tick in 3; choose a multiple of 3"
    );
    assert_eq!(
        message("replay run.throng --to gif --film-every 2"),
        "error: --film-every 2: run.throng holds one tick in 3; choose a multiple of 3"
    );
    assert_eq!(
        message("replay run.throng --to png --overlay routes"),
        "error: --overlay routes: run.throng holds no routes, recordings keep positions only; choose density or strength"
    );
    assert_eq!(
        message("replay run.throng --to png --camera 500,500,20"),
        "error: --camera sees nothing of the map, which goes from 0,0 to 48,64 (m)"
    );
    assert_eq!(
        message("replay run.throng --to gif --from 9"),
        "error: run.throng: has no frame between --from and --until; its last is at 1.50 s"
    );
    std::fs::copy(folder.path().join("run.throng"), folder.path().join("run.csv")).unwrap();
    assert_eq!(
        message("replay run.csv --to csv --out run.csv"),
        "error: run.csv is what is read here and would be overwritten; choose another with --out"
    );
    assert_eq!(
        message("run yard.toml --record yard.map"),
        "error: yard.map is what is read here and would be overwritten; choose another with --record"
    );
    assert_eq!(
        message("run yard.toml --record a.txt --trajectories a.txt"),
        "error: a.txt is named by --trajectories and by --record; choose two files"
    );
}

#[test]
fn a_log_of_commands_is_done_again() {
    use throng::battle::{Order, Unit};
    use throng::geom::Vec2;
    use throng::grid::{Grid, Lattice};
    use throng::world::{Resume, Settings, SquadSpec, World};
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { step: 0.1, ..Settings::default() };
    let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0).unwrap()), settings).unwrap();
    let (red, soldier) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let file = folder.path().join("walk.commands");
    world.log_commands(std::fs::File::create(&file).unwrap()).unwrap();
    let squad = world.spawn_squad(SquadSpec::new(red, soldier, [Vec2::splat(4.5), Vec2::splat(6.5)])).unwrap();
    world.tick().unwrap();
    world.order(squad, Order::GoTo(Vec2::splat(20.5))).unwrap();
    let _ = world.order(throng::world::SquadId(9), Order::Hold);
    world.tick_until(|world| world.ticks() == 100).unwrap();
    world.end_log().unwrap();

    let hash = format!("{:016x}", world.position_hash());
    let [told, beside] = throng(folder.path(), "replay walk.commands");
    let expected = format!(
        "walk.commands: 3 commands in 100 ticks (10.0 s), from tick 0 to 100\n  2 agents, where they were all 2 times that \
         the log compares; hash {hash}\n"
    );
    assert_eq!(told, expected);
    assert_eq!(beside, "warning: tick 1: refused, as it was: this world has no squad 9\n");
    let [told, _] = throng(folder.path(), "replay walk.commands --info");
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("  tick      0  SpawnSquad { spec: SquadSpec { army: ArmyId(0),"), "{told}");
    assert_eq!(lines[1], "  tick      1  Order { squad: SquadId(0), order: GoTo(Vec2(20.5, 20.5)) }");
    let [told, _] = throng(folder.path(), "replay walk.commands --json");
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["commands"], &told["errors"], &told["compared"]), (&3.into(), &1.into(), &2.into()));
    assert_eq!(told["position_hash"], hash);

    // The world of any moment.
    let [told, _] = throng(folder.path(), "replay walk.commands --until 5 --snapshot half.snapshot");
    assert!(told.contains("in 50 ticks (5.0 s)") && told.ends_with("wrote half.snapshot\n"), "{told}");
    let mut half = World::restore(folder.path().join("half.snapshot"), Resume::default()).unwrap();
    half.tick_until(|world| world.ticks() == 100).unwrap();
    assert_eq!(half.position_hash(), world.position_hash());

    // A program that was killed.
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(folder.path().join("cut.commands"), &bytes[..bytes.len() - 3]).unwrap();
    let [told, beside] = throng(folder.path(), "replay cut.commands");
    assert!(told.contains("in 100 ticks"), "{told}");
    assert!(beside.contains("warning: cut.commands: the last entry is cut: its program was killed"), "{beside}");
    let message = |line: &str| fails(folder.path(), line);
    assert_eq!(
        message("replay walk.commands --to gif"),
        "error: walk.commands: a log of commands holds no frames; --to and --from take a recording"
    );
    assert_eq!(
        message("replay walk.commands --snapshot walk.commands"),
        "error: walk.commands is what is read here and would be overwritten; choose another with --snapshot"
    );
    let mut damaged = bytes;
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    let error = message("replay walk.commands");
    assert!(error.contains(": the entry there is damaged: its checksum is another; copy the file again"), "{error}");
}
