//! Stones, and what stands in yards: barrels, crates, logs.

use super::at;
use super::plant::Dice;
use crate::sprite::material::{DARK, IRON, LEATHER, Material, PLANK, WOOD};
use crate::sprite::primitive::{Model, Shape};
use core::f32::consts::TAU;

/// A stone with a pebble beside it.
pub fn stone(variant: u32) -> Model {
    let mut dice = Dice::new(variant.wrapping_mul(9173).wrapping_add(29));
    let (a, b) = (dice.between(0.06, 0.16), dice.between(0.06, 0.16));
    let mut out = Model::default();
    out.cone([0.0, 0.0, 0.02, a, b - 0.06, 0.05, 0.05, b], Material::plain([0.56, 0.53, 0.46]));
    out.ball(at(0.3, 0.12, 0.02), 0.06, Material::plain([0.5, 0.47, 0.41]));
    out
}

/// A barrel at a place (m): staves around a lid, and two hoops.
pub fn barrel(x: f32, y: f32) -> Model {
    let mut out = Model::default();
    let around = |radius: f32, z: f32, turn: f32| at(x + radius * libm::cosf(turn), y + radius * libm::sinf(turn), z);
    out.cone([x, y, 0.24, 0.24, x, y, 0.56, 0.24], DARK);
    for stave in 0..STAVES {
        let turn = f32::from(stave) * (TAU / f32::from(STAVES));
        let wood = if stave % 2 == 0 { PLANK } else { WOOD };
        out.between(around(0.22, 0.06, turn), 0.06, around(0.28, 0.42, turn), 0.068, wood);
        out.between(around(0.28, 0.42, turn), 0.068, around(0.22, 0.80, turn), 0.06, wood);
        let next = turn + TAU / f32::from(STAVES);
        for (radius, z) in [(0.298, 0.22), (0.300, 0.63)] {
            out.between(around(radius, z, turn), 0.034, around(radius, z, next), 0.034, IRON);
        }
    }
    out.plate(at(x, y, 0.81), [at(0.22, 0.0, 0.0), at(0.0, 0.22, 0.0)], Shape::Disc, PLANK);
    out
}

/// Staves of a barrel.
const STAVES: u8 = 14;

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

/// A crate of boards in a frame.
pub fn crate_box() -> Model {
    let (along, across, up) = (at(0.4, 0.06, 0.0), at(-0.06, 0.4, 0.0), at(0.0, 0.0, 0.4));
    let mut out = Model::default();
    // Boards of the lid, of the southern and of the eastern side.
    for board in [-0.75_f32, -0.25, 0.25, 0.75] {
        let wood = if board.abs() < 0.5 { PLANK } else { WOOD };
        out.plate(up * 2.0 + across * board, [along, across * 0.22], Shape::Rectangle, wood);
        out.plate(across + up + up * board, [along, up * 0.22], Shape::Rectangle, wood);
        out.plate(along + up + up * board, [across, up * 0.22], Shape::Rectangle, wood);
    }
    // What is seen between the boards.
    for (middle, axes) in
        [(up * 1.97, [along, across]), (across * 0.97 + up, [along, up]), (along * 0.97 + up, [across, up])]
    {
        out.plate(middle, axes, Shape::Rectangle, DARK);
    }
    for (one, two) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let foot = along * one + across * two;
        if one + two > -2.0 {
            out.between(foot + up * 0.1, 0.035, foot + up * 1.98, 0.035, LEATHER);
        }
        out.between(
            along * one * two + across * one + up * 1.98,
            0.035,
            across * one - along * one * two + up * 1.98,
            0.03,
            LEATHER,
        );
        out.between(
            across * one * two + along * one + up * 1.98,
            0.035,
            along * one - across * one * two + up * 1.98,
            0.03,
            LEATHER,
        );
    }
    out.between(along + across + up * 0.1, 0.035, across - along + up * 0.1, 0.035, LEATHER);
    out.between(along + across + up * 0.1, 0.035, along - across + up * 0.1, 0.035, LEATHER);
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
