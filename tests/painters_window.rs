//! The ground is painted by the card or, where the driver is software, by the processor: it looks the same. Skipped, with a word,
//! where something is missing.
#![cfg(all(feature = "viewer", target_os = "linux"))]
#![allow(clippy::unwrap_used, missing_docs)]

mod screen;

use screen::{Screen, Shown, pixels, throng};
use std::fs;
use std::path::Path;
use throng::grid::{Cell, Grid, Lattice, WATER};

/// A map of all there is: thin walls, thick ones, water, terrain, a hill.
fn country(width: u32, height: u32) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    let lattice = grid.lattice();
    let cells: Vec<Cell> = lattice.cells().collect();
    for cell in cells {
        let (x, y) = lattice.column_row(cell);
        let (u, v) = (x * 100 / width, y * 100 / height);
        let is_wall = x % (width / 6) == 3 && y % (height / 4) > 5 || u > 80 && v > 60;
        let is_water = (40..55).contains(&u) && (20..50).contains(&v);
        grid.set_open(cell, !is_wall && !is_water);
        if is_water {
            grid.set_terrain(cell, WATER);
        } else if u < 30 && v > 50 {
            grid.set_terrain(cell, 1);
        }
        let from_top = f64::from(u.abs_diff(70)).hypot(f64::from(v.abs_diff(25)));
        grid.set_height(cell, (2000.0 - 100.0 * from_top).max(0.0) as u16);
    }
    grid
}

/// What the window shows of a map between the panels.
fn picture(screen: &Screen, folder: &Path, painter: &str) -> Vec<[u8; 4]> {
    let mut command = throng(Some(&screen.name), folder);
    command.env("THRONG_PAINTER", painter);
    command.args(["view", "camp.toml", "--print-events", "--frames", "6", "--screenshot", "picture.png"]);
    Shown::start(command).ends_well();
    let all = pixels(&folder.join("picture.png"));
    let rows = all.chunks_exact(1280).take(540);
    rows.flat_map(|row| row[280..1080].iter().copied()).collect()
}

#[test]
fn card_and_processor_paint_the_same_ground() {
    let Some(screen) = Screen::start() else { return };
    // Seen from near, where a cell is some pixels, and from afar, where a pixel is some cells.
    for (width, height) in [(60, 40), (1500, 900)] {
        let folder = tempfile::tempdir().unwrap();
        country(width, height).save_ascii(folder.path().join("camp.txt")).unwrap();
        let army = "squad = [{ count = 4, position = [8, 8], order = \"hold\" }]";
        let scenario = format!(
            "map = \"camp.txt\"\nmax_ticks = 1000000\n[[army]]\nname = \"red\"\n{army}\n[[army]]\nname = \"blue\"\n{}\n",
            army.replace("[8, 8]", "[40, 30]")
        );
        fs::write(folder.path().join("camp.toml"), scenario).unwrap();
        let [card, processor] = ["card", "processor"].map(|painter| picture(&screen, folder.path(), painter));
        let gaps: Vec<u8> = card
            .iter()
            .zip(&processor)
            .map(|(a, b)| (0..3).map(|part| a[part].abs_diff(b[part])).max().unwrap())
            .collect();
        let mean = gaps.iter().map(|&gap| f64::from(gap)).sum::<f64>() / gaps.len() as f64;
        let far = gaps.iter().filter(|&&gap| gap > 16).count();
        assert!(mean < 1.0 && far * 500 < gaps.len(), "{width} cells: {mean:.2} apart, {far} pixels by more than 16");
        // There is something on it.
        let dark = card.iter().filter(|pixel| pixel[..3].iter().all(|&part| part < 130)).count();
        let blue = card.iter().filter(|pixel| pixel[2] > pixel[0].saturating_add(10)).count();
        assert!(dark > 10_000 && blue > 10_000, "{dark} dark and {blue} blue pixels");
    }
}
