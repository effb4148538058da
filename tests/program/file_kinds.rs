//! Every kind of file given to every command: what is in the wrong place is told what it is, what was expected, and which command
//! takes it.

use std::path::Path;
use std::process::{Command, Output};
use throng::grid::{Grid, Lattice};
use throng::world::{Settings, World};

const BAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad");
const MAPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/maps");

/// What a file is, in words, and words that tell which command takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind(&'static str, &'static [&'static str]);

const MAP: Kind = Kind("a map", &["throng view "]);
const SCENARIO: Kind = Kind("a scenario", &["throng run ", "throng view "]);
const UNITS: Kind = Kind("a library of units", &["names it as its library"]);
const RECORDING: Kind = Kind("a recording", &["throng replay "]);
const LOG: Kind = Kind("a log of commands", &["throng replay "]);
const SNAPSHOT: Kind = Kind("a snapshot", &["--resume "]);
const QUERIES: Kind = Kind("a query file", &["throng compare MAP --scen "]);
const CROWD: Kind = Kind("a crowd", &["throng run --agents "]);
const GRAPH: Kind = Kind("a graph", &["throng plan --graph "]);
const POSITIONS: Kind = Kind("a table of the positions of nodes", &["--nodes "]);
const COLOURS: Kind = Kind("a table of colours", &["--colours "]);
/// What no command reads.
const NOTHING: Kind = Kind("", &[]);

/// The files, what they are, and of which kind a map is.
const FILES: [(&str, Kind, &str); 28] = [
    ("room.map", MAP, "a Moving AI map"),
    ("drawn.txt", MAP, "an ASCII map"),
    ("legend.txt", MAP, "an ASCII map"),
    ("keep.tmx", MAP, "a Tiled map"),
    ("keep.tmj", MAP, "a Tiled map"),
    ("plan.wkt", MAP, "a WKT floor plan"),
    ("plan.geojson", MAP, "a GeoJSON floor plan"),
    ("plan.json", MAP, "a GeoJSON floor plan"),
    ("robot.yaml", MAP, "a map of a robot"),
    ("robot.pgm", MAP, "a PGM image"),
    ("room.png", MAP, "a PNG image"),
    ("duel.gif", MAP, "a GIF image"),
    ("misnamed.toml", MAP, "a Moving AI map"),
    ("duel.toml", SCENARIO, ""),
    ("units.toml", UNITS, ""),
    ("duel.throng", RECORDING, ""),
    ("room.commands", LOG, ""),
    ("duel.snapshot", SNAPSHOT, ""),
    ("room.map.scen", QUERIES, ""),
    ("pair.csv", CROWD, ""),
    ("roads.csv", GRAPH, ""),
    ("places.csv", POSITIONS, ""),
    ("colours.toml", COLOURS, ""),
    ("folder", NOTHING, "folder"),
    ("empty.toml", NOTHING, "empty"),
    ("noise.bin", NOTHING, "binary data"),
    ("text.pdf", NOTHING, "PDF"),
    ("not-there.toml", NOTHING, "no such file"),
];

/// The commands with `FILE` where the file goes, and what each takes.
const COMMANDS: [(&[&str], &[Kind]); 14] = [
    (&["run", "FILE", "--ticks", "1", "--no-pictures"], &[SCENARIO]),
    (&["view", "FILE"], &[SCENARIO, MAP]),
    (&["batch", "FILE", "--runs", "1"], &[SCENARIO]),
    (&["run", "--agents", "FILE", "--ticks", "1", "--no-pictures"], &[CROWD]),
    (&["run", "duel.toml", "--resume", "FILE", "--ticks", "1", "--no-pictures"], &[SNAPSHOT]),
    (&["replay", "FILE", "--info"], &[RECORDING, LOG]),
    (&["plan", "FILE", "--from", "0,0", "--to", "1,0", "--nearest"], &[MAP]),
    (&["plan", "--graph", "FILE", "--from", "a", "--to", "b"], &[GRAPH]),
    (&["plan", "--graph", "roads.csv", "--nodes", "FILE", "--from", "a", "--to", "b"], &[POSITIONS]),
    (&["compare", "FILE", "--queries", "1", "--planners", "astar", "--rounds", "1"], &[MAP]),
    (&["compare", "room.map", "--scen", "FILE", "--planners", "astar", "--rounds", "1"], &[QUERIES]),
    (&["map", "info", "FILE"], &[MAP]),
    (&["map", "convert", "FILE", "converted.map"], &[MAP]),
    (&["map", "check", "room.png", "--colours", "FILE"], &[COLOURS]),
];

