//! What a reader of maps left out is told by every command that reads one.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::run;

const MAP: &str = r#"<map orientation="orthogonal" width="8" height="8" tilewidth="16" tileheight="16" infinite="0">
<objectgroup name="Walls"><object x="32" y="0" width="16" height="32"/>
<object name="gate" x="4" y="4"><point/></object></objectgroup>
</map>
"#;

const SCENARIO: &str = r#"
map = "a.tmx"
max_ticks = 2
[[army]]
name = "red"
squad = [{ count = 1, position = [4.5, 4.5] }]
"#;

#[test]
fn every_command_that_reads_a_map_tells_what_was_left_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.tmx"), MAP).unwrap();
    std::fs::write(folder.path().join("a.toml"), SCENARIO).unwrap();
    let warning =
        "a.tmx:3:1: the point \"gate\" is no wall, since it has no extent; draw a rectangle, a polygon or a line";
    for command in [
        "map check a.tmx",
        "map info a.tmx",
        "map convert a.tmx b.map",
        "plan a.tmx --from 0,0 --to 7,7",
        "compare a.tmx --queries 1",
        "run a.toml --out out",
    ] {
        let (code, _, told) = run(folder.path(), command);
        let count = told.lines().filter(|line| *line == format!("warning: {warning}")).count();
        assert_eq!((code, count), (0, 1), "{command}: {told}");
    }
    // What is written has the wall.
    let (_, told, warnings) = run(folder.path(), "map check b.map");
    assert_eq!((told.as_str(), warnings.as_str()), ("b.map: ok, 8 x 8 cells of 1 m, 62 of them open\n", ""));
    let (_, told, _) = run(folder.path(), "map check a.tmx --json");
    let checked: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(checked[0]["warnings"], serde_json::json!([warning]));
}
