//! Those without arms: a long dress of wool, a straw hat, a scarf and an apron in the army's colour, a basket.

use super::fallen::fallen;
use super::foot::{arm, chest};
use super::{at, swing};
use crate::sprite::material::{ARMY, DARK, HIDE, LINEN, SKIN, STRAW, WOOD, WOOL};
use crate::sprite::pose::Act;
use crate::sprite::primitive::{Model, Shape};
use throng_grid::geom::Vec3;
use throng_sim::battle::Look;

/// A civilian in a pose: it walks with a basket, cheers for a shot, cowers for a strike.
pub(crate) fn civilian(act: Act) -> Model {
    match act {
        Act::Fallen(i) => fallen(Look::Civilian, i),
        Act::Strike(i) => cowering(i),
        Act::Walk(step) => {
            let (sine, cosine) = swing(step);
            let bob = 0.03 * (2.0 * cosine * cosine - 1.0);
            let right = at(0.16 + 0.16 * sine, 0.38, 0.98 + bob);
            let mut out = upright(0.06, bob, 0.28 * sine, [right, at(0.36, -0.26, 1.0 + bob)]);
            out.join(basket(at(0.36, -0.36, 0.98 + bob)));
            out
        }
        Act::Shoot(i) => {
            let i = usize::from(i);
            let bob = [0.0, 0.08, 0.03][i];
            let high = [1.72, 2.08, 1.92][i] + bob;
            let wide = [0.46, 0.36, 0.44][i];
            upright(-0.02, bob, 0.06, [at(0.12, wide, high), at(0.12, -wide, high - 0.05)])
        }
        Act::Stand => {
            let mut out = upright(0.02, 0.0, 0.04, [at(0.24, 0.20, 0.98), at(0.26, -0.22, 0.98)]);
            out.join(basket(at(0.40, 0.0, 0.92)));
            out
        }
    }
}

/// On its feet, with hands at two places.
fn upright(lean: f32, bob: f32, stride: f32, hands: [Vec3; 2]) -> Model {
    let mut out = Model::default();
    for (side, x) in [(-1.0, stride), (1.0, -stride)] {
        out.cone([x, side * 0.14, 0.09, 0.085, x + 0.15, side * 0.15, 0.07, 0.07], DARK);
        // The hem swings with the feet.
        out.cone([x * 0.55, side * 0.10, 0.30, 0.24, 0.0, side * 0.05, 0.95 + bob, 0.19], WOOL);
    }
    out.cone([lean * 0.4, 0.0, 0.98 + bob, 0.215, lean * 0.4, 0.0, 1.02 + bob, 0.21], HIDE);
    out.cone([stride.abs() * 0.3 + 0.15, 0.0, 0.42, 0.17, lean * 0.4 + 0.07, 0.0, 1.0 + bob, 0.17], ARMY);
    out.join(chest(lean, bob, WOOL, LINEN));
    out.join(hooded(at(lean * 1.15, 0.0, 1.70 + bob)));
    out.join(arm(at(lean, 0.29, 1.40 + bob), hands[0], LINEN)).join(arm(at(lean, -0.29, 1.40 + bob), hands[1], LINEN));
    out
}

/// On its knees, hands over the head.
fn cowering(i: u8) -> Model {
    let shake = [0.0, 0.03, -0.02, 0.02][usize::from(i)];
    let down = [0.0, -0.05, -0.08, -0.04][usize::from(i)];
    let mut out = Model::default();
    for side in [-1.0, 1.0] {
        out.cone([-0.05, side * 0.13, 0.42, 0.20, 0.32, side * 0.17, 0.16, 0.15], WOOL);
        out.cone([-0.42, side * 0.15, 0.10, 0.085, -0.28, side * 0.15, 0.09, 0.08], DARK);
        out.cone([0.02, side * 0.10, 0.55, 0.20, 0.24, side * 0.12, 0.82 + down, 0.19], WOOL);
    }
    out.cone([-0.12, 0.0, 0.38, 0.27, 0.05, 0.0, 0.58, 0.21], WOOL);
    out.cone([0.22, -0.16, 0.95 + down, 0.11, 0.0, 0.16, 0.62, 0.12], ARMY);
    let head = at(0.42, shake, 1.02 + down);
    out.ball(head, 0.165, SKIN).ball(head + at(-0.03, 0.0, 0.04), 0.18, ARMY);
    for side in [-1.0, 1.0] {
        let (shoulder, hand) = (at(0.26, side * 0.27, 0.88 + down), head + at(0.02, side * 0.10, 0.17));
        let elbow = head + at(0.10, side * 0.30, 0.02);
        out.between(shoulder, 0.10, elbow, 0.085, LINEN)
            .between(elbow, 0.085, hand, 0.07, LINEN)
            .ball(hand, 0.085, SKIN);
    }
    out
}

/// A head in a scarf under a straw hat.
fn hooded(head: Vec3) -> Model {
    let mut out = Model::default();
    out.ball(head + at(0.05, 0.0, -0.03), 0.165, SKIN).ball(head + at(-0.05, 0.0, -0.02), 0.17, ARMY);
    out.plate(head + at(0.0, 0.0, 0.07), [at(0.31, 0.0, 0.02), at(0.0, 0.31, 0.0)], Shape::Disc, STRAW);
    out.between(head + at(0.0, 0.0, 0.06), 0.175, head + at(0.0, 0.0, 0.10), 0.165, ARMY);
    out.between(head + at(-0.01, 0.0, 0.15), 0.155, head + at(-0.01, 0.0, 0.22), 0.10, STRAW);
    out
}

/// A basket of apples and cabbage.
fn basket(centre: Vec3) -> Model {
    let mut out = Model::default();
    out.between(centre + at(0.0, 0.0, -0.10), 0.15, centre + at(0.0, 0.0, 0.02), 0.19, STRAW);
    out.plate(centre + at(0.0, 0.0, 0.20), [at(0.20, 0.0, 0.0), at(0.0, 0.20, 0.0)], Shape::Disc, WOOD);
    for (x, y, red) in [(0.07, 0.05, true), (-0.07, 0.06, false), (0.0, -0.08, true), (0.09, -0.05, false)] {
        let fruit = if red { [0.70, 0.28, 0.20] } else { [0.52, 0.60, 0.30] };
        out.ball(centre + at(x, y, 0.19), 0.075, crate::sprite::material::Material::plain(fruit));
    }
    out
}
