//! Crowds of units that differ: models, sizes, masses, priorities, limits of acceleration, and ignored layers.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_scenario::Scenario;
use throng_sim::battle::{Unit, army_layer};
use throng_sim::crowd::{Avoidance, AvoidanceSettings, Bias};
use throng_sim::world::{ArmyId, Settings, World};
use throng_spatial::IndexKind;

fn settings(avoidance: AvoidanceSettings) -> Settings {
    Settings { threads: 1, step: 0.1, avoidance, ..Settings::default() }
}

fn plain(avoidance: AvoidanceSettings) -> (World, ArmyId) {
    let grid = Grid::open_plain(Lattice::new(60, 60, 1.0).unwrap());
    let mut world = World::new(grid, settings(avoidance)).unwrap();
    let army = world.add_army("all").unwrap();
    (world, army)
}

/// `columns` × `rows` places, 1.2 m apart, around the middle of the plain.
fn block(columns: usize, rows: usize) -> Vec<Vec2> {
    let corner = Vec2::splat(30.0) - Vec2::new((columns - 1) as f32, (rows - 1) as f32) * 0.6;
    (0..columns * rows).map(|i| corner + Vec2::new((i % columns) as f32, (i / columns) as f32) * 1.2).collect()
}

/// Walkers of one unit for each model, of three sizes, in a square, each to the place of another.
fn mixed(settings: Settings, models: &[Avoidance]) -> World {
    let grid = Grid::open_plain(Lattice::new(60, 60, 1.0).unwrap());
    let mut world = World::new(grid, settings).unwrap();
    let army = world.add_army("all").unwrap();
    let mut places: Vec<Vec2> =
        (0..144).map(|i| Vec2::new(10.0 + (i % 12) as f32 * 3.4, 10.0 + (i / 12) as f32 * 3.4)).collect();
    let mut random = Pcg32::seed_from_u64(5);
    for i in (1..places.len()).rev() {
        places.swap(i, random.random_range(0..=i));
    }
    let share = places.len() / models.len();
    for (i, &model) in models.iter().enumerate() {
        let radius = [0.3, 0.5, 0.8][i % 3];
        let unit = Unit { avoidance: Some(model), radius, mass: 300.0 * radius, ..Unit::default() };
        let unit = world.add_unit(unit).unwrap();
        let own = &places[i * share..(i + 1) * share];
        let goals: Vec<Vec2> = own.iter().map(|at| Vec2::splat(60.0) - *at).collect();
        world.spawn_walkers(army, unit, own, &goals).unwrap();
    }
    world
}

#[test]
fn a_crowd_of_all_models_gets_where_it_wants_whatever_the_threads_and_the_index() {
    let run = |threads, index| {
        let avoidance = AvoidanceSettings::mixed(Avoidance::Orca, Avoidance::ALL);
        let mut world = mixed(Settings { threads, index, ..settings(avoidance) }, &Avoidance::ALL);
        for _ in 0..600 {
            world.tick().unwrap();
            let crowd = world.crowd();
            for row in 0..crowd.len() {
                let velocity = crowd.rows.velocity[row];
                assert!(
                    crowd.rows.position[row].is_finite() && velocity.length() <= crowd.rows.top_speed[row] * 1.000_01
                );
            }
        }
        world
    };
    let world = run(1, IndexKind::Grid.into());
    let goals = world.crowd().slots.follower.iter().map(|follower| follower.post);
    let late = goals.zip(world.positions()).filter(|&(goal, (_, at))| at.distance(goal) > 1.5).count();
    assert!(late <= 2, "{late} of 140 are not there");
    assert_eq!(run(4, IndexKind::Grid.into()).position_hash(), world.position_hash());
    assert_eq!(run(2, IndexKind::KdTree.into()).position_hash(), world.position_hash());
}

#[test]
fn each_moves_by_the_model_of_his_unit_and_sees_all() {
    let models = [
        Avoidance::SocialForce,
        Avoidance::Orca,
        Avoidance::Push,
        Avoidance::Separation,
        Avoidance::Gap,
        Avoidance::Gap,
    ];
    let avoidance = |kind| AvoidanceSettings { bias: Bias::default(), passes: 2, ..AvoidanceSettings::new(kind) };
    let next = |world: &mut World| {
        world.tick().unwrap();
        let crowd = world.crowd();
        let mut next: Vec<_> =
            crowd.rows.slot.iter().zip(&crowd.rows.new_velocity).map(|(&slot, &next)| (slot, next)).collect();
        next.sort_by_key(|&(slot, _)| slot);
        next.into_iter().map(|(_, next)| next).collect::<Vec<_>>()
    };
    let together = next(&mut mixed(settings(avoidance(Avoidance::None)), &models));
    for (i, model) in models.into_iter().enumerate() {
        // The same units in the same places, but all move by this model.
        let alone = next(&mut mixed(settings(avoidance(model)), &[model; 6]));
        let own = i * 24..(i + 1) * 24;
        assert_eq!(together[own.clone()], alone[own], "{model}");
    }
}

