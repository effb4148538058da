//! Journeys: way-points, areas, waits, queues, exits, leaders; asking again for routes; why somebody stands still.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Order, RouteState, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{
    Area, ArmyId, IdleReason, Journey, JourneyId, Leader, Queue, Resume, Settings, SquadId, SquadSpec, Stop, Task,
    Then, UnitId, Until, World,
};

const RED: ArmyId = ArmyId(0);
const WALKER: UnitId = UnitId(0);
const STEP: f32 = 0.1;

fn at(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

/// A world with walls in some cells, an army and walkers.
fn world_with(threads: usize, walls: &[(u32, u32)]) -> World {
    let mut grid = Grid::open_plain(Lattice::new(64, 48, 1.0).unwrap());
    for &(x, y) in walls {
        grid.set_open(grid.lattice().cell(x, y), false);
    }
    let mut world = World::new(grid, Settings { threads, step: STEP, ..Settings::default() }).unwrap();
    world.add_army("red").unwrap();
    world.add_unit(Unit::default()).unwrap();
    world
}

fn plain() -> World {
    world_with(1, &[])
}

fn block(corner: Vec2, columns: usize, count: usize) -> Vec<Vec2> {
    (0..count).map(|i| corner + at((i % columns) as f32, (i / columns) as f32) * 1.1).collect()
}

fn squad(world: &mut World, positions: &[Vec2], order: Order) -> SquadId {
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(RED, WALKER, positions) }).unwrap()
}

/// A squad on a journey of these stops.
fn travels(world: &mut World, positions: &[Vec2], stops: impl IntoIterator<Item = Stop>) -> SquadId {
    let journey = world.add_journey(Journey::new(stops)).unwrap();
    squad(world, positions, Order::Travel(journey))
}

fn run(world: &mut World, ticks: u64) {
    (0..ticks).for_each(|_| world.tick().unwrap());
}

/// Runs until something holds, and says in which tick it did.
fn until(world: &mut World, most: u64, holds: impl Fn(&World) -> bool) -> u64 {
    for _ in 0..most {
        if holds(world) {
            return world.ticks();
        }
        world.tick().unwrap();
    }
    panic!("not within {most} ticks; standing: {:?}, at {:?}", world.standing(), world.positions().collect::<Vec<_>>());
}

fn place(world: &World, id: AgentId) -> Vec2 {
    world.crowd().rows.position[world.crowd().row(id).unwrap()]
}

fn members(world: &World, squad: SquadId) -> Vec<AgentId> {
    world.squads()[squad.0 as usize].members.clone()
}

fn way_point(x: f32, y: f32, within: f32) -> Task {
    Task::WayPoint { at: at(x, y), within }
}

fn leave(x: f32, y: f32) -> Stop {
    Task::Leave { at: at(x, y), within: 1.0 }.into()
}

#[test]
fn way_points_are_passed_in_their_order_and_round_walls() {
    // A wall with a door at the bottom.
    let walls: Vec<_> = (0..40).map(|y| (30, y)).collect();
    let mut world = world_with(1, &walls);
    let stops = [way_point(50.0, 5.0, 2.0).into(), way_point(50.0, 40.0, 2.0).into(), leave(5.0, 40.0)];
    travels(&mut world, &block(at(5.0, 5.0), 3, 9), stops);
    let all = |x: f32, y: f32| move |world: &World| world.positions().all(|(_, here)| here.distance(at(x, y)) < 12.0);
    until(&mut world, 2000, all(50.0, 5.0));
    until(&mut world, 1000, all(50.0, 40.0));
    until(&mut world, 2000, |world| world.agents() == 0);
    let army = &world.armies()[0];
    assert_eq!((army.spawned, army.alive, army.left, army.routed), (9, 0, 9, 0));
    // Routes that nobody walks any more are forgotten now and then.
    run(&mut world, 130);
    assert!(world.crowd().is_empty() && world.routes().is_empty());
}

