//! Planners of throng against those of the `pathfinding` crate: same queries, same run, same thread.
//!
//! ```sh
//! THRONG_MOVINGAI=folder cargo run --release --manifest-path benches/peers/Cargo.toml
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- some.map other.map
//! ```
//!
//! Maps and queries are those of the Moving AI benchmarks (`name.map` and `name.map.scen` side by side). The queries are
//! shuffled; blocks of them are answered by throng and by the peer in turn until the peer's time is spent, so both have
//! answered the same ones. All costs must be equal. The peer gets what suits it: 4-byte nodes, the ground's masks of
//! legal steps, no allocation in its successors.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::error::Error;
use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, Instant};
use throng::grid::{Cell, Grid, Ground, Scen};
use throng::plan::{AStar, DIAGONAL, Dijkstra, Octile, Path, Planner, Query, STRAIGHT, Scratch, plan};

const MAPS: [&str; 6] = ["AcrosstheCape", "brc202d", "maze512-4-0", "32room_000", "random512-25-0", "Berlin_0_1024"];

/// Time that the peer may spend on one map with one planner.
const LIMIT: Duration = Duration::from_secs(5);

/// Queries that one side answers before the other has its turn.
const BLOCK: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut maps: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if maps.is_empty() {
        let folder = std::env::var_os("THRONG_MOVINGAI").ok_or("name maps, or their folder in THRONG_MOVINGAI")?;
        maps = MAPS.iter().map(|name| FilePath::new(&folder).join(format!("{name}.map"))).collect();
    }
    let loaded = maps.iter().map(|map| load(map)).collect::<Result<Vec<_>, _>>()?;
    let both: [(&dyn Planner, Peer); 2] = [(&AStar(Octile), astar), (&Dijkstra, dijkstra)];
    for (planner, peer) in both {
        println!("{} against pathfinding::{} (µs a query, mean)", planner.name(), planner.name());
        println!(
            "{:<16} {:>8} {:>10} {:>10} {:>7} {:>15}",
            "map", "queries", "throng", "peer", "ratio", "ns an expansion"
        );
        let mut product = 0.0;
        for (map, (ground, queries)) in maps.iter().zip(&loaded) {
            let timed = compare(planner, peer, ground, queries)?;
            let name = map.file_stem().unwrap_or_default().to_string_lossy();
            let micros = |time: Duration| time.as_secs_f64() * 1e6 / timed.queries as f64;
            let ratio = timed.theirs.as_secs_f64() / timed.ours.as_secs_f64();
            let each = timed.ours.as_nanos() as f64 / timed.expanded as f64;
            println!(
                "{name:<16} {:>8} {:>10.1} {:>10.1} {ratio:>7.2} {each:>15.1}",
                timed.queries,
                micros(timed.ours),
                micros(timed.theirs)
            );
            product += ratio.ln();
        }
        println!(
            "{:<16} {:>8} {:>10} {:>10} {:>7.2}\n",
            "geometric mean",
            "",
            "",
            "",
            (product / maps.len() as f64).exp()
        );
    }
    Ok(())
}

struct Timed {
    queries: usize,
    ours: Duration,
    theirs: Duration,
    expanded: u64,
}

fn compare(planner: &dyn Planner, peer: Peer, ground: &Ground, queries: &[Query]) -> Result<Timed, Box<dyn Error>> {
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let mut timed = Timed { queries: 0, ours: Duration::ZERO, theirs: Duration::ZERO, expanded: 0 };
    // Warm-up.
    for query in &queries[..queries.len().min(3)] {
        plan(planner, ground, query, &mut scratch, &mut path)?;
        peer(ground, query);
    }
    for block in queries.chunks(BLOCK) {
        let mut costs = Vec::new();
        let start = Instant::now();
        for query in block {
            let outcome = plan(planner, ground, query, &mut scratch, &mut path)?;
            timed.expanded += outcome.expanded;
            costs.push(outcome.cost);
        }
        timed.ours += start.elapsed();
        let start = Instant::now();
        for (query, &cost) in block.iter().zip(&costs) {
            let theirs = peer(ground, query);
            if theirs != Some(cost) {
                return Err(format!("{query:?} costs {cost} here and {theirs:?} there").into());
            }
        }
        timed.theirs += start.elapsed();
        timed.queries += block.len();
        if timed.theirs > LIMIT {
            break;
        }
    }
    Ok(timed)
}

type Peer = fn(&Ground, &Query) -> Option<u64>;

fn goal(query: &Query) -> Cell {
    match query.goal {
        throng::plan::Goal::Cell(cell) => cell,
        _ => Cell::NONE,
    }
}

/// The legal steps out of a cell with their costs.
fn steps(ground: &Ground, offsets: [i32; 8], cell: Cell) -> impl Iterator<Item = (Cell, u32)> {
    let mut mask = ground.moves(cell);
    std::iter::from_fn(move || {
        let d = mask.checked_ilog2()? as usize;
        mask &= !(1 << d);
        Some((Cell(cell.0.wrapping_add_signed(offsets[d])), if d < 4 { STRAIGHT } else { DIAGONAL }))
    })
}

fn astar(ground: &Ground, query: &Query) -> Option<u64> {
    let (goal, lattice) = (goal(query), ground.lattice());
    let offsets = lattice.offsets();
    let (x1, y1) = lattice.column_row(goal);
    let octile = |&cell: &Cell| {
        let (x, y) = lattice.column_row(cell);
        let (dx, dy) = (x.abs_diff(x1), y.abs_diff(y1));
        STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
    };
    let found = pathfinding::prelude::astar(&query.from, |&c| steps(ground, offsets, c), octile, |&c| c == goal);
    found.map(|(_, cost)| cost.into())
}

fn dijkstra(ground: &Ground, query: &Query) -> Option<u64> {
    let (goal, offsets) = (goal(query), ground.lattice().offsets());
    let found = pathfinding::prelude::dijkstra(&query.from, |&c| steps(ground, offsets, c), |&c| c == goal);
    found.map(|(_, cost)| cost.into())
}

/// A map with its queries, shuffled.
fn load(map: &FilePath) -> Result<(Ground, Vec<Query>), Box<dyn Error>> {
    let grid = Grid::load(map)?;
    let lattice = grid.lattice();
    let cell = |(x, y)| lattice.cell(x, y);
    let problems = Scen::load(map.with_extension("map.scen"))?.problems;
    let mut queries: Vec<_> = problems.iter().map(|p| Query::new(cell(p.from), cell(p.to))).collect();
    queries.shuffle(&mut rand_pcg::Pcg32::seed_from_u64(1));
    Ok((Ground::new(grid.into(), 0.4)?, queries))
}
