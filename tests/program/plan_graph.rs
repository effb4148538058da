//! `throng plan` with several goals, with a goal of a size, and over graphs.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::run;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::Path;

const ROOM: &str = "type octile\nheight 5\nwidth 12\nmap\n\
    ......@.....\n\
    ......@.....\n\
    ......@.....\n\
    ......@.....\n\
    ............\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The lines of a plan that begin with one of these words.
fn lines(folder: &Path, args: &str, words: &[&str]) -> Vec<String> {
    let (code, out, error) = run(folder, args);
    assert_eq!((code, error.as_str()), (0, ""), "{args}");
    out.lines().filter(|line| words.iter().any(|word| line.starts_with(word))).map(str::to_owned).collect()
}

#[test]
fn goals_are_several_cells_or_a_disc() {
    let folder = folder(&[("room.map", ROOM)]);
    let plan = |args: &str| lines(folder.path(), &format!("plan room.map --from 5,0 {args}"), &["from", "cost"]);
    let steps = |straight: u32, diagonal: u32| {
        let cost = (straight * 2378 + diagonal * 3363).to_string();
        let (thousands, rest) = cost.split_at(cost.len() - 3);
        format!("cost      {thousands},{rest}")
    };
    // The nearest by distance is behind the wall.
    assert_eq!(plan("--to 7,0 --to 0,0"), ["from, to  5,0 to 0,0, the cheapest of 2 goals".to_owned(), steps(5, 0)]);
    assert_eq!(plan("--to 7,0 --within 2.1")[0], "from, to  5,0 to 5,0, within 2.1 m of 7,0");
    assert_eq!(plan("--to 0,0 --within 2"), ["from, to  5,0 to 2,0, within 2 m of 0,0".to_owned(), steps(3, 0)]);
    // In the wall, and all around it is as good.
    assert_eq!(plan("--to 6,2 --within 1.2"), ["from, to  5,0 to 5,2, within 1.2 m of 6,2".to_owned(), steps(2, 0)]);
    for planner in ["dijkstra", "fringe", "flow-field", "ara"] {
        assert_eq!(plan(&format!("--to 7,0 --to 0,0 --planner {planner}"))[1], steps(5, 0), "{planner}");
    }
    for (args, code, message) in [
        ("--to 7,0 --to 0,0 --planner jps", 1, "error: the planner jps "),
        ("--to 6,2 --within 0.5", 1, "error: no cell of the goal can be stood on"),
        ("--to 7,0 --to 0,0 --within 2", 2, "error: '--within <M>' takes one '--to <X,Y>'"),
        ("--to 7,0 --within -2", 2, "error: invalid value '-2' for '--within <M>'"),
        ("--to 7,0 --within nan", 2, "error: invalid value 'nan' for '--within <M>'"),
        ("--to 7", 2, "error: invalid value '7' for '--to <X,Y>': expected a column and a row"),
        ("--to 7,0 --to 6,1", 1, "error: --to 6,1 is in a wall"),
    ] {
        let (found, out, error) = run(folder.path(), &format!("plan room.map --from 5,0 {args}"));
        assert_eq!((found, out.as_str(), error.starts_with(message)), (code, "", true), "{args}: {error}");
    }
}

const ROADS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/roads.csv");
const PLACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/places.csv");

#[test]
fn every_search_finds_the_cheapest_road() {
    let none = folder(&[]);
    let plan = |args: &str| lines(none.path(), &format!("plan --graph {ROADS} {args}"), &["cost", "route"]);
    let (cost, route) = ("cost      12.5", "route     harbour, market, bridge, mill, farm");
    for planner in
        ["dijkstra", "astar", "astar:manhattan", "astar:octile", "astar:zero", "ara", "bidirectional", "fringe"]
    {
        for nodes in [String::new(), format!(" --nodes {PLACES}")] {
            let found = plan(&format!("--from harbour --to farm --planner {planner}{nodes}"));
            assert_eq!(found, [cost, route], "{planner}{nodes}");
        }
    }
    let weighted = plan(&format!("--from harbour --to farm --planner weighted-astar:1,3 --nodes {PLACES}"));
    let found: f64 = weighted[0].trim_start_matches("cost").trim().parse().unwrap();
    assert!((12.5..=37.5).contains(&found), "{found}");
    // Without positions no node is nearer than another; with them fewer are expanded.
    let expanded = |nodes: &str| {
        let found =
            lines(none.path(), &format!("plan --graph {ROADS} --from harbour --to market{nodes}"), &["expanded"]);
        found[0].trim_start_matches("expanded").trim().parse::<u64>().unwrap()
    };
    assert!(expanded(&format!(" --nodes {PLACES}")) <= expanded(""));
    assert_eq!(plan("--from farm --to harbour")[0], cost);
    let (code, _, error) = run(none.path(), &format!("plan --graph {ROADS} --from farm --to harbour --directed"));
    assert_eq!((code, error.as_str()), (1, "error: no route: the graph has none from \"farm\" to \"harbour\"\n"));
    let (_, out, _) = run(none.path(), &format!("plan --graph {ROADS} --from harbour --to farm --json"));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((json["cost"].as_f64(), json["nodes"].as_array().unwrap().len()), (Some(12.5), 5));
}

