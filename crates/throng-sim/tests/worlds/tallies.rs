//! What squads have done: all of it, and nothing twice.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Order, Ranged, SquadStats, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{
    Army, ArmyCount, ArmyId, Cause, Effect, Frame, Repeat, Resume, Settings, SquadId, SquadSpec, Trigger, World,
};
use throng_spatial::IndexKind;

fn block(corner: Vec2, count: usize) -> Vec<Vec2> {
    (0..count).map(|i| corner + Vec2::new((i % 6) as f32, (i / 6) as f32) * 1.1).collect()
}

/// Archers, cowards, friends who are shot, waves, and some in no squad.
fn battle(seed: u64, threads: usize, index: IndexKind) -> World {
    let grid = Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap());
    let settings = Settings { seed, threads, index: index.into(), friendly_fire: true, ..Settings::default() };
    let mut world = World::new(grid, settings).unwrap();
    let sword = Unit { health: 30.0, morale: 60.0, ..Unit::default() };
    let bow = Unit { name: "bow".into(), ranged: Some(Ranged { blast: 1.0, ..Ranged::default() }), ..sword.clone() };
    let (sword, bow) = (world.add_unit(sword).unwrap(), world.add_unit(bow).unwrap());
    for (name, x) in [("red", 3.0), ("blue", 48.0)] {
        let army = world.add_army(name).unwrap();
        for (unit, y, count) in [(sword, 3.0, 30), (bow, 14.0, 24), (sword, 24.0, 18)] {
            let order = Order::Attack;
            let positions = block(Vec2::new(x, y), count);
            world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &positions) }).unwrap();
        }
        world.spawn_walkers(army, sword, &block(Vec2::new(x, 34.0), 6), &block(Vec2::new(27.0, 34.0), 6)).unwrap();
    }
    let wave = SquadSpec::new(ArmyId(0), sword, block(Vec2::new(20.0, 3.0), 12));
    let wave = SquadSpec { order: Order::Charge, ..wave };
    let (then, repeat) = (vec![Effect::SpawnSquad(wave)], Repeat { every: 4.0, times: 3 });
    let trigger = Trigger { name: "more".into(), when: Cause::At { seconds: 2.0 }, then, repeat };
    world.add_triggers(vec![trigger]).unwrap();
    world
}

/// The living, the routed, those that left and the fallen are all that the army ever had.
fn balance(army: &Army, count: &ArmyCount) {
    let parts = [count.alive, count.routed, count.left, count.dead];
    assert_eq!(parts.iter().sum::<u32>(), army.spawned, "{parts:?}");
    assert_eq!((count.spawned(), count.all()), (army.spawned, army.spawned + count.coming));
    assert_eq!((count.alive, count.dead), (army.alive, army.losses.iter().sum()));
}

/// Those in no squad are what is left of the army.
fn sums(world: &World, loose: &BTreeMap<AgentId, ArmyId>) {
    let mut frame = Frame::default();
    world.frame(&mut frame);
    for (number, army) in world.armies().iter().enumerate() {
        let squads = || world.squads().iter().filter(|squad| squad.army.index() == number).map(|squad| squad.tally);
        let sum = |of: fn(&SquadStats) -> u32| squads().map(|tally| of(&tally)).sum::<u32>();
        let alone = loose.values().filter(|&&army| army.index() == number).count() as u32;
        assert_eq!(sum(|tally| tally.spawned) + alone, army.spawned);
        let here = |id: &&AgentId| loose[id].index() == number && world.positions().any(|(other, _)| other == **id);
        assert_eq!(sum(SquadStats::alive) + loose.keys().filter(here).count() as u32, army.alive);
        if alone == 0 {
            assert_eq!(sum(|tally| tally.losses), army.losses.iter().sum::<u32>());
            assert_eq!(sum(|tally| tally.kills), army.kills.iter().sum::<u32>());
            assert_eq!(squads().map(|tally| tally.dealt).sum::<u64>(), army.dealt.iter().sum::<u64>());
            assert_eq!(squads().map(|tally| tally.taken).sum::<u64>(), army.taken.iter().sum::<u64>());
            assert_eq!(squads().map(|tally| tally.walked).sum::<u64>(), army.walked);
        }
        let count = &frame.armies[number];
        balance(army, count);
        if alone == 0 {
            assert_eq!((sum(|tally| tally.routed), sum(|tally| tally.left)), (count.routed, count.left));
        }
        assert_eq!((count.alive, count.kills), (army.alive, army.kills.iter().sum()));
        let sums = [&army.dealt, &army.taken].map(|damage| throng_sim::battle::points(damage.iter().sum()));
        assert_eq!([count.dealt, count.taken], sums);
    }
    assert_eq!(frame.squads.len(), world.squads().len());
    for (count, squad) in frame.squads.iter().zip(world.squads()) {
        assert_eq!(
            (count.army, count.unit, count.order, count.tally),
            (squad.army, squad.unit, squad.order, squad.tally)
        );
        assert!(frame.kinds.contains(&(squad.army, squad.unit)));
    }
    assert!(frame.kinds.is_sorted_by(|a, b| a < b));
}

