//! Agents: who is near, how they avoid each other, how they move.

mod apart;
pub mod avoidance;
pub mod bias;
pub mod integrate;
pub mod neighbours;
pub mod orca;
pub mod order;
pub mod push;

pub use avoidance::{Avoidance, AvoidanceSettings, UnknownAvoidance};
pub use orca::Orca;

/// Rows that one thread works on before it takes the next ones. The results do not depend on it.
const CHUNK: usize = 128;
