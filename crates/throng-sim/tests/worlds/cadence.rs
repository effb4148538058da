//! Fights last as long, and cost as many, whatever the length of a tick.

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, Order, Ranged, Unit};
use throng_sim::world::{Settings, SquadSpec, World};

/// A world with two armies of a unit each, at a distance (m), that attack each other.
fn armies(step: f32, seed: u64, units: [Unit; 2], counts: [usize; 2], distance: f32) -> World {
    let map = Grid::open_plain(Lattice::new(80, 60, 1.0).unwrap());
    let mut world = World::new(map, Settings { seed, step, threads: 1, ..Settings::default() }).unwrap();
    for ((name, x), (unit, count)) in [("red", -0.5), ("blue", 0.5)].into_iter().zip(units.into_iter().zip(counts)) {
        let (unit, army) = (world.add_unit(unit).unwrap(), world.add_army(name).unwrap());
        let positions = Block::new(Vec2::new(40.0 + x * distance, 30.0), count).positions();
        let squad = world.spawn_squad(SquadSpec::new(army, unit, &positions)).unwrap();
        world.order(squad, Order::Attack).unwrap();
    }
    world
}

/// Blows or shots in a second of one that has its enemy in reach.
fn rate(step: f32, unit: &Unit, distance: f32) -> f64 {
    let rock = Unit { health: 1e9, speed: 0.0, top_speed: 0.0, damage: 0.0, radius: 1.0, ..Unit::default() };
    let mut world = armies(step, 1, [Unit { speed: 0.0, top_speed: 0.0, ..unit.clone() }, rock], [1, 1], distance);
    let (begin, end) = (4.0, 304.0);
    let (mut before, mut dealt) = (0.0, 0.0);
    while world.ticks() as f32 * step < end {
        world.tick().unwrap();
        dealt = world.armies()[0].dealt.iter().sum::<u64>() as f64 * 1e-6;
        if world.ticks() as f32 * step <= begin {
            before = dealt;
        }
    }
    (dealt - before) / f64::from(end - begin)
}

#[test]
fn weapons_are_used_as_often_whatever_the_tick() {
    let by_hand = |cooldown: f32| (Unit { cooldown, ..Unit::default() }, 2.0, 15.0 / cooldown.max(0.05));
    let by_shots = |cooldown: f32| {
        let ranged = Ranged { cooldown, ammunition: u16::MAX, spread: 0.0, ..Ranged::default() };
        let damage = ranged.damage;
        (Unit { ranged: Some(ranged), ..Unit::default() }, 12.0, damage / cooldown)
    };
    for (unit, distance, expected) in
        [by_hand(0.0), by_hand(0.13), by_hand(0.35), by_hand(1.0), by_hand(2.7), by_shots(0.7), by_shots(4.0)]
    {
        for step in [0.05, 0.07, 0.1, 0.2, 0.3, 0.5, 1.0] {
            let found = rate(step, &unit, distance);
            let error = (found / f64::from(expected) - 1.0).abs();
            assert!(error < 0.08, "{found:.2} points/s at a tick of {step} s, expected {expected:.2}: {unit:?}");
        }
    }
}

/// How long (s) a fight of 60 against 50 lasts; mean over seeds.
fn fight(step: f32, unit: &Unit, seeds: u64) -> f64 {
    let one = |seed| {
        let mut world = armies(step, seed, [unit.clone(), unit.clone()], [60, 50], 20.0);
        while world.verdict().is_none() && world.ticks() as f32 * step < 600.0 {
            world.tick().unwrap();
        }
        world.ticks() as f64 * f64::from(step)
    };
    (0..seeds).map(one).sum::<f64>() / seeds as f64
}

#[test]
fn the_length_of_a_tick_hardly_decides_how_long_a_fight_lasts() {
    for unit in [Unit::default(), Unit { cooldown: 0.35, damage: 4.0, ..Unit::default() }] {
        let times = [0.05, 0.1, 0.2, 0.3, 0.5].map(|step| fight(step, &unit, 24));
        let longer = times.map(|time| time / times[0]);
        // A long tick delays the first step, and each arrival in reach by half of it.
        for (most, longer) in [1.0, 1.15, 1.15, 1.15, 1.15].into_iter().zip(longer) {
            assert!((0.95..=most).contains(&longer), "{times:?} s");
        }
    }
}