/// Where each squad's members are.
fn places(world: &World) -> BTreeMap<AgentId, (u32, Vec2)> {
    let crowd = world.crowd();
    crowd
        .rows
        .slot
        .iter()
        .zip(&crowd.rows.position)
        .map(|(&slot, &at)| (crowd.id(slot), (crowd.slots.squad[slot as usize], at)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6) })]

    #[test]
    fn squads_add_up_to_their_armies(seed in any::<u64>(), removed in 0_usize..40, with_loose in any::<bool>()) {
        let mut world = battle(seed, 1, IndexKind::default());
        world.count_walks();
        let in_none = |world: &World| {
            let crowd = world.crowd();
            let loose = |&&slot: &&u32| crowd.slots.squad[slot as usize] == u32::MAX;
            crowd.rows.slot.iter().filter(loose).map(|&slot| (crowd.id(slot), crowd.army_of(slot))).collect::<BTreeMap<_, _>>()
        };
        let mut loose = in_none(&world);
        if !with_loose {
            let all: Vec<AgentId> = loose.keys().copied().collect();
            world.remove(&all);
            loose.clear();
        }
        // What each squad has walked, by looking at it before and after each tick; who comes in one is seen from then on.
        let mut walked: BTreeMap<u32, f64> = BTreeMap::new();
        for tick in 0..400 {
            let before = places(&world);
            world.tick().unwrap();
            for (id, (squad, at)) in places(&world) {
                let old = before.get(&id).map_or(at, |old| old.1);
                *walked.entry(squad).or_default() += f64::from(old.distance(at));
            }
            if tick % 25 == 0 {
                sums(&world, &loose);
            }
            if tick == 120 {
                let gone: Vec<AgentId> = world.squads()[1].members.iter().copied().take(removed).collect();
                world.remove(&gone);
                world.disband(SquadId(2)).unwrap();
                sums(&world, &loose);
            }
        }
        let total: u32 = world.squads().iter().map(|squad| squad.tally.kills).sum();
        prop_assert!(total > 5, "{} kills", total);
        prop_assert!(world.squads()[1].tally.dealt > 0, "archers");
        prop_assert_eq!(world.squads().len(), 9, "three waves");
        for (s, squad) in (0..).zip(world.squads()) {
            let (found, seen) = (squad.tally.metres(), walked.get(&s).copied().unwrap_or(0.0));
            // The first step of a wave is not seen.
            let slack = if s < 6 { 1e-3 } else { 3.0 };
            prop_assert!((seen - 1e-3..=seen + slack).contains(&found), "squad {s}: {found} m, seen {seen} m");
        }
    }
}

fn tallies(world: &World) -> (Vec<SquadStats>, Vec<u64>) {
    (world.squads().iter().map(|squad| squad.tally).collect(), world.armies().iter().map(|army| army.walked).collect())
}

#[test]
fn neither_threads_nor_the_index_nor_a_rest_in_a_file_show() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.snapshot");
    let mut found = Vec::new();
    for (threads, index, rests) in [(1, "grid", false), (2, "grid", false), (3, "kd-tree", true)] {
        let mut world = battle(5, threads, index.parse().unwrap());
        world.count_walks();
        for tick in 0..300 {
            world.tick().unwrap();
            if rests && tick % 90 == 60 {
                world.save(&file).unwrap();
                world = World::restore(&file, Resume { threads, ..Resume::default() }).unwrap();
                assert!(world.counts_walks());
            }
        }
        found.push((tallies(&world), world.position_hash()));
    }
    assert!(found[0] == found[1] && found[0] == found[2], "{found:?}");
    assert!(found[0].0.0[0].walked > 0);
}

#[test]
fn counting_walks_does_not_change_the_battle() {
    let [mut counted, mut plain] = [8, 8].map(|seed| battle(seed, 1, IndexKind::default()));
    counted.count_walks();
    for _ in 0..200 {
        counted.tick().unwrap();
        plain.tick().unwrap();
    }
    assert_eq!(counted.position_hash(), plain.position_hash());
    let kills = |world: &World| world.squads().iter().map(|squad| squad.tally.kills).collect::<Vec<_>>();
    assert_eq!(kills(&counted), kills(&plain));
    let walked = |world: &World| world.squads().iter().map(|squad| squad.tally.metres()).sum::<f64>();
    assert!(walked(&counted) > 100.0 && walked(&plain) == 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6) })]

    #[test]
    fn the_living_the_routed_and_the_fallen_add_up_at_every_tick(seed in any::<u64>(), morale in 1.0_f32..80.0, flees in 0_u64..300) {
        let mut world = battle(seed, 1, IndexKind::default());
        let brave = Unit { name: "coward".into(), health: 30.0, morale, ..Unit::default() };
        let coward = world.add_unit(brave).unwrap();
        let squad = SquadSpec::new(ArmyId(1), coward, block(Vec2::new(40.0, 14.0), 20));
        let squad = world.spawn_squad(SquadSpec { order: Order::Attack, ..squad }).unwrap();
        let (mut frame, mut all) = (Frame::default(), None);
        for tick in 0..400 {
            if tick == flees {
                world.order(squad, Order::Flee).unwrap();
            }
            world.tick().unwrap();
            world.frame(&mut frame);
            for (army, count) in world.armies().iter().zip(&frame.armies) {
                balance(army, count);
            }
            // Waves that come are no longer yet to come.
            let now: Vec<u32> = frame.armies.iter().map(ArmyCount::all).collect();
            prop_assert_eq!(all.get_or_insert_with(|| now.clone()), &now, "at tick {}", world.ticks());
        }
        prop_assert!(frame.armies[1].routed > 0 && frame.armies[0].dead > 0);
        prop_assert_eq!(frame.armies[0].coming, 0);
    }
}
