//! Crowds on trial: scenes that are hard for crowds, and measures of how well they get through.
//!
//! A [`CrowdScene`] is a map, agents and where they want to go; [`observe`] runs it and measures every tick: how many
//! arrive, how long they take, how much they overlap and how much they shake ([`Quality`]); the flow through a door
//! ([`DoorFlow`]); whether lanes form ([`lane_order`]).

mod error;
mod flow;
mod open;
mod passages;
mod quality;
mod run;
mod scene;

pub use error::ExperimentError;
pub use flow::{DoorFlow, lane_order};
pub use passages::pedestrian;
pub use quality::{Meter, Quality};
pub use run::{Outcome, observe};
pub use scene::{CrowdKind, CrowdScene, Finish};
