//! Shots: what they hit, what stops them, who holds its fire.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, missing_docs)]

use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, DamageEvent, GRAVITY, Order, Ranged, Relation, ShotLaunch, TargetPreference, Unit};
use throng_sim::world::{Army, ArmyId, Frame, IdleReason, Resume, Settings, SquadId, SquadSpec, UnitId, World};
use throng_spatial::IndexKind;

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);

fn plain(side: u32) -> Grid {
    Grid::open_plain(Lattice::new(side, side, 1.0).unwrap())
}

/// A world with two armies, an archer and somebody to shoot at, who does not move.
fn world(grid: Grid, settings: Settings, bow: Ranged) -> World {
    let mut world = World::new(grid, settings).unwrap();
    let archer = Unit { name: "archer".into(), ranged: Some(bow), sight: 100.0, ..Unit::default() };
    world.add_unit(archer).unwrap();
    world.add_unit(Unit { name: "target".into(), sight: 0.0, health: 1e6, ..Unit::default() }).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    world
}

fn place(world: &mut World, army: ArmyId, unit: u16, positions: &[Vec2]) {
    world.spawn_squad(SquadSpec::new(army, UnitId(unit), positions)).unwrap();
}

fn run(world: &mut World, ticks: u64) -> Vec<DamageEvent> {
    let mut harms = Vec::new();
    for _ in 0..ticks {
        world.tick().unwrap();
        harms.extend_from_slice(&world.events().harms);
    }
    harms
}

/// Straight, and quick to shoot again.
fn bow() -> Ranged {
    Ranged { spread: 0.0, cooldown: 1.0, ..Ranged::default() }
}

#[test]
fn whoever_is_in_range_is_hit_and_nobody_else() {
    for distance in [3.0, 20.0, 50.0, 69.0, 71.0] {
        let mut world = world(plain(100), Settings::default(), bow());
        place(&mut world, RED, 0, &[Vec2::new(10.0, 50.0)]);
        place(&mut world, BLUE, 1, &[Vec2::new(10.0 + distance, 50.0)]);
        let harms = run(&mut world, 200);
        let expected = if distance < 70.0 { 8..=10 } else { 0..=0 };
        assert!(expected.contains(&harms.len()), "{} hits at {distance} m in 10 s", harms.len());
        assert!(
            harms.iter().all(|harm| harm.is_shot && harm.by.army == ArmyId(0) && (10.0..30.0).contains(&harm.damage))
        );
        let [archer, target] = [0, 1].map(|row| world.positions().nth(row).unwrap().0);
        let told = if distance < 70.0 { IdleReason::Shoots { enemy: target } } else { IdleReason::Holds };
        assert_eq!(world.why(archer), Some(told));
    }
}

#[test]
fn a_target_that_walks_is_led() {
    let mut world = world(plain(100), Settings::default(), bow());
    place(&mut world, RED, 0, &[Vec2::new(10.0, 30.0)]);
    place(&mut world, BLUE, 1, &[Vec2::new(50.0, 10.0)]);
    world.order(SquadId(1), Order::GoTo(Vec2::new(50.0, 60.0))).unwrap();
    let harms = run(&mut world, 400);
    assert!(harms.len() >= 17, "{} hits of 20", harms.len());
}

#[test]
fn shots_go_over_friends_and_are_held_where_they_cannot() {
    // In front of the archer, 20 m before the target, somebody of a height.
    let hits = |height: f32, army: ArmyId, friendly_fire: bool| {
        let settings = Settings { friendly_fire, ..Settings::default() };
        let mut world = world(plain(100), settings, bow());
        let tower = Unit { name: "tower".into(), height, sight: 0.0, health: 1e6, ..Unit::default() };
        world.add_unit(tower).unwrap();
        world.add_army("grey").unwrap();
        world.relate(RED, ArmyId(2), Relation::Neutral).unwrap();
        world.relate(BLUE, ArmyId(2), Relation::Neutral).unwrap();
        place(&mut world, RED, 0, &[Vec2::new(10.0, 50.0)]);
        place(&mut world, BLUE, 1, &[Vec2::new(40.0, 50.0)]);
        place(&mut world, army, 2, &[Vec2::new(12.0, 50.0)]);
        let harms = run(&mut world, 200);
        assert!(harms.iter().all(|harm| harm.to.army == ArmyId(1)), "nobody else is hit");
        harms.len()
    };
    let grey = ArmyId(2);
    for army in [RED, grey] {
        assert!(hits(1.8, army, true) >= 7, "over his head");
        assert_eq!(hits(60.0, army, true), 0, "held");
        assert!(hits(60.0, army, false) >= 8, "through him");
    }
}

