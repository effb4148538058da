//! A map by hand, and all about it: `cargo run --release --example first_map`.
//!
//! It prints the clearance of each cell, asks which cells see each other and where a cart fits, saves the map and loads
//! it again. Then it generates a map of each kind.

use throng_grid::generate::{Kind, generate};
use throng_grid::{Grid, Ground, Lattice, LineOfSight};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A yard of 24 m x 8 m in cells of 0.5 m. A wall parts it, with a gate of 1.5 m in the middle.
    let mut grid = Grid::open_plain(Lattice::new(48, 16, 0.5)?);
    let lattice = grid.lattice();
    for y in (0..lattice.height).filter(|y| !(7..10).contains(y)) {
        grid.set_open(lattice.cell(24, y), false);
    }

    println!("The distance (m) from the centre of each cell to the nearest wall; # is a wall:");
    for y in 0..lattice.height {
        let glyph = |x| {
            let cell = lattice.cell(x, y);
            let metres = grid.clearance()[cell] as u32;
            if grid.is_open(cell) { char::from_digit(metres, 10).unwrap_or('+') } else { '#' }
        };
        println!("  {}", (0..lattice.width).map(glyph).collect::<String>());
    }

    // A ground is the map as one size of body sees it.
    let (west, east, gate) = (lattice.cell(6, 3), lattice.cell(40, 3), lattice.cell(24, 8));
    println!("\nWhere a body fits, and whether it gets from the west of the yard to the east:");
    for (name, radius) in [("person", 0.3), ("cart", 1.0)] {
        let ground = Ground::new(grid.clone().into(), radius)?;
        let cells = lattice.cells().filter(|&cell| ground.is_passable(cell)).count();
        let crosses = ground.region(west) == ground.region(east);
        println!("  {name:6} of radius {radius} m: {cells} cells, {}", if crosses { "it does" } else { "it does not" });
    }

    let ground = Ground::new(grid.clone().into(), 0.3)?;
    let sight = LineOfSight::new(&ground);
    let sees = |a, b| if sight.sees(a, b) { "clear" } else { "blocked" };
    println!("\nStraight lines: west to east {}, west to gate {}.", sees(west, east), sees(west, gate));

    // The text format keeps the size of the cells; a Moving AI map (`save_map`) does not.
    let file = std::env::temp_dir().join(format!("throng-first-map-{}.txt", std::process::id()));
    grid.save_ascii(&file)?;
    let bytes = std::fs::metadata(&file)?.len();
    let same = Grid::load(&file)? == grid;
    std::fs::remove_file(&file)?;
    println!("Saved in {bytes} bytes and loaded: {}.", if same { "the same map" } else { "another map" });

    println!("\nGenerated maps of 256 x 256 cells of 1 m, seed 7:");
    println!("  {:10}{:>12}{:>10}{:>22}", "kind", "open cells", "regions", "widest clearance (m)");
    for kind in Kind::ALL {
        let ground = Ground::new(generate(kind, 256, 256, 7)?.into(), 0.4)?;
        let grid = ground.grid();
        let widest = grid.clearance().cells.iter().fold(0.0_f32, |widest, &metres| widest.max(metres));
        println!("  {:10}{:12}{:10}{widest:22.1}", kind.name(), grid.open_cells(), ground.region_count());
    }
    Ok(())
}