#[test]
fn a_patrol_goes_round_and_round() {
    let mut world = plain();
    let points = [at(10.0, 10.0), at(30.0, 10.0), at(30.0, 30.0)];
    let patrol = world.add_journey(Journey::patrol(&points, 1.0)).unwrap();
    let guard = squad(&mut world, &[at(10.0, 20.0)], Order::Travel(patrol));
    let id = members(&world, guard)[0];
    for _ in 0..3 {
        for point in points {
            until(&mut world, 400, |world| place(world, id).distance(point) < 1.2);
        }
    }
    world.order(guard, Order::Hold).unwrap();
    let here = place(&world, id);
    run(&mut world, 100);
    assert!(place(&world, id).distance(here) < 0.3, "an order ends a journey");
}

#[test]
fn an_area_spreads_them_over_places_of_their_own() {
    let areas = [
        (Area::Rectangle { from: at(40.0, 8.0), to: at(56.0, 24.0) }, 40),
        (Area::Disc { centre: at(45.0, 20.0), radius: 7.0 }, 40),
        (Area::Polygon { points: vec![at(40.0, 5.0), at(60.0, 5.0), at(50.0, 35.0)] }, 40),
    ];
    for (area, count) in areas {
        let mut world = plain();
        let task = Task::Area { area: area.clone(), spacing: 1.2 };
        travels(&mut world, &block(at(4.0, 4.0), 8, count), [task.into()]);
        until(&mut world, 1500, |world| world.standing() == [("at goal", count as u64)]);
        let places: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
        let middle = places.iter().sum::<Vec2>() / count as f32;
        for (i, &a) in places.iter().enumerate() {
            assert!(area.contains(a + (middle - a) * 0.05), "{a} is not in {area:?}");
            assert!(places[..i].iter().all(|b| a.distance(*b) > 0.75), "{a} is with another");
        }
        // In each quarter around the middle stands a fair share.
        let mut quarters = [0; 4];
        for a in &places {
            quarters[usize::from(a.x > middle.x) + 2 * usize::from(a.y > middle.y)] += 1;
        }
        assert!(quarters.iter().all(|&share| share >= count / 8), "{quarters:?} in {area:?}");
    }
}

#[test]
fn a_full_area_lets_them_in_as_places_fall_free() {
    let mut world = plain();
    // Two places; everybody stays for 3 s after it has come.
    let area = Area::Rectangle { from: at(20.0, 10.0), to: at(22.4, 11.2) };
    let stops = [Task::Area { area, spacing: 1.2 }.into(), Task::Wait(Until::Seconds(3.0)).into(), leave(40.0, 10.0)];
    let five = travels(&mut world, &block(at(10.0, 8.0), 1, 5), stops);
    run(&mut world, 3);
    assert_eq!(world.standing().iter().find(|(name, _)| *name == "area full"), Some(&("area full", 3)));
    let ids = members(&world, five);
    let ahead: Vec<_> = ids.iter().filter_map(|&id| world.why(id)).collect();
    for (n, told) in ahead[2..].iter().enumerate() {
        assert_eq!(*told, IdleReason::AreaFull { ahead: n as u32 });
    }
    until(&mut world, 2000, |world| world.agents() == 0);
}

#[test]
fn a_wait_lasts_exactly() {
    let mut world = plain();
    let stops = [
        Task::Wait(Until::Seconds(5.0)).into(),
        Task::Wait(Until::Tick(120)).into(),
        way_point(30.0, 10.0, 1.0).into(),
    ];
    let one = travels(&mut world, &[at(10.0, 10.0)], stops);
    let id = members(&world, one)[0];
    assert_eq!(world.why(id), Some(IdleReason::NotSetOut));
    // It arrives at the stop in tick 0, and has waited 50 ticks when tick 50 begins.
    for tick in 1..=50 {
        world.tick().unwrap();
        assert_eq!(world.why(id), Some(IdleReason::Waits { until: 50, left: 50 - tick }), "after tick {tick}");
    }
    world.tick().unwrap();
    assert_eq!(world.why(id), Some(IdleReason::Waits { until: 120, left: 69 }));
    run(&mut world, 69);
    assert_eq!(place(&world, id), at(10.0, 10.0));
    run(&mut world, 1);
    assert!(!matches!(world.why(id), Some(IdleReason::Waits { .. })), "his wait ends in tick 120");
    // Who has fallen asleep takes a tick to wake.
    run(&mut world, 1);
    assert!(place(&world, id).x > 10.1, "and he goes");
}

