//! A hand on single agents, and questions: each against a simple oracle.

use proptest::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, walls};
use throng_sim::battle::{Order, Ranged, Relation, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{Among, ArmyId, Resume, Settings, SquadId, SquadSpec, UnitId, World, WorldError};

const SIZE: f32 = 48.0;

/// A map with walls, two armies, walkers and two squads, and archers among them.
fn world(seed: u64) -> World {
    let mut grid = Grid::open_plain(Lattice::new(SIZE as u32, SIZE as u32, 1.0).unwrap());
    for i in 0..30 {
        let (x, y) = ((seed.wrapping_mul(31) + i * 7) % 48, (seed.wrapping_mul(17) + i * 11) % 48);
        grid.set_open(grid.lattice().cell(x as u32, y as u32), false);
    }
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    let [red, blue] = ["red", "blue"].map(|name| world.add_army(name).unwrap());
    world.relate(red, blue, Relation::Neutral).unwrap();
    let walker = world.add_unit(Unit::pedestrian()).unwrap();
    let archer = world.add_unit(Unit { ranged: Some(Ranged::default()), ..Unit::default() }).unwrap();
    let is_clear = |world: &World, at: Vec2| walls::is_clear(world.grid(), at, 0.45);
    let places: Vec<Vec2> = (0..22 * 22)
        .map(|i| Vec2::new(1.5 + 2.1 * (i % 22) as f32, 1.5 + 2.1 * (i / 22) as f32))
        .filter(|&at| is_clear(&world, at))
        .collect();
    world.spawn_walkers(red, walker, &places[..80], &[]).unwrap();
    world.spawn_walkers(blue, archer, &places[80..110], &[]).unwrap();
    world.spawn_squad(SquadSpec::new(red, walker, &places[110..130])).unwrap();
    world.spawn_squad(SquadSpec::new(blue, archer, &places[130..150])).unwrap();
    world
}

/// What is asked of an agent of some number, with some numbers.
#[derive(Clone, Copy, Debug)]
enum Act {
    Hurt(f32),
    Kill,
    Heal(f32),
    Teleport(Vec2),
    Speed(Option<f32>),
    Radius(f32),
    Unit(u16),
    Army(u8),
    Detach,
    Push(Vec2),
    Shoot(Vec2),
    Drive(Vec2),
    LetGo,
    Walk(Vec2),
    Remove,
    Tick,
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    let place = || (-2.0..SIZE + 2.0, -2.0..SIZE + 2.0).prop_map(|(x, y)| Vec2::new(x, y));
    let act = prop_oneof![
        (-5.0..150.0_f32).prop_map(Act::Hurt),
        Just(Act::Kill),
        (-5.0..50.0_f32).prop_map(Act::Heal),
        place().prop_map(Act::Teleport),
        prop::option::of(-1.0..120.0_f32).prop_map(Act::Speed),
        (-0.5..1.5_f32).prop_map(Act::Radius),
        (0..3_u16).prop_map(Act::Unit),
        (0..3_u8).prop_map(Act::Army),
        Just(Act::Detach),
        place().prop_map(|at| Act::Push(at - 24.0)),
        place().prop_map(Act::Shoot),
        place().prop_map(Act::Drive),
        Just(Act::LetGo),
        place().prop_map(Act::Walk),
        Just(Act::Remove),
        Just(Act::Tick),
        Just(Act::Tick),
        Just(Act::Tick),
    ];
    prop::collection::vec((0..150_usize, act), 1..60)
}

fn act(world: &mut World, agents: &[AgentId], (number, act): (usize, Act)) {
    let id = agents[number % agents.len()];
    let other = Some(agents[(number * 7) % agents.len()]);
    // What is refused leaves the world as it was; that is looked at where it matters.
    let _ = match act {
        Act::Hurt(points) => world.hurt(id, points, other.filter(|_| number % 2 == 0)),
        Act::Kill => {
            world.kill(id, other);
            Ok(())
        }
        Act::Heal(points) => world.heal(id, points),
        Act::Teleport(at) => world.teleport(id, at),
        Act::Speed(speed) => world.set_speed(id, speed),
        Act::Radius(radius) => world.set_radius(id, radius),
        Act::Unit(unit) => world.set_unit(id, UnitId(unit)),
        Act::Army(army) => world.set_army(id, ArmyId(army)),
        Act::Detach => {
            world.detach(id);
            Ok(())
        }
        Act::Push(velocity) => world.push(id, velocity),
        Act::Shoot(at) => world.shoot(id, at),
        Act::Drive(at) => world.drive(id, at, Vec2::X),
        Act::LetGo => {
            world.let_go(id);
            Ok(())
        }
        Act::Walk(at) => world.walk_to(id, at),
        Act::Remove => {
            world.remove(&[id]);
            Ok(())
        }
        Act::Tick => world.tick(),
    };
}

/// Nothing is lost: counts of armies and squads are those of the agents, and no number is none.
fn check(world: &World) {
    let crowd = world.crowd();
    for (army, told) in world.armies().iter().enumerate() {
        let alive = world.positions().filter(|(id, _)| crowd.army_of(id.slot).index() == army).count();
        assert_eq!(
            (told.alive as usize, told.spawned),
            (alive, told.alive + told.dead() + told.left + told.routed),
            "{army}"
        );
    }
    for squad in world.squads() {
        assert!(
            squad
                .members
                .iter()
                .filter(|&&id| crowd.row(id).is_some())
                .all(|id| crowd.slots.squad_of(id.slot as usize).is_some())
        );
    }
    for (id, at) in world.positions() {
        assert!(at.is_finite() && world.health(id).is_some_and(|health| health > 0.0), "{id:?} {at}");
    }
}

/// All living agents around a point, by looking at each.
fn oracle(world: &World, point: Vec2, radius: f32, among: Among) -> Vec<(AgentId, f32)> {
    let crowd = world.crowd();
    let is_among = |id: AgentId| {
        let slot = id.slot as usize;
        among.army.is_none_or(|army| crowd.army_of(id.slot) == army)
            && among.unit.is_none_or(|unit| crowd.slots.unit[slot] == unit.0)
            && among.squad.is_none_or(|squad| crowd.slots.squad_of(slot) == Some(squad))
            && among.but != Some(id)
    };
    let all = world.positions().filter(|&(id, _)| is_among(id)).map(|(id, at)| (id, at.distance_squared(point)));
    let mut near: Vec<_> = all.filter(|&(_, squared)| squared < radius * radius).collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.slot.cmp(&b.0.slot)));
    near.into_iter().map(|(id, squared)| (id, squared.sqrt())).collect()
}

