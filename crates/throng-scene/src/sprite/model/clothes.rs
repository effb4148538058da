//! What soldiers wear.

use crate::sprite::material::{ARMY, IRON, LINEN, MAIL, Material, OGRE, SLEEVE};
use throng_sim::battle::Look;

/// What covers the chest and what covers the arms of a kind.
pub(super) fn clothes(look: Look) -> (Material, Material) {
    match look {
        Look::Archer => (ARMY, LINEN),
        Look::Giant => (OGRE, OGRE),
        Look::Leader => (ARMY, IRON),
        Look::Swordsman => (ARMY, MAIL),
        _ => (ARMY, SLEEVE),
    }
}