#[test]
fn nobody_shoots_into_a_fight_of_friends() {
    // At 30 m two times 2 degrees are 2.1 m.
    let shots = |friend: f32, enemies: &[[f32; 2]], friendly_fire: bool| {
        let settings = Settings { friendly_fire, ..Settings::default() };
        let mut world = world(plain(100), settings, Ranged { spread: 2.0, ..bow() });
        place(&mut world, RED, 0, &[Vec2::new(10.0, 50.0)]);
        place(&mut world, RED, 1, &[Vec2::new(40.0, 50.0 + friend)]);
        let enemies: Vec<Vec2> = enemies.iter().map(|&at| Vec2::from_array(at)).collect();
        place(&mut world, BLUE, 1, &enemies);
        let mut shots = 0;
        for _ in 0..100 {
            world.tick().unwrap();
            shots += world.shots().len();
        }
        shots > 0
    };
    let (one, three) = ([[40.0, 50.0]], [[40.0, 50.0], [41.0, 50.0], [41.0, 51.0]]);
    assert!(!shots(1.5, &one, true), "a friend is beside the target");
    assert!(shots(1.5, &one, false), "shots do friends no harm");
    assert!(shots(3.0, &one, true), "he is far enough");
    assert!(shots(1.5, &three, true), "there are many more enemies");
}

#[test]
fn walls_stop_shots_and_nobody_shoots_at_them() {
    // A wall between them, but for a gap one cell wide.
    let mut grid = plain(60);
    for y in 0..60 {
        if y != 30 {
            grid.set_open(grid.lattice().cell(30, y), false);
        }
    }
    // So high that no arc clears them.
    let settings = Settings { wall_height: 1000.0, ..Settings::default() };
    let mut world = world(grid, settings, Ranged { spread: 4.0, ..bow() });
    place(&mut world, RED, 0, &[Vec2::new(10.5, 30.5), Vec2::new(10.5, 10.5)]);
    place(&mut world, BLUE, 1, &[Vec2::new(50.5, 30.5)]);
    let mut stray = 0;
    for _ in 0..600 {
        world.tick().unwrap();
        for shot in &world.shots().position {
            // Behind the wall it came through the gap.
            stray += usize::from(shot.x > 30.0);
            assert!(shot.z > 0.0);
            assert!(!(30.0..31.0).contains(&shot.x) || (30.0..31.0).contains(&shot.y), "in the wall");
        }
        assert!(world.shots().by.iter().all(|by| by.who.slot == 0), "the other one sees nobody");
    }
    assert!(stray > 0);
}

/// A plain with a wall across, `at` metres from the left, and how high its walls are (m).
fn wall_across(at: u32, wall_height: f32) -> (Grid, Settings) {
    let mut grid = plain(80);
    (0..80).for_each(|y| grid.set_open(grid.lattice().cell(at, y), false));
    (grid, Settings { wall_height, ..Settings::default() })
}

/// The highest that an arc of at most 8 to 1 that leaves 1.44 m high at a speed (m/s) and hits 1.08 m high, `far` metres away, is over
/// all of a stretch of the way (m): by trying slopes.
fn highest_over(far: f64, speed: f64, stretch: [f64; 2]) -> Option<f64> {
    let (gravity, rise) = (f64::from(GRAVITY), 1.08 - 1.44);
    let arcs = (0..8000).map(|i| f64::from(i) * 1e-3).filter(|slope| slope * far > rise);
    let bend = |slope: f64| (slope * far - rise) / (far * far);
    let carries = arcs.filter(|&slope| gravity * (1.0 + slope * slope) / (2.0 * bend(slope)) <= speed * speed);
    let over =
        |slope: f64| stretch.map(|x| 1.44 + slope * x - bend(slope) * x * x).into_iter().fold(f64::MAX, f64::min);
    carries.map(over).reduce(f64::max)
}

