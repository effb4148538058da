//! Files that a user drops on the window.

use std::path::Path;
use throng::battle::Unit;
use throng::grid::{MapFile, MapOptions};
use throng::record::Recording;
use throng::scenario::Scenario;
use throng::viewer::{Replay, Scene};
use throng::world::{Settings, World};

/// A scenario (`.toml`), a recording (`.throng`) or a map without agents: there are two armies of one kind of
/// soldiers to bring squads of.
pub(super) fn open(path: &Path, threads: usize) -> Result<Scene, String> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => scenario(path, threads),
        Some("throng") => recording(path),
        _ => map(path, threads),
    }
}

fn scenario(path: &Path, threads: usize) -> Result<Scene, String> {
    let (scenario, _) = Scenario::load(path).map_err(|error| error.to_string())?;
    let world = scenario.build(threads).map_err(|error| error.to_string())?;
    Ok(of_scenario(scenario, world))
}

/// The window's view of a scenario.
pub(super) fn of_scenario(scenario: Scenario, world: World) -> Scene {
    Scene {
        title: scenario.name.clone(),
        grid: world.grid().clone(),
        step: scenario.step,
        simulation: Box::new(world),
        scenario: Some(Box::new(scenario)),
    }
}

fn recording(path: &Path) -> Result<Scene, String> {
    let mut recording = Recording::open(path).map_err(|error| error.to_string())?;
    let about = recording.about().clone();
    let last = recording.frames().checked_sub(1).ok_or_else(|| format!("{}: has no frames", path.display()))?;
    let map = recording.first_map().map_err(|error| error.to_string())?;
    let grid = map.ok_or_else(|| format!("{}: has no map to show", path.display()))?;
    let replay = Replay::new(recording, 0, last).map_err(|error| error.to_string())?;
    let step = about.step * about.every as f32;
    Ok(Scene { title: about.title, grid, step, simulation: Box::new(replay), scenario: None })
}

fn map(path: &Path, threads: usize) -> Result<Scene, String> {
    let map = MapFile::load(path, &MapOptions::default()).map_err(|error| error.to_string())?;
    let settings = Settings { threads, max_ticks: u64::MAX, ..Settings::default() };
    let mut world = World::new(map.grid, settings).map_err(|error| error.to_string())?;
    world.add_unit(Unit::default()).map_err(|error| error.to_string())?;
    for army in ["red", "blue"] {
        world.add_army(army).map_err(|error| error.to_string())?;
    }
    let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (grid, step) = (world.grid().clone(), world.settings().step);
    Ok(Scene { title, grid, step, simulation: Box::new(world), scenario: None })
}
