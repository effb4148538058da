//! Six searches on one road network: `cargo run --release -p throng-plan --features petgraph --example graph`.
//!
//! Each row is a search: its cost, the proven bound on that cost, the nodes that it expanded, and the towns on the route.

use petgraph::graph::NodeIndex;
use std::ops::ControlFlow;
use throng_grid::geom::Vec2;
use throng_plan::graph::{EdgeWeight, Euclidean, Graph, GraphOutcome, GraphScratch, PathFinder, find_closest};

/// Towns on a jittered lattice 10 km apart, roads between neighbours that weigh their length (km) and some bends.
fn roads(side: u32) -> Graph<Vec2> {
    let mut graph = Graph::<Vec2>::default();
    // Any jitter will do, as long as it is the same each time.
    let jitter =
        |i: u32, salt: u32| f64::from((i.wrapping_mul(2_654_435_761) ^ salt).wrapping_mul(0x9E37_79B1) >> 20) / 4096.0;
    for i in 0..side * side {
        let shift = Vec2::new(jitter(i, 1) as f32, jitter(i, 2) as f32) * 8.0;
        graph.add_node(Vec2::new((i % side) as f32, (i / side) as f32) * 10.0 + shift);
    }
    for i in 0..side * side {
        for (dx, dy) in [(1, 0), (0, 1)] {
            if i % side + dx < side && i / side + dy < side && jitter(i, 3 + dx) < 0.9 {
                let (a, b) = (NodeIndex::from(i), NodeIndex::from(i + dx + dy * side));
                let length = f64::from(graph[a].distance(graph[b]));
                graph.add_edge(a, b, length * (1.0 + jitter(i, 5) / 2.0));
            }
        }
    }
    graph
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = roads(100);
    let closest = |x, y| find_closest(&graph, Vec2::new(x, y)).ok_or("no town");
    let (from, to) = (closest(20.0, 300.0)?, closest(900.0, 700.0)?);
    println!("{} towns, {} roads; from {} to {}", graph.node_count(), graph.edge_count(), graph[from], graph[to]);

    let finder = PathFinder::new(EdgeWeight, Euclidean);
    let mut scratch = GraphScratch::default();
    let row = |search: &str, outcome: GraphOutcome, towns: usize| {
        let GraphOutcome { status, cost, bound, expanded } = outcome;
        println!("{search:<22}{status:<8}{cost:>10.1}{bound:>10.3}{expanded:>10}{towns:>8}");
    };
    println!("{:<22}{:<8}{:>10}{:>10}{:>10}{:>8}", "search", "status", "km", "bound", "expanded", "towns");
    row("dijkstra", finder.dijkstra(&graph, from, to, &mut scratch)?, scratch.path().len());
    row("astar", finder.astar(&graph, from, to, &mut scratch)?, scratch.path().len());
    row(
        "weighted astar 1, 2",
        finder.weighted_astar(&graph, from, to, (1.0, 2.0), &mut scratch)?,
        scratch.path().len(),
    );
    row("bidirectional", finder.bidirectional(&graph, from, to, &mut scratch)?, scratch.path().len());
    row("fringe", finder.fringe(&graph, from, to, &mut scratch)?, scratch.path().len());
    let weights = [3.0, 2.0, 1.5, 1.2, 1.0];
    let outcome = finder.anytime(&graph, from, to, &weights, &mut scratch, |better| {
        println!("  a better route: {:.1} km, bound {:.3}, {} expanded", better.cost, better.bound, better.expanded);
        ControlFlow::Continue(())
    })?;
    row("anytime", outcome, scratch.path().len());
    Ok(())
}
