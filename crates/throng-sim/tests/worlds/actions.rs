//! A frame says what each agent does: those that strike and shoot are seen to, and no others.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Action, Block, Order, Ranged, Unit};
use throng_sim::world::{ArmyId, Frame, Settings, SquadSpec, UnitId, World};

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);

fn world(step: f32) -> World {
    let plain = Grid::open_plain(Lattice::new(96, 48, 1.0).unwrap());
    let mut world = World::new(plain, Settings { step, ..Settings::default() }).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    world.add_unit(Unit { cooldown: 1.0, ..Unit::default() }).unwrap();
    world.add_unit(Unit { ranged: Some(Ranged::default()), ..Unit::default() }).unwrap();
    world
}

/// What each agent does, by slot.
fn actions(world: &World, frame: &mut Frame) -> BTreeMap<u32, Action> {
    world.frame(frame);
    assert_eq!(frame.action.len(), frame.id.len());
    frame.id.iter().copied().zip(frame.action.iter().copied()).collect()
}

#[test]
fn each_blow_and_each_shot_is_seen() {
    for step in [0.05, 0.2] {
        let mut world = world(step);
        let (men, bows) = (UnitId(0), UnitId(1));
        for (army, unit, x, count) in
            [(RED, men, 34.0, 30), (RED, bows, 26.0, 10), (BLUE, men, 62.0, 30), (BLUE, bows, 70.0, 10)]
        {
            let positions = Block::new(Vec2::new(x, 24.0), count).positions();
            world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, unit, &positions) }).unwrap();
        }
        let mut frame = Frame::default();
        let (mut blows, mut shots) = (0, 0);
        let mut seen = actions(&world, &mut frame);
        assert!(seen.values().all(|&action| action == Action::Walk), "nobody fights yet");
        while world.verdict().is_none() && world.seconds() < 60.0 {
            world.tick().unwrap();
            seen = actions(&world, &mut frame);
            // One that has died since, or whose enemy has, is not seen to strike at it.
            let harms = world.events().harms.iter().filter(|harm| !harm.is_shot && !harm.is_fatal);
            for action in harms.filter_map(|harm| seen.get(&harm.by.who.slot)) {
                blows += usize::from(*action == Action::Strike);
                shots += 1000 * usize::from(*action == Action::Shoot);
            }
            let tick = (world.ticks() - 1) as u32;
            let launched = world.shots().launch.iter().zip(&world.shots().by).filter(|(launch, _)| launch.tick == tick);
            shots += launched.filter(|(_, by)| seen.get(&by.who.slot) == Some(&Action::Shoot)).count();
        }
        assert!(blows > 50 && (10..1000).contains(&shots), "{blows} blows, {shots} shots at steps of {step} s");
    }
}

#[test]
fn walkers_walk_and_besiegers_strike_at_the_wall() {
    let mut world = world(0.05);
    let walkers = world.spawn_walkers(RED, UnitId(0), &[Vec2::new(4.5, 4.5)], &[Vec2::new(40.5, 4.5)]).unwrap();
    let mut frame = Frame::default();
    world.tick().unwrap();
    assert_eq!(actions(&world, &mut frame)[&walkers[0].slot], Action::Walk);

    let mut grid = Grid::open_plain(Lattice::new(48, 24, 1.0).unwrap());
    let wall: Vec<_> = (0..24).map(|y| grid.lattice().cell(24, y)).collect();
    for &cell in &wall {
        grid.set_open(cell, false);
    }
    let mut world = World::new(grid, Settings::default()).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    let man = world.add_unit(Unit::default()).unwrap();
    world.fortify(&wall[8..16], 1e6, Some(BLUE)).unwrap();
    for (army, x, order) in [(RED, 18.0, Order::Attack), (BLUE, 36.0, Order::Hold)] {
        let positions = Block::new(Vec2::new(x, 12.0), 6).positions();
        world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, man, &positions) }).unwrap();
    }
    world.tick_until(|world| world.seconds() >= 20.0).unwrap();
    let dealt = world.ramparts().dealt();
    world.tick_until(|world| world.seconds() >= 22.0).unwrap();
    assert!(world.ramparts().dealt() > dealt);
    let seen = actions(&world, &mut frame);
    let strikes = |army: ArmyId| {
        let rows = (0..frame.id.len()).filter(|&row| frame.army[row] == army);
        rows.filter(|&row| seen[&frame.id[row]] == Action::Strike).count()
    };
    assert!(strikes(RED) >= 3 && strikes(BLUE) == 0, "{} red and {} blue strike", strikes(RED), strikes(BLUE));
}
