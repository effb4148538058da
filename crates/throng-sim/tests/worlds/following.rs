//! Agents and squads that follow others.

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{Cause, Effect, Leader, Pursuit, Repeat, Resume, Settings, SquadId, SquadSpec, Trigger, World};

/// Two walls with gaps at other ends, so that a target is out of sight most of the time.
fn world() -> World {
    let mut grid = Grid::open_plain(Lattice::new(90, 50, 1.0).unwrap());
    for i in 0..42 {
        grid.set_open(grid.lattice().cell(30, i), false);
        grid.set_open(grid.lattice().cell(60, 49 - i), false);
    }
    World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap()
}

fn place(world: &World, id: AgentId) -> Vec2 {
    world.positions().find(|&(other, _)| other == id).unwrap().1
}

/// The middle of a squad.
fn middle(world: &World, squad: SquadId) -> Vec2 {
    let members = &world.squads()[squad.index()].members;
    members.iter().map(|&id| place(world, id)).sum::<Vec2>() / members.len() as f32
}

/// A target that walks from room to room and back, as an agent, as a squad or as a driven body.
#[derive(Clone, Copy, Debug)]
enum Target {
    Walker,
    Squad,
    Driven,
}

#[test]
fn whoever_follows_comes_and_stays_near_whatever_the_target_is() {
    for target in [Target::Walker, Target::Squad, Target::Driven] {
        let mut world = world();
        let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
        // It is slower than those that follow it.
        let slow = world.add_unit(Unit { speed: 0.8, ..Unit::default() }).unwrap();
        let start = Vec2::new(45.5, 25.5);
        let goals = [Vec2::new(10.5, 10.5), Vec2::new(80.5, 40.5), Vec2::new(45.5, 25.5)];
        let squad = match target {
            Target::Squad => Some(world.spawn_squad(SquadSpec::new(all, slow, [start])).unwrap()),
            _ => None,
        };
        let body = match squad {
            Some(squad) => world.squads()[squad.index()].members[0],
            None => world.spawn_walkers(all, slow, &[start], &[]).unwrap()[0],
        };
        let leader = squad.map_or(Leader::Agent(body), Leader::Squad);
        let places: Vec<Vec2> = (0..6).map(|i| Vec2::new(80.0, 8.0 + 2.0 * i as f32)).collect();
        let chasers = world.spawn_walkers(all, walker, &places, &[]).unwrap();
        for &id in &chasers {
            world.follow(id, leader, 2.0).unwrap();
        }
        let troop: Vec<Vec2> = (0..20).map(|i| Vec2::new(6.0 + (i % 5) as f32, 30.0 + (i / 5) as f32)).collect();
        let troop = world
            .spawn_squad(SquadSpec { planner: PlannerChoice::AStar, ..SquadSpec::new(all, walker, &troop) })
            .unwrap();
        world.follow_with_squad(troop, leader, 6.0).unwrap();
        let (mut way, mut goal, mut at) = (Vec::new(), 0, start);
        let (mut near, mut looked) = (0, 0);
        for tick in 0..9000_u32 {
            if tick % 3000 == 1000 {
                match squad {
                    Some(squad) => world.order(squad, Order::GoTo(goals[goal])).unwrap(),
                    None if matches!(target, Target::Walker) => world.walk_to(body, goals[goal]).unwrap(),
                    None => way = world.route(at, goals[goal], slow).unwrap().unwrap(),
                }
                goal += 1;
            }
            if matches!(target, Target::Driven) {
                if let Some(&next) = way.first() {
                    at += throng_grid::geom::clamp_length(next - at, 0.8 * 0.05);
                    if at == next {
                        way.remove(0);
                    }
                }
                world.drive(body, at, Vec2::ZERO).unwrap();
            }
            // The same order again and again is none.
            if tick % 7 == 0 {
                world.follow(chasers[0], leader, 2.0).unwrap();
            }
            world.tick().unwrap();
            if tick > 2000 {
                let led = place(&world, body);
                looked += 7;
                near += chasers.iter().filter(|&&id| place(&world, id).distance(led) < 8.0).count();
                near += usize::from(middle(&world, troop).distance(led) < 16.0);
            }
            assert!(world.routes_pending() < 20);
        }
        assert!(near * 100 > looked * 80, "{target:?}: near for {} % of the time", near * 100 / looked);
        let led = place(&world, body);
        for &id in &chasers {
            assert!(
                (1.0..6.0).contains(&place(&world, id).distance(led)),
                "{target:?}: {} m",
                place(&world, id).distance(led)
            );
        }
        assert!(middle(&world, troop).distance(led) < 9.0, "{target:?}: {}", middle(&world, troop).distance(led));
        // It goes: they stay where they are, and hold.
        world.let_go(body);
        let before = world.journeys().count();
        world.remove(&[body]);
        for _ in 0..100 {
            world.tick().unwrap();
        }
        assert_eq!(world.squads()[troop.index()].order, Order::Hold);
        assert!(chasers.iter().all(|&id| world.why(id).is_some()));
        // What was made for those that follow is taken away with the next one.
        world.follow(chasers[0], chasers[1], 1.0).unwrap();
        assert!(world.journeys().count() <= before);
    }
}

