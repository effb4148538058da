//! Walking alone: to a point by a route, events of arrival, journeys that are removed, bodies that are moved from outside.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::collections::BTreeSet;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Ground, Lattice, walls};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Formation, Order, Shape, Unit};
use throng_sim::crowd::{AgentId, Avoidance, AvoidanceSettings};
use throng_sim::world::{
    ARRIVAL_RADIUS, Effect, IdleReason, Journey, Repeat, Resume, Settings, SquadId, SquadSpec, Task, Then, Trigger,
    World, WorldError,
};

/// A map with three walls, each with a gap at one end, and a room that is closed.
fn walled() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(96, 64, 1.0).unwrap());
    let mut wall = |x, y| grid.set_open(grid.lattice().cell(x, y), false);
    (0..60).for_each(|y| wall(24, y));
    (4..64).for_each(|y| wall(48, y));
    (0..60).for_each(|y| wall(72, y));
    for i in 80..90 {
        for (x, y) in [(i, 10), (i, 19), (80, i - 70), (89, i - 70)] {
            wall(x, y);
        }
    }
    grid
}

fn world(grid: Grid, threads: usize) -> World {
    let mut world = World::new(grid, Settings { threads, step: 0.1, ..Settings::default() }).unwrap();
    world.add_army("all").unwrap();
    world.add_unit(Unit::pedestrian()).unwrap();
    world
}

fn walkers(world: &mut World, positions: &[Vec2]) -> Vec<AgentId> {
    world.spawn_walkers(throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0), positions, &[]).unwrap()
}

fn place(world: &World, id: AgentId) -> Vec2 {
    world.crowd().rows.position[world.crowd().row(id).unwrap()]
}

/// Points that bodies of the walkers' size can stand at and reach, `apart` metres from each other.
fn points(grid: &Grid, count: usize, apart: f32, seed: u64) -> Vec<Vec2> {
    let ground = Ground::new(grid.clone().into(), 0.45 * grid.lattice().cell_size).unwrap();
    let main = ground.region(grid.lattice().cell(2, 2));
    let (size, mut random) = (grid.lattice().size(), Pcg32::seed_from_u64(seed));
    let mut points: Vec<Vec2> = Vec::new();
    while points.len() < count {
        let at = Vec2::new(random.random_range(0.5..size.x - 0.5), random.random_range(0.5..size.y - 0.5));
        let is_open = walls::is_clear(grid, at, 0.4) && ground.region(grid.lattice().at(at)) == main;
        if is_open && points.iter().all(|other| other.distance(at) > apart) {
            points.push(at);
        }
    }
    points
}

/// Every agent to a point of its own: which have arrived by the events, and the hash at the end.
fn own_goals(count: usize, threads: usize, planner: &str) -> (usize, u64) {
    let grid = walled();
    let (starts, goals) = (points(&grid, count, 0.6, 1), points(&grid, count, 1.0, 2));
    let mut world = world(grid, threads);
    let ids = walkers(&mut world, &starts);
    let planner: PlannerChoice = planner.parse().unwrap();
    for (&id, &goal) in ids.iter().zip(&goals) {
        world.walk_by(id, goal, planner.clone()).unwrap();
    }
    let mut arrived = BTreeSet::new();
    while world.ticks() < 6000 && arrived.len() < count {
        world.tick().unwrap();
        for &id in &world.events().arrived {
            assert!(arrived.insert(id), "{id:?} has arrived twice");
        }
        assert!(world.events().no_route.is_empty());
    }
    (0..60).for_each(|_| world.tick().unwrap());
    for (&id, &goal) in ids.iter().zip(&goals) {
        let off = place(&world, id).distance(goal);
        assert!(off <= ARRIVAL_RADIUS, "{planner}: {id:?} is {off} m off: {:?}", world.why(id));
        assert_eq!(world.why(id), Some(IdleReason::AtGoal));
    }
    (arrived.len(), world.position_hash())
}

