//! Fighting: units, formations, orders, targets, melee.

pub mod command;
mod formation;
mod melee;
mod order;
mod patience;
mod presence;
mod relations;
mod soldiers;
mod squad;
mod targets;
mod unit;

pub use formation::{Block, Country, EXACT, Formation, Layout, Ranks, Shape, UnknownShape, assign, march};
pub use melee::{Death, damage, strike};
pub use order::{JourneyId, Order};
pub use patience::Patience;
pub use presence::Presence;
pub use relations::{MAX_ARMIES, Relation, Relations};
pub use soldiers::{Blow, Soldiers};
pub use squad::{Errand, Squad};
pub use targets::{Field, LOOK_EVERY, bodies, targets};
pub(crate) use unit::PRIORITIES;
pub use unit::{Unit, UnitError, army_layer};