#[test]
fn edges_without_costs_count_steps_or_metres() {
    let folder = folder(&[
        ("e.csv", "\u{FEFF}from,to\r\n\r\na,b\r\nb,c\r\na,d\r\nd,c\r\n"),
        ("n.csv", "node,x,y\na,0,0\nb,9,0\nc,4,0\nd,2,0\n"),
    ]);
    let plan =
        |args: &str| lines(folder.path(), &format!("plan --graph e.csv --from a --to c{args}"), &["cost", "route"]);
    assert_eq!(plan("")[0], "cost      2");
    assert_eq!(plan(" --nodes n.csv"), ["cost      4", "route     a, d, c"]);
}

#[test]
fn what_is_wrong_with_a_graph_is_said() {
    for (edges, nodes, args, message) in [
        ("from,to\na,b\n", "", "--from a --to bb", "--to: the graph has no node \"bb\"\n"),
        (
            "from,to\nhome,b\n",
            "",
            "--from hone --to b",
            "--from: the graph has no node \"hone\"; did you mean \"home\"?",
        ),
        ("from,to\na,b\n", "", "--from a --to zoo", "--to: the graph has no node \"zoo\""),
        ("", "", "--from a --to b", "e.csv:1:1: the file is empty, expected the header from,to,cost or from,to"),
        ("a,b\n", "", "--from a --to b", "e.csv:1:1: the header must be from,to,cost or from,to, found \"a,b\""),
        (
            "from,to\n",
            "",
            "--from a --to b",
            "e.csv:1:1: there is no row below the header; add one for each edge or node",
        ),
        ("from,to,cost\n\na,b\n", "", "--from a --to b", "e.csv:3:1: this row has 2 fields, expected 3: from,to,cost"),
        (
            "from,to,cost\na, b,-2\n",
            "",
            "--from a --to b",
            "e.csv:2:6: expected a number from 0 to 1000000000, found \"-2\"",
        ),
        (
            "from,to,cost\na,b,nan\n",
            "",
            "--from a --to b",
            "e.csv:2:5: expected a number from 0 to 1000000000, found \"nan\"",
        ),
        (
            "from,to,cost\na,b,1e10\n",
            "",
            "--from a --to b",
            "e.csv:2:5: expected a number from 0 to 1000000000, found \"1e10\"",
        ),
        (
            "from,to\na,b\n",
            "node,x,y\na,1,2\n",
            "--from a --to b --nodes n.csv",
            "e.csv:2:3: the node \"b\" has no position; add a row for it to the file of --nodes",
        ),
        (
            "from,to\na,b\n",
            "node,x,y\na,1,x\n",
            "--from a --to b --nodes n.csv",
            "n.csv:2:5: expected a number from -1000000000 to 1000000000, found \"x\"",
        ),
        (
            "from,to\na,b\n",
            "node,x,y\na,1,1\na,2,2\n",
            "--from a --to b --nodes n.csv",
            "n.csv:3:1: there are two nodes of the name \"a\"; remove one",
        ),
        (
            "from,to\na,b\n",
            "",
            "--from a --to b --planner jps",
            "--planner jps does not search graphs; choose dijkstra, astar, weighted-astar, ara, bidirectional or fringe",
        ),
        ("from,to\na,b\n", "", "--from a --to b --nodes m.csv", "m.csv: no such file; check the path"),
        ("from,to\na,b\n", "", "--from a --to b --to a", "'--graph <FILE>' takes one '--to <X,Y>'"),
        (
            "from,to\na,b\n",
            "",
            "--from a --to b --nearest",
            "the argument '--graph <FILE>' cannot be used with '--nearest'",
        ),
    ] {
        let folder = folder(&[("e.csv", edges), ("n.csv", nodes)]);
        let (code, out, error) = run(folder.path(), &format!("plan --graph e.csv {args}"));
        assert!(code != 0 && out.is_empty(), "{message}: {out}");
        let error = error.strip_prefix("error: ").unwrap();
        assert!(error.starts_with(message), "{error} instead of {message}");
    }
}

