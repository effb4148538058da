//! Scenarios from text, and their course.
#![allow(clippy::unwrap_used, missing_docs)]

mod areas;
mod balance;
mod battle;
mod breach;
mod congestion;
mod docs;
mod formations;
mod going_back;
mod heights;
mod links;
mod march;
mod mixed_crowds;
mod no_way;
mod objectives;
mod positions;
mod relations;
mod saved_orders;
mod saving;
mod scenario_errors;
mod schema_values;
mod spawning;
mod subdomains;
mod terrain;
mod triggers;
mod units;
