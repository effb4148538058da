//! Soldiers on foot: swordsman, spearman, archer, leader, and the giant before it is scaled up.

use super::clothes::clothes;
use super::weapons::{bow, club, kite_shield, round_shield, spear, sword};
use super::{at, fallen, swing};
use crate::sprite::material::{
    ARMY, ARMY_DARK, DARK, GOLD, HIDE, IRON, LEATHER, LINEN, MAIL, Material, OGRE, SKIN, SLEEVE, STEEL, WOOD,
};
use crate::sprite::pose::Act;
use crate::sprite::primitive::{Model, Shape};
use throng_grid::geom::Vec3;
use throng_sim::battle::Look;

/// How somebody on foot holds itself.
#[derive(Clone, Copy)]
struct Stance {
    /// How far the right foot is before the left one: twice this (m).
    stride: f32,
    /// How high the feet are lifted (m).
    lift: [f32; 2],
    /// How much higher than at rest the body is (m).
    bob: f32,
    /// How far the shoulders lean forward (m).
    lean: f32,
    /// The hands, before the bob.
    right: Vec3,
    left: Vec3,
    /// Where the weapon points.
    way: Vec3,
    /// Sine of the walk's phase.
    sine: f32,
}

impl Stance {
    fn of(look: Look, act: Act) -> Self {
        let mut stance = Self {
            stride: 0.0,
            lift: [0.0; 2],
            bob: 0.0,
            lean: 0.03,
            right: at(0.24, 0.36, 1.02),
            left: at(0.30, -0.30, 1.08),
            way: at(0.55, 0.1, 0.8),
            sine: 0.0,
        };
        match act {
            Act::Walk(step) => {
                let (sine, cosine) = swing(step);
                stance.sine = sine;
                stance.stride = 0.36 * sine;
                stance.bob = 0.035 * (2.0 * cosine * cosine - 1.0);
                stance.lean = 0.10;
                stance.lift = [0.12 * cosine.max(0.0), 0.12 * (-cosine).max(0.0)];
                stance.right.x += 0.10 * sine;
                stance.left.x -= 0.05 * sine;
            }
            Act::Strike(i) => {
                let i = usize::from(i);
                stance.stride = 0.30;
                stance.lean = [-0.06, 0.08, 0.24, 0.12][i];
                if look == Look::Spearman {
                    stance.right =
                        [at(-0.22, 0.32, 1.30), at(0.15, 0.28, 1.30), at(0.62, 0.2, 1.26), at(0.2, 0.28, 1.28)][i];
                    stance.way = at(1.0, -0.08, -0.06);
                } else {
                    stance.right =
                        [at(-0.12, 0.42, 1.72), at(0.34, 0.36, 1.80), at(0.72, 0.10, 1.12), at(0.45, 0.02, 0.98)][i];
                    stance.way =
                        [at(-0.55, 0.1, 0.8), at(0.55, 0.1, 0.85), at(0.95, -0.25, -0.1), at(0.6, -0.75, -0.2)][i];
                }
            }
            Act::Shoot(i) if look == Look::Archer => {
                let i = usize::from(i);
                stance.stride = 0.22;
                stance.left = if i == 0 { at(0.45, -0.08, 1.15) } else { at(0.62, -0.04, 1.52) };
                stance.right = [at(0.2, 0.1, 1.1), at(0.02, 0.14, 1.38), at(-0.2, 0.3, 1.42)][i];
            }
            Act::Shoot(i) => {
                let i = usize::from(i);
                stance.stride = 0.12;
                stance.bob = [0.0, 0.06, 0.02][i];
                stance.lean = -0.02;
                stance.right = at(0.15, 0.38, [1.7, 1.95, 1.8][i]);
                stance.way = at(0.1, 0.15 * (i as f32 - 1.0), 1.0);
            }
            Act::Stand | Act::Fallen(_) => {}
        }
        if look == Look::Archer && matches!(act, Act::Walk(_) | Act::Stand) {
            stance.left = at(0.34 + 0.1 * stance.sine, -0.36, 1.0);
        }
        stance
    }
}

