//! A crowd from a table: each agent walks from its start to its goal over an open plain.

use super::{At, MAX_AGENTS, ScenarioError, text_of};
use csv::{ReaderBuilder, StringRecord};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::world::{Settings, World, WorldError};

/// Free ground around all starts and goals (m).
const MARGIN: f64 = 20.0;

/// Coordinates reach so far from 0 (m): beyond, positions would be coarser than a centimetre.
const REACH: f64 = 100_000.0;

/// A plain has at most so many cells a side; a larger one has larger cells.
const MAX_CELLS: f64 = 2048.0;

/// As many agents start in a square metre at most: several times as many as the smallest of them have room for. To look around among
/// n in one place takes n².
const MAX_IN_SQUARE_METRE: u32 = 500;

const COLUMNS: [&str; 4] = ["x", "y", "goal_x", "goal_y"];

/// A crowd read from a CSV file with the header `x,y,goal_x,goal_y`, in metres, one agent a row: where it starts and
/// where it wants to go. There is no map and no battle. Coordinates may be negative; the world has its origin at
/// [`CrowdTable::origin`].
///
/// ```
/// use throng_sim::battle::Unit;
/// use throng_scenario::CrowdTable;
/// use throng_sim::world::Settings;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pair.csv");
/// std::fs::write(&path, "x,y,goal_x,goal_y\n-5,0,5,0\n5,0,-5,0\n")?;
/// let crowd = CrowdTable::load(&path)?;
/// assert_eq!((crowd.len(), crowd.origin()), (2, [-25.0, -20.0]));
/// let mut world = crowd.build(Unit::pedestrian(), Settings { step: 0.1, ..Settings::default() })?;
/// world.tick()?;
/// assert_eq!(world.agents(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdTable {
    file: PathBuf,
    starts: Vec<Vec2>,
    goals: Vec<Vec2>,
    origin: [f64; 2],
    lattice: Lattice,
}

impl CrowdTable {
    /// Reads a crowd.
    ///
    /// # Errors
    /// [`ScenarioError`] names the file, the line and the column, the found text and the expected one.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(path: &Path) -> Result<Self, ScenarioError> {
        let file = path;
        let text = text_of(file)?;
        let rows = read(text.trim_start_matches('\u{FEFF}'), file)?;
        let [mut low, mut high] = [[f64::MAX; 2], [f64::MIN; 2]];
        for point in rows.iter().flat_map(|row| [[row[0], row[1]], [row[2], row[3]]]) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        // A whole number of metres, so that nothing is lost on the way there and back.
        let origin = low.map(|least| least.floor() - MARGIN);
        let [width, height] = [0, 1].map(|axis| high[axis] + MARGIN - origin[axis]);
        let cell_size = (width.max(height) / MAX_CELLS).ceil();
        let cells = |extent: f64| (extent / cell_size).ceil() as u32;
        let lattice = Lattice::new(cells(width), cells(height), cell_size as f32)
            .map_err(|error| ScenarioError::File { file: file.to_path_buf(), message: error.to_string() })?;
        let local = |x: f64, y: f64| Vec2::new((x - origin[0]) as f32, (y - origin[1]) as f32);
        Ok(Self {
            file: file.to_path_buf(),
            starts: rows.iter().map(|row| local(row[0], row[1])).collect(),
            goals: rows.iter().map(|row| local(row[2], row[3])).collect(),
            origin,
            lattice,
        })
    }

    /// The world of this crowd at tick 0. The id of an agent is its row, from 0.
    ///
    /// # Errors
    /// [`ScenarioError::World`] where the world refuses the unit or the settings.
    pub fn build(&self, unit: Unit, settings: Settings) -> Result<World, ScenarioError> {
        let attempt = || -> Result<World, WorldError> {
            let mut world = World::new(self.plain(), settings)?;
            let unit = world.add_unit(unit)?;
            let army = world.add_army(Self::ARMY)?;
            world.spawn_walkers(army, unit, &self.starts, &self.goals)?;
            Ok(world)
        };
        attempt().map_err(|source| ScenarioError::World { file: self.file.clone(), source })
    }

    /// The name of the army that all of them are.
    pub const ARMY: &str = "crowd";

    /// The plain they walk on.
    pub fn plain(&self) -> Grid {
        Grid::open_plain(self.lattice)
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// True where there are none, which no file that loads has.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Where the origin of the world lies in the coordinates of the file (whole metres).
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Width and height of the plain (m).
    pub fn size(&self) -> Vec2 {
        self.lattice.size()
    }
}

