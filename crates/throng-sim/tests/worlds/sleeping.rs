//! Agents at rest sleep, and nobody can tell but by the clock.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::{AgentId, Sleep};
use throng_sim::world::{ArmyId, Resume, Settings, SquadSpec, UnitId, World};
use throng_spatial::IndexKind;

const STEP: f32 = 0.1;

fn settings(sleep: Sleep) -> Settings {
    Settings { threads: 1, step: STEP, sleep, ..Settings::default() }
}

fn plain(settings: Settings) -> (World, ArmyId, UnitId) {
    let mut world = World::new(Grid::open_plain(Lattice::new(80, 80, 1.0).unwrap()), settings).unwrap();
    let army = world.add_army("all").unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    (world, army, unit)
}

/// `columns` × `rows` places `gap` m apart, from a corner on.
fn block(corner: Vec2, columns: usize, rows: usize, gap: f32) -> Vec<Vec2> {
    (0..columns * rows).map(|i| corner + Vec2::new((i % columns) as f32, (i / columns) as f32) * gap).collect()
}

fn ticks(world: &mut World, count: usize) {
    (0..count).for_each(|_| world.tick().unwrap());
}

/// A crowd that stands in the middle of the plain, 3 m apart or less, for long enough to sleep.
fn resting(settings: Settings, gap: f32) -> (World, Vec<AgentId>, ArmyId, UnitId) {
    let (mut world, army, unit) = plain(settings);
    let ids = world.spawn_walkers(army, unit, &block(Vec2::new(25.0, 25.0), 20, 20, gap), &[]).unwrap();
    ticks(&mut world, 40);
    (world, ids, army, unit)
}

#[test]
fn who_has_nothing_to_do_sleeps_and_may_be_told_not_to() {
    let (world, ..) = resting(settings(Sleep::default()), 1.5);
    assert_eq!(world.asleep(), 400);
    let mut frame = throng_sim::world::Frame::default();
    world.frame(&mut frame);
    assert_eq!((frame.asleep, frame.id.len()), (400, 400));
    let (world, ..) = resting(settings(Sleep::NEVER), 1.5);
    assert_eq!(world.asleep(), 0);
    let late = Sleep { after: 30.0, ..Sleep::default() };
    let (world, ..) = resting(settings(late), 1.5);
    assert_eq!(world.asleep(), 0);
    let bad = Sleep { after: -1.0, ..Sleep::default() };
    let error = World::new(Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap()), settings(bad)).unwrap_err();
    assert_eq!(error.to_string(), "the time until agents sleep must be at least 0 (s), found -1");
}

/// How walkers get through a crowd: ticks until all are across, the deepest overlap of two, of their radii together, and
/// how far anybody was moved from its place (m).
fn crossing(sleep: Sleep, gap: f32) -> (usize, f32, f32) {
    let (mut world, ids, army, unit) = resting(settings(sleep), gap);
    let places: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    let starts: Vec<Vec2> = (0..6).map(|i| Vec2::new(10.0, 28.0 + 4.0 * i as f32)).collect();
    let goals: Vec<Vec2> = starts.iter().map(|at| Vec2::new(70.0, at.y + 1.0)).collect();
    let walkers = world.spawn_walkers(army, unit, &starts, &goals).unwrap();
    let (mut deepest, mut moved) = (0.0_f32, 0.0_f32);
    let mut woken = 0;
    for tick in 0..1500 {
        world.tick().unwrap();
        let at: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
        for walker in &walkers {
            for id in ids.iter().chain(&walkers).filter(|id| *id != walker) {
                let distance = at[walker.slot as usize].distance(at[id.slot as usize]);
                deepest = deepest.max(1.0 - distance / (2.0 * Unit::default().radius));
            }
        }
        moved = places.iter().zip(&at).map(|(place, at)| place.distance(*at)).fold(moved, f32::max);
        woken = woken.max(world.crowd().awake());
        if walkers.iter().zip(&goals).all(|(id, goal)| at[id.slot as usize].distance(*goal) < 1.0) {
            assert!(sleep == Sleep::NEVER || (7..300).contains(&woken), "{woken} were awake at most");
            return (tick, deepest, moved);
        }
    }
    panic!("they do not get across");
}

#[test]
fn walkers_get_through_sleepers_as_through_those_who_stand() {
    for gap in [1.1, 1.5, 2.2] {
        let (awake, asleep) = (crossing(Sleep::NEVER, gap), crossing(Sleep::default(), gap));
        assert!(asleep.0 as f32 <= 1.25 * awake.0 as f32 + 20.0, "{gap} m: {asleep:?} {awake:?}");
        assert!(asleep.1 <= awake.1.max(0.1) + 0.05, "{gap} m: {asleep:?} {awake:?}");
    }
}

#[test]
fn sleepers_go_back_to_sleep_where_they_stood() {
    let (mut world, _, army, unit) = resting(settings(Sleep::default()), 1.5);
    let walker = world.spawn_walkers(army, unit, &[Vec2::new(10.0, 33.0)], &[Vec2::new(70.0, 33.0)]).unwrap();
    ticks(&mut world, 900);
    assert_eq!(world.asleep(), 401, "the walker too");
    world.remove(&walker);
    assert_eq!(world.asleep(), 400);
    ticks(&mut world, 50);
    let places = block(Vec2::new(25.0, 25.0), 20, 20, 1.5);
    let off = places.iter().zip(world.positions()).map(|(place, (_, at))| place.distance(at)).fold(0.0, f32::max);
    assert!(off < 0.05, "{off} m");
}