/// Somebody on foot in a pose.
pub(crate) fn foot(look: Look, act: Act) -> Model {
    let (coat, limb) = clothes(look);
    if let Act::Fallen(i) = act {
        return fallen::fallen(look, i);
    }
    let mut stance = Stance::of(look, act);
    let armed = armed(look, act, &stance);
    if look == Look::Leader {
        stance.left = BANNER_FOOT + at(0.1, 0.0, 1.15);
    }
    let Stance { stride, lift, bob, lean, right, left, .. } = stance;
    let up = at(0.0, 0.0, bob);
    let mut out = legs(stride, lift, if look == Look::Giant { OGRE } else { LEATHER });
    out.join(skirt(lean, bob, coat)).join(chest(lean, bob, coat, limb)).join(head(lean * 1.15, bob, look)).join(armed);
    out.join(arm(at(lean, 0.30, 1.42) + up, right + up, limb));
    out.join(arm(at(lean, -0.30, 1.42) + up, left + up, limb));
    if look == Look::Giant {
        // A kilt, a sash and a cape over a fur carry the army's colour.
        out.cone([0.0, 0.0, 0.66 + bob, 0.31, 0.0, 0.0, 0.98 + bob, 0.24], ARMY);
        out.cone([lean, -0.3, 1.5 + bob, 0.1, -0.05, 0.25, 1.0 + bob, 0.12], ARMY);
        for y in [-0.2, -0.1, 0.0, 0.1, 0.2] {
            out.cone([lean - 0.15, y, 1.44 + bob, 0.11, -0.34, y * 1.35, 0.66, 0.12], ARMY);
        }
        for y in [-0.17, 0.0, 0.17] {
            out.ball(at(lean - 0.12, y * 1.25, 1.53 + bob), 0.13, HIDE);
        }
    }
    out
}

/// Weapons and what goes with them.
fn armed(look: Look, act: Act, stance: &Stance) -> Model {
    let Stance { right, left, way, sine, .. } = *stance;
    let shield_way = at(0.8, -0.6, 0.15);
    match look {
        Look::Archer => {
            let lowered = at(0.75, -0.2, -0.45);
            let mut out = match act {
                Act::Strike(_) => {
                    let mut both = sword(right, way, 0.5);
                    both.join(bow(at(0.05, -0.4, 0.95), lowered, 0.0));
                    both
                }
                Act::Shoot(i) => {
                    let aim = at(1.0, 0.0, if i == 0 { 0.1 } else { 0.55 });
                    bow(left, aim, [0.25, 1.0, 0.0][usize::from(i)])
                }
                _ => bow(left, lowered, 0.0),
            };
            // The quiver, and the feathers in it.
            out.cone([-0.22, 0.16, 1.05, 0.09, -0.26, 0.02, 1.48, 0.085], LEATHER).ball(
                at(-0.26, 0.02, 1.56),
                0.07,
                LINEN,
            );
            out
        }
        Look::Spearman => {
            let way = if matches!(act, Act::Strike(_)) { way } else { at(0.16, 0.02, 1.0) };
            let mut out = spear(right, way, 1.35, 0.95);
            out.join(round_shield(left + at(0.1, -0.05, 0.02), shield_way));
            out
        }
        Look::Giant => club(right, way),
        Look::Leader => {
            let mut out = sword(right, way, 0.95);
            out.join(banner(0.10 * sine));
            for y in [-0.17, 0.0, 0.17] {
                out.cone([-0.13, y, 1.44, 0.14, -0.40, y * 1.4, 0.58, 0.16], ARMY_DARK);
            }
            out
        }
        _ => {
            let mut out = sword(right, way, 0.88);
            out.join(kite_shield(left + at(0.10, -0.06, 0.02), shield_way));
            out
        }
    }
}

/// Where the leader's banner stands.
const BANNER_FOOT: Vec3 = at(-0.10, -0.34, 0.0);

/// A swallow-tail on a pole, with a bar of linen on both sides.
fn banner(wave: f32) -> Model {
    let mut out = Model::default();
    let from_foot = |x, y, z| BANNER_FOOT + at(x, y, z);
    out.between(from_foot(0.12, 0.0, 0.6), 0.035, from_foot(-0.05, 0.0, 3.0), 0.03, WOOD);
    out.ball(from_foot(-0.05, 0.0, 3.03), 0.06, GOLD);
    out.plate(from_foot(-0.50, wave, 2.62), [at(-0.50, wave, -0.04), at(0.02, 0.0, 0.34)], Shape::Flag, ARMY);
    for side in [-0.012, 0.012] {
        let bar = [at(-0.34, wave * 0.7, -0.03), at(0.0, 0.0, 0.09)];
        out.plate(from_foot(-0.36, wave * 0.75 + side, 2.62), bar, Shape::Rectangle, LINEN);
    }
    out
}