fn read(text: &str, file: &Path) -> Result<Vec<[f64; 4]>, ScenarioError> {
    let at = |byte: u64, column: usize| {
        // A record's place is that of the blank lines before it.
        let bytes = text.as_bytes();
        let begin = (byte as usize..bytes.len()).find(|&i| !matches!(bytes[i], b'\r' | b'\n')).unwrap_or(0);
        At { column, ..At::of(text, begin, file) }
    };
    // No quotes: a field is what stands between two commas, so that its column in the line can be named.
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).quoting(false).from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    let mut rows = Vec::new();
    // Only ever asked for single squares, so its order cannot show.
    let mut squares = HashMap::new();
    let mut header = false;
    loop {
        let more = reader
            .read_record(&mut record)
            .map_err(|error| ScenarioError::Read { file: file.to_path_buf(), source: std::io::Error::other(error) })?;
        if !more {
            break;
        }
        let byte = record.position().map_or(0, csv::Position::byte);
        if !header {
            if !record.iter().map(str::trim).eq(COLUMNS) {
                let found: String = record.iter().collect::<Vec<_>>().join(",").chars().take(40).collect();
                return Err(wrong_header(at(byte, 1), &format!("{found:?}")));
            }
            header = true;
            continue;
        }
        if record.len() != COLUMNS.len() {
            let message = format!("this row has {} fields, expected 4: x,y,goal_x,goal_y", record.len());
            return Err(ScenarioError::Syntax { at: at(byte, 1), message });
        }
        let mut row = [0.0; 4];
        let mut column = 1;
        for ((value, field), key) in row.iter_mut().zip(&record).zip(COLUMNS) {
            match field.trim().parse::<f64>() {
                Ok(number) if number.abs() <= REACH => *value = number,
                _ => {
                    let expected = format!("a number between -{REACH} and {REACH} (m)");
                    let found = format!("{:?}", field.trim().chars().take(40).collect::<String>());
                    return Err(ScenarioError::Value { at: at(byte, column), key: key.into(), expected, found });
                }
            }
            column += field.chars().count() + 1;
        }
        let square = [row[0], row[1]].map(|metres| metres.floor() as i32);
        let here = squares.entry(square).or_insert(0);
        *here += 1;
        if *here > MAX_IN_SQUARE_METRE {
            let message = format!(
                "more than {MAX_IN_SQUARE_METRE} agents start in the square metre from ({}, {}); give them room",
                square[0], square[1]
            );
            return Err(ScenarioError::Syntax { at: at(byte, 1), message });
        }
        rows.push(row);
    }
    if !header {
        return Err(wrong_header(at(0, 1), "an empty file"));
    }
    let message = match rows.len() {
        0 => "there are no agents; add a row for each below the header".to_owned(),
        1..=MAX_AGENTS => return Ok(rows),
        found => format!("{found} agents in all; the limit is {MAX_AGENTS}"),
    };
    Err(ScenarioError::File { file: file.to_path_buf(), message })
}

fn wrong_header(at: At, found: &str) -> ScenarioError {
    ScenarioError::Syntax { at, message: format!("the header must be x,y,goal_x,goal_y, found {found}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text, Path::new("c.csv")).unwrap_err().to_string()
    }

    #[test]
    fn bad_tables_are_named() {
        assert_eq!(error(""), "c.csv:1:1: the header must be x,y,goal_x,goal_y, found an empty file");
        assert_eq!(error("x,y\n1,2\n"), "c.csv:1:1: the header must be x,y,goal_x,goal_y, found \"x,y\"");
        assert_eq!(error("x,y,goal_x,goal_y\n"), "c.csv: there are no agents; add a row for each below the header");
        assert_eq!(
            error("x,y,goal_x,goal_y\n1,2,3,4\n1,2,3\n"),
            "c.csv:3:1: this row has 3 fields, expected 4: x,y,goal_x,goal_y"
        );
        assert_eq!(
            error("x,y,goal_x,goal_y\n\n1, 2,abc,4\n"),
            "c.csv:3:6: goal_x must be a number between -100000 and 100000 (m), found \"abc\""
        );
        assert_eq!(
            error("x,y,goal_x,goal_y\n1,2,3,nan\n"),
            "c.csv:2:7: goal_y must be a number between -100000 and 100000 (m), found \"nan\""
        );
    }

    #[test]
    fn agents_have_room() {
        let table = |rows: usize, x: &str| format!("x,y,goal_x,goal_y\n{}", format!("{x},-0.5,3,4\n").repeat(rows));
        assert_eq!(read(&table(500, "1.5"), Path::new("c.csv")).unwrap().len(), 500);
        let expected = "more than 500 agents start in the square metre from (1, -1); give them room";
        assert_eq!(error(&table(40_000, "1.5")), format!("c.csv:502:1: {expected}"));
    }

    #[test]
    #[allow(clippy::float_cmp)] // whole numbers
    fn a_wide_crowd_gets_larger_cells() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wide.csv");
        std::fs::write(&path, "x,y,goal_x,goal_y\r\n-50000.25,0,50000,1\r\n").unwrap();
        let crowd = CrowdTable::load(&path).unwrap();
        assert_eq!(crowd.origin(), [-50021.0, -20.0]);
        assert_eq!(crowd.lattice.cell_size, 49.0);
        assert_eq!(crowd.starts, [Vec2::new(20.75, 20.0)]);
        assert!(crowd.lattice.covers(crowd.goals[0] + Vec2::splat(19.0)));
    }
}