#[test]
fn shots_fly_over_the_walls_that_an_arc_clears() {
    let (mut flew, mut held) = (0, 0);
    for (wall, distance, speed) in [
        (11, 30.0, 45.0),
        (12, 30.0, 45.0),
        (25, 30.0, 45.0),
        (38, 30.0, 45.0),
        (30, 60.0, 45.0),
        (30, 60.0, 25.0),
        (25, 30.0, 18.0),
    ] {
        for height in [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 90.0, 1000.0] {
            let (grid, settings) = wall_across(wall, height);
            let mut world = world(grid, settings, Ranged { speed, ammunition: 3, ..bow() });
            let from = Vec2::new(10.5, 40.5);
            place(&mut world, RED, 0, &[from]);
            place(&mut world, BLUE, 1, &[from + Vec2::new(distance, 0.0)]);
            let stretch = [0.0, 1.0].map(|end| f64::from(wall) + end - 10.5);
            let over = highest_over(distance.into(), speed.into(), stretch).unwrap_or(f64::MIN);
            // Chords of an arc are a little lower.
            if (over - f64::from(height)).abs() < 0.5 {
                continue;
            }
            let hits = run(&mut world, 600).len();
            let clears = over > f64::from(height);
            assert_eq!(hits > 0, clears, "{hits} hits over {height} m, {wall} m, {distance} m at {speed} m/s: {over}");
            (flew, held) = (flew + usize::from(clears), held + usize::from(!clears));
        }
    }
    assert!(flew > 25 && held > 12, "{flew} {held}");
}

#[test]
fn enemies_behind_a_wall_hide_no_one_from_archers() {
    for prey in [TargetPreference::Nearest, TargetPreference::Weakest, TargetPreference::MostDangerous] {
        for hidden in [0, 1, 3, 10, 40, 200] {
            let mut grid = plain(80);
            (20..60).for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
            let mut world = world(grid, Settings { wall_height: 1000.0, ..Settings::default() }, bow());
            // Dangerous and weak, so that every archer would prefer it.
            let lure =
                Unit { name: "lure".into(), health: 1.0, damage: 1e3, reach: 0.1, sight: 0.0, ..Unit::default() };
            let lure = world.add_unit(lure).unwrap();
            let archer = world.units()[0].clone();
            let archer = world.add_unit(Unit { name: "picky".into(), prey, ..archer }).unwrap();
            place(&mut world, RED, archer.0, &[Vec2::new(15.5, 40.5)]);
            let positions = Block { columns: 20, ..Block::new(Vec2::new(32.0, 40.0), hidden) }.positions();
            if hidden > 0 {
                place(&mut world, BLUE, lure.0, &positions);
            }
            place(&mut world, BLUE, 1, &[Vec2::new(15.5, 75.5)]);
            let harms = run(&mut world, 400);
            let hit = harms.iter().filter(|harm| harm.to.unit == UnitId(1)).count();
            assert!(hit >= 10, "{hit} hits in 20 s with {hidden} hidden, {prey:?}");
        }
    }
}

#[test]
fn enemies_behind_a_wall_hide_no_one_from_those_that_fight_by_hand() {
    for hidden in [1, 4, 30] {
        let mut grid = plain(80);
        (20..60).for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
        let mut world = world(grid, Settings::default(), bow());
        let soldier = world.add_unit(Unit { sight: 30.0, ..Unit::default() }).unwrap();
        place(&mut world, RED, soldier.0, &[Vec2::new(18.5, 40.5)]);
        world.order(SquadId(0), Order::Guard { within: 40.0 }).unwrap();
        let positions = Block { columns: 6, ..Block::new(Vec2::new(25.0, 40.0), hidden) }.positions();
        place(&mut world, BLUE, 1, &positions);
        place(&mut world, BLUE, 1, &[Vec2::new(10.5, 60.5)]);
        let harms = run(&mut world, 600);
        let last = u32::try_from(hidden).unwrap() + 1;
        assert!(harms.iter().any(|harm| harm.to.who.slot == last), "it strikes the one in sight, {hidden} hidden");
    }
}

