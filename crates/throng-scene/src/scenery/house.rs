//! The colours of houses: roofs of straw, shingles, tiles or slates over plaster and timber.

use super::colours::Colour;
use super::colours::{PLASTER, ROOFS, TIMBER, mix, times};
use super::heights::Roof;
use super::spot::Spot;
use super::step::step;
use crate::noise::{lattice, split};
use throng_grid::geom::Vec2;

/// A face's normal towards the south, or a roof's gradient; and the metres along the wall.
pub(super) fn slope(roof: &Roof, foot: Vec2, is_face: bool) -> (Vec2, f32) {
    let wing = &roof.wing;
    let across = wing.along.perp();
    let offset = foot - wing.centre;
    let (u, v) = (offset.dot(wing.along), offset.dot(across));
    if !is_face {
        return (across * (-roof.pitch * v.signum()), 0.0);
    }
    let is_gable = wing.half_length - u.abs() < wing.half_width + 0.05 - v.abs();
    let (normal, side) = if is_gable { (wing.along, v) } else { (across, u) };
    (if normal.y < 0.0 { -normal } else { normal }, side)
}

/// The colour of a spot of a house.
pub(super) fn colour(roof: &Roof, spot: &Spot) -> Colour {
    if spot.is_face {
        if spot.fine <= 0.0 {
            return PLASTER;
        }
        let beam = split(spot.along / 1.4 + 0.5).1;
        let is_beam = (beam - 0.5).abs() > 0.42 || (spot.up - 1.35).abs() < 0.13 || spot.up > spot.top - 0.3;
        return if is_beam { mix(PLASTER, TIMBER, spot.fine) } else { PLASTER };
    }
    let wing = &roof.wing;
    let offset = spot.foot - wing.centre;
    let (u, v) = (offset.dot(wing.along), offset.dot(wing.along.perp()));
    let (colour, is_straw) = ROOFS[usize::from(roof.look) % ROOFS.len()];
    let mut value = (0.94 + 0.12 * lattice(roof.house as i32 + 5, 0, 12)) * (1.0 + 0.07 * spot.grit);
    if spot.fine > 0.0 {
        let (row, within) = split(v.abs() / if is_straw { 1.15 } else { 0.52 });
        let (tile, _) = split(u / if is_straw { 0.10 } else { 0.48 } + 0.5 * (row & 1) as f32);
        let tone = lattice(tile + 900, row + if v > 0.0 { 900 } else { 0 }, 13) - 0.5;
        let strength = if is_straw { 0.16 } else { 0.22 };
        value *= 1.0 + spot.fine * (strength * tone - 0.24 * step(0.70, 1.0, within));
    }
    if v.abs() < 0.22 {
        value *= 1.16;
    }
    if wing.half_width - v.abs() < 0.3 || wing.half_length - u.abs() < 0.28 {
        value *= 0.86;
    }
    times(colour, value)
}
