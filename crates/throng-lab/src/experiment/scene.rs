//! The crowds that are measured.

use super::ExperimentError;
use std::fmt;
use std::str::FromStr;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_sim::battle::Unit;
use throng_sim::world::World;

/// How the agents of a [`CrowdScene`] lie, and where they want to go.
///
/// ```
/// use throng_lab::experiment::CrowdKind;
/// assert_eq!("rand30".parse::<CrowdKind>()?, CrowdKind::Rand30);
/// assert_eq!(CrowdKind::Door.to_string(), "door");
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CrowdKind {
    /// `circle`: rings 2 m apart around an empty middle; each agent walks to the point opposite, so that all meet there.
    Circle,
    /// `armies`: two blocks, 1.5 m from man to man, four times as wide as deep, 10 m apart, change sides.
    Armies,
    /// `rand15`: 15 % of a square covered; the goals are the starts, shuffled.
    Rand15,
    /// `rand30`: the same at 30 %.
    Rand30,
    /// `rand60`: the same at 60 %: packed, hardly any agent gets through.
    Rand60,
    /// `blocks`: four groups of wide bodies cross between four blocks of houses (J. van den Berg et al., the example
    /// "Blocks" of the RVO2 library).
    Blocks,
    /// `door`: pedestrians leave a room by a door of 2 m.
    Door,
    /// `corridor`: pedestrians walk through a corridor of 5 m in both directions.
    Corridor,
    /// `corner`: pedestrians walk round the right angle of a corridor of 4 m.
    Corner,
    /// `crossing`: four squads of pedestrians cross where two streets of 10 m meet.
    Crossing,
}

impl CrowdKind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Circle,
        Self::Armies,
        Self::Rand15,
        Self::Rand30,
        Self::Rand60,
        Self::Blocks,
        Self::Door,
        Self::Corridor,
        Self::Corner,
        Self::Crossing,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Armies => "armies",
            Self::Rand15 => "rand15",
            Self::Rand30 => "rand30",
            Self::Rand60 => "rand60",
            Self::Blocks => "blocks",
            Self::Door => "door",
            Self::Corridor => "corridor",
            Self::Corner => "corner",
            Self::Crossing => "crossing",
        }
    }

    /// How many agents the scene has where nothing is said.
    pub fn agents(self) -> usize {
        match self {
            Self::Blocks => 100,
            Self::Door => 500,
            Self::Corridor => 300,
            Self::Corner => 200,
            Self::Crossing => 400,
            _ => 1000,
        }
    }
}

impl fmt::Display for CrowdKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CrowdKind {
    type Err = ExperimentError;

    fn from_str(name: &str) -> Result<Self, ExperimentError> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| ExperimentError::UnknownScene { found: name.into(), known: known() })
    }
}

/// When an agent has got through.
///
/// ```
/// use throng_lab::experiment::Finish;
/// use throng_grid::geom::Vec2;
/// let line = Finish::Beyond { point: Vec2::ZERO, normal: Vec2::X };
/// assert!(line.is_reached(Vec2::new(0.1, 7.0)) && !line.is_reached(Vec2::new(-0.1, 7.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finish {
    /// Nearer to `goal` than `within` (m).
    Near {
        /// The goal (m).
        goal: Vec2,
        /// How near (m).
        within: f32,
    },
    /// On the side of the line through `point` (m) to which `normal` shows.
    Beyond {
        /// A point of the line (m).
        point: Vec2,
        /// Unit vector.
        normal: Vec2,
    },
}

impl Finish {
    /// True for an agent at `place` (m).
    pub fn is_reached(self, place: Vec2) -> bool {
        match self {
            Self::Near { goal, within } => place.distance(goal) < within,
            Self::Beyond { point, normal } => (place - point).dot(normal) > 0.0,
        }
    }

    /// The length of the straight way there (m).
    pub fn distance(self, place: Vec2) -> f32 {
        match self {
            Self::Near { goal, within } => (place.distance(goal) - within).max(0.0),
            Self::Beyond { point, normal } => (point - place).dot(normal).max(0.0),
        }
    }
}

/// Agents that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Group {
    /// Each agent goes straight to its own goal.
    Walkers { starts: Vec<Vec2>, goals: Vec<Vec2> },
    /// A squad that goes to a point, by a route.
    Squad { starts: Vec<Vec2>, goal: Vec2 },
}

/// Agents on a map, each with a place to go. The same kind, number and seed give the same scene on every machine.
///
/// ```
/// use throng_lab::experiment::{CrowdKind, CrowdScene};
/// use throng_sim::world::Settings;
/// let scene = CrowdScene::new(CrowdKind::Circle, 200, 1)?;
/// let mut world = scene.world(Settings { step: 0.1, ..Settings::default() })?;
/// world.tick()?;
/// assert_eq!((world.agents(), scene.finish.len()), (200, 200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdScene {
    /// Which one.
    pub kind: CrowdKind,
    /// The map.
    pub grid: Grid,
    /// The unit that walks.
    pub unit: Unit,
    /// Where each agent starts (m).
    pub starts: Vec<Vec2>,
    /// When each agent has got through.
    pub finish: Vec<Finish>,
    /// A door, with its width (m): the flow is that of all that pass the line of their finish.
    pub door: Option<f32>,
    /// The stretch of a corridor along x (m) in which lanes are looked for.
    pub lanes: Option<(f32, f32)>,
    /// For how long it is watched where nothing is said (s).
    pub seconds: f32,
    pub(super) groups: Vec<Group>,
}

impl CrowdScene {
    /// The world of this scene at tick 0. The slot of an agent is its row in the columns of the scene.
    ///
    /// # Errors
    /// Where the world refuses the settings.
    pub fn world(&self, settings: throng_sim::world::Settings) -> Result<World, ExperimentError> {
        let mut world = World::new(self.grid.clone(), settings)?;
        let unit = world.add_unit(self.unit.clone())?;
        let army = world.add_army("crowd")?;
        for group in &self.groups {
            match group {
                Group::Walkers { starts, goals } => {
                    world.spawn_walkers(army, unit, starts, goals)?;
                }
                Group::Squad { starts, goal } => {
                    let order = throng_sim::battle::Order::GoTo(*goal);
                    let planner = throng_plan::PlannerChoice::FlowField;
                    let new = throng_sim::world::SquadSpec::new(army, unit, starts);
                    world.spawn_squad(throng_sim::world::SquadSpec { order, planner, ..new })?;
                }
            }
        }
        Ok(world)
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// True where there are none, which no scene has.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}