/// Commands that take no file.
const WITHOUT_FILE: [&[&str]; 7] = [
    &["FILE"],
    &["indices", "FILE"],
    &["volumes", "FILE"],
    &["experiment", "FILE"],
    &["experiment", "crowd", "FILE"],
    &["experiment", "lanchester", "FILE"],
    &["map", "new", "town", "FILE"],
];

const ROOM: &str = "type octile\nheight 3\nwidth 9\nmap\n.........\n....@....\n.........\n";

fn throng(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    // No window can be opened: view does what run does.
    command.current_dir(folder).args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.env_remove("RUST_BACKTRACE").output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a file of each kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("room.map", ROOM.as_bytes());
    write("misnamed.toml", ROOM.as_bytes());
    write("drawn.txt", b"#########\n#.......#\n#.......#\n#########\n");
    write("legend.txt", b"legend . = open\nmap\n.....\n.....\n");
    write("plan.wkt", b"POLYGON ((0 0, 12 0, 12 6, 0 6, 0 0))\n");
    let plan = br#"{"type": "FeatureCollection", "cell_size": 0.5, "features": [{"type": "Feature", "properties": {"walkable": true},
        "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [12, 0], [12, 6], [0, 6], [0, 0]]]}}]}"#;
    write("plan.geojson", plan);
    write("plan.json", plan);
    write("robot.yaml", b"image: robot.pgm\nresolution: 1.0\norigin: [0, 0, 0]\nnegate: 0\n");
    write("robot.pgm", &[b"P5 8 4 255\n".as_slice(), &[254; 32]].concat());
    write("pair.csv", b"x,y,goal_x,goal_y\n-5,0.25,5,0\n5,0,-5,0\n");
    write("roads.csv", b"from,to,cost\na,b,3\n");
    write("places.csv", b"node,x,y\na,0,0\nb,1,0\n");
    write("room.map.scen", b"version 1\n0\troom.map\t9\t3\t0\t0\t3\t0\t3\n");
    write("colours.toml", b"default = \"open\"\n[colours]\n\"#000000\" = \"wall\"\n");
    write("units.toml", b"[[unit]]\nname = \"guard\"\n");
    write("empty.toml", b"");
    write("noise.bin", &[0, 159, 146, 150, 7, 0, 255]);
    write("text.pdf", &std::fs::read(Path::new(BAD).join("what_is_this.pdf")).unwrap());
    write(
        "duel.toml",
        b"map = \"room.map\"\nmax_ticks = 3\n[[army]]\nname = \"red\"\nsquad = [{ count = 1, position = [1.5, 1.5] }]\n",
    );
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
    let mut world = World::new(grid, Settings::default()).unwrap();
    world.log_commands(std::fs::File::create(folder.path().join("room.commands")).unwrap()).unwrap();
    world.tick().unwrap();
    let made = [
        &["run", "duel.toml", "--record", "duel.throng", "--snapshot", "duel.snapshot", "--out", ".", "--size", "32"][..],
        &["map", "convert", "room.map", "room.png"],
        &["map", "convert", "room.map", "keep.tmj"],
        &["map", "convert", "room.map", "keep.tmx"],
    ];
    for arguments in made {
        let output = throng(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", told(&output));
    }
    folder
}

#[test]
fn each_kind_of_file_given_to_each_command_is_taken_or_named() {
    let folder = folder();
    for (arguments, takes) in COMMANDS {
        for (name, is, which) in FILES {
            // One battle on a map is enough.
            if arguments[0] == "view" && is == MAP && name != "drawn.txt" {
                continue;
            }
            let arguments = with_file(arguments, name);
            let output = throng(folder.path(), &arguments);
            let (text, context) = (told(&output), format!("{arguments:?}: {}", told(&output)));
            assert!(!text.contains("panick") && !text.contains("fault of throng"), "{context}");
            if takes.contains(&is) {
                assert!(output.status.success(), "{context}");
                continue;
            }
            let code = if arguments[0] == "compare" { 2 } else { 1 };
            assert_eq!(output.status.code(), Some(code), "{context}");
            let line = text.lines().last().unwrap_or_default();
            assert!(line.starts_with("error: ") && line.contains(name), "{context}");
            if is == NOTHING {
                let said = [which, "is no recording", "is no snapshot"];
                assert!(said.iter().any(|word| line.contains(word)), "{context}");
            } else {
                assert!(line.contains(&words(is, which)) && line.contains(", expected "), "{context}");
                assert!(is.1.iter().all(|command| line.contains(command)), "{context}");
            }
        }
    }
}

fn with_file<'a>(arguments: &[&'a str], name: &'a str) -> Vec<&'a str> {
    arguments.iter().map(|&argument| if argument == "FILE" { name } else { argument }).collect()
}

