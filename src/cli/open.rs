//! Files that a user chooses in the window, or drops on it.

use super::file_kind::{self, FileKind, Wanted};
use std::path::Path;
use throng::record::Recording;
use throng::scenario::{Scenario, ScenarioError, Warning};
use throng::viewer::{Replay, Scene};
use throng::world::World;

/// A scenario (`.toml`), a recording (`.throng`), or a map, which gets an army each.
pub(super) fn open(path: &Path, threads: usize) -> Result<Scene, String> {
    match (file_kind::of(path), path.extension().and_then(|ending| ending.to_str())) {
        (Some(FileKind::Recording), _) | (_, Some("throng")) => recording(path),
        (Some(FileKind::Map(_)), _) => scenario(Scenario::skirmish(path), threads),
        _ => {
            file_kind::check(path, Wanted::ScenarioOrMap).map_err(|error| error.to_string())?;
            scenario(Scenario::load(path), threads)
        }
    }
}

fn scenario(read: Result<(Scenario, Vec<Warning>), ScenarioError>, threads: usize) -> Result<Scene, String> {
    let (scenario, _) = read.map_err(|error| error.to_string())?;
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
        deploys: false,
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
    Ok(Scene { title: about.title, grid, step, simulation: Box::new(replay), scenario: None, deploys: false })
}
