//! The questions to a spatial index: `cargo run --release --example indices`.
//!
//! It asks which pairs overlap and when they begin and end, and which volumes in space meet. It also asks which bodies
//! are nearest to a point, in a view cone, or hit first by a moving ball.

use std::ops::ControlFlow::{self, Continue};
use throng_spatial::volume::{Ball, Cylinder, Sweep};
use throng_spatial::{
    Bodies, Border, BoundingBalls, Cone, Contacts, Index, IndexKind, Octree, Pairs, SpatialIndex, volume_pairs,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A crowd: centres (m), radii (m) and an identity each. Eight rows of eight, 1.5 m apart.
    let mut position: Vec<[f32; 2]> = (0..64).map(|i| [(i % 8) as f32 * 1.5, (i / 8) as f32 * 1.5]).collect();
    let (radius, id) = (vec![0.5_f32; 64], (0..64).collect::<Vec<u32>>());
    let mut index = Index::new(IndexKind::Quadtree);
    index.rebuild(Bodies::new(&position, &radius, &id))?;
    let (mut pairs, mut contacts) = (Pairs::default(), Contacts::default());
    for frame in 0..4 {
        // One agent walks to the right, past its neighbours.
        position[9][0] += 0.8;
        let bodies = Bodies::new(&position, &radius, &id);
        index.update(bodies)?;
        index.collect_pairs(bodies, &mut pairs);
        contacts.update(bodies, &pairs);
        let (begun, ended): (Vec<_>, Vec<_>) = (contacts.begun().collect(), contacts.ended().collect());
        println!("frame {frame}: pairs {}, begun {begun:?}, ended {ended:?}", pairs.len());
    }

    let bodies = Bodies::new(&position, &radius, &id);
    let (mut nearest, mut seen, mut found) = (Vec::new(), Vec::new(), Vec::new());
    index.k_nearest(bodies, [4.0, 4.0], 3, 10.0, |row| row % 2 == 0, &mut nearest);
    for (row, squared) in nearest {
        println!("near (4, 4), even: {row} at {:.2} m", squared.sqrt());
    }

    let cone = Cone { apex: [0.0, 0.0], direction: [1.0, 1.0], half_angle: 0.2, range: 6.0 };
    let _: ControlFlow<()> = index.cone(bodies, &cone, |row, _| {
        seen.push(row);
        Continue(())
    });
    seen.sort_unstable();
    println!("seen from the corner: {seen:?}");

    let shot = Sweep::new(&Ball { centre: [-5.0, 3.2], radius: 0.1 }, [20.0, 0.0]);
    match index.cast(bodies, &shot, |_| true) {
        Some((row, time)) => println!("the shot hits {row} when it is at {:.2?}", shot.at(time).centre),
        None => println!("the shot hits nothing"),
    }

    // In space: pillars are found by the balls around them, then tested exactly.
    let pillar = |x: f32, low: f32| Cylinder { centre: [x, 0.0], radius: 0.4, low, high: low + 4.0 };
    let pillars = [pillar(0.0, 0.0), pillar(0.7, 3.0), pillar(1.4, 8.0)];
    let mut balls = BoundingBalls::default();
    balls.update(&pillars);
    let bodies = balls.bodies(&[0, 1, 2], &[]);
    let mut octree = Octree::new(Border::Parent);
    octree.rebuild(bodies)?;
    let tests = volume_pairs(&octree, bodies, &pillars, |i, j| {
        found.push((i, j));
        Continue(())
    });
    println!("pillars that meet: {found:?}, after {tests} exact tests");
    Ok(())
}
