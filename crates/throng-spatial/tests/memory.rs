//! What an index says of its memory is what it holds of the heap.
#![allow(clippy::unwrap_used, missing_docs)]

mod heap;

use heap::HELD;
use std::sync::atomic::Ordering;
use throng_spatial::{
    Bvh, HashGrid, Index, IndexKind, KdTree, LinearOctree, LooseOctree, Near, Octree, Pairs, Scene, SceneKind,
    SpatialIndex, SweepAndPrune,
};

/// The bytes that are held of the heap after `make` and were not before, and those that the thing tells of itself.
fn compared<T>(name: &str, make: impl Fn() -> T, bytes: impl Fn(&T) -> usize) {
    // The first time, threads and features of the processor are looked up.
    drop(make());
    let before = HELD.load(Ordering::Relaxed);
    let thing = make();
    let (held, said) = (HELD.load(Ordering::Relaxed) - before, bytes(&thing));
    // A thread's queue of work may have grown.
    assert!(held.abs_diff(said) <= 4096, "{name}: says {said} bytes, holds {held}");
}

fn index<const D: usize, I: SpatialIndex<D>>(name: &str, position: &[[f32; D]], make: impl Fn() -> I) {
    let (radius, id) = (vec![0.7; position.len()], (0..position.len() as u32).collect::<Vec<_>>());
    let moved: Vec<[f32; D]> = position.iter().map(|at| at.map(|x| x * 1.01 + 0.05)).collect();
    let built = || {
        let mut index = make();
        index.rebuild(throng_spatial::Bodies::new(position, &radius, &id)).unwrap();
        for at in [&moved[..], position, &moved] {
            index.update(throng_spatial::Bodies::new(at, &radius, &id)).unwrap();
        }
        index
    };
    compared(name, built, SpatialIndex::bytes);
}

#[test]
fn an_index_says_how_much_memory_it_holds() {
    let scene = Scene::new(SceneKind::Clustered, 5000, 0.3, 3).unwrap();
    for kind in IndexKind::ALL {
        index(kind.name(), &scene.position, || Index::new(kind));
    }
    // Dealt out in stripes.
    let many = Scene::new(SceneKind::Uniform, 300_000, 0.3, 3).unwrap();
    index("large grid", &many.position, || Index::new(IndexKind::Grid));
    let space: Vec<[f32; 3]> =
        scene.position.iter().zip(&scene.velocity).map(|(at, way)| [at[0], at[1], 90.0 * way[0]]).collect();
    index("bvh in space", &space, Bvh::default);
    index("hash in space", &space, HashGrid::default);
    index("kd-tree in space", &space, KdTree::default);
    index("linear octree", &space, LinearOctree::default);
    index("loose octree", &space, LooseOctree::default);
    index("octree", &space, Octree::default);
    index("sweep in space", &space, SweepAndPrune::default);

    let mut grid = Index::new(IndexKind::Grid);
    grid.rebuild(scene.bodies()).unwrap();
    let pairs = || {
        let mut pairs = Pairs::default();
        grid.collect_pairs(scene.bodies(), &mut pairs);
        pairs
    };
    compared("pairs", pairs, Pairs::bytes);
    let near = || {
        let mut near = Near::default();
        near.reset(5000, 7);
        near
    };
    compared("near", near, Near::bytes);
}
