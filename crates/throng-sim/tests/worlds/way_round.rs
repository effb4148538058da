//! Bodies at rest on the way: agents go round them, where that is not much longer than to wait.

use std::fmt::Write;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{ArmyId, Resume, Settings, SquadSpec, Subdomains, UnitId, World};

/// A wall across the map with two doors, of 2 m each.
fn two_doors() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(40, 26, 1.0).unwrap());
    let shut = (0..26).filter(|y| !matches!(y, 5 | 6 | 19 | 20));
    shut.for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
    grid
}

fn world_on(grid: Grid, threads: usize) -> (World, ArmyId, UnitId) {
    let mut world = World::new(grid, Settings { threads, ..Settings::default() }).unwrap();
    let (all, person) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    (world, all, person)
}

/// The middle of the first door (m).
const DOOR: Vec2 = Vec2::new(20.5, 6.0);

/// A vehicle that is parked in the first door.
fn park(world: &mut World, all: ArmyId) -> AgentId {
    let car = world.add_unit(Unit { radius: 0.9, ..Unit::default() }).unwrap();
    let car = world.spawn_walkers(all, car, &[DOOR], &[]).unwrap()[0];
    world.drive(car, DOOR, Vec2::ZERO).unwrap();
    car
}

/// Places of people before the first door (m).
fn before_it(count: usize) -> Vec<Vec2> {
    (0..count).map(|i| Vec2::new(14.0 - 0.8 * (i / 10) as f32, 2.5 + 0.8 * (i % 10) as f32)).collect()
}

/// How many have come to the other side after so many seconds.
fn across(world: &mut World, people: &[AgentId], seconds: u32) -> usize {
    let there = |world: &World| {
        let row = |&id: &AgentId| world.crowd().row(id).is_some_and(|row| world.crowd().rows.position[row].x > 22.0);
        people.iter().filter(|&id| row(id)).count()
    };
    let until = world.ticks() + u64::from(seconds) * 20;
    world.tick_until(|world| world.ticks() >= until || there(world) == people.len()).unwrap();
    there(world)
}

/// Where those are that have not come, and why.
fn left(world: &World, people: &[AgentId]) -> String {
    let mut told = String::new();
    for &id in people {
        let at = world.crowd().rows.position[world.crowd().row(id).unwrap()];
        if at.x <= 22.0 {
            let why = world.why(id).unwrap().told(world);
            write!(told, "{} at {at}: {why}; ", id.slot).unwrap();
        }
    }
    told
}

fn planners() -> [PlannerChoice; 6] {
    ["astar", "ara", "hpa", "theta", "flow-field", "labels"].map(|name| name.parse().unwrap())
}

#[test]
fn walkers_go_round_a_vehicle_in_a_door() {
    for planner in planners() {
        for count in [3, 60] {
            let (mut world, all, person) = world_on(two_doors(), 1);
            park(&mut world, all);
            let people = world.spawn_walkers(all, person, &before_it(count), &[]).unwrap();
            for (i, &id) in people.iter().enumerate() {
                let to = Vec2::new(27.0 + (i / 10) as f32, 3.0 + (i % 10) as f32);
                world.walk_by(id, to, planner.clone()).unwrap();
            }
            let come = across(&mut world, &people, 120);
            println!("{planner}: {come} of {count} after {:.0} s", world.seconds());
            assert_eq!(come, count, "{planner}: {}", left(&world, &people));
            world.tick_until(|world| world.ticks() == 20 * 180).unwrap();
            let standing = world.standing();
            assert!(standing.iter().all(|&(why, _)| matches!(why, "driven" | "at goal")), "{planner}: {standing:?}");
        }
    }
}

#[test]
fn squads_go_round_a_vehicle_in_a_door() {
    for planner in planners() {
        for count in [3, 60] {
            let (mut world, all, person) = world_on(two_doors(), 1);
            park(&mut world, all);
            let spec = SquadSpec { planner: planner.clone(), ..SquadSpec::new(all, person, before_it(count)) };
            let squad = world.spawn_squad(spec).unwrap();
            let people: Vec<AgentId> = world.positions().map(|(id, _)| id).skip(1).collect();
            world.order(squad, Order::GoTo(Vec2::new(31.0, 7.0))).unwrap();
            let come = across(&mut world, &people, 150);
            println!("{planner}: {come} of {count} after {:.0} s", world.seconds());
            assert_eq!(come, count, "{planner}: {}", left(&world, &people));
        }
    }
}

#[test]
fn they_go_round_people_at_rest_too() {
    // Two who sleep shoulder to shoulder in the door, or a squad that holds it.
    for holds in [false, true] {
        let (mut world, all, person) = world_on(two_doors(), 1);
        let guards = [Vec2::new(20.5, 5.35), Vec2::new(20.5, 6.0), Vec2::new(20.5, 6.65)];
        let guard = world.add_unit(Unit { radius: 0.3, ..Unit::default() }).unwrap();
        if holds {
            world.spawn_squad(SquadSpec::new(all, guard, guards)).unwrap();
        } else {
            world.spawn_walkers(all, guard, &guards, &[]).unwrap();
        }
        world.tick_until(|world| world.ticks() == 200).unwrap();
        let people = world.spawn_walkers(all, person, &before_it(20), &[]).unwrap();
        for (i, &id) in people.iter().enumerate() {
            world.walk_to(id, Vec2::new(28.0 + (i / 10) as f32, 3.0 + (i % 10) as f32)).unwrap();
        }
        assert_eq!(across(&mut world, &people, 120), 20, "holds: {holds}");
        let squad = world.spawn_squad(SquadSpec::new(all, person, before_it(20))).unwrap();
        let members = world.squads()[squad.index()].members.clone();
        world.order(squad, Order::GoTo(Vec2::new(33.0, 17.0))).unwrap();
        let come = across(&mut world, &members, 120);
        assert_eq!(come, 20, "a squad, holds: {holds}: {}", left(&world, &members));
    }
}

