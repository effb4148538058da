//! `throng indices` as a user meets it.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::{ended, throng};
use std::path::Path;
use throng::spatial::{IndexKind, Parameter, SceneKind, Sort};

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    ended(throng(folder).arg("indices").args(args))
}

/// The first line of the error alone, and that it ends with 2.
fn error(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, error) = run(folder.path(), args);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{args:?}");
    error.lines().next().unwrap().to_owned()
}

#[test]
fn every_index_in_every_scene() {
    let folder = tempfile::tempdir().unwrap();
    let args = "--agents 50,200 --scenes all --frames 3 --seed 7 --csv a.csv --plot a.svg";
    let (code, out, error) = run(folder.path(), &args.split(' ').collect::<Vec<_>>());
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.ends_with("\nwrote a.csv, a.svg\n"), "{out}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");

    let text = std::fs::read_to_string(folder.path().join("a.csv")).unwrap();
    assert_eq!(text.lines().next(), Some("scene,agents,index,build_ns,pairs_ns,total_ns,tests,pairs"));
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    let mut next = rows.iter();
    let mut tables = out.split("\n\n");
    for scene in SceneKind::ALL {
        for agents in [50, 200] {
            let mut lines = tables.next().unwrap().lines();
            let pairs = &rows.iter().find(|row| row[0] == *scene.name() && row[1] == agents.to_string()).unwrap()[7];
            let counted = if pairs == "1" { "1 pair".into() } else { format!("{pairs} pairs") };
            let caption = format!("{scene}: {agents} bodies, {counted}; density 0.15, seed 7");
            assert_eq!(lines.next(), Some(caption.as_str()));
            let head = lines.next().unwrap();
            let columns: Vec<&str> = head.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
            let expected = ["index", "build ns", "pairs ns", "total ns", "frames/s", "tests", "cells", "≤ 5", "KB"];
            assert_eq!(columns, expected);
            // The fastest comes first.
            let lines: Vec<&str> = lines.take(IndexKind::ALL.len()).collect();
            let rates: Vec<u64> = lines
                .iter()
                .map(|line| line.split_whitespace().nth(4).unwrap().replace(',', "").parse().unwrap())
                .collect();
            assert!(rates.is_sorted_by(|a, b| a >= b), "{out}");
            for kind in IndexKind::ALL {
                let row = next.next().unwrap();
                assert_eq!(
                    [&row[0], &row[1], &row[2], &row[7]],
                    [scene.name(), &agents.to_string(), kind.name(), pairs]
                );
                assert!(lines.iter().any(|line| line.starts_with(&format!("{kind} "))), "{kind}");
                let number = |column: usize| row[column].parse::<f64>().unwrap();
                assert!((number(3) + number(4) - number(5)).abs() < 0.01 && number(6) >= number(7), "{row:?}");
            }
        }
    }
    assert_eq!(next.next(), None);

    let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let names = IndexKind::ALL.map(IndexKind::name).into_iter().chain(SceneKind::ALL.map(SceneKind::name));
    for text in names.chain(["frames per second", "bodies", "200 bodies"]) {
        assert!(svg.contains(text), "{text} is not in the plot");
    }
}

#[test]
fn tunings_are_tried_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let args = "--agents 1 --scenes line --indices grid,quadtree --cell 2,4.5 --capacity 4,8 --density 10 --frames 2";
    let (code, out, error) = run(folder.path(), &args.split(' ').collect::<Vec<_>>());
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("line: 1 body, 0 pairs; density 10, seed 1\n"), "{out}");
    for name in ["grid:cell=2", "grid:cell=4.5"] {
        assert!(out.contains(&format!("\n{name}  ")), "a grid splits no cell: {name}: {out}");
    }
    for tuning in ["cell=2:capacity=4", "cell=2:capacity=8", "cell=4.5:capacity=4", "cell=4.5:capacity=8"] {
        assert!(out.contains(&format!("\nquadtree:{tuning}  ")), "{tuning}: {out}");
    }
    assert_eq!(out.lines().count(), 8, "{out}");
}

