//! The contests.

use crate::clock;
use crate::heat::{self, Cost, Lane, Question};
use crate::ours::Ours;
use crate::peers::{Broccoli, Flat, FlatPoints, Kiddo, Parry, Quadtree, Rstar};
use crate::side::{Asked, Frames};
use std::error::Error;
use std::time::Duration;
use throng::spatial::{IndexKind, Scene, SceneKind};

/// The share of the ground that bodies cover.
pub const DENSITY: f32 = 0.15;

/// Which of our structures enter: the fastest of them counts.
#[derive(Clone, Copy)]
pub enum Family {
    /// Grids of one level, dense and hashed.
    SpatialHash,
    TwoLevels,
    KdTree,
    Quadtree,
    Buckets,
    /// All but brute force.
    Any,
}

impl Family {
    fn holds(self, name: &str) -> bool {
        match self {
            Self::SpatialHash => matches!(name, "grid" | "hash"),
            Self::TwoLevels => name.contains("level"),
            Self::KdTree => name.contains("kd"),
            Self::Quadtree => name.contains("quad"),
            Self::Buckets => name.contains("bucket"),
            Self::Any => name != "brute-force",
        }
    }

    fn kinds(self) -> Vec<IndexKind> {
        IndexKind::ALL.into_iter().filter(|kind| self.holds(kind.name())).collect()
    }
}

/// The opponent.
#[derive(Clone, Copy, PartialEq)]
pub enum Peer {
    Nobody,
    /// A hierarchy that is mended every frame.
    Parry,
    /// The same, built anew now and then: means are compared.
    ParryRebuilt,
    Broccoli,
    Rstar,
    Kiddo,
    Quadtree,
    Flat,
    FlatPoints,
}

impl Peer {
    pub const ALL: [Self; 8] = [
        Self::Parry,
        Self::ParryRebuilt,
        Self::Broccoli,
        Self::Rstar,
        Self::Kiddo,
        Self::Quadtree,
        Self::Flat,
        Self::FlatPoints,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::Parry => "parry2d",
            Self::ParryRebuilt => "parry2d, rebuilt",
            Self::Broccoli => "broccoli",
            Self::Rstar => "rstar",
            Self::Kiddo => "kiddo",
            Self::Quadtree => "aabb-quadtree",
            Self::Flat => "flat_spatial, boxes",
            Self::FlatPoints => "flat_spatial, points",
        }
    }

    /// The peer, tuned in each of the ways that may be its best on some machine.
    pub fn sides(self) -> Vec<Box<dyn Frames + Send>> {
        match self {
            Self::Nobody => Vec::new(),
            Self::Parry => vec![Box::new(Parry::default())],
            Self::ParryRebuilt => vec![Box::new(Parry::rebuilt())],
            Self::Broccoli => [true, false].map(|keep| Box::new(Broccoli::new(keep)) as Box<dyn Frames + Send>).into(),
            Self::Rstar => vec![Box::new(Rstar)],
            Self::Kiddo => vec![Box::new(Kiddo::default())],
            Self::Quadtree => [7, 8].map(|depth| Box::new(Quadtree::new(depth)) as Box<dyn Frames + Send>).into(),
            Self::Flat => [8, 12, 16].map(|cell| Box::new(Flat::new(cell)) as Box<dyn Frames + Send>).into(),
            Self::FlatPoints => [6, 8, 12].map(|cell| Box::new(FlatPoints::new(cell)) as Box<dyn Frames + Send>).into(),
        }
    }
}

/// The task of both sides.
#[derive(Clone, Copy)]
pub enum Task {
    /// All pairs of a moving crowd.
    Pairs { scene: SceneKind, agents: u32, threads: usize },
    /// All within a distance of each body that about ten others are in. With the building, or without.
    Within { build: bool, in_order: bool },
    /// The ten nearest of each body.
    Nearest,
    /// The ten nearest others of each body, all in one call, where the rows are in order of place.
    Bulk,
}

/// A contest.
pub struct Contest {
    pub name: &'static str,
    pub task: Task,
    pub ours: Family,
    pub theirs: Peer,
    /// The goals: at least so many times faster (without a peer: at most so many ns), and the figure to reach for.
    pub targets: Option<[f64; 2]>,
}

const LARGE: u32 = 100_000;
const HUGE: u32 = 1_000_000;

const fn pairs(scene: SceneKind, agents: u32) -> Task {
    Task::Pairs { scene, agents, threads: 1 }
}

const fn contest(name: &'static str, task: Task, ours: Family, theirs: Peer, targets: Option<[f64; 2]>) -> Contest {
    Contest { name, task, ours, theirs, targets }
}

