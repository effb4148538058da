//! Walking: the stages of a tick that move agents over the ground, each over columns.
//!
//! | stage | reads | writes |
//! |---|---|---|
//! | [`steer`] | aims, streams, walls | preferred velocities, which agents want to move |
//! | [`neighbours`] | positions, the index, the sleepers | lists of neighbours, which sleepers wake |
//! | [`avoid`] | neighbours, walls | preferred velocities turned aside, new velocities |
//! | [`integrate`] | new velocities, neighbours, walls | positions, velocities, progress |
//!
//! A stage reads an [`AgentView`](crate::crowd::AgentView) and the [`Surroundings`], and has all that it writes in its signature.
//! [`Walkers`] holds the columns: those of a world, or those of a window of it.

mod avoid;
pub mod integrate;
mod model_usage;
pub mod neighbours;
mod steer;
#[cfg(test)]
mod tests;
mod walkers;

pub(crate) use model_usage::ModelUsage;
pub(crate) use walkers::{Driven, Surroundings, WalkScratch, Walkers};

/// Rows that one thread works on before it takes the next ones. The results do not depend on it.
const CHUNK: usize = 128;