/// A file in words.
fn words(is: Kind, which: &str) -> String {
    if which.is_empty() { format!("is {}", is.0) } else { format!("is {} ({which})", is.0) }
}

#[test]
fn a_file_for_a_command_that_takes_none_is_named() {
    let folder = folder();
    for arguments in WITHOUT_FILE {
        for (name, is, which) in FILES.into_iter().filter(|&(_, is, _)| is != NOTHING) {
            let output = throng(folder.path(), &with_file(arguments, name));
            let context = format!("{arguments:?} {name}: {}", told(&output));
            assert_eq!(output.status.code(), Some(2), "{context}");
            assert!(told(&output).contains(&format!("tip: {name} {}", words(is, which))), "{context}");
            assert!(is.1.iter().all(|command| told(&output).contains(command)), "{context}");
        }
    }
}

/// The right command for a map does it, whatever the map: without a window it writes what a run does.
#[test]
fn a_map_is_shown_with_an_army_each() {
    let folder = folder();
    for map in ["caverns.map", "keep.tmx"] {
        std::fs::copy(Path::new(MAPS).join(map), folder.path().join(map)).unwrap();
    }
    for (map, soldiers) in [("room.map", 1), ("caverns.map", 60)] {
        let (scenario, _) = throng::scenario::Scenario::skirmish(folder.path().join(map)).unwrap();
        assert_eq!(scenario.armies.iter().map(|army| &*army.name).collect::<Vec<_>>(), ["red", "blue"]);
        assert!(scenario.armies.iter().all(|army| army.squads[0].positions.len() >= soldiers), "{map}");
        let mut world = scenario.build(1).unwrap();
        (0..3).for_each(|_| world.tick().unwrap());
    }
    std::fs::write(folder.path().join("solid.txt"), "##\n##\n").unwrap();
    let output = throng(folder.path(), &["view", "solid.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("solid.txt: there is no room for two soldiers"), "{}", told(&output));
}

/// A small walled room from near, which once cost the whole run.
#[test]
fn a_camera_on_a_small_walled_room_costs_nothing() {
    let folder = folder();
    let room = "throng ascii map\nmap\n########\n#......#\n#......#\n########\n";
    std::fs::write(folder.path().join("walled.txt"), room).unwrap();
    let scenario = std::fs::read_to_string(folder.path().join("duel.toml")).unwrap();
    std::fs::write(folder.path().join("walled.toml"), scenario.replace("room.map", "walled.txt")).unwrap();
    for camera in ["4,2,60", "1,1,1", "4,2,100000"] {
        let output = throng(folder.path(), &["run", "walled.toml", "--camera", camera, "--size", "32", "--out", "out"]);
        assert!(output.status.success(), "{camera}: {}", told(&output));
        for ending in ["json", "gif", "png"] {
            assert!(folder.path().join(format!("out/walled.{ending}")).exists(), "{camera} {ending}");
        }
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}
