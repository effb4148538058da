//! Floor plans on the command line: coordinates, levels, lines, and maps without open ground.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::run;

const FLOOR: &str = r#"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[
{"type":"Feature","properties":{"walkable":true,"level":1},"geometry":{"type":"Polygon","coordinates":
[[[8.4,49.01],[8.40082,49.01],[8.40082,49.01036],[8.4,49.01036],[8.4,49.01]]]}},
{"type":"Feature","properties":{"walkable":true,"level":2},"geometry":{"type":"Polygon","coordinates":
[[[8.4,49.01],[8.40041,49.01],[8.40041,49.01036],[8.4,49.01036],[8.4,49.01]]]}}]}"#;

#[test]
fn plans_in_degrees_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("floor.geojson", &FLOOR.replace(",\"level\":1", "").replace(",\"level\":2", ""));
    write("floor.wkt", "SRID=4326;POLYGON ((8.4 49.01, 8.40082 49.01, 8.40082 49.01036, 8.4 49.01036))");
    write("bare.wkt", "POLYGON ((8.4 49.01, 8.40082 49.01, 8.40082 49.01036, 8.4 49.01036))");
    for name in ["floor.geojson", "floor.wkt", "bare.wkt"] {
        for command in
            ["map check FILE", "map info FILE", "map convert FILE a.txt", "plan FILE --from 9,9 --to 200,100"]
        {
            let args = command.replace("FILE", name);
            let (code, out, error) = run(folder.path(), &args);
            assert!(code == 1 && out.is_empty() && error.contains("--project"), "{args}: {code} {out} {error}");
            let (code, _, error) = run(folder.path(), &format!("{args} --project"));
            assert_eq!((code, error.as_str()), (0, ""), "{args} --project");
        }
        let (code, out, _) = run(folder.path(), &format!("map check {name} --project --cell-size 1"));
        assert_eq!((code, out.starts_with(&format!("{name}: ok, 60 x 41 cells of 1 m, "))), (0, true), "{out}");
    }
    // The numbers are metres where that is said: a plan smaller than a cell, whose only cell is a wall.
    let (code, _, error) = run(folder.path(), "map check bare.wkt --project=false");
    assert_eq!(code, 1, "{error}");
    let (code, _, error) = run(folder.path(), "map check bare.wkt --project=maybe");
    assert!(code == 2 && error.contains("'maybe'"), "{error}");
}

#[test]
fn levels_and_widths_are_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("house.geojson", FLOOR);
    write("room.wkt", "POLYGON ((0 0, 6 0, 6 4, 0 4)) LINESTRING (3 0, 3 4)");
    let (code, _, error) = run(folder.path(), "map check house.geojson --project");
    assert!(
        code == 1 && error.contains("levels 1, 2, expected those of one level; choose one with --level"),
        "{error}"
    );
    for (level, columns) in [(1, 60), (2, 30)] {
        let (_, out, _) =
            run(folder.path(), &format!("map check house.geojson --project --cell-size 1 --level {level}"));
        assert!(out.starts_with(&format!("house.geojson: ok, {columns} x 41 cells")), "{out}");
    }
    for (width, open) in [("", 368), (" --wall-width 1", 320), (" --wall-width 2", 256)] {
        let (_, out, _) = run(folder.path(), &format!("map check room.wkt{width}"));
        assert_eq!(out, format!("room.wkt: ok, 24 x 16 cells of 0.25 m, {open} of them open\n"), "{width}");
    }
    let (code, _, error) = run(folder.path(), "map check room.wkt --wall-width 0");
    assert!(code == 2 && error.contains("expected a number of metres from 0.001 to 1000"), "{error}");
}

#[test]
fn no_map_without_an_open_cell_is_ok() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.map", "type octile\nheight 1\nwidth 3\nmap\n@@@\n");
    write("a.txt", "legend # = wall\nmap\n##\n##\n");
    write("a.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9), (-1 -1, 10 -1, 10 10, -1 10))");
    write("a.geojson", r#"{"type":"Polygon","bbox":[0,0,4,4],"coordinates":[[[0,0],[4,0],[4,4],[0,4]]]}"#);
    write(
        "a.tmx",
        "<map width=\"2\" height=\"1\" tilewidth=\"8\" tileheight=\"8\"><tileset firstgid=\"1\" tilewidth=\"8\" tileheight=\"8\" \
        tilecount=\"1\" columns=\"1\"/><layer name=\"walls\" width=\"2\" height=\"1\"><data encoding=\"csv\">1,1</data></layer></map>",
    );
    for (name, size) in
        [("a.map", "3 x 1"), ("a.txt", "2 x 2"), ("a.wkt", "36 x 36"), ("a.geojson", "16 x 16"), ("a.tmx", "2 x 1")]
    {
        let (code, out, error) = run(folder.path(), &format!("map check {name}"));
        assert_eq!((code, out.as_str()), (1, ""), "{name}");
        assert!(error.starts_with(&format!("error: {name}: none of its {size} cells of ")), "{error}");
    }
    let (code, out, _) = run(folder.path(), "map check a.map --json");
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &all[0]["ok"]), (1, &serde_json::Value::Bool(false)));
}