fn questions(world: &World) {
    for number in 0..24_u32 {
        let point = Vec2::new((number * 13 % 50) as f32 - 1.0, (number * 29 % 50) as f32 - 0.7);
        let radius = [0.0, 1.0, 3.3, 9.0, 100.0][number as usize % 5];
        let some = world.positions().next().map(|(id, _)| id);
        let among = [
            Among::ALL,
            Among { army: Some(ArmyId(1)), ..Among::ALL },
            Among { unit: Some(UnitId(0)), but: some, ..Among::ALL },
            Among { squad: Some(SquadId(0)), ..Among::ALL },
        ][number as usize % 4];
        let expected = oracle(world, point, radius, among);
        assert_eq!(world.near(point, radius, among), expected, "{point} {radius} {among:?}");
        assert_eq!(world.nearest(point, radius, among), expected.first().copied());
        let to = Vec2::new((number * 41 % 48) as f32, (number * 7 % 48) as f32);
        if let Some(hit) = world.raycast(point, to, 0.2, among) {
            assert!(hit.distance <= point.distance(to) * 1.0001);
            if let Some(id) = hit.agent {
                let (_, at) = world.positions().find(|&(other, _)| other == id).unwrap();
                let apart = at.distance(hit.at) - 0.2 - world.crowd().rows.radius[world.crowd().row(id).unwrap()];
                assert!(apart < 0.01, "{apart} m from {id:?}");
            }
        } else {
            assert!(world.line_of_sight(point, to, 0.2));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn whatever_is_done_to_agents_counts_and_questions_are_right_and_a_snapshot_goes_on(seed: u64, acts in acts()) {
        let mut one = world(seed);
        let agents: Vec<AgentId> = one.positions().map(|(id, _)| id).collect();
        let half = acts.len() / 2;
        for &next in &acts[..half] {
            act(&mut one, &agents, next);
        }
        questions(&one);
        let mut other = World::from_snapshot(&one.snapshot()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        one.save(folder.path().join("w")).unwrap();
        let mut stored = World::restore(folder.path().join("w"), Resume::default()).unwrap();
        for &next in &acts[half..] {
            act(&mut one, &agents, next);
            act(&mut other, &agents, next);
            act(&mut stored, &agents, next);
        }
        for _ in 0..10 {
            one.tick().unwrap();
            other.tick().unwrap();
            stored.tick().unwrap();
            check(&one);
        }
        questions(&one);
        prop_assert_eq!(one.position_hash(), other.position_hash());
        prop_assert_eq!(one.position_hash(), stored.position_hash());
    }
}

#[test]
fn questions_are_right_while_all_sleep_and_when_some_are_moved() {
    let mut world = world(5);
    (0..200).for_each(|_| world.tick().unwrap());
    assert!(world.asleep() > 60, "{}", world.asleep());
    questions(&world);
    let agents: Vec<AgentId> = world.positions().map(|(id, _)| id).collect();
    world.teleport(agents[3], Vec2::new(2.5, 46.5)).unwrap();
    questions(&world);
    world.remove(&agents[7..9]);
    questions(&world);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| questions(&world));
        }
    });
}

