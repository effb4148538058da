//! Moving volumes: `cargo run --release --example volumes`.
//!
//! It makes bodies of each kind, lets a shot fly at them, and tests it continuously and by sub-steps; answers a hit in
//! each way; counts what tunnels in a volley in space, and culls by a view cone.

use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use throng_spatial::volume::{
    Aabb, Ball, Bouncing, Obb, Pose, PosedTree, Shape2, Shape3, SphereTree, Sweep, Volume, bounce, bounce_off, slide,
    stop, substeps,
};
use throng_spatial::{Border, Cone, Octree, Response, SpatialIndex, Volley};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A body of each kind in the plane, in a row.
    let leaves = [0.0, 0.5, 1.0].map(|y| Ball { centre: [0.0, y], radius: 0.4 });
    let tree = Arc::new(SphereTree::new(&leaves)?);
    let bodies: [(&str, Shape2); 4] = [
        ("ball", Ball { centre: [10.0, 0.3], radius: 0.8 }.into()),
        ("box", Aabb { low: [20.0, -3.0], high: [20.1, 3.0] }.into()),
        ("oriented box", Obb::turned([30.0, 0.0], [3.0, 0.05], 70.0).into()),
        ("sphere tree", Shape2::Tree(PosedTree { tree, pose: Pose::turned([40.0, 0.0], 30.0) })),
    ];

    // A shot that flies 50 m in a step. A plate of 0.1 m is missed by steps of 0.1 m and its width or more.
    let (ball, motion) = (Ball { centre: [0.0, 0.0], radius: 0.2 }, [50.0, 1.0]);
    let shot = Sweep::new(&ball, motion);
    println!("{} sub-steps miss no plate of 0.1 m", substeps(50.01, 0.1 + 2.0 * ball.radius));
    for (name, body) in &bodies {
        let Some(hit) = shot.hit_shape(body) else { continue };
        let found = [1, 8, 64].map(|steps| shot.substeps(steps).any(|(_, ball)| body.overlaps_ball(&ball)));
        println!("{name:13} hit at {:.4} of the way; found by 1, 8, 64 sub-steps: {found:?}", hit.time);
        // Three responses: the shot stops, slides along, bounces off.
        let place = stop(ball.centre, motion, hit.time);
        let (rest, after) = (slide(motion, hit.time, hit.normal), bounce_off(motion, hit.normal, 0.8));
        println!("{:13} stops at {place:.2?}, slides on by {rest:.2?}, bounces to {after:.2?} m a step", "");
    }
    // Two that both give way share their momentum.
    let [light, heavy] = [([3.0, 0.0], 1.0), ([0.0, 0.0], 3.0)].map(|(velocity, mass)| Bouncing { velocity, mass });
    println!("a light ball and a heavy one part with {:?} m/s", bounce(&light, &heavy, [-1.0, 0.0], 1.0));

    // A volley in space: an octree finds the pairs that may meet.
    let mut volley = Volley::<3, Shape3>::new(400, 20.0, 1)?;
    let (mut octree, mut near) = (Octree::new(Border::Parent), Vec::new());
    let (mut hits, mut tunnelled) = (0, [0; 3]);
    for _ in 0..20 {
        octree.update(volley.bodies())?;
        volley.near(&octree, &mut near);
        for &pair in near.iter().filter(|&&pair| volley.hit(pair).is_some()) {
            hits += 1;
            for (count, steps) in tunnelled.iter_mut().zip([1, 4, 16]) {
                *count += u32::from(!volley.meets(pair, steps));
            }
        }
        volley.advance(&near, Response::Bounce);
    }
    println!("{hits} hits in space; 1, 4, 16 sub-steps miss {tunnelled:?}");

    // What a viewer in the middle sees: the others are culled.
    octree.update(volley.bodies())?;
    let middle = [0.5 * volley.side; 3];
    let cone = Cone { apex: middle, direction: [1.0, 0.0, 0.0], half_angle: 0.5, range: volley.side };
    let mut seen = 0;
    let _: ControlFlow<()> = octree.cone(volley.bodies(), &cone, |_, _| {
        seen += 1;
        Continue(())
    });
    println!("in the view cone: {seen} of {} bodies", volley.bodies.len());
    Ok(())
}
