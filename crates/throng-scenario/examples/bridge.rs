//! A battle from a map and a TOML text, run to its verdict: `cargo run --release --example bridge`.
//!
//! The map and the scenario below are written into a temporary folder and loaded as any other files.

use throng_scenario::Scenario;
use throng_sim::world::{Verdict, World};

const MAP: &str = "\
throng ascii map
legend . = open
legend ~ = wall terrain 2
cell_size = 2
map
..................~~~~..................
..................~~~~~.................
...................~~~~.................
...................~~~~~................
...................~~~~~................
........................................
........................................
........................................
...................~~~~.................
..................~~~~~.................
..................~~~~..................
.................~~~~~..................
.................~~~~...................
";

const SCENARIO: &str = r#"
name = "the bridge"
map = "river.txt"
seed = 7
max_ticks = 6000

[[unit]]
name = "spearman"
armour = 3
reach = 1.6

[[unit]]
name = "archer"
health = 70
ranged = { range = 45, speed = 40, spread = 2, ammunition = 20, damage = 12, cooldown = 2 }

[[army]]
name = "west bank"
[[army.squad]]
name = "pikes"
unit = "spearman"
count = 60
position = [20, 13]
formation = "line"
order = "attack"

[[army]]
name = "east bank"
[[army.squad]]
name = "guard"
unit = "spearman"
count = 24
position = [52, 13]
facing = 180
[[army.squad]]
name = "bows"
unit = "archer"
count = 20
position = [60, 13]
facing = 180
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("river.txt"), MAP)?;
    let file = folder.path().join("bridge.toml");
    std::fs::write(&file, SCENARIO)?;

    let (scenario, warnings) = Scenario::load(&file)?;
    for warning in &warnings {
        println!("warning: {warning}");
    }
    println!(
        "{}: {} agents, {} armies, seed {}",
        scenario.name,
        scenario.agents(),
        scenario.armies.len(),
        scenario.settings.seed
    );

    let mut world = scenario.build(1)?;
    let heading = world.armies().iter().fold(String::new(), |line, army| format!("{line}{:>12}", army.name));
    println!("\n{:>6}{heading}", "s");
    row(&world);
    while world.verdict().is_none() {
        let until = world.ticks() + 200;
        world.tick_until(|world| world.ticks() == until || world.verdict().is_some())?;
        row(&world);
    }
    match world.verdict() {
        Some(Verdict::Winner(army)) => {
            let army = &world.armies()[usize::from(army.0)];
            println!("\n{} wins; {} of {} are alive.", army.name, army.alive, army.spawned);
        }
        _ => println!("\nIt is a draw."),
    }
    Ok(())
}

/// Prints the time and how many of each army are alive.
fn row(world: &World) {
    let alive = world.armies().iter().fold(String::new(), |line, army| format!("{line}{:12}", army.alive));
    println!("{:6.1}{alive}", world.ticks() as f32 * world.settings().step);
}
