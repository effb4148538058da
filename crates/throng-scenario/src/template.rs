//! A scenario file and its map, read once for many scenarios.

use super::did_you_mean::name_hint;
use super::document::{Node, Value};
use super::schema::{SCENARIO, SQUAD, UNIT};
use super::section::{Section, Source};
use super::{Scenario, ScenarioError, Warning, read, text_of, units};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng_grid::{Area, Grid, MapFile, MapLink};
use throng_sim::battle::{Unit, UnitNumber};

/// A number of a scenario that is not that of its file.
///
/// See [`Template::scenario`].
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// How many soldiers a squad has.
    Count {
        /// Place of the army in the file, from 0.
        army: usize,
        /// Place of the squad in its army, from 0.
        squad: usize,
        /// Soldiers.
        count: u64,
    },
    /// A number of a kind of soldier.
    Unit {
        /// Its name.
        unit: String,
        /// The key of a [`UnitNumber`].
        field: &'static str,
        /// In the unit of the file.
        value: f64,
    },
}

/// A scenario file that was read with its map, from which scenarios are made whose numbers differ; they share the map.
/// A [`Change`] is taken as if it stood in the file: values that follow from it by default follow here too, and every
/// squad is put in place anew.
///
/// ```
/// use throng_scenario::{Change, Template};
/// # let folder = tempfile::tempdir()?;
/// # std::fs::write(folder.path().join("a.map"), "type octile\nheight 1\nwidth 9\nmap\n.........\n")?;
/// # let path = folder.path().join("duel.toml");
/// std::fs::write(&path, r#"
///     map = "a.map"
///     [[army]]
///     name = "red"
///     squad = [{ count = 1, position = [4.5, 0.5] }]
/// "#)?;
/// let template = Template::load(&path)?;
/// let (scenario, _) = template.scenario(&[Change::Count { army: 0, squad: 0, count: 3 }])?;
/// assert_eq!(scenario.agents(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
    file: PathBuf,
    node: Node,
    library: Vec<Unit>,
    grid: Arc<Grid>,
    areas: Vec<Area>,
    /// Those of the map.
    links: Vec<MapLink>,
    warnings: Vec<Warning>,
}

impl Template {
    /// Reads a scenario file and its map. No squad is put in place yet.
    ///
    /// # Errors
    /// [`ScenarioError`] names the file, the line and the column, the found text and the expected one.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(file: &Path) -> Result<Self, ScenarioError> {
        Self::of(text_of(file)?, file)
    }

    /// The template that a file of this text would be.
    pub(super) fn of(text: String, file: &Path) -> Result<Self, ScenarioError> {
        let source = Source { text: &text, file };
        let node = Node::parse(&text, file)?;
        SCENARIO.check(source, &node)?;
        let root = Section { source, schema: &SCENARIO, node: &node };
        let library = units::library(root)?;
        read::check(root, &library, &[])?;
        let MapFile { grid, areas, links, warnings } = read::map(root)?;
        let warnings = warnings.into_iter().map(Warning::Map).collect();
        Ok(Self { file: file.to_path_buf(), node, library, grid: Arc::new(grid), areas, links, warnings, text })
    }

    /// The scenario of the file with other numbers, later changes over earlier ones. It is the one that the file with these
    /// numbers in it would give.
    ///
    /// # Errors
    /// As [`Scenario::load`]; the place of a changed number is that of the one in the file, or of the table that it
    /// belongs to.
    pub fn scenario(&self, changes: &[Change]) -> Result<(Scenario, Vec<Warning>), ScenarioError> {
        let source = Source { text: &self.text, file: &self.file };
        let mut node = Cow::Borrowed(&self.node);
        for change in changes {
            self.apply(source, node.to_mut(), change)?;
        }
        if !changes.is_empty() {
            SCENARIO.check(source, &node)?;
        }
        let file = Section { source, schema: &SCENARIO, node: &node };
        let (scenario, warnings) = read::scenario(file, &self.library, &self.grid, &self.areas, &self.links)?;
        Ok((scenario, [&self.warnings[..], &warnings].concat()))
    }

    fn apply(&self, source: Source<'_>, root: &mut Node, change: &Change) -> Result<(), ScenarioError> {
        let section = |node| Section { source, schema: &SCENARIO, node };
        match change {
            &Change::Count { army, squad, count } => {
                let squads = root.list_mut("army").get_mut(army).map_or(&mut [][..], |army| army.list_mut("squad"));
                let known = squads.len();
                let Some(table) = squads.get_mut(squad) else {
                    let (found, hint) = (format!("{squad} of army {army}"), format!("there are {known}"));
                    return Err(ScenarioError::UnknownName { at: source.at(0), what: "squad", found, hint });
                };
                let squad = Section { source, schema: &SQUAD, node: table };
                if squad.has("places") {
                    let places = squad.points("places").count();
                    let message = format!(
                        "this squad has {places} places, one a soldier: its count cannot be changed; vary a squad with a position or an area"
                    );
                    return squad.wrong("places", message);
                }
                let place = table.span.start;
                table.set("count", Value::Whole(i64::try_from(count).unwrap_or(i64::MAX)), place);
            }
            Change::Unit { unit, field, value } => {
                let own: Vec<String> = section(root)
                    .tables("unit", &UNIT)
                    .filter_map(|table| table.text("name"))
                    .map(Into::into)
                    .collect();
                let place = own.iter().position(|name| name == unit);
                if place.is_none() && self.library.iter().all(|known| known.name != *unit) {
                    let hint = name_hint(unit, &units::names(own.iter().map(String::as_str), &self.library));
                    return Err(ScenarioError::UnknownName {
                        at: source.at(0),
                        what: "unit",
                        found: unit.clone(),
                        hint,
                    });
                }
                let table = unit_table(root, place, unit);
                let name = table.get("name").map_or(0, |name| name.span.start);
                let Some(number) = UnitNumber::all().find(|number| number.key == *field) else {
                    let known: Vec<&str> = UnitNumber::all().map(|number| number.key).collect();
                    let hint = name_hint(field, &known);
                    return Err(ScenarioError::UnknownKey { at: source.at(name), found: (*field).to_owned(), hint });
                };
                let is_whole = number.range.is_whole && value.fract() == 0.0;
                let value = if is_whole { Value::Whole(*value as i64) } else { Value::Number(*value) };
                match number.key.split_once('.') {
                    Some((weapon, key)) => {
                        if table.get(weapon).is_none() {
                            table.set(weapon, Value::Table(Vec::new()), name);
                        }
                        if let Some(weapon) = table.get_mut(weapon) {
                            weapon.set(key, value, name);
                        }
                    }
                    None => table.set(number.key, value, name),
                }
            }
        }
        Ok(())
    }

    /// The units that squads may name besides those of the file.
    pub fn library(&self) -> &[Unit] {
        &self.library
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The map.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The areas that the map names.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }
}

