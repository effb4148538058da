//! Thousands of agents plan routes over a grid map and walk them, while a spatial index gives collision avoidance
//! every tick.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod battle;
pub mod crowd;
pub mod geom;
pub mod grid;
pub mod plan;
pub mod record;
pub mod scenario;
pub mod simd;
pub mod spatial;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod volume;
mod whole_file;
pub mod world;