#[test]
fn those_who_wait_for_others_go_together() {
    let mut world = plain();
    let stops =
        [way_point(20.0, 20.0, 3.0).into(), Task::Wait(Until::Come(3)).into(), way_point(50.0, 20.0, 4.0).into()];
    // They come one after the other.
    let starts = [at(16.0, 20.0), at(10.0, 20.0), at(4.0, 20.0), at(2.0, 30.0)];
    let four = travels(&mut world, &starts, stops);
    let ids = members(&world, four);
    until(&mut world, 300, |world| world.why(ids[1]) == Some(IdleReason::WaitsForOthers { come: 2, of: 3 }));
    assert!(place(&world, ids[0]).x < 24.0);
    until(&mut world, 600, |world| ids[..3].iter().all(|&id| place(world, id).distance(at(50.0, 20.0)) < 5.0));
    assert_eq!(world.why(ids[3]), Some(IdleReason::WaitsForOthers { come: 1, of: 3 }), "it is counted anew");
}

fn desk(head: Vec2, seconds: f32, serves: u32) -> Queue {
    Queue { head, facing: 0.0, gap: 1.0, places: 12, serves, seconds }
}

/// In which order, and when, those of a squad come to be served; until nobody is in the world.
fn served(world: &mut World, ids: &[AgentId], most: u64) -> Vec<(AgentId, u64)> {
    let mut served: Vec<(AgentId, u64)> = Vec::new();
    while world.agents() > 0 {
        assert!(world.ticks() < most, "{:?}", world.standing());
        world.tick().unwrap();
        for &id in ids {
            if let Some(IdleReason::InQueue { served_until: Some(until), .. }) = world.why(id)
                && !served.contains(&(id, until))
            {
                served.push((id, until));
            }
        }
    }
    served
}

#[test]
fn a_queue_keeps_its_order_and_serves_one_at_a_time() {
    let mut world = plain();
    let seconds = 2.0;
    let twenty = travels(
        &mut world,
        &block(at(4.0, 18.0), 4, 20),
        [Task::Queue(desk(at(40.0, 20.0), seconds, 1)).into(), leave(55.0, 20.0)],
    );
    let ids = members(&world, twenty);
    let mut last_ahead = vec![u32::MAX; ids.len()];
    let mut done = Vec::new();
    while world.agents() > 0 {
        assert!(world.ticks() < 3000, "{:?}", world.standing());
        world.tick().unwrap();
        for (&id, last) in ids.iter().zip(&mut last_ahead) {
            if let Some(IdleReason::InQueue { ahead, served_until, .. }) = world.why(id) {
                assert!(ahead <= *last, "somebody has overtaken {id:?}");
                *last = ahead;
                if served_until.is_some() && !done.contains(&id) {
                    done.push(id);
                    assert_eq!(ahead, 0, "who is served is at the head");
                }
            }
        }
    }
    assert_eq!(done.len(), 20, "everybody was served");
}

#[test]
fn a_queue_serves_as_many_as_it_can_and_takes_its_time() {
    for (serves, count) in [(1, 6_u64), (2, 8), (3, 9)] {
        let mut world = plain();
        let stops = [Task::Queue(desk(at(30.0, 20.0), 4.0, serves)).into(), leave(45.0, 20.0)];
        let some = travels(&mut world, &block(at(14.0, 18.0), 3, count as usize), stops);
        let ids = members(&world, some);
        let served = served(&mut world, &ids, 4000);
        assert_eq!(served.len() as u64, count);
        let times: Vec<u64> = served.iter().map(|&(_, until)| until).collect();
        // Nobody's 40 ticks overlap with those of more than it shares the head with.
        for (i, &end) in times.iter().enumerate() {
            let together = times[i..].iter().filter(|&&other| other < end + 40 && other >= end).count() as u32;
            assert!(together <= serves, "{together} were served at once by {serves}: {times:?}");
        }
        let whole = times.last().unwrap() - times.first().unwrap();
        let rounds = count.div_ceil(serves.into()) - 1;
        assert!(whole >= 40 * rounds, "{count} in {whole} ticks");
        assert!(whole <= 75 * rounds + 40, "{count} in {whole} ticks: the head is often empty");
    }
}

