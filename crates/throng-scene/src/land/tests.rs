//! Lands of all kinds of maps.

use super::*;
use std::path::{Path, PathBuf};
use throng_grid::Edit;
use throng_grid::generate::{Kind as Made, generate};

/// Whether the middle of each cell is under something that is drawn.
fn drawn(land: &Land) -> Vec<bool> {
    let Lattice { width, height, cell_size, .. } = land.lattice;
    let (width, height) = (width as usize, height as usize);
    let mut drawn = vec![false; width * height];
    for lines in [&land.walls, &land.blocks, &land.moats, &land.hedges, &land.cliffs, &land.partitions] {
        fill(lines.iter().map(Vec::as_slice), cell_size, width, height, &mut drawn);
    }
    for wing in land.houses.iter().flat_map(|house| &house.wings) {
        let (u, v) = (wing.along * wing.half_length, wing.along.perp() * wing.half_width);
        let corners = [u + v, u - v, -u - v, v - u].map(|corner| wing.centre + corner);
        fill([corners.as_slice()].into_iter(), cell_size, width, height, &mut drawn);
    }
    let towers = land.towers.iter().map(|tower| &tower.disc);
    for disc in towers.chain(&land.trees).chain(&land.rocks).chain(&land.rubble) {
        let low = ((disc.centre - disc.radius) / cell_size).floor().max(Vec2::ZERO);
        let high = ((disc.centre + disc.radius) / cell_size).ceil();
        for y in low.y as usize..(high.y as usize).min(height) {
            for x in low.x as usize..(high.x as usize).min(width) {
                let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * cell_size;
                drawn[y * width + x] |= middle.distance(disc.centre) <= disc.radius;
            }
        }
    }
    drawn
}

/// Sets the cells whose middles are inside these outlines, by the rule of even and odd.
fn fill<'a>(lines: impl Iterator<Item = &'a [Vec2]>, size: f32, width: usize, height: usize, drawn: &mut [bool]) {
    let mut rows: Vec<Vec<f32>> = vec![Vec::new(); height];
    for line in lines {
        for (at, &a) in line.iter().enumerate() {
            // A little beside the middles: outlines of boxes run through corners.
            let (a, b) = (a / size - 0.5005, line[(at + 1) % line.len()] / size - 0.5005);
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            let (first, end) = (low.y.ceil().max(0.0) as usize, (high.y.ceil().max(0.0) as usize).min(height));
            for (y, row) in rows.iter_mut().enumerate().take(end).skip(first) {
                row.push(low.x + (y as f32 - low.y) * (high.x - low.x) / (high.y - low.y));
            }
        }
    }
    for (y, mut row) in rows.into_iter().enumerate() {
        row.sort_by(f32::total_cmp);
        for pair in row.chunks_exact(2) {
            for x in pair[0].ceil().max(0.0) as usize..(pair[1].ceil().max(0.0) as usize).min(width) {
                drawn[y * width + x] = true;
            }
        }
    }
}

fn maps() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps")
}

fn load(name: &str) -> Grid {
    Grid::load(maps().join(name)).expect("a map of the repository")
}

/// Asserts that closed cells are under something drawn and open ones are not, all but a few of them.
fn assert_covered(name: &str, grid: &Grid, land: &Land) {
    let lattice = grid.lattice();
    let drawn = drawn(land);
    let (mut closed, mut covered, mut open, mut hidden) = (0, 0, 0, 0);
    for (cell, drawn) in lattice.cells().zip(drawn) {
        if grid.is_open(cell) {
            open += 1;
            hidden += u32::from(drawn);
        } else {
            closed += 1;
            covered += u32::from(drawn);
        }
    }
    assert!(covered * 100 >= closed * 85, "{name}: {covered} of {closed} closed cells are drawn");
    assert!(hidden * 10 <= open, "{name}: {hidden} of {open} open cells are hidden");
}

