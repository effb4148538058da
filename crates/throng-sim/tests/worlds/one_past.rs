//! An id one past the last is refused wherever a command takes one, and the world stays as it was. (Agents may be gone, and a leader may
//! come later: these are no errors.)

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{JourneyId, Order, Relation, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{
    Area, ArmyId, Command as C, Journey, LinkId, Objective, ObstacleId, Settings, SquadId, SquadSpec, Task, UnitId,
    World,
};

/// One army, unit, squad of one agent, journey and obstacle.
fn world() -> World {
    let grid = Grid::open_plain(Lattice::new(30, 30, 1.0).unwrap());
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    world.spawn_squad(SquadSpec::new(army, unit, [Vec2::splat(5.5)])).unwrap();
    let stop = Task::WayPoint { at: Vec2::splat(20.5), within: 1.0 };
    world.apply(C::AddJourney { journey: Journey::new([stop.into()]) }).unwrap();
    world.apply(C::PlaceObstacle { area: disc() }).unwrap();
    world
}

fn disc() -> Area {
    Area::Disc { centre: Vec2::splat(25.5), radius: 1.0 }
}

#[test]
fn an_id_one_past_the_last_is_refused() {
    let mut world = world();
    let (at, name) = (Vec2::splat(8.5), String::new);
    let (army, unit, squad, agent) = (ArmyId(0), UnitId(0), SquadId(0), AgentId { slot: 0, generation: 0 });
    let (no_army, no_unit, no_squad) = (ArmyId(1), UnitId(1), SquadId(1));
    let nobody = AgentId { slot: 1, generation: 0 };
    let commands = [
        C::SetArmyName { army: no_army, name: name() },
        C::SpawnSquad { spec: SquadSpec::new(no_army, unit, [at]) },
        C::SpawnSquad { spec: SquadSpec::new(army, no_unit, [at]) },
        C::SpawnWalkers { army: no_army, unit, positions: vec![at], goals: vec![at] },
        C::SpawnWalkers { army, unit: no_unit, positions: vec![at], goals: vec![at] },
        C::Deploy { squad: no_squad, positions: vec![at], facing: 0.0 },
        C::Disband { squad: no_squad },
        C::Order { squad: no_squad, order: Order::Hold },
        C::Order { squad, order: Order::Travel(JourneyId(1)) },
        C::QueueOrder { squad: no_squad, order: Order::Hold },
        C::Form { squad: no_squad, formation: None },
        C::SetPlanner { squad: no_squad, planner: PlannerChoice::AStar },
        C::Follow { agent, target: nobody.into(), distance: 2.0 },
        C::SetUnit { agent, unit: no_unit },
        C::SetArmy { agent, army: no_army },
        C::RemoveJourney { journey: JourneyId(1) },
        C::MoveObstacle { obstacle: ObstacleId(1), area: disc() },
        C::RemoveObstacle { obstacle: ObstacleId(1) },
        C::SetLinkOpen { link: LinkId(0), is_open: false },
        C::AddMission { army: no_army, objective: Objective::Rout },
        C::AddMission { army, objective: Objective::Kill { squad: no_squad } },
        C::Relate { one: army, other: no_army, relation: Relation::Ally },
    ];
    let before = world.to_bytes().unwrap();
    let taken: Vec<_> = commands.into_iter().filter(|command| world.apply(command.clone()).is_ok()).collect();
    assert!(taken.is_empty(), "{taken:?}");
    assert!(world.to_bytes().unwrap() == before, "the world is another");
}