#[test]
fn an_agent_that_is_put_elsewhere_still_comes_to_its_goal() {
    let mut world = world(9);
    let walker = world.positions().next().unwrap().0;
    let goal = Vec2::new(44.6, 40.2);
    world.walk_to(walker, goal).unwrap();
    let place = |world: &World, id: AgentId| world.positions().find(|&(other, _)| other == id).unwrap().1;
    for at in [Vec2::new(44.5, 3.5), Vec2::new(3.5, 44.5)] {
        (0..40).for_each(|_| world.tick().unwrap());
        world.teleport(walker, at).unwrap();
        assert_eq!(place(&world, walker), at);
    }
    let mut arrived = 0;
    for _ in 0..1600 {
        world.tick().unwrap();
        arrived += world.events().arrived.iter().filter(|&&id| id == walker).count();
    }
    assert_eq!(arrived, 1);
    assert!(place(&world, walker).distance(goal) < 0.5);
    // A member of a squad comes back to it, and one without a goal stays.
    let member = world.squads()[0].members[0];
    let (post, idle) = (place(&world, member), world.positions().nth(5).unwrap().0);
    world.teleport(member, Vec2::new(44.5, 3.5)).unwrap();
    world.teleport(idle, Vec2::new(40.5, 20.5)).unwrap();
    (0..1600).for_each(|_| world.tick().unwrap());
    assert!(place(&world, member).distance(post) < 1.0, "{} {post}", place(&world, member));
    assert!(place(&world, idle).distance(Vec2::new(40.5, 20.5)) < 1.0);
    let wall = world.teleport(idle, Vec2::new(-3.0, 5.0)).unwrap_err();
    assert!(matches!(wall, WorldError::Blocked { .. }));
}

#[test]
fn speeds_units_armies_shots_and_wounds_are_those_that_were_given() {
    let mut world = World::new(Grid::open_plain(Lattice::new(64, 16, 1.0).unwrap()), Settings::default()).unwrap();
    let [red, blue] = ["red", "blue"].map(|name| world.add_army(name).unwrap());
    let soldier = world.add_unit(Unit { health: 50.0, ..Unit::default() }).unwrap();
    let archer = world
        .add_unit(Unit { health: 200.0, ranged: Some(Ranged { spread: 0.0, ..Ranged::default() }), ..Unit::default() })
        .unwrap();
    let places = [2.5, 5.5, 8.5, 11.5].map(|y| Vec2::new(2.5, y));
    let ids = world.spawn_walkers(red, soldier, &places, &places.map(|at| at + Vec2::X * 50.0)).unwrap();
    world.set_speed(ids[0], Some(4.0)).unwrap();
    world.set_speed(ids[1], Some(0.5)).unwrap();
    world.hurt(ids[2], 20.0, None).unwrap();
    (0..200).for_each(|_| world.tick().unwrap());
    let x = |world: &World, id: AgentId| world.positions().find(|&(other, _)| other == id).unwrap().1.x - 2.5;
    for (id, speed) in [(ids[0], 4.0), (ids[1], 0.5), (ids[2], 1.5)] {
        assert!((x(&world, id) - 10.0 * speed).abs() < 0.3, "{}", x(&world, id));
    }
    world.set_unit(ids[2], archer).unwrap();
    assert!((world.health(ids[2]).unwrap() - 120.0).abs() < 0.01, "three fifths");
    world.set_army(ids[2], blue).unwrap();
    assert_eq!(world.armies().iter().map(|army| army.alive).collect::<Vec<_>>(), [3, 1]);
    world.kill(ids[3], Some(ids[2]));
    world.shoot(ids[2], Vec2::new(40.0, 8.5)).unwrap();
    world.shoot(ids[2], Vec2::new(40.0, 8.5)).unwrap();
    assert!(matches!(world.shoot(ids[0], Vec2::ONE), Err(WorldError::Unarmed { .. })));
    world.tick().unwrap();
    assert_eq!(world.events().deaths.iter().map(|death| (death.who, death.by)).collect::<Vec<_>>(), [(ids[3], ids[2])]);
    assert_eq!(world.armies()[1].kills.iter().sum::<u32>(), 1);
    assert_eq!(world.shots().len(), 2);
    assert_ne!(world.shots().launch[0], world.shots().launch[1], "each is one of its own");
    // It comes down where it was aimed at, as nobody is there.
    let mut last = Vec2::ZERO;
    while !world.shots().is_empty() {
        last = world.shots().position[0].truncate();
        world.tick().unwrap();
    }
    assert!((last.y - 8.5).abs() < 0.5 && (last.x - 40.0).abs() < 3.0, "{last}");
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut world = world(3);
    let (id, member) = (world.positions().next().unwrap().0, world.squads()[0].members[0]);
    world.order(SquadId(0), Order::Hold).unwrap();
    let before = world.position_hash();
    for (told, result) in [
        ("the damage must be at least 0 (points), found -1", world.hurt(id, -1.0, None)),
        ("the damage must be finite, found NaN", world.hurt(id, f32::NAN, None)),
        ("the health must be at least 0 (points), found -3", world.heal(id, -3.0)),
        ("the speed of an agent must be between 0 and 100 (m/s), found -1", world.set_speed(id, Some(-1.0))),
        ("the radius of an agent must be between 0.05 and 10 (m), found 0", world.set_radius(id, 0.0)),
        ("the speed of a push must be at most 100 (m/s), found 200", world.push(id, Vec2::X * 200.0)),
        ("the velocity of a push must be finite, found inf", world.push(id, Vec2::X * f32::INFINITY)),
        ("this world has no unit 9", world.set_unit(id, UnitId(9))),
        ("this world has no army 9", world.set_army(id, ArmyId(9))),
    ] {
        assert_eq!(result.unwrap_err().to_string(), told);
    }
    for result in [world.set_unit(member, UnitId(1)), world.set_army(member, ArmyId(1))] {
        assert!(result.unwrap_err().to_string().ends_with("give that an order instead, or detach the agent"));
    }
    world.detach(member);
    world.set_army(member, ArmyId(1)).unwrap();
    assert_eq!(world.position_hash(), before);
    check(&world);
}