#[test]
fn an_index_that_is_named_with_a_parameter_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let args = "--agents 30 --scenes uniform --indices sections:9,sections,grid --sections 4,16 --frames 2";
    let (code, out, error) = run(folder.path(), &args.split(' ').collect::<Vec<_>>());
    assert_eq!((code, error.as_str()), (0, ""));
    for name in ["sections:sections=9", "sections:sections=4", "sections:sections=16", "grid"] {
        assert!(out.contains(&format!("\n{name} ")), "{name}: {out}");
    }
    let (code, _, error) = run(folder.path(), &["--indices", "kd-tree", "--capacity", "100"]);
    let message = "error: the capacity of the index kd-tree must be a whole number from 1 to 64, found \"100\"\n";
    assert_eq!((code, error.as_str()), (2, message));
}

#[test]
fn sorts_are_tried_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let base = ["--agents", "300", "--scenes", "uniform", "--frames", "3", "--indices", "sweep,closest-pair"];
    let names = |sort: &[&str]| -> Vec<String> {
        let (code, out, error) = run(folder.path(), &[&base, sort, &["--csv", "a.csv"]].concat());
        assert_eq!((code, error.as_str()), (0, ""), "{out}");
        let mut csv = csv::Reader::from_path(folder.path().join("a.csv")).unwrap();
        csv.records().map(|row| row.unwrap()[2].to_owned()).collect()
    };
    assert_eq!(names(&[]), ["sweep", "closest-pair"]);
    let all = Sort::ALL.map(|sort| format!("closest-pair:sort={sort}"));
    assert_eq!(names(&["--sort", "all"]), [&["sweep".to_owned()], &all[..]].concat());
    for sort in Sort::ALL {
        assert_eq!(names(&["--sort", sort.name()]), ["sweep".to_owned(), format!("closest-pair:sort={sort}")]);
    }
}

#[test]
fn an_option_that_concerns_nobody_is_an_error() {
    for (args, those) in [
        (["--indices", "grid,sweep", "--sort", "quick"], "closest-pair"),
        (
            ["--indices", "grid,sweep", "--capacity", "4"],
            "quadtree, quadtree-leaves, linear-quadtree, kd-tree, axis-bsp, bsp, dynamic-buckets",
        ),
        (
            ["--indices", "bvh", "--cell", "4"],
            "grid, quadtree, quadtree-leaves, linear-quadtree, loose-quadtree, axis-bsp, buckets, dynamic-buckets, hash, \
             two-level",
        ),
    ] {
        let option = args[2];
        assert_eq!(
            error(&args),
            format!(
                "error: {option} concerns none of the indices chosen, only {those}; choose some of these with --indices"
            )
        );
    }
}

