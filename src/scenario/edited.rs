//! A scenario with another map.

use super::{Scenario, ScenarioError};
use crate::grid::{Grid, MapError, MapFile, MapOptions};
use crate::whole_file::WholeFile;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, value};

/// Keys that say how a map is read, and that the map as it is written needs no more.
const OF_MAP: [&str; 5] = ["cell_size", "polygons", "colours", "height", "height_scale"];

impl Scenario {
    /// Writes the scenario with another map, as it was read but for that, comments and all: `path` (`.toml`), and the map beside it
    /// under the same name. The map is text that holds all there is (`.txt`), or a Tiled map (`.tmx`) where the old one has areas,
    /// which it keeps. What else the scenario names must be found from the new place: write it beside the old one. Each file is
    /// written whole or not at all. Returns the map's path.
    ///
    /// # Errors
    /// [`ScenarioError`] where the old files cannot be read any more, or the new ones cannot be written.
    ///
    /// ```
    /// use throng::scenario::Scenario;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("duel.toml");
    /// # std::fs::write(folder.path().join("yard.map"), "type octile\nheight 4\nwidth 4\nmap\n....\n....\n....\n....\n")?;
    /// # std::fs::write(&path, "map = \"yard.map\" # ours\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 1\nposition = [1.5, 1.5]\n")?;
    /// let (scenario, _) = Scenario::load(&path)?;
    /// let mut grid = (*scenario.grid).clone();
    /// grid.set_open(grid.lattice().cell(3, 3), false);
    /// let edited = folder.path().join("duel-2.toml");
    /// scenario.save_edited(&grid, &edited)?;
    /// let (again, _) = Scenario::load(&edited)?;
    /// assert!(*again.grid == grid && std::fs::read_to_string(&edited)?.contains("# ours"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_edited(&self, grid: &Grid, path: impl AsRef<Path>) -> Result<PathBuf, ScenarioError> {
        let path = path.as_ref();
        let read = |source| ScenarioError::Read { file: self.file.clone(), source };
        let text = std::fs::read_to_string(&self.file).map_err(read)?;
        let document = text.parse::<DocumentMut>();
        let mut document = document.map_err(|error| read(std::io::Error::other(error.to_string())))?;
        let in_map = |source: MapError| ScenarioError::MapNotWritten { source: Box::new(source) };
        let as_here = MapOptions { cell_size: Some(grid.lattice().cell_size), ..MapOptions::default() };
        let areas = MapFile::load(&self.map, &as_here).map_err(in_map)?.areas;
        let map = path.with_extension(if areas.is_empty() { "txt" } else { "tmx" });
        if areas.is_empty() {
            grid.save_ascii(&map).map_err(in_map)?;
        } else {
            MapFile { grid: grid.clone(), areas }.save_tiled(&map).map_err(in_map)?;
        }
        for key in OF_MAP {
            document.remove(key);
        }
        let name = map.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(item) = document.get_mut("map").and_then(|item| item.as_value_mut()) {
            // What stands around it, such as a comment, stays.
            let around = item.decor().clone();
            *item = name.into();
            *item.decor_mut() = around;
        } else {
            document["map"] = value(name);
        }
        let write = |source| ScenarioError::NotWritten { file: path.into(), source };
        let mut file = WholeFile::create(path).map_err(write)?;
        file.write_all(document.to_string().as_bytes()).and_then(|()| file.finish()).map_err(write)?;
        Ok(map)
    }
}