pub const ALL: [Contest; 18] = [
    contest(
        "uniform, spatial hash against parry2d",
        pairs(SceneKind::Uniform, LARGE),
        Family::SpatialHash,
        Peer::Parry,
        Some([7.0, 10.0]),
    ),
    contest(
        "uniform, against parry2d rebuilt at times (means)",
        pairs(SceneKind::Uniform, LARGE),
        Family::SpatialHash,
        Peer::ParryRebuilt,
        None,
    ),
    contest(
        "uniform, spatial hash against broccoli",
        pairs(SceneKind::Uniform, LARGE),
        Family::SpatialHash,
        Peer::Broccoli,
        Some([10.0, 14.0]),
    ),
    contest(
        "uniform, spatial hash against rstar",
        pairs(SceneKind::Uniform, LARGE),
        Family::SpatialHash,
        Peer::Rstar,
        Some([25.0, 35.0]),
    ),
    contest(
        "clustered, spatial hash against parry2d",
        pairs(SceneKind::Clustered, LARGE),
        Family::SpatialHash,
        Peer::Parry,
        Some([6.0, 10.0]),
    ),
    contest(
        "mixed, two-level grid against parry2d",
        pairs(SceneKind::Mixed, LARGE),
        Family::TwoLevels,
        Peer::Parry,
        Some([4.0, 6.0]),
    ),
    contest(
        "line, best of ours against parry2d",
        pairs(SceneKind::Line, LARGE),
        Family::Any,
        Peer::Parry,
        Some([4.0, 5.0]),
    ),
    contest(
        "1M, spatial hash against broccoli",
        pairs(SceneKind::Uniform, HUGE),
        Family::SpatialHash,
        Peer::Broccoli,
        Some([10.0, 16.0]),
    ),
    contest(
        "1M, spatial hash, 2 threads (ns)",
        Task::Pairs { scene: SceneKind::Uniform, agents: HUGE, threads: 2 },
        Family::SpatialHash,
        Peer::Nobody,
        Some([12.0, 6.0]),
    ),
    contest(
        "within, spatial hash against kiddo",
        Task::Within { build: false, in_order: true },
        Family::SpatialHash,
        Peer::Kiddo,
        Some([3.0, 5.0]),
    ),
    contest(
        "within, the same in random order",
        Task::Within { build: false, in_order: false },
        Family::SpatialHash,
        Peer::Kiddo,
        None,
    ),
    contest(
        "nearest ten, spatial hash against kiddo",
        Task::Nearest,
        Family::SpatialHash,
        Peer::Kiddo,
        Some([3.0, 6.0]),
    ),
    contest("nearest ten others, in bulk, against kiddo", Task::Bulk, Family::SpatialHash, Peer::Kiddo, None),
    contest(
        "kd-tree, build and within, against kiddo",
        Task::Within { build: true, in_order: true },
        Family::KdTree,
        Peer::Kiddo,
        Some([1.0, 2.0]),
    ),
    contest("kd-tree, all pairs, against kiddo", pairs(SceneKind::Uniform, LARGE), Family::KdTree, Peer::Kiddo, None),
    contest(
        "quadtree, ours against aabb-quadtree",
        pairs(SceneKind::Uniform, LARGE),
        Family::Quadtree,
        Peer::Quadtree,
        Some([2.0, 5.0]),
    ),
    contest(
        "buckets, ours against flat_spatial",
        pairs(SceneKind::Uniform, LARGE),
        Family::Buckets,
        Peer::Flat,
        Some([5.0, 7.0]),
    ),
    contest(
        "buckets, against flat_spatial's points",
        pairs(SceneKind::Uniform, LARGE),
        Family::Buckets,
        Peer::FlatPoints,
        None,
    ),
];