#[test]
fn stones_burst() {
    let sling = Ranged { blast: 3.0, ammunition: 1, ..bow() };
    let mut world = world(plain(100), Settings::default(), sling);
    place(&mut world, RED, 0, &[Vec2::new(10.0, 50.0)]);
    let targets = [[40.0, 50.0], [41.5, 50.0], [40.0, 52.5], [40.0, 55.0]].map(Vec2::from_array);
    place(&mut world, BLUE, 1, &targets);
    let harms = run(&mut world, 200);
    assert_eq!(harms.iter().map(|harm| harm.to.who.slot).collect::<Vec<_>>(), [1, 2, 3], "within 3 m");
    assert!(harms[0].damage > harms[1].damage && harms[1].damage > harms[2].damage, "the less the further away");
}

#[test]
fn who_has_shot_all_fights_by_hand() {
    let mut world = world(plain(60), Settings::default(), Ranged { ammunition: 5, salvo: 2, ..bow() });
    place(&mut world, RED, 0, &[Vec2::new(10.0, 30.0)]);
    place(&mut world, BLUE, 1, &[Vec2::new(30.0, 30.0)]);
    world.order(SquadId(0), Order::Attack).unwrap();
    let harms = run(&mut world, 1000);
    let shots = harms.iter().take_while(|harm| harm.is_shot).count();
    assert_eq!(shots, 5);
    assert!(harms.len() > 10 && harms[5..].iter().all(|harm| !harm.is_shot));
}

/// Two armies of spearmen with archers behind them.
fn battle(settings: Settings) -> World {
    let mut world = World::new(plain(120), Settings { step: 0.1, ..settings }).unwrap();
    let spear =
        world.add_unit(Unit { name: "spear".into(), reach: 1.8, arc: 150.0, turning: 300.0, ..Unit::default() });
    let bow = Ranged { range: 60.0, blast: 0.5, salvo: 2, cooldown: 2.0, ..Ranged::default() };
    let archer = Unit { name: "archer".into(), ranged: Some(bow), sight: 60.0, view: 200.0, ..Unit::default() };
    let (spear, archer) = (spear.unwrap(), world.add_unit(archer).unwrap());
    for (name, x, facing) in [("red", 30.0, 0.0), ("blue", 90.0, 180.0)] {
        let army = world.add_army(name).unwrap();
        let back = if facing == 0.0 { -8.0 } else { 8.0 };
        for (unit, dx, count) in [(spear, 0.0, 120), (archer, back, 80)] {
            let block = Block { facing, columns: 30, ..Block::new(Vec2::new(x + dx, 60.0), count) };
            let positions = block.positions();
            let spec = SquadSpec { facing, order: Order::Attack, ..SquadSpec::new(army, unit, &positions) };
            world.spawn_squad(spec).unwrap();
        }
    }
    world
}

