//! Walking: the stages of a tick that move agents over the ground, each over columns.
//!
//! | stage | reads | writes |
//! |---|---|---|
//! | steer | aims, streams, walls | preferred velocities, which agents want to move |
//! | [`neighbours`] | positions, the index, the sleepers | lists of neighbours, which sleepers wake |
//! | avoid | neighbours, walls | preferred velocities turned aside, new velocities |
//! | [`integrate`] | new velocities, neighbours, walls | positions, velocities, progress |
//!
//! A stage reads an [`AgentView`](crate::crowd::AgentView) and what surrounds the agents, and has all that it writes in its signature. The
//! columns are those of a world, or those of a window of it.

mod avoid;
pub mod integrate;
pub mod make_way;
mod model_usage;
pub mod neighbours;
mod steer;
mod surroundings;
#[cfg(test)]
mod tests;
mod walkers;

pub(crate) use model_usage::ModelUsage;
pub(crate) use surroundings::{Driven, Shove, Surroundings};
pub(crate) use walkers::{WalkScratch, Walkers};
