//! Files that a user chooses in the window, or drops on it.

use super::file_kind::{self, FileKind, Wanted};
use std::path::Path;
use throng::record::Recording;
use throng::scenario::{Scenario, ScenarioError, Warning};
use throng::viewer::{OpenError, Replay, Scene};
use throng::world::World;

/// A scenario (`.toml`), a recording (`.throng`), or a map, which gets an army each.
pub(super) fn open(path: &Path, threads: usize) -> Result<Scene, OpenError> {
    match (file_kind::of(path), path.extension().and_then(|ending| ending.to_str())) {
        (Some(FileKind::Recording), _) | (_, Some("throng")) => recording(path),
        (Some(FileKind::Map(_)), _) => scenario(Scenario::skirmish(path), threads),
        _ => {
            file_kind::check(path, Wanted::ScenarioOrMap).map_err(|error| OpenError::Other(error.into()))?;
            scenario(Scenario::load(path), threads)
        }
    }
}

fn scenario(read: Result<(Scenario, Vec<Warning>), ScenarioError>, threads: usize) -> Result<Scene, OpenError> {
    let (scenario, _) = read?;
    let world = scenario.build(threads)?;
    Ok(of_scenario(scenario, world))
}

/// The window's view of a scenario.
pub(super) fn of_scenario(scenario: Scenario, world: World) -> Scene {
    Scene {
        title: scenario.name.clone(),
        grid: world.grid().clone(),
        step: scenario.settings.step,
        simulation: Box::new(world),
        scenario: Some(Box::new(scenario)),
        deploys: false,
    }
}

fn recording(path: &Path) -> Result<Scene, OpenError> {
    let nothing = |missing| OpenError::Nothing { file: path.to_path_buf(), missing };
    let mut recording = Recording::open(path)?;
    let about = recording.about().clone();
    let last = recording.frames().checked_sub(1).ok_or_else(|| nothing("frames"))?;
    let grid = recording.first_map()?.ok_or_else(|| nothing("map"))?;
    let replay = Replay::new(recording, 0, last)?;
    let step = about.step * about.every as f32;
    Ok(Scene { title: about.title, grid, step, simulation: Box::new(replay), scenario: None, deploys: false })
}
