//! A scenario with another map, more squads, squads elsewhere, armies of other names, and other walls that can be broken.

use super::orders::written;
use super::values_saved::{facing, number, places};
use super::{Scenario, ScenarioError, breakables_saved, deployed_saved, renamed};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_grid::whole_file::WholeFile;
use throng_grid::{Grid, MapError, MapFormat, MapLink, MapLoss};
use throng_plan::PlannerChoice;
use throng_sim::crowd::Avoidance;
use throng_sim::world::{Breakable, SquadSpec};
use throng_spatial::IndexSpec;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// Keys of the reading of a map: keys that the written map does not need are removed.
const OF_MAP: [&str; 8] =
    ["cell_size", "polygons", "project", "level", "wall_width", "colours", "height", "height_scale"];

/// The edits of a scenario since it was read.
///
/// ```
/// use throng_sim::battle::Order;
/// use throng_grid::geom::Vec2;
/// use throng_grid::MapFormat;
/// use throng_scenario::{Edited, Scenario};
/// use throng_sim::world::{ArmyId, SquadSpec, UnitId};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("duel.toml");
/// # std::fs::write(folder.path().join("yard.map"), "type octile\nheight 4\nwidth 4\nmap\n....\n....\n....\n....\n")?;
/// # std::fs::write(&path, "map = \"yard.map\" # ours\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 1\nposition = [1.5, 1.5]\n")?;
/// let (scenario, _) = Scenario::load(&path)?;
/// let mut grid = (*scenario.grid).clone();
/// grid.set_open(grid.lattice().cell(3, 3), false);
/// let more = SquadSpec::new(ArmyId(0), UnitId(0), [Vec2::new(2.5, 0.5), Vec2::new(0.5, 2.5)]);
/// let more = SquadSpec { facing: 90.0, order: Order::Attack, ..more };
///
/// let edited = Edited { squads: &[more.clone()], ..Edited::new(&grid, MapFormat::MovingAi) };
/// let saved = folder.path().join("duel-2.toml");
/// scenario.save_edited(&edited, &saved)?;
/// let (again, _) = Scenario::load(&saved)?;
/// assert!(*again.grid == grid && again.armies[0].squads[1] == more);
/// assert!(std::fs::read_to_string(&saved)?.contains("# ours"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Edited<'a> {
    /// Its map now.
    pub grid: &'a Grid,
    /// How the map is written.
    pub format: MapFormat,
    /// Squads to add.
    pub squads: &'a [SquadSpec],
    /// Squads of the file, by their places among those of all armies, that stand elsewhere now, or are gone (`None`).
    pub deployed: &'a [(usize, Option<SquadSpec>)],
    /// The armies now, those of the file first: names and colours; empty = as they were.
    pub armies: &'a [(String, Option<[u8; 3]>)],
    /// All that can be broken now, whole.
    pub breakables: &'a [Breakable],
    /// How neighbours are found now; `None` = as it was.
    pub index: Option<IndexSpec>,
    /// How collisions are avoided now; `None` = as it was.
    pub avoidance: Option<Avoidance>,
}

impl<'a> Edited<'a> {
    /// This map, and all else as it was, but without walls that break.
    pub fn new(grid: &'a Grid, format: MapFormat) -> Self {
        Self { grid, format, squads: &[], deployed: &[], armies: &[], breakables: &[], index: None, avoidance: None }
    }
}

impl Scenario {
    /// The kind of file that holds all of an edited map: text, or a Tiled map where it has [areas](Scenario::areas) or links.
    pub fn map_format(&self) -> MapFormat {
        if self.areas.is_empty() && self.map_links == 0 { MapFormat::Ascii } else { MapFormat::Tiled }
    }

    /// Writes the scenario with another map, more squads and other breakable walls; all else, comments included, is as
    /// it was read. `path` (`.toml`) gets the scenario, and a file beside it under the same name the map. Files of
    /// their own, or keys, hold the parts of a scenario that such a map cannot hold: the side of a cell; heights as an
    /// image, `NAME-heights.png`; of a `.png` map the classes of terrain by colours, `NAME-colours.toml`. The squads
    /// are the last of their armies, each soldier with its own place. Other files that the scenario names must be found
    /// from the new place: write it beside the old one. Each file is written whole or not at all. Returns the map's
    /// path.
    ///
    /// # Errors
    /// [`ScenarioError::File`] where something of the map would be lost; then nothing is written. Others where its fields were
    /// changed after loading so that the text no longer fits them, or a file cannot be written.
    pub fn save_edited(&self, edited: &Edited, path: impl AsRef<Path>) -> Result<PathBuf, ScenarioError> {
        self.save_edited_at(edited, path.as_ref())
    }