#[test]
fn bad_options_are_explained() {
    let scenes = SceneKind::ALL.map(SceneKind::name).join(", ");
    let indices = IndexKind::ALL.map(IndexKind::name).join(", ");
    let sorts = Sort::ALL.map(Sort::name).join(", ");
    let numbers = |low: &str, high: &str, found: &str| {
        format!("expected numbers from {low} to {high} separated by commas, found \"{found}\"")
    };
    let crowd = |found: &str| numbers("1", "4000000", found);
    let several =
        |what: &str, found: &str| format!("expected {what}, or several separated by commas, found \"{found}\"");
    let side = |found: &str| several("a number from 0.01 to 1000000 (m)", found);
    let held = |found: &str| several("a whole number from 1 to 1048576", found);
    let sorted = |found: &str| format!("unknown sort {found:?}; known are {sorts}");
    let density = "expected a number from 0.000001 to 10";
    let frames = "expected a whole number from 2 to 100000";
    for (option, value, message) in [
        ("agents", "", crowd("")),
        ("agents", "0", crowd("0")),
        ("agents", "10,-5", crowd("-5")),
        ("agents", "-5", crowd("-5")),
        ("agents", "4000001", crowd("4000001")),
        ("agents", "1e3", crowd("1e3")),
        ("agents", "10,20,10", "10 is named twice".into()),
        ("scenes", "", format!("unknown scene \"\"; known are {scenes}")),
        ("scenes", "line,lime", format!("unknown scene \"lime\"; known are {scenes}")),
        ("scenes", "line,line", "line is named twice".into()),
        ("indices", "gird", format!("unknown index \"gird\"; known are {indices}")),
        ("indices", "KdTree", format!("unknown index \"KdTree\"; known are {indices}")),
        ("indices", "phone book", format!("unknown index \"phone book\"; known are {indices}")),
        ("indices", "grid,bvh,grid", "grid is named twice".into()),
        ("indices", "grid:2,grid:cell=2", "grid:cell=2 is named twice".into()),
        ("indices", "bvh:4", "the index bvh has no parameters, found \"4\"".into()),
        (
            "indices",
            "kd-tree:65",
            "the capacity of the index kd-tree must be a whole number from 1 to 64, found \"65\"".into(),
        ),
        ("sections", "4,0", several("a whole number from 1 to 1048576", "0")),
        ("density", "0", density.into()),
        ("density", "-0.1", density.into()),
        ("density", "NaN", density.into()),
        ("density", "inf", density.into()),
        ("density", "dense", density.into()),
        ("cell", "0", side("0")),
        ("cell", "-1", side("-1")),
        ("cell", "2,nan", side("nan")),
        ("cell", "2,2.0", "2 is named twice".into()),
        ("capacity", "0", held("0")),
        ("capacity", "-1", held("-1")),
        ("capacity", "1.5", held("1.5")),
        ("sort", "heap", sorted("heap")),
        ("sort", "quick,buble", sorted("buble")),
        ("sort", "quick,quick", "quick is named twice".into()),
        ("frames", "1", frames.into()),
        ("frames", "-3", frames.into()),
        ("frames", "1e9", frames.into()),
        ("seed", "-1", "expected a whole number from 0".into()),
        ("plot", "a.png", "expected a name that ends in .svg".into()),
    ] {
        let found = error(&[&format!("--{option}"), value]);
        assert!(found.starts_with(&format!("error: invalid value '{value}' for '--{option} <")), "{found}");
        assert!(found.ends_with(&format!(">': {message}")), "{found}");
    }
}

#[test]
fn every_name_is_in_the_help_and_in_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    let (code, help, error) = run(folder.path(), &["--help"]);
    assert_eq!((code, error.as_str()), (0, ""));
    let word = |text: &str, name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name);
    let manual = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenarios.md")).unwrap();
    for name in IndexKind::ALL.map(IndexKind::name) {
        assert!(word(&help, name), "{name} is not in\n{help}");
        assert!(manual.lines().any(|line| line.starts_with(&format!("| `{name}` | "))), "{name} has no row");
    }
    for name in SceneKind::ALL.map(SceneKind::name).into_iter().chain(Sort::ALL.map(Sort::name)) {
        assert!(word(&help, name), "{name} is not in\n{help}");
    }
}

#[test]
fn every_parameter_is_in_the_manual() {
    let manual = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenarios.md")).unwrap();
    for parameter in Parameter::all() {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for kind in IndexKind::ALL.into_iter().filter(|&kind| parameter.concerns(kind)) {
            let values = parameter.expected(kind);
            match groups.iter_mut().find(|(known, _)| *known == values) {
                Some((_, kinds)) => kinds.push(kind.name()),
                None => groups.push((values, vec![kind.name()])),
            }
        }
        for (values, kinds) in groups {
            let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
            let row = format!("| `{}` | {} | {values} | {} |", parameter.name(), parameter.about(), kinds.join(", "));
            assert!(manual.lines().any(|line| line == row), "docs/scenarios.md lacks\n{row}");
        }
    }
}

#[test]
fn outputs_are_checked_before_the_run() {
    assert_eq!(
        error(&["--csv", "a.svg", "--plot", "./a.svg"]),
        "error: ./a.svg is named by --csv and by --plot; choose two files"
    );
    assert_eq!(
        error(&["--plot", "/proc/no/a.svg"]),
        "error: /proc/no/a.svg cannot be written: No such file or directory (os error 2); choose another with --plot"
    );
    assert_eq!(error(&["--csv", "."]), "error: . cannot be written: is a directory; choose another with --csv");
}
