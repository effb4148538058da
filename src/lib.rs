//! Thousands of agents plan routes over a grid map and walk them, while a spatial index gives collision avoidance
//! every tick.
//!
//! ```text
//! map file → Grid → Ground → Planner → route → tick → Frame → window, pictures, trajectories, summary
//! ```
//!
//! - [`grid`]: the map: cells, walls, legal moves, files, generators.
//! - [`plan`]: searches for routes, and the workers that run them.
//! - [`compare`]: planners against each other.
//! - [`spatial`]: who is near whom.
//! - [`crowd`]: how agents follow routes and avoid each other and the walls.
//! - [`battle`]: units, orders, squads, melee.
//! - [`world`]: all of it together, a tick at a time.
//! - [`experiment`]: crowds on trial.
//! - [`scenario`]: worlds from text files. [`batch`]: the same one many times. [`record`]: pictures, films, tables. `viewer`: the window (feature `viewer`).
//!
//! The same settings, calls and seed give the same result to the last bit, whatever the number of threads.
//!
//! ```
//! use throng::grid::{Grid, Ground, Lattice};
//! use throng::plan::{AStar, Octile, Path, Query, Scratch, plan};
//!
//! let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
//! for y in 0..60 {
//!     grid.set_open(grid.lattice().cell(32, y), false); // a wall with a gap at its lower end
//! }
//! let ground = Ground::new(grid.into(), 0.4)?;
//! let (from, to) = (ground.lattice().cell(8, 8), ground.lattice().cell(56, 8));
//! let (mut scratch, mut path) = (Scratch::default(), Path::default());
//! let outcome = plan(&AStar(Octile), &ground, &Query::new(from, to), &mut scratch, &mut path)?;
//! assert!((path.length(ground.lattice()) - 125.054).abs() < 0.001);
//! assert_eq!(outcome.cost, path.cost(ground.lattice()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod batch;
pub mod battle;
pub mod compare;
pub mod crowd;
pub mod experiment;
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
