//! A world whose squads plan by a planner from outside the library.

use crate::flood::Flood;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Order, Unit};
use throng_sim::world::{Resume, Settings, SquadSpec, World};

const GOAL: Vec2 = Vec2::new(33.5, 20.5);

/// A squad of four that has to walk around a wall.
fn world(threads: usize) -> World {
    let mut grid = Grid::open_plain(Lattice::new(40, 24, 1.0).unwrap());
    for y in 4..24 {
        grid.set_open(grid.lattice().cell(20, y), false);
    }
    let mut world = World::new(grid, Settings { threads, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    let army = world.add_army("red").unwrap();
    let positions: Vec<Vec2> = (0..4).map(|i| Vec2::new(4.5 + 2.0 * i as f32, 20.5)).collect();
    let planner = PlannerChoice::Custom(Arc::new(Flood));
    let squad = world.spawn_squad(SquadSpec { planner, ..SquadSpec::new(army, unit, &positions) }).unwrap();
    world.order(squad, Order::GoTo(GOAL)).unwrap();
    world
}

#[test]
fn squads_walk_its_routes_and_every_thread_count_gives_the_same_bytes() {
    let hashes = [1, 3].map(|threads| {
        let mut world = world(threads);
        for tick in 0..3000 {
            if tick == 40 {
                // The way round is one cell narrower from here on.
                let cell = world.grid().lattice().cell(20, 3);
                world.edit(&[Edit::Close(cell)]).unwrap();
            }
            world.tick().unwrap();
        }
        let late: Vec<_> = world.positions().filter(|(_, at)| at.distance(GOAL) > 5.0).collect();
        assert!(late.is_empty(), "{late:?} have not come to the goal");
        world.position_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn a_snapshot_has_its_name_and_is_restored_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flood.snapshot");
    let mut world = world(1);
    // The first routes are asked for and not all of them delivered.
    for _ in 0..3 {
        world.tick().unwrap();
    }
    world.save(&path).unwrap();
    let error = World::restore(&path, Resume::default()).unwrap_err().to_string();
    assert!(error.contains("\"flood\"") && error.contains("Resume::planners"), "{error}");
    let planners = [Arc::new(Flood) as Arc<dyn throng_plan::Planner>];
    let mut other = World::restore(&path, Resume { planners: &planners, ..Resume::default() }).unwrap();
    for _ in 0..300 {
        world.tick().unwrap();
        other.tick().unwrap();
    }
    assert_eq!(other.position_hash(), world.position_hash());
}