#[test]
fn more_than_a_queue_has_places_are_served_in_order() {
    let mut world = plain();
    let queue = Queue { places: 3, ..desk(at(40.0, 20.0), 1.0, 1) };
    let many = travels(&mut world, &block(at(20.0, 16.0), 5, 25), [Task::Queue(queue).into(), leave(55.0, 20.0)]);
    let ids = members(&world, many);
    assert_eq!(served(&mut world, &ids, 4000).len(), 25);
}

#[test]
fn who_dies_or_is_called_away_makes_room_in_the_queue() {
    let mut world = plain();
    let queue = Task::Queue(desk(at(40.0, 20.0), 1000.0, 1));
    let journey = world.add_journey(Journey::new([queue.into()])).unwrap();
    let first = squad(&mut world, &[at(36.0, 20.0)], Order::Travel(journey));
    let second = squad(&mut world, &[at(30.0, 20.0)], Order::Travel(journey));
    let (first_id, second_id) = (members(&world, first)[0], members(&world, second)[0]);
    let is = |id, ahead| move |world: &World| matches!(world.why(id), Some(IdleReason::InQueue { ahead: a, .. }) if a == ahead);
    until(&mut world, 200, is(second_id, 1));
    let told = world.why(first_id);
    assert!(matches!(told, Some(IdleReason::InQueue { ahead: 0, served_until: Some(_), of: 2 })), "{told:?}");
    world.order(first, Order::GoTo(at(50.0, 40.0))).unwrap();
    until(&mut world, 100, |world| is(second_id, 0)(world) && place(world, second_id).distance(at(40.0, 20.0)) < 0.6);
}

#[test]
fn round_robin_and_least_targeted_share_exactly() {
    for (start, shares) in [
        (Then::RoundRobin(vec![0, 1, 2]), [10, 10, 10]),
        (Then::LeastTargeted(vec![0, 1, 2]), [10, 10, 10]),
        (Then::RoundRobin(vec![2, 0, 2]), [10, 0, 20]),
        (Then::To(1), [0, 30, 0]),
    ] {
        let mut world = plain();
        let areas = [8.0, 20.0, 32.0].map(|y| Stop {
            task: Task::Area { area: Area::Rectangle { from: at(40.0, y), to: at(60.0, y + 8.0) }, spacing: 1.2 },
            then: Then::End,
        });
        let journey = world.add_journey(Journey { start, stops: areas.into() }).unwrap();
        squad(&mut world, &block(at(5.0, 15.0), 6, 30), Order::Travel(journey));
        until(&mut world, 1500, |world| world.standing() == [("at goal", 30)]);
        let mut found = [0; 3];
        world.positions().for_each(|(_, here)| found[((here.y - 7.0) / 12.0) as usize] += 1);
        assert_eq!(found, shares);
    }
}

#[test]
fn followers_keep_their_distance_round_corners_and_survive_their_leader() {
    // The leader walks round the end of a wall.
    let walls: Vec<_> = (8..40).map(|x| (x, 20)).collect();
    let mut world = world_with(1, &walls);
    let leader = squad(&mut world, &[at(30.0, 10.0)], Order::GoTo(at(20.5, 30.5)));
    let led = members(&world, leader)[0];
    let follow = |leader| Stop::from(Task::Follow { leader, distance: 2.0, offset: Vec2::ZERO });
    let six = travels(&mut world, &block(at(20.0, 6.0), 3, 6), [follow(Leader::Squad(leader))]);
    let ids = members(&world, six);
    let mut nearest = f32::INFINITY;
    for _ in 0..700 {
        world.tick().unwrap();
        nearest = ids.iter().map(|&id| place(&world, id).distance(place(&world, led))).fold(nearest, f32::min);
    }
    assert!(place(&world, led).distance(at(20.5, 30.5)) < 1.0, "nobody kept him from going");
    // Bodies are 0.4 m in radius.
    assert!(nearest > 0.8, "they came as near as {nearest} m");
    for &id in &ids {
        let apart = place(&world, id).distance(place(&world, led));
        assert!(apart < 5.5, "{apart} m behind: {:?}", world.why(id));
        assert_eq!(world.why(id), Some(IdleReason::WithLeader { leader: led }));
    }
    // It leaves the world: they stay where they are.
    let exit = world.add_journey(Journey::new([leave(20.5, 30.5)])).unwrap();
    world.order(leader, Order::Travel(exit)).unwrap();
    run(&mut world, 20);
    assert_eq!(world.agents(), 6);
    let before: Vec<Vec2> = ids.iter().map(|&id| place(&world, id)).collect();
    run(&mut world, 60);
    for (&id, before) in ids.iter().zip(before) {
        assert_eq!(world.why(id), Some(IdleReason::AtGoal));
        assert!(place(&world, id).distance(before) < 0.5);
    }
}

