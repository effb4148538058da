//! A scenario file and its map, read once for many scenarios.

use super::file::{self, Number, ScenarioFile, UnitTable, Whole};
use super::read;
use super::source::Source;
use super::units;
use super::{Scenario, ScenarioError, Warning, text_of};
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng_grid::{Area, Grid, MapFile};
use throng_sim::battle::{Unit, UnitError};
use toml::Spanned;

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
        /// One of [`Template::UNIT_FIELDS`].
        field: &'static str,
        /// In the unit of the file.
        value: f64,
    },
}

/// A scenario file that was read with its map, from which scenarios are made whose numbers differ; they share the map.
/// What a [`Change`] says is taken as if it stood in the file: what follows from it by default follows from it here,
/// and everybody is put in place anew.
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
    parsed: ScenarioFile,
    library: Vec<Unit>,
    grid: Arc<Grid>,
    areas: Vec<Area>,
}

impl Template {
    /// The numbers of a kind of soldier that a [`Change`] may name.
    pub const UNIT_FIELDS: [&str; 32] = [
        "radius",
        "height",
        "speed",
        "speed_spread",
        "top_speed",
        "headway",
        "health",
        "armour",
        "damage",
        "breach",
        "reach",
        "cooldown",
        "charge",
        "turning",
        "arc",
        "attackers",
        "sight",
        "view",
        "morale",
        "mass",
        "acceleration",
        "priority",
        "congestion",
        "cost",
        "ranged.range",
        "ranged.speed",
        "ranged.spread",
        "ranged.damage",
        "ranged.cooldown",
        "ranged.salvo",
        "ranged.ammunition",
        "ranged.blast",
    ];

    /// Reads a scenario file and its map. Nobody is put in place yet.
    ///
    /// # Errors
    /// [`ScenarioError`] names the file, the line and the column, what was found and what was expected.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(path: &Path) -> Result<Self, ScenarioError> {
        let file = path;
        let text = text_of(file)?;
        let parsed = file::parse(&text, file)?;
        let source = Source { text: &text, file };
        let library = units::library(&source, &parsed)?;
        read::check(&source, &parsed, &library, &[])?;
        let MapFile { grid, areas } = read::map(&source, &parsed)?;
        Ok(Self { file: file.to_path_buf(), parsed, library, grid: Arc::new(grid), areas, text })
    }

    /// The scenario of the file with other numbers, later changes over earlier ones. It is the one that the file with these
    /// numbers in it would give.
    ///
    /// # Errors
    /// As [`Scenario::load`]; the place of a changed number is that of the one in the file, or of what it belongs to.
    pub fn scenario(&self, changes: &[Change]) -> Result<(Scenario, Vec<Warning>), ScenarioError> {
        let source = Source { text: &self.text, file: &self.file };
        let mut parsed = Cow::Borrowed(&self.parsed);
        for change in changes {
            self.apply(&source, parsed.to_mut(), change)?;
        }
        read::scenario(&source, &parsed, &self.library, &self.grid, &self.areas)
    }

    fn apply(&self, source: &Source, parsed: &mut ScenarioFile, change: &Change) -> Result<(), ScenarioError> {
        match change {
            &Change::Count { army, squad, count } => {
                let table = parsed.army.get_mut(army).and_then(|army| army.squad.get_mut(squad));
                let Some(table) = table else {
                    let known = self.parsed.army.get(army).map_or(0, |army| army.squad.len());
                    let hint = format!("there are {known}");
                    let (what, found) = ("squad", format!("{squad} of army {army}"));
                    return Err(ScenarioError::UnknownName { at: source.at(0..0), what, found, hint });
                };
                let span = table.span();
                if let Some(places) = &table.get_ref().places {
                    let message = format!(
                        "this squad has {} places, one a soldier: its count cannot be changed; vary a squad with a position or an area",
                        places.get_ref().0.len()
                    );
                    return Err(ScenarioError::Squad { at: source.at(places.span()), message });
                }
                let count = Whole(i64::try_from(count).unwrap_or(i64::MAX));
                set(&mut table.get_mut().count, count, span);
            }
            Change::Unit { unit, field, value } => {
                let table = unit_table(source, parsed, &self.library, unit)?;
                let name = table.name.span();
                if let Some(whole) = table.whole_mut(field) {
                    if value.fract() != 0.0 {
                        let expected = units::whole_range(field).1;
                        let error = UnitError { unit: unit.clone(), field, expected, found: *value as f32 };
                        return Err(ScenarioError::Unit { at: source.at(name), source: error });
                    }
                    set(whole, Whole(*value as i64), name);
                } else if let Some(number) = table.number_mut(field) {
                    set(number, Number(*value), name);
                } else {
                    let known = Self::UNIT_FIELDS.map(str::to_owned);
                    let hint = file::hint(field, &known);
                    return Err(ScenarioError::UnknownKey { at: source.at(name), found: (*field).to_owned(), hint });
                }
            }
        }
        Ok(())
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

/// Puts a value where the one before stood, or at `span` where there was none.
fn set<T>(place: &mut Option<Spanned<T>>, value: T, span: Range<usize>) {
    let span = place.as_ref().map_or(span, Spanned::span);
    *place = Some(Spanned::new(span, value));
}

/// The table of a unit; those of the library get one where the file does not define them.
fn unit_table<'a>(
    source: &Source,
    parsed: &'a mut ScenarioFile,
    library: &[Unit],
    name: &str,
) -> Result<&'a mut UnitTable, ScenarioError> {
    let place = parsed.unit.iter().position(|table| table.name.get_ref() == name);
    if place.is_none() {
        if library.iter().all(|unit| unit.name != name) {
            let own = parsed.unit.iter().map(|table| table.name.get_ref());
            let hint = file::hint(name, &units::names(own, library));
            return Err(ScenarioError::UnknownUnit { at: source.at(0..0), found: name.to_owned(), hint });
        }
        let name = Spanned::new(0..0, name.to_owned());
        parsed.unit.push(UnitTable { like: Some(name.clone()), ..UnitTable::named(name) });
    }
    let place = place.unwrap_or(parsed.unit.len() - 1);
    Ok(&mut parsed.unit[place])
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
            "s.toml:3:8: priority of unit \"guard\" must be a whole number from -3 to 3, found 0.5"
        );
        assert_eq!(error(unit("guard", "helth", 1.0)), "s.toml:3:8: unknown key \"helth\"; did you mean \"health\"?");
        assert_eq!(error(unit("gaurd", "health", 1.0)), "s.toml:1:1: unknown unit \"gaurd\"; did you mean \"guard\"?");
        assert_eq!(
            error(Change::Count { army: 0, squad: 1, count: 0 }),
            "s.toml:7:74: count must be between 1 and 200000 (soldiers a squad), found 0"
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
