//! A new battle: a scenario and its map, written from a few numbers.

use super::ScenarioError;
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use throng_grid::generate::{GenerateError, Kind, generate};
use throng_grid::geom::Vec2;
use throng_grid::whole_file::WholeFile;
use throng_grid::{Cell, Grid, Lattice, LatticeError, MapError, MapFormat, walls};

/// The ground of a [`NewBattle`].
#[derive(Clone, Debug, PartialEq)]
pub enum NewMap {
    /// An open plain.
    Plain,
    /// A map that is [generated](generate).
    Generated(Kind),
    /// A map that is there already, of a size (m).
    File(PathBuf, Vec2),
}

/// The kinds of soldiers of a [`NewBattle`].
pub const NEW_UNITS: [&str; 5] = ["swordsman", "spearman", "archer", "rider", "giant"];

/// An army of a [`NewBattle`].
#[derive(Clone, Debug, PartialEq)]
pub struct NewArmy {
    /// Name.
    pub name: String,
    /// Red, green and blue; `None` = that of its number.
    pub colour: Option<[u8; 3]>,
    /// How many it has of each of [`NEW_UNITS`].
    pub soldiers: [u32; NEW_UNITS.len()],
}

/// A battle to be written as a scenario.
///
/// ```
/// use throng_scenario::{NewArmy, NewBattle, NewMap, Scenario};
/// # let folder = tempfile::tempdir()?;
/// let army = |name: &str| NewArmy { name: name.into(), colour: None, soldiers: [60, 40, 30, 10, 0] };
/// let battle = NewBattle { map: NewMap::Plain, size: [96, 96], seed: 7, armies: vec![army("red"), army("blue")] };
/// let (scenario, warnings) = Scenario::load(battle.write(folder.path(), "my battle")?)?;
/// assert_eq!((scenario.name.as_str(), scenario.armies.len(), warnings.len()), ("my battle", 2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NewBattle {
    /// Its ground.
    pub map: NewMap,
    /// Columns and rows of cells of 1 m, unless the map is there already.
    pub size: [u32; 2],
    /// Seed of the map and of everything random.
    pub seed: u64,
    /// The armies. They stand in a circle and look at its middle: two from the left and from the right.
    pub armies: Vec<NewArmy>,
}

/// A new battle that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NewBattleError {
    /// No map of this kind and size can be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// No plain of this size can be made.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    /// The map cannot be written.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The scenario cannot be written.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
}

/// The most soldiers of a squad, unless there would be too many squads.
const SQUAD_SIZE: u32 = 120;
/// The most squads of a kind and an army.
const MOST_SQUADS: u32 = 12;
/// How far an army stands from the middle of the map, as a share of half of its lesser side.
const AWAY: f32 = 0.68;
/// A kind of soldiers.
struct NewUnit {
    /// Radius, and distance in its block (m).
    radius: f32,
    spacing: f32,
    /// The other keys of its table.
    keys: &'static str,
}

/// The kinds, in the order of [`NEW_UNITS`].
const UNITS: [NewUnit; NEW_UNITS.len()] = [
    NewUnit { radius: 0.4, spacing: 1.1, keys: "speed = 2.6\nhealth = 90\ndamage = 26\nsight = 16\n" },
    NewUnit { radius: 0.4, spacing: 1.1, keys: "speed = 2.4\nhealth = 75\ndamage = 24\nreach = 1.6\nsight = 18\n" },
    NewUnit {
        radius: 0.4,
        spacing: 1.2,
        keys: "speed = 2.4\nhealth = 60\ndamage = 10\nsight = 70\nranged = { range = 70, speed = 45, spread = 2.0, damage = 16, \
               cooldown = 4, ammunition = 40 }\n",
    },
    NewUnit { radius: 0.95, spacing: 2.4, keys: "speed = 5.0\nhealth = 150\ndamage = 35\nreach = 1.3\nsight = 24\n" },
    NewUnit {
        radius: 1.3,
        spacing: 3.6,
        keys: "speed = 2.0\nhealth = 1800\ndamage = 120\nreach = 2.2\nsight = 20\nmass = 2000\npriority = 1\nheight = 4\n",
    },
];

impl NewBattle {
    /// Writes `NAME.toml` into a folder, which is made where it is not there, and where the map is made anew `NAME.txt`. Files of
    /// these names are replaced. Returns the path of the scenario.
    ///
    /// # Errors
    /// [`NewBattleError`] where the map cannot be made, or a file cannot be written.
    pub fn write(&self, folder: impl AsRef<Path>, name: &str) -> Result<PathBuf, NewBattleError> {
        self.write_at(folder.as_ref(), name)
    }

