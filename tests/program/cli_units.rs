//! `throng plan` and `throng compare` for units that move in their own way.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::run;

/// A swamp across the straight way, a pillar beside it, and a closed room.
const MARSH: &str = "type octile\nheight 7\nwidth 12\nmap\n\
    ............\n\
    ...SSSS.....\n\
    ...SSSS.....\n\
    .@.SSSS.....\n\
    ...SSSS..@@@\n\
    .........@.@\n\
    .........@@@\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("marsh.map"), MARSH).unwrap();
    folder
}

/// The lines that say what the route is like.
fn plan(args: &str) -> Vec<String> {
    let folder = folder();
    let (code, out, error) = run(folder.path(), &format!("plan marsh.map {args}"));
    assert_eq!((code, error.as_str()), (0, ""), "{args}");
    let told = ["from, to", "cost", "length", "cells", "smoothed"];
    out.lines().filter(|line| told.iter().any(|start| line.starts_with(start))).map(str::to_owned).collect()
}

fn error(args: &str) -> String {
    let folder = folder();
    let (code, out, error) = run(folder.path(), args);
    assert!(code != 0 && out.is_empty(), "{args}: {out}");
    error.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn terrain_counts_where_costs_are_given() {
    let across = "--from 2,2 --to 7,2";
    let through = ["from, to  2,2 to 7,2", "cost      11,890", "length    5.000", "cells     6"];
    assert_eq!(plan(across), through);
    assert_eq!(plan(&format!("{across} --terrain 1,1")), through);
    // Round the upper end: where the swamp is closed, its corners are not cut.
    let (dear, closed) = (plan(&format!("{across} --terrain 1,4")), plan(&format!("{across} --terrain 1,closed")));
    assert_eq!(dear[1..], ["cost      18,616", "length    7.828", "cells     8"]);
    assert_eq!(closed[1..], ["cost      21,402", "length    9.000", "cells     10"]);
    assert_eq!(
        error(&format!("plan marsh.map {across} --terrain 1,3 --planner jps")),
        "error: the planner jps cannot count what terrain costs; choose one that can, as astar"
    );
    assert_eq!(
        error(&format!("plan marsh.map {across} --terrain 1")),
        "error: terrain class 1, at (3, 1), has no cost; give one, or say that it is never entered"
    );
    assert_eq!(
        error("plan marsh.map --from 3,3 --to 7,2 --terrain 1,closed"),
        "error: --from 3,3 is of terrain closed to this unit; --nearest takes the nearest cell that is not"
    );
    for bad in ["0", "1,x", "1,,3", "-1", "1,1001", "1.5"] {
        assert_eq!(
            error(&format!("plan marsh.map {across} --terrain {bad}")),
            format!(
                "error: invalid value '{bad}' for '--terrain <A,B,...>': \
                 expected costs of plain, swamp, ...: whole numbers from 1 to 1000 or closed, as in 1,3"
            )
        );
    }
}

#[test]
fn steps_and_corners() {
    let round = "--from 0,3 --to 2,3";
    let length = |steps: &str| plan(&format!("{round} --steps {steps}"))[2].clone();
    assert_eq!(length("four"), "length    4.000");
    assert_eq!(length("eight"), "length    4.000");
    assert_eq!(length("eight-one-side"), "length    2.828");
    assert_eq!(length("eight-always"), "length    2.828");
    // Between two walls that touch.
    let into = "--from 8,3 --to 10,5";
    assert_eq!(error(&format!("plan marsh.map {into}")), "error: no route: the goal is in another part of the map");
    assert_eq!(
        error(&format!("plan marsh.map {round} --steps four --planner jps-plus")),
        "error: the planner jps-plus cannot walk to four neighbours only; choose one that can, as astar"
    );
    assert_eq!(
        error(&format!("plan marsh.map {round} --steps eight-always --planner jps")),
        "error: the planner jps cannot cut corners; choose one that can, as astar"
    );
    assert_eq!(
        error(&format!("plan marsh.map {round} --steps six")),
        "error: invalid value 'six' for '--steps <KIND>'"
    );
}

#[test]
fn wide_units_keep_away_from_walls() {
    assert_eq!(
        error("plan marsh.map --from 0,3 --to 7,2 --radius 1.2"),
        "error: --from 0,3 is too near to a wall for this radius; --nearest takes the nearest cell that is not"
    );
    let lines = plan("--from 2,0 --to 2,6 --radius 0.9 --nearest");
    assert_eq!(lines[0], "from, to  2,1 to 2,5, the nearest to 2,6");
    assert_eq!(
        error("plan marsh.map --from 0,3 --to 7,2 --radius 9 --nearest"),
        "error: there is no cell on the map where this unit can stand"
    );
    assert_eq!(
        error("plan marsh.map --from 0,3 --to 7,2 --radius -1"),
        "error: invalid value '-1' for '--radius <M>': expected a number from 0 to 1000"
    );
}

#[test]
fn the_nearest_cell_is_one_that_can_be_reached() {
    // The middle of the room is open, but there is no way in.
    assert_eq!(plan("--from 0,0 --to 10,5 --nearest")[0], "from, to  0,0 to 10,3, the nearest to 10,5");
    assert_eq!(plan("--from 0,0 --to 5,5 --nearest")[0], "from, to  0,0 to 5,5");
    for planner in ["jps", "jps-plus", "hpa", "labels", "theta", "lazy-theta", "astar", "flow-field"] {
        let plan = |to: &str| plan(&format!("--from 0,0 --to {to} --nearest --planner {planner}"))[0].clone();
        assert_eq!(plan("10,5"), "from, to  0,0 to 10,3, the nearest to 10,5", "{planner}");
        assert_eq!(plan("1,3"), "from, to  0,0 to 1,2, the nearest to 1,3", "{planner}");
    }
    assert_eq!(
        error("plan marsh.map --from 0,0 --to 12,5 --nearest"),
        "error: --to 12,5 is off the map, which is 12 x 7 cells"
    );
}

#[test]
fn smoothed_routes_are_shorter() {
    let lines = plan("--from 0,0 --to 8,6 --smooth");
    assert_eq!(
        lines,
        [
            "from, to  0,0 to 8,6",
            "cost      23,780",
            "length    10.000",
            "cells     2",
            "smoothed  from cost 24,934, length 10.485, 9 cells"
        ]
    );
}

#[test]
fn all_planners_that_can_are_compared() {
    let folder = folder();
    let all = throng::plan::PlannerChoice::NAMES.len();
    let ways =
        ["--steps four", "--steps eight-one-side", "--steps eight-always", "--terrain 1,3", "--terrain 1,closed"];
    for way in ways {
        let args = format!("compare marsh.map --queries 40 --rounds 1 {way}");
        let (code, out, error) = run(folder.path(), &args);
        assert_eq!((code, error.as_str()), (0, ""), "{way}");
        let left_out: Vec<&str> = out.lines().filter(|line| line.starts_with("left out: ")).collect();
        let cannot = match way {
            "--steps four" => "walk to four neighbours only",
            "--terrain 1,3" => "count what terrain costs",
            "--terrain 1,closed" => "",
            _ => "cut corners",
        };
        assert!(left_out.iter().all(|line| line.contains(&format!("cannot {cannot};"))), "{way}: {left_out:?}");
        assert!(left_out.is_empty() == cannot.is_empty() && left_out.len() < all / 2, "{way}: {left_out:?}");
    }
    let (code, _, error) = run(folder.path(), "compare marsh.map --terrain 1,3 --planners astar,jps");
    let expected = "error: the planner jps cannot count what terrain costs; choose one that can, as astar\n";
    assert_eq!((code, error.as_str()), (2, expected));
}

#[test]
fn help_tells_of_them() {
    for command in ["plan", "compare"] {
        let (code, out, _) = run(folder().path(), &format!("{command} --help"));
        assert_eq!(code, 0);
        for word in ["--radius <M>", "--steps <KIND>", "--terrain <A,B,...>", "eight-one-side"] {
            assert!(out.contains(word), "{word} is not in\n{out}");
        }
    }
    let (_, out, _) = run(folder().path(), "plan --help");
    assert!(out.contains("--smooth") && out.contains("--nearest"));
}