#[test]
fn everybody_walks_to_a_goal_of_its_own() {
    let (arrived, hash) = own_goals(500, 1, "astar");
    assert_eq!(arrived, 500);
    assert_eq!(own_goals(500, 3, "astar"), (500, hash), "threads");
    for planner in ["hpa:8,2", "ara", "theta", "flow-field", "jps"] {
        assert_eq!(own_goals(100, 2, planner).0, 100, "{planner}");
    }
}

/// An army and a unit of pedestrians that avoid by ORCA, in a world whose own model is none.
fn pedestrians() -> World {
    let avoidance = AvoidanceSettings::new(Avoidance::None);
    let mut world = World::new(walled(), Settings { avoidance, step: 0.1, ..Settings::default() }).unwrap();
    world.add_army("all").unwrap();
    world.add_unit(Unit::pedestrian()).unwrap();
    world.set_avoidance(Avoidance::Orca).unwrap();
    world
}

#[test]
fn equal_trips_share_a_route() {
    let mut world = pedestrians();
    let block: Vec<Vec2> = (0..30).map(|i| Vec2::new(8.5 + (i % 6) as f32 * 0.8, 8.5 + (i / 6) as f32 * 0.8)).collect();
    let ids = walkers(&mut world, &block);
    for &id in &ids {
        world.walk_to(id, Vec2::new(60.2, 30.3)).unwrap();
    }
    (0..40).for_each(|_| world.tick().unwrap());
    assert!((1..=3).contains(&world.routes().len()), "{} routes", world.routes().len());
    assert!(ids.iter().all(|&id| matches!(world.why(id), Some(IdleReason::Moves { .. }))));
}

#[test]
fn what_cannot_be_reached_is_said() {
    let mut world = world(walled(), 1);
    let ids = walkers(&mut world, &[Vec2::new(4.0, 4.0), Vec2::new(6.0, 4.0), Vec2::new(8.0, 4.0)]);
    let [walled_in, in_a_wall, off_the_map] = [ids[0], ids[1], ids[2]];
    // A room without a door, the middle of a wall, far outside.
    world.walk_to(walled_in, Vec2::new(85.0, 15.0)).unwrap();
    world.walk_to(in_a_wall, Vec2::new(24.5, 4.5)).unwrap();
    world.walk_to(off_the_map, Vec2::new(-40.0, 30.5)).unwrap();
    let (mut arrived, mut in_vain) = (Vec::new(), Vec::new());
    for _ in 0..600 {
        world.tick().unwrap();
        arrived.extend_from_slice(&world.events().arrived);
        in_vain.extend_from_slice(&world.events().no_route);
    }
    arrived.sort_unstable();
    assert_eq!(arrived, [in_a_wall, off_the_map]);
    assert!((2..20).contains(&in_vain.len()) && in_vain.iter().all(|&id| id == walled_in), "{in_vain:?}");
    assert!(matches!(world.why(walled_in), Some(IdleReason::NoRoute { .. })), "{:?}", world.why(walled_in));
    assert_eq!(world.why(in_a_wall), Some(IdleReason::NearGoal { goal: Vec2::new(24.5, 4.5) }));
    assert_eq!(world.why(off_the_map), Some(IdleReason::NearGoal { goal: Vec2::new(-40.0, 30.5) }));
    assert!((22.0..24.0).contains(&place(&world, in_a_wall).x));
    assert!(place(&world, off_the_map).distance(Vec2::new(0.2, 30.5)) < 1.0);
    // The room gets a door: it goes there.
    world.edit(&[Edit::Open(world.grid().lattice().cell(80, 14))]).unwrap();
    world.tick_until(|world| world.events().arrived == [walled_in] || world.ticks() > 4000).unwrap();
    assert!(place(&world, walled_in).distance(Vec2::new(85.0, 15.0)) <= ARRIVAL_RADIUS);
    assert_eq!(
        world.walk_to(walled_in, Vec2::new(f32::NAN, 3.0)).unwrap_err().to_string(),
        "the point to walk to must be finite, found NaN"
    );
}

