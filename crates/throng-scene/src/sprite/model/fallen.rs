//! Those that lie on the ground.

use super::at;
use super::clothes::clothes;
use super::weapons::{bow, club, spear, sword};
use crate::sprite::material::{ARMY, DARK, OGRE, SKIN, STEEL, STRAW, WOOL};
use crate::sprite::primitive::{Model, Shape};
use throng_sim::battle::Look;

/// Somebody on foot who lies on the ground, in one of two ways.
pub(super) fn fallen(look: Look, which: u8) -> Model {
    let s = if which == 0 { 1.0 } else { -1.0 };
    let (coat, limb) = if look == Look::Civilian { (WOOL, WOOL) } else { clothes(look) };
    let mut out = Model::default();
    out.cone([0.25, 0.0, 0.17, 0.2, -0.2, 0.0, 0.2, 0.22], coat);
    out.cone([0.45, 0.0, 0.13, 0.22, 0.2, 0.0, 0.16, 0.21], ARMY);
    out.cone([0.45, 0.1, 0.12, 0.11, 1.0, 0.22 * s, 0.09, 0.08], DARK);
    out.cone([0.45, -0.1, 0.12, 0.11, 0.85, -0.34, 0.09, 0.08], DARK);
    out.cone([-0.3, 0.2, 0.15, 0.085, -0.5 * s, 0.62, 0.08, 0.07], limb);
    out.cone([-0.3, -0.2, 0.15, 0.085, -0.1 * s, -0.62, 0.08, 0.07], limb);
    let cap = match look {
        Look::Archer => ARMY,
        Look::Giant => OGRE,
        Look::Civilian => DARK,
        _ => STEEL,
    };
    out.ball(at(-0.55, 0.06 * s, 0.17), 0.165, SKIN).ball(at(-0.6, 0.06 * s, 0.19), 0.17, cap);
    match look {
        Look::Swordsman | Look::Leader => {
            out.plate(at(0.35 * s, -0.72, 0.06), [at(0.45, 0.1, 0.0), at(-0.05, 0.3, 0.02)], Shape::Kite, ARMY);
            out.join(sword(at(-0.3, 0.75, 0.05), at(0.4, 0.5 * s, 0.0), 0.75));
        }
        Look::Spearman => {
            out.plate(at(0.5 * s, -0.75, 0.06), [at(0.34, 0.0, 0.0), at(0.0, 0.34, 0.03)], Shape::Disc, ARMY);
            out.join(spear(at(0.1, 0.55, 0.04), at(1.0, 0.35 * s, 0.0), 1.0, 0.8));
        }
        Look::Giant => {
            out.join(club(at(-0.2, 0.7, 0.1), at(0.5, 0.6 * s, 0.0)));
        }
        Look::Archer => {
            out.join(bow(at(0.0, 0.7 * s, 0.05), at(0.2, 1.0, 0.05), 0.0));
        }
        Look::Civilian => {
            out.plate(at(-0.75, 0.55 * s, 0.04), [at(0.27, 0.0, 0.0), at(0.0, 0.27, 0.03)], Shape::Disc, STRAW);
            out.ball(at(-0.75, 0.55 * s, 0.06), 0.13, STRAW);
        }
        Look::Rider | Look::Ram => {}
    }
    out
}
