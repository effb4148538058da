//! An error in a scenario is one line that names the place and the remedy.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use throng_scenario::Scenario;

const MAP: &str = "type octile\nheight 4\nwidth 8\nmap\n........\n....@@..\n....@@..\n........\n";

const GOOD: &str = r#"map = "a.map"

[[unit]]
name = "knight"

[[army]]
name = "red"
[[army.squad]]
unit = "knight"
count = 2
position = [1.5, 1.5]
order = "attack"
"#;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.map"), MAP).unwrap();
    let file = folder.path().join("s.toml");
    (folder, file)
}

/// The message for a scenario, with the folder's name taken out.
fn error(text: &str) -> String {
    let (folder, file) = folder();
    std::fs::write(&file, text).unwrap();
    without(&Scenario::load(&file).unwrap_err().to_string(), folder.path())
}

fn without(message: &str, folder: &Path) -> String {
    assert!(!message.contains('\n'), "more than a line: {message}");
    message.replace(&format!("{}/", folder.display()), "")
}

/// The message for the good scenario with one piece put in place of another.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from} is not in the scenario");
    error(&GOOD.replacen(from, to, 1))
}

fn load(text: &str) -> (Scenario, Vec<String>) {
    let (folder, file) = folder();
    std::fs::write(&file, text).unwrap();
    let (scenario, warnings) = Scenario::load(&file).unwrap();
    let warnings = warnings.iter().map(|warning| without(&warning.to_string(), folder.path()));
    (scenario, warnings.collect())
}

#[test]
fn the_good_one_is_good() {
    let (scenario, warnings) = load(GOOD);
    assert_eq!(warnings, [""; 0]);
    assert_eq!((scenario.name.as_str(), scenario.agents()), ("s", 2));
    assert_eq!(scenario.units.len(), 1);
    assert_eq!(scenario.build(1).unwrap().agents(), 2);
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    let told = "/dev/zero: has more than 128 MiB; split it";
    assert_eq!(Scenario::load("/dev/zero").unwrap_err().to_string(), told);
    assert_eq!(throng_scenario::CrowdTable::load("/dev/zero").unwrap_err().to_string(), told);
}

#[test]
fn text() {
    assert_eq!(error("map = \"a.map\"\nseed = = 3\n"), "s.toml:2:8: extra `=`; remove it");
    assert_eq!(
        changed("count = 2", "count = \"many\""),
        "s.toml:10:9: count must be a whole number between 1 and 200000 (soldiers a squad), found \"many\""
    );
    assert_eq!(
        changed("[1.5, 1.5]", "[1.5, true]"),
        "s.toml:11:18: position must be a number between -1000000 and 1000000 (m), found true"
    );
    assert_eq!(changed("map = \"a.map\"\n", ""), "s.toml:1:1: the key \"map\" is missing");
    assert_eq!(changed("count = 2\n", ""), "s.toml:8:1: the key \"count\" is missing");
    assert_eq!(
        changed("[[army]]", "[army]"),
        "s.toml:6:1: army must be a list of tables, written in double brackets as [[army]], found a table"
    );
    assert_eq!(
        changed("count = 2", "count = 1.5"),
        "s.toml:10:9: count must be a whole number between 1 and 200000 (soldiers a squad), found 1.5"
    );
    assert_eq!(changed("[1.5, 1.5]", "[1.5]"), "s.toml:11:12: position must be [x, y], found [1.5]");
    assert_eq!(
        changed("\"red\"", "red"),
        "s.toml:7:8: found \"red\" without quotes; texts are written in quotes, as in name = \"red\""
    );
    assert_eq!(changed("\"red\"", "\"red"), "s.toml:7:12: this text is not closed, expected `\"`");
    assert_eq!(
        changed("[1.5, 1.5]", "1.5, 1.5"),
        "s.toml:11:15: found more than one value on a line; lists are written in brackets, as in [1.5, 2], decimals with a point"
    );
    for (from, to, message) in [
        (
            "[1.5, 1.5]",
            "[1.5; 1.5]",
            "11:13: \"1.5; 1.5\" is no value; numbers are written as in 1.5, lists as in [1.5, 2]",
        ),
        ("\"attack\"", "", "12:9: the value is missing after `=`"),
        ("\"attack\"", "'attack", "12:16: this text is not closed, expected `'`"),
        (
            "\"attack\"",
            "3",
            "12:9: order must be \"attack\", \"charge\", \"hold\", \"flee\", { guard = METRES }, { go_to = [x, y] }, { move = [x, y] }, { line = [x, y] }, { travel = \"journey\" } or { follow = \"squad\" }, found 3",
        ),
        ("[1.5, 1.5]", "[.5, 1.5]", "11:13: a number needs digits before and after its point, as in 0.5"),
        ("a.map", "maps\\a.map", "1:13: a backslash in a text is written twice; paths may be written with `/`"),
    ] {
        assert_eq!(changed(from, to), format!("s.toml:{message}"));
    }
    assert_eq!(
        changed("count = 2", "count = 99999999999999999999"),
        "s.toml:10:9: count must be a whole number between 1 and 200000 (soldiers a squad), found 100000000000000000000"
    );
    assert_eq!(
        changed("count = 2", "count = 2\ncount = 3"),
        "s.toml:11:1: the key \"count\" is there twice; remove one"
    );
    assert_eq!(
        changed("[[army]]", "[army]\nname = \"blue\"\n[[army]]"),
        "s.toml:8:3: the key \"army\" is there twice; each needs double brackets, as in [[army]] and [[army.squad]]"
    );
}

