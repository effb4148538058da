//! Searches over graphs against those of `petgraph`.
#![allow(clippy::unwrap_used, clippy::float_cmp, missing_docs)]

use glam::{DVec2, Vec2, Vec3};
use petgraph::stable_graph::StableGraph;
use petgraph::visit::{EdgeRef, IntoEdges, IntoEdgesDirected, NodeIndexable};
use petgraph::{Directed, EdgeType, Undirected};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fmt::Debug;
use std::ops::ControlFlow;
use throng_grid::{Corners, Grid, GridGraph, Ground, Lattice, Link, Mobility, STRAIGHT, Steps, TerrainCosts};
use throng_plan::graph::{
    Distance, EdgeWeight, Euclidean, Graph, GraphError, GraphOutcome, GraphScratch, Heuristic, Hops, Manhattan, Octile,
    PathFinder, Position, Positions, Scaled, Zero, find_closest,
};
use throng_plan::{AStar, Cancel, Limits, Path, Query, Scratch, Status, plan};

/// Nodes at random points, edges that weigh at least their length: whole numbers, so that sums are exact.
pub(super) fn random_graph<Ty: EdgeType>(nodes: usize, edges: usize, seed: u64) -> Graph<Vec2, u32, Ty> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut graph = Graph::with_capacity(0, 0);
    for _ in 0..nodes {
        graph.add_node(Vec2::new(random.random_range(0..60) as f32, random.random_range(0..60) as f32));
    }
    for _ in 0..edges {
        let [a, b] = [(); 2].map(|()| petgraph::graph::NodeIndex::new(random.random_range(0..nodes)));
        let length = graph[a].distance(graph[b]).ceil() as u32;
        graph.add_edge(a, b, length + random.random_range(0..20) * random.random_range(0..2));
    }
    graph
}

const WEIGHTS: [f64; 5] = [5.0, 3.0, 2.0, 1.5, 1.0];

/// Rounds that mostly end before what they have put aside matters.
const FINE: [f64; 12] = [9.0, 7.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.7, 1.5, 1.3, 1.1, 1.0];

/// The promises of all searches; `optimal` is the cost of the cheapest route.
fn check<G, D, H>(graph: G, finder: &PathFinder<D, H>, ends: [G::NodeId; 2], optimal: Option<f64>, consistent: bool)
where
    G: IntoEdgesDirected + NodeIndexable + Positions,
    G::NodeId: Debug,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let [from, to] = ends;
    let mut scratch = GraphScratch::default();
    let judge = |outcome: GraphOutcome, path: &[G::NodeId], search: &str| {
        assert_eq!(outcome.status == Status::Found, optimal.is_some(), "{search}");
        let Some(optimal) = optimal else {
            assert_eq!((outcome.status, outcome.cost, path.len()), (Status::NoRoute, 0.0, 0), "{search}");
            return;
        };
        assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)), "{search}");
        assert_eq!(length(graph, &finder.distance, path), outcome.cost, "{search}");
        assert!(outcome.cost >= optimal && outcome.cost <= optimal * outcome.bound, "{search}: {outcome:?}, {optimal}");
    };
    for round in 0..2 {
        // The second round uses warm memory.
        let outcome = finder.dijkstra(graph, from, to, &mut scratch).unwrap();
        judge(outcome, scratch.path(), "dijkstra");
        assert_eq!(outcome.bound, 1.0);
        let outcome = finder.astar(graph, from, to, &mut scratch).unwrap();
        judge(outcome, scratch.path(), "astar");
        assert_eq!(outcome.bound, 1.0);
        let outcome = finder.fringe(graph, from, to, &mut scratch).unwrap();
        judge(outcome, scratch.path(), "fringe");
        assert_eq!(outcome.bound, 1.0);
        for weights in [(2.0, 1.0), (0.3, 0.0), (1.0, 1.0)] {
            let outcome = finder.weighted_astar(graph, from, to, weights, &mut scratch).unwrap();
            judge(outcome, scratch.path(), "weighted astar, optimal");
            assert_eq!(outcome.bound, 1.0);
        }
        if consistent {
            let outcome = finder.bidirectional(graph, from, to, &mut scratch).unwrap();
            judge(outcome, scratch.path(), "bidirectional");
            for weights in [(1.0, 1.5), (2.0, 6.0), (0.01, 1000.0)] {
                let outcome = finder.weighted_astar(graph, from, to, weights, &mut scratch).unwrap();
                judge(outcome, scratch.path(), "weighted astar");
                assert_eq!(outcome.bound, weights.1 / weights.0);
            }
        }
        let outcome = finder.anytime(graph, from, to, &[1.0], &mut scratch, |_| ControlFlow::Continue(())).unwrap();
        judge(outcome, scratch.path(), "anytime, one round");
        for weights in [&WEIGHTS[..], &FINE] {
            let mut reports: Vec<GraphOutcome> = Vec::new();
            let outcome = finder.anytime(graph, from, to, weights, &mut scratch, |better| {
                let (cost, bound, expanded) = (better.cost, better.bound, better.expanded);
                let report = GraphOutcome { status: Status::Found, cost, bound, expanded };
                if consistent {
                    judge(report, better.path, "anytime");
                }
                reports.push(report);
                ControlFlow::Continue(())
            });
            let outcome = outcome.unwrap();
            judge(outcome, scratch.path(), "anytime");
            assert!(reports.is_sorted_by(|a, b| a.bound > b.bound && a.cost >= b.cost && a.expanded <= b.expanded));
            assert_eq!(outcome.bound, 1.0);
            assert_eq!(reports.last().copied(), optimal.map(|_| outcome), "round {round}");
        }
    }
}