#[test]
fn a_follower_at_an_offset_walks_beside() {
    let mut world = plain();
    let leader = squad(&mut world, &[at(5.0, 20.0)], Order::GoTo(at(50.0, 20.0)));
    let led = members(&world, leader)[0];
    let task = Task::Follow { leader: Leader::Agent(led), distance: 0.01, offset: at(0.0, 3.0) };
    let aide = travels(&mut world, &[at(4.0, 24.0)], [task.into()]);
    let id = members(&world, aide)[0];
    run(&mut world, 150);
    let beside = place(&world, id) - place(&world, led);
    assert!(beside.distance(at(0.0, 3.0)) < 1.5, "{beside} from him");
}

/// Walls around the cell (40, 20) and its neighbours, but for a door that can be opened.
fn cage() -> Vec<(u32, u32)> {
    (37..=43).flat_map(|x| [(x, 17), (x, 23)]).chain((18..=22).flat_map(|y| [(37, y), (43, y)])).collect()
}

#[test]
fn who_has_no_route_asks_at_a_bounded_rate_and_at_once_when_the_map_opens() {
    let mut world = world_with(1, &cage());
    let far = squad(&mut world, &block(at(5.0, 5.0), 2, 4), Order::GoTo(at(40.5, 20.5)));
    let alone = travels(&mut world, &block(at(5.0, 30.0), 5, 20), [way_point(40.5, 20.5, 2.0).into()]);
    run(&mut world, 5);
    assert!(matches!(world.squads()[far.0 as usize].route_state, RouteState::Unreachable { .. }));
    let ids = members(&world, alone);
    assert!(matches!(world.why(ids[0]), Some(IdleReason::NoRoute { failures: 1, .. })), "{:?}", world.why(ids[0]));
    assert!(matches!(world.why(members(&world, far)[0]), Some(IdleReason::NoRoute { .. })));
    let mut before = world.routes_asked();
    let (mut each, mut most) = (Vec::new(), 0);
    for tick in 0..3000 {
        world.tick().unwrap();
        most = most.max(world.routes_asked() - before);
        before = world.routes_asked();
        if tick % 1000 == 999 {
            each.push(before);
        }
    }
    // 21 ask: with pauses of 1 to 2, 2 to 4, .. seconds 6 times at most each in the first 100 s, then every 32 to 64 s.
    assert!(each[0] <= 21 * 7 && each[0] >= 21 * 4, "{each:?}");
    assert!(each[2] - each[0] <= 21 * 7, "{each:?}");
    assert!(each[2] - each[0] >= 21 * 2, "they do not give up: {each:?}");
    assert!(most <= 10, "{most} asked in one tick");
    // A door opens: all ask in their turns, eight ticks at most, and come.
    let door = world.grid().lattice().cell(37, 20);
    world.edit(&[Edit::Open(door)]).unwrap();
    run(&mut world, 9);
    assert!(world.routes_asked() >= before + 20, "they ask at once");
    until(&mut world, 1500, |world| ids.iter().any(|&id| place(world, id).distance(at(40.5, 20.5)) < 2.5));
}