/// The table of a unit; a unit of the library gets one where the file has none, at no `place`.
fn unit_table<'a>(root: &'a mut Node, place: Option<usize>, name: &str) -> &'a mut Node {
    let place = place.unwrap_or_else(|| {
        let mut table = Node { span: 0..0, value: Value::Table(Vec::new()) };
        table.set("name", Value::Text(name.into()), 0);
        table.set("like", Value::Text(name.into()), 0);
        root.push("unit", table)
    });
    &mut root.list_mut("unit")[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"map = "a.map"
[[unit]]
name = "guard"
speed = 2
[[army]]
name = "red"
squad = [{ unit = "guard", count = 4, position = [9.5, 9.5] }, { count = 2, position = [3.5, 3.5] }]
"#;

    /// A scenario of this text on an empty map of 20 x 20 cells.
    fn template(text: &str) -> (tempfile::TempDir, Template) {
        let folder = tempfile::tempdir().unwrap();
        let map = format!("type octile\nheight 20\nwidth 20\nmap\n{}", (".".repeat(20) + "\n").repeat(20));
        std::fs::write(folder.path().join("a.map"), map).unwrap();
        std::fs::write(folder.path().join("s.toml"), text).unwrap();
        let template = Template::load(folder.path().join("s.toml")).unwrap();
        (folder, template)
    }

    #[test]
    fn a_change_is_as_if_it_stood_in_the_file() {
        let (_folder, original) = template(FILE);
        let changes = [
            Change::Count { army: 0, squad: 0, count: 7 },
            Change::Unit { unit: "guard".into(), field: "speed", value: 3.0 },
            Change::Unit { unit: "guard".into(), field: "priority", value: -2.0 },
            Change::Unit { unit: "soldier".into(), field: "health", value: 30.0 },
        ];
        let (changed, _) = original.scenario(&changes).unwrap();
        let written = FILE.replace("count = 4", "count = 7").replace("speed = 2", "speed = 3\npriority = -2");
        let written = written.replace("[[army]]", "[[unit]]\nname = \"soldier\"\nhealth = 30\n[[army]]");
        let (_other, written) = template(&written);
        let (written, _) = written.scenario(&[]).unwrap();
        assert_eq!((&changed.units, &changed.armies), (&written.units, &written.armies));
        // A third more than the speed, as where the file says nothing.
        assert_eq!(changed.units[0].top_speed, 4.0);
        assert!(Arc::ptr_eq(&changed.grid, original.grid()));
    }

    #[test]
    fn bad_changes_are_named() {
        let (folder, template) = template(FILE);
        let error = |change: Change| {
            let error = template.scenario(&[change]).unwrap_err().to_string();
            error.replace(&format!("{}/", folder.path().display()), "")
        };
        let unit = |unit: &str, field, value| Change::Unit { unit: unit.into(), field, value };
        assert_eq!(
            error(unit("guard", "speed", 200.0)),
            "s.toml:4:9: speed of unit \"guard\" must be between 0 and 100 (m/s), found 200"
        );
        assert_eq!(
            error(unit("guard", "priority", 0.5)),
            "s.toml:3:8: priority of unit \"guard\" must be a whole number between -3 and 3, found 0.5"
        );
        assert_eq!(error(unit("guard", "helth", 1.0)), "s.toml:3:8: unknown key \"helth\"; did you mean \"health\"?");
        assert_eq!(error(unit("gaurd", "health", 1.0)), "s.toml:1:1: unknown unit \"gaurd\"; did you mean \"guard\"?");
        assert_eq!(
            error(Change::Count { army: 0, squad: 1, count: 0 }),
            "s.toml:7:74: count must be a whole number between 1 and 200000 (soldiers a squad), found 0"
        );
        assert_eq!(
            error(Change::Count { army: 0, squad: 2, count: 1 }),
            "s.toml:1:1: unknown squad \"2 of army 0\"; there are 2"
        );
        assert!(error(Change::Count { army: 0, squad: 0, count: 4000 }).contains("of 4000 soldiers find room"));
        let placed = FILE.replace("count = 2, position = [3.5, 3.5]", "places = [[3.5, 3.5], [5.5, 3.5]]");
        let (folder, placed) = self::template(&placed);
        let refused = placed.scenario(&[Change::Count { army: 0, squad: 1, count: 3 }]).unwrap_err().to_string();
        assert_eq!(
            refused.replace(&format!("{}/", folder.path().display()), ""),
            "s.toml:7:75: this squad has 2 places, one a soldier: its count cannot be changed; vary a squad with a position or an area"
        );
    }
}