#[test]
fn members_of_a_squad_are_not_sent_alone() {
    let mut world = world(walled(), 1);
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    world.spawn_squad(SquadSpec::new(army, unit, [Vec2::splat(4.0)])).unwrap();
    let id = world.positions().next().unwrap().0;
    let told = world.walk_to(id, Vec2::splat(9.0)).unwrap_err();
    assert_eq!(told, WorldError::InSquad { agent: 0, squad: SquadId(0) });
    assert_eq!(told.to_string(), "agent 0 goes with squad 0; give that an order instead, or detach the agent");
    assert_eq!(world.walk_straight_to(id, Vec2::splat(9.0)).unwrap_err(), told);
    assert_eq!(world.drive(id, Vec2::splat(9.0), Vec2::ZERO).unwrap_err(), told);
}

#[test]
fn squads_and_those_sent_straight_tell_that_they_have_arrived() {
    let mut world = world(walled(), 2);
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    let block: Vec<Vec2> = (0..12).map(|i| Vec2::new(8.5 + (i % 4) as f32, 8.5 + (i / 4) as f32)).collect();
    let squad = world.spawn_squad(SquadSpec::new(army, unit, &block)).unwrap();
    let alone = walkers(&mut world, &[Vec2::new(4.0, 50.0)])[0];
    for goal in [Vec2::new(36.5, 30.5), Vec2::new(12.5, 40.5)] {
        world.order(squad, Order::Move(goal)).unwrap();
        world.walk_straight_to(alone, goal - Vec2::new(8.0, -12.0)).unwrap();
        let mut arrived = Vec::new();
        for _ in 0..1500 {
            world.tick().unwrap();
            arrived.extend_from_slice(&world.events().arrived);
        }
        arrived.sort_unstable();
        let expected: Vec<AgentId> =
            world.positions().map(|(id, _)| id).filter(|&id| id != alone || goal.x < 20.0).collect();
        assert_eq!(arrived, expected, "to {goal}");
    }
}

#[test]
fn leaving_is_told() {
    let mut world = world(walled(), 1);
    let ids = walkers(&mut world, &[Vec2::new(4.0, 4.0), Vec2::new(4.0, 8.0)]);
    let journey = Journey::new([Task::Leave { at: Vec2::new(10.0, 6.0), within: 1.0 }.into()]);
    let journey = world.add_journey(journey).unwrap();
    for &id in &ids {
        world.travel(id, journey, PlannerChoice::AStar).unwrap();
    }
    let mut left = Vec::new();
    while world.agents() > 0 && world.ticks() < 200 {
        world.tick().unwrap();
        left.extend_from_slice(&world.events().left);
    }
    left.sort_unstable();
    assert_eq!(left, ids);
}

#[test]
fn journeys_are_removed_and_their_numbers_used_again() {
    let mut world = world(walled(), 1);
    let ids = walkers(&mut world, &[Vec2::new(4.0, 4.0)]);
    let to = |x: f32| {
        let mut journey = Journey::new([Task::WayPoint { at: Vec2::new(x, 4.0), within: 0.5 }.into()]);
        journey.stops[0].then = Then::End;
        journey
    };
    let (first, second) = (world.add_journey(to(9.0)).unwrap(), world.add_journey(to(12.0)).unwrap());
    world.travel(ids[0], first, PlannerChoice::AStar).unwrap();
    (0..10).for_each(|_| world.tick().unwrap());
    world.remove_journey(first).unwrap();
    let stopped = place(&world, ids[0]);
    (0..50).for_each(|_| world.tick().unwrap());
    assert!(place(&world, ids[0]).distance(stopped) < 0.3 && stopped.x < 8.0);
    assert_eq!(world.remove_journey(first).unwrap_err(), WorldError::NoSuch { what: "journey", id: 0 });
    assert_eq!(
        world.travel(ids[0], first, PlannerChoice::AStar).unwrap_err(),
        WorldError::NoSuch { what: "journey", id: 0 }
    );
    assert_eq!(world.journeys().map(|(id, _)| id).collect::<Vec<_>>(), [second]);
    // Two thousand goals later there are no more journeys than at a time.
    for x in 0..2000 {
        let journey = world.add_journey(to(3.0 + (x % 9) as f32)).unwrap();
        assert_eq!(journey, first);
        world.remove_journey(journey).unwrap();
    }
    // One that a trigger names stays.
    let squad = world.spawn_squad(SquadSpec::new(
        throng_sim::world::ArmyId(0),
        throng_sim::world::UnitId(0),
        [Vec2::new(2.0, 50.0)],
    ));
    let then = vec![Effect::Order { squad: squad.unwrap(), order: Order::Travel(second) }];
    let when = throng_sim::world::Cause::At { seconds: 60.0 };
    world.add_triggers(vec![Trigger { name: "dawn".into(), when, then, repeat: Repeat::default() }]).unwrap();
    assert_eq!(
        world.remove_journey(second).unwrap_err().to_string(),
        "journey 1 cannot be removed: the trigger \"dawn\" names it"
    );
}

