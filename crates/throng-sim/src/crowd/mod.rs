//! Agents: their neighbours, how they avoid each other, how they move.

pub mod acceleration;
mod agents;
mod apart;
pub mod avoidance;
pub mod bias;
pub mod brake;
mod columns;
mod downhill;
mod follow;
pub mod headway;
pub mod masks;
pub mod models;
pub mod orca;
pub mod order;
pub mod push;
mod route;
mod route_progress;
mod simd_batch;
pub(crate) mod sleepers;
pub mod stream;
mod update_schedule;
mod view;
pub mod walls;

pub(crate) use agents::NEAR_POST;
pub use agents::{ARRIVAL_RADIUS, AgentId, Aim, Crowd, Newcomer, Rest, RouteFollower};
pub use avoidance::{Avoidance, AvoidanceSettings, UnknownAvoidance};
pub use bias::Bias;
pub(crate) use columns::make_room;
pub use columns::{AgentRows, AgentSlots};
pub use downhill::{downhill, next_downhill};
pub use follow::{Heading, RouteView, entry, follow, next_along};
pub use models::relaxation::Relaxation;
pub use models::separation::Separation;
pub use models::social_force::SocialForce;
pub use orca::{HalfPlane, Orca, half_planes};
pub(crate) use route::stretches;
pub use route::{Lane, RouteId, Routes, Waypoint, waypoints};
pub use route_progress::RouteProgress;
pub use sleepers::{STANDS, Sleep, Sleepers};
pub use update_schedule::{LOOK_PERIOD_S, UpdateSchedule};
pub use view::{AgentColumns, AgentView, ColumnLengthError};

/// Rows that one thread works on before it takes the next ones. The results do not depend on it.
pub(crate) const CHUNK: usize = 128;

/// Rows that are worth a thread where little is done with each.
pub(crate) const PIECE: usize = 4096;
