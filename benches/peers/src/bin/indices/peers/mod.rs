//! Indices of other crates, each driven the fastest way that its documentation shows.

mod boxes;
mod broccoli;
mod flat;
mod kiddo;
mod parry;
mod quadtree;
mod rstar;

pub use broccoli::Broccoli;
pub use flat::{Flat, FlatPoints};
pub use kiddo::Kiddo;
pub use parry::Parry;
pub use quadtree::Quadtree;
pub use rstar::Rstar;