    fn write_at(&self, folder: &Path, name: &str) -> Result<PathBuf, NewBattleError> {
        let path = folder.join(format!("{name}.toml"));
        let write = |source| ScenarioError::Write { file: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(write)?;
        let [width, height] = self.size;
        let grid = match &self.map {
            NewMap::Plain => Some(Grid::open_plain(Lattice::new(width, height, 1.0)?)),
            NewMap::Generated(kind) => Some(generate(*kind, width, height, self.seed)?),
            NewMap::File(..) => None,
        };
        let (map, size) = match (&self.map, &grid) {
            (NewMap::File(map, size), _) => (std::path::absolute(map).map_err(write)?, *size),
            (_, grid) => {
                let map = path.with_extension("txt");
                if let Some(grid) = grid {
                    MapFormat::Ascii.save(grid, &[], &[], &map)?;
                }
                (PathBuf::from(format!("{name}.txt")), Vec2::new(width as f32, height as f32))
            }
        };
        let text = self.text(name, &map, size, grid.as_ref());
        let mut file = WholeFile::create(&path).map_err(write)?;
        file.write_all(text.as_bytes()).and_then(|()| file.finish()).map_err(write)?;
        Ok(path)
    }

    /// The text of the scenario on a map of a size (m), where there are armies on one that was made.
    fn text(&self, name: &str, map: &Path, size: Vec2, grid: Option<&Grid>) -> String {
        let mut text = format!(
            "name = {}\nmap = {}\nseed = {}\nmax_ticks = 100000\n",
            quoted(name),
            quoted(&map.to_string_lossy()),
            self.seed
        );
        // Writing to a text cannot fail.
        for (name, NewUnit { radius, keys, .. }) in NEW_UNITS.iter().zip(&UNITS) {
            let _ = write!(text, "\n[[unit]]\nname = \"{name}\"\nradius = {radius}\n{keys}");
        }
        let count = self.armies.len().max(1) as f32;
        for (index, army) in self.armies.iter().enumerate() {
            let _ = write!(text, "\n[[army]]\nname = {}\n", quoted(&army.name));
            if let Some([r, g, b]) = army.colour {
                let _ = writeln!(text, "colour = \"#{r:02X}{g:02X}{b:02X}\"");
            }
            let angle = std::f32::consts::PI + std::f32::consts::TAU * index as f32 / count;
            let outward = Vec2::new(libm::cosf(angle), libm::sinf(angle));
            let blocks = blocks(army.soldiers);
            if blocks.is_empty() {
                text.push_str("squad = []\n");
            }
            for block in blocks {
                let at = size * 0.5
                    + outward * (AWAY * 0.5 * size.min_element() + block.back)
                    + outward.perp() * block.aside;
                let at = at.clamp(Vec2::splat(2.0), size - Vec2::splat(2.0));
                let at = grid.and_then(|grid| roomy(grid, at, &block)).unwrap_or(at);
                let facing = (angle.to_degrees() + 180.0).rem_euclid(360.0);
                let Block { unit, count, columns, .. } = block;
                let _ = write!(
                    text,
                    "\n[[army.squad]]\nunit = \"{}\"\ncount = {count}\nposition = [{:.1}, {:.1}]\nfacing = {facing:.1}\n\
                     columns = {columns}\nspacing = {:.1}\norder = \"attack\"\n",
                    NEW_UNITS[unit], at.x, at.y, UNITS[unit].spacing
                );
            }
        }
        text
    }
}

/// A squad of an army that looks ahead.
struct Block {
    unit: usize,
    count: u32,
    columns: u32,
    /// The place of its middle beside and behind that of the army's front (m).
    aside: f32,
    back: f32,
}

/// The squads of an army: foot in lines one behind the other, riders beside them, giants before them.
fn blocks(soldiers: [u32; NEW_UNITS.len()]) -> Vec<Block> {
    let mut all = Vec::new();
    let (mut back, mut widest) = (0.0_f32, 10.0_f32);
    for unit in [4, 0, 1, 2, 3] {
        let total = soldiers[unit];
        if total == 0 {
            continue;
        }
        let squads = total.div_ceil(SQUAD_SIZE).min(MOST_SQUADS);
        let each = total.div_ceil(squads);
        let columns = (libm::sqrtf(each as f32 * 2.5) as u32).clamp(1, each);
        let [width, depth] = [columns, each.div_ceil(columns)].map(|side| side as f32 * UNITS[unit].spacing + 2.0);
        let is_horse = unit == 3;
        for squad in 0..squads {
            let count = each.min(total - each * squad.min(total / each));
            let aside = if is_horse {
                let side = if squad % 2 == 0 { 1.0 } else { -1.0 };
                side * (0.5 * (widest + width) + (squad / 2) as f32 * width)
            } else {
                (squad as f32 - (squads - 1) as f32 / 2.0) * width
            };
            let back = if is_horse { 0.5 * depth } else { back + 0.5 * depth };
            if count > 0 {
                all.push(Block { unit, count, columns: columns.min(count), aside, back });
            }
        }
        if !is_horse {
            back += depth;
            widest = widest.max(width * squads as f32);
        }
    }
    all
}

/// The point nearest to another (m), by rings of some metres, around which a squad finds room: enough cells for its bodies hang together.
fn roomy(grid: &Grid, at: Vec2, block: &Block) -> Option<Vec2> {
    let (lattice, radius) = (grid.lattice(), UNITS[block.unit].radius);
    let area = UNITS[block.unit].spacing / lattice.cell_size;
    let wanted = (FREE_GROUND_FACTOR * block.count as f32 * (area * area).max(1.0)) as usize;
    let is_clear = |cell: Cell| walls::is_clear(grid, lattice.centre(cell), radius);
    let has_room = |from: Cell| {
        let (mut seen, mut queue) = (BTreeSet::from([from]), VecDeque::from([from]));
        while let Some(cell) = queue.pop_front().filter(|_| seen.len() < wanted) {
            let (column, row) = lattice.column_row(cell);
            for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let (column, row) = (column.wrapping_add_signed(x), row.wrapping_add_signed(y));
                if column < lattice.width && row < lattice.height {
                    let next = lattice.cell(column, row);
                    if is_clear(next) && seen.insert(next) {
                        queue.push_back(next);
                    }
                }
            }
        }
        seen.len() >= wanted
    };
    let rings = (lattice.size().max_element() / RING_M) as i32;
    let points = (0..=rings).flat_map(|ring| {
        let around = (-ring..=ring).flat_map(move |y| (-ring..=ring).map(move |x| (x, y)));
        around.filter(move |(x, y)| x.abs().max(y.abs()) == ring)
    });
    let points = points.map(|(x, y)| at + RING_M * Vec2::new(x as f32, y as f32));
    let cells = points.filter(|&point| lattice.covers(point)).map(|point| lattice.at(point));
    cells.filter(|&cell| is_clear(cell)).find(|&cell| has_room(cell)).map(|cell| lattice.centre(cell))
}

