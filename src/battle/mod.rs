//! Fighting: units, formations, orders, targets, melee, shots, morale.

pub mod command;
mod formation;
mod harm;
mod melee;
mod morale;
mod order;
mod patience;
mod presence;
mod prey;
mod ranged;
mod relations;
mod sector;
mod shots;
mod soldiers;
mod squad;
mod targets;
mod unit;

pub use formation::Block;
pub use harm::{Harm, Origin};
pub use melee::{Death, damage, strike};
pub use morale::{Shock, morale};
pub use order::{JourneyId, Order};
pub use patience::Patience;
pub use presence::Presence;
pub use prey::{Prey, UnknownPrey};
pub(crate) use ranged::SHOTS;
pub use ranged::{GRAVITY, Ranged};
pub use relations::{MAX_ARMIES, Relation, Relations};
pub use shots::{Aimed, Air, Obstacle, Shots, Struck, fly, land, lob, shoot, straight};
pub use soldiers::{Blow, Soldiers};
pub use squad::{Errand, Squad};
pub use targets::{Field, LOOK_EVERY, bodies, targets};
pub(crate) use unit::{ATTACKERS, PRIORITIES};
pub use unit::{Unit, UnitError, army_layer};
