//! Stones, and what stands in yards: barrels, crates, logs.

use super::at;
use super::plant::Dice;
use crate::sprite::material::{IRON, LEATHER, Material, PLANK, WOOD};
use crate::sprite::primitive::{Model, Shape};

/// A stone with a pebble beside it.
pub fn stone(variant: u32) -> Model {
    let mut dice = Dice::new(variant.wrapping_mul(9173).wrapping_add(29));
    let (a, b) = (dice.between(0.06, 0.16), dice.between(0.06, 0.16));
    let mut out = Model::default();
    out.cone([0.0, 0.0, 0.02, a, b - 0.06, 0.05, 0.05, b], Material::plain([0.56, 0.53, 0.46]));
    out.ball(at(0.3, 0.12, 0.02), 0.06, Material::plain([0.5, 0.47, 0.41]));
    out
}

/// A barrel at a place (m).
pub fn barrel(x: f32, y: f32) -> Model {
    let mut out = Model::default();
    out.cone([x, y, 0.1, 0.27, x, y, 0.45, 0.33], PLANK).cone([x, y, 0.45, 0.33, x, y, 0.78, 0.27], PLANK);
    out.cone([x, y, 0.30, 0.335, x, y, 0.34, 0.335], IRON).cone([x, y, 0.62, 0.325, x, y, 0.66, 0.32], IRON);
    out.plate(at(x, y, 1.06), [at(0.24, 0.0, 0.0), at(0.0, 0.24, 0.0)], Shape::Disc, WOOD);
    out
}

/// Six logs in a pile.
pub fn logs() -> Model {
    let mut out = Model::default();
    for (x, y, z, material) in [
        (0.0, 0.0, 0.14, LEATHER),
        (0.05, 0.3, 0.14, LEATHER),
        (-0.05, 0.6, 0.14, WOOD),
        (0.0, 0.15, 0.4, LEATHER),
        (0.06, 0.45, 0.4, WOOD),
        (0.0, 0.3, 0.64, LEATHER),
    ] {
        out.cone([x - 0.6, y, z, 0.15, x + 0.6, y, z, 0.15], material);
    }
    out
}

/// A crate with a batten.
pub fn crate_box() -> Model {
    let (along, across, up) = (at(0.4, 0.06, 0.0), at(-0.06, 0.4, 0.0), at(0.0, 0.0, 0.4));
    let mut out = Model::default();
    out.plate(at(0.0, 0.0, 0.8), [along, across], Shape::Rectangle, PLANK);
    out.plate(across + up, [along, up], Shape::Rectangle, WOOD);
    out.plate(along + up, [across, up], Shape::Rectangle, WOOD);
    out.plate(at(-0.06, 0.41, 0.4), [along, at(0.0, 0.0, 0.06)], Shape::Rectangle, LEATHER);
    out
}

/// What stands along houses: barrels, logs, crates.
pub fn yard() -> Vec<Model> {
    let together = |mut a: Model, b: Model| {
        a.join(b);
        a
    };
    vec![
        barrel(0.0, 0.0),
        together(barrel(0.0, 0.0), barrel(0.7, 0.15)),
        logs(),
        crate_box(),
        together(crate_box(), barrel(0.85, 0.1)),
        together(logs(), crate_box().moved(at(1.2, 0.2, 0.0))),
    ]
}
