//! How long the scenery of large maps takes on two threads: the land, a coarse picture, a fine one, edits; medians of five.
//!
//! `cargo run --release -p throng-scene --example scenery_times -- [MAP ...]`
//!
//! A map is a file or a kind of generated map with sides of 768 cells and seed 1; without any, all kinds. The fine picture is
//! 4096 pixels wide or high.

use std::error::Error;
use std::time::Instant;
use throng_grid::generate::{Kind as Made, generate};
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid};
use throng_scene::land::Land;
use throng_scene::noise::lattice;
use throng_scene::scenery::{Extra, Scenery};

fn main() -> Result<(), Box<dyn Error>> {
    let mut maps: Vec<String> = std::env::args().skip(1).collect();
    if maps.is_empty() {
        maps = Made::ALL.iter().map(ToString::to_string).collect();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    println!(
        "{:28} {:>7} {:>7} {:>17} {:>9} {:>20} {:>6}",
        "", "land", "coarse", "fine (cpu)", "pixels", "edit: half, 90 % (cpu)", "MB"
    );
    for map in &maps {
        let grid = match map.parse::<Made>() {
            Ok(kind) => generate(kind, 768, 768, 1)?,
            Err(_) => Grid::load(map)?,
        };
        pool.install(|| measure(map, &grid));
    }
    Ok(())
}

fn measure(map: &str, grid: &Grid) {
    let land = Land::of(grid);
    let size = land.lattice.size() + 2.0 * Scenery::BORDER;
    let fine = 4096.0 / size.max_element();
    let coarse = fine / 2.0;
    let extra = Extra::default();
    let of_land = median(5, || drop(Land::of(grid)));
    let of_coarse = median(5, || drop(Scenery::paint(&land, &extra, coarse)));
    let before = processor_ms();
    let of_fine = median(5, || drop(Scenery::paint(&land, &extra, fine)));
    let processor = (processor_ms() - before) / 5.0;
    let mut scenery = Scenery::paint(&land, &extra, fine);
    let (width, height) = scenery.size();
    let before = processor_ms();
    let mut edits = edit_times(grid, &land, &mut scenery);
    let of_edit = (processor_ms() - before) / f64::from(STROKES);
    edits.sort_by(f64::total_cmp);
    println!(
        "{:28} {of_land:4.0} ms {of_coarse:4.0} ms {of_fine:6.0} ms ({processor:5.0}) {width}x{height} {:4.1}/{:5.1} ms ({of_edit:4.1}) {:5.0}",
        map.rsplit('/').next().unwrap_or(map),
        edits[edits.len() / 2],
        edits[edits.len() * 9 / 10],
        f64::from(width * height) * 6.0 / 1e6
    );
}

/// What a brush of 5 x 5 cells takes anywhere on the map: the land follows, the picture too.
fn edit_times(grid: &Grid, land: &Land, scenery: &mut Scenery) -> Vec<f64> {
    let (mut grid, mut land, lattice_of) = (grid.clone(), land.clone(), grid.lattice());
    let (mut times, mut dirty) = (Vec::new(), Vec::new());
    for stroke in 0..STROKES {
        let random = |what, most: u32| (lattice(stroke, what, 7) * most as f32) as i64;
        let (x, y) = (random(0, lattice_of.width), random(1, lattice_of.height));
        let cells = (0..25).filter_map(|at| lattice_of.checked_cell(x + at % 5, y + at / 5));
        let edits: Vec<Edit> =
            cells.map(|cell| if stroke % 2 == 0 { Edit::Open(cell) } else { Edit::Close(cell) }).collect();
        grid.edit(&edits, &mut dirty);
        let start = Instant::now();
        let boxes: Vec<[Vec2; 2]> = land.edit(&grid, &dirty).into_iter().map(|(low, high)| [low, high]).collect();
        scenery.repaint(&land, &Extra::default(), &boxes);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times
}

/// Strokes of a brush.
const STROKES: i32 = 200;

/// Milliseconds that processors worked for this program; 0 where the system does not say. On a machine that does other work,
/// too, half of that is what two threads would take.
fn processor_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.split_whitespace().skip(13).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}

/// Milliseconds, the median of so many runs.
fn median(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}
