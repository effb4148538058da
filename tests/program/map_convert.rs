//! ASCII maps, and maps of one kind of file made of those of another: the kept parts, and the exact words of errors.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::run;
use proptest::prelude::*;
use std::path::Path;
use throng::grid::{Grid, Lattice, PLAIN, SWAMP};

fn load(name: &str, text: impl AsRef<[u8]>) -> Result<Grid, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    Grid::load(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

/// `throng map ARGS` in a folder: code, standard output, standard error.
fn map(folder: &Path, args: &str) -> (i32, String, String) {
    run(folder, &format!("map {args}"))
}

const HOUSE: &str = "throng ascii map
legend # = wall
legend = = wall terrain 9

legend . = open
legend ~ = swamp
legend é = terrain 7
cell_size = 0.5
map
#####
#.~=#
#..é#
";

#[test]
fn ascii_maps_are_read() {
    let grid = load("house.txt", HOUSE).unwrap();
    let lattice = grid.lattice();
    assert_eq!((lattice.width, lattice.height, lattice.cell_size), (5, 3, 0.5));
    let open: Vec<_> = lattice.cells().filter(|&cell| grid.is_open(cell)).map(|c| lattice.column_row(c)).collect();
    assert_eq!(open, [(1, 1), (2, 1), (1, 2), (2, 2), (3, 2)]);
    let classes: Vec<u8> = lattice.cells().skip(5).map(|cell| grid.terrain(cell)).collect();
    assert_eq!(classes, [PLAIN, PLAIN, SWAMP, 9, PLAIN, PLAIN, PLAIN, PLAIN, 7, PLAIN]);
    assert!(grid.height_layer().is_none());

    // By its first line under any name, by its name without one; line ends and a byte order mark do no harm.
    let untitled = HOUSE.split_once('\n').unwrap().1;
    let dos = HOUSE.replace('\n', " \r\n");
    for (name, text) in [
        ("house.map", HOUSE),
        ("house", HOUSE),
        ("house.ASCII", untitled),
        ("house.txt", untitled),
        ("house.txt", HOUSE.trim_end()),
        ("house.txt", &dos),
        ("house", &format!("\u{feff}{HOUSE}\n\n")),
    ] {
        assert_eq!(load(name, text).unwrap(), grid, "{name}: {text}");
    }
    assert!(load("house", untitled).is_err());

    let hilly = load("house.txt", format!("{HOUSE}heights in cm\n0 0 0 0 0\n0 1 65535 0 0\n0 0 0\t7  8\n")).unwrap();
    let heights: Vec<u16> = lattice.cells().skip(5).map(|cell| hilly.height(cell)).collect();
    assert_eq!(heights, [0, 1, 65_535, 0, 0, 0, 0, 0, 7, 8]);
    assert_eq!(load("a.txt", "legend . = open\nmap\n.\n").unwrap().lattice().cell_size, 1.0);
}

#[test]
fn ascii_maps_are_checked() {
    let refused = |text: &str, message: &str| assert_eq!(load("a.txt", text).unwrap_err(), message, "{text}");
    let (legend, head) =
        ("legend . = open\nlegend # = wall\n", "\"legend # = wall\" or \"cell_size = 0.5\", or \"map\"");
    let map = |rows: &str| format!("{legend}map\n{rows}");
    let meanings = "\"legend\", a letter, \"=\", and open, swamp, terrain 0 to 255, wall or wall terrain 0 to 255";
    refused("", "a.txt: the file is empty; expected an ASCII map, \"throng ascii map\" first");
    refused(" \n\n", "a.txt: the file is empty; expected an ASCII map, \"throng ascii map\" first");
    refused("hello\n", &format!("a.txt:1: found \"hello\", expected a line of the head, {head}"));
    refused(legend, &format!("a.txt:3: found nothing, expected a line of the head, {head}"));
    refused(
        "\nthrong ascii map\n",
        &format!("a.txt:2: found \"throng ascii map\", expected a line of the head, {head}"),
    );
    for line in ["legend . = opne", "legend .. = open", "legend .", "legend . = terrain 256", "legend = open"] {
        refused(line, &format!("a.txt:1: found {line:?}, expected {meanings}"));
    }
    refused(
        "legend . = open\nlegend . = wall\n",
        "a.txt:2: found \"legend . = wall\", expected one line for each letter of the legend, at most 1000",
    );
    for line in
        ["cell_size = 0", "cell_size = -1", "cell_size = NaN", "cell_size = 1001", "cell_size 2", "cell_size = 1 m"]
    {
        refused(
            line,
            &format!(
                "a.txt:1: found {line:?}, expected \"cell_size = \" and a number of metres from 0.001 to 1000, once"
            ),
        );
    }
    refused(
        "cell_size = 1\ncell_size = 1\n",
        "a.txt:2: found \"cell_size = 1\", expected \"cell_size = \" and a number of metres from 0.001 to 1000, once",
    );
    refused(&map(""), "a.txt: the map is 0 wide and 0 high; it needs at least one column and one row");
    refused(&map("\n..\n"), "a.txt:4: found nothing, expected the first row, letters of the legend");
    let wide = ".".repeat(16_385);
    let limit = "at most 16384 x 16384 cells can be read, split the map";
    refused(&map(&wide), &format!("a.txt: the map is 16385 wide and 1 high; {limit}"));
    refused(&map(&".\n".repeat(16_385)), &format!("a.txt: the map is 1 wide and 16385 high; {limit}"));
    refused(&map("...\n..\n...\n"), "a.txt:5:3: this row has 2 letters, expected 3 as in the first row");
    refused(&map("...\n....\n"), "a.txt:5:4: this row has 4 letters, expected 3 as in the first row");
    refused(&map("...\n\n...\n"), "a.txt:5:1: this row has 0 letters, expected 3 as in the first row");
    refused(&map("...\n.x.\n"), "a.txt:5:2: unknown letter 'x'; the legend explains . #");
    refused(&map("...\n. .\n"), "a.txt:5:2: unknown letter ' '; the legend explains . #");
    refused(
        "map\n.x\n",
        "a.txt:2:2: unknown letter 'x'; the legend explains nothing, so that . G S are open, # @ O T W closed; add a legend \
         for others",
    );
    let heights = "2 heights, whole numbers from 0 to 65535 (cm), for row";
    let high = |lines: &str| map(&format!("..\n.#\nheights in cm\n{lines}"));
    refused(&high(""), &format!("a.txt:7: found nothing, expected {heights} 0"));
    refused(&high("1 2\n"), &format!("a.txt:8: found nothing, expected {heights} 1"));
    refused(&high("1 2\n3\n"), &format!("a.txt:8: found \"3\", expected {heights} 1"));
    refused(&high("1 2 3\n3 4\n"), &format!("a.txt:7: found \"1 2 3\", expected {heights} 0"));
    refused(&high("1 65536\n"), &format!("a.txt:7: found \"1 65536\", expected {heights} 0"));
    refused(&high("1 -2\n"), &format!("a.txt:7: found \"1 -2\", expected {heights} 0"));
    refused(&high("1 2\n3 4\n5 6\n"), "a.txt:9: found \"5 6\", expected nothing: there is a height for each of 2 rows");
    let bytes = [map(".").as_bytes(), b"\xFF\n"].concat();
    assert_eq!(load("a.txt", bytes).unwrap_err(), "a.txt:4:2: byte 0xFF is not UTF-8; save the file as plain text");
}

/// All that a map can be: 512 kinds of ground.
#[test]
fn there_is_a_letter_for_every_kind_of_ground() {
    let lattice = Lattice::new(32, 16, 0.1).unwrap();
    let mut grid = Grid::closed(lattice);
    for (number, cell) in lattice.cells().enumerate() {
        grid.set_open(cell, number < 256);
        grid.set_terrain(cell, number as u8);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.txt");
    grid.save_ascii(&path).unwrap();
    assert_eq!(Grid::load(&path).unwrap(), grid);
}

#[test]
fn maps_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("house.txt"), HOUSE).unwrap();
    let grid = Grid::load(file("house.txt")).unwrap();

    let done = |name: &str| format!("wrote {name}: 5 x 3 cells\n");
    assert_eq!(map(folder.path(), "convert house.txt copy.ascii"), (0, done("copy.ascii"), String::new()));
    assert_eq!(Grid::load(file("copy.ascii")).unwrap(), grid);

    let size = "cells of 0.5 m; give cell_size = 0.5 in the scenario";
    let warnings = format!(
        "warning: house.map cannot hold {size}\n\
         warning: house.map cannot hold terrain of class 7; it becomes plain ground (1 cell)\n\
         warning: house.map cannot hold terrain under walls; it is left out (1 cell)\n"
    );
    assert_eq!(map(folder.path(), "convert house.txt house.map"), (0, done("house.map"), warnings));
    let text = std::fs::read_to_string(file("house.map")).unwrap();
    assert_eq!(text, "type octile\nheight 3\nwidth 5\nmap\n@@@@@\n@.S@@\n@...@\n");

    let warnings = format!(
        "warning: house.png cannot hold {size}\n\
         warning: house.png cannot hold terrain of classes 1, 7; it becomes plain ground (2 cells)\n\
         warning: house.png cannot hold terrain under walls; it is left out (1 cell)\n"
    );
    assert_eq!(map(folder.path(), "convert house.txt house.png"), (0, done("house.png"), warnings));
    let picture = Grid::load(file("house.png")).unwrap();
    assert_eq!(picture.words(), grid.words());

    // A format that holds less goes into one that holds more without a word.
    for (from, to) in [("house.map", "again.txt"), ("house.png", "again.map"), ("again.txt", "again.map")] {
        assert_eq!(map(folder.path(), &format!("convert {from} {to}")), (0, done(to), String::new()));
        assert_eq!(Grid::load(file(from)).unwrap(), Grid::load(file(to)).unwrap(), "{from} to {to}");
    }

    std::fs::write(file("hill.txt"), "legend . = open\nmap\n..\nheights in cm\n0 125\n").unwrap();
    for name in ["hill.map", "hill.png"] {
        let heights = "heights, up to 1.25 m; an ASCII map (.txt) does";
        let expected = (0, format!("wrote {name}: 2 x 1 cells\n"), format!("warning: {name} cannot hold {heights}\n"));
        assert_eq!(map(folder.path(), &format!("convert hill.txt {name}")), expected);
    }
}

