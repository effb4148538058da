//! The contests.

use crate::others;
use crate::ours::Ours;
use crate::trips::Trips;
use rand::{RngExt, SeedableRng};
use std::error::Error;
use std::time::{Duration, Instant};
use throng::grid::GridGraph;
use throng::plan::{FlowField, Scratch};

/// Time that one side may spend on one map.
const LIMIT: Duration = Duration::from_secs(4);

/// Queries that one side answers before the other has its turn.
const BLOCK: usize = 20;

/// One side of a contest: the length of the route it finds to a query.
type Side<'a> = Box<dyn FnMut(usize) -> Result<f64, Box<dyn Error>> + 'a>;

/// A contest.
#[derive(Clone, Copy, PartialEq)]
pub enum Contest {
    AStar,
    AStarPetgraph,
    Dijkstra,
    Jps,
    JpsProbe,
    Labels,
    Hpa,
    AraFirst,
    AraOptimal,
    FlowField,
}

/// The result on one map.
pub struct Report {
    /// How many times faster we are; for the flow field, nanoseconds a cell.
    pub ratio: f64,
    pub line: String,
}

impl Contest {
    pub const ALL: [Self; 10] = [
        Self::AStar,
        Self::AStarPetgraph,
        Self::Dijkstra,
        Self::Jps,
        Self::JpsProbe,
        Self::Labels,
        Self::Hpa,
        Self::AraFirst,
        Self::AraOptimal,
        Self::FlowField,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::AStar => "astar: times faster than pathfinding::astar",
            Self::AStarPetgraph => "astar: times faster than petgraph::algo::astar",
            Self::Dijkstra => "dijkstra: times faster than pathfinding::dijkstra",
            Self::Jps => "jps: times faster than grid_pathfinding (it cuts corners)",
            Self::JpsProbe => "jps: times faster than a plain one of 250 lines, scaled",
            Self::Labels => "labels: times faster than jps",
            Self::Hpa => "hpa: times faster than hierarchical_pathfinding",
            Self::AraFirst => "ara, first route: times sooner than astar",
            Self::AraOptimal => "ara, optimal route: astar's time as a share",
            Self::FlowField => "flow field: ns an open cell",
        }
    }

    /// The goals: the least factor, and the one to reach for.
    pub fn targets(self) -> [&'static str; 2] {
        match self {
            Self::AStar => ["5", "12"],
            Self::AStarPetgraph => ["-", "-"],
            Self::Dijkstra => ["5", "15"],
            Self::Jps => ["15", "50"],
            Self::JpsProbe => ["1", "2"],
            Self::Labels => ["3", "10"],
            Self::Hpa => ["30", "100"],
            Self::AraFirst => ["2", "20"],
            Self::AraOptimal => ["0.5", "0.83"],
            Self::FlowField => ["< 25", "8"],
        }
    }

    pub fn is(self, name: &str) -> bool {
        self.title().starts_with(name)
    }

    /// Holds the contest on one map.
    pub fn hold(self, trips: &Trips) -> Result<Report, Box<dyn Error>> {
        match self {
            Self::FlowField => return Ok(flow_field(trips)),
            Self::JpsProbe => return against_probe(trips),
            _ => {}
        }
        let graph = GridGraph::new(&trips.ground);
        let ours: Side<'_> = match self {
            Self::AStar | Self::AStarPetgraph => solve(trips, "astar")?,
            Self::Dijkstra => solve(trips, "dijkstra")?,
            Self::Jps => solve(trips, "jps")?,
            Self::Labels => solve(trips, "labels")?,
            Self::Hpa => solve(trips, "hpa")?,
            Self::AraOptimal => solve(trips, "ara")?,
            _ => {
                let mut ours = Ours::new(trips, "ara")?;
                Box::new(move |query| Ok(ours.first(query)?))
            }
        };
        let theirs: Side<'_> = match self {
            Self::AStar => Box::new(|query| found(others::pathfinding_astar(trips, query))),
            Self::AStarPetgraph => Box::new(|query| found(others::petgraph_astar(trips, &graph, query))),
            Self::Dijkstra => Box::new(|query| found(others::pathfinding_dijkstra(trips, query))),
            Self::Jps => {
                let mut peer = others::grid_pathfinding(trips);
                Box::new(move |query| found(peer(query)))
            }
            Self::Hpa => {
                let mut peer = others::hierarchical_pathfinding(trips);
                Box::new(move |query| found(peer(query)))
            }
            Self::Labels => solve(trips, "jps")?,
            _ => solve(trips, "astar")?,
        };
        let timed = run(trips, ours, theirs)?;
        let exact = !matches!(self, Self::Hpa | Self::AraFirst);
        if exact && timed.worst > 0.01 {
            return Err(format!("{}: {} is off the optimum by {}", self.title(), trips.name, timed.worst).into());
        }
        let [ours, theirs] = timed.times.map(|time| time.as_secs_f64() * 1e6 / timed.queries as f64);
        let ratio = theirs / ours;
        let [our_length, their_length] = timed.lengths.map(|length| length / timed.optimal);
        let line = format!(
            "{ratio:>8.2}   {ours:>9.1} and {theirs:>9.1} µs a query, {} queries; lengths {our_length:.4} and {their_length:.4} of the optimum",
            timed.queries
        );
        Ok(Report { ratio, line })
    }
}

