//! The map as it is recorded: cell by cell, row by row.

use super::bytes::{Bytes, Fault};
use super::pack::{Effort, Packer, unpack};
use throng_grid::{Grid, Lattice};

/// Layers beside the walls.
const TERRAIN: u8 = 1;
const HEIGHTS: u8 = 2;

pub(super) fn write(grid: &Grid, packer: &mut Packer, out: &mut Vec<u8>) {
    let lattice = grid.lattice();
    out.extend(lattice.width.to_le_bytes());
    out.extend(lattice.height.to_le_bytes());
    out.extend(lattice.cell_size.to_le_bytes());
    out.extend(grid.revision().to_le_bytes());
    let terrain = grid.terrain_layer().map(|layer| lattice.cells().map(|cell| layer[cell]).collect::<Vec<_>>());
    let heights =
        grid.height_layer().map(|layer| lattice.cells().flat_map(|cell| layer[cell].to_le_bytes()).collect::<Vec<_>>());
    let layers = if terrain.is_some() { TERRAIN } else { 0 } | if heights.is_some() { HEIGHTS } else { 0 };
    out.push(layers);
    let mut open = vec![0; (lattice.width as usize * lattice.height as usize).div_ceil(8)];
    for (place, cell) in lattice.cells().enumerate() {
        open[place / 8] |= u8::from(grid.is_open(cell)) << (place % 8);
    }
    for layer in [Some(open), terrain, heights].iter().flatten() {
        packer.pack(layer, Effort::Repetitions, out);
    }
}

pub(super) fn read(mut bytes: Bytes) -> Result<Grid, Fault> {
    let (width, height) = (bytes.u32()?, bytes.u32()?);
    let cell_size = f32::from_bits(bytes.u32()?);
    let revision = bytes.u32()?;
    let layers = bytes.byte()?;
    let lattice = Lattice::new(width, height, cell_size).map_err(|error| error.to_string())?;
    if layers > TERRAIN | HEIGHTS {
        return Err(format!("there are no layers {layers:#x}"));
    }
    let cells = width as usize * height as usize;
    let mut column = Vec::new();
    let mut layer = |length: usize| {
        unpack(&mut bytes, &mut column)?;
        if column.len() != length {
            return Err(format!(
                "a map of {width} x {height} cells has a layer of {} bytes, expected {length}",
                column.len()
            ));
        }
        Ok(std::mem::take(&mut column))
    };
    let open = layer(cells.div_ceil(8))?;
    let classes = if layers & TERRAIN == 0 { None } else { Some(layer(cells)?) };
    let heights = if layers & HEIGHTS == 0 { None } else { Some(layer(cells * 2)?) };
    bytes.end()?;
    let mut grid = Grid::closed(lattice);
    for (place, cell) in lattice.cells().enumerate() {
        if open[place / 8] >> (place % 8) & 1 == 1 {
            grid.set_open(cell, true);
        }
        if let Some(classes) = &classes {
            grid.set_terrain(cell, classes[place]);
        }
        if let Some(heights) = &heights {
            grid.set_height(cell, u16::from_le_bytes([heights[2 * place], heights[2 * place + 1]]));
        }
    }
    Ok(grid.at_revision(revision, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_comes_back() {
        let mut grid = Grid::open_plain(Lattice::new(21, 7, 0.5).unwrap());
        for (x, y) in [(0, 0), (20, 6), (3, 4)] {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
        let check = |grid: &Grid, bytes: usize| {
            let mut out = Vec::new();
            write(grid, &mut Packer::new(), &mut out);
            assert!(out.len() <= bytes, "{}", out.len());
            let back = read(Bytes(&out)).unwrap();
            assert_eq!((&back, back.revision()), (grid, grid.revision()));
            for end in 0..out.len() {
                assert!(read(Bytes(&out[..end])).is_err());
            }
        };
        check(&grid, 40);
        grid.set_terrain(grid.lattice().cell(9, 3), 4);
        check(&grid, 60);
        grid.set_height(grid.lattice().cell(10, 3), 400);
        grid.edit(&[throng_grid::Edit::Close(grid.lattice().cell(5, 5))], &mut Vec::new());
        check(&grid, 80);
    }

    #[test]
    fn a_map_larger_than_its_bytes_is_refused() {
        let mut out = Vec::new();
        write(&Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap()), &mut Packer::new(), &mut out);
        out[..4].copy_from_slice(&16_000_u32.to_le_bytes());
        assert_eq!(read(Bytes(&out)).unwrap_err(), "a map of 16000 x 9 cells has a layer of 11 bytes, expected 18000");
        out[..4].copy_from_slice(&0_u32.to_le_bytes());
        assert_eq!(read(Bytes(&out)).unwrap_err(), "a map needs at least one column and one row, found 0 x 9");
    }
}
