//! What a world can be told.

use crate::battle::{Formation, JourneyId, Order, Relation, Unit};
use crate::crowd::{AgentId, Avoidance};
use crate::world::{
    Area, ArmyId, Fire, Journey, Leader, LinkId, Objective, ObstacleId, SquadId, SquadSpec, TimedLink, Trigger, UnitId,
};
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit};
use throng_plan::PlannerChoice;

/// A call that changes a [`World`](crate::world::World), by the name of the call: as it is [logged](crate::world::World::log_commands)
/// and [replayed](crate::world::CommandReplay). The fields are its arguments.
///
/// ```
/// use throng_sim::crowd::AgentId;
/// use throng_sim::world::Command;
/// let call = Command::LetGo { agent: AgentId::NONE };
/// assert!(format!("{call:?}").starts_with("LetGo { agent: "));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is the call of that name, with its arguments")]
pub enum Command {
    AddUnit { unit: Unit },
    AddArmy { name: String },
    SetArmyColour { army: ArmyId, colour: Option<[u8; 3]> },
    SetArmyName { army: ArmyId, name: String },
    Relate { one: ArmyId, other: ArmyId, relation: Relation },
    AddLinks { links: Vec<TimedLink> },
    AddJourney { journey: Journey },
    RemoveJourney { journey: JourneyId },
    AddMission { army: ArmyId, objective: Objective },
    AddTriggers { triggers: Vec<Trigger> },
    AddFire { fire: Fire },
    Fortify { cells: Vec<Cell>, health: f32, keeper: Option<ArmyId> },
    Dismantle { cells: Vec<Cell> },
    SetWallHealth { cell: Cell, health: f32 },
    DamageWall { cell: Cell, damage: f32 },
    SpawnSquad { spec: SquadSpec },
    SpawnWalkers { army: ArmyId, unit: UnitId, positions: Vec<Vec2>, goals: Vec<Vec2> },
    Deploy { squad: SquadId, positions: Vec<Vec2>, facing: f32 },
    Remove { agents: Vec<AgentId> },
    Disband { squad: SquadId },
    WalkBy { agent: AgentId, point: Vec2, planner: PlannerChoice },
    WalkStraightTo { walker: AgentId, goal: Vec2 },
    Follow { agent: AgentId, target: Leader, distance: f32 },
    Travel { walker: AgentId, journey: JourneyId, planner: PlannerChoice },
    Order { squad: SquadId, order: Order },
    QueueOrder { squad: SquadId, order: Order },
    Form { squad: SquadId, formation: Option<Formation> },
    SetPlanner { squad: SquadId, planner: PlannerChoice },
    SetAvoidance { kind: Avoidance },
    Drive { agent: AgentId, position: Vec2, velocity: Vec2 },
    LetGo { agent: AgentId },
    Hurt { agent: AgentId, damage: f32, by: Option<AgentId> },
    Kill { agent: AgentId, by: Option<AgentId> },
    Heal { agent: AgentId, points: f32 },
    Shoot { agent: AgentId, at: Vec2 },
    Teleport { agent: AgentId, to: Vec2 },
    Push { agent: AgentId, velocity: Vec2 },
    SetSpeed { agent: AgentId, speed: Option<f32> },
    SetRadius { agent: AgentId, radius: f32 },
    SetUnit { agent: AgentId, unit: UnitId },
    SetArmy { agent: AgentId, army: ArmyId },
    Detach { agent: AgentId },
    Edit { edits: Vec<Edit> },
    EditNow,
    PlaceObstacle { area: Area },
    MoveObstacle { obstacle: ObstacleId, area: Area },
    RemoveObstacle { obstacle: ObstacleId },
    SetLinkOpen { link: LinkId, is_open: bool },
    CountWalks,
}
