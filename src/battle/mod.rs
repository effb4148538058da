//! Fighting: units, orders, targets, melee.

mod order;
mod unit;

pub use order::Order;
pub use unit::{Unit, UnitError};