    fn save_edited_at(&self, edited: &Edited, path: &Path) -> Result<PathBuf, ScenarioError> {
        let mut document = self.text.parse::<DocumentMut>().map_err(|error| {
            let source = std::io::Error::other(error.to_string());
            ScenarioError::Read { file: self.file.clone(), source }
        })?;
        deployed_saved::write(self, &mut document, edited)?;
        for squad in edited.squads.iter().filter(|squad| !squad.positions.is_empty()) {
            self.add(&mut document, edited, squad)?;
        }
        renamed::write(self, &mut document, edited.armies);
        if let Some(index) = edited.index.filter(|&index| self.settings.index != index.into()) {
            set(&mut document, "index", index.to_string().into());
        }
        if let Some(avoidance) = edited.avoidance.filter(|avoidance| *avoidance != self.settings.avoidance.kind) {
            set(&mut document, "avoidance", avoidance.name().into());
        }
        let lattice = edited.grid.lattice();
        let is_closed = |at: Vec2| !edited.grid.is_open(lattice.at(at));
        let walled = |link: &&MapLink| {
            let breaks = |at: Vec2| edited.breakables.iter().any(|walls| walls.cells.contains(&lattice.at(at)));
            [link.from, link.to].into_iter().any(|at| is_closed(at) && !breaks(at))
        };
        if let Some(MapLink { name, from, to, .. }) = self.links.iter().find(walled) {
            let message = format!(
                "not written, since a wall stands on an end of the link {name:?} from ({}, {}) to ({}, {}); open it first",
                from.x, from.y, to.x, to.y
            );
            return Err(ScenarioError::File { file: path.into(), message });
        }
        breakables_saved::write(self, &mut document, edited.grid, edited.breakables)?;
        let map = path.with_extension(edited.format.ending());
        let keys = self.write_map(edited, &map)?;
        for key in OF_MAP {
            if !keys.iter().any(|(needed, _)| *needed == key) {
                document.remove(key);
            }
        }
        set(&mut document, "map", name_of(&map).into());
        for (key, value) in keys {
            set(&mut document, key, value);
        }
        let write = |source| ScenarioError::Write { file: path.into(), source };
        let mut file = WholeFile::create(path).map_err(write)?;
        file.write_all(document.to_string().as_bytes()).and_then(|()| file.finish()).map_err(write)?;
        Ok(map)
    }

    /// Writes the map, and the other files that a scenario needs to read the same; returns the keys for them.
    fn write_map(&self, edited: &Edited, map: &Path) -> Result<Vec<(&'static str, Value)>, ScenarioError> {
        let &Edited { grid, format, .. } = edited;
        let in_map = |source: MapError| ScenarioError::SavedMap { source: Box::new(source) };
        let beside = |what: &str| {
            let stem = map.file_stem().unwrap_or_default().to_string_lossy();
            map.with_file_name(format!("{stem}-{what}"))
        };
        let (mut keys, mut lost) = (Vec::new(), Vec::new());
        let (mut heights, mut colours) = (None, None);
        let links = &self.links[..self.map_links.min(self.links.len())];
        for loss in format.losses(grid, &self.areas, links) {
            match loss {
                MapLoss::CellSize(side) => keys.push(("cell_size", number(side))),
                MapLoss::Heights { .. } => heights = Some(beside("heights.png")),
                MapLoss::Terrain { .. } | MapLoss::WallTerrain { .. } if format == MapFormat::Png => {
                    colours = Some(beside("colours.toml"));
                }
                loss => lost.push(loss.what()),
            }
        }
        if !lost.is_empty() {
            let holds = if self.areas.is_empty() && links.is_empty() {
                "a .txt or .tmx map holds it"
            } else {
                "a .tmx map holds it"
            };
            let message = format!("not written, since it cannot hold {}; {holds}", lost.join(" and "));
            return Err(ScenarioError::File { file: map.into(), message });
        }
        match colours {
            Some(table) => {
                grid.save_coloured(map, &table).map_err(in_map)?;
                keys.push(("colours", name_of(&table).into()));
            }
            None => format.save(grid, &self.areas, links, map).map_err(in_map)?,
        }
        if let Some(image) = heights {
            let white = grid.save_heights(&image).map_err(in_map)?;
            keys.extend([("height", name_of(&image).into()), ("height_scale", number(white))]);
        }
        Ok(keys)
    }

    /// Adds a squad to its army, as its last.
    fn add(&self, document: &mut DocumentMut, edited: &Edited, squad: &SquadSpec) -> Result<(), ScenarioError> {
        let (table, is_inline) = (self.table(document, edited, squad), deployed_saved::is_inline(document));
        let place = usize::from(squad.army.0);
        let army = deployed_saved::army_of(document, place).ok_or_else(|| {
            let message = format!("there is no army {} in it; a squad can be added to its armies only", place + 1);
            ScenarioError::File { file: self.file.clone(), message }
        })?;
        deployed_saved::add(army, table, is_inline);
        Ok(())
    }

    /// A squad as it stands in a file.
    pub(super) fn table(&self, document: &DocumentMut, edited: &Edited, squad: &SquadSpec) -> Table {
        let size = edited.grid.lattice().size();
        let mut table = Table::new();
        let mut add = |key: &str, value: Value| table.insert(key, value.into());
        if let Some(unit) = self.units.get(usize::from(squad.unit.0)) {
            add("unit", unit.name.as_str().into());
        }
        add("places", places(&squad.positions));
        add("facing", facing(squad.facing));
        if let Some(formation) = squad.formation {
            add("formation", formation.shape.name().into());
            add("spacing", number(formation.spacing));
            if let Some(files) = formation.files.filter(|_| formation.shape.has_files()) {
                add("columns", i64::from(files).into());
            }
        }
        let names = (document, self.squad_names.as_slice());
        add("order", written(names, size, squad.order));
        if !squad.queue.is_empty() {
            add("then", squad.queue.iter().map(|&next| written(names, size, next)).collect::<Array>().into());
        }
        let usual = document.get("planner").and_then(Item::as_str).map(str::parse::<PlannerChoice>);
        if usual.map_or(Some(PlannerChoice::default()), Result::ok) != Some(squad.planner.clone()) {
            add("planner", squad.planner.to_string().into());
        }
        table
    }
}

/// The last part of a path.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Sets a key at the top; the text around its value, such as a comment, stays.
fn set(document: &mut DocumentMut, key: &str, new: Value) {
    match document.get_mut(key).and_then(Item::as_value_mut) {
        Some(value) => {
            let around = value.decor().clone();
            *value = new;
            *value.decor_mut() = around;
        }
        None => document[key] = new.into(),
    }
}
