//! Errors that end the program.

use std::path::PathBuf;
use throng::compare::CompareError;
use throng::grid::generate::GenerateError;
use throng::grid::{GroundError, MapError};
use throng::plan::PlanError;
use throng::record::{RecordError, RecordingError};
use throng::scenario::ScenarioError;
use throng::world::{SnapshotError, WorldError};

#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error(transparent)]
    Batch(#[from] throng::batch::BatchError),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Ground(#[from] GroundError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    #[error(transparent)]
    CommandLog(#[from] throng::world::LogError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Compare(#[from] CompareError),
    #[error(transparent)]
    Experiment(#[from] throng::experiment::ExperimentError),
    #[error(transparent)]
    Scene(#[from] throng::spatial::SceneError),
    #[error(transparent)]
    Volume(#[from] throng::spatial::volume::VolumeError),
    #[error(transparent)]
    Graph(#[from] throng::plan::graph::GraphError),
    #[error(transparent)]
    Arguments(clap::Error),
    #[error("{}:{line}:{column}: {message}", file.display())]
    EdgeList { file: PathBuf, line: usize, column: usize, message: String },
    #[error("the example {} cannot be written: {source}", path.display())]
    Example { path: PathBuf, source: std::io::Error },
    #[error("{}: cannot be read: {source}; check the path", file.display())]
    Unread { file: PathBuf, source: std::io::Error },
    #[error("{option}: the graph has no node {found:?}{near}")]
    NoNode { option: &'static str, found: String, near: String },
    #[error("no route: the graph has none from {from:?} to {to:?}")]
    NoRouteInGraph { from: String, to: String },
    #[error(
        "--planner {planner} does not search graphs; choose dijkstra, astar, weighted-astar, ara, bidirectional or fringe"
    )]
    NotOfGraphs { planner: String },
    #[error("the output folder {} cannot be written: {source}; choose another with --out", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error("{} cannot be written: {source}; choose another with {option}", file.display())]
    File { file: PathBuf, option: &'static str, source: std::io::Error },
    #[error("{} is what is read here and would be overwritten; choose another with {option}", file.display())]
    Input { file: PathBuf, option: &'static str },
    #[error(
        "{}: maps are written as .map (Moving AI), .txt or .ascii (with all there is), .tmx or .tmj (Tiled), .geojson, .wkt and .png; \
         choose one of these endings",
        file.display()
    )]
    Target { file: PathBuf },
    #[error("{} is named by {other} and by {option}; choose two files", file.display())]
    Twice { file: PathBuf, option: &'static str, other: &'static str },
    #[error(
        "{} is a snapshot of another battle than {}: it has {found}, expected {expected}; go on with the scenario or crowd \
         it was made with",
        file.display(), source_file.display()
    )]
    OtherBattle { file: PathBuf, source_file: PathBuf, found: String, expected: String },
    #[error("{}: no such file; check the path", file.display())]
    Missing { file: PathBuf },
    #[error("{}: this is {found}, expected {expected}; {advice}", file.display())]
    OtherKind { file: PathBuf, found: String, expected: &'static str, advice: String },
    #[error("{option} sees nothing of the map, which goes from {left},{top} to {right},{bottom} (m)")]
    OffSight { option: &'static str, left: f32, top: f32, right: f32, bottom: f32 },
    #[error("{option} {x},{y} is off the map, which is {width} x {height} cells")]
    OffMap { option: &'static str, x: u32, y: u32, width: u32, height: u32 },
    #[error("{option} {x},{y} is in a wall; --nearest takes the nearest open cell")]
    InWall { option: &'static str, x: u32, y: u32 },
    #[error("--link {x},{y} is no cell that this unit can stand on; a link joins two such cells")]
    LinkEnd { x: u32, y: u32 },
    #[error("{option} {x},{y} is {why}; --nearest takes the nearest cell that is not")]
    Unfit { option: &'static str, x: u32, y: u32, why: &'static str },
    #[error(transparent)]
    Index(throng::spatial::IndexSpecError),
    #[error("--{option} concerns none of the indices chosen, only {those}; choose some of these with --indices")]
    Idle { option: &'static str, those: String },
    #[error("--agents {agents}: the window shows at most {most} discs; choose fewer, or leave --window out")]
    #[cfg(all(feature = "viewer", feature = "spatial-lab"))]
    Crowded { agents: u32, most: u32 },
    #[error("--shapes {shapes}: the window shows at most {most} shapes; choose fewer, or leave --window out")]
    #[cfg(all(feature = "viewer", feature = "spatial-lab"))]
    CrowdedShapes { shapes: u32, most: u32 },
    #[error("--top-speed {top_speed} is below --speed {speed} (m/s); give a --top-speed of at least {speed}")]
    TopSpeed { speed: f32, top_speed: f32 },
    #[error("{}: a log of commands holds no frames; --to and --from take a recording", file.display())]
    NoFramesOfCommands { file: PathBuf },
    #[error("{}: a recording holds no world to go on from; --snapshot takes a log of commands", file.display())]
    NoWorld { file: PathBuf },
    #[error("{}: holds no frame; record the run again", file.display())]
    NoFrames { file: PathBuf },
    #[error("{}: holds no map to draw; --to txt and --to csv need none", file.display())]
    NoMap { file: PathBuf },
    #[error("{}: has no frame between --from and --until; its last is at {seconds:.2} s", file.display())]
    NothingThen { file: PathBuf, seconds: f64 },
    #[error("--every thins --statistics, --squads, --plot and --record; for --trajectories give --trajectories-every")]
    EveryOfNothing,
    #[error("{option} {every}: {} holds one tick in {recorded}; choose a multiple of {recorded}", file.display())]
    NotRecorded { file: PathBuf, option: &'static str, every: u64, recorded: u64 },
    #[error("--overlay routes: {} holds no routes, recordings keep positions only; choose density or strength", file.display())]
    NoRoutes { file: PathBuf },
    #[error("--out - writes raw video to standard output and nothing else; give --to y4m alone, and no --json")]
    Streamed,
    #[error("standard output does not take the result: {0}; lead it to a file or a pipe with room for it")]
    Unprinted(&'static std::io::Error),
    #[error("the map has no open cell")]
    NothingOpen,
    #[error("there is no cell on the map where this unit can stand")]
    NothingFit,
    #[error("no route: the goal is in another part of the map")]
    NoRoute,
    #[cfg(feature = "viewer")]
    #[error("{0}")]
    View(String),
}
