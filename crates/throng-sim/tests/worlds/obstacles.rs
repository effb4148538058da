//! Obstacles that come, move and go; and what a game's loop asks for: a tick beside it, the events of earlier ticks.

use proptest::prelude::*;
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Lattice, TerrainCosts};
use throng_sim::battle::Unit;
use throng_sim::crowd::AgentId;
use throng_sim::world::{Area, ObstacleId, Resume, Settings, World, WorldError};

fn plain(width: u32, height: u32) -> World {
    let settings = Settings { threads: 1, ..Settings::default() };
    World::new(Grid::open_plain(Lattice::new(width, height, 1.0).unwrap()), settings).unwrap()
}

fn shapes() -> impl Strategy<Value = Area> {
    let at = (0.0..24.0_f32, 0.0..16.0_f32).prop_map(|(x, y)| Vec2::new(x, y));
    prop_oneof![
        (at.clone(), 0.1..4.0_f32).prop_map(|(centre, radius)| Area::Disc { centre, radius }),
        (at.clone(), at.clone()).prop_map(|(from, to)| Area::Rectangle { from, to }),
        prop::collection::vec(at, 3..6).prop_map(|points| Area::Polygon { points }),
    ]
}

/// Something that is done to a world: an obstacle comes, moves or goes, or a cell is edited, with a tick after it or none.
fn deeds() -> impl Strategy<Value = Vec<(u8, usize, Area, bool)>> {
    prop::collection::vec((0..5_u8, 0..400_usize, shapes(), any::<bool>()), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_map_is_what_it_would_be_without_them_but_under_them(deeds in deeds()) {
        let (mut world, mut bare) = (plain(24, 16), plain(24, 16));
        let cells: Vec<Cell> = world.grid().lattice().cells().collect();
        let mut placed: Vec<ObstacleId> = Vec::new();
        for (kind, number, area, ticks) in deeds {
            let one = (!placed.is_empty()).then(|| number % placed.len().max(1));
            let cell = cells[number % cells.len()];
            match (kind, one) {
                (0, _) => placed.extend(world.place_obstacle(&area).ok()),
                (1, Some(one)) => drop(world.move_obstacle(placed[one], &area)),
                (2, Some(one)) => world.remove_obstacle(placed.remove(one)).unwrap(),
                _ => {
                    let edit = if kind == 3 { Edit::Close(cell) } else { Edit::Open(cell) };
                    world.edit(&[edit]).unwrap();
                    bare.edit(&[edit]).unwrap();
                }
            }
            if ticks {
                world.tick().unwrap();
                bare.tick().unwrap();
                let covered = |cell: Cell| world.obstacles().any(|(_, cells)| cells.contains(&cell));
                for &cell in &cells {
                    prop_assert_eq!(world.grid().is_open(cell), bare.grid().is_open(cell) && !covered(cell), "{:?}", cell);
                }
                world = World::from_bytes(&world.to_bytes().unwrap(), Resume::default()).unwrap();
            }
        }
        for one in placed {
            world.remove_obstacle(one).unwrap();
        }
        world.tick().unwrap();
        bare.tick().unwrap();
        prop_assert_eq!(world.grid().checksum(), bare.grid().checksum());
    }
}

/// How far from the straight line it goes on its way to a point (m).
fn aside(world: &mut World, id: AgentId, to: Vec2) -> f32 {
    world.walk_to(id, to).unwrap();
    let mut aside = 0.0_f32;
    loop {
        world.tick().unwrap();
        aside = aside.max((world.positions().next().unwrap().1.y - 12.5).abs());
        if !world.events().arrived.is_empty() {
            break aside;
        }
    }
}

#[test]
fn walkers_go_round_a_barricade_and_straight_on_once_it_is_gone() {
    let mut world = plain(40, 24);
    let (all, person) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    let id = world.spawn_walkers(all, person, &[Vec2::new(6.5, 12.5)], &[]).unwrap()[0];
    let barricade = Area::Rectangle { from: Vec2::new(19.0, 4.0), to: Vec2::new(21.0, 22.0) };
    let barricade = world.place_obstacle(&barricade).unwrap();
    assert!(aside(&mut world, id, Vec2::new(33.5, 12.5)) > 8.0);
    world.remove_obstacle(barricade).unwrap();
    world.tick().unwrap();
    let aside = aside(&mut world, id, Vec2::new(6.5, 12.5));
    assert!(aside < 0.5, "{aside} m aside");
}

#[test]
fn nobody_is_walled_in_and_wrong_ones_are_told() {
    let mut world = plain(20, 20);
    let (all, person) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    let id = world.spawn_walkers(all, person, &[Vec2::new(10.5, 10.5)], &[]).unwrap()[0];
    let crate_ = world.place_obstacle(&Area::Disc { centre: Vec2::new(10.5, 10.5), radius: 0.4 }).unwrap();
    world.tick().unwrap();
    assert!(world.grid().is_open(world.grid().lattice().cell(10, 10)), "it waits until the agent has gone");
    world.walk_to(id, Vec2::new(4.5, 10.5)).unwrap();
    world.tick_until(|world| !world.events().arrived.is_empty()).unwrap();
    assert!(!world.grid().is_open(world.grid().lattice().cell(10, 10)));
    world.remove_obstacle(crate_).unwrap();
    let gone = WorldError::NoSuch { what: "obstacle", id: 0 };
    assert_eq!(world.remove_obstacle(crate_).unwrap_err().to_string(), gone.to_string());
    let off = world.place_obstacle(&Area::Disc { centre: Vec2::new(50.0, 5.0), radius: 1.0 }).unwrap_err();
    assert_eq!(off.to_string(), WorldError::OffMap { what: "an obstacle", x: 50.0, y: 5.0 }.to_string());
    let wrong = Area::Disc { centre: Vec2::new(5.0, 5.0), radius: f32::NAN };
    assert!(world.place_obstacle(&wrong).is_err());
    assert_eq!(world.obstacles().count(), 0);
}

#[test]
fn a_tick_beside_a_loop_gives_the_same_bytes() {
    let make = || {
        let mut world = plain(40, 24);
        let (all, person) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
        let places: Vec<Vec2> = (0..100).map(|i| Vec2::new(3.5 + (i % 10) as f32, 3.5 + (i / 10) as f32)).collect();
        let ids = world.spawn_walkers(all, person, &places, &[]).unwrap();
        for &id in &ids {
            world.walk_to(id, Vec2::new(33.5, 12.5)).unwrap();
        }
        world
    };
    let (mut one, mut other) = (make(), make());
    for _ in 0..100 {
        one.tick().unwrap();
        let mut ticking = other.start_tick();
        other = loop {
            match ticking.within(Duration::from_micros(50)) {
                Ok((world, result)) => {
                    result.unwrap();
                    break world;
                }
                Err(still) => ticking = still,
            }
        };
    }
    assert_eq!(one.to_bytes().unwrap(), other.to_bytes().unwrap());
}

#[test]
fn events_are_kept_as_long_as_is_asked_and_change_nothing() {
    let make = || {
        let mut world = plain(40, 24);
        let (all, person) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
        let places: Vec<Vec2> = (0..10).map(|i| Vec2::new(3.5, 3.5 + i as f32)).collect();
        let ids = world.spawn_walkers(all, person, &places, &[]).unwrap();
        for (i, &id) in ids.iter().enumerate() {
            world.walk_to(id, Vec2::new(8.5 + 2.0 * i as f32, 3.5 + i as f32)).unwrap();
        }
        world
    };
    let (mut each, mut seldom) = (make(), make());
    seldom.keep_events(50);
    let (mut expected, mut found, mut cursor) = (Vec::new(), Vec::new(), 0);
    for tick in 1..=600 {
        each.tick().unwrap();
        seldom.tick().unwrap();
        expected.extend(each.events().arrived.iter().map(|&id| (tick, id)));
        if tick % 40 == 0 {
            for (number, events) in seldom.events_after(cursor) {
                assert_eq!(number, cursor + 1);
                found.extend(events.arrived.iter().map(|&id| (number, id)));
                cursor = number;
            }
        }
    }
    assert_eq!((found.len(), &found), (10, &expected));
    assert_eq!(seldom.events_after(0).map(|(tick, _)| tick).next(), Some(550), "the last, and 50 before it");
    seldom.keep_events(0);
    assert_eq!(seldom.events_after(0).map(|(tick, _)| tick).collect::<Vec<_>>(), [600]);
    assert_eq!(seldom.to_bytes().unwrap(), each.to_bytes().unwrap());
}

#[test]
fn one_of_two_minds_the_mud() {
    let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
    for y in 0..24 {
        (18..22).for_each(|x| grid.set_terrain(grid.lattice().cell(x, y), 3));
    }
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    let all = world.add_army("all").unwrap();
    let person = world.add_unit(Unit::pedestrian()).unwrap();
    let costs = TerrainCosts::new([(0, Some(1)), (3, Some(20))]);
    let dainty = world.add_unit(Unit { terrain: Some(costs), ..Unit::pedestrian() }).unwrap();
    let ids = world.spawn_walkers(all, person, &[Vec2::new(6.5, 4.5), Vec2::new(6.5, 6.5)], &[]).unwrap();
    world.set_unit(ids[1], dainty).unwrap();
    for &id in &ids {
        world.walk_to(id, Vec2::new(33.5, 5.5)).unwrap();
    }
    let mut lowest = [0.0_f32; 2];
    for _ in 0..1200 {
        world.tick().unwrap();
        for (id, at) in world.positions() {
            let lowest = &mut lowest[usize::from(id == ids[1])];
            *lowest = lowest.max(at.y);
        }
    }
    assert!(lowest[0] < 8.0 && lowest[1] > 23.0, "{lowest:?}");
}
