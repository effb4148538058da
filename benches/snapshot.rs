//! Cost of a snapshot: `cargo bench --bench snapshot`.
//!
//! A battle of 100,000 on the town map and on a plain, after some ticks: bytes, bytes an agent, and the medians of
//! the times to save and to restore it, with one thread. Saving waits for the disk; on a folder in memory
//! (`TMPDIR=/dev/shm`) it does not.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::time::Instant;
use throng::battle::{Block, Order, Unit};
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice, walls};
use throng::world::{Resume, Settings, SquadSpec, World};

const AGENTS: usize = 100_000;
const SQUADS: usize = 50;
const TICKS: u64 = 30;
const GOES: usize = 9;

fn main() {
    let town = Grid::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("maps/town.map")).unwrap();
    println!("{:<8} {:>9} {:>12} {:>12} {:>9} {:>11}", "map", "agents", "bytes", "an agent", "save ms", "restore ms");
    for (name, grid) in [("plain", Grid::open_plain(Lattice::new(600, 600, 1.0).unwrap())), ("town", town)] {
        let world = battle(grid);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("battle.snapshot");
        let save = median(|| world.save(&path).unwrap());
        let restore = median(|| drop(World::restore(&path, Resume { threads: 1, ..Resume::default() }).unwrap()));
        let (agents, bytes) = (world.agents(), std::fs::metadata(&path).unwrap().len());
        let each = bytes as f64 / agents as f64;
        println!("{name:<8} {agents:>9} {bytes:>12} {each:>12.1} {save:>9.2} {restore:>11.2}");
    }
}

/// Two armies on their way to each other.
fn battle(grid: Grid) -> World {
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit { radius: 0.2, ..Unit::default() }).unwrap();
    let size = world.grid().lattice().size();
    for (name, left) in [("red", 0.15), ("blue", 0.85)] {
        let army = world.add_army(name).unwrap();
        for squad in 0..SQUADS / 2 {
            let middle = size * Vec2::new(left, (squad as f32 + 0.5) / (SQUADS / 2) as f32);
            let block = Block { columns: 150, spacing: 0.5, ..Block::new(middle, 8 * AGENTS / SQUADS) };
            let clear = |at: &Vec2| walls::is_clear(world.grid(), *at, 0.2);
            let positions: Vec<Vec2> = block.positions().into_iter().filter(clear).take(AGENTS / SQUADS).collect();
            world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, unit, &positions) }).unwrap();
        }
    }
    for _ in 0..TICKS {
        world.tick().unwrap();
    }
    world
}

/// Of several goes (ms).
fn median(mut go: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..GOES)
        .map(|_| {
            let since = Instant::now();
            go();
            since.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[GOES / 2]
}
