//! Spatial indices of throng against those of other crates: same crowds, same questions, same run, one thread.
//!
//! ```sh
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin indices
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin indices -- --only uniform --quick
//! ```
//!
//! All agents move each frame. A side comes up to date (update or rebuild, whatever is faster) and lists all overlapping
//! pairs, tested exactly; sides take turns in blocks of frames. Their pairs must be the same in every frame, their
//! answers to questions the same in every block, or the run ends with an error.

mod heat;
mod ours;
mod peers;
mod side;

use heat::Lane;
use std::error::Error;
use std::time::Duration;
use throng::spatial::{Scene, SceneKind};

fn main() -> Result<(), Box<dyn Error>> {
    for kind in SceneKind::ALL {
        let scene = Scene::new(kind, 100_000, 0.15, 1)?;
        let mut lanes = vec![Lane::new("ours: grid", &scene, ours::Ours::new(throng::spatial::IndexKind::Grid)),
            Lane::new("parry2d", &scene, peers::Parry::default()),
            Lane::new("rstar", &scene, peers::Rstar),
            Lane::new("kiddo", &scene, peers::Kiddo::default()),
            Lane::new("aabb-quadtree", &scene, peers::Quadtree::default()),
            Lane::new("flat_spatial", &scene, peers::Flat::new(4)),
            Lane::new("flat_spatial, points", &scene, peers::FlatPoints::new(4)),
            ];
        if !matches!(kind, SceneKind::Line | SceneKind::Diagonal) {
            lanes.push(Lane::new("broccoli", &scene, peers::Broccoli::default()));
        }
        if matches!(kind, SceneKind::Stadium|SceneKind::Diagonal) { lanes.remove(0); }
        println!("{kind}");
        heat::frames(&mut lanes, Duration::from_secs(2))?;
        for lane in &lanes {
            let c = lane.cost();
            println!("{:<22} {:>8.2} {:>8.2} {:>8.2}  {}", lane.name, c.build, c.answer, c.total, lane.pairs());
        }
    }
    Ok(())
}