impl Contest {
    /// Holds it. Gives the ratio (without a peer: ns) of the medians and of the fastest frames, or nothing where we have no
    /// such structure yet. `share` is the part of the agents and of the time that is used.
    pub fn hold(&self, share: f64) -> Result<Option<[f64; 2]>, Box<dyn Error>> {
        let kinds = self.ours.kinds();
        if kinds.is_empty() {
            println!("  not there yet");
            return Ok(None);
        }
        let agents = |agents: u32| (f64::from(agents) * share) as u32;
        let budget = |seconds: f64| Duration::from_secs_f64(seconds * share.max(0.2));
        match self.task {
            Task::Pairs { scene, agents: count, threads } => {
                let kinds = quickest(kinds, &Scene::new(scene, agents(count / 10), DENSITY, 1)?)?;
                let scene = Scene::new(scene, agents(count), DENSITY, 1)?;
                let ours = best(kinds.into_iter().map(|kind| ours(&scene, kind)).collect())?;
                let mut lanes = vec![ours];
                let sides = self.theirs.sides();
                if !sides.is_empty() {
                    lanes.push(best(
                        sides.into_iter().map(|side| Lane::new(self.theirs.name(), &scene, side)).collect(),
                    )?);
                }
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                let budget = budget(if count > LARGE { 8.0 } else { 4.0 });
                clock::measure_wall(threads > 1);
                let raced = pool.install(|| heat::frames(&mut lanes, budget).map_err(|error| error.to_string()));
                clock::measure_wall(false);
                raced?;
                for lane in &lanes {
                    print(&lane.name, lane.cost());
                }
                let ours = lanes[0].cost();
                let theirs = lanes.get(1).map(Lane::cost);
                Ok(Some(theirs.map_or([ours.total, ours.least], |theirs| {
                    let typical = if self.theirs == Peer::ParryRebuilt {
                        theirs.mean / ours.mean
                    } else {
                        theirs.total / ours.total
                    };
                    [typical, theirs.least / ours.least]
                })))
            }
            Task::Within { build, in_order } => {
                let scene = Scene::new(SceneKind::Uniform, agents(LARGE), DENSITY, 1)?;
                let points = if in_order { by_place(&scene).position } else { scene.position.clone() };
                let question = Question::Within((10.0 / DENSITY).sqrt());
                let [ours, theirs] = ask(&scene, kinds, &points, question, budget(4.0))?;
                Ok(Some(if build {
                    [theirs.total / ours.total, theirs.least / ours.least]
                } else {
                    [theirs.answer / ours.answer, theirs.least_answer / ours.least_answer]
                }))
            }
            Task::Nearest | Task::Bulk => {
                let mut scene = Scene::new(SceneKind::Uniform, agents(LARGE), DENSITY, 1)?;
                let ordered = by_place(&scene);
                let points = ordered.position.clone();
                let question = if let Task::Bulk = self.task {
                    scene = ordered;
                    Question::Others(10)
                } else {
                    Question::Nearest(10)
                };
                let [ours, theirs] = ask(&scene, kinds, &points, question, budget(4.0))?;
                Ok(Some([theirs.answer / ours.answer, theirs.least_answer / ours.least_answer]))
            }
        }
    }
}

pub fn ours(scene: &Scene, kind: IndexKind) -> Lane {
    Lane::new(&format!("throng, {kind}"), scene, Box::new(Ours::new(kind)))
}

/// The three fastest of some on a small crowd: an index that is hopeless on a large one is not tried there.
fn quickest(kinds: Vec<IndexKind>, small: &Scene) -> Result<Vec<IndexKind>, Box<dyn Error>> {
    if kinds.len() <= 3 {
        return Ok(kinds);
    }
    let mut costs = Vec::new();
    for kind in kinds {
        costs.push((ours(small, kind).trial()?, kind));
    }
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(costs.into_iter().take(3).map(|(_, kind)| kind).collect())
}

/// The fastest of some, by a short trial.
fn best(lanes: Vec<Lane>) -> Result<Lane, Box<dyn Error>> {
    if lanes.len() == 1 {
        return Ok(lanes.into_iter().next().ok_or("nobody runs")?);
    }
    let mut best: Option<(f64, Lane)> = None;
    for mut lane in lanes {
        let cost = lane.trial()?;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, lane));
        }
    }
    Ok(best.ok_or("nobody runs")?.1)
}

/// The crowd with its rows in order of place, row after row of squares. So bodies that are near each other ask one
/// after the other, as in a simulation. (All radii are one.)
fn by_place(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.position.sort_by_key(|point| [point[1], point[0]].map(|x| (x * 0.25).floor() as i32));
    scene
}

/// Asks the fastest of ours and kiddo at each point: their costs.
fn ask(
    scene: &Scene,
    kinds: Vec<IndexKind>,
    points: &[[f32; 2]],
    question: Question,
    budget: Duration,
) -> Result<[Cost; 2], Box<dyn Error>> {
    let mut ours: Vec<(String, Ours)> =
        kinds.into_iter().map(|kind| (format!("throng, {kind}"), Ours::new(kind))).collect();
    let mut kiddo = Kiddo::default();
    let mut best: Option<[Cost; 2]> = None;
    for (name, ours) in &mut ours {
        let sides: &mut [(&str, &mut dyn Asked)] = &mut [(name, ours), ("kiddo", &mut kiddo)];
        let costs = heat::questions(scene, sides, points, question, budget)?;
        for (side, &cost) in [name.as_str(), "kiddo"].into_iter().zip(&costs) {
            print(side, cost);
        }
        if best.is_none_or(|best| costs[0].answer / costs[1].answer < best[0].answer / best[1].answer) {
            best = Some([costs[0], costs[1]]);
        }
    }
    Ok(best.ok_or("nobody asks")?)
}

fn print(name: &str, cost: Cost) {
    let Cost { build, answer, total, mean, least, .. } = cost;
    println!("  {name:<24} {build:>9.2} {answer:>9.2} {total:>9.2} {mean:>9.2} {least:>9.2}");
}
