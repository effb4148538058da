//! Scenarios: worlds from a text file that a beginner can edit, and crowds from tables.
//!
//! - A [`Scenario`] is a TOML file that was read with its map: units, armies, squads, journeys, triggers and objectives.
//!   [`Scenario::build`] makes the [`World`]. A [`ScenarioError`] names file, line and column, the found text and the
//!   expected one; a [`Warning`] reports a correction.
//! - The module [`schema`] has all keys of a file: kind, unit, range, default, documentation.
//! - A [`Template`] is read once for many scenarios. A [`Change`] sets one of its numbers.
//! - [`Edited`] writes a scenario with another map or more squads, and keeps its comments.
//! - A [`CrowdTable`] is a CSV file: agents walk from starts to goals over an open plain.
//!
//! ```
//! use throng_scenario::Scenario;
//! use throng_sim::world::Verdict;
//!
//! let folder = tempfile::tempdir()?;
//! // A map of 33 m x 8 m, as text. A wall parts it, with a gate of 2 m.
//! let wall = format!("{0}@{0}\n", ".".repeat(16));
//! let gate = format!("{}\n", ".".repeat(33));
//! let map = [wall.repeat(3), gate.repeat(2), wall.repeat(3)].concat();
//! std::fs::write(folder.path().join("gate.map"), format!("type octile\nheight 8\nwidth 33\nmap\n{map}"))?;
//! let file = folder.path().join("gate.toml");
//! std::fs::write(&file, r#"
//!     map = "gate.map"
//!     [[army]]
//!     name = "red"
//!     squad = [{ count = 12, position = [6, 4], order = "attack" }]
//!     [[army]]
//!     name = "blue"
//!     squad = [{ count = 4, position = [26, 4], facing = 180, order = "attack" }]
//! "#)?;
//!
//! let (scenario, warnings) = Scenario::load(&file)?;
//! warnings.iter().for_each(|warning| println!("warning: {warning}"));
//! let mut world = scenario.build(1)?;
//! while world.verdict().is_none() {
//!     world.tick()?;
//! }
//! for army in world.armies() {
//!     println!("{}: {} of {} are alive after {} ticks", army.name, army.alive, army.spawned, world.ticks());
//! }
//! assert!(matches!(world.verdict(), Some(Verdict::Winner(army)) if scenario.armies[usize::from(army.0)].name == "red"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! The crate has none.
//!
//! # The file
//!
//! A short scenario:
//!
//! ```toml
//! map = "../maps/field.map"          # relative to this file
//!
//! [[army]]
//! name = "red"
//! [[army.squad]]
//! count = 200
//! position = [40, 128]               # metres from the upper left corner of the map
//! order = "attack"
//!
//! [[army]]
//! name = "blue"
//! [[army.squad]]
//! count = 200
//! position = [200, 128]
//! facing = 180                       # degrees: 0 right, 90 down, 180 left, 270 up
//! ```
//!
//! All keys stand in `docs/scenarios.md` of the repository, with their meanings, units and defaults. Squads may name a
//! `soldier` or a `pedestrian` without a table of its own: [`Unit::presets`].
//!
//! A squad whose position is in a wall, or at most a cell beside the map, is moved to the nearest open cell, and a [`Warning`] says so.
//! Soldiers whose slot in the block is in a wall stand in the nearest free slot around it.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod areas;
mod army_colour;
mod blocks;
mod breakables;
mod breakables_saved;
mod check;
mod crowd_csv;
mod deployed_saved;
mod did_you_mean;
mod document;
mod drawn_areas;
mod edited;
mod error;
mod fires;
mod formations;
mod ignores;
mod journeys;
mod links;
mod new_battle;
mod no_way;
mod objectives;
mod orders;
mod places;
mod read;
mod relations;
mod renamed;
pub mod schema;
mod section;
mod skirmish;
mod squads;
mod template;
mod terrain;
mod triggers;
mod units;
mod values_saved;

pub use crowd_csv::CrowdTable;
pub use did_you_mean::{did_you_mean, name_hint};
pub use edited::Edited;
pub use error::{At, ScenarioError, Warning};
pub use new_battle::{NEW_UNITS, NewArmy, NewBattle, NewBattleError, NewMap};
pub use template::{Change, Template};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Area, Grid, MapLink, walls};
use throng_sim::battle::{Relations, Unit};
use throng_sim::crowd::{Avoidance, AvoidanceSettings};
use throng_sim::world::{ArmySpec, Breakable, Fire, Journey, Settings, SquadSpec, Trigger, World, WorldSpec};

/// The most soldiers of a squad.
pub const MAX_SQUAD: usize = 200_000;

/// The most agents of a scenario.
pub const MAX_AGENTS: usize = 1_000_000;

