//! Planners: searches for routes over a [`Ground`](throng_grid::Ground).
//!
//! A [`Planner`] is shared and immutable; a search writes into a [`Scratch`] that its thread owns, and the
//! route is written into the caller's [`Path`]. [`plan`] runs a search to its end, [`Planner::begin`] and
//! [`Planner::advance`] run it in pieces, and a [`Pool`] runs many on worker threads.
//!
//! ```
//! use std::sync::Arc;
//! use throng_grid::{Grid, Ground, Lattice};
//! use throng_plan::{Path, PlannerChoice, Query, Scratch, Status, plan};
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
//! let query = Query::new(lattice.cell(4, 4), lattice.cell(60, 4));
//! let (mut scratch, mut path) = (Scratch::default(), Path::default());
//! for name in ["dijkstra", "astar", "jps", "theta"] {
//!     let planner = name.parse::<PlannerChoice>()?.build(&ground)?;
//!     let outcome = plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path)?;
//!     println!("{name:9} {:6.1} m, {:5} nodes expanded", path.length(lattice), outcome.expanded);
//!     assert_eq!(outcome.status, Status::Found);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`PlannerChoice`] has the table of all planners, the cost of their routes and their uses, and makes them by name;
//! [`Planner::capabilities`] lists the capabilities of one. A planner of your own is as good as these: it implements
//! [`Planner`], keeps its memory in the [`Scratch`] as a [`SearchMemory`], and is named by [`PlannerChoice::Custom`]. A
//! [`Query`] may ask for more than a cell: a [`Goal`] of several, a wider body, [`Limits`], and a [`Cancel`] to stop
//! the search.
//!
//! - [`DStarLite`] is for one agent on a map that changes: it keeps its search.
//! - A [`Smoother`] pulls any route straight.
//! - [`distances_from`] and [`distances_to`] tell the cost of every cell at once, and a [`FlowField`] which way to go
//!   from it.
//! - [`plan_within`] spends a given time, and tells each better route on the way.
#![cfg_attr(
    feature = "petgraph",
    doc = "- The [`PathFinder`](graph::PathFinder) of [`graph`] searches graphs beyond the grid."
)]
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `petgraph` | the module `graph`: searches over any graph of the `petgraph` crate, and the grid as one |
//! | `priority` | worker threads of a [`Pool`] give way to other threads where there are more threads than cores |
//! | `reference` | the searches of the crates `pathfinding` and `petgraph` as planners, to compare with; turns `petgraph` on |
//! | `serde` | serde's traits for the types that are stored |
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod any_angle;
mod anytime;
mod ara;
mod astar;
mod bidirectional;
mod breadth_first;
mod capabilities;
mod choice;
mod dijkstra;
mod distances;
mod dstar_lite;
mod engine;
mod error;
mod estimate;
mod flow;
mod fringe;
mod goal_set;
#[cfg(feature = "petgraph")]
pub mod graph;
mod greedy;
mod grid_domain;
mod hierarchy;
mod hpa;
mod jps;
mod labels;
mod memory;
mod nodes;
mod open;
mod outcome;
mod path;
mod planner;
mod pool;
mod promise;
mod query;
#[cfg(feature = "reference")]
mod reference;
mod requirements;
mod rows;
mod scratch;
mod search;
mod successors;
mod wave;
mod weighted;

pub use any_angle::lazy_theta::LazyThetaStar;
pub use any_angle::smooth::Smoother;
pub use any_angle::theta::ThetaStar;
pub use anytime::plan_within;
pub use ara::Ara;
pub use astar::AStar;
pub use bidirectional::BidirectionalAStar;
pub use breadth_first::BreadthFirst;
pub use capabilities::{Capabilities, Capability, Guarantee};
pub use choice::{EstimateChoice, PlannerChoice};
pub use dijkstra::Dijkstra;
pub use distances::{UNREACHED, distances_from, distances_to};
pub use dstar_lite::DStarLite;
pub use error::PlanError;
pub use estimate::{Estimate, Euclidean, Manhattan, Octile, Zero};
pub use flow::{FlowField, FlowFieldPlanner};
pub use fringe::FringeSearch;
pub use greedy::GreedyBestFirst;
pub use hierarchy::{Hierarchy, SeenDoor};
pub use hpa::{Hpa, HpaSettings, Itinerary};
pub use jps::Jps;
pub use jps::plus::JpsPlus;
pub use labels::Labels;
pub use memory::SearchMemory;
pub use outcome::{Outcome, Progress, Status};
pub use path::Path;
pub use planner::{Planner, Rank, path_so_far, plan};
pub use pool::{Answer, AnswerKind, Counters, Pool, Priority, Request, RequestProgress, Statistics, Ticket};
pub use query::{Cancel, Goal, Limits, Query};
#[cfg(feature = "reference")]
pub use reference::petgraph::{PetgraphAStar, PetgraphDijkstra};
#[cfg(feature = "reference")]
pub use reference::{PathfindingAStar, PathfindingDijkstra, PathfindingFringe};
pub use scratch::Scratch;
pub use throng_grid::{Cost, DIAGONAL, STRAIGHT};
pub use weighted::WeightedAStar;