/// Cost of a route over the cheapest edges.
fn length<G, D>(graph: G, distance: &D, path: &[G::NodeId]) -> f64
where
    G: IntoEdges + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
{
    let at = |node| graph.position(node).unwrap();
    let step = |pair: &[G::NodeId]| {
        let edges = graph.edges(pair[0]).filter(|edge| edge.target() == pair[1]);
        edges.map(|edge| distance.distance(at(pair[0]), at(pair[1]), edge.weight())).min_by(f64::total_cmp).unwrap()
    };
    path.windows(2).map(step).sum()
}

fn check_random<Ty: EdgeType>(nodes: usize, edges: usize, seed: u64) {
    let graph = random_graph::<Ty>(nodes, edges, seed);
    let ends = [graph.node_indices().next().unwrap(), graph.node_indices().next_back().unwrap()];
    let costs = petgraph::algo::dijkstra(&graph, ends[0], None, |edge| *edge.weight());
    let optimal = costs.get(&ends[1]).map(|&cost| f64::from(cost));
    check(&graph, &PathFinder::new(EdgeWeight, Euclidean), ends, optimal, true);
    check(&graph, &PathFinder::new(EdgeWeight, Zero), ends, optimal, true);
    // Admissible and not consistent: half of the nodes have no estimate.
    let patchy = |from: Vec2, to: Vec2| if from.x % 2.0 == 0.0 { f64::from(from.distance(to)).floor() } else { 0.0 };
    check(&graph, &PathFinder::new(EdgeWeight, patchy), ends, optimal, false);
    let hops = petgraph::algo::dijkstra(&graph, ends[0], None, |_| 1_u32).get(&ends[1]).copied();
    check(&graph, &PathFinder::new(Hops, Zero), ends, hops.map(f64::from), true);
}

