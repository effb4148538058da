//! `throng plan --graph`: a route in a graph.

use super::edge_list::EdgeList;
use super::file_kind::{self, Wanted};
use super::output::{grouped, result, say};
use super::plan::{bound, say_bound};
use super::progress::busy;
use super::{CliError, Ended};
use clap::Args;
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use throng::grid::geom::DVec2;
use throng::plan::graph::petgraph::graph::NodeIndex;
use throng::plan::graph::{
    EdgeWeight, Euclidean, GraphError, GraphOutcome, GraphScratch, Heuristic, Manhattan, Octile, PathFinder, Scaled,
    Zero,
};
use throng::plan::{EstimateChoice, PlannerChoice, Status};

#[derive(Args, Debug)]
#[command(next_help_heading = "A graph in place of a map")]
pub(super) struct GraphArgs {
    /// Search this graph: a CSV file with the header from,to,cost or from,to and a row for each edge; --from and --to name nodes
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["png", "nearest", "smooth", "within", "radius", "steps", "terrain", "cell_size", "polygons",
            "project", "level", "wall_width", "colours"])]
    pub graph: Option<PathBuf>,
    /// Positions of its nodes, for estimates: a CSV file with the header node,x,y
    #[arg(long, value_name = "FILE", requires = "graph")]
    pub nodes: Option<PathBuf>,
    /// Edges go only from the first node to the second [default: both ways]
    #[arg(long, requires = "graph")]
    pub directed: bool,
}

pub(super) fn plan(
    file: &Path,
    args: &GraphArgs,
    (from, to): (&str, &str),
    planner: &PlannerChoice,
) -> Result<Ended, CliError> {
    file_kind::check(file, Wanted::Graph)?;
    args.nodes.iter().try_for_each(|nodes| file_kind::check(nodes, Wanted::Positions))?;
    let list = busy("reading the graph", || EdgeList::load(file, args.nodes.as_deref(), args.directed))?;
    let ends = (list.node("--from", from)?, list.node("--to", to)?);
    let mut scratch = GraphScratch::default();
    let begin = Instant::now();
    let outcome = busy("looking for the route", || search(&list, ends, planner, &mut scratch))?;
    let time = begin.elapsed();
    if outcome.status != Status::Found {
        return Err(CliError::NoRouteInGraph { from: from.into(), to: to.into() });
    }
    let nodes: Vec<&str> = scratch.path().iter().map(|node| list.names[node.index()].as_str()).collect();
    let edges = list.graph.edge_count() / if args.directed { 1 } else { 2 };
    let size = format!("{} nodes, {} edges", grouped(list.names.len() as u64), grouped(edges as u64));
    say(&format!("graph     {}, {size}", file.display()));
    say(&format!("planner   {planner}"));
    say(&format!("from, to  {from} to {to}"));
    say(&format!("cost      {}", outcome.cost));
    say_bound(outcome.bound);
    say(&format!("route     {}", nodes.join(", ")));
    say(&format!("expanded  {}", grouped(outcome.expanded)));
    say(&format!("time      {} microseconds", grouped(time.as_micros() as u64)));
    result(&json!({
        "graph": file,
        "planner": planner.to_string(),
        "from": from,
        "to": to,
        "cost": outcome.cost,
        "bound": outcome.bound.is_finite().then(|| bound(outcome.bound)),
        "nodes": nodes,
        "expanded": outcome.expanded,
        "time_us": time.as_secs_f64() * 1e6,
    }));
    Ok(Ended::Well)
}

/// The search of a planner, whose estimate is so much for each unit of length that it is consistent.
fn search(
    list: &EdgeList,
    ends: (NodeIndex, NodeIndex),
    planner: &PlannerChoice,
    scratch: &mut GraphScratch<NodeIndex>,
) -> Result<GraphOutcome, CliError> {
    let estimate = if let PlannerChoice::AStarBy(estimate) = planner { *estimate } else { EstimateChoice::Euclidean };
    let found = match estimate {
        EstimateChoice::Octile => search_by(Octile, list, ends, planner, scratch),
        EstimateChoice::Manhattan => search_by(Manhattan, list, ends, planner, scratch),
        EstimateChoice::Euclidean => search_by(Euclidean, list, ends, planner, scratch),
        EstimateChoice::Zero => search_by(Zero, list, ends, planner, scratch),
    };
    found.map_or_else(|| Err(CliError::NotOfGraphs { planner: planner.to_string() }), |found| Ok(found?))
}

/// `None` where the planner does not search graphs.
fn search_by<H: Heuristic<DVec2>>(
    metric: H,
    list: &EdgeList,
    (from, to): (NodeIndex, NodeIndex),
    planner: &PlannerChoice,
    scratch: &mut GraphScratch<NodeIndex>,
) -> Option<Result<GraphOutcome, GraphError>> {
    let rate = list.least_rate(&metric);
    let (finder, graph) = (PathFinder::new(EdgeWeight, Scaled(metric, rate)), &list.graph);
    Some(match planner {
        PlannerChoice::Dijkstra => finder.dijkstra(graph, from, to, scratch),
        PlannerChoice::AStar | PlannerChoice::AStarBy(_) => finder.astar(graph, from, to, scratch),
        PlannerChoice::WeightedAStar(weighted) => finder.weighted_astar(graph, from, to, weighted.weights(), scratch),
        PlannerChoice::Ara(ara) => {
            finder.anytime(graph, from, to, ara.weights(), scratch, |_| ControlFlow::Continue(()))
        }
        PlannerChoice::Bidirectional => finder.bidirectional(graph, from, to, scratch),
        PlannerChoice::Fringe => finder.fringe(graph, from, to, scratch),
        _ => return None,
    })
}