#[test]
fn keys() {
    assert_eq!(
        changed("[[unit]]", "cellsize = 2\n[[unit]]"),
        "s.toml:3:1: unknown key \"cellsize\"; did you mean \"cell_size\"?"
    );
    assert_eq!(changed("order =", "oder ="), "s.toml:12:1: unknown key \"oder\"; did you mean \"order\"?");
    assert_eq!(
        changed("name = \"red\"", "name = \"red\"\nqqq = 1"),
        "s.toml:8:1: unknown key \"qqq\"; known are name, colour, allies, neutral, objective, squad"
    );
    assert_eq!(
        changed("[[army.squad]]", "[[squad]]"),
        "s.toml:8:3: unknown key \"squad\"; a squad belongs to an army: write [[army.squad]] below its [[army]]"
    );
    assert_eq!(changed("[[unit]]", "[[units]]"), "s.toml:3:3: unknown key \"units\"; did you mean \"unit\"?");
}

#[test]
fn names() {
    assert_eq!(
        changed("unit = \"knight\"", "unit = \"knigth\""),
        "s.toml:9:8: unknown unit \"knigth\"; did you mean \"knight\"?"
    );
    assert_eq!(
        changed("unit = \"knight\"", "unit = \"elf\""),
        "s.toml:9:8: unknown unit \"elf\"; known are knight, soldier, pedestrian"
    );
    assert_eq!(
        changed("order =", "planner = \"dijkstr\"\norder ="),
        format!(
            "s.toml:12:11: unknown planner \"dijkstr\"; did you mean \"dijkstra\"? known are {}",
            throng_plan::PlannerChoice::NAMES.join(", ")
        )
    );
    assert_eq!(
        changed("[[unit]]", "index = \"tree\"\n[[unit]]"),
        format!(
            "s.toml:3:9: unknown index \"tree\"; known are {}",
            throng_spatial::IndexKind::ALL.map(throng_spatial::IndexKind::name).join(", ")
        )
    );
    assert_eq!(
        changed("[[unit]]", "avoidance = \"rvo\"\n[[unit]]"),
        "s.toml:3:13: unknown avoidance \"rvo\"; known are none, push, separation, social-force, orca, gap"
    );
    assert_eq!(
        changed("name = \"knight\"", "name = \"knight\"\navoidance = \"seperation\""),
        "s.toml:5:13: unknown avoidance \"seperation\"; did you mean \"separation\"? known are none, push, separation, \
         social-force, orca, gap"
    );
    let ignores = |names: &str| changed("name = \"knight\"", &format!("name = \"knight\"\nignores = {names}"));
    assert_eq!(
        ignores("[\"red\", \"knigth\"]"),
        "s.toml:5:19: unknown unit or army \"knigth\"; did you mean \"knight\"?"
    );
    assert_eq!(
        ignores("[\"elf\"]"),
        "s.toml:5:12: unknown unit or army \"elf\"; known are knight, red, soldier, pedestrian"
    );
    assert_eq!(
        ignores("\"red\""),
        "s.toml:5:11: ignores of unit \"knight\" must be a list of names, as in [\"horseman\"], found \"red\""
    );
    assert_eq!(
        changed("\"attack\"", "\"atack\""),
        "s.toml:12:9: unknown order \"atack\"; did you mean \"attack\"? known are \"attack\", \"charge\", \"hold\", \"flee\", { guard = METRES }, { go_to = [x, y] }, { move = [x, y] }, { line = [x, y] }, { travel = \"journey\" } or { follow = \"squad\" }"
    );
    assert_eq!(
        changed("[[army]]", "[[army]]\nname = \"red\"\nsquad = [{ count = 1, position = [1, 1] }]\n[[army]]"),
        "s.toml:10:8: there are two armies of the name \"red\", the first in line 7; rename one"
    );
    assert_eq!(
        changed("[[army]]", "[[unit]]\nname = \"knight\"\n[[army]]"),
        "s.toml:7:8: there are two units of the name \"knight\", the first in line 4; rename one"
    );
}

