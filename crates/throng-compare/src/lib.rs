//! Planners against each other on the same trips, and spatial indices against each other on the same bodies.
//!
//! - [`random_trips`] or [`scen_trips`] choose the [`Trip`]s: random ones, or those of a Moving AI query file.
//! - A [`Contender`] is a planner that takes part. [`compare`] lets every contender answer every trip.
//! - The [`Comparison`] has times, nodes expanded, costs over the optimal ones, memory, and a [`Breach`] for each answer
//!   that broke what its planner guarantees.
//! - [`Figures`] sum up one contender. [`write_csv`] and [`write_json`] write them, and `write_plot` draws them as SVG.
//! - [`timed`] measures one search. [`indices`] measures spatial indices, [`volumes`] tests of moving volumes.
//!
//! ```
//! use std::ops::ControlFlow::Continue;
//! use std::sync::Arc;
//! use throng_compare::{Contender, Figures, Settings, compare, random_trips};
//! use throng_grid::{Grid, Ground, Lattice};
//!
//! // A plain of 64 x 64 cells of 1 m. A wall parts it and leaves a gap at the lower end.
//! let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
//! let lattice = grid.lattice();
//! for y in 0..60 {
//!     grid.set_open(lattice.cell(32, y), false);
//! }
//! // The map as bodies of 0.4 m radius see it.
//! let ground = Arc::new(Ground::new(grid.into(), 0.4)?);
//!
//! let trips = random_trips(&ground, 20, 1)?;
//! let mut contenders = Vec::new();
//! for name in ["dijkstra", "astar", "weighted-astar:1,1.5"] {
//!     contenders.push(Contender::new(&name.parse()?, &ground)?);
//! }
//! let comparison = compare(&ground, &contenders, &trips, &Settings::default(), &mut |_done, _of| Continue(()))?;
//! assert_eq!(comparison.breaches, []);
//! for row in comparison.scores.iter().map(Figures::of) {
//!     let Figures { planner, mean_us, expanded, cost_ratio, .. } = row;
//!     println!("{planner:20} {mean_us:7.1} µs, {expanded:6.1} nodes expanded, {cost_ratio:.4} times the least cost");
//!     assert!(cost_ratio <= 1.5);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Fairness.** Contenders take turns in blocks of [`BLOCK_TRIPS`] trips, and the order is drawn anew for every block. So a
//! machine that slows down for a while slows down all of them alike. All trips are asked for in several rounds, and the
//! least time of each counts. All results but the times depend on the seed alone.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `plots` | yes | the figures as SVG: `plot` and `write_plot`, here and in [`indices`] |
//! | `volumes` | yes | the module [`volumes`] |
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

#[cfg(feature = "plots")]
mod chart;
mod clock;
mod contender;
mod error;
mod figures;
pub mod indices;
mod measure;
#[cfg(feature = "plots")]
mod plot;
mod promise;
#[cfg(test)]
mod tests;
mod trips;
#[cfg(feature = "volumes")]
pub mod volumes;

pub use clock::Clock;
pub use contender::Contender;
pub use error::CompareError;
pub use figures::{Figures, write_csv, write_json};
pub use measure::{Answer, BLOCK_TRIPS, Comparison, First, Score, Settings, Timed, compare, timed, timed_by};
#[cfg(feature = "plots")]
pub use plot::{plot, write_plot};
pub use promise::Breach;
pub use trips::{Trip, random_trips, scen_trips};
