//! Open cells read as ground that one can walk on, closed cells as something that stands or as water.

use super::frame::Frame;
use super::heights::Heights;
use super::raise::Built;
use super::water::Water;
use super::*;
use crate::land::Kind;
use crate::view::FORESHORTENING;
use throng_grid::generate::{Kind as Made, generate};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, Layer};

/// Of the cells of a map how many are open but built on or wet in the middle, and how many are closed but look like ground.
fn misread(grid: &Grid, land: &Land, scale: f32) -> [usize; 2] {
    let lattice = grid.lattice();
    let size = lattice.size();
    let (width, height) = ((size.x * scale) as u32 + 1, (size.y * scale * FORESHORTENING) as u32 + 1);
    let frame = Frame::of(View { origin: Vec2::ZERO, scale }, width, height);
    let mut heights = Heights::new();
    heights.begin(frame.doubled());
    Built::around(land, frame).raise(&mut heights);
    mend::mend(&mut heights, land);
    let mut water = Water::new(scale);
    water.begin(land, frame);
    let mut crowns = Layer::new(lattice, false);
    for tree in &land.trees {
        let reach = tree.radius * 1.15 + 0.6 * lattice.cell_size;
        let around = lattice.cells().filter(|&cell| lattice.centre(cell).distance(tree.centre) < reach);
        if land.trees.len() < 3000 {
            around.for_each(|cell| crowns[cell] = true);
        }
    }
    let is_known = land.trees.len() < 3000;
    let mut counts = [0; 2];
    for cell in lattice.cells() {
        let at = lattice.centre(cell);
        let half = 0.5 * lattice.cell_size;
        let is_misread = mend::is_misread(&heights, at, half, grid.is_open(cell));
        let is_wet = |is: bool| mend::AROUND.iter().all(|&offset| water.is_wet(at + offset * half) == is);
        if grid.is_open(cell) {
            counts[0] += usize::from(is_misread || is_wet(true));
        } else {
            let is_tree = land.kinds[cell] == Kind::Tree && (crowns[cell] || !is_known);
            counts[1] += usize::from(is_misread && is_wet(false) && !is_tree);
        }
    }
    counts
}

#[test]
fn cells_of_generated_maps_are_what_they_seem() {
    for kind in Made::ALL {
        let grid = generate(kind, 256, 256, 3).expect("large enough");
        for (grid, scale) in [(grid.clone(), 3.3), (grid.with_cell_size(0.5), 4.0)] {
            assert_eq!(misread(&grid, &Land::of(&grid), scale), [0, 0], "{kind} at {scale}");
        }
    }
}

#[test]
fn cells_of_drawn_maps_are_what_they_seem() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    for name in ["fortress.map", "castle.txt", "bridge.txt", "keep.tmx", "gates.map"] {
        let grid = Grid::load(folder.join(name)).expect("a map");
        for land in [Land::of(&grid), Land::building(&grid)] {
            assert_eq!(misread(&grid, &land, 2.6), [0, 0], "{name}, building: {}", land.is_building);
        }
    }
}

#[test]
fn cells_of_benchmark_maps_are_what_they_seem() {
    let Some(folder) = std::env::var_os("THRONG_MOVINGAI") else { return };
    for name in ["arena2", "den520d", "ht_chantry", "plaguelands", "32room_000", "AR0011SR"] {
        let path = std::path::Path::new(&folder).join(name).with_extension("map");
        let Ok(grid) = Grid::load(path) else { continue };
        assert_eq!(misread(&grid, &Land::of(&grid), 2.0), [0, 0], "{name}");
    }
}

/// At the middle of an open cell the ground is seen, or what hides it stands further south.
#[test]
fn what_hides_an_open_cell_stands_south_of_it() {
    for kind in [Made::Fortress, Made::Rooms, Made::Caverns] {
        let grid = generate(kind, 256, 256, 5).expect("large enough");
        let land = Land::of(&grid);
        let view = View { origin: Vec2::new(60.0, 60.0), scale: 5.2 };
        let tile = paint(&land, &Extra::default(), view, 700, 560);
        let (mut seen, mut all, mut low) = (0, 0, 0);
        for cell in grid.lattice().cells().filter(|&cell| grid.is_open(cell)) {
            let at = grid.lattice().centre(cell);
            let pixel = view.to_pixel(at.extend(0.0)).floor();
            if pixel.cmplt(Vec2::ZERO).any() || pixel.x >= 700.0 || pixel.y >= 560.0 {
                continue;
            }
            let foot = tile.foot((pixel.y * 700.0 + pixel.x) as usize).map(|foot| foot + view.origin.y);
            (seen, all) = (seen + usize::from(foot.is_none()), all + 1);
            // Stones that one steps over.
            low += usize::from(foot.is_some_and(|foot| foot < at.y + 0.1));
        }
        assert!(low * 300 <= all, "{kind}: {low} of {all} open cells have something in their middle");
        assert!(seen * 10 > all * 7, "{kind}: of {all} open cells {seen} are seen");
    }
}

#[test]
fn any_scale_can_be_painted() {
    let grid = generate(Made::Town, 128, 96, 3).expect("large enough");
    let land = Land::of(&grid);
    for scale in [-1.0, 0.0, 1e-9, 0.003, 0.07, 0.4, 0.99, 1.2, 3.0, 1e9, f32::INFINITY, f32::NAN] {
        let scenery = Scenery::paint(&land, &Extra::default(), scale.min(6.0));
        let (width, height) = scenery.size();
        assert!(width > 0 && height > 0 && (width * height) as usize <= Scenery::MOST_PIXELS, "{scale}");
    }
    let large = Land::of(&Grid::open_plain(Lattice::new(4000, 4000, 1.0).expect("sides")));
    assert!(tiles::possible(large.lattice.size(), f32::INFINITY) < 1.7);
}

#[test]
fn a_reduced_picture_is_the_mean_of_a_larger_one() {
    let grid = generate(Made::Fortress, 256, 256, 3).expect("large enough");
    let land = Land::of(&grid);
    let mean = |scale| {
        let scenery = Scenery::paint(&land, &Extra::default(), scale);
        let (mut sum, mut count) = ([0.0_f64; 3], 0.0);
        for (.., tile) in scenery.tiles() {
            for pixel in &tile.pixels {
                sum.iter_mut().zip(pixel).for_each(|(sum, &channel)| *sum += f64::from(channel));
                count += 1.0;
            }
        }
        sum.map(|sum| sum / count)
    };
    for (small, large) in mean(0.8).iter().zip(mean(1.6)) {
        assert!((small - large).abs() < 1.5, "{small} {large}");
    }
}
