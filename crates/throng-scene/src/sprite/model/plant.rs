//! Trees and tufts of grass.

use super::at;
use crate::noise::lattice;
use crate::sprite::material::{LEATHER, Material};
use crate::sprite::primitive::Model;
use core::f32::consts::TAU;
use throng_grid::geom::Vec3;

/// Random numbers in a row.
pub(super) struct Dice {
    seed: u32,
    thrown: i32,
}

impl Dice {
    pub(super) const fn new(seed: u32) -> Self {
        Self { seed, thrown: 0 }
    }

    /// A number of `low` to `high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.thrown += 1;
        low + (high - low) * lattice(self.thrown, 0, self.seed)
    }

    /// A number of the normal distribution (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> f32 {
        let radius = (-2.0 * libm::logf(self.between(1e-6, 1.0))).sqrt();
        radius * libm::cosf(self.between(0.0, TAU))
    }
}

fn scaled(colour: [f32; 3], by: f32) -> Material {
    Material::plain(colour.map(|channel| channel * by))
}

/// A tree whose crown has a radius of about 2 m: balls of leaves around a flattened ball. Every fifth one is a fir.
pub fn tree(variant: u32) -> Model {
    let mut dice = Dice::new(variant.wrapping_mul(7919).wrapping_add(11));
    if variant % 5 == 4 { fir(&mut dice) } else { broadleaf(variant, &mut dice) }
}

fn fir(dice: &mut Dice) -> Model {
    let mut out = Model::default();
    out.cone([0.0, 0.0, 0.0, 0.18, 0.0, 0.0, 1.2, 0.16], LEATHER);
    out.cone([0.0, 0.0, 1.6, 1.0, 0.0, 0.0, 5.6, 0.1], Material::plain([0.21, 0.29, 0.15]));
    // Boughs that hang down, the lower the longer, all around by the golden angle.
    for i in 0..34_u8 {
        let z = (f32::from(i) + dice.between(0.0, 0.8)) / 34.0;
        let angle = f32::from(i) * 2.399_963_2 + dice.between(-0.3, 0.3);
        let reach = 1.75 * (1.0 - z) * dice.between(0.75, 1.05) + 0.08;
        let (x, y) = (reach * libm::cosf(angle), reach * libm::sinf(angle));
        let green = scaled([0.20, 0.28, 0.15], (0.8 + 0.55 * z) * dice.between(0.9, 1.1));
        let up = z * 4.2;
        let end = at(x, y, 0.9 + up);
        out.between(at(0.4 * x, 0.4 * y, 1.3 + up), 0.42 * (1.1 - z), end, 0.26 * (1.15 - z), green);
    }
    out
}

fn broadleaf(variant: u32, dice: &mut Dice) -> Model {
    let hue = [[0.30, 0.37, 0.15], [0.36, 0.40, 0.17], [0.26, 0.35, 0.17], [0.42, 0.42, 0.18]][variant as usize % 4];
    let mut out = Model::default();
    out.cone([0.0, 0.0, 0.0, 0.24, 0.0, 0.0, 1.8, 0.2], LEATHER).ball(at(0.0, 0.0, 2.8), 1.4, scaled(hue, 0.7));
    for _ in 0..34 {
        let way = at(dice.normal(), dice.normal(), dice.normal());
        let way = way / way.length().max(1e-3);
        let centre = way * Vec3::new(1.5, 1.5, 1.15) * dice.between(0.65, 1.0) + at(0.0, 0.0, 2.9);
        let light = 0.82 + 0.16 * way.z + dice.between(-0.08, 0.10);
        out.ball(centre, dice.between(0.42, 0.68), scaled(hue, light));
    }
    out
}

/// A tuft of grass; every fourth one has a flower.
pub fn tuft(variant: u32) -> Model {
    let mut dice = Dice::new(variant.wrapping_mul(6151).wrapping_add(83));
    let green = [[0.54, 0.58, 0.28], [0.62, 0.59, 0.33], [0.46, 0.54, 0.26], [0.66, 0.60, 0.37]][variant as usize % 4];
    let mut out = Model::default();
    let mut first = Vec3::ZERO;
    for blade in 0..9 {
        let (x, y) = (0.16 * dice.normal(), 0.16 * dice.normal());
        let end = at(x * 1.5, y * 1.5, dice.between(0.22, 0.48));
        out.between(at(x * 0.5, y * 0.5, 0.0), 0.035, end, 0.012, scaled(green, dice.between(0.85, 1.2)));
        if blade == 0 {
            first = at(end.x, end.y, 0.4);
        }
    }
    if variant % 4 == 1 {
        out.ball(first, 0.05, Material::plain([0.92, 0.86, 0.55]));
    }
    out
}