fn check_grid(width: u32, height: u32, closed: u32, seed: u64, cell_size: f32) {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, cell_size).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    let ground = Ground::new(grid.into(), 0.4 * cell_size).unwrap();
    let graph = GridGraph::new(&ground);
    let passable: Vec<_> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let (Some(&from), Some(&to)) = (passable.first(), passable.last()) else { return };
    let ours = plan(
        &AStar(throng_plan::Octile),
        &ground,
        &Query::new(from, to),
        &mut Scratch::default(),
        &mut Path::default(),
    )
    .unwrap();
    let finder = PathFinder::new(EdgeWeight, Scaled(Octile, f64::from(STRAIGHT) / f64::from(cell_size)));
    let mut scratch = GraphScratch::default();
    let outcomes = [
        finder.dijkstra(&graph, from, to, &mut scratch).unwrap(),
        finder.astar(&graph, from, to, &mut scratch).unwrap(),
        finder.weighted_astar(&graph, from, to, (3.0, 2.0), &mut scratch).unwrap(),
        finder.fringe(&graph, from, to, &mut scratch).unwrap(),
        finder.bidirectional(&graph, from, to, &mut scratch).unwrap(),
        finder.anytime(&graph, from, to, &WEIGHTS, &mut scratch, |_| ControlFlow::Continue(())).unwrap(),
    ];
    for (search, outcome) in outcomes.into_iter().enumerate() {
        assert_eq!((outcome.status, outcome.cost), (ours.status, ours.cost as f64), "search {search}");
    }
    assert_eq!(find_closest(&graph, place_of(&&graph, to)), Some(to));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 400 } else { 3000 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_search_keeps_its_promise(nodes in 1_usize..40, density in 0.5..5.0_f64, seed in any::<u64>()) {
        let edges = (nodes as f64 * density) as usize;
        check_random::<Directed>(nodes, edges, seed);
        check_random::<Undirected>(nodes, edges, seed);
    }

    /// Lengths of straight lines: rounded sums, equal up to the rounding.
    #[test]
    fn lengths_in_space_agree_with_petgraph(nodes in 2_usize..60, seed in any::<u64>()) {
        let mut random = Pcg32::seed_from_u64(seed);
        let mut graph = StableGraph::<(Vec3, u32), ()>::default();
        let place = |random: &mut Pcg32| Vec3::from_array([(); 3].map(|()| random.random_range(-9.0..9.0)));
        let ids: Vec<_> = (0..nodes).map(|i| graph.add_node((place(&mut random), i as u32))).collect();
        for _ in 0..nodes * 3 {
            graph.add_edge(ids[random.random_range(0..nodes)], ids[random.random_range(0..nodes)], ());
        }
        if nodes > 3 {
            graph.remove_node(ids[nodes / 2]); // a hole in the numbers
        }
        let (from, to) = (ids[0], ids[nodes - 1]);
        let costs = petgraph::algo::dijkstra(&graph, from, None, |edge| {
            let [a, b] = [edge.source(), edge.target()].map(|node| graph[node].0.as_dvec3());
            a.distance(b)
        });
        let finder = PathFinder::new(Euclidean, Euclidean);
        let mut scratch = GraphScratch::default();
        let outcomes = [
            finder.dijkstra(&graph, from, to, &mut scratch).unwrap(),
            finder.astar(&graph, from, to, &mut scratch).unwrap(),
            finder.bidirectional(&graph, from, to, &mut scratch).unwrap(),
            finder.fringe(&graph, from, to, &mut scratch).unwrap(),
            finder.anytime(&graph, from, to, &WEIGHTS, &mut scratch, |_| ControlFlow::Continue(())).unwrap(),
        ];
        for outcome in outcomes {
            let optimal = costs.get(&to).copied();
            prop_assert_eq!(outcome.status == Status::Found, optimal.is_some());
            prop_assert!((outcome.cost - optimal.unwrap_or(0.0)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_grid_is_a_graph_like_others(
        width in 1_u32..20, height in 1_u32..20, closed in 0_u32..50, seed in any::<u64>(),
        cell_size in prop_oneof![Just(1.0_f32), Just(0.3), Just(7.1)],
    ) {
        check_grid(width, height, closed, seed, cell_size);
    }

    /// Terrain, links and any neighbourhood are edges too.
    #[test]
    fn every_ground_is_a_graph(
        width in 2_u32..16, height in 2_u32..16, closed in 0_u32..40, seed in any::<u64>(), links in 0_u32..4,
        steps in prop::sample::select(vec![Steps::Four, Steps::Eight(Corners::Never), Steps::Eight(Corners::Always)]),
    ) {
        let mut random = Pcg32::seed_from_u64(seed);
        let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
        for cell in grid.lattice().cells() {
            grid.set_open(cell, random.random_range(0..100) >= closed);
            grid.set_terrain(cell, random.random_range(0..3));
        }
        let open: Vec<_> = grid.lattice().cells().filter(|&cell| grid.is_open(cell)).collect();
        if open.is_empty() {
            return Ok(());
        }
        let mut any = || open[random.random_range(0..open.len())];
        let terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(3)), (2, Some(7))]));
        let links = (0..links).map(|i| Link::new(any(), any(), i * 2000)).collect();
        let (from, to) = (any(), any());
        let ground = Ground::build(grid.into(), Mobility { steps, terrain, links, ..Mobility::new(0.4) }).unwrap();
        let graph = GridGraph::new(&ground);
        let ours = plan(&throng_plan::Dijkstra, &ground, &Query::new(from, to), &mut Scratch::default(), &mut Path::default());
        let ours = ours.unwrap();
        let finder = PathFinder::new(EdgeWeight, Zero);
        let mut scratch = GraphScratch::default();
        let outcomes = [
            finder.dijkstra(&graph, from, to, &mut scratch).unwrap(),
            finder.bidirectional(&graph, from, to, &mut scratch).unwrap(),
            finder.fringe(&graph, from, to, &mut scratch).unwrap(),
        ];
        for outcome in outcomes {
            prop_assert_eq!((outcome.status, outcome.cost), (ours.status, ours.cost as f64));
        }
    }

    #[test]
    fn the_closest_node_is_closest(points in prop::collection::vec((0_i8..9, 0_i8..9), 0..30), at in (0_i8..9, 0_i8..9)) {
        let place = |(x, y): (i8, i8)| Vec2::new(x.into(), y.into());
        let mut graph = Graph::<Vec2>::default();
        for &point in &points {
            graph.add_node(place(point));
        }
        let distance = |point| place(point).distance_squared(place(at));
        let first = points.iter().enumerate().min_by(|a, b| distance(*a.1).total_cmp(&distance(*b.1)));
        prop_assert_eq!(find_closest(&graph, place(at)).map(petgraph::graph::NodeIndex::index), first.map(|(index, _)| index));
    }
}

