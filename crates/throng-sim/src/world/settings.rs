//! The settings of a world, and its errors.

use super::SquadId;
use crate::battle::UnitError;
use crate::crowd::models::CustomModel;
use crate::crowd::{Avoidance, AvoidanceSettings, Sleep, UpdateSchedule};
use serde::{Deserialize, Serialize};
use throng_grid::{GroundError, LatticeError};
use throng_plan::PlanError;
use throng_spatial::{IndexChoice, Near};

/// The settings of a world.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::Unit;
/// use throng_sim::world::{SquadSpec, Settings, Verdict, World};
/// let settings = Settings { seed: 7, step: 0.1, max_ticks: 10, ..Settings::default() };
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), settings)?;
/// let soldier = world.add_unit(Unit::default())?;
/// for (name, x) in [("red", 4.5), ("blue", 28.5)] {
///     let army = world.add_army(name)?;
///     world.spawn_squad(SquadSpec::new(army, soldier, &[Vec2::new(x, 8.5)]))?;
/// }
/// world.tick_until(|world| world.verdict().is_some())?;
/// assert_eq!((world.ticks(), world.verdict()), (10, Some(Verdict::Draw)));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Everything random is a function of this.
    pub seed: u64,
    /// Length of a tick (s), from a millionth to 10.
    pub step: f32,
    /// A battle is a draw after so many ticks.
    pub max_ticks: u64,
    /// Threads of the tick, and as many workers that plan; at least 1. Results do not depend on it.
    #[serde(skip)]
    pub threads: usize,
    /// The spatial index. Results do not depend on it.
    pub index: IndexChoice,
    /// The model of avoidance from outside, which is [`Avoidance::Custom`](crate::crowd::Avoidance::Custom).
    pub model: Option<CustomModel>,
    /// A stage of the caller's own, between the search for neighbours and avoidance: what it returns for an agent is the
    /// velocity that it would like to have in this tick (m/s), in place of the preferred velocity that it finds in the view. So it adds
    /// forces, flocks, winds, panic, and no body runs into another for it. It is asked for agents that are awake; one at rest that
    /// is moved by it goes back to its place afterwards.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::crowd::AgentView;
    /// use throng_sim::crowd::models::CustomModel;
    /// use throng_sim::world::{Settings, World};
    /// // A wind along the walk.
    /// let wind = CustomModel::new("wind", |view: &AgentView<'_>, row: usize| view.preferred_velocity[row] + Vec2::new(0.0, 0.3));
    /// let mut world =
    ///     World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings { stage: Some(wind), ..Settings::default() })?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// world.spawn_walkers(all, walker, &[Vec2::splat(4.5)], &[Vec2::new(28.5, 4.5)])?;
    /// world.tick_until(|world| world.ticks() == 60)?;
    /// assert!(world.positions().all(|(_, at)| at.y > 5.0), "it drifts, and steers against it");
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub stage: Option<CustomModel>,
    /// How collisions are avoided. Neighbours are looked for within three times the greatest radius of a unit at least.
    pub avoidance: AvoidanceSettings,
    /// When agents sleep.
    pub sleep: Sleep,
    /// Height of all walls above their ground (m): shots fly over it.
    pub wall_height: f32,
    /// Whether shots hit friends and neutrals in their way. Shooters take care not to hit them all the same.
    pub friendly_fire: bool,
    /// Nodes that planners may expand a tick, at least 1; what is asked for beyond falls due in later ticks.
    pub plan_budget: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            step: 0.05,
            max_ticks: 20_000,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            index: IndexChoice::default(),
            model: None,
            stage: None,
            avoidance: AvoidanceSettings::default(),
            sleep: Sleep::default(),
            wall_height: 4.0,
            friendly_fire: true,
            plan_budget: 100_000,
        }
    }
}

impl Settings {
    /// Which agents look around in a tick.
    pub(super) fn schedule(&self, tick: u64) -> UpdateSchedule {
        UpdateSchedule::new(self.seed, tick, self.step)
    }

