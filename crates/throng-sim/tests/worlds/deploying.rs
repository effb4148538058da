//! Squads that are deployed: they stand where they were put, as many as were asked for, and fight from there.

use proptest::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Formation, Order, Shape, Unit};
use throng_sim::world::{ArmyId, Frame, Settings, SquadId, SquadSpec, World};

fn block(count: usize, corner: Vec2) -> Vec<Vec2> {
    (0..count).map(|i| corner + Vec2::new((i % 6) as f32, (i / 6) as f32)).collect()
}

fn world(counts: [usize; 2], formed: bool) -> World {
    let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap()), Settings::default()).unwrap();
    let soldier = world.add_unit(Unit::default()).unwrap();
    for (army, count) in counts.into_iter().enumerate() {
        let id = world.add_army(["red", "blue"][army]).unwrap();
        let positions = block(count, Vec2::new(8.5 + 40.0 * army as f32, 20.5));
        let formation = formed.then(|| Formation::new(Shape::Line, 1.5));
        let spec = SquadSpec { order: Order::Attack, formation, ..SquadSpec::new(id, soldier, positions) };
        world.spawn_squad(spec).unwrap();
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_deployed_squad_is_as_one_that_was_there_from_the_start(
        before in 1..30_usize, after in 0..40_usize, ticks in 0..40_u32, formed: bool, facing in -360.0..360.0_f32,
    ) {
        let mut world = world([before, 12], formed);
        for _ in 0..ticks {
            world.tick().unwrap();
        }
        let dead: u32 = world.armies().iter().map(|army| army.spawned - army.alive).sum();
        prop_assume!(dead == 0);
        let positions = block(after, Vec2::new(12.25, 40.25));
        world.deploy(SquadId(0), &positions, facing).unwrap();
        let mut frame = Frame::default();
        world.frame(&mut frame);
        let mut found: Vec<_> = (0..frame.id.len()).filter(|&row| frame.squad[row] == Some(SquadId(0))).map(|row| frame.position[row].to_array()).collect();
        let mut wanted: Vec<_> = positions.iter().map(Vec2::to_array).collect();
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        wanted.sort_by(|a, b| a.partial_cmp(b).unwrap());
        prop_assert_eq!(found, wanted);
        let spec = world.squad_spec(SquadId(0)).unwrap();
        prop_assert_eq!(&spec.positions[..], &positions[..]);
        let turn = (spec.facing - facing).rem_euclid(360.0);
        prop_assert!(after == 0 || turn.min(360.0 - turn) < 1e-2, "{} and {}", spec.facing, facing);
        prop_assert_eq!((spec.order, spec.formation.is_some()), (Order::Attack, formed));
        let looks = Vec2::from_angle(facing.to_radians());
        for row in (0..frame.id.len()).filter(|&row| frame.squad[row] == Some(SquadId(0))) {
            prop_assert!(frame.heading[row].distance(looks) < 1e-4);
        }
        prop_assert_eq!([world.armies()[0].alive, world.armies()[0].spawned], [after as u32; 2]);
        prop_assert_eq!(world.squads()[0].tally.spawned, after as u32);
        // They walk to their enemies and fight.
        let foes = world.armies()[1].alive;
        for _ in 0..900 {
            world.tick().unwrap();
        }
        let fallen: u32 = world.armies().iter().map(|army| army.spawned - army.alive).sum();
        prop_assert!(after == 0 || fallen > 0, "{} against {} have not met", after, foes);
    }
}

#[test]
fn what_cannot_be_changes_nothing() {
    let mut world = world([6, 6], false);
    let hash = world.position_hash();
    for positions in [[Vec2::new(-3.0, 4.0)], [Vec2::new(f32::NAN, 4.0)]] {
        assert!(world.deploy(SquadId(0), &positions, 0.0).is_err());
    }
    assert!(world.deploy(SquadId(0), &[Vec2::splat(9.5)], f32::NAN).is_err());
    assert!(world.deploy(SquadId(7), &[], 0.0).is_err() && world.set_army_name(ArmyId(2), "x").is_err());
    assert_eq!(world.position_hash(), hash);
    world.set_army_name(ArmyId(1), "greens").unwrap();
    assert_eq!(world.armies()[1].name, "greens");
}
