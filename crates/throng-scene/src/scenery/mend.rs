//! Straightened outlines miss the middles of a few cells: there what is open is cleared, and what is closed built up.

use super::frame::Frame;
use super::heights::{AMID, Heights, Material};
use crate::land::{Kind, Land};
use crate::view::FORESHORTENING;
use throng_grid::geom::Vec2;

/// One can step over what is not higher (m).
pub(super) const STEP: f32 = 0.45;

/// What stands is at least so high (m).
pub(super) const MIN_BUILT_HEIGHT_M: f32 = 0.3;

/// The middles of the cells under a frame, and their kinds. O(cells under it).
pub(super) fn cells(land: &Land, frame: Frame) -> impl Iterator<Item = (Vec2, Kind)> {
    let lattice = land.lattice;
    let [west, north, east, south] = frame.bounds();
    let index = |v: f32, most: u32| (v / lattice.cell_size).clamp(0.0, most as f32) as u32;
    let columns = index(west, lattice.width)..index(east + lattice.cell_size, lattice.width);
    let rows = index(north, lattice.height)..index(south + lattice.cell_size, lattice.height);
    rows.flat_map(move |row| {
        columns.clone().map(move |column| {
            let cell = lattice.cell(column, row);
            (lattice.centre(cell), land.kinds[cell])
        })
    })
}

/// Whether something stands in the cells under a frame for which a thing may have to be built.
pub(super) fn any_closed(land: &Land, frame: Frame) -> bool {
    cells(land, frame).any(|(_, kind)| !matches!(kind, Kind::Open | Kind::Water | Kind::Tree))
}

/// The spot that a point (m) is in, if that is in the frame.
pub(super) fn spot(frame: Frame, at: Vec2) -> Option<[i32; 2]> {
    let at = (at * Vec2::new(frame.scale, frame.scale * FORESHORTENING)).floor();
    let (column, row) = (at.x as i32 - frame.x, at.y as i32 - frame.y);
    let is_inside = (0..frame.width).contains(&column) && (0..frame.height).contains(&row);
    is_inside.then_some([column, row])
}

/// Points around the middle of a cell, in halves of its side: it is misread where all of them are.
pub(super) const AROUND: [Vec2; 5] =
    [Vec2::ZERO, Vec2::new(-0.6, 0.0), Vec2::new(0.6, 0.0), Vec2::new(0.0, -0.6), Vec2::new(0.0, 0.6)];

/// Whether the middle of a cell is built on though the cell is open, or bare though it is closed. A cell that looks so in a
/// part only is left as it is: towers stay round. Roofs may reach over the corner of a yard.
pub(super) fn is_misread(heights: &Heights, at: Vec2, half: f32, is_open: bool) -> bool {
    AROUND.iter().filter_map(|&offset| spot(heights.frame, at + offset * half)).all(|[column, row]| {
        let at = heights.at(column, row);
        let z = heights.z[at];
        if is_open { z > STEP && heights.material[at] != Material::Home } else { z < MIN_BUILT_HEIGHT_M }
    })
}

/// Clears and builds up. O(cells under the frame, and spots that are changed).
pub(super) fn mend(heights: &mut Heights, land: &Land) {
    let half = land.lattice.cell_size * 0.5;
    let frame = heights.frame;
    for (at, kind) in cells(land, frame) {
        let Some([column, row]) = spot(frame, at) else { continue };
        let is_open = kind == Kind::Open;
        if matches!(kind, Kind::Water | Kind::Tree) || !is_misread(heights, at, half, is_open) {
            continue;
        }
        let (material, high) = match kind {
            Kind::Open => (Material::Nothing, 0.0),
            Kind::House | Kind::Block => (Material::Annex, 2.1),
            Kind::Partition if land.is_building => (Material::Panel, land.partition_height),
            Kind::Partition => (Material::Plain, land.partition_height),
            Kind::Hedge => (Material::Hedge, 0.9),
            Kind::Wall | Kind::Rubble => (Material::Loose, 0.8),
            _ => (Material::Rock, 0.9),
        };
        let is_house = |material| matches!(material, Material::Block | Material::BlockRim);
        let is_square = material == Material::Annex
            || matches!(material, Material::Plain | Material::Panel)
            || is_open && is_house(heights.material[heights.at(column, row)]);
        let set = |heights: &mut Heights, at: usize, offset: Vec2| {
            // Stones are round.
            let round = 1.0 - offset.length_squared() / (half * half * 1.5);
            let z = match material {
                Material::Rock | Material::Loose | Material::Hedge => high * round.max(0.35).sqrt(),
                _ => high,
            };
            if is_open || heights.z[at] < z {
                heights.set(at, z, material, if is_open { 0 } else { AMID });
            }
        };
        if is_square {
            heights.square(at, half, |heights, at| set(heights, at, Vec2::ZERO));
        } else {
            heights.disc(at, half, set);
        }
        // At a coarse scale the disc may lie between the spots.
        heights.touch(row, column, column + 1);
        let middle = heights.at(column, row);
        set(heights, middle, Vec2::ZERO);
    }
}