/// Between all formats, with a word on the losses.
#[test]
fn maps_for_tiled_and_floor_plans_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let text =
        HOUSE.replace("cell_size = 0.5", "cell_size = 0.75") + "heights in cm\n0 0 0 0 0\n0 1 250 0 0\n0 0 0 0 0\n";
    std::fs::write(file("house.txt"), text).unwrap();
    let grid = Grid::load(file("house.txt")).unwrap();
    let done = |name: &str| format!("wrote {name}: 5 x 3 cells\n");
    for name in ["house.tmx", "house.tmj"] {
        assert_eq!(map(folder.path(), &format!("convert house.txt {name}")), (0, done(name), String::new()));
        assert_eq!(Grid::load(file(name)).unwrap(), grid);
        assert!(file("house-tiles.png").is_file());
    }
    let high = "heights, up to 2.5 m; an ASCII map (.txt) does";
    let warning = format!("warning: house.geojson cannot hold {high}\n");
    assert_eq!(map(folder.path(), "convert house.tmx house.geojson"), (0, done("house.geojson"), warning));
    let plan = Grid::load(file("house.geojson")).unwrap();
    assert_eq!((plan.words(), plan.terrain_layer()), (grid.words(), grid.terrain_layer()));
    let warnings = format!(
        "warning: house.wkt cannot hold cells of 0.75 m; give cell_size = 0.75 in the scenario\n\
         warning: house.wkt cannot hold terrain of classes 1, 7; it becomes plain ground (2 cells)\n\
         warning: house.wkt cannot hold terrain under walls; it is left out (1 cell)\n\
         warning: house.wkt cannot hold {high}\n\
         warning: house.wkt cannot hold walls along the sides of the map; 3 x 2 cells are left, from column 1 and row 1 on\n"
    );
    assert_eq!(map(folder.path(), "convert house.tmj house.wkt"), (0, done("house.wkt"), warnings));
    let (code, out, _) = map(folder.path(), "convert house.wkt again.txt --cell-size 0.75");
    assert_eq!((code, out.as_str()), (0, "wrote again.txt: 3 x 2 cells\n"));
    let (_, out, _) = map(folder.path(), "check house.wkt --cell-size 0.25");
    assert_eq!(out, "house.wkt: ok, 9 x 6 cells of 0.25 m, 45 of them open\n");
    let (_, out, _) = map(folder.path(), "check house.wkt --cell-size 0.75 --polygons obstacles");
    assert!(out.starts_with("house.wkt: ok, 9 x 8 cells of 0.75 m"), "{out}");

    let areas = "<map width=\"2\" height=\"1\" tilewidth=\"8\" tileheight=\"8\"><objectgroup>\
                 <object name=\"gate\" class=\"spawn\" x=\"8\" width=\"8\" height=\"8\"/></objectgroup></map>";
    std::fs::write(file("gate.tmx"), areas).unwrap();
    let (_, out, _) = map(folder.path(), "info gate.tmx");
    assert!(out.ends_with("area       \"gate\", 1.0,0.0 to 2.0,1.0 m\n"), "{out}");
    let (_, _, warnings) = map(folder.path(), "convert gate.tmx gate.txt");
    assert_eq!(warnings, "warning: gate.txt cannot hold spawn areas; a Tiled map (.tmx) does (1)\n");

    std::fs::write(file("c.toml"), "default = \"wall\"\n[colours]\n\"#ffffff\" = \"swamp\"\n").unwrap();
    map(folder.path(), "convert house.txt house.png");
    let (code, out, _) = map(folder.path(), "info house.png --colours c.toml");
    assert!(code == 0 && out.contains("terrain    class 1: 5 cells, 100.0 % of the open ones\n"), "{out}");
    assert_eq!(
        map(folder.path(), "info house.png --colours no.toml"),
        (1, String::new(), "error: no.toml: no such file; check the path\n".into())
    );
}

