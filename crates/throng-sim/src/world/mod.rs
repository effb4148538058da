//! The world and its tick.
//!
//! A [`World`] holds the map, all that is on it, and the routes of its agents. [`World::tick`] lets a tick pass;
//! [`World::frame`] copies out the visible state. The same settings, calls and seed give the same bytes, whatever the
//! number of threads and the index.

mod army;
mod combat;
mod command;
mod condition;
mod crossing;
mod deploy;
mod direct;
mod drive;
mod edits;
mod events;
mod exchange;
mod fire;
mod frame;
mod idle_reason;
mod ids;
mod insight;
mod journey;
mod links;
mod mission;
mod morale;
mod no_way;
mod order_queue;
mod ordering;
mod orders;
mod parts;
mod posts;
mod profile;
mod remaining_routes;
mod removal;
mod root;
mod routing;
mod settings;
mod siege;
mod sleep;
mod snapshot;
mod spawn;
mod squad_spec;
mod state;
mod subdomain;
#[cfg(test)]
mod tests;
mod tick;
mod time;
mod travel;
mod trigger;
mod verdict;
mod walks;
mod why;

pub use crate::battle::JourneyId;
pub use crate::crowd::ARRIVAL_RADIUS;
pub use army::Army;
pub use condition::Condition;
pub use events::Events;
pub use frame::{ArmyCount, Flight, Frame, SquadCount};
pub use idle_reason::IdleReason;
pub use ids::{ArmyId, SquadId, UnitId};
pub use insight::Insight;
pub use journey::{Area, GAP, Journey, Leader, Queue, Stop, Task, Then, Until};
pub use profile::{Profile, Stage};
pub use remaining_routes::RemainingRoute;
pub use root::{Memory, World};
pub use settings::{Settings, WorldError};
pub use snapshot::{MapMark, Resume, Snapshot, SnapshotError};
pub use squad_spec::SquadSpec;
pub use state::fire::Fire;
pub use state::links::TimedLink;
pub use state::mission::{Mission, Objective};
pub use state::triggers::{Cause, Effect, Repeat, Trigger, TriggerId};
pub use state::verdict::Verdict;
pub use subdomain::{Channels, Cutting, Subdomains, Wire, WireError};
pub use time::{as_written, seconds};
pub use trigger::cycle;