    /// Checks that every number is in its range.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        let AvoidanceSettings { orca, gap, relaxation, separation, social_force, bias, settled, passes, cap, .. } =
            self.avoidance;
        let step = f64::from(self.step);
        let seconds = (1e-3, 1e3, "between 0.001 and 1000 (s)");
        let force = (0.0, 1e6, "between 0 and 1000000 (m/s²)");
        let at_least_1 = (1.0, f64::INFINITY, "at least 1");
        let ranges = [
            ("the length of a tick", step, (MIN_STEP, 10.0, "between 0.000001 and 10 (s)")),
            ("the number of threads", self.threads as f64, at_least_1),
            ("the budget for planning", self.plan_budget as f64, at_least_1),
            ("the number of neighbours", orca.k as f64, (1.0, Near::MAX_K as f64, "between 1 and 255")),
            ("the reach of avoidance", orca.reach.into(), (0.0, 1e6, "between 0 and 1000000 (m)")),
            ("the horizon of avoidance", orca.horizon.into(), (1e-3, 1e6, "between 0.001 and 1000000 (s)")),
            ("the horizon of walls", orca.wall_horizon.into(), (1e-3, 1e3, "between 0.001 and 1000 (s)")),
            ("the time of the gap", gap.time.into(), (0.05, 1e3, "between 0.05 and 1000 (s)")),
            ("the trust of the gap", gap.trust.into(), (0.0, 1.0, "between 0 and 1")),
            ("the space of the gap", gap.space.into(), (0.0, 1e3, "between 0 and 1000 (m)")),
            ("the horizon of the gap", gap.horizon.into(), seconds),
            ("the relaxation of the gap", gap.relaxation.into(), (0.0, 1e3, "between 0 and 1000 (s)")),
            ("the mix of the gap", gap.mix.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the claim of the gap", gap.claim.into(), (0.0, 1e3, "between 0 and 1000 (m/s)")),
            ("the side of the gap", gap.side.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the behind of the gap", gap.behind.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the pass of the gap", gap.pass.into(), (0.0, 1e3, "between 0 and 1000 (s/m)")),
            ("the look ahead of the gap", gap.ahead.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the time of the relaxation", relaxation.time.into(), seconds),
            ("the time of the separation", separation.time.into(), seconds),
            ("the range of the separation", separation.range.into(), (1e-3, 1e3, "between 0.001 and 1000 (m)")),
            ("the strength of the separation", separation.strength.into(), force),
            ("the time of the social force", social_force.time.into(), seconds),
            ("the range of the social force", social_force.range.into(), (1e-2, 1e3, "between 0.01 and 1000 (m)")),
            ("the strength of the social force", social_force.strength.into(), force),
            ("the lambda of the social force", social_force.lambda.into(), (0.0, 1.0, "between 0 and 1")),
            ("the bias of avoidance", bias.amount.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the share of room in the bias", bias.side.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the share of opponents in the bias", bias.opposed.into(), (0.0, 1.0, "between 0 and 1")),
            ("the share of the stream in the bias", bias.along.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the patience of the bias", bias.patience.into(), (0.0, 1e6, "between 0 and 1000000 (s)")),
            ("the lean of the bias", bias.ahead.into(), (0.0, 1e3, "between 0 and 1000")),
            ("the cells of the bias", bias.cell.into(), (0.1, 1e6, "between 0.1 and 1000000 (m)")),
            ("the weight of the settled", settled.into(), (1e-3, 1e3, "between 0.001 and 1000")),
            ("the number of push-apart passes", passes.into(), (0.0, 100.0, "at most 100")),
            ("the time until agents sleep", self.sleep.after.into(), (0.0, f64::INFINITY, "at least 0 (s)")),
            ("the horizon of sleep", self.sleep.horizon.into(), (0.0, 1e6, "between 0 and 1000000 (s)")),
            ("the margin of sleep", self.sleep.margin.into(), (0.0, 1e6, "between 0 and 1000000 (m)")),
            ("the height of the walls", self.wall_height.into(), (0.0, 1e3, "between 0 and 1000 (m)")),
            ("the cap of a push", cap.into(), (0.0, 1e6, "between 0 and 1000000 (m)")),
        ];
        for (field, found, (least, most, expected)) in ranges {
            if !(least..=most).contains(&found) {
                return Err(WorldError::Setting { field, expected, found });
            }
        }
        if let Some(stage) = self.stage.as_ref().filter(|stage| stage.is_missing()) {
            return Err(WorldError::MissingStage { name: stage.name().to_owned() });
        }
        self.check_model(self.avoidance.kind)
    }

    /// Checks that agents can move by a model.
    pub(super) fn check_model(&self, kind: Avoidance) -> Result<(), WorldError> {
        match &self.model {
            _ if kind != Avoidance::Custom => Ok(()),
            Some(model) if !model.is_missing() => Ok(()),
            model => Err(WorldError::MissingModel { name: model.as_ref().map(|model| model.name().to_owned()) }),
        }
    }
}

/// The shortest tick (s).
const MIN_STEP: f64 = 0.999e-6;

/// A world that cannot be made, or cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A setting, or a point, that is out of range.
    #[error("{field} must be {expected}, found {found}")]
    Setting {
        /// Name of the setting.
        field: &'static str,
        /// Its range.
        expected: &'static str,
        /// The value that was found.
        found: f64,
    },
    /// A number of a unit is out of range.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// Too many of something.
    #[error("a world may have at most {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A subdomain that cannot go on.
    #[error(transparent)]
    Wire(#[from] super::WireError),
    /// Bodies that the spatial index refuses.
    #[error(transparent)]
    Index(#[from] throng_spatial::SpatialError),
    /// A model of avoidance from outside that was not given.
    #[error(
        "no model of avoidance is given{}; set the model of the settings before agents move by it",
        .name.as_ref().map_or(String::new(), |name| format!(", only the name {name:?}"))
    )]
    MissingModel {
        /// Its name, where that is known.
        name: Option<String>,
    },
    /// A stage of which only the name is known.
    #[error("of the stage {name:?} only the name is known; give it itself")]
    MissingStage {
        /// Its name.
        name: String,
    },
    /// A model of avoidance or a stage from outside that broke its promise.
    #[error(transparent)]
    Model(#[from] crate::crowd::models::ModelFault),
    /// An index from outside of which only the name is known.
    #[error(transparent)]
    MissingIndex(#[from] throng_spatial::MissingIndex),
    /// A cell to be edited that is off the map.
    #[error("{cell:?} cannot be edited: it is off the map")]
    EditOffMap {
        /// The cell.
        cell: throng_grid::Cell,
    },
    /// A cell that is to be breakable and is no wall.
    #[error("{cell:?} cannot be given health: it is open, or off the map")]
    NoWall {
        /// The cell.
        cell: throng_grid::Cell,
    },
    /// A trigger that cannot be.
    #[error("trigger {name:?}: {source}")]
    Trigger {
        /// Its name.
        name: String,
        /// The error.
        source: Box<WorldError>,
    },
    /// Triggers that wait for each other.
    #[error("the triggers {cycle} wait for each other; give one of them another cause")]
    TriggerCycle {
        /// Their names, the first once more at the end.
        cycle: String,
    },
    /// An agent that is to go somewhere by itself belongs to a squad.
    #[error("agent {agent} goes with squad {squad}; give that an order instead, or detach the agent")]
    InSquad {
        /// Its slot.
        agent: u32,
        /// The squad.
        squad: SquadId,
    },
    /// An agent that is to go somewhere by itself is moved from outside.
    #[error("agent {agent} is moved from outside; let it go first")]
    Driven {
        /// Its slot.
        agent: u32,
    },
    /// A squad that is to follow itself.
    #[error("squad {squad} cannot follow itself; name another target")]
    FollowsItself {
        /// The squad.
        squad: SquadId,
    },
    /// An agent that is to shoot has no ranged weapon.
    #[error("agent {agent} cannot shoot: its unit has no ranged weapon")]
    Unarmed {
        /// Its slot.
        agent: u32,
    },
    /// A link that leads nowhere.
    #[error("link {index} starts or ends off the map, or where it starts; give it two cells of the map")]
    Link {
        /// Index of the link, from 0.
        index: usize,
    },
    /// Links that come too late.
    #[error("links cannot be added to a world that has planned routes already; add them before the squads")]
    LateLinks,
    /// Somewhere off the map.
    #[error("{what} cannot be put at ({x}, {y}): that is off the map")]
    OffMap {
        /// Name of the thing.
        what: &'static str,
        /// Place (m).
        x: f32,
        /// Place (m).
        y: f32,
    },
    /// Something that is to be removed and is still needed.
    #[error("{what} {id} cannot be removed: the trigger {by:?} names it")]
    InUse {
        /// Name of the thing.
        what: &'static str,
        /// The number.
        id: usize,
        /// The name of the trigger.
        by: String,
    },
    /// An id of another world.
    #[error("this world has no {what} {id}")]
    NoSuch {
        /// "army", "unit" or "squad".
        what: &'static str,
        /// The number.
        id: usize,
    },
    /// An agent cannot stand at its place.
    #[error(
        "agent {index} cannot stand at ({x}, {y}): its body of radius {radius} m would be in a wall or off the map"
    )]
    Blocked {
        /// Index of the position.
        index: usize,
        /// Place (m).
        x: f32,
        /// Place (m).
        y: f32,
        /// Radius of the agent (m).
        radius: f32,
    },
    /// The map cannot be searched.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// A lattice over the map cannot be made.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    /// A planner failed.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
}
