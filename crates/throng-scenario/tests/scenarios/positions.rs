//! A point of a scenario that is off its map is an error that names the map; one beside the last cell is put right.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_scenario::schema::{Kind, Table};
use throng_scenario::{Scenario, Warning};

const ARMY: &str = "[[army]]\nname = \"red\"\n[[army.squad]]\nname = \"van\"\ncount = 1\nposition = [2.5, 2.5]\n";
const STOP: &str = "[[journey]]\nname = \"round\"\n[[journey.stop]]\n";
const TRIGGER: &str = "[[trigger]]\nname = \"one\"\norder = { squad = \"van\", order = \"hold\" }\n";

/// Each key that takes a point, and files with `POINT` in its place; a goal or a start may be a cell off the map.
fn cases() -> Vec<(&'static str, &'static str, String, bool)> {
    let squad = |key: &str| ARMY.replace("position = [2.5, 2.5]", key);
    let order = |order: &str| format!("{ARMY}order = {order}\n");
    let objective = |area: &str| format!("{ARMY}[[army.objective]]\nhold = {area}\nseconds = 5\n");
    let entry = |area: &str| format!("{ARMY}{TRIGGER}enters = {{ army = \"red\", {area} }}\n");
    let wave = |key: &str| {
        format!("{ARMY}[[trigger]]\nname = \"one\"\nat = 3\n[[trigger.squad]]\narmy = \"red\"\ncount = 1\n{key}\n")
    };
    let told = |order: &str| format!("{ARMY}{}at = 3\n", TRIGGER.replace("\"hold\"", order));
    vec![
        ("a squad", "position", squad("position = POINT"), true),
        ("a squad", "position", wave("position = POINT"), true),
        ("a squad", "places", squad("places = [POINT]"), true),
        ("a squad", "places", wave("places = [POINT]"), true),
        ("an order", "go_to", order("{ go_to = POINT }"), true),
        ("an order", "go_to", told("{ go_to = POINT }"), true),
        ("an order", "go_to", format!("{ARMY}then = [\"hold\", {{ go_to = POINT }}]\n"), true),
        ("an order", "move", order("{ move = POINT }"), true),
        ("an order", "line", order("{ line = POINT, width = 3 }"), true),
        ("an area", "from", objective("{ from = POINT, to = [3, 3] }"), false),
        ("an area", "to", objective("{ from = [3, 3], to = POINT }"), false),
        ("an area", "centre", objective("{ centre = POINT, radius = 3 }"), false),
        ("an area", "points", objective("{ points = [[1, 1], [4, 1], POINT] }"), false),
        ("an area", "centre", format!("{ARMY}{STOP}area = {{ centre = POINT, radius = 3 }}\n"), false),
        ("an entry", "from", entry("from = POINT, to = [3, 3]"), false),
        ("an entry", "to", entry("from = [3, 3], to = POINT"), false),
        ("an entry", "centre", entry("centre = POINT, radius = 3"), false),
        ("an entry", "points", entry("points = [[1, 1], [4, 1], POINT]"), false),
        ("a link", "from", format!("{ARMY}[[link]]\nfrom = POINT\nto = [5.5, 5.5]\n"), false),
        ("a link", "to", format!("{ARMY}[[link]]\nfrom = [5.5, 5.5]\nto = POINT\n"), false),
        (
            "something breakable",
            "from",
            format!("{ARMY}[[breakable]]\nfrom = POINT\nto = [12, 12]\nhealth = 3\n"),
            false,
        ),
        ("something breakable", "to", format!("{ARMY}[[breakable]]\nfrom = [8, 8]\nto = POINT\nhealth = 3\n"), false),
        ("a fire", "position", format!("{ARMY}[[fire]]\nposition = POINT\n"), false),
        ("a stop", "way_point", format!("{ARMY}{STOP}way_point = POINT\n"), false),
        ("a stop", "queue", format!("{ARMY}{STOP}queue = POINT\n"), false),
        ("a stop", "leave", format!("{ARMY}{STOP}leave = POINT\n"), false),
    ]
}

fn load(text: &str) -> Result<Vec<Warning>, String> {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..10).map(|y| if y == 9 { "..........@@........\n" } else { "....................\n" }).collect();
    std::fs::write(folder.path().join("a.map"), format!("type octile\nheight 10\nwidth 20\nmap\n{rows}")).unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, format!("map = \"a.map\"\n{text}")).unwrap();
    let place = format!("{}/", folder.path().display());
    Scenario::load(&file).map(|(_, warnings)| warnings).map_err(|error| error.to_string().replace(&place, ""))
}

#[test]
fn a_point_off_the_map_is_an_error_that_names_the_map() {
    for (table, key, text, may_be_beside) in cases() {
        for (point, found, axis, most) in [
            ("[570, 5]", "570", 0, 20),
            ("[-40, 5]", "-40", 0, 20),
            ("[5, 31.5]", "31.5", 1, 10),
            ("[5, -2.5]", "-2.5", 1, 10),
            ("[5, 11.25]", "11.25", 1, 10),
        ] {
            let told = load(&text.replace("POINT", point)).expect_err(&format!("{key} of {table}: {point}"));
            let all = format!("map = \"a.map\"\n{text}");
            let before = all.split("POINT").next().unwrap();
            let column =
                before.lines().last().map_or(0, str::len) + 2 + if axis == 1 { point.find(' ').unwrap() } else { 0 };
            let expected = format!(
                "a.toml:{}:{column}: {key} must be between 0 and {most} (m), found {found}; move it onto the map of 20 m x 10 m",
                before.lines().count()
            );
            assert_eq!(told, expected, "{key} of {table}: {point}");
        }
        // Beside the last cell.
        let beside = load(&text.replace("POINT", "[5, 10.75]"));
        assert_eq!(beside.is_ok(), may_be_beside, "{key} of {table}: {beside:?}");
        if let Ok(warnings) = beside {
            assert_eq!(warnings.len(), 1, "{key} of {table}: {warnings:?}");
        }
    }
    for table in Table::ALL {
        let is_point = |kind: Kind| matches!(kind, Kind::Point | Kind::List(Kind::Point));
        // An offset is no place.
        for key in table.keys.iter().filter(|key| is_point(key.kind) && key.name != "offset") {
            let is_tried = cases().iter().any(|(of, name, ..)| *of == table.title && *name == key.name);
            assert!(is_tried, "{} of {}", key.name, table.title);
        }
    }
}