/// A scenario that was read and checked: every agent has a place to stand.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::fs::write(folder.path().join("a.map"), "type octile\nheight 1\nwidth 9\nmap\n.........\n")?;
/// # let path = folder.path().join("duel.toml");
/// std::fs::write(&path, r#"
///     map = "a.map"
///     [[army]]
///     name = "red"
///     squad = [{ count = 1, position = [1.5, 0.5] }]
///     [[army]]
///     name = "blue"
///     squad = [{ count = 1, position = [7.5, 0.5], order = "attack" }]
/// "#)?;
/// let (mut scenario, warnings) = throng_scenario::Scenario::load(&path)?;
/// assert!(warnings.is_empty());
/// scenario.settings.seed = 7;
/// let mut world = scenario.build(1)?;
/// world.tick()?;
/// assert_eq!((scenario.name.as_str(), world.agents()), ("duel", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name, for results.
    pub name: String,
    /// The file it was read from.
    pub file: PathBuf,
    /// The text of the file then.
    pub text: Arc<str>,
    /// The file the map was read from.
    pub map: PathBuf,
    /// The map.
    pub grid: Arc<Grid>,
    /// The settings of its world. [`set_avoidance`](Self::set_avoidance) changes how collisions are avoided.
    pub settings: Settings,
    /// Greatest distance of an agent from its place at the start (m): at random, a function of the seed.
    pub scatter: f32,
    /// Kinds of soldiers.
    pub units: Vec<Unit>,
    /// Journeys; [`Order::Travel`](throng_sim::battle::Order::Travel) names one by its place here.
    pub journeys: Vec<Journey>,
    /// Which armies are enemies, allies or neutral, by their places in `armies`.
    pub relations: Relations,
    /// The sides.
    pub armies: Vec<ArmySpec>,
    /// Names of the squads, those of triggers last, by [`SquadId`](throng_sim::world::SquadId); empty where one has none.
    pub squad_names: Vec<String>,
    /// Walls and gates that can be broken; where one cell is named twice, the later counts.
    pub breakables: Vec<Breakable>,
    /// Events. The squads that they bring are counted on from the last of the armies.
    pub triggers: Vec<Trigger>,
    /// Places on the map that have names, which Tiled maps have.
    pub areas: Vec<Area>,
    /// Doors, jumps and drops: those that the map draws, then those of the file.
    pub links: Vec<MapLink>,
    /// How many of them the map draws.
    pub map_links: usize,
    /// The theme of its pictures, where the file names one.
    pub theme: Option<String>,
    /// Fires, for show.
    pub fires: Vec<Fire>,
}

impl Scenario {
    /// Reads a scenario and its map, and puts all squads in place.
    ///
    /// # Errors
    /// [`ScenarioError`] names the file, the line and the column, the found text and the expected one.
    pub fn load(path: impl AsRef<Path>) -> Result<(Self, Vec<Warning>), ScenarioError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(path: &Path) -> Result<(Self, Vec<Warning>), ScenarioError> {
        Template::load(path)?.scenario(&[])
    }

    /// All that its world begins with.
    pub fn spec(&self) -> WorldSpec {
        let mut random = Pcg32::seed_from_u64(self.settings.seed);
        let mut scattered = |squad: &SquadSpec| {
            let positions = self.scattered(squad, &mut random);
            SquadSpec { positions, ..squad.clone() }
        };
        let army =
            |army: &ArmySpec| ArmySpec { squads: army.squads.iter().map(&mut scattered).collect(), ..army.clone() };
        WorldSpec {
            grid: Arc::clone(&self.grid),
            settings: self.settings.clone(),
            links: links::timed(&self.links, self.grid.lattice()),
            units: self.units.clone(),
            journeys: self.journeys.clone(),
            armies: self.armies.iter().map(army).collect(),
            relations: self.relations.clone(),
            breakables: self.breakables.clone(),
            triggers: self.triggers.clone(),
            fires: self.fires.clone(),
        }
    }

    /// The world of this scenario at tick 0, worked on by `threads` threads. Equal scenarios give equal worlds for any
    /// number of threads.
    ///
    /// # Errors
    /// [`ScenarioError::World`] where the world refuses a unit, an army or a squad, as it may where fields were
    /// changed after loading.
    pub fn build(&self, threads: usize) -> Result<World, ScenarioError> {
        let mut spec = self.spec();
        spec.settings.threads = threads;
        World::from_spec(spec).map_err(|source| ScenarioError::World { file: self.file.clone(), source })
    }

    /// Sets how collisions are avoided by units that say nothing else.
    pub fn set_avoidance(&mut self, kind: Avoidance) {
        let others = self.units.iter().filter_map(|unit| unit.avoidance);
        self.settings.avoidance = AvoidanceSettings::mixed(kind, others);
    }

    /// Where the members of a squad start: near their places, but never in a wall.
    fn scattered(&self, squad: &SquadSpec, random: &mut Pcg32) -> Vec<Vec2> {
        let radius = self.units.get(usize::from(squad.unit.0)).map_or(0.0, |unit| unit.radius);
        let mut astray = |&place: &Vec2| {
            let [x, y] = [0; 2].map(|_| random.random_range(-1.0..1.0_f32));
            let at = place + Vec2::new(x, y) * (self.scatter * std::f32::consts::FRAC_1_SQRT_2);
            if walls::is_clear(&self.grid, at, radius) { at } else { place }
        };
        match self.scatter {
            0.0 => squad.positions.clone(),
            _ => squad.positions.iter().map(&mut astray).collect(),
        }
    }

    /// How many agents it has at the start.
    pub fn agents(&self) -> usize {
        self.armies.iter().flat_map(|army| &army.squads).map(|squad| squad.positions.len()).sum()
    }
}

/// The largest text file that is read (MiB): a million agents, each with its start and its goal to the last digit, have less.
const MAX_TEXT_MIB: u64 = 128;

/// The text of a file.
fn text_of(path: &Path) -> Result<String, ScenarioError> {
    let read = |source| ScenarioError::Read { file: path.to_path_buf(), source };
    if path.is_dir() {
        return Err(read(io::ErrorKind::IsADirectory.into()));
    }
    // One byte more than there may be: a device or a pipe has no end.
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(read)?;
    file.take((MAX_TEXT_MIB << 20) + 1).read_to_end(&mut bytes).map_err(read)?;
    if bytes.len() as u64 > MAX_TEXT_MIB << 20 {
        return Err(read(io::ErrorKind::FileTooLarge.into()));
    }
    String::from_utf8(bytes).map_err(|_| read(io::ErrorKind::InvalidData.into()))
}