#[test]
fn a_model_of_all_units_is_that_of_the_world() {
    let run = |kind, models: &[Avoidance]| {
        let avoidance = AvoidanceSettings { kind, ..AvoidanceSettings::default() };
        let mut world = mixed(settings(avoidance), models);
        (0..100).for_each(|_| world.tick().unwrap());
        world.position_hash()
    };
    let expected = run(Avoidance::Orca, &[Avoidance::Orca; 3]);
    assert_eq!(run(Avoidance::None, &[Avoidance::Orca; 3]), expected);
    assert_ne!(run(Avoidance::None, &[Avoidance::Orca, Avoidance::Orca, Avoidance::Push]), expected);
}

/// How a rider gets through a block of foot soldiers that hold their places, or around it.
struct Ride {
    /// Until the agent is on the other side.
    ticks: usize,
    /// How far the agent leaves the straight line (m).
    aside: f32,
    /// How far one of the others is moved from its place (m).
    shifted: f32,
}

fn ride(rider: Unit, foot: Unit) -> Ride {
    // Foot soldiers at their posts do not give way because they have arrived: only weight tells.
    let (mut world, army) = plain(AvoidanceSettings { settled: 1.0, ..AvoidanceSettings::default() });
    let (foot, rider) = (world.add_unit(foot).unwrap(), world.add_unit(rider).unwrap());
    let posts = block(10, 9);
    world.spawn_walkers(army, foot, &posts, &posts).unwrap();
    world.spawn_walkers(army, rider, &[Vec2::new(15.0, 30.0)], &[Vec2::new(45.0, 30.0)]).unwrap();
    let mut ride = Ride { ticks: 0, aside: 0.0, shifted: 0.0 };
    while ride.ticks < 600 {
        world.tick().unwrap();
        let at: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
        ride.shifted = posts.iter().zip(&at).map(|(post, at)| post.distance(*at)).fold(ride.shifted, f32::max);
        ride.aside = ride.aside.max((at[90].y - 30.0).abs());
        if at[90].x > 40.0 {
            break;
        }
        ride.ticks += 1;
    }
    ride
}

#[test]
fn a_horseman_parts_the_foot_soldiers() {
    let light = Unit { name: "rider".into(), radius: 0.7, speed: 3.0, top_speed: 4.0, ..Unit::default() };
    let around = ride(light.clone(), Unit::default());
    assert!(around.aside > 2.6, "one of their own mass goes round most of them: {} m", around.aside);
    let heavy = ride(Unit { mass: 600.0, ..light.clone() }, Unit::default());
    assert!(heavy.aside < 2.5 && heavy.shifted > 0.7, "through them: {} m, {} m", heavy.aside, heavy.shifted);
    let tank = ride(Unit { mass: 8000.0, ..light.clone() }, Unit::default());
    assert!(tank.aside < 2.5 && tank.ticks < heavy.ticks, "{} m in {} ticks", tank.aside, tank.ticks);
    // 25 m at 3 m/s are 84 ticks.
    let king = ride(Unit { priority: 1, ..light }, Unit::default());
    assert!(king.aside < 0.5 && king.ticks < 88, "{} m in {} ticks", king.aside, king.ticks);
}

#[test]
fn a_ghost_walks_through_those_it_ignores() {
    let ghost = Unit { name: "ghost".into(), layers: 0b10, ignores: army_layer(ArmyId(0)), ..Unit::default() };
    // An agent that sets out from rest looks aside in the first tick.
    let straight = |ride: &Ride| (166..169).contains(&ride.ticks) && ride.aside < 0.2;
    let seen = ride(ghost.clone(), Unit::default());
    assert!(straight(&seen), "25 m at 1.5 m/s are 167 ticks, these {}", seen.ticks);
    assert!(seen.shifted > 0.3, "they see it and step aside: {} m", seen.shifted);
    let unseen = ride(ghost.clone(), Unit { ignores: 0b10, ..Unit::default() });
    assert!(straight(&unseen) && unseen.shifted < 1e-3, "{} ticks, {} m", unseen.ticks, unseen.shifted);
    let solid = ride(Unit { ignores: army_layer(ArmyId(1)), ..ghost }, Unit::default());
    assert!(!straight(&solid), "whom it does not ignore it avoids");
}

