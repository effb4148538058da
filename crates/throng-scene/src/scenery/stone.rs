//! The colours of stone, of the roofs of towers, of hedges and of rock.

use super::colours::{
    CAP, CONE, CUT, Colour, DRY, GRASS, HEDGE, LEAD, LUSH, MOSS, PANEL, PLASTER, ROCK, STONE, mix, times,
};
use super::heights::Material;
use super::raise::turn;
use super::spot::Spot;
use super::step::{seam, step};
use crate::land::Tower;
use crate::noise::{lattice, split};
use throng_grid::geom::Vec2;

/// The colour of a spot of a tower; says how far along its face it is.
pub(super) fn tower(tower: &Tower, offset: Vec2, distance: f32, spot: &mut Spot) -> Colour {
    let is_roof = spot.material == Material::Cone && !spot.is_face;
    if spot.fine > 0.0 && (is_roof || spot.is_face) {
        spot.along = turn(offset) * tower.disc.radius + 40.0;
    }
    if is_roof {
        let (ring, within) = split(distance / 0.45);
        let mut value = 1.0 + 0.08 * spot.grit;
        if spot.fine > 0.0 {
            let (shingle, _) = split((spot.along - 40.0) / 0.5 + 0.5 * (ring & 1) as f32);
            let tone = lattice(shingle + 400, ring + 70, 15) - 0.5;
            value += spot.fine * (0.22 * tone - 0.25 * step(0.6, 1.0, within));
        }
        return times(CONE, value);
    }
    colour(spot)
}

/// The colour of a spot of a wall, a hedge or a rock.
pub(super) fn colour(spot: &Spot) -> Colour {
    let grit = spot.grit;
    match spot.material {
        Material::Rim | Material::BlockRim | Material::Crown if !spot.is_face => times(CAP, 1.0 + 0.08 * grit),
        Material::Plain if !spot.is_face => times(CAP, 0.90 + 0.08 * grit),
        Material::Annex if spot.is_face => times(PLASTER, 0.92 + 0.05 * grit),
        Material::Annex => times(LEAD, 1.0 + 0.10 * grit),
        Material::Panel if spot.is_face => times(PANEL, 1.0 + 0.03 * grit),
        Material::Panel => CUT,
        Material::Hedge => times(HEDGE, 1.0 + 0.35 * grit),
        Material::Rock => times(ROCK, 1.0 + 0.2 * grit),
        Material::Cliff => cliff(spot),
        Material::Loose => times(stone(spot), 0.86 + 0.25 * grit),
        _ if spot.is_face => wall(spot),
        _ => times(stone(spot), 0.86 * (1.0 + spot.fine * 0.14 * flags(spot))),
    }
}

fn stone(spot: &Spot) -> Colour {
    let share = (0.5 + 0.6 * spot.spots).clamp(0.0, 1.0);
    times(mix(STONE[0], STONE[1], share), 1.0 + 0.06 * spot.grit)
}

/// Courses of blocks, and moss at the foot.
fn wall(spot: &Spot) -> Colour {
    let up = spot.up;
    let mut value = 1.0 + (1.0 - spot.fine) * 0.05 * wave(up * 0.38);
    if spot.fine > 0.0 {
        let (course, within) = split(up / 0.52);
        let shift = 0.5 * (course & 1) as f32 + 0.12 * lattice(course + 9, 3, 2);
        let (block, beside) = split(spot.along / 1.05 + shift);
        let tone = lattice(block + 4000, course + 40, 3) - 0.5;
        value += spot.fine * (0.20 * tone - 0.30 * seam(within, 0.08).max(seam(beside, 0.06)));
    }
    let moss = 0.34 * step(2.4, 0.0, up + 1.1 * spot.spots) * step(-0.3, 0.5, spot.grit);
    mix(times(stone(spot), value), MOSS, moss)
}

/// Flagstones: their tone and the lines between them.
fn flags(spot: &Spot) -> f32 {
    if spot.fine <= 0.0 {
        return 0.0;
    }
    let ((column, u), (row, v)) = (split(spot.foot.x / 0.9), split(spot.foot.y / 0.7));
    lattice(column + 700, row + 700, 8) - 0.5 - seam(u, 0.07).max(seam(v, 0.08))
}

/// Layers of rock on the sides, grass in the hollows of the top.
fn cliff(spot: &Spot) -> Colour {
    let rock = times(ROCK, 0.96 + 0.18 * spot.grit);
    if spot.is_face {
        return times(rock, 0.98 + 0.07 * wave(spot.up * 0.9 + 0.8 * spot.spots + 0.25 * spot.grit));
    }
    let flat = step(0.60, 0.76, spot.light) * step(0.97, 0.85, spot.light);
    let grass = mix(mix(LUSH, GRASS, 0.5 + 0.5 * spot.grit), DRY, step(0.0, 0.8, spot.spots));
    mix(rock, grass, 0.85 * flat * step(-0.35, 0.15, spot.spots - 0.5 * spot.grit + 0.1))
}

/// A wave of -1 to 1 that repeats at whole numbers, of two parabolas.
fn wave(x: f32) -> f32 {
    let t = split(x).1 * 2.0 - 1.0;
    -4.0 * t * (1.0 - t.abs())
}
