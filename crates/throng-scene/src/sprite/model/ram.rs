//! The battering ram: a trunk with a head of iron, under a roof on four wheels.

use super::at;
use crate::sprite::material::{ARMY, DARK, HIDE, IRON, PLANK, WOOD};
use crate::sprite::pose::Act;
use crate::sprite::primitive::{Model, Shape};

/// The ram in a pose. Walking turns its wheels, striking swings its trunk.
pub(crate) fn ram(act: Act) -> Model {
    let (reach, spin) = match act {
        Act::Fallen(_) => return wreck(),
        Act::Strike(i) => ([-0.5, 0.2, 0.75, 0.1][usize::from(i)], 0.0),
        // A wheel of three spokes is the same after a third of a turn.
        Act::Walk(step) => (0.0, f32::from(step) * (core::f32::consts::TAU / 18.0)),
        Act::Shoot(_) | Act::Stand => (0.0, 0.0),
    };
    let mut out = Model::default();
    out.cone([-1.9 + reach, 0.0, 0.95, 0.22, 2.35 + reach, 0.0, 0.95, 0.22], WOOD);
    out.cone([2.35 + reach, 0.0, 0.95, 0.30, 2.75 + reach, 0.0, 0.95, 0.2], IRON);
    for s in [-1.0, 1.0] {
        for x in [-1.2, 1.2] {
            out.join(wheel(x, s, spin));
            out.cone([x * 1.3, s * 0.85, 0.5, 0.09, x * 1.3, s * 0.85, 1.6, 0.08], PLANK);
        }
        for i in 0..8_u8 {
            let material = match i {
                1 | 4 | 7 => ARMY,
                i if i % 2 == 1 => HIDE,
                _ => PLANK,
            };
            let centre = at(-1.84 + f32::from(i) * 0.525, s * 0.56, 1.86);
            out.plate(centre, [at(0.25, 0.0, 0.0), at(0.0, s * 0.60, -0.46)], Shape::Rectangle, material);
        }
        out.cone([-2.1, s * 1.12, 1.42, 0.06, 2.1, s * 1.12, 1.42, 0.06], WOOD);
    }
    out.cone([-2.15, 0.0, 2.32, 0.09, 2.15, 0.0, 2.32, 0.09], WOOD);
    out.cone([-1.7, 0.0, 2.3, 0.03, -1.75, 0.0, 3.2, 0.03], WOOD);
    out.plate(at(-2.1, 0.0, 3.0), [at(-0.38, 0.05, 0.0), at(0.0, 0.0, 0.2)], Shape::Flag, ARMY);
    out
}

/// A wheel of three spokes.
fn wheel(x: f32, side: f32, spin: f32) -> Model {
    let mut out = Model::default();
    for (y, radius, material) in [(0.98, 0.5, DARK), (1.0, 0.40, WOOD)] {
        out.plate(at(x, side * y, 0.5), [at(radius, 0.0, 0.0), at(0.0, 0.0, radius)], Shape::Disc, material);
    }
    for spoke in [0.0, 1.0, 2.0] {
        let angle = spin + spoke * (core::f32::consts::TAU / 3.0);
        let rim = at(x + 0.4 * libm::cosf(angle), side * 1.02, 0.5 + 0.4 * libm::sinf(angle));
        out.between(at(x, side * 1.02, 0.5), 0.04, rim, 0.04, DARK);
    }
    out
}

/// What is left of it.
fn wreck() -> Model {
    let mut out = Model::default();
    out.cone([-1.6, -0.6, 0.15, 0.12, 1.5, -0.3, 0.2, 0.1], DARK);
    out.cone([-1.4, 0.5, 0.2, 0.14, 1.8, 0.2, 0.25, 0.16], WOOD);
    out.ball(at(1.8, 0.2, 0.3), 0.26, IRON);
    out.plate(at(0.0, 0.2, 0.35), [at(1.4, 0.2, 0.1), at(0.1, 0.8, 0.3)], Shape::Rectangle, HIDE);
    out.plate(at(-0.9, -0.9, 0.3), [at(0.5, 0.0, 0.1), at(0.0, 0.45, 0.25)], Shape::Disc, DARK);
    out.plate(at(1.0, 0.9, 0.1), [at(0.5, 0.0, 0.0), at(0.0, 0.5, 0.0)], Shape::Disc, WOOD);
    out
}
