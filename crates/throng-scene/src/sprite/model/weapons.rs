//! What soldiers hold.

use super::at;
use crate::sprite::material::{ARMY, BLADE, GOLD, IRON, LEATHER, LINEN, Material, STEEL, WOOD};
use crate::sprite::primitive::{Model, Shape};
use throng_grid::geom::Vec3;

/// A sword of this length (m) in a hand, pointing along `way`.
pub fn sword(hand: Vec3, way: Vec3, length: f32) -> Model {
    let way = way.normalize();
    let side = way.cross(at(0.3, 0.2, 1.0)).normalize() * 0.13;
    let along = |t: f32| hand + way * t;
    let mut out = Model::default();
    out.between(along(-0.14), 0.03, along(0.06), 0.03, LEATHER).ball(along(-0.16), 0.035, GOLD);
    out.between(along(0.07) + side, 0.026, along(0.07) - side, 0.026, GOLD);
    out.between(along(0.1), 0.05, along(length), 0.026, BLADE);
    out
}

/// A club shod with iron.
pub fn club(hand: Vec3, way: Vec3) -> Model {
    let way = way.normalize();
    let along = |t: f32| hand + way * t;
    let mut out = Model::default();
    out.between(along(-0.15), 0.045, along(0.5), 0.10, WOOD).between(along(0.45), 0.10, along(0.72), 0.14, WOOD);
    out.ball(along(0.6), 0.165, IRON);
    out
}

/// A spear that reaches `fore` and `aft` of the hand (m).
pub fn spear(hand: Vec3, way: Vec3, fore: f32, aft: f32) -> Model {
    let way = way.normalize();
    let mut out = Model::default();
    out.between(hand - way * aft, 0.032, hand + way * fore, 0.028, WOOD);
    out.between(hand + way * fore, 0.065, hand + way * (fore + 0.28), 0.012, BLADE);
    out
}

/// A bow held at `grip`, aimed along `aim`, drawn by 0 to 1; drawn, it has an arrow on it.
pub fn bow(grip: Vec3, aim: Vec3, drawn: f32) -> Model {
    let aim = aim.normalize();
    let up = aim.cross(Vec3::Y).normalize();
    let up = if up.z > 0.0 { up } else { -up };
    let points = [-1.0_f32, -0.6, -0.2, 0.2, 0.6, 1.0]
        .map(|t| grip + up * (t * (0.72 - 0.12 * drawn)) - aim * ((0.30 + 0.22 * drawn) * t * t));
    let nock = grip - aim * (0.30 + 0.55 * drawn);
    let mut out = Model::default();
    for (&a, &b) in points.iter().zip(&points[1..]) {
        out.between(a, 0.036, b, 0.036, WOOD);
    }
    for tip in [points[0], points[5]] {
        out.between(tip, 0.012, nock, 0.012, LINEN);
    }
    if drawn > 0.2 {
        out.between(nock, 0.018, grip + aim * 0.22, 0.018, LINEN).ball(grip + aim * 0.25, 0.035, STEEL);
    }
    out
}

/// A round shield of wood that looks along `way`, with a boss of steel.
pub fn round_shield(centre: Vec3, way: Vec3) -> Model {
    let (way, u, v) = facing(way);
    let mut out = Model::default();
    out.plate(centre, [u * 0.36, v * 0.36], Shape::Disc, WOOD);
    out.plate(centre + way * 0.02, [u * 0.31, v * 0.31], Shape::Disc, ARMY).ball(centre + way * 0.04, 0.09, STEEL);
    out
}

/// A kite shield that looks along `way`, with a cross.
pub fn kite_shield(centre: Vec3, way: Vec3) -> Model {
    let (way, u, v) = facing(way);
    let mut out = Model::default();
    let layer = |out: f32, up: f32, u: Vec3, v: Vec3, shape: Shape, material: Material| {
        (centre + way * out + at(0.0, 0.0, up), [u, v], shape, material)
    };
    for (middle, axes, shape, material) in [
        layer(0.0, 0.0, u * 0.36, v * -0.50, Shape::Kite, LINEN),
        layer(0.02, 0.0, u * 0.30, v * -0.44, Shape::Kite, ARMY),
        layer(0.03, 0.0, u * 0.055, v * 0.40, Shape::Rectangle, LINEN),
        layer(0.03, 0.1, u * 0.28, v * 0.05, Shape::Rectangle, LINEN),
    ] {
        out.plate(middle, axes, shape, material);
    }
    out
}

/// The unit vector along `way`, and two across it: to the side and upwards.
fn facing(way: Vec3) -> (Vec3, Vec3, Vec3) {
    let way = way.normalize();
    let u = way.cross(Vec3::Z).normalize();
    (way, u, way.cross(u))
}