#[test]
fn what_cannot_be_converted_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("house.txt"), HOUSE).unwrap();
    std::fs::write(file("house.map"), "before").unwrap();
    let refused = |args: &str, message: &str| {
        assert_eq!(map(folder.path(), args), (1, String::new(), format!("error: {message}\n")), "{args}");
        assert_eq!(std::fs::read_to_string(file("house.txt")).unwrap(), HOUSE);
        assert_eq!(std::fs::read_to_string(file("house.map")).unwrap(), "before");
    };
    let input = "is what is read here and would be overwritten; choose another with OUT";
    refused("convert house.txt house.txt", &format!("house.txt {input}"));
    refused("convert house.txt ./house.txt", &format!("./house.txt {input}"));
    let kinds = "maps are written as .map (Moving AI), .txt or .ascii (with all there is), .tmx or .tmj (Tiled), .geojson, .wkt and .png";
    refused("convert house.txt house.jpg", &format!("house.jpg: {kinds}; choose one of these endings"));
    refused("convert house.txt house", &format!("house: {kinds}; choose one of these endings"));
    refused("convert no.txt house.map", "no.txt: no such file; check the path");
    refused("convert house.map a.png", "house.map:1: found \"before\", expected \"type octile\"");
}

#[test]
fn maps_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("house.txt"), HOUSE).unwrap();
    std::fs::write(folder.path().join("bad.map"), "type octile\nheight 1\nwidth 2\nmap\n.x\n").unwrap();
    assert_eq!(
        map(folder.path(), "check house.txt"),
        (0, "house.txt: ok, 5 x 3 cells of 0.5 m, 5 of them open\n".into(), String::new())
    );
    let error = "error: bad.map:5:2: unknown letter 'x'; known are . G S (open) and @ O T W (closed)\n";
    assert_eq!(map(folder.path(), "check bad.map"), (1, String::new(), error.into()));
    // All are looked at, even after a bad first one.
    assert_eq!(
        map(folder.path(), "check bad.map house.txt"),
        (1, "house.txt: ok, 5 x 3 cells of 0.5 m, 5 of them open\n".into(), error.into())
    );
}