#[test]
fn a_driven_body_is_avoided_by_all_and_pushed_by_none() {
    let mut world = world(walled(), 2);
    let around: Vec<Vec2> =
        (0..60).map(|i| Vec2::new(4.0 + (i % 10) as f32 * 0.7, 28.0 + (i / 10) as f32 * 0.7)).collect();
    let crowd = walkers(&mut world, &around);
    let player = walkers(&mut world, &[Vec2::new(20.0, 29.5)])[0];
    // All of them want to go where the player comes from.
    for &id in &crowd {
        world.walk_to(id, Vec2::new(20.0, 30.0)).unwrap();
    }
    let velocity = Vec2::new(-1.2, 0.0);
    let mut at = Vec2::new(20.0, 29.5);
    let folder = tempfile::tempdir().unwrap();
    let snapshot = folder.path().join("drive.snapshot");
    for tick in 0..100 {
        at += velocity * 0.1;
        world.drive(player, at, velocity).unwrap();
        world.tick().unwrap();
        assert_eq!(place(&world, player), at, "it is where it was put");
        let near = world.positions().filter(|&(id, _)| id != player).map(|(_, other)| other.distance(at));
        assert!(near.fold(f32::INFINITY, f32::min) > 0.25, "somebody is in it in tick {tick}");
        if tick == 50 {
            world.save(&snapshot).unwrap();
        }
    }
    assert_eq!(world.why(player), Some(IdleReason::Driven));
    // A snapshot keeps it, and goes on to the same bytes.
    let mut again = World::restore(&snapshot, Resume::default()).unwrap();
    let mut at = Vec2::new(20.0, 29.5) + velocity * 0.1 * 51.0;
    assert!(place(&again, player).distance(at) < 1e-4);
    at = place(&again, player);
    while again.ticks() < world.ticks() {
        at += velocity * 0.1;
        again.drive(player, at, velocity).unwrap();
        again.tick().unwrap();
    }
    assert_eq!(again.position_hash(), world.position_hash());
    // Left alone it stays; let go it walks.
    (0..100).for_each(|_| world.tick().unwrap());
    assert!(!world.events().arrived.contains(&player) && place(&world, player).distance(Vec2::new(8.0, 29.5)) < 0.01);
    world.let_go(player);
    world.walk_to(player, Vec2::new(4.0, 40.0)).unwrap();
    world.tick_until(|world| world.events().arrived == [player] || world.ticks() > 1000).unwrap();
    assert!(place(&world, player).distance(Vec2::new(4.0, 40.0)) <= ARRIVAL_RADIUS);
    assert_eq!(
        world.drive(player, Vec2::new(-1.0, 4.0), velocity).unwrap_err().to_string(),
        "a body that is moved from outside cannot be put at (-1, 4): that is off the map"
    );
    assert_eq!(
        world.drive(player, Vec2::ONE, Vec2::X * 200.0).unwrap_err().to_string(),
        "the speed of a body must be at most 100 (m/s), found 200"
    );
}

