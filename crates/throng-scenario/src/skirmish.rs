//! A battle on a map of which nothing else is known.

use super::{Scenario, ScenarioError, Template, Warning};
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, MapError, MapFile, MapOptions};

/// Soldiers of an army; fewer where there is no room for as many.
const SOLDIERS: [u32; 7] = [60, 30, 15, 8, 4, 2, 1];

/// The radius of a soldier (m).
const RADIUS: f32 = 0.4;

/// Of the ground along the longer side of the map, an army has this share behind it.
const BEHIND: f64 = 0.15;

impl Scenario {
    /// A battle on a map: two armies of up to 60 soldiers, who stand at both ends of its largest region and attack each other. No file
    /// is written; the scenario has the name of the map with the ending `.toml`.
    ///
    /// # Errors
    /// [`ScenarioError`] where the map cannot be read, or has no room for a soldier on each side.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let map = folder.path().join("yard.map");
    /// std::fs::write(&map, "type octile\nheight 2\nwidth 8\nmap\n........\n..@@@@..\n")?;
    /// let (scenario, _) = throng_scenario::Scenario::skirmish(&map)?;
    /// assert_eq!((scenario.name.as_str(), scenario.armies.len()), ("yard", 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skirmish(map: impl AsRef<Path>) -> Result<(Self, Vec<Warning>), ScenarioError> {
        Self::skirmish_at(map.as_ref())
    }

    fn skirmish_at(map: &Path) -> Result<(Self, Vec<Warning>), ScenarioError> {
        let refused = |source: MapError| ScenarioError::SavedMap { source: Box::new(source) };
        let grid = MapFile::load(map, &MapOptions::default()).map_err(refused)?.grid;
        let none = || ScenarioError::File {
            file: map.to_path_buf(),
            message: format!(
                "there is no room for two soldiers of radius {RADIUS} m; open some cells, or make them larger"
            ),
        };
        let ends = ends(grid).ok_or_else(none)?;
        let map = std::path::absolute(map).map_err(|source| ScenarioError::Read { file: map.to_path_buf(), source })?;
        let mut last = none();
        for count in SOLDIERS {
            match Template::of(text(&map, ends, count), &map.with_extension("toml")).and_then(|file| file.scenario(&[]))
            {
                Ok(battle) => return Ok(battle),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// Two places (m) of the largest region, towards its ends along the longer side of the map.
fn ends(grid: Grid) -> Option<[Vec2; 2]> {
    let ground = Ground::new(grid.into(), RADIUS).ok()?;
    let lattice = ground.lattice();
    let mut sizes = vec![0_u64; ground.region_count() as usize + 1];
    lattice.cells().for_each(|cell| sizes[ground.region(cell) as usize] += 1);
    let largest = (1..sizes.len()).max_by_key(|&region| (sizes[region], std::cmp::Reverse(region)))?;
    let is_wide = lattice.width >= lattice.height;
    let along = |cell: Cell| {
        let (column, row) = lattice.column_row(cell);
        if is_wide { (column, row) } else { (row, column) }
    };
    let cells = || lattice.cells().filter(|&cell| ground.region(cell) as usize == largest);
    let (sides, middle) =
        if is_wide { (lattice.width, lattice.height / 2) } else { (lattice.height, lattice.width / 2) };
    let mut counts = vec![0_u64; sides as usize];
    cells().for_each(|cell| counts[along(cell).0 as usize] += 1);
    let end = |share: f64| {
        let wanted = (sizes[largest] as f64 * share) as u64;
        let mut before = 0;
        let line = counts.iter().position(|&count| {
            before += count;
            before > wanted
        })? as u32;
        cells().filter(|&cell| along(cell).0 == line).min_by_key(|&cell| along(cell).1.abs_diff(middle))
    };
    let (first, second) = (end(BEHIND)?, end(1.0 - BEHIND)?);
    (first != second).then(|| [lattice.centre(first), lattice.centre(second)])
}

/// The text of the scenario.
fn text(map: &Path, [red, blue]: [Vec2; 2], count: u32) -> String {
    let map: PathBuf = map.to_path_buf();
    let army = |name: &str, at: Vec2, other: Vec2| {
        let way = other - at;
        let facing = libm::atan2f(way.y, way.x).to_degrees().rem_euclid(360.0);
        let facing = if facing < 360.0 { facing } else { 0.0 };
        format!(
            "[[army]]\nname = \"{name}\"\n[[army.squad]]\ncount = {count}\nposition = [{:.3}, {:.3}]\nfacing = {facing:.1}\n\
             order = \"attack\"\n",
            at.x, at.y
        )
    };
    let map = toml_edit::Value::from(map.to_string_lossy().as_ref());
    format!("map = {map}\nmax_ticks = 100000\n\n{}\n{}", army("red", red, blue), army("blue", blue, red))
}
