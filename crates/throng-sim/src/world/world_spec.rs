//! All that a world begins with.

use super::{ArmyId, Fire, Journey, Objective, Settings, SquadSpec, TimedLink, Trigger, World, WorldError};
use crate::battle::{MAX_ARMIES, Relations, Unit};
use std::sync::Arc;
use throng_grid::{Cell, Grid};

/// All that a world begins with, from which [`World::from_spec`] makes it in one call. What it names by id is the place in the
/// list here: army 0 is the first of `armies`.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{ArmyId, ArmySpec, SquadSpec, UnitId, World, WorldSpec};
/// let mut spec = WorldSpec::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?));
/// spec.units = vec![Unit::default()];
/// for (army, (name, x)) in (0..).map(ArmyId).zip([("red", 4.5), ("blue", 28.5)]) {
///     let squad = SquadSpec { order: Order::Attack, ..SquadSpec::new(army, UnitId(0), [Vec2::new(x, 8.5)]) };
///     spec.armies.push(ArmySpec { squads: vec![squad], ..ArmySpec::new(name) });
/// }
/// let world = World::from_spec(spec)?;
/// assert_eq!((world.agents(), world.armies()[1].name.as_str()), (2, "blue"));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WorldSpec {
    /// The map.
    pub grid: Arc<Grid>,
    /// The settings.
    pub settings: Settings,
    /// Doors, jumps and drops.
    pub links: Vec<TimedLink>,
    /// Kinds of soldiers.
    pub units: Vec<Unit>,
    /// Journeys.
    pub journeys: Vec<Journey>,
    /// The sides.
    pub armies: Vec<ArmySpec>,
    /// Which of them are enemies, allies or neutral.
    pub relations: Relations,
    /// Walls and gates that can be broken; where one cell is named twice, the later counts.
    pub breakables: Vec<Breakable>,
    /// Events. The squads that they bring are counted on from the last of the armies.
    pub triggers: Vec<Trigger>,
    /// Fires, for show.
    pub fires: Vec<Fire>,
}

/// A side of a [`WorldSpec`].
#[derive(Clone, Debug, PartialEq)]
pub struct ArmySpec {
    /// Name.
    pub name: String,
    /// Red, green and blue in pictures, where it has a colour of its own.
    pub colour: Option<[u8; 3]>,
    /// Its objectives: it wins when it has reached all of them, or has killed all its enemies.
    pub objectives: Vec<Objective>,
    /// Its squads.
    pub squads: Vec<SquadSpec>,
}

/// Closed cells that can be broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakable {
    /// The cells, all closed.
    pub cells: Vec<Cell>,
    /// The health of each (points).
    pub health: f32,
    /// The army that keeps them. Neither it nor its allies attack them.
    pub keeper: Option<ArmyId>,
}

impl WorldSpec {
    /// A map without anybody on it.
    pub fn new(grid: impl Into<Arc<Grid>>) -> Self {
        Self {
            grid: grid.into(),
            settings: Settings::default(),
            links: Vec::new(),
            units: Vec::new(),
            journeys: Vec::new(),
            armies: Vec::new(),
            relations: Relations::default(),
            breakables: Vec::new(),
            triggers: Vec::new(),
            fires: Vec::new(),
        }
    }
}

impl ArmySpec {
    /// An army without squads.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), colour: None, objectives: Vec::new(), squads: Vec::new() }
    }
}

impl World {
    /// The world at tick 0.
    ///
    /// # Errors
    /// [`WorldError`] where a setting is out of range, something of it cannot be (as [`add_unit`](Self::add_unit),
    /// [`spawn_squad`](Self::spawn_squad) and their like say), or an id names nothing of it.
    pub fn from_spec(spec: WorldSpec) -> Result<Self, WorldError> {
        let mut world = Self::new(spec.grid, spec.settings)?;
        world.add_links(&spec.links)?;
        for unit in spec.units {
            world.add_unit(unit)?;
        }
        for journey in spec.journeys {
            world.add_journey(journey)?;
        }
        let mut objectives = Vec::with_capacity(spec.armies.len().min(MAX_ARMIES));
        for army in spec.armies {
            let id = world.add_army(&army.name)?;
            world.set_army_colour(id, army.colour)?;
            for squad in army.squads {
                world.spawn_squad(squad)?;
            }
            objectives.push((id, army.objectives));
        }
        let armies = || objectives.iter().map(|&(id, _)| id);
        for (one, other) in armies().flat_map(|one| armies().map(move |other| (one, other))) {
            world.relate(one, other, spec.relations.of(one, other))?;
        }
        for Breakable { cells, health, keeper } in spec.breakables {
            world.fortify(&cells, health, keeper)?;
        }
        for (army, own) in objectives {
            for objective in own {
                world.add_mission(army, objective)?;
            }
        }
        world.add_triggers(spec.triggers)?;
        for fire in spec.fires {
            world.add_fire(fire)?;
        }
        Ok(world)
    }
}