#[test]
fn where_there_is_no_way_round_they_wait_and_ask_little() {
    let (mut world, all, person) = world_on(two_doors(), 1);
    let lattice = world.grid().lattice();
    world.edit(&[19, 20].map(|y| Edit::Close(lattice.cell(20, y)))).unwrap();
    let car = park(&mut world, all);
    let people = world.spawn_walkers(all, person, &before_it(20), &[]).unwrap();
    for (i, &id) in people.iter().enumerate() {
        world.walk_to(id, Vec2::new(28.0 + (i / 10) as f32, 3.0 + (i % 10) as f32)).unwrap();
    }
    assert_eq!(across(&mut world, &people, 120), 0);
    let asked = world.routes_asked();
    assert_eq!(across(&mut world, &people, 120), 0);
    let again = world.routes_asked() - asked;
    assert!(again <= 60, "{again} requests by 20 people in two minutes");
    world.remove(&[car]);
    let come = across(&mut world, &people, 60);
    assert_eq!(come, 20, "{}", left(&world, &people));
}

#[test]
fn nobody_takes_a_long_way_round_a_body_that_stops_for_a_moment() {
    let (mut world, all, person) = world_on(two_doors(), 1);
    let car = park(&mut world, all);
    let people = world.spawn_walkers(all, person, &before_it(3), &[]).unwrap();
    for &id in &people {
        world.walk_to(id, Vec2::new(30.0, 6.0)).unwrap();
    }
    // They stand before the door from the fifth second on.
    world.tick_until(|world| world.ticks() == 20 * 7).unwrap();
    world.drive(car, Vec2::new(30.0, 20.0), Vec2::ZERO).unwrap();
    let mut lowest = 0.0_f32;
    for _ in 0..20 * 20 {
        world.tick().unwrap();
        let rows = people.iter().filter_map(|&id| world.crowd().row(id));
        lowest = rows.map(|row| world.crowd().rows.position[row].y).fold(lowest, f32::max);
    }
    assert!(lowest < 12.0, "one went to the other door: {lowest}");
    assert_eq!(across(&mut world, &people, 1), 3);
}

#[test]
fn the_same_bytes_with_other_threads_in_parts_and_from_a_snapshot() {
    let make = |threads| {
        let (mut world, all, person) = world_on(two_doors(), threads);
        park(&mut world, all);
        let walkers = world.spawn_walkers(all, person, &before_it(40), &[]).unwrap();
        for &id in &walkers {
            world.walk_to(id, Vec2::new(30.0, 6.0)).unwrap();
        }
        let spec = SquadSpec::new(all, person, [Vec2::new(8.0, 20.0), Vec2::new(8.0, 21.0)]);
        let squad = world.spawn_squad(spec).unwrap();
        world.order(squad, Order::GoTo(Vec2::new(31.0, 7.0))).unwrap();
        world
    };
    let (mut one, mut other) = (make(1), make(3));
    let mut parts = Subdomains::cut(&one, 4).unwrap();
    for tick in 0..600 {
        one.tick().unwrap();
        other.tick().unwrap();
        parts.tick().unwrap();
        let expected = one.position_hash();
        assert_eq!(other.position_hash(), expected, "tick {tick}");
        assert_eq!(parts.world().position_hash(), expected, "in parts, tick {tick}");
        if tick % 10 == 0 {
            other = World::from_bytes(&one.to_bytes().unwrap(), Resume::default()).unwrap();
        }
    }
}

/// An alley of one cell between two places.
fn alley() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(36, 11, 1.0).unwrap());
    let lattice = grid.lattice();
    for x in 12..24 {
        (0..11).filter(|&y| y != 5).for_each(|y| grid.set_open(lattice.cell(x, y), false));
    }
    grid
}

#[test]
fn those_who_have_come_to_an_alley_let_others_through_and_come_back() {
    for (resting, passing) in [(1, 1), (1, 5), (4, 1), (4, 5)] {
        let (mut world, all, person) = world_on(alley(), 1);
        let places: Vec<Vec2> = (0..resting).map(|i| Vec2::new(17.5 + i as f32, 5.5)).collect();
        let rest = world.spawn_walkers(all, person, &places, &[]).unwrap();
        rest.iter().zip(&places).for_each(|(&id, &at)| world.walk_to(id, at).unwrap());
        world.tick_until(|world| world.ticks() == 300).unwrap();
        let starts: Vec<Vec2> = (0..passing).map(|i| Vec2::new(5.5, 3.5 + i as f32)).collect();
        let people = world.spawn_walkers(all, person, &starts, &[]).unwrap();
        for (i, &id) in people.iter().enumerate() {
            world.walk_to(id, Vec2::new(30.5, 3.5 + i as f32)).unwrap();
        }
        world.tick_until(|world| world.ticks() == 300 + 20 * 120).unwrap();
        for (id, to) in people.iter().zip((0..).map(|i| Vec2::new(30.5, 3.5 + i as f32))) {
            let at = world.crowd().rows.position[world.crowd().row(*id).unwrap()];
            assert!(at.distance(to) < 0.5, "{resting} at rest, {passing} pass: one is at {at}, not at {to}");
        }
        for (id, &to) in rest.iter().zip(&places) {
            let at = world.crowd().rows.position[world.crowd().row(*id).unwrap()];
            assert!(at.distance(to) < 0.5, "{resting} at rest, {passing} pass: one has not come back to {to}: {at}");
        }
    }
}