#[test]
fn a_walker_that_is_sent_elsewhere_goes_there() {
    for planner in ["astar", "hpa:8,2", "ara", "flow-field"] {
        // Under way by a route, and while it waits for one.
        for ticks in [0, 1, 2, 40, 150] {
            let mut world = world(walled(), 1);
            let id = walkers(&mut world, &[Vec2::new(4.0, 4.0)])[0];
            let choice: PlannerChoice = planner.parse().unwrap();
            world.walk_by(id, Vec2::new(60.0, 4.0), choice.clone()).unwrap();
            (0..ticks).for_each(|_| world.tick().unwrap());
            let goal = Vec2::new(36.0, 8.0);
            world.walk_by(id, goal, choice).unwrap();
            let arrives = |world: &World| world.events().arrived == [id];
            world.tick_until(|world| arrives(world) || world.ticks() > 4000).unwrap();
            (0..30).for_each(|_| world.tick().unwrap());
            let why = world.why(id);
            assert!(place(&world, id).distance(goal) <= ARRIVAL_RADIUS, "{planner}, after {ticks} ticks: {why:?}");
            assert_eq!(why, Some(IdleReason::AtGoal), "{planner}, after {ticks} ticks");
        }
    }
}

#[test]
fn edits_elsewhere_leave_a_walker_its_way() {
    for (planner, plan_budget) in [("astar", 20), ("hpa:8,2", 1), ("ara", 20)] {
        let mut world = World::new(walled(), Settings { plan_budget, step: 0.1, ..Settings::default() }).unwrap();
        world.add_army("all").unwrap();
        world.add_unit(Unit::pedestrian()).unwrap();
        let id = walkers(&mut world, &[Vec2::new(4.0, 4.0)])[0];
        let goal = Vec2::new(60.2, 4.3);
        world.walk_by(id, goal, planner.parse().unwrap()).unwrap();
        let far_away = world.grid().lattice().cell(92, 60);
        while world.ticks() < 4000 && !world.events().arrived.contains(&id) {
            let shut = world.ticks().is_multiple_of(16);
            if world.ticks() < 800 && world.ticks().is_multiple_of(8) {
                world.edit(&[if shut { Edit::Close(far_away) } else { Edit::Open(far_away) }]).unwrap();
            }
            world.tick().unwrap();
        }
        let (at, why) = (place(&world, id), world.why(id));
        assert!(at.distance(goal) <= ARRIVAL_RADIUS, "{planner}: at {at}, {why:?}");
    }
}

#[test]
fn a_goal_in_a_wall_is_gone_to_when_the_wall_opens() {
    let mut world = world(walled(), 1);
    let ids = walkers(&mut world, &[Vec2::new(20.0, 20.0)]);
    let point = Vec2::new(24.5, 30.5);
    world.walk_to(ids[0], point).unwrap();
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    let squad = world.spawn_squad(SquadSpec::new(army, unit, [Vec2::new(20.0, 40.0)])).unwrap();
    world.order(squad, Order::Move(Vec2::new(24.5, 44.5))).unwrap();
    (0..300).for_each(|_| world.tick().unwrap());
    let all: Vec<AgentId> = world.positions().map(|(id, _)| id).collect();
    for &id in &all {
        assert!(matches!(world.why(id), Some(IdleReason::NearGoal { .. })), "{:?}", world.why(id));
    }
    let lattice = world.grid().lattice();
    let gates: Vec<Edit> = [29, 30, 31, 43, 44, 45].map(|y| Edit::Open(lattice.cell(24, y))).to_vec();
    world.edit(&gates).unwrap();
    (0..300).for_each(|_| world.tick().unwrap());
    for (&id, goal) in all.iter().zip([point, Vec2::new(24.5, 44.5)]) {
        assert_eq!(world.why(id), Some(IdleReason::AtGoal), "{:?}", place(&world, id));
        assert!(place(&world, id).distance(goal) <= ARRIVAL_RADIUS);
    }
}

