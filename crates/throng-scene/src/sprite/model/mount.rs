//! Horse and rider.

use super::fallen::fallen;
use super::foot::{arm, chest, head};
use super::weapons::{kite_shield, spear};
use super::{at, swing};
use crate::sprite::material::{ARMY, ARMY_DARK, DARK, HORSE, IRON, LEATHER, MANE};
use crate::sprite::pose::Act;
use crate::sprite::primitive::{Model, Shape};
use throng_sim::battle::Look;

/// A rider in a pose. It walks at a gallop.
pub(crate) fn rider(act: Act) -> Model {
    if let Act::Fallen(i) = act {
        return lying(i);
    }
    let gallop = if let Act::Walk(step) = act { Some(step) } else { None };
    let sine = gallop.map_or(0.0, |step| swing(step).0);
    let up = at(0.0, 0.0, 0.06 * sine);
    let mut out = horse(sine).moved(up);
    out.join(horse_legs(gallop, up.z)).join(man(act, gallop.is_some()).moved(up + at(0.0, 0.0, SADDLE)));
    out
}

/// How much higher the rider sits than a man stands (m).
const SADDLE: f32 = 0.72;

/// The horse without its legs, in a caparison, and the rider's legs.
fn horse(sine: f32) -> Model {
    let mut out = Model::default();
    out.cone([-0.72, 0.0, 1.16, 0.36, 0.55, 0.0, 1.18, 0.33], HORSE);
    out.cone([0.6, 0.0, 1.3, 0.25, 1.08, 0.0, 1.86, 0.15], HORSE);
    out.cone([1.06, 0.0, 1.9, 0.15, 1.46, 0.0, 1.66, 0.095], HORSE);
    for y in [0.07, -0.07] {
        out.cone([1.0, y, 2.0, 0.05, 1.0, y * 1.15, 2.14, 0.02], HORSE);
    }
    out.cone([0.5, 0.0, 1.55, 0.09, 0.98, 0.0, 2.02, 0.075], MANE);
    out.cone([-1.05, 0.0, 1.3, 0.09, -1.45, 0.1 * sine, 0.75, 0.12], MANE);
    out.cone([-0.78, 0.0, 1.14, 0.40, -0.15, 0.0, 1.12, 0.40], ARMY);
    out.cone([-0.85, 0.0, 1.0, 0.37, -0.2, 0.0, 0.95, 0.36], ARMY);
    out.cone([0.45, 0.0, 1.1, 0.37, 0.62, 0.0, 1.06, 0.34], ARMY);
    for y in [-0.24, 0.24] {
        out.cone([-0.88, y, 0.82, 0.16, -0.22, y, 0.80, 0.16], ARMY_DARK);
        out.cone([0.46, y * 0.9, 0.88, 0.16, 0.62, y * 0.9, 0.88, 0.15], ARMY_DARK);
    }
    out.cone([-0.15, 0.0, 1.5, 0.14, 0.25, 0.0, 1.5, 0.12], LEATHER);
    for y in [-0.42, 0.42] {
        out.cone([0.05, y * 0.28, 1.6, 0.13, 0.25, y, 1.25, 0.11], IRON);
        out.cone([0.25, y, 1.25, 0.1, 0.12, y, 0.85, 0.08], DARK);
    }
    out
}

/// Where each leg starts, on which side it is, and by how much its phase is ahead.
const LEGS: [(f32, f32, f32); 4] = [(-0.8, 1.0, 2.2), (-0.8, -1.0, 2.8), (0.6, 1.0, 0.0), (0.6, -1.0, 0.7)];

fn horse_legs(gallop: Option<u8>, bob: f32) -> Model {
    let mut out = Model::default();
    for (x, side, ahead) in LEGS {
        let (stride, lift) = gallop.map_or((0.08 * side, 0.0), |step| {
            let phase = f32::from(step) * (core::f32::consts::TAU / 6.0) + ahead;
            (0.5 * libm::sinf(phase), 0.25 * libm::cosf(phase).max(0.0))
        });
        let knee = at(x + stride * 0.5 + 0.05, side * 0.22, 0.6 + lift * 0.7);
        out.between(at(x, side * 0.2, 1.05 + bob), 0.17, knee, 0.10, HORSE);
        out.between(knee, 0.09, at(x + stride, side * 0.22, 0.08 + lift), 0.06, MANE);
    }
    out
}

/// The rider above its belt, with lance, pennon and shield, as if it stood.
fn man(act: Act, gallop: bool) -> Model {
    let (hand, way) = match act {
        Act::Strike(i) => {
            let hands = [at(-0.1, 0.36, 1.15), at(0.3, 0.36, 1.1), at(0.6, 0.34, 1.05), at(0.3, 0.36, 1.1)];
            (hands[usize::from(i)], at(1.0, -0.05, -0.12))
        }
        _ if gallop => (at(0.2, 0.36, 1.12), at(1.0, -0.05, 0.42)),
        Act::Shoot(i) => (at(0.2, 0.38, [1.4, 1.55, 1.48][usize::from(i)]), at(0.1, 0.05, 1.0)),
        _ => (at(0.2, 0.38, 1.08), at(0.1, 0.05, 1.0)),
    };
    let mut out = chest(0.04, 0.0, ARMY, IRON);
    out.join(head(0.05, 0.0, Look::Rider));
    out.join(arm(at(0.04, 0.3, 1.42), hand, IRON)).join(arm(at(0.04, -0.3, 1.42), at(0.4, -0.2, 1.15), IRON));
    out.join(spear(hand, way, 1.5, 0.8));
    let pennon = hand + way.normalize() * 1.2 + at(-0.16, 0.0, 0.0);
    out.plate(pennon, [at(-0.18, 0.03, 0.0), at(0.0, 0.0, 0.11)], Shape::Flag, ARMY);
    out.join(kite_shield(at(0.30, -0.40, 1.12), at(0.5, -0.9, 0.1)));
    out
}

/// Horse and rider on the ground.
fn lying(which: u8) -> Model {
    let s = if which == 0 { 1.0 } else { -1.0 };
    let mut out = Model::default();
    out.cone([-0.75, 0.0, 0.35, 0.36, 0.5, 0.0, 0.33, 0.34], HORSE);
    out.cone([-0.8, 0.02, 0.37, 0.37, -0.2, 0.0, 0.38, 0.37], ARMY);
    out.cone([0.6, 0.0, 0.3, 0.22, 1.15, -0.3 * s, 0.18, 0.13], HORSE);
    out.cone([1.15, -0.3 * s, 0.16, 0.13, 1.5, -0.15 * s, 0.1, 0.08], HORSE);
    out.cone([0.6, -0.05 * s, 0.42, 0.09, 1.1, -0.36 * s, 0.28, 0.06], MANE);
    out.cone([-1.05, 0.0, 0.3, 0.08, -1.5, -0.25 * s, 0.08, 0.11], MANE);
    for (x, along) in [(-0.8, 0.1), (-0.6, 0.3), (0.4, 0.2), (0.55, -0.1)] {
        out.cone([x, 0.3 * s, 0.25, 0.11, x + along, 0.95 * s, 0.1, 0.06], HORSE);
    }
    out.join(fallen(Look::Rider, which).moved(at(0.0, -0.75 * s, 0.0)));
    out
}