/// Everything at once: what the snapshots and the threads are compared on.
fn station(threads: usize) -> World {
    let walls: Vec<_> = (0..48).filter(|y| !(10..13).contains(y) && !(30..33).contains(y)).map(|y| (40, y)).collect();
    let mut world = world_with(threads, &walls);
    let go = |task, then| Stop { task, then };
    let stops = vec![
        go(Task::Queue(desk(at(30.0, 15.0), 1.5, 1)), Then::To(2)),
        go(Task::Queue(desk(at(30.0, 25.0), 2.0, 2)), Then::To(2)),
        go(Task::Area { area: Area::Disc { centre: at(34.0, 20.0), radius: 3.0 }, spacing: 1.2 }, Then::Next),
        go(Task::Wait(Until::Come(4)), Then::RoundRobin(vec![4, 5])),
        go(way_point(41.0, 11.5, 1.5), Then::To(6)),
        go(way_point(41.0, 31.5, 1.5), Then::To(6)),
        leave(60.0, 20.0),
    ];
    let journey = world.add_journey(Journey { start: Then::LeastTargeted(vec![0, 1]), stops }).unwrap();
    let passengers = squad(&mut world, &block(at(3.0, 10.0), 6, 48), Order::Travel(journey));
    let follow = Task::Follow { leader: Leader::Squad(passengers), distance: 2.0, offset: Vec2::ZERO };
    travels(&mut world, &block(at(3.0, 40.0), 4, 8), [follow.into(), leave(4.0, 44.0)]);
    travels(&mut world, &[at(50.0, 40.0)], [Task::Wait(Until::Tick(200)).into(), way_point(50.0, 5.0, 1.0).into()]);
    world.spawn_walkers(RED, WALKER, &[at(10.0, 3.0)], &[at(12.0, 3.0)]).unwrap();
    let (walker, _) = world.positions().last().unwrap();
    world.travel(walker, journey, PlannerChoice::AStar).unwrap();
    world
}

#[test]
fn the_same_bytes_with_any_number_of_threads_and_from_any_snapshot() {
    const TICKS: u64 = 1400;
    let mut one = station(1);
    let mut hashes = vec![one.position_hash()];
    let folder = tempfile::tempdir().unwrap();
    let mut kept = Vec::new();
    for tick in 1..=TICKS {
        if [1, 2, 40, 90, 160, 230, 310, 420, 600, 900].contains(&tick) {
            let path = folder.path().join(format!("{tick}"));
            one.save(&path).unwrap();
            kept.push((path, tick as usize - 1));
        }
        one.tick().unwrap();
        hashes.push(one.position_hash());
    }
    assert!(one.armies()[0].left > 40, "{:?}", one.standing());
    let end = folder.path().join("end");
    one.save(&end).unwrap();
    let end = std::fs::read(end).unwrap();
    for threads in [2, 4] {
        let mut other = station(threads);
        for (tick, &hash) in hashes.iter().enumerate() {
            assert_eq!(other.position_hash(), hash, "{threads} threads, tick {tick}");
            other.tick().unwrap();
        }
    }
    for (path, at) in kept {
        let mut other = World::restore(&path, Resume { threads: 2, ..Resume::default() }).unwrap();
        let again = folder.path().join("again");
        other.save(&again).unwrap();
        assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&path).unwrap(), "what is stored in tick {at}");
        for (tick, &hash) in hashes.iter().enumerate().skip(at) {
            assert_eq!(other.position_hash(), hash, "from tick {at}, tick {tick}");
            if tick < hashes.len() - 1 {
                other.tick().unwrap();
            }
        }
        other.save(&again).unwrap();
        assert_eq!(std::fs::read(&again).unwrap(), end, "from tick {at}");
    }
}

#[test]
fn why_tells_holding_going_fighting_and_the_rest() {
    let mut world = plain();
    let holds = squad(&mut world, &[at(5.0, 5.0)], Order::Hold);
    let goes = squad(&mut world, &[at(5.0, 10.0)], Order::GoTo(at(20.5, 10.5)));
    let (holds, goes) = (members(&world, holds)[0], members(&world, goes)[0]);
    assert_eq!(world.why(goes), Some(IdleReason::NotSetOut));
    world.tick().unwrap();
    assert_eq!(world.why(holds), Some(IdleReason::Holds));
    assert_eq!(world.why(goes), Some(IdleReason::AwaitsRoute { asked: 0, ago: 1 }));
    assert_eq!(world.why(goes).unwrap().to_string(), "waits for its route, asked 1 ticks ago");
    run(&mut world, 30);
    assert!(matches!(world.why(goes), Some(IdleReason::Moves { speed }) if (speed - 1.5).abs() < 0.1));
    until(&mut world, 300, |world| world.why(goes) == Some(IdleReason::AtGoal));
    assert_eq!(world.why(AgentId { slot: 0, generation: 9 }), None);
    assert_eq!(world.why(AgentId::NONE), None);
}

