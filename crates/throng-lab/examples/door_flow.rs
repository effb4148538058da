//! How many people get through a door in a second: `cargo run --release --example door_flow`.

use throng_lab::experiment::{CrowdScene, ExperimentError, observe};
use throng_sim::battle::Unit;
use throng_sim::world::Settings;

fn main() -> Result<(), ExperimentError> {
    println!("width (m)  people a metre and second");
    for width in [0.8, 1.2, 2.4] {
        let scene = CrowdScene::bottleneck(Unit::pedestrian(), width, 80, 1)?;
        let outcome = observe(&scene, Settings { step: 0.1, ..Settings::default() }, 90.0)?;
        let flow = outcome.door.map_or(0.0, |door| door.flow);
        println!("{width:9.1}  {flow:.2}");
    }
    Ok(())
}
