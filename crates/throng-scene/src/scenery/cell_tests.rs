//! Open cells read as ground that one can walk on, closed cells as something that stands or as water.

use super::*;
use throng_grid::Grid;
use throng_grid::geom::Vec2;

/// Of the cells of a map how many are open but built on in the middle, and how many are closed but look like ground.
fn misread(grid: &Grid, land: &Land, scale: f32) -> [usize; 4] {
    let lattice = grid.lattice();
    let size = lattice.size();
    let frame = Frame::of(
        View { origin: Vec2::ZERO, scale },
        (size.x * scale) as u32 + 1,
        (size.y * scale * FORESHORTENING) as u32 + 1,
    );
    let mut heights = Heights::new();
    let built = Built::around(land, frame);
    heights.begin(frame.doubled());
    built.raise(&mut heights);
    let mut water = Water::new(scale);
    water.begin(land, frame);
    let mut counts = [0; 4];
    for cell in lattice.cells() {
        let at = lattice.centre(cell);
        let [column, row, ..] = heights.frame.cut(at.x, at.y, at.x, at.y);
        let z = heights.z[heights.at(column.min(heights.frame.width - 1), row.min(heights.frame.height - 1))];
        let is_wet = water.is_wet(frame, at);
        let is_tree = || land.trees.iter().any(|tree| tree.centre.distance(at) < tree.radius + 0.25);
        if grid.is_open(cell) {
            counts[0] += usize::from(z > 0.5 || is_wet);
            counts[2] += 1;
        } else {
            counts[1] += usize::from(z <= 0.1 && !is_wet && !is_tree());
            counts[3] += 1;
        }
    }
    counts
}

#[test]
fn survey() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let mut files: Vec<std::path::PathBuf> = Vec::new();
    for folder in [Some(folder.into_os_string()), std::env::var_os("THRONG_MOVINGAI")].into_iter().flatten() {
        files.extend(std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
    }
    files.sort();
    for file in files {
        if !file.extension().is_some_and(|e| ["map", "txt", "tmx"].iter().any(|x| e == *x)) {
            continue;
        }
        let grid = Grid::load(&file).unwrap();
        let land = Land::of(&grid);
        let [a, b, open, closed] = misread(&grid, &land, 3.0);
        println!("{:?}: open {a} of {open} built, closed {b} of {closed} bare", file.file_name().unwrap());
    }
}
