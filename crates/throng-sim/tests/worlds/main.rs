//! Worlds a tick at a time: determinism, edits, orders, fights, snapshots.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, missing_docs)]

#[path = "../../../throng-plan/tests/flood/mod.rs"]
mod flood;

mod actions;
mod arrivals;
mod broken_promises;
mod cadence;
mod closing_links;
mod command_log;
mod custom_index;
mod custom_planner;
mod deploying;
mod determinism;
mod driven;
mod edits;
mod flow_squads;
mod following;
mod fronts;
mod goals;
mod golden_worlds;
mod hand;
mod head_on;
mod links;
mod morale;
mod moving_goals;
mod no_way;
mod obstacles;
mod one_goal;
mod one_past;
mod orders;
mod own_pool;
mod own_stage;
mod pedestrians;
mod shared_field;
mod shots;
mod sleeping;
mod snapshot;
mod snapshot_files;
mod streaming;
mod tallies;
mod turns;
mod walking;
mod way_round;
mod waypoints;
