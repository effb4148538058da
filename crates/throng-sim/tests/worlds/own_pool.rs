//! A world ticks on the threads of its caller, and on no others, with the same results.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::crowd::models::CustomModel;
use throng_sim::crowd::{AgentView, Avoidance, AvoidanceSettings};
use throng_sim::world::{Settings, World};

#[test]
fn the_threads_of_the_caller_do_the_work() {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(3).thread_name(|_| "mine".into()).build().unwrap();
    let threads = Arc::new(threads);
    let run = |own: Option<Arc<rayon::ThreadPool>>| {
        let names = Arc::new(Mutex::new(BTreeSet::new()));
        let noted = Arc::clone(&names);
        let straight = CustomModel::new("straight", move |view: &AgentView<'_>, row: usize| {
            noted.lock().unwrap().insert(std::thread::current().name().unwrap_or_default().to_owned());
            view.preferred_velocity[row]
        });
        let avoidance = AvoidanceSettings::new(Avoidance::Custom);
        let settings = Settings { avoidance, model: Some(straight), threads: 2, ..Settings::default() };
        let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap()), settings).unwrap();
        if let Some(threads) = own {
            world = world.with_pool(threads);
        }
        let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::default()).unwrap());
        let places: Vec<Vec2> = (0..600).map(|i| Vec2::new(2.0 + (i % 30) as f32, 2.0 + (i / 30) as f32)).collect();
        let goals: Vec<Vec2> = places.iter().map(|place| Vec2::splat(63.0) - *place).collect();
        world.spawn_walkers(all, walker, &places, &goals).unwrap();
        world.tick_until(|world| world.ticks() == 20).unwrap();
        let names = names.lock().unwrap().clone();
        (world.position_hash(), names)
    };
    let ((own, names), (mine, called)) = (run(None), run(Some(threads)));
    assert_eq!(own, mine);
    assert_eq!(called.into_iter().collect::<Vec<_>>(), ["mine"]);
    assert!(!names.contains("mine"));
}
