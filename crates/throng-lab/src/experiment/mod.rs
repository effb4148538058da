//! Crowds on trial: scenes that are hard for crowds, and measures of how well they get through.
//!
//! A [`CrowdScene`] is a map, agents and where they want to go; [`observe`] runs it and measures every tick: how many
//! arrive, how long they take, how much they overlap and how much they shake ([`Quality`]); the flow through a door
//! ([`DoorFlow`]); whether lanes form ([`lane_order`]). [`ring_speed`] gives a point of the fundamental diagram.

mod by_kind;
mod diagram;
mod error;
mod figures;
mod flow;
mod lanchester;
#[cfg(feature = "plots")]
mod lanchester_plot;
mod open;
mod passages;
#[cfg(feature = "plots")]
mod plot;
mod quality;
mod run;
mod scene;
#[cfg(test)]
mod tests;

pub use diagram::{DiagramFigures, DiagramSettings, ring_speed, weidmann};
pub use error::ExperimentError;
pub use figures::{CrowdFigures, RVO2, write_crowd_csv, write_diagram_csv};
pub use flow::{DoorFlow, lane_order};
pub use lanchester::{LanchesterBattle, LanchesterFigures, Law, lanchester};
#[cfg(feature = "plots")]
pub use lanchester_plot::{lanchester_plot, write_lanchester_plot};
#[cfg(feature = "plots")]
pub use plot::{diagram_plot, write_diagram_plot};
pub use quality::{Meter, Quality};
pub use run::{Outcome, observe};
pub use scene::{CrowdKind, CrowdScene, Finish};
