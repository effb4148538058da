//! After warm-up nothing allocates: every planner of ours, fields, distances, smoothing and searches over graphs.
#![allow(clippy::unwrap_used, missing_docs)]
#![expect(unsafe_code, reason = "an allocator that counts can be written no other way")]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Corners, Edit, Grid, Ground, Lattice, Layer, Link, Mobility, Steps, TerrainCosts};
use throng_plan::graph::{EdgeWeight, GraphScratch, PathFinder, Zero};
use throng_plan::{
    DStarLite, FlowField, Goal, Hpa, HpaSettings, Itinerary, Limits, Path, Planner, PlannerChoice, Progress, Query,
    Scratch, Smoother, distances_from, distances_to, plan,
};

/// Counts what each thread allocates.
struct Counting;

thread_local! {
    static COUNT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

// SAFETY: all is left to the system's allocator; the counter needs no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often this thread allocates in `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(std::cell::Cell::get);
    work();
    COUNT.with(std::cell::Cell::get) - before
}

/// Runs `work` twice; how often it allocates the second time.
fn second_time(mut work: impl FnMut()) -> u64 {
    work();
    allocations(work)
}

/// Walls, three classes of terrain.
fn noise(closed: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(90, 70, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
        grid.set_terrain(cell, random.random_range(0_u8..6).saturating_sub(3));
    }
    grid
}

fn costs() -> TerrainCosts {
    TerrainCosts::new([(0, Some(2)), (1, Some(5)), (2, Some(1))])
}

fn standing(ground: &Ground) -> Vec<Cell> {
    ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect()
}

fn links(ground: &Ground) -> Vec<Link> {
    let cells = standing(ground);
    let mut random = Pcg32::seed_from_u64(8);
    let mut any = || cells[random.random_range(0..cells.len())];
    (0..7).map(|i| Link::new(any(), any(), i * 4000)).collect()
}

/// Plain ground, and all kinds that are not.
fn grounds() -> Vec<Arc<Ground>> {
    let grid = Arc::new(noise(25, 3));
    let plain = Ground::new(grid.clone(), 0.4).unwrap();
    let links = links(&plain);
    let of = |mobility| Ground::build(grid.clone(), mobility).unwrap();
    [
        of(Mobility { links: links.clone(), ..Mobility::new(0.4) }),
        of(Mobility { terrain: Some(costs()), ..Mobility::new(0.4) }),
        of(Mobility { links, terrain: Some(costs()), steps: Steps::Eight(Corners::OneSide), ..Mobility::new(0.4) }),
        of(Mobility { steps: Steps::Four, ..Mobility::new(0.4) }),
        of(Mobility { steps: Steps::Eight(Corners::Always), sizes: vec![0.9], ..Mobility::new(0.3) }),
        Ground::new(Arc::new(noise(1, 9)), 0.9).unwrap(),
        Ground::new(Arc::new(noise(3, 4)), 0.4).unwrap(),
        plain,
    ]
    .map(Arc::new)
    .into()
}

/// Trips of all kinds over a ground.
fn queries(ground: &Ground) -> Vec<Query> {
    let (cells, lattice) = (standing(ground), ground.lattice());
    let mut random = Pcg32::seed_from_u64(5);
    let mut queries = Vec::new();
    for _ in 0..5 {
        let mut any = || cells[random.random_range(0..cells.len())];
        let (from, to, other) = (any(), any(), any());
        let query = Query::new(from, to);
        let centre: Vec2 = lattice.centre(other);
        let goals = [
            Goal::AnyOf([to, other].into()),
            Goal::Within { centre, distance: 4.5 },
            Goal::Nearest(lattice.cell(45, 35)),
        ];
        queries.extend(goals.map(|goal| Query { goal, ..query.clone() }));
        queries.push(Query { radius: 0.9, ..query.clone() });
        queries.push(Query { limits: Limits { expansions: 40 }, ..query.clone() });
        queries.push(query);
    }
    queries
}

/// The queries that a planner can answer on this ground.
fn answered(planner: &dyn Planner, ground: &Ground) -> Vec<Query> {
    let can = |query: &Query| planner.begin(ground, query, &mut Scratch::default()).is_ok();
    queries(ground).into_iter().filter(can).collect()
}

fn search(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    piece: u64,
    (scratch, path): (&mut Scratch, &mut Path),
) {
    planner.begin(ground, query, scratch).unwrap();
    while !matches!(planner.advance(ground, query, scratch, piece), Progress::Done(_)) {
        planner.path(ground, query, scratch, path);
    }
    planner.path(ground, query, scratch, path);
}

#[test]
fn searches_allocate_nothing_after_warm_up() {
    for (number, ground) in grounds().into_iter().enumerate() {
        for name in
            PlannerChoice::NAMES.iter().filter(|name| !name.contains("pathfinding-") && !name.contains("petgraph-"))
        {
            let Ok(planner) = name.parse::<PlannerChoice>().unwrap().build(&ground) else { continue };
            let queries = answered(&*planner, &ground);
            for piece in [u64::MAX, 17] {
                let (mut scratch, mut path) = (Scratch::default(), Path::default());
                let count = second_time(|| {
                    for query in &queries {
                        search(&*planner, &ground, query, piece, (&mut scratch, &mut path));
                    }
                });
                assert_eq!(count, 0, "{name} on ground {number}, pieces of {piece}, {} queries", queries.len());
            }
        }
    }
}

