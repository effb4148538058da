//! How long maps of 4096 x 4096 cells take to be read, and how much memory, in each format.
//!
//! `cargo bench --bench maps`. Each file is read by a process of its own, five times. The figures are the median of its
//! processor time, which does not count other work of the machine, and the most memory that it had in use less the
//! memory at its start. The memory of the map itself stands beside them.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use throng::grid::{Grid, Lattice, MapFile, MapOptions};

const SIDE: u32 = 4096;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, file] = &arguments[..]
        && word == "read"
    {
        return read(Path::new(file));
    }
    let folder = tempfile::tempdir().unwrap();
    let walls = town(false);
    let full = town(true);
    let file = |name: &str| folder.path().join(name);
    walls.save_map(file("walls.map")).unwrap();
    walls.save_png(file("walls.png")).unwrap();
    walls.save_ascii(file("walls.txt")).unwrap();
    walls.save_wkt(file("walls.wkt")).unwrap();
    full.save_ascii(file("full.txt")).unwrap();
    full.save_geojson(file("full.geojson")).unwrap();
    let (walls, full): (MapFile, MapFile) = (walls.into(), full.into());
    for map in [(&walls, "walls-zlib.tmx"), (&walls, "walls-zlib.tmj"), (&full, "full-zlib.tmx")] {
        map.0.save_tiled(file(map.1)).unwrap();
    }
    std::fs::write(file("walls-csv.tmx"), csv(&walls.grid, false)).unwrap();
    std::fs::write(file("walls-csv.tmj"), csv(&walls.grid, true)).unwrap();
    println!("{SIDE} x {SIDE} cells        file     time     peak   the map   peak/map");
    let names = [
        "walls.map",
        "walls.txt",
        "walls.png",
        "walls.wkt",
        "walls-csv.tmx",
        "walls-zlib.tmx",
        "walls-csv.tmj",
        "walls-zlib.tmj",
        "full.txt",
        "full.geojson",
        "full-zlib.tmx",
    ];
    for name in names {
        let path = file(name);
        let size = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
        let mut runs: Vec<(f64, f64, f64)> = (0..5)
            .map(|_| {
                let out = Command::new(std::env::current_exe().unwrap()).arg("read").arg(&path).output().unwrap();
                assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
                let text = String::from_utf8(out.stdout).unwrap();
                let numbers: Vec<f64> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
                (numbers[0], numbers[1], numbers[2])
            })
            .collect();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (time, peak, own) = runs[2];
        println!("{name:20} {size:5.1} MB  {time:4.0} ms {peak:5.0} MB  {own:5.1} MB  {:9.1}", peak / own);
    }
}

/// Reads one file, and prints milliseconds, the growth of the peak, and the memory of the map (MB).
fn read(path: &Path) {
    let before = peak();
    let start = processor_time();
    let options =
        MapOptions { cell_size: path.extension().is_some_and(|e| e == "wkt").then_some(1.0), ..Default::default() };
    let map = MapFile::load(path, &options).unwrap();
    let time = processor_time() - start;
    let grid = &map.grid;
    let own = std::mem::size_of_val(grid.words())
        + grid.terrain_layer().map_or(0, |layer| layer.cells.len())
        + grid.height_layer().map_or(0, |layer| 2 * layer.cells.len());
    println!("{time} {} {}", peak() - before, own as f64 / 1e6);
}

/// Time that this thread has been at work (ms); 0 where the system does not say.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

/// The most memory this process has had (MB); 0 where the system does not say.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).unwrap_or(0.0) * 1.024e-3
}

/// Houses of various sizes in streets; where `full`, with classes of terrain and hills.
fn town(full: bool) -> Grid {
    let lattice = Lattice::new(SIDE, SIDE, 1.0).unwrap();
    let mut grid = Grid::closed(lattice);
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        let mixed = (x / 16).wrapping_mul(0x9E37_79B9) ^ (y / 12).wrapping_mul(0x85EB_CA6B);
        let house = mixed.wrapping_mul(0xC2B2_AE35) >> 29;
        grid.set_open(cell, x % 16 < 3 + house || y % 12 < 3);
        if full {
            grid.set_terrain(cell, (mixed >> 30) as u8);
            grid.set_height(cell, ((x / 8 + y / 8) % 500) as u16);
        }
    }
    grid
}

/// One layer of walls, as Tiled writes it where it packs nothing.
fn csv(grid: &Grid, is_json: bool) -> String {
    let lattice = grid.lattice();
    let mut numbers = String::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            numbers.push(if grid.is_open(lattice.cell(x, y)) { '0' } else { '1' });
            numbers.push(',');
        }
        numbers.push('\n');
    }
    numbers.truncate(numbers.len() - 2);
    let mut text = String::new();
    if is_json {
        let _ = write!(
            text,
            "{{\"layers\":[{{\"type\":\"tilelayer\",\"name\":\"walls\",\"width\":{SIDE},\"height\":{SIDE},\"data\":[{numbers}]}}],\
             \"width\":{SIDE},\"height\":{SIDE},\"tilesets\":[{{\"firstgid\":1,\"tilecount\":1}}],\"type\":\"map\"}}"
        );
    } else {
        let _ = write!(
            text,
            "<map width=\"{SIDE}\" height=\"{SIDE}\" tilewidth=\"8\" tileheight=\"8\"><tileset firstgid=\"1\" tilecount=\"1\"/>\
             <layer name=\"walls\" width=\"{SIDE}\" height=\"{SIDE}\"><data encoding=\"csv\">{numbers}</data></layer></map>"
        );
    }
    text
}