/// The goal's cost is that of its route, those of the nodes on the way may be behind: a round that turned one of them to
/// another way lost the better route.
#[test]
fn a_later_round_of_an_anytime_search_loses_no_better_route() {
    check_random::<Directed>(29, 110, 15_536_764_518_089_369_221);
    check_random::<Undirected>(29, 110, 15_536_764_518_089_369_221);
    check_grid(6, 14, 30, 14_937_470_152_977_454_619, 1.0);
}

fn place_of<G: Positions>(graph: &G, node: G::NodeId) -> G::Position {
    graph.position(node).unwrap()
}

/// A ladder of squares: many equal routes.
fn lattice_graph(side: usize) -> Graph<Vec2, f64> {
    let mut graph = Graph::default();
    let nodes: Vec<_> =
        (0..side * side).map(|i| graph.add_node(Vec2::new((i % side) as f32, (i / side) as f32))).collect();
    for i in 0..side * side {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
            if i % side + dx < side && i / side + dy < side {
                graph.add_edge(nodes[i], nodes[i + dx + dy * side], f64::from((dx + dy) as u32).sqrt());
            }
        }
    }
    graph
}

#[test]
fn memory_grows_only_in_warm_up() {
    let graph = lattice_graph(40);
    let finder = PathFinder::new(EdgeWeight, Euclidean);
    let mut scratch = GraphScratch::default();
    let all = |scratch: &mut GraphScratch, from: u32, to: u32| {
        let (from, to) = (from.into(), to.into());
        finder.dijkstra(&graph, from, to, scratch).unwrap();
        finder.astar(&graph, from, to, scratch).unwrap();
        finder.weighted_astar(&graph, from, to, (1.0, 3.0), scratch).unwrap();
        finder.bidirectional(&graph, from, to, scratch).unwrap();
        finder.fringe(&graph, from, to, scratch).unwrap();
        finder.anytime(&graph, from, to, &WEIGHTS, scratch, |_| ControlFlow::Continue(())).unwrap();
    };
    let trips = |scratch: &mut GraphScratch| (0..9).for_each(|i| all(scratch, i * 7, 40 * 40 - 1 - i));
    trips(&mut scratch);
    let bytes = scratch.bytes();
    trips(&mut scratch);
    assert_eq!(scratch.bytes(), bytes);
}