/// New maps may be ASCII maps, with the heights in them.
#[test]
fn new_maps_are_written_as_ascii() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, error) = map(folder.path(), "new hills --size 96x96 --seed 3 --out hills.txt");
    assert_eq!((code, out.as_str(), error.as_str()), (0, "wrote hills.txt: hills, 96 x 96 cells, seed 3\n", ""));
    map(folder.path(), "new hills --size 96x96 --seed 3 --out hills.map");
    let grid = Grid::load(folder.path().join("hills.txt")).unwrap();
    assert!(grid.height_layer().is_some());
    assert_eq!(grid.words(), Grid::load(folder.path().join("hills.map")).unwrap().words());
}

/// A scenario takes the side of a cell from the map, unless it says otherwise.
#[test]
fn scenarios_take_the_cell_size_of_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let side = |size: &str| {
        write(
            "a.toml",
            &format!(
                "map = \"a.txt\"\n{size}\n[[army]]\nname = \"red\"\nsquad = [{{ count = 1, position = [2, 2] }}]\n"
            ),
        );
        let scenario = throng::scenario::Scenario::load(folder.path().join("a.toml"));
        scenario.map(|(scenario, _)| scenario.grid.lattice().cell_size).map_err(|error| error.to_string())
    };
    let map = |size: &str| format!("legend . = open\ncell_size = {size}\nmap\n{}", "........\n".repeat(8));
    write("a.txt", &map("0.75"));
    assert_eq!((side(""), side("cell_size = 2")), (Ok(0.75), Ok(2.0)));
    write("a.txt", &map("0.01"));
    let message = side("").unwrap_err();
    assert!(
        message.ends_with("a.txt: its cells have a side of 0.01 m, a scenario takes 0.1 to 100 m; give it a cell_size"),
        "{message}"
    );
}

