//! Pedestrians walk at speeds of their own, which do not depend on threads and outlast a snapshot.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::world::{Resume, Settings, World};

/// 2000 pedestrians, and 50 soldiers below them, in rows that do not meet; all walk to the right.
fn walkers(threads: usize) -> World {
    let grid = Grid::open_plain(Lattice::new(400, 200, 1.0).unwrap());
    let mut world = World::new(grid, Settings { threads, ..Settings::default() }).unwrap();
    let army = world.add_army("all").unwrap();
    let rows = [(Unit::default(), 180.5, 50), (Unit::pedestrian(), 10.5, 2000)];
    for (unit, top, count) in rows {
        let starts: Vec<Vec2> =
            (0..count).map(|i| Vec2::new((5 + i % 50 * 7) as f32, top + (i / 50 * 4) as f32)).collect();
        let goals: Vec<Vec2> = starts.iter().map(|start| Vec2::new(395.0, start.y)).collect();
        let unit = world.add_unit(unit).unwrap();
        world.spawn_walkers(army, unit, &starts, &goals).unwrap();
    }
    world
}

/// Lets two seconds pass: then all walk as fast as they like to.
fn set_out(mut world: World) -> World {
    for _ in 0..40 {
        world.tick().unwrap();
    }
    world
}

#[test]
fn each_walks_at_a_speed_of_its_own() {
    let world = set_out(walkers(1));
    let crowd = world.crowd();
    let (mut soldiers, mut pedestrians) = (Vec::new(), Vec::new());
    for (&slot, velocity) in crowd.rows.slot.iter().zip(&crowd.rows.velocity) {
        let of_kind = if crowd.slots.unit[slot as usize] == 0 { &mut soldiers } else { &mut pedestrians };
        of_kind.push((slot, velocity.length()));
    }
    assert!(soldiers.iter().all(|(_, speed)| (speed - 1.5).abs() < 1e-3), "{soldiers:?}");
    let seed = world.settings().seed;
    for &(slot, speed) in &pedestrians {
        let expected = Unit::pedestrian().speed_of(seed, crowd.id(slot));
        assert!((speed - expected).abs() < 1e-3, "agent {slot}: {speed} m/s, expected {expected}");
    }
    let mean = pedestrians.iter().map(|(_, speed)| speed).sum::<f32>() / 2000.0;
    let variance = pedestrians.iter().map(|(_, speed)| (speed - mean).powi(2)).sum::<f32>() / 2000.0;
    assert!((mean - 1.34).abs() < 0.02 && (variance.sqrt() - 0.26).abs() < 0.03, "{mean} ± {}", variance.sqrt());
}

#[test]
fn neither_threads_nor_a_snapshot_change_a_speed() {
    let expected = set_out(set_out(walkers(1))).position_hash();
    assert_eq!(set_out(set_out(walkers(3))).position_hash(), expected, "3 threads");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walkers.snapshot");
    set_out(walkers(2)).save(&file).unwrap();
    let restored = World::restore(&file, Resume { threads: 2, ..Resume::default() }).unwrap();
    assert_eq!(set_out(restored).position_hash(), expected, "from a snapshot");
}