#[test]
fn rounding_hardly_opens_nodes_again() {
    let graph = lattice_graph(100);
    let finder = PathFinder::new(EdgeWeight, Octile);
    for (from, to) in [(0, 9_999), (99, 9_900), (5_000, 4_321)] {
        let outcome = finder.astar(&graph, from.into(), to.into(), &mut GraphScratch::default()).unwrap();
        assert!(outcome.expanded <= 11_000, "{outcome:?}");
    }
}

#[test]
fn ties_go_to_the_smaller_index_and_the_first_way() {
    // Two equal ways from 0 to 3, over 1 and over 2.
    let graph = petgraph::graph::UnGraph::<(), u32>::from_edges([(0, 2, 1), (0, 1, 1), (2, 3, 1), (1, 3, 1)]);
    let finder = PathFinder::new(EdgeWeight, Zero);
    let mut scratch = GraphScratch::default();
    finder.dijkstra(&graph, 0.into(), 3.into(), &mut scratch).unwrap();
    assert_eq!(scratch.path(), [0.into(), 1.into(), 3.into()]);
    finder.astar(&graph, 0.into(), 3.into(), &mut scratch).unwrap();
    assert_eq!(scratch.path(), [0.into(), 1.into(), 3.into()]);
}

#[test]
fn limits_and_the_cancel_switch_end_a_search() {
    let graph = lattice_graph(30);
    let (from, to) = (0.into(), 899.into());
    let mut scratch = GraphScratch::default();
    let finder = PathFinder { limits: Limits { expansions: 5 }, ..PathFinder::new(EdgeWeight, Euclidean) };
    let outcomes = |scratch: &mut GraphScratch, finder: &PathFinder<EdgeWeight, Euclidean>| {
        let mut ends = Vec::new();
        let mut note = |outcome: Result<GraphOutcome, GraphError>, scratch: &GraphScratch| {
            ends.push((outcome.unwrap(), scratch.path().to_vec()));
        };
        note(finder.dijkstra(&graph, from, to, scratch), scratch);
        note(finder.astar(&graph, from, to, scratch), scratch);
        note(finder.weighted_astar(&graph, from, to, (1.0, 2.0), scratch), scratch);
        note(finder.bidirectional(&graph, from, to, scratch), scratch);
        note(finder.fringe(&graph, from, to, scratch), scratch);
        note(finder.anytime(&graph, from, to, &[1.0], scratch, |_| ControlFlow::Continue(())), scratch);
        ends
    };
    for (outcome, path) in outcomes(&mut scratch, &finder) {
        assert_eq!((outcome.status, outcome.expanded), (Status::Partial, 5));
        assert_eq!(path[0], from);
        assert_eq!(length(&graph, &EdgeWeight, &path), outcome.cost);
        assert!(path.len() > 1);
    }
    let cancel = Cancel::default();
    cancel.cancel();
    let finder = PathFinder { cancel: Some(cancel), ..PathFinder::new(EdgeWeight, Euclidean) };
    for (outcome, path) in outcomes(&mut scratch, &finder) {
        assert_eq!((outcome.status, outcome.cost, outcome.expanded, path.len()), (Status::Cancelled, 0.0, 0, 0));
    }
    // A trip from a node to itself expands nothing.
    let finder = PathFinder { limits: Limits { expansions: 0 }, ..PathFinder::new(EdgeWeight, Manhattan) };
    let outcome = finder.astar(&graph, from, from, &mut scratch).unwrap();
    assert_eq!((outcome.status, outcome.cost, scratch.path()), (Status::Found, 0.0, [from].as_slice()));
}