/// A random map: walls, terrain, heights, and the side of a cell.
fn grids(classes: u8, walls_have_classes: bool, highest: u16) -> impl Strategy<Value = Grid> {
    (1..20_u32, 1..12_u32).prop_flat_map(move |(width, height)| {
        let cell = (any::<bool>(), 0..=classes, 0..=highest);
        let cells = prop::collection::vec(cell, (width * height) as usize);
        (cells, 0.01_f32..200.0).prop_map(move |(cells, cell_size)| {
            let lattice = Lattice::new(width, height, cell_size).unwrap();
            let mut grid = Grid::closed(lattice);
            for (cell, (open, class, height)) in lattice.cells().zip(cells) {
                grid.set_open(cell, open);
                grid.set_height(cell, height);
                if open || walls_have_classes {
                    grid.set_terrain(cell, class);
                }
            }
            grid
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn ascii_holds_everything(grid in grids(255, true, u16::MAX)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        grid.save_ascii(&path).unwrap();
        prop_assert_eq!(Grid::load(&path).unwrap(), grid);
    }

    #[test]
    fn moving_ai_holds_walls_and_swamp(grid in grids(1, false, 0)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.map");
        grid.save_map(&path).unwrap();
        prop_assert_eq!(Grid::load(&path).unwrap(), grid.with_cell_size(1.0));
    }

    #[test]
    fn png_holds_walls(grid in grids(0, false, 0)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        grid.save_png(&path).unwrap();
        prop_assert_eq!(Grid::load(&path).unwrap(), grid.with_cell_size(1.0));
    }

    #[test]
    fn png_holds_heights(grid in grids(0, false, u16::MAX)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let white = grid.save_heights(&path).unwrap();
        let mut level = Grid::closed(grid.lattice());
        level.load_heights(&path, white).unwrap();
        for cell in grid.lattice().cells() {
            prop_assert_eq!(level.height(cell), grid.height(cell));
        }
    }

    /// Text of all sorts ends in a map or in an error, never in a panic.
    #[test]
    fn no_text_can_panic_the_reader(
        head in "(legend [.#~a] (=|) (open|wall|swamp|terrain [0-9]{1,4})\\n|cell_size = [0-9.e-]{1,5}\\n|\\n){0,5}",
        rows in "(map\\n|)([.#~a]{0,4}\\n){0,4}(heights in cm\\n|)([0-9 ]{0,8}\\n){0,4}",
        noise in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let _ = load("a.txt", format!("{head}{rows}"));
        let _ = load("a.txt", &noise);
        let _ = load("a", [b"throng ascii map\n".as_slice(), &noise].concat());
    }
}
