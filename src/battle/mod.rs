//! Fighting: units, formations, orders, targets, melee, sieges.

pub mod command;
mod formation;
mod melee;
mod order;
mod patience;
mod presence;
mod ramparts;
mod relations;
mod siege;
mod soldiers;
mod squad;
mod targets;
mod unit;

pub use formation::Block;
pub use melee::{Death, damage, strike};
pub use order::{JourneyId, Order};
pub use patience::Patience;
pub use presence::Presence;
pub use ramparts::{Rampart, Ramparts};
pub use relations::{MAX_ARMIES, Relation, Relations};
pub use siege::{Fortress, Hit, Siege};
pub use soldiers::{Blow, Soldiers};
pub use squad::{Errand, Squad};
pub use targets::{Field, LOOK_EVERY, bodies, targets};
pub(crate) use unit::PRIORITIES;
pub use unit::{Unit, UnitError, army_layer};
