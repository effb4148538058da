//! A stage of the caller's own between the search for neighbours and avoidance.

use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::crowd::models::CustomModel;
use throng_sim::crowd::{AgentView, Sleep};
use throng_sim::world::{Between, Frame, Resume, Settings, Subdomains, World};
use throng_spatial::IndexKind;

/// Goes with its neighbours, and with a wind.
fn flock() -> CustomModel {
    CustomModel::new("flock", |view: &AgentView<'_>, row: usize| {
        let own = view.preferred_velocity[row];
        let near = view.near.of(row);
        let mean = near.iter().map(|&other| view.preferred_velocity[other as usize]).sum::<Vec2>();
        0.8 * own + 0.2 * mean / near.len().max(1) as f32 + Vec2::new(0.0, 0.1)
    })
}

/// 120 walkers in two crowds that cross; with a stage or without.
fn world(stage: Option<CustomModel>, threads: usize, index: IndexKind) -> World {
    let mut grid = Grid::open_plain(Lattice::new(48, 32, 1.0).unwrap());
    (8..16).for_each(|y| grid.set_open(grid.lattice().cell(24, y), false));
    let settings = Settings { stage, threads, index: index.into(), ..Settings::default() };
    let mut world = World::new(grid, settings).unwrap();
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    let places: Vec<Vec2> =
        (0..120).map(|i| Vec2::new([3.5, 36.5][i % 2] + (i / 2 % 8) as f32, 8.5 + 1.5 * (i / 16) as f32)).collect();
    let goals: Vec<Vec2> = places.iter().map(|at| Vec2::new(48.0 - at.x, at.y)).collect();
    world.spawn_walkers(all, walker, &places, &goals).unwrap();
    world
}

#[test]
fn every_thread_index_subdomain_and_snapshot_gives_the_same_bytes() {
    let mut one = world(Some(flock()), 1, IndexKind::Grid);
    let mut others: Vec<World> =
        [IndexKind::KdTree, IndexKind::Bvh].map(|index| world(Some(flock()), 3, index)).into_iter().collect();
    let mut cut = Subdomains::cut(&one, 3).unwrap();
    for tick in 1..=400 {
        one.tick().unwrap();
        for other in &mut others {
            other.tick().unwrap();
        }
        cut.tick().unwrap();
        let hash = one.position_hash();
        assert!(others.iter().chain([cut.world()]).all(|other| other.position_hash() == hash), "tick {tick}");
        if tick == 100 {
            let bytes = one.to_bytes().unwrap();
            let error = World::from_bytes(&bytes, Resume::default()).unwrap_err().to_string();
            assert!(error.contains("the stage \"flock\"") && error.contains("Resume::stage"), "{error}");
            let resume = Resume { stage: Some(flock()), ..Resume::default() };
            others.push(World::from_bytes(&bytes, resume).unwrap());
            others.push(World::from_snapshot(&one.snapshot()).unwrap());
        }
    }
    let mut without = world(None, 1, IndexKind::Grid);
    let bytes = without.to_bytes().unwrap();
    let error = World::from_bytes(&bytes, Resume { stage: Some(flock()), ..Resume::default() }).unwrap_err();
    assert!(error.to_string().contains("no stage of one's own"), "{error}");
    without.tick_until(|world| world.ticks() == 400).unwrap();
    assert_ne!(without.position_hash(), one.position_hash());
}

#[test]
fn a_stage_moves_agents_at_rest_which_come_back_and_one_that_breaks_its_promise_is_named() {
    let gust = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let told = Arc::clone(&gust);
    let stage = CustomModel::new("gust", move |view: &AgentView<'_>, row: usize| {
        match told.load(std::sync::atomic::Ordering::Relaxed) {
            1 => Vec2::X,
            2 => panic!("no wind"),
            3 => Vec2::NAN,
            _ => view.preferred_velocity[row],
        }
    });
    let sleep = Sleep { after: f32::INFINITY, ..Sleep::default() };
    let settings = Settings { threads: 1, stage: Some(stage), sleep, ..Settings::default() };
    let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0).unwrap()), settings).unwrap();
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::default()).unwrap());
    world.spawn_walkers(all, walker, &[Vec2::splat(8.5)], &[]).unwrap();
    let at = |world: &World| world.positions().next().unwrap().1;
    let set = |to| gust.store(to, std::sync::atomic::Ordering::Relaxed);
    set(1);
    (0..20).for_each(|_| world.tick().unwrap());
    assert!((at(&world).x - 9.5).abs() < 0.1, "{}", at(&world));
    set(0);
    (0..100).for_each(|_| world.tick().unwrap());
    assert!(at(&world).distance(Vec2::splat(8.5)) < 0.2, "{}", at(&world));
    for (fault, told) in [(2, "it panicked: no wind"), (3, "the velocity of agent 0 is [NaN, NaN]")] {
        set(1);
        let _ = world.tick();
        set(fault);
        let error = world.tick().unwrap_err().to_string();
        assert_eq!(error, format!("the stage \"gust\" broke its promise: {told}"));
        set(0);
        (0..100).for_each(|_| world.tick().unwrap());
        assert!(at(&world).distance(Vec2::splat(8.5)) < 0.2, "it goes on");
    }
}

#[test]
fn between_two_ticks_each_is_on_its_line_and_who_was_put_elsewhere_is_there() {
    let mut world = world(None, 1, IndexKind::Grid);
    let (mut between, mut before, mut frame) = (Between::default(), Frame::default(), Frame::default());
    let id = world.positions().next().unwrap().0;
    for tick in 0..200 {
        between.leave(&frame);
        before.clone_from(&frame);
        match tick {
            50 => world.teleport(id, Vec2::new(24.5, 28.5)).unwrap(),
            // Another one gets the slot.
            100 => drop(world.remove(&[id])),
            101 => {
                let walker = throng_sim::world::UnitId(0);
                world.spawn_walkers(throng_sim::world::ArmyId(0), walker, &[Vec2::new(26.5, 28.5)], &[]).unwrap();
            }
            _ => {}
        }
        world.tick().unwrap();
        world.frame(&mut frame);
        for share in [-1.0, 0.0, 0.3, 1.0, 2.0] {
            let places: Vec<(Vec2, Vec2)> = between.places(&frame, share).collect();
            assert_eq!(places.len(), frame.id.len());
            for (row, &(at, looks)) in places.iter().enumerate() {
                let (to, person) = (frame.position[row], frame.person_of(row));
                let from = before.person.iter().position(|&other| other == person).map(|row| before.position[row]);
                let from = from.filter(|from| from.distance(to) <= 6.0).unwrap_or(to);
                assert!(at.distance(from.lerp(to, share.clamp(0.0, 1.0))) < 1e-4, "tick {tick}: {at}");
                assert!((looks.length() - 1.0).abs() < 1e-3);
            }
        }
    }
    // Frames and events are stored by serde.
    let stored = postcard::to_allocvec(&(&frame, world.events())).unwrap();
    let (again, events) = postcard::from_bytes::<(Frame, throng_sim::world::Events)>(&stored).unwrap();
    frame.grid = None;
    assert_eq!((&again, &events), (&frame, world.events()));
}