#[test]
fn an_anytime_search_that_is_stopped_keeps_its_best_route() {
    let graph = random_graph::<Undirected>(3000, 9000, 7);
    let (from, to) = (0.into(), 2999.into());
    let mut scratch = GraphScratch::default();
    let mut finder = PathFinder::new(EdgeWeight, Euclidean);
    let mut first = None;
    let outcome = finder.anytime(&graph, from, to, &WEIGHTS, &mut scratch, |better| {
        first = Some((better.cost, better.path.to_vec(), better.expanded));
        ControlFlow::Break(())
    });
    let outcome = outcome.unwrap();
    let (cost, path, expanded) = first.unwrap();
    assert_eq!((outcome.cost, outcome.expanded, scratch.path()), (cost, expanded, path.as_slice()));
    assert!(outcome.bound > 1.0 && outcome.bound <= 5.0);
    finder.limits.expansions = expanded + 1;
    let limited = finder.anytime(&graph, from, to, &WEIGHTS, &mut scratch, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((limited.status, limited.cost, scratch.path()), (Status::Found, cost, path.as_slice()));
    assert!(limited.bound > 1.0);
}

#[test]
fn bad_input_is_an_error() {
    let mut graph = StableGraph::<Vec2, f64>::default();
    let [a, b, gone] = [0.0, 1.0, 2.0].map(|x| graph.add_node(Vec2::new(x, 0.0)));
    graph.remove_node(gone);
    let mut scratch = GraphScratch::default();
    let finder = PathFinder::new(EdgeWeight, Euclidean);
    let text = |outcome: Result<GraphOutcome, GraphError>| outcome.unwrap_err().to_string();
    assert_eq!(text(finder.astar(&graph, gone, b, &mut scratch)), "the start is no node of the graph");
    assert_eq!(text(finder.bidirectional(&graph, a, gone, &mut scratch)), "the goal is no node of the graph");
    assert_eq!(text(finder.dijkstra(&graph, a, 99.into(), &mut scratch)), "the goal is no node of the graph");
    for (weight, found) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-0.5, "-0.5"), (2e200, &format!("{}", 2e200))] {
        graph.update_edge(a, b, weight);
        let expected = format!(
            "the edge from node 0 to node 1 costs {found}; \
             an edge must cost a finite number, not below 0 and at most 1e200"
        );
        assert_eq!(text(finder.astar(&graph, a, b, &mut scratch)), expected);
        assert_eq!(text(finder.fringe(&graph, a, b, &mut scratch)), expected);
        assert_eq!(text(finder.bidirectional(&graph, a, b, &mut scratch)), expected);
        let anytime = finder.anytime(&graph, a, b, &[1.0], &mut scratch, |_| ControlFlow::Continue(()));
        assert_eq!(text(anytime), expected);
    }
    graph.update_edge(a, b, 1.0);
    let wrong = PathFinder::new(EdgeWeight, |from: Vec2, _: Vec2| if from.x == 1.0 { f64::NAN } else { 0.0 });
    assert_eq!(
        text(wrong.astar(&graph, a, b, &mut scratch)),
        "the estimate for node 1 is NaN; an estimate must be a finite number, not below 0 and at most 1e200"
    );
    for (w1, w2) in [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (1.0, -0.1), (1.0, 2e6)] {
        assert_eq!(
            text(finder.weighted_astar(&graph, a, b, (w1, w2), &mut scratch)),
            format!(
                "the weights must be finite and not negative, w1 above 0, both at most 1000000; \
                 found w1 = {w1}, w2 = {w2}"
            )
        );
    }
    for weights in [vec![], vec![2.0, 2.0], vec![1.0, 2.0], vec![0.5], vec![f64::NAN], vec![2e6, 1.0]] {
        let outcome = finder.anytime(&graph, a, b, &weights, &mut scratch, |_| ControlFlow::Continue(()));
        assert_eq!(
            text(outcome),
            format!(
                "the weights of the rounds must fall from each to the next, from at most 1000000 to at least 1; \
                 found {weights:?}"
            )
        );
    }
    // The memory is sound after errors.
    assert_eq!(finder.astar(&graph, a, b, &mut scratch).unwrap().cost, 1.0);
}