/// A graph of nodes at random places and roads between them, and one on a lattice, whose ways are often equally long: rows of nodes, without the
/// header, each with its place in thousandths, and rows of edges.
fn random_places(random: &mut Pcg32, is_lattice: bool) -> (Vec<[i64; 2]>, String) {
    let place = |i: i64, random: &mut Pcg32| {
        if is_lattice { [i % 5 * 1300, i / 5 * 700] } else { [(); 2].map(|()| random.random_range(0..9000)) }
    };
    let places: Vec<_> = (0..25).map(|i| place(i, random)).collect();
    let mut edges = "from,to\n".to_owned();
    for i in 0..25_i64 {
        let beside = [i + 5, if i % 5 == 4 { i } else { i + 1 }].into_iter().filter(|&to| to < 25);
        let far = [random.random_range(0..25), random.random_range(0..25)].into_iter().filter(|_| !is_lattice);
        for to in beside.chain(far).filter(|&to| to != i) {
            edges += &format!("n{i},n{to}\n");
        }
    }
    (places, edges)
}

/// The same graph elsewhere: the same way of the same cost, by every planner and every estimate.
#[test]
fn a_graph_far_from_the_origin_is_as_exact() {
    let mut random = Pcg32::seed_from_u64(6);
    let mut wrong = Vec::new();
    for round in 0..4 {
        let (places, edges) = random_places(&mut random, round % 2 == 1);
        let table = |shift: [i64; 2]| {
            let decimal = |n: i64| format!("{}{}.{:03}", if n < 0 { "-" } else { "" }, n.abs() / 1000, n.abs() % 1000);
            let row = |(i, place): (usize, &[i64; 2])| {
                format!("n{i},{},{}\n", decimal(place[0] + shift[0]), decimal(place[1] + shift[1]))
            };
            format!("node,x,y\n{}", places.iter().enumerate().map(row).collect::<String>())
        };
        let utm = [500_000_000, 5_400_000_000];
        let folder = folder(&[
            ("e.csv", edges.as_str()),
            ("near.csv", &table([0, 0])),
            ("utm.csv", &table(utm)),
            ("south.csv", &table([-utm[0], -utm[1]])),
        ]);
        for planner in [
            "dijkstra",
            "astar",
            "astar:manhattan",
            "astar:octile",
            "astar:zero",
            "weighted-astar:1,2",
            "ara",
            "bidirectional",
            "fringe",
        ] {
            let plan = |nodes: &str| {
                let args = format!("plan --graph e.csv --nodes {nodes} --from n0 --to n24 --planner {planner}");
                lines(folder.path(), &args, &["cost", "route"])
            };
            let near = plan("near.csv");
            wrong.extend(
                ["utm.csv", "south.csv"]
                    .map(|nodes| (nodes, planner, plan(nodes)))
                    .into_iter()
                    .filter(|far| far.2 != near),
            );
        }
    }
    assert!(wrong.is_empty(), "{} of 72 differ, the first {:?}", wrong.len(), wrong[0]);
}

#[test]
fn a_detour_of_centimetres_counts_in_utm() {
    let folder = folder(&[
        ("e.csv", "from,to\na,b\nb,g\na,c\nc,g\n"),
        ("n.csv", "node,x,y\na,500000,5400000.2\nb,500002,5400000\nc,500002,5.40000026e6\ng,500004,5400000.2\n"),
    ]);
    let found = lines(folder.path(), "plan --graph e.csv --nodes n.csv --from a --to g", &["cost", "route"]);
    assert!(found[0].starts_with("cost      4.0017") && found[1] == "route     a, c, g", "{found:?}");
}