#[test]
fn maps_of_the_repository_are_drawn_where_they_are_closed() {
    for name in ["fortress.map", "town.map", "caverns.map", "field.map", "gates.map", "castle.txt", "bridge.txt"] {
        let grid = load(name);
        assert_covered(name, &grid, &Land::of(&grid));
    }
}

#[test]
fn generated_maps_are_drawn_where_they_are_closed() {
    for kind in Made::ALL {
        for seed in 0..2 {
            let grid = generate(kind, 256, 280, seed).expect("large enough");
            assert_covered(&format!("{kind} {seed}"), &grid, &Land::of(&grid));
            let fine = grid.with_cell_size(0.5);
            assert_covered(&format!("fine {kind} {seed}"), &fine, &Land::of(&fine));
        }
    }
}

#[test]
fn benchmark_maps_are_drawn_where_they_are_closed() {
    let Some(folder) = std::env::var_os("THRONG_MOVINGAI") else { return };
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "map")) {
        let grid = Grid::load(file).expect("a map");
        assert_covered(&file.display().to_string(), &grid, &Land::of(&grid));
    }
}

#[test]
fn the_fortress_has_its_walls_towers_and_moats() {
    let land = Land::of(&load("fortress.map"));
    let counts = [land.towers.len(), land.moats.len(), land.breaches.len(), land.blocks.len(), land.hedges.len()];
    let roofed = land.towers.iter().filter(|tower| tower.is_roofed).count();
    assert!((45..75).contains(&land.towers.len()), "{counts:?}");
    assert!((4..10).contains(&roofed), "{roofed}");
    assert!((10..13).contains(&land.moats.len()), "{counts:?}");
    assert!((1..6).contains(&land.breaches.len()), "{counts:?}");
    assert!((70..110).contains(&land.houses.len()), "{}", land.houses.len());
    assert!((400..700).contains(&land.trees.len()), "{}", land.trees.len());
    assert!(land.cliffs.is_empty());
    let middle = land.lattice.cell(192, 150);
    assert!(land.inside[middle] && !land.inside[land.lattice.cell(5, 5)]);
    assert!(land.road.cells.iter().any(|&road| road > 0.5));
    assert!(land.wood.cells.iter().any(|&wood| wood > 0.1));
}

fn noise(width: u32, height: u32, share: f32) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).expect("sides"));
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        if crate::noise::lattice(x as i32, y as i32, 77) < share {
            grid.set_open(cell, false);
        }
    }
    grid
}

#[test]
fn noise_has_no_walls() {
    for share in [0.05, 0.15, 0.25] {
        let grid = noise(300, 260, share);
        let land = Land::of(&grid);
        assert!(land.walls.is_empty() && land.towers.is_empty(), "{share}: {} walls", land.walls.len());
        assert!(land.trees.len() > 1000);
        assert_covered("noise", &grid, &land);
    }
}

#[test]
fn rooms_and_mazes_are_walls_without_towers() {
    for kind in [Made::Rooms, Made::Maze] {
        let grid = generate(kind, 200, 200, 3).expect("large enough");
        let land = Land::of(&grid);
        let walls = grid.lattice().cells().filter(|&cell| land.kinds[cell] == Kind::Partition).count();
        let closed = grid.lattice().cells().filter(|&cell| !grid.is_open(cell)).count();
        assert!(walls * 10 >= closed * 9, "{kind}: {walls} of {closed}");
        assert!(land.towers.is_empty() && land.breaches.is_empty(), "{kind}");
    }
}

#[test]
fn water_of_the_map_is_water() {
    let grid = load("castle.txt");
    let land = Land::of(&grid);
    for cell in grid.lattice().cells() {
        assert_eq!(land.kinds[cell] == Kind::Water, grid.is_water(cell));
    }
    assert!(land.towers.len() >= 10, "{}", land.towers.len());
}