#[test]
fn a_graph_of_numbers_or_names_needs_no_places() {
    let mut numbers = petgraph::graphmap::UnGraphMap::<u32, f64>::new();
    let mut names = petgraph::graphmap::DiGraphMap::<&str, u8>::new();
    for (from, to, cost) in [(7, 9, 2), (9, 1000, 3), (7, 1000, 6)] {
        numbers.add_edge(from, to, f64::from(cost));
    }
    names.extend([("harbour", "mill", 2), ("mill", "farm", 3), ("harbour", "farm", 6)]);
    let finder = PathFinder::new(EdgeWeight, Zero);
    let (mut scratch, mut named) = (GraphScratch::default(), GraphScratch::default());
    for search in 0..4 {
        let outcome = match search {
            0 => finder.dijkstra(&numbers, 7, 1000, &mut scratch),
            1 => finder.astar(&numbers, 7, 1000, &mut scratch),
            2 => finder.bidirectional(&numbers, 7, 1000, &mut scratch),
            _ => finder.fringe(&numbers, 7, 1000, &mut scratch),
        };
        assert_eq!((outcome.unwrap().cost, scratch.path()), (5.0, [7, 9, 1000].as_slice()), "{search}");
    }
    let outcome = finder.astar(&names, "harbour", "farm", &mut named).unwrap();
    assert_eq!((outcome.cost, named.path()), (5.0, ["harbour", "mill", "farm"].as_slice()));
    assert_eq!(finder.astar(&names, "farm", "harbour", &mut named).unwrap().status, Status::NoRoute);
}

#[test]
fn metrics_are_those_of_the_field() {
    let (a, b) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(3.0, 8.0, 6.0)); // 2, 6, 3 apart
    assert_eq!(Euclidean.estimate(a, b), 7.0);
    assert_eq!(Manhattan.estimate(a, b), 11.0);
    assert!((Octile.estimate(a, b) - (3.0 + 2.0_f64.sqrt() + 2.0 * 3.0_f64.sqrt())).abs() < 1e-12);
    assert_eq!(Scaled(Manhattan, 2.0).distance(a, b, &()), 22.0);
    assert_eq!(().coordinates(), [0.0; 3]);
}

/// A graph in the coordinates of a country's grid: each search takes the same way at the same cost as at the origin.
#[test]
fn graphs_far_from_the_origin_are_as_exact() {
    let mut random = Pcg32::seed_from_u64(11);
    for _ in 0..20 {
        let places: Vec<DVec2> =
            (0..40).map(|_| DVec2::new(random.random_range(0.0..9.0), random.random_range(0.0..9.0))).collect();
        let edges: Vec<(u32, u32)> =
            (0..160).map(|_| (random.random_range(0..40), random.random_range(0..40))).collect();
        let shifted = |shift: DVec2| {
            // The default positions hold these.
            let mut graph: Graph<_, ()> = Graph::default();
            for &place in &places {
                graph.add_node(place + shift);
            }
            graph.extend_with_edges(edges.iter().copied());
            graph
        };
        let (near, far) = (shifted(DVec2::ZERO), shifted(DVec2::new(500_000.0, 5_400_000.0)));
        same_ways(&near, &far, Euclidean);
        same_ways(&near, &far, Manhattan);
        same_ways(&near, &far, Octile);
        same_ways(&near, &far, Zero);
    }
}

fn same_ways(near: &Graph<DVec2, ()>, far: &Graph<DVec2, ()>, heuristic: impl Heuristic<DVec2>) {
    let finder = PathFinder::new(Euclidean, Scaled(heuristic, 0.5));
    let ends = (0.into(), 39.into());
    let all = |graph| {
        let mut scratch = GraphScratch::default();
        let mut found = Vec::new();
        let mut note = |outcome: Result<GraphOutcome, GraphError>, scratch: &GraphScratch<_>| {
            found.push((outcome.unwrap().cost, scratch.path().to_vec()));
        };
        note(finder.dijkstra(graph, ends.0, ends.1, &mut scratch), &scratch);
        note(finder.astar(graph, ends.0, ends.1, &mut scratch), &scratch);
        note(finder.weighted_astar(graph, ends.0, ends.1, (1.0, 2.0), &mut scratch), &scratch);
        let outcome = finder.anytime(graph, ends.0, ends.1, &WEIGHTS, &mut scratch, |_| ControlFlow::Continue(()));
        note(outcome, &scratch);
        note(finder.bidirectional(graph, ends.0, ends.1, &mut scratch), &scratch);
        note(finder.fringe(graph, ends.0, ends.1, &mut scratch), &scratch);
        found
    };
    for (near, far) in all(near).into_iter().zip(all(far)) {
        assert!((near.0 - far.0).abs() < 1e-6 && near.1 == far.1, "{near:?} and {far:?}");
    }
}
