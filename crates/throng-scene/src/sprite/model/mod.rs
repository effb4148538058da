//! The models of soldiers, plants and things.
//!
//! | module | contents |
//! |---|---|
//! | [`foot`] | soldiers on foot, and the giant |
//! | [`civilian`] | those without arms |
//! | [`fallen`] | those that lie on the ground |
//! | [`mount`] | horse and rider |
//! | [`ram`] | the battering ram |
//! | [`weapons`] | swords, clubs, spears, bows, shields |
//! | [`plant`] | trees and tufts of grass |
//! | [`prop`] | stones, barrels, crates and logs |

pub mod civilian;
pub mod fallen;
pub mod foot;
pub mod mount;
pub mod plant;
pub mod prop;
pub mod ram;
pub mod weapons;

use super::pose::Pose;
use super::primitive::Model;
use crate::sprite::look;
use throng_grid::geom::Vec3;
use throng_sim::battle::Look;

/// The model of a kind in a pose: metres forward, to the right and up from the point between its feet.
pub fn soldier(look: Look, pose: Pose) -> Model {
    match look {
        Look::Rider => mount::rider(pose.act()),
        Look::Ram => ram::ram(pose.act()),
        Look::Civilian => civilian::civilian(pose.act()),
        _ => foot::foot(look, pose.act()).sized(look::size(look)),
    }
}

/// A point or an offset (m).
pub(crate) const fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// How far a walk has got: the sine and the cosine of its phase. At rest they are those of phase 0.
pub(crate) fn swing(step: u8) -> (f32, f32) {
    let phase = f32::from(step) * (core::f32::consts::TAU / Pose::WALKS as f32);
    (libm::sinf(phase), libm::cosf(phase))
}