#[test]
fn a_squad_that_drops_its_formation_on_the_march_arrives() {
    let mut world = world(walled(), 1);
    let block: Vec<Vec2> = (0..12).map(|i| Vec2::new(4.5 + (i % 4) as f32, 8.5 + (i / 4) as f32)).collect();
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    let formation = Some(Formation::new(Shape::Line, 1.0));
    let squad = world.spawn_squad(SquadSpec { formation, ..SquadSpec::new(army, unit, &block) }).unwrap();
    let goal = Vec2::new(12.5, 50.5);
    world.order(squad, Order::Move(goal)).unwrap();
    (0..150).for_each(|_| world.tick().unwrap());
    world.form(squad, None).unwrap();
    (0..900).for_each(|_| world.tick().unwrap());
    let middle = world.positions().map(|(_, at)| at).sum::<Vec2>() / 12.0;
    assert!(middle.distance(goal) < 1.0, "{middle}");
    assert_eq!(world.standing(), [("at goal", 12)]);
}

#[test]
fn driven_bodies_are_not_sent_and_old_ids_let_nothing_go() {
    let mut world = world(walled(), 1);
    let ids = walkers(&mut world, &[Vec2::new(4.0, 4.0)]);
    world.drive(ids[0], Vec2::new(4.0, 4.0), Vec2::ZERO).unwrap();
    for told in [world.walk_to(ids[0], Vec2::ONE), world.walk_straight_to(ids[0], Vec2::ONE)] {
        assert_eq!(told.unwrap_err().to_string(), "agent 0 is moved from outside; let it go first");
    }
    world.remove(&ids);
    let other = walkers(&mut world, &[Vec2::new(8.0, 4.0)])[0];
    assert_eq!(other.slot, ids[0].slot);
    world.drive(other, Vec2::new(8.0, 4.0), Vec2::ZERO).unwrap();
    world.let_go(ids[0]);
    assert_eq!(world.why(other), Some(IdleReason::Driven));
    world.let_go(other);
    world.walk_to(other, Vec2::new(9.0, 9.0)).unwrap();
    world.tick_until(|world| world.events().arrived == [other] || world.ticks() > 500).unwrap();
    (0..30).for_each(|_| world.tick().unwrap());
    assert_eq!(world.why(other), Some(IdleReason::AtGoal));
}

#[test]
fn a_field_squad_of_which_one_walks_a_route_is_saved_and_goes_on() {
    // Its goal is behind a corner of where some of it stand in the end.
    let mut grid = walled();
    for y in 20..40 {
        let cell = grid.lattice().cell(12, y);
        grid.set_open(cell, y == 30);
    }
    let mut world = world(grid, 1);
    let block: Vec<Vec2> = (0..40).map(|i| Vec2::new(2.0 + (i % 8) as f32, 2.0 + (i / 8) as f32)).collect();
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    let planner = PlannerChoice::FlowField;
    let squad = world.spawn_squad(SquadSpec { planner, ..SquadSpec::new(army, unit, &block) }).unwrap();
    world.order(squad, Order::Move(Vec2::new(13.5, 30.5))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("field.snapshot");
    let mut saved = 0;
    while world.ticks() < 1200 {
        world.tick().unwrap();
        let own =
            world.crowd().slots.follower.iter().any(|follower| follower.route != throng_sim::crowd::RouteId::NONE);
        if own && world.ticks().is_multiple_of(20) && saved < 5 {
            saved += 1;
            world.save(&file).unwrap();
            let again = World::restore(&file, Resume::default()).unwrap();
            assert_eq!(again.position_hash(), world.position_hash());
        }
    }
    assert!(saved > 0, "nobody walked a route of its own");
}

#[test]
fn models_that_look_at_nobody_exchange_no_posts() {
    let mut world = pedestrians();
    let block: Vec<Vec2> = (0..30).map(|i| Vec2::new(4.5 + (i % 6) as f32, 8.5 + (i / 6) as f32)).collect();
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    let squad = world.spawn_squad(SquadSpec::new(army, unit, &block)).unwrap();
    world.order(squad, Order::Move(Vec2::new(12.5, 20.5))).unwrap();
    (0..40).for_each(|_| world.tick().unwrap());
    world.set_avoidance(Avoidance::None).unwrap();
    let gone: Vec<AgentId> = world.positions().map(|(id, _)| id).step_by(2).collect();
    world.remove(&gone);
    (0..300).for_each(|_| world.tick().unwrap());
    assert_eq!(world.standing(), [("at goal", 15)]);
}