#[test]
fn too_many_are_ignored() {
    let names: Vec<String> = (0..48).map(|i| format!("\"u{i}\"")).collect();
    let units: Vec<String> = names.iter().map(|name| format!("[[unit]]\nname = {name}\n")).collect();
    let units = units.concat();
    let text = GOOD.replace("[[army]]", &format!("{units}[[army]]"));
    let text = text.replace("name = \"knight\"\n", &format!("name = \"knight\"\nignores = [{}]\n", names.join(", ")));
    assert_eq!(error(&text), "s.toml:5:331: a file may ignore at most 47 different units, found one more; remove some");
}

#[test]
fn counts() {
    for count in ["0", "-3", "200001"] {
        assert_eq!(
            changed("count = 2", &format!("count = {count}")),
            format!("s.toml:10:9: count must be a whole number between 1 and 200000 (soldiers a squad), found {count}")
        );
    }
    let six = "[[army.squad]]\ncount = 200000\nposition = [1, 1]\n".repeat(6);
    assert_eq!(
        error(&format!("map = \"a.map\"\n[[army]]\nname = \"red\"\n{six}")),
        "s.toml: 1200000 agents in all; the limit is 1000000"
    );
    assert_eq!(error("map = \"a.map\"\n"), "s.toml: there are no armies; add [[army]] and below it [[army.squad]]");
    assert_eq!(
        error("map = \"a.map\"\n[[army]]\nname = \"red\"\n"),
        "s.toml:3:8: the army \"red\" has no squads; add [[army.squad]] below it, or squad = []"
    );
}