#[test]
fn fields_and_distances_allocate_nothing_after_warm_up() {
    for (number, ground) in grounds().into_iter().enumerate() {
        let cells = standing(&ground);
        let goals = [cells[0], cells[cells.len() / 2], cells[cells.len() - 1]];
        let mut scratch = Scratch::default();
        let mut field = FlowField::new(&ground, &goals[..1], &mut scratch).unwrap();
        let mut layer = Layer::new(ground.lattice(), 0_u32);
        let mut path = Path::default();
        let count = second_time(|| {
            for i in 0..3 {
                field.rebuild(&ground, &goals[i..], &mut scratch).unwrap();
                field.descend(cells[cells.len() / 3], &mut path);
                distances_from(&ground, &goals[i..], &mut scratch, &mut layer).unwrap();
                distances_to(&ground, &goals[i..], &mut scratch, &mut layer).unwrap();
            }
        });
        assert_eq!(count, 0, "ground {number}");
        // A wall comes and goes.
        let mut grid = ground.grid().as_ref().clone();
        let free = cells.iter().copied().filter(|cell| !goals.contains(cell) && ground.links().is_empty());
        let edits: Vec<Edit> = free.step_by(cells.len() / 9).map(Edit::Close).collect();
        let mut dirty = Vec::new();
        grid.edit(&edits, &mut dirty);
        let Ok(walled) = ground.edited(grid.into(), &dirty) else { continue };
        field.rebuild(&ground, &goals, &mut scratch).unwrap();
        let count = second_time(|| {
            field.repair(&walled, &dirty, &mut scratch).unwrap();
            field.repair(&ground, &dirty, &mut scratch).unwrap();
        });
        assert_eq!(count, 0, "repair on ground {number}");
    }
}

#[test]
fn kept_searches_and_smoothing_allocate_nothing_after_warm_up() {
    for (number, ground) in grounds().into_iter().enumerate() {
        let cells = standing(&ground);
        let trip = queries(&ground).into_iter().find(|query| {
            let path = &mut Path::default();
            plan(&throng_plan::Dijkstra, &ground, query, &mut Scratch::default(), path).is_ok() && path.cells.len() > 20
        });
        let Some(query) = trip else { panic!("no long trip on ground {number}") };
        let mut route = Path::default();
        plan(&throng_plan::Dijkstra, &ground, &query, &mut Scratch::default(), &mut route).unwrap();
        let (from, to) = (route.cells[0], route.cells[route.cells.len() - 1]);

        let mut agent = DStarLite::new(ground.clone(), from, to).unwrap();
        let mut path = Path::default();
        let count = second_time(|| {
            for &cell in route.cells.iter().chain([&from]) {
                agent.walk_to(cell).unwrap();
                agent.route(&mut path);
            }
        });
        assert_eq!(count, 0, "D* Lite on ground {number}");

        let mut smoother = Smoother::default();
        let count = second_time(|| {
            for radius in [0.0, 0.9] {
                path.cells.clear();
                path.cells.extend_from_slice(&route.cells);
                smoother.smooth(&ground, radius, &mut path);
            }
        });
        assert_eq!(count, 0, "smoothing on ground {number}");

        let Ok(hpa) = Hpa::new(&ground, HpaSettings::fitting(ground.lattice())) else { continue };
        let (mut scratch, mut itinerary) = (Scratch::default(), Itinerary::default());
        let count = second_time(|| {
            for i in 1..9 {
                let query = Query::new(from, cells[i * cells.len() / 9]);
                hpa.itinerary(&ground, &query, &mut scratch, &mut itinerary).unwrap();
                while itinerary.refine_next(&hpa, &ground, &mut scratch, &mut path) {}
            }
        });
        assert_eq!(count, 0, "itineraries on ground {number}");
    }
}

#[test]
fn searches_over_graphs_allocate_nothing_after_warm_up() {
    let mut random = Pcg32::seed_from_u64(4);
    let edges: Vec<(u32, u32, u32)> = (0..900)
        .map(|_| (random.random_range(0..300), random.random_range(0..300), random.random_range(1..40)))
        .collect();
    let graph = petgraph::graph::UnGraph::<(), u32>::from_edges(edges);
    let finder = PathFinder::new(EdgeWeight, Zero);
    let mut scratch = GraphScratch::default();
    let count = second_time(|| {
        for i in 0..20 {
            let (from, to) = (i.into(), (299 - 7 * i).into());
            finder.dijkstra(&graph, from, to, &mut scratch).unwrap();
            finder.astar(&graph, from, to, &mut scratch).unwrap();
            finder.weighted_astar(&graph, from, to, (1.0, 2.0), &mut scratch).unwrap();
            finder.bidirectional(&graph, from, to, &mut scratch).unwrap();
            finder.fringe(&graph, from, to, &mut scratch).unwrap();
            let go_on = |_: throng_plan::graph::Better<'_, _>| std::ops::ControlFlow::Continue(());
            finder.anytime(&graph, from, to, &[3.0, 1.5, 1.0], &mut scratch, go_on).unwrap();
        }
    });
    assert_eq!(count, 0);
}