#[test]
fn why_names_those_in_the_way_and_walls() {
    let mut world = plain();
    let heavy = Unit { name: "statue".into(), mass: 1e6, priority: 3, speed: 0.0, top_speed: 0.0, ..Unit::default() };
    let statue = world.add_unit(heavy).unwrap();
    // Statues all around a walker, who wants to go to the right.
    let ring: Vec<Vec2> =
        (0..8).map(|i| at(20.0, 20.0) + Vec2::from_angle(i as f32 * std::f32::consts::FRAC_PI_4) * 1.05).collect();
    world.spawn_squad(SquadSpec::new(RED, statue, &ring)).unwrap();
    world.spawn_walkers(RED, WALKER, &[at(20.0, 20.0)], &[at(30.0, 20.0)]).unwrap();
    // A walker who has no route, and a wall before it.
    let wall: Vec<Edit> = (35..46).map(|y| Edit::Close(world.grid().lattice().cell(20, y))).collect();
    world.edit(&wall).unwrap();
    world.spawn_walkers(RED, WALKER, &[at(15.0, 40.0)], &[at(30.0, 40.0)]).unwrap();
    // Somebody who goes, but cannot walk.
    world.spawn_walkers(RED, statue, &[at(50.0, 40.0)], &[at(60.0, 40.0)]).unwrap();
    run(&mut world, 100);
    let ids: Vec<AgentId> = world.positions().map(|(id, _)| id).collect();
    let Some(IdleReason::Blocked { by }) = world.why(ids[8]) else { panic!("{:?}", world.why(ids[8])) };
    let by = by.map(Option::unwrap);
    assert!(by[0] == ids[0] && by.contains(&ids[1]) && by.contains(&ids[7]), "{by:?}");
    assert_eq!(
        world.why(ids[8]).unwrap().to_string(),
        format!("is blocked by agents 0, {}, {}", by[1].slot, by[2].slot)
    );
    let Some(IdleReason::AtWall { wall }) = world.why(ids[9]) else { panic!("{:?}", world.why(ids[9])) };
    assert!(wall.distance(at(20.0, 40.0)) < 0.5, "{wall}");
    assert_eq!(world.why(ids[10]), Some(IdleReason::Rooted));
}

#[test]
fn why_tells_who_fights() {
    let mut world = plain();
    let blue = world.add_army("blue").unwrap();
    squad(&mut world, &[at(10.0, 10.0)], Order::Attack);
    world.spawn_squad(SquadSpec::new(blue, WALKER, [at(14.0, 10.0)])).unwrap();
    let ids: Vec<AgentId> = world.positions().map(|(id, _)| id).collect();
    until(&mut world, 100, |world| world.why(ids[0]) == Some(IdleReason::Fights { enemy: ids[1] }));
    until(&mut world, 400, |world| world.agents() == 1);
    assert!(ids.iter().any(|&id| world.why(id).is_none()));
}

#[test]
fn journeys_that_cannot_be_are_refused() {
    let mut world = plain();
    let mut said = |journey: Journey| world.add_journey(journey).unwrap_err().to_string();
    assert_eq!(said(Journey::default()), "the number of stops of a journey must be at least 1, found 0");
    let stop = Stop { task: way_point(1.0, 1.0, 1.0), then: Then::To(1) };
    assert_eq!(said(Journey::new([stop])), "this world has no stop 1");
    let stop = Stop { task: way_point(1.0, 1.0, 1.0), then: Then::RoundRobin(Vec::new()) };
    assert_eq!(said(Journey::new([stop])), "the number of stops to choose from must be at least 1, found 0");
    let queue = Queue { places: 0, ..Queue::default() };
    let message = "the number of places in a queue must be between 1 and 1048576, found 0";
    assert_eq!(said(Journey::new([Task::Queue(queue).into()])), message);
    let wait = Task::Wait(Until::Seconds(-1.0));
    assert_eq!(said(Journey::new([wait.into()])), "the time of a wait must be between 0 and 1000000 (s), found -1");
    let nowhere = way_point(f32::NAN, 1.0, 1.0);
    assert_eq!(said(Journey::new([nowhere.into()])), "the point of a stop must be finite, found NaN");
    let error = world.order(SquadId(0), Order::Travel(JourneyId(7))).unwrap_err();
    assert_eq!(error.to_string(), "this world has no journey 7");
}
