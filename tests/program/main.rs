//! The program as it is called from the command line.
#![allow(clippy::unwrap_used, clippy::format_push_string, missing_docs)]

mod bad_files;
mod batch;
mod cli;
mod cli_units;
mod compare;
#[cfg(unix)]
mod documents;
mod examples;
mod file_kinds;
#[cfg(unix)]
mod floor_plans;
mod full_disk;
mod golden;
mod house;
mod indices;
mod map_convert;
mod map_warnings;
mod outputs;
mod plan_graph;
mod program;
mod replay;
mod snapshot_runs;
mod soak;
mod squad_table;
mod talk;
mod volumes;