fn solve<'a>(trips: &'a Trips, name: &str) -> Result<Side<'a>, Box<dyn Error>> {
    let mut ours = Ours::new(trips, name)?;
    Ok(Box::new(move |query| Ok(ours.solve(query)?)))
}

fn found(length: Option<f64>) -> Result<f64, Box<dyn Error>> {
    length.ok_or_else(|| "a peer has found no route".into())
}

struct Timed {
    queries: usize,
    times: [Duration; 2],
    /// All lengths together.
    lengths: [f64; 2],
    optimal: f64,
    /// By how much our lengths are off the optimal ones, at most.
    worst: f64,
}

/// Both sides in turn, block by block.
fn run<'a>(trips: &Trips, ours: Side<'a>, theirs: Side<'a>) -> Result<Timed, Box<dyn Error>> {
    let mut sides = [ours, theirs];
    let mut timed = Timed { queries: 0, times: [Duration::ZERO; 2], lengths: [0.0; 2], optimal: 0.0, worst: 0.0 };
    for side in &mut sides {
        for query in 0..trips.queries.len().min(3) {
            side(query)?;
        }
    }
    let all: Vec<usize> = (0..trips.queries.len()).collect();
    for (i, block) in all.chunks(BLOCK).enumerate() {
        for side in if i % 2 == 0 { [0, 1] } else { [1, 0] } {
            let start = Instant::now();
            for &query in block {
                let length = sides[side](query)?;
                timed.lengths[side] += length;
                if side == 0 {
                    timed.worst = timed.worst.max((length - trips.optimal[query]).abs());
                }
            }
            timed.times[side] += start.elapsed();
        }
        timed.optimal += block.iter().map(|&query| trips.optimal[query]).sum::<f64>();
        timed.queries += block.len();
        if timed.times.iter().any(|&time| time > LIMIT) {
            break;
        }
    }
    Ok(timed)
}

/// Mean µs a query that a jump point search of 250 lines without tables took, and `pathfinding::astar` in the same run.
const PROBE: [(&str, f64, f64); 6] = [
    ("AcrosstheCape", 61.4, 10628.0),
    ("brc202d", 44.7, 2585.0),
    ("maze512-4-0", 225.9, 16428.0),
    ("32room_000", 30.8, 6337.0),
    ("random512-25-0", 1027.0, 4075.0),
    ("Berlin_0_1024", 48.9, 14015.0),
];

/// The probe's figures, scaled by how fast `pathfinding::astar` is here. All of our queries are timed, as there; the
/// peer answers as many as its time allows, ours in turn with it.
fn against_probe(trips: &Trips) -> Result<Report, Box<dyn Error>> {
    let Some(&(_, probe, astar)) = PROBE.iter().find(|(name, ..)| *name == trips.name) else {
        return Ok(Report { ratio: 1.0, line: "no figures for this map".into() });
    };
    let theirs: Side<'_> = Box::new(|query| found(others::pathfinding_astar(trips, query)));
    let timed = run(trips, solve(trips, "jps")?, theirs)?;
    let mut jps = solve(trips, "jps")?;
    let start = Instant::now();
    for query in 0..trips.queries.len() {
        jps(query)?;
    }
    let all = start.elapsed().as_secs_f64() * 1e6 / trips.queries.len() as f64;
    let here = timed.times[1].as_secs_f64() * 1e6 / timed.queries as f64;
    let scaled = probe * here / astar;
    let ratio = scaled / all;
    Ok(Report { ratio, line: format!("{ratio:>8.2}   {all:>9.1} and {scaled:>9.1} µs a query") })
}

/// Fields to random cells.
fn flow_field(trips: &Trips) -> Report {
    let ground = &trips.ground;
    let passable: Vec<_> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let mut random = rand_pcg::Pcg32::seed_from_u64(2);
    let mut scratch = Scratch::default();
    let mut times = Vec::new();
    for _ in 0..15 {
        let goal = passable[random.random_range(0..passable.len())];
        let reached = passable.iter().filter(|&&cell| ground.region(cell) == ground.region(goal)).count();
        let start = Instant::now();
        let field = FlowField::new(ground, &[goal], &mut scratch);
        let time = start.elapsed();
        // A goal in a nook of the map says nothing.
        if field.is_ok() && reached * 2 > passable.len() {
            times.push(time.as_nanos() as f64 / passable.len() as f64);
        }
    }
    times.sort_by(f64::total_cmp);
    let ratio = times.get(times.len() / 2).copied().unwrap_or(f64::NAN);
    Report { ratio, line: format!("{ratio:>8.2}   median of {} goals, {} open cells", times.len(), passable.len()) }
}
