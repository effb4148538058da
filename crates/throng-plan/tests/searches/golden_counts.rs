//! How much every search expands, on maps of every generator and on graphs. An error that only makes a search slower, as an estimate that
//! is no more asked for, breaks no promise: it shows here.

use super::graphs::random_graph;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use throng_grid::generate::{Kind, generate};
use throng_grid::{Cell, Ground};
use throng_plan::graph::{EdgeWeight, Euclidean, GraphScratch, PathFinder};
use throng_plan::{Path, PlannerChoice, Query, Scratch, plan};

const KINDS: [Kind; 4] = [Kind::Field, Kind::Caverns, Kind::Maze, Kind::Rooms];

/// Nodes expanded and cells on the routes of some trips, a line a planner.
fn on_maps() -> String {
    let grounds = KINDS.map(|kind| Arc::new(Ground::new(generate(kind, 128, 128, 3).unwrap().into(), 0.4).unwrap()));
    let mut told = String::new();
    // Those of other crates change with these.
    let is_ours = |name: &&&str| !name.starts_with("pathfinding-") && !name.starts_with("petgraph-");
    for &name in PlannerChoice::NAMES.iter().filter(is_ours) {
        let choice: PlannerChoice = name.parse().unwrap();
        write!(told, "{name}").unwrap();
        for ground in &grounds {
            let planner = choice.build(ground).unwrap();
            let cells: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.region(cell) == 1).collect();
            let (mut scratch, mut path, mut expanded, mut walked) = (Scratch::default(), Path::default(), 0, 0);
            for pair in cells.windows(2 * cells.len() / 3).step_by(cells.len() / 19) {
                let query = Query::new(pair[0], pair[pair.len() - 1]);
                expanded += plan(planner.as_ref(), ground, &query, &mut scratch, &mut path).unwrap().expanded;
                walked += path.cells.len();
            }
            write!(told, " {expanded}/{walked}").unwrap();
        }
        told.push('\n');
    }
    told
}

/// Nodes expanded by the searches of graphs, over all trips on some graphs.
fn on_graphs() -> String {
    let finder = PathFinder::new(EdgeWeight, Euclidean);
    let (mut scratch, mut counts) = (GraphScratch::default(), [0; 6]);
    for seed in 0..4 {
        let graph = random_graph::<petgraph::Undirected>(120, 400, seed);
        for to in 1..120 {
            let (from, to) = (0.into(), to.into());
            let none = |_: throng_plan::graph::Better<'_, _>| ControlFlow::Continue(());
            let outcomes = [
                finder.dijkstra(&graph, from, to, &mut scratch),
                finder.astar(&graph, from, to, &mut scratch),
                finder.fringe(&graph, from, to, &mut scratch),
                finder.bidirectional(&graph, from, to, &mut scratch),
                finder.weighted_astar(&graph, from, to, (1.0, 2.0), &mut scratch),
                finder.anytime(&graph, from, to, &[3.0, 1.5, 1.0], &mut scratch, none),
            ];
            counts.iter_mut().zip(outcomes).for_each(|(count, outcome)| *count += outcome.unwrap().expanded);
        }
    }
    let names = ["dijkstra", "astar", "fringe", "bidirectional", "weighted", "anytime"];
    let mut told = String::new();
    for (name, count) in names.iter().zip(counts) {
        writeln!(told, "graph {name} {count}").unwrap();
    }
    told
}

#[test]
fn searches_expand_as_much_as_they_always_did() {
    let now = on_maps() + &on_graphs();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/searches/golden_counts.txt");
    if std::env::var_os("THRONG_ACCEPT").is_some() {
        std::fs::write(file, &now).unwrap();
    }
    let known = std::fs::read_to_string(file).unwrap();
    assert_eq!(now, known, "THRONG_ACCEPT=1 writes the list anew; the message of the commit says why it had to change");
}