#[test]
fn ways_places_and_rooms_are_those_of_the_map() {
    let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
    (0..26).for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
    // A room without a door.
    for i in 0..5 {
        for (x, y) in [(30 + i, 10), (30 + i, 14), (30, 10 + i), (34, 10 + i)] {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    let mut world = World::new(grid, Settings::default()).unwrap();
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::default()).unwrap());
    let (a, b, room) = (Vec2::new(10.2, 5.7), Vec2::new(28.5, 5.5), Vec2::new(32.5, 12.5));
    for spawned in [false, true] {
        let route = world.route(a, b, walker).unwrap().unwrap();
        assert_eq!((route[0], *route.last().unwrap()), (a, b));
        assert!(route.windows(2).all(|pair| world.line_of_sight(pair[0], pair[1], 0.4)), "{route:?}");
        let length: f32 = route.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert_eq!(world.distance(a, b, walker).unwrap(), Some(length));
        assert!(length > 45.0 && length < 52.0, "{length}");
        assert_eq!(world.route(a, a, walker).unwrap().unwrap(), [a]);
        assert!(world.is_reachable(a, b, walker).unwrap() && !world.is_reachable(a, room, walker).unwrap());
        assert_eq!((world.route(a, room, walker).unwrap(), world.distance(a, room, walker).unwrap()), (None, None));
        assert!(world.route(a, Vec2::new(-1.0, 5.0), walker).is_err());
        let open = world.closest_open(Vec2::new(20.5, 5.5), walker).unwrap().unwrap();
        assert!(walls::is_clear(world.grid(), open, 0.4) && open.distance(Vec2::new(20.5, 5.5)) < 1.2, "{open}");
        assert_eq!(world.closest_open(a, walker).unwrap(), Some(a));
        let mut quarters = [0; 4];
        for seed in 0..400 {
            let at = world.random_point(b, 6.0, walker, seed).unwrap().unwrap();
            assert!(at.distance(b) <= 6.0 && walls::is_clear(world.grid(), at, 0.4) && at.x > 20.0, "{at}");
            assert!(world.is_reachable(b, at, walker).unwrap());
            assert_eq!(world.random_point(b, 6.0, walker, seed).unwrap(), Some(at));
            quarters[usize::from(at.x > b.x) + 2 * usize::from(at.y > b.y)] += 1;
        }
        assert!(quarters.iter().all(|&count| count > 60), "{quarters:?}");
        assert_eq!(world.clearance(Vec2::new(20.5, 5.5)), 0.0);
        assert!(
            (world.clearance(Vec2::new(10.5, 10.5)) - 9.5).abs() < 1.5,
            "{}",
            world.clearance(Vec2::new(10.5, 10.5))
        );
        if !spawned {
            let id = world.spawn_walkers(all, walker, &[a], &[]).unwrap()[0];
            world.walk_to(id, b).unwrap();
        }
    }
}