#[test]
fn numbers() {
    let top = |line: &str| changed("[[unit]]", &format!("{line}\n[[unit]]"));
    assert_eq!(top("cell_size = -1"), "s.toml:3:13: cell_size must be between 0.1 and 100 (m), found -1");
    assert_eq!(top("step = nan"), "s.toml:3:8: step must be between 0.001 and 1 (s), found nan");
    assert_eq!(
        top("max_ticks = 0"),
        "s.toml:3:13: max_ticks must be a whole number between 1 and 1000000000 (ticks), found 0"
    );
    assert_eq!(top("seed = -1"), "s.toml:3:8: seed must be a whole number of at least 0, found -1");
    let unit = |line: &str| changed("name = \"knight\"", &format!("name = \"knight\"\n{line}"));
    assert_eq!(
        unit("radius = -0.5"),
        "s.toml:5:10: radius of unit \"knight\" must be between 0.05 and 10 (m), found -0.5"
    );
    assert_eq!(
        unit("top_speed = 1"),
        "s.toml:5:13: top_speed of unit \"knight\" must be between its speed and 100 (m/s), found 1"
    );
    assert_eq!(
        unit("health = inf"),
        "s.toml:5:10: health of unit \"knight\" must be between 0.001 and 1000000000 (points), found inf"
    );
    assert_eq!(unit("mass = 0"), "s.toml:5:8: mass of unit \"knight\" must be between 0.1 and 1000000 (kg), found 0");
    assert_eq!(
        unit("acceleration = -2"),
        "s.toml:5:16: acceleration of unit \"knight\" must be at least 0.01 (m/s²), found -2"
    );
    for priority in ["4", "-70000"] {
        assert_eq!(
            unit(&format!("priority = {priority}")),
            format!(
                "s.toml:5:12: priority of unit \"knight\" must be a whole number between -3 and 3, found {priority}"
            )
        );
    }
    assert_eq!(
        unit("priority = 0.5"),
        "s.toml:5:12: priority of unit \"knight\" must be a whole number between -3 and 3, found 0.5"
    );
    let cost = "a whole number between 1 and 1000 (times the cost of the best ground) or \"closed\"";
    assert_eq!(unit("terrain = { swamp = 0 }"), format!("s.toml:5:21: swamp must be {cost}, found 0"));
    assert_eq!(unit("terrain = { plain = 1001 }"), format!("s.toml:5:21: plain must be {cost}, found 1001"));
    assert_eq!(unit("terrain = { swamp = \"shut\" }"), format!("s.toml:5:21: swamp must be {cost}, found \"shut\""));
    assert_eq!(unit("terrain = { swamp = 1.5 }"), format!("s.toml:5:21: swamp must be {cost}, found 1.5"));
    assert_eq!(unit("terrain = { swap = 3 }"), "s.toml:5:13: unknown key \"swap\"; did you mean \"swamp\"?");
    assert_eq!(unit("terrain = { mud = 3 }"), "s.toml:5:13: unknown key \"mud\"; known are plain, swamp, 0 to 255");
    assert_eq!(
        unit("terrain = 3"),
        "s.toml:5:11: terrain of unit \"knight\" must be written as in { plain = 1, swamp = 3 } or { swamp = \"closed\" }, found 3"
    );
    let squad = |line: &str| changed("order =", &format!("{line}\norder ="));
    assert_eq!(squad("facing = inf"), "s.toml:12:10: facing must be between -360 and 360 (degrees), found inf");
    assert_eq!(
        squad("columns = 0"),
        "s.toml:12:11: columns must be a whole number between 1 and 200000 (soldiers), found 0"
    );
    assert_eq!(
        squad("spacing = 0.5"),
        "s.toml:12:11: spacing must be between 0.8 (twice the radius of its unit) and 100 (m), found 0.5"
    );
    assert_eq!(
        changed("[1.5, 1.5]", "[1.5, nan]"),
        "s.toml:11:18: position must be between -1000000 and 1000000 (m), found nan"
    );
}

#[test]
fn maps() {
    assert_eq!(changed("a.map", "b.map"), "s.toml:1:7: map b.map: no such file; check the path");
    let (folder, _) = folder();
    let missing = folder.path().join("s.toml");
    assert_eq!(
        without(&Scenario::load(&missing).unwrap_err().to_string(), folder.path()),
        "s.toml: no such file; check the path"
    );
    std::fs::write(&missing, b"map = \"\xFF\"").unwrap();
    assert_eq!(
        without(&Scenario::load(&missing).unwrap_err().to_string(), folder.path()),
        "s.toml: cannot be read: it is not UTF-8; save it as plain text"
    );
}

#[test]
fn places() {
    let (scenario, warnings) = load(&GOOD.replace("[1.5, 1.5]", "[5, 1.2]").replace("count = 2", "count = 1"));
    assert_eq!(
        warnings,
        [
            "s.toml:11:12: the position (5, 1.2) is in a wall; the squad was moved to the nearest open cell at (4.5, 0.5)"
        ]
    );
    assert_eq!(scenario.armies[0].squads[0].positions, [throng_grid::geom::Vec2::new(4.5, 0.5)]);
    let (_, warnings) = load(&GOOD.replace("[1.5, 1.5]", "[-0.5, 2.2]"));
    assert_eq!(
        warnings,
        [
            "s.toml:11:12: the position (-0.5, 2.2) is off the map; the squad was moved to the nearest open cell at (0.5, 2.5)"
        ]
    );
    let knight = GOOD.replace("name = \"knight\"", "name = \"knight\"\nradius = 0.9").replace("count = 2", "count = 1");
    let (_, warnings) = load(&knight.replace("[1.5, 1.5]", "[0.5, 1.5]"));
    assert_eq!(
        warnings,
        [
            "s.toml:12:12: the position (0.5, 1.5) is too close to a wall; the squad was moved to the nearest open cell at (1.5, 1.5)"
        ]
    );
    let (_, warnings) = load(&GOOD.replace("\"attack\"", "{ go_to = [7.5, 4.5] }"));
    assert_eq!(
        warnings,
        ["s.toml:12:19: the goal (7.5, 4.5) is off the map; the goal was moved to the nearest open cell at (7.5, 3.5)"]
    );
    assert_eq!(
        changed("count = 2", "count = 200"),
        "s.toml:11:12: only 12 of 200 soldiers find room in this part of the map; \
         lower the count or the spacing, or move the squad"
    );
    assert_eq!(
        changed("name = \"knight\"", "name = \"knight\"\nradius = 3"),
        "s.toml:12:12: the map has no room anywhere for a unit of radius 3 m; choose another map or unit"
    );
}