#[test]
fn a_snapshot_goes_on_following_and_an_order_ends_it() {
    let mut one = world();
    let (all, walker) = (one.add_army("all").unwrap(), one.add_unit(Unit::pedestrian()).unwrap());
    let ids = one.spawn_walkers(all, walker, &[Vec2::new(10.5, 10.5), Vec2::new(50.5, 40.5)], &[]).unwrap();
    let squad = one.spawn_squad(SquadSpec::new(all, walker, [Vec2::new(80.5, 40.5), Vec2::new(81.5, 40.5)])).unwrap();
    one.walk_to(ids[0], Vec2::new(70.5, 10.5)).unwrap();
    one.follow(ids[1], ids[0], 2.0).unwrap();
    one.follow_with_squad(squad, ids[0], 3.0).unwrap();
    (0..150).for_each(|_| one.tick().unwrap());
    let folder = tempfile::tempdir().unwrap();
    one.save(folder.path().join("w")).unwrap();
    let mut other = World::restore(folder.path().join("w"), Resume::default()).unwrap();
    for _ in 0..400 {
        one.tick().unwrap();
        other.tick().unwrap();
    }
    assert_eq!(one.position_hash(), other.position_hash());
    let goal = Vec2::new(40.5, 25.5);
    one.order(squad, Order::GoTo(goal)).unwrap();
    one.walk_to(ids[1], goal).unwrap();
    (0..3000).for_each(|_| one.tick().unwrap());
    assert!(middle(&one, squad).distance(goal) < 3.0 && place(&one, ids[1]).distance(goal) < 3.0);
    let itself = one.follow_with_squad(squad, squad, 3.0).unwrap_err();
    assert_eq!(itself.to_string(), "squad 0 cannot follow itself; name another target");
    assert!(one.follow(ids[1], ids[0], f32::NAN).is_err());
    assert!(one.follow(one.squads()[0].members[0], ids[0], 1.0).is_err());
}

#[test]
fn a_squad_waits_for_who_is_to_come_and_goes_on_with_its_queue_once_the_target_is_gone() {
    let mut world = world();
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    let follow = |leader: u32, distance| Order::Follow(Pursuit::new(SquadId(leader), distance));
    let at = |x: f32, y: f32| [Vec2::new(x, y), Vec2::new(x + 1.0, y)];
    let home = Vec2::new(70.5, 45.5);
    // The second follows the third, which comes after 20 s; then it goes home.
    let first = world.spawn_squad(SquadSpec::new(all, walker, at(10.5, 5.5))).unwrap();
    let queue = vec![Order::GoTo(home)];
    let spec = SquadSpec { order: follow(2, 4.0), queue, ..SquadSpec::new(all, walker, at(80.5, 20.5)) };
    let second = world.spawn_squad(spec).unwrap();
    let wave = SquadSpec { order: follow(0, 3.0), ..SquadSpec::new(all, walker, at(45.5, 45.5)) };
    let told = vec![Effect::Order { squad: first, order: Order::Move(Vec2::new(20.5, 40.5)) }];
    let trigger = |name: &str, seconds, then| Trigger {
        name: name.into(),
        when: Cause::At { seconds },
        then,
        repeat: Repeat::default(),
    };
    let triggers = vec![trigger("come", 20.0, vec![Effect::SpawnSquad(wave)]), trigger("go", 100.0, told)];
    let third = world.add_triggers(triggers).unwrap()[0];
    assert_eq!((first.0, second.0, third.0), (0, 1, 2));
    let run = |world: &mut World, seconds: u64| world.tick_until(|world| world.ticks() == 20 * seconds).unwrap();
    run(&mut world, 20);
    assert!(middle(&world, second).distance(Vec2::new(81.0, 20.5)) < 0.1, "there is nobody to follow yet");
    run(&mut world, 180);
    let apart = |world: &World, one, other| middle(world, one).distance(middle(world, other));
    assert!(middle(&world, first).distance(Vec2::new(20.5, 40.5)) < 2.0);
    assert!(apart(&world, third, first) < 5.0, "the wave follows the first: {} m", apart(&world, third, first));
    assert!(apart(&world, second, third) < 6.0, "{} m", apart(&world, second, third));
    assert!(matches!(world.squads()[1].order, Order::Follow(_)) && world.squads()[1].queue.len() == 1);
    // Told again while it follows, it has no new order, but no other after it.
    world.disband(third).unwrap();
    run(&mut world, 300);
    assert_eq!(world.squads()[1].order, Order::GoTo(home));
    assert!(middle(&world, second).distance(home) < 2.0, "{}", middle(&world, second));
    for wrong in [follow(1, 4.0), follow(0, 0.0), follow(0, f32::NAN)] {
        assert!(world.order(second, wrong).is_err() && world.queue_order(second, wrong).is_err(), "{wrong:?}");
        let effect = Effect::Order { squad: second, order: wrong };
        assert!(world.add_triggers(vec![trigger("wrong", 1.0, vec![effect])]).is_err(), "{wrong:?}");
    }
    let own = SquadId(world.squads().len() as u32);
    let itself =
        SquadSpec { order: Order::Follow(Pursuit::new(own, 2.0)), ..SquadSpec::new(all, walker, at(5.5, 5.5)) };
    assert!(world.spawn_squad(itself).is_err());
}