#[test]
fn orders_errands_and_edits_wake() {
    let (mut world, army, unit) = plain(settings(Sleep::default()));
    let near = block(Vec2::new(10.0, 10.0), 10, 10, 1.5);
    let squad = world.spawn_squad(SquadSpec::new(army, unit, &near)).unwrap();
    let far = world.spawn_walkers(army, unit, &block(Vec2::new(50.0, 50.0), 10, 10, 1.5), &[]).unwrap();
    ticks(&mut world, 40);
    assert_eq!(world.asleep(), 200);
    world.walk_straight_to(far[3], Vec2::new(70.0, 30.0)).unwrap();
    assert_eq!(world.asleep(), 199);
    world.order(squad, Order::GoTo(Vec2::new(20.0, 60.0))).unwrap();
    assert_eq!(world.asleep(), 99, "all members");
    ticks(&mut world, 600);
    assert_eq!(world.asleep(), 200);
    let there = world.squads()[0].members.iter().filter_map(|&id| world.crowd().row(id));
    let most = there.map(|row| world.crowd().rows.position[row].distance(Vec2::new(20.0, 60.0))).fold(0.0, f32::max);
    assert!(most < 14.0, "{most} m");
    let cell = world.grid().lattice().cell(48, 48);
    world.edit(&[Edit::Close(cell)]).unwrap();
    world.tick().unwrap();
    assert!((100..160).contains(&world.asleep()), "the squad is far from the wall: {} sleep", world.asleep());
}

#[test]
fn a_newcomer_and_one_who_leaves_wake_those_they_touch() {
    let (mut world, ids, army, unit) = resting(settings(Sleep::default()), 1.5);
    let at = world.positions().nth(210).unwrap().1;
    let new = world.spawn_walkers(army, unit, &[at], &[]).unwrap();
    world.tick().unwrap();
    assert_eq!(world.asleep(), 399, "whom he stands on");
    ticks(&mut world, 100);
    let places: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    let (a, b) = (places[ids[210].slot as usize], places[new[0].slot as usize]);
    assert!(a.distance(b) > 0.95 * 2.0 * Unit::default().radius, "{a} {b}");
    let (mut world, ids, ..) = resting(settings(Sleep::default()), 0.85);
    assert_eq!(world.asleep(), 400);
    world.remove(&ids[210..211]);
    assert!((390..399).contains(&world.asleep()), "{} sleep on", world.asleep());
}

#[test]
fn an_enemy_in_sight_wakes() {
    let (mut world, ids, ..) = resting(settings(Sleep::default()), 1.5);
    let enemy = world.add_army("others").unwrap();
    // All may fight the same one.
    let unit = world.add_unit(Unit { attackers: 255, ..Unit::default() }).unwrap();
    ticks(&mut world, 10);
    assert_eq!(world.asleep(), 400);
    // Within 12 m of some of them.
    let positions = block(Vec2::new(16.0, 38.0), 3, 3, 1.2);
    world.spawn_squad(SquadSpec { order: Order::Hold, ..SquadSpec::new(enemy, unit, &positions) }).unwrap();
    ticks(&mut world, 9);
    let awake = ids.iter().filter(|id| !world.crowd().sleeps(id.slot)).count();
    let in_sight = ids.iter().filter_map(|&id| world.crowd().row(id)).filter(|&row| {
        let at = world.crowd().rows.position[row];
        positions.iter().any(|enemy| enemy.distance(at) < 11.9)
    });
    let in_sight = in_sight.count();
    assert!(in_sight > 20 && awake >= in_sight, "{awake} of {in_sight}");
}

/// A crowd of which many sleep, walkers among them, newcomers and some who leave.
fn scene(threads: usize, index: IndexKind) -> World {
    let (mut world, ids, army, unit) =
        resting(Settings { threads, index: index.into(), ..settings(Sleep::default()) }, 1.4);
    let starts = block(Vec2::new(8.0, 26.0), 2, 12, 2.0);
    let goals: Vec<Vec2> = starts.iter().map(|at| Vec2::new(80.0 - at.x, 80.0 - at.y)).collect();
    world.spawn_walkers(army, unit, &starts, &goals).unwrap();
    for round in 0..4 {
        ticks(&mut world, 25);
        world.remove(&ids[round * 20..round * 20 + 9]);
        world.spawn_walkers(army, unit, &block(Vec2::new(30.0, 40.0), 3, 3, 0.3), &[]).unwrap();
    }
    world
}

#[test]
fn threads_and_indices_do_not_show() {
    let mut world = scene(1, IndexKind::Grid);
    let asleep = world.asleep();
    assert!((100..390).contains(&asleep), "{asleep}");
    ticks(&mut world, 40);
    let expected = (world.position_hash(), world.asleep());
    let kinds = IndexKind::ALL.into_iter().map(|kind| (1, kind));
    for (threads, kind) in [(2, IndexKind::Grid), (4, IndexKind::Grid)].into_iter().chain(kinds) {
        let mut other = scene(threads, kind);
        ticks(&mut other, 40);
        assert_eq!((other.position_hash(), other.asleep()), expected, "{threads} threads, {kind}");
    }
}

#[test]
fn a_snapshot_keeps_who_sleeps() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a"), folder.path().join("b"));
    let mut world = scene(1, IndexKind::Grid);
    world.save(&first).unwrap();
    let mut other = World::restore(&first, Resume { threads: 2, ..Resume::default() }).unwrap();
    assert_eq!(other.asleep(), world.asleep());
    for _ in 0..60 {
        world.tick().unwrap();
        other.tick().unwrap();
        assert_eq!((other.position_hash(), other.asleep()), (world.position_hash(), world.asleep()));
    }
    world.save(&first).unwrap();
    other.save(&second).unwrap();
    assert_eq!(std::fs::read(first).unwrap(), std::fs::read(second).unwrap());
}