/// How many times the ground that a squad covers has to hang together around it: others stand there, too.
const FREE_GROUND_FACTOR: f32 = 8.0;
/// The distance of the points that are tried (m).
const RING_M: f32 = 3.0;

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use proptest::prelude::*;

    fn army(name: &str, soldiers: [u32; 5]) -> NewArmy {
        NewArmy { name: name.into(), colour: Some([1, 2, 255]), soldiers }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_new_battle_can_be_loaded_and_has_all_its_soldiers(
            kind in 0..8_usize, seed in any::<u64>(), armies in 2..5_usize, soldiers in prop::array::uniform5(0..150_u32),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let map = Kind::ALL.get(kind).map_or(NewMap::Plain, |&kind| NewMap::Generated(kind));
            let armies: Vec<_> = (0..armies).map(|index| army(&format!("army \"{index}\""), soldiers)).collect();
            let battle = NewBattle { map, size: [256, 256], seed: seed >> 1, armies };
            let path = battle.write(folder.path(), "new one").unwrap();
            let (scenario, _) = Scenario::load(&path).unwrap();
            for army in &scenario.armies {
                let mut found = [0; 5];
                for squad in &army.squads {
                    found[usize::from(squad.unit.0)] += squad.positions.len() as u32;
                }
                prop_assert_eq!(found, soldiers);
                prop_assert_eq!(army.colour, Some([1, 2, 255]));
            }
            let mut world = scenario.build(1).unwrap();
            world.tick().unwrap();
        }
    }

    #[test]
    fn a_map_that_is_there_is_named_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("yard.map");
        std::fs::write(&map, "type octile\nheight 4\nwidth 4\nmap\n....\n....\n....\n....\n").unwrap();
        let battle = NewBattle {
            map: NewMap::File(map.clone(), Vec2::splat(4.0)),
            size: [0, 0],
            seed: 1,
            armies: vec![army("red", [0; 5]), army("blue", [0; 5])],
        };
        let (scenario, _) = Scenario::load(battle.write(folder.path().join("new"), "yard").unwrap()).unwrap();
        assert_eq!((scenario.map, scenario.armies[0].squads.len()), (map, 0));
    }
}
