//! Costs of distances, flow fields and their repair: `cargo bench --bench flow`.
//!
//! On the maps of the repository, or on those of the Moving AI folder that `THRONG_MOVINGAI` names: nanoseconds an open
//! cell, one thread, medians over goals drawn at random. Of five goes at each the fastest counts, so that other work of
//! the machine does not. A repair follows the closing or opening of one cell, or of a block of 5 x 5, at a random
//! place; it is compared with building the same field anew.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::{Path, PathBuf};
use std::time::Instant;
use throng::grid::{Cell, Grid, Ground, Layer};
use throng::plan::{FlowField, Scratch, distances_from, distances_to};

const MOVINGAI: [&str; 6] =
    ["AcrosstheCape", "brc202d", "maze512-4-0", "32room_000", "random512-25-0", "Berlin_0_1024"];

const GOALS: usize = 24;
const EDITS: usize = 24;

fn main() {
    let folder = std::env::var_os("THRONG_MOVINGAI").map(PathBuf::from);
    let own = ["caverns", "field", "fortress", "town"];
    let names: &[&str] = if folder.is_some() { &MOVINGAI } else { &own };
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("maps"));
    println!(
        "{:<16} {:>9} {:>12} {:>12} {:>8} {:>24} {:>24}",
        "map", "cells", "from ns/cell", "to ns/cell", "field", "repair 1 cell, of fresh", "repair 5 x 5, of fresh"
    );
    let mut logarithms = [0.0; 5];
    for name in names {
        let grid = Grid::load(folder.join(format!("{name}.map"))).unwrap();
        let figures = measure(&grid);
        let [cells, from, to, field, one, five] = figures;
        println!("{name:<16} {cells:>9} {from:>12.2} {to:>12.2} {field:>8.2} {one:>24.4} {five:>24.4}");
        logarithms.iter_mut().zip(&figures[1..]).for_each(|(sum, figure)| *sum += figure.ln());
    }
    let [from, to, field, one, five] = logarithms.map(|sum: f64| (sum / names.len() as f64).exp());
    println!("{:<16} {:>9} {from:>12.2} {to:>12.2} {field:>8.2} {one:>24.4} {five:>24.4}", "geometric mean", "");
}

/// Cells, nanoseconds a cell for the distances and the field, and the time of repairs as a share of building anew.
fn measure(grid: &Grid) -> [f64; 6] {
    let mut random = Pcg32::seed_from_u64(1);
    let ground = Ground::new(grid.clone().into(), 0.4).unwrap();
    let cells = largest_region(&ground);
    let mut scratch = Scratch::default();
    let mut layer = Layer::new(ground.lattice(), 0);
    let mut field = FlowField::new(&ground, &[cells[0]], &mut scratch).unwrap();
    let mut times = [const { Vec::new() }; 3];
    let mut shares = [const { Vec::new() }; 2];
    for _ in 0..GOALS {
        let goal = [cells[random.random_range(0..cells.len())]];
        times[0].push(best(|| distances_from(&ground, &goal, &mut scratch, &mut layer).unwrap()));
        times[1].push(best(|| distances_to(&ground, &goal, &mut scratch, &mut layer).unwrap()));
        times[2].push(best(|| field.rebuild(&ground, &goal, &mut scratch).unwrap()));
    }
    for (shares, side) in shares.iter_mut().zip([1, 5]) {
        let mut fresh = field.clone();
        for _ in 0..EDITS {
            let goal = cells[random.random_range(0..cells.len())];
            field.rebuild(&ground, &[goal], &mut scratch).unwrap();
            let (edited, dirty) = edit(grid, cells[random.random_range(0..cells.len())], goal, side);
            let edited = Ground::new(edited.into(), 0.4).unwrap();
            for ground in [&edited, &ground] {
                let anew = best(|| fresh.rebuild(ground, &[goal], &mut scratch).unwrap());
                shares.push(clock(|| field.repair(ground, &dirty, &mut scratch).unwrap()) / anew);
                assert_eq!(field, fresh);
            }
        }
    }
    let each = |times: &mut Vec<f64>| median(times) / cells.len() as f64;
    let [from, to, built] = &mut times;
    let [one, five] = &mut shares;
    [cells.len() as f64, each(from), each(to), each(built), median(one), median(five)]
}

/// The map with a block of cells closed where they were open, and the cells that changed.
fn edit(grid: &Grid, corner: Cell, goal: Cell, side: i64) -> (Grid, Vec<Cell>) {
    let lattice = grid.lattice();
    let (x, y) = lattice.column_row(corner);
    let (x, y) = (i64::from(x), i64::from(y));
    let block = (y..y + side).flat_map(|y| (x..x + side).filter_map(move |x| lattice.checked_cell(x, y)));
    let dirty: Vec<Cell> = block.filter(|&cell| cell != goal && grid.is_open(cell)).collect();
    let mut grid = grid.clone();
    for &cell in &dirty {
        grid.set_open(cell, false);
    }
    (grid, dirty)
}

fn largest_region(ground: &Ground) -> Vec<Cell> {
    let mut sizes = vec![0_u32; ground.region_count() as usize + 1];
    ground.lattice().cells().for_each(|cell| sizes[ground.region(cell) as usize] += 1);
    let largest = (1..sizes.len()).max_by_key(|&region| sizes[region]).unwrap() as u32;
    ground.lattice().cells().filter(|&cell| ground.region(cell) == largest).collect()
}

/// Nanoseconds of the fastest of five goes.
fn best(mut work: impl FnMut()) -> f64 {
    (0..5).map(|_| clock(&mut work)).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds.
fn clock(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