const JOURNEY: &str = r#"map = "a.map"

[[journey]]
name = "trip"
start = "desk"
[[journey.stop]]
name = "desk"
queue = [2, 1]
serves = 2
then = { round_robin = ["desk", "hall"] }
[[journey.stop]]
name = "hall"
area = { from = [0, 0], to = [3, 3] }
[[journey.stop]]
wait = 4

[[army]]
name = "red"
[[army.squad]]
name = "first"
count = 1
position = [1.5, 1.5]
order = { travel = "trip" }
"#;

#[test]
fn a_good_journey_is_good() {
    let (scenario, warnings) = load(JOURNEY);
    assert_eq!((scenario.journeys.len(), scenario.journeys[0].stops.len(), warnings.len()), (1, 3, 0));
    assert!(scenario.build(1).unwrap().tick().is_ok());
}

#[test]
fn what_is_wrong_with_a_journey_is_said() {
    let known = "way_point, area, wait, queue, leave, follow";
    let mut wrong = Vec::new();
    for (from, to, expected) in [
        ("travel = \"trip\"", "travel = \"trp\"", "23:20: unknown journey \"trp\"; did you mean \"trip\"?".to_owned()),
        ("start = \"desk\"", "start = \"dsk\"", "5:9: unknown stop \"dsk\"; did you mean \"desk\"?".into()),
        ("[\"desk\", \"hall\"]", "[\"desk\", \"loo\"]", "10:33: unknown stop \"loo\"; known are desk, hall".into()),
        ("round_robin", "robin", "10:10: unknown key \"robin\"; known are round_robin, least_targeted".into()),
        ("wait = 4", "wait = { till = 4 }", "15:10: unknown key \"till\"; did you mean \"tick\"?".into()),
        ("wait = 4", "wait = -4", "15:8: wait must be between 0 and 1000000 (s), found -4".into()),
        ("wait = 4", "follow = \"last\"", "15:10: unknown squad \"last\"; known are first".into()),
        ("wait = 4", "then = \"end\"", format!("14:1: a stop has one of the keys {known}, found none")),
        ("wait = 4", "wait = 4\nleave = [1, 1]", format!("14:1: a stop has one of the keys {known}, found wait and leave")),
        ("wait = 4", "wait = 4\ngap = 2", "16:7: the key \"gap\" belongs to queue; this stop is wait".into()),
        ("wait = 4", "wate = 4", "15:1: unknown key \"wate\"; did you mean \"wait\"?".into()),
        ("queue = [2, 1]", "queue = [2, 5]", "8:13: queue must be between 0 and 4 (m), found 5; move it onto the map of 8 m x 4 m".into()),
        ("serves = 2", "serves = 0", "9:10: serves must be a whole number between 1 and 10000 (agents), found 0".into()),
        (", to = [3, 3]", "", "13:8: an area is { from = [x, y], to = [x, y] }, { centre = [x, y], radius = R } or { points = [[x, y], ...] }".into()),
        ("name = \"hall\"", "name = \"desk\"", "12:8: there are two stops of the name \"desk\", the first in line 7; rename one".into()),
        ("{ from = [0, 0], to = [3, 3] }", "{ points = [[0, 0], [1, 1]] }", "4:8: journey \"trip\": the number of points around an area must be at least 3, found 2".into()),
    ] {
        assert!(JOURNEY.contains(from), "{from}");
        let said = error(&JOURNEY.replacen(from, to, 1));
        if said != format!("s.toml:{expected}") {
            wrong.push((said, expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let none = JOURNEY.split("[[journey.stop]]").next().unwrap().replace("start = \"desk\"", "");
    let none = format!("{none}{}", &JOURNEY[JOURNEY.find("[[army]]").unwrap()..]);
    let message = "s.toml:4:8: journey \"trip\": the number of stops of a journey must be at least 1, found 0";
    assert_eq!(error(&none), message);
}