#[test]
fn the_limit_of_acceleration_is_kept_in_every_tick() {
    for kind in Avoidance::ALL {
        let mut avoidance = AvoidanceSettings::new(kind);
        avoidance.passes = avoidance.passes.max(1);
        let (mut world, army) = plain(avoidance);
        let slow = world.add_unit(Unit { acceleration: 1.5, ..Unit::default() }).unwrap();
        let nimble = world.add_unit(Unit::default()).unwrap();
        let places = block(12, 6);
        let goals: Vec<Vec2> = places.iter().map(|at| Vec2::splat(60.0) - *at).collect();
        world.spawn_walkers(army, slow, &places[..36], &goals[..36]).unwrap();
        world.spawn_walkers(army, nimble, &places[36..], &goals[36..]).unwrap();
        let mut before = vec![Vec2::ZERO; 72];
        let mut fastest = 0.0_f32;
        for tick in 0..300 {
            world.tick().unwrap();
            let crowd = world.crowd();
            for (row, &slot) in crowd.rows.slot.iter().enumerate() {
                let change = crowd.rows.velocity[row].distance(before[slot as usize]) / 0.1;
                if slot < 36 {
                    assert!(change <= 1.5 * 1.000_1, "{kind}, tick {tick}: {change} m/s²");
                } else {
                    fastest = fastest.max(change);
                }
                before[slot as usize] = crowd.rows.velocity[row];
            }
        }
        assert!(fastest > 2.0, "{kind}: the others are not limited, {fastest} m/s²");
    }
}

#[test]
fn the_heavier_of_two_that_overlap_is_pushed_less() {
    let avoidance = AvoidanceSettings { passes: 1, ..AvoidanceSettings::new(Avoidance::None) };
    let (mut world, army) = plain(avoidance);
    let light = world.add_unit(Unit { mass: 50.0, ..Unit::default() }).unwrap();
    let heavy = world.add_unit(Unit { mass: 150.0, ..Unit::default() }).unwrap();
    let (a, b) = (Vec2::new(30.0, 30.0), Vec2::new(30.6, 30.0));
    world.spawn_walkers(army, light, &[a], &[a]).unwrap();
    world.spawn_walkers(army, heavy, &[b], &[b]).unwrap();
    world.tick().unwrap();
    let at: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    assert!((at[0].x - 29.85).abs() < 1e-4 && (at[1].x - 30.65).abs() < 1e-4, "{at:?}");
}

#[test]
fn a_scenario_sets_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let row = ".".repeat(40);
    let map = format!("type octile\nheight 40\nwidth 40\nmap\n{}", format!("{row}\n").repeat(40));
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let file = folder.path().join("s.toml");
    std::fs::write(
        &file,
        r#"
            map = "a.map"
            avoidance = "none"
            [[unit]]
            name = "horseman"
            mass = 600
            acceleration = 4
            priority = -1
            avoidance = "push"
            ignores = ["soldier", "blue"]
            [[unit]]
            name = "blue"
            ignores = ["horseman", "horseman"]
            [[army]]
            name = "red"
            squad = [{ count = 9, position = [10, 10], unit = "horseman" }]
            [[army]]
            name = "blue"
            squad = [{ count = 9, position = [30, 10], order = "attack" }]
        "#,
    )
    .unwrap();
    let (scenario, _) = Scenario::load(&file).unwrap();
    let [horseman, blue, soldier] = &scenario.units[..] else { panic!("{:?}", scenario.units) };
    assert_eq!((horseman.mass, horseman.acceleration, horseman.priority), (600.0, 4.0, -1));
    assert_eq!((horseman.avoidance, blue.avoidance), (Some(Avoidance::Push), None));
    assert!(soldier.weight() > 100.0 * horseman.weight());
    assert_eq!((horseman.layers, soldier.layers, blue.layers), (0b1001, 0b11, 0b101));
    assert_eq!(horseman.ignores, 0b110 | army_layer(ArmyId(1)));
    assert_eq!((blue.ignores, soldier.ignores), (0b1000, 0));
    let mut world = scenario.build(1).unwrap();
    assert_eq!(world.settings().avoidance.passes, 3, "for those who move by push");
    world.tick().unwrap();
    // Beside the defaults nothing is set.
    assert_eq!(Unit::default().acceleration, f32::INFINITY);
    assert_eq!((Unit::default().priority, Unit::default().ignores, Unit::default().avoidance), (0, 0, None));
}
