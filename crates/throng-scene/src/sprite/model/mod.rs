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

mod clothes;
mod point;
mod swing;

pub(crate) use point::at;
pub(crate) use swing::swing;

use super::pose::Pose;
use super::primitive::Model;
use crate::sprite::look;
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