/// Legs in boots; the left one first.
pub(super) fn legs(stride: f32, lift: [f32; 2], cloth: Material) -> Model {
    let mut out = Model::default();
    for (side, f, z) in [(-1.0, stride, lift[0]), (1.0, -stride, lift[1])] {
        let knee = [f * 0.55 + 0.07, side * 0.15, 0.48 + z];
        let [x, y, up] = knee;
        out.cone([0.0, side * 0.12, 0.88, 0.125, x, y, up, 0.106], cloth);
        out.cone([x, y, up, 0.106, f, side * 0.16, 0.09 + z, 0.09], DARK);
        out.cone([f, side * 0.16, 0.07 + z, 0.085, f + 0.16, side * 0.17, 0.06 + z, 0.07], DARK);
    }
    out
}

/// The skirt of a tunic, and a belt.
fn skirt(lean: f32, bob: f32, coat: Material) -> Model {
    let mut out = Model::default();
    out.cone([lean * 0.2, 0.0, 0.66 + bob, 0.285, lean * 0.4, 0.0, 1.0 + bob, 0.21], coat);
    out.cone([lean * 0.4, 0.0, 0.98 + bob, 0.205, lean * 0.4, 0.0, 1.02 + bob, 0.205], LEATHER);
    out
}

/// Chest and shoulders, leaning forward.
pub(super) fn chest(lean: f32, bob: f32, coat: Material, limb: Material) -> Model {
    let mut out = Model::default();
    for y in [-0.10, 0.10] {
        out.cone([lean * 0.5, y, 1.10 + bob, 0.20, lean, y * 1.3, 1.36 + bob, 0.19], coat);
    }
    if coat != OGRE {
        // Cloth hangs over the muscles.
        out.cone([lean * 0.5, 0.0, 1.10 + bob, 0.205, lean, 0.0, 1.36 + bob, 0.195], coat);
    }
    for y in [-0.27, 0.27] {
        out.ball(at(lean, y, 1.43 + bob), 0.125, limb);
    }
    out
}

/// A head with what a kind has on it.
pub(super) fn head(x: f32, bob: f32, look: Look) -> Model {
    let z = 1.70 + bob;
    let mut out = Model::default();
    out.ball(at(x + 0.05, 0.0, z - 0.03), 0.165, SKIN);
    match look {
        Look::Archer => {
            out.ball(at(x - 0.02, 0.0, z + 0.035), 0.185, ARMY);
            out.cone([x - 0.06, 0.0, z, 0.16, x - 0.26, 0.0, z - 0.12, 0.06], ARMY);
        }
        Look::Spearman => {
            out.cone([x, 0.0, z + 0.05, 0.15, x, 0.0, z + 0.16, 0.08], STEEL);
            out.plate(at(x, 0.0, z + 0.05), [at(0.27, 0.0, 0.0), at(0.0, 0.27, 0.0)], Shape::Disc, IRON);
        }
        Look::Giant => {
            out.ball(at(x - 0.03, 0.0, z + 0.06), 0.175, IRON);
            for y in [-0.15, 0.15] {
                out.cone([x, y, z + 0.1, 0.06, x + 0.05, 2.0 * y, z + 0.3, 0.015], LINEN);
            }
        }
        _ => {
            out.ball(at(x - 0.015, 0.0, z + 0.04), 0.185, STEEL);
            out.cone([x + 0.15, 0.0, z + 0.03, 0.03, x + 0.2, 0.0, z - 0.09, 0.02], STEEL);
        }
    }
    if look == Look::Leader {
        out.cone([x + 0.08, 0.0, z + 0.24, 0.07, x - 0.26, 0.0, z + 0.16, 0.11], ARMY);
        out.cone([x - 0.2, 0.0, z + 0.2, 0.1, x - 0.36, 0.0, z - 0.05, 0.06], ARMY);
    }
    out
}

/// An arm from shoulder to hand.
pub(super) fn arm(shoulder: Vec3, hand: Vec3, cloth: Material) -> Model {
    let outward = if shoulder.y < 0.0 { -0.05 } else { 0.05 };
    let elbow = (shoulder + hand) * 0.5 + at(0.0, outward, -0.09);
    let lower = if cloth == SLEEVE || cloth == MAIL { LEATHER } else { cloth };
    let mut out = Model::default();
    out.between(shoulder, 0.095, elbow, 0.085, cloth).between(elbow, 0.085, hand, 0.07, lower).ball(hand, 0.085, SKIN);
    out
}