#[test]
fn what_is_dealt_is_what_is_taken_and_the_dead_take_no_part() {
    let mut world = battle(Settings::default());
    let mut health = vec![100.0_f64; 400];
    let (mut deaths, mut shot, mut friends) = (0, 0, 0);
    for _ in 0..1200 {
        let before = health.clone();
        world.tick().unwrap();
        assert_eq!(
            world
                .events()
                .harms
                .iter()
                .filter(|harm| harm.is_fatal)
                .map(|harm| (harm.to.who, harm.by.who))
                .collect::<Vec<_>>(),
            world.events().deaths.iter().map(|death| (death.who, death.by)).collect::<Vec<_>>(),
        );
        for harm in &world.events().harms {
            let slot = harm.to.who.slot as usize;
            assert!(before[slot] > 0.0, "he was dead before this tick");
            assert!(harm.is_shot || before[harm.by.who.slot as usize] > 0.0, "struck by a dead man");
            health[slot] -= f64::from(harm.damage);
            assert!(harm.is_fatal == (health[slot] < 1e-3), "{} left", health[slot]);
            friends += u32::from(harm.is_fatal && harm.by.army == harm.to.army);
            (deaths, shot) = (deaths + u32::from(harm.is_fatal), shot + usize::from(harm.is_shot));
        }
    }
    let dead: u32 = world.armies().iter().map(|army| army.spawned - army.alive).sum();
    let kills: u32 = world.armies().iter().flat_map(|army| &army.kills).sum();
    assert!(shot > 200 && dead > 100, "{shot} hits by shots, {dead} dead");
    assert_eq!((deaths, kills), (dead, dead - friends));
    let sum = |of: fn(&Army) -> &Vec<u64>| world.armies().iter().flat_map(of).sum::<u64>();
    let (dealt, taken) = (sum(|army| &army.dealt), sum(|army| &army.taken));
    assert!(dealt == taken && taken > 1_000_000_000, "{dealt} dealt, {taken} taken");
    let left: f64 = health.iter().filter(|&&left| left > 1e-3).sum();
    let mut frame = Frame::default();
    world.frame(&mut frame);
    let seen: f64 = frame.health.iter().map(|&share| f64::from(share) * 100.0).sum();
    assert!((left - seen).abs() < 0.5, "{left} points left, {seen} seen");
}

#[test]
fn bit_identical_by_threads_and_indices_and_from_a_snapshot() {
    let end = |world: &mut World| {
        let mut hashes = Vec::new();
        while world.ticks() < 500 {
            world.tick().unwrap();
            let launches = world.shots().launch.iter().zip(&world.shots().by);
            let is_before = |a: &(ShotLaunch, u32), b: &(ShotLaunch, u32)| {
                (a.0.tick, a.1, a.0.number) < (b.0.tick, b.1, b.0.number)
            };
            let launches: Vec<_> = launches.map(|(&launch, by)| (launch, by.who.slot)).collect();
            assert!(launches.is_sorted_by(is_before), "two shots are the same, or out of order");
            let shots = world.shots().position.iter().flat_map(Vec3::to_array).map(f32::to_bits);
            hashes.push((
                world.position_hash(),
                world.shots().len(),
                shots.fold(0_u32, |sum, x| sum.rotate_left(5) ^ x),
            ));
        }
        hashes
    };
    let one = end(&mut battle(Settings { threads: 1, ..Settings::default() }));
    assert!(one.iter().any(|&(_, shots, _)| shots > 50));
    assert_eq!(end(&mut battle(Settings { threads: 3, ..Settings::default() })), one);
    for index in [IndexKind::Brute, IndexKind::Sweep, IndexKind::KdTree, IndexKind::Quadtree] {
        assert_eq!(end(&mut battle(Settings { index: index.into(), ..Settings::default() })), one, "{index}");
    }
    let mut first = battle(Settings::default());
    while first.shots().len() < 40 {
        first.tick().unwrap();
    }
    let resumed = &one[first.ticks() as usize..];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("battle.snapshot");
    first.save(&path).unwrap();
    let mut second = World::restore(&path, Resume::default()).unwrap();
    assert_eq!(second.shots().position, first.shots().position);
    assert_eq!(end(&mut second), resumed);
}

#[test]
fn a_shot_falls_as_it_should() {
    let mut world = world(plain(100), Settings::default(), bow());
    place(&mut world, RED, 0, &[Vec2::new(10.0, 50.0)]);
    place(&mut world, BLUE, 1, &[Vec2::new(70.0, 50.0)]);
    while world.shots().is_empty() {
        world.tick().unwrap();
    }
    let (start, velocity) = (world.shots().position[0], world.shots().velocity[0]);
    for tick in 1..20 {
        world.tick().unwrap();
        let time = tick as f32 * 0.05;
        let expected = start + velocity * time - Vec3::Z * (0.5 * GRAVITY * time * time);
        assert!(world.shots().position[0].distance(expected) < 1e-3, "after {time} s");
    }
}