#[test]
fn maps_without_closed_or_without_open_cells_have_a_land() {
    for side in [1, 2, 40] {
        let lattice = Lattice::new(side, side, 1.0).expect("sides");
        let land = Land::of(&Grid::open_plain(lattice));
        assert!(land.walls.is_empty() && land.trees.is_empty());
        let grid = Grid::closed(lattice);
        assert_covered("closed", &grid, &Land::of(&grid));
    }
}

/// Opens or closes the cells of a square and has the land follow.
fn brush(grid: &mut Grid, land: &mut Land, (x, y): (u32, u32), side: u32, open: bool) -> Vec<(Vec2, Vec2)> {
    let lattice = grid.lattice();
    let cells = (y..y + side).flat_map(|y| (x..x + side).map(move |x| (x, y)));
    let cells = cells.filter_map(|(x, y)| lattice.checked_cell(i64::from(x), i64::from(y)));
    let edits: Vec<Edit> = cells.map(|cell| if open { Edit::Open(cell) } else { Edit::Close(cell) }).collect();
    let mut dirty = Vec::new();
    grid.edit(&edits, &mut dirty);
    land.edit(grid, &dirty)
}

#[test]
fn a_wall_that_is_opened_has_a_breach_until_it_is_closed() {
    let mut grid = load("fortress.map");
    let mut land = Land::of(&grid);
    let before = land.breaches.len();
    // In the upper wall between two towers.
    let y = (90..140).find(|&y| land.kinds[grid.lattice().cell(235, y)] == Kind::Wall).expect("a wall");
    let boxes = brush(&mut grid, &mut land, (233, y), 5, true);
    // One in the opening, and the ends of the wall on both sides of it.
    assert!((before + 1..=before + 3).contains(&land.breaches.len()), "{before} {}", land.breaches.len());
    let middle = Vec2::new(235.5, y as f32 + 2.0);
    assert!(boxes.iter().any(|&(low, high)| middle.cmpge(low).all() && middle.cmple(high).all()), "{boxes:?}");
    assert_covered("breached", &grid, &land);
    brush(&mut grid, &mut land, (233, y), 5, false);
    assert_eq!(land.breaches.len(), before);
    assert_covered("closed", &grid, &land);
}

#[test]
fn a_land_that_follows_edits_covers_what_is_closed() {
    for name in ["fortress.map", "town.map", "caverns.map"] {
        let mut grid = load(name);
        let mut land = Land::of(&grid);
        let side = grid.lattice().width;
        for step in 0..60_i32 {
            let random = |what| crate::noise::lattice(step, what, 9);
            let at = ((random(0) * side as f32) as u32, (random(1) * side as f32) as u32);
            brush(&mut grid, &mut land, at, 5, step % 3 != 0);
        }
        assert_covered(name, &grid, &land);
        let fresh = Land::of(&grid);
        assert_eq!(land.clearance, fresh.clearance, "{name}");
        for cell in grid.lattice().cells() {
            assert_eq!(land.kinds[cell] == Kind::Open, grid.is_open(cell), "{name}");
        }
    }
}

#[test]
fn what_changes_lies_in_the_rectangles() {
    let mut grid = load("fortress.map");
    let mut land = Land::of(&grid);
    for step in 0..20_i32 {
        let before = drawn(&land);
        let random = |what| crate::noise::lattice(step, what, 4);
        let at = (100 + (random(0) * 150.0) as u32, 100 + (random(1) * 150.0) as u32);
        let boxes = brush(&mut grid, &mut land, at, 5, step % 2 == 0);
        for ((cell, before), after) in grid.lattice().cells().zip(before).zip(drawn(&land)) {
            let middle = grid.lattice().centre(cell);
            let inside = boxes.iter().any(|&(low, high)| middle.cmpge(low).all() && middle.cmple(high).all());
            assert!(before == after || inside, "{at:?}: {middle} is not in {boxes:?}");
        }
    }
}

#[test]
fn equal_maps_give_equal_lands() {
    let grid = load("town.map");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    assert!(one.install(|| Land::of(&grid)) == Land::of(&grid));
}
