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
//! - [`spatial`]: neighbour search.
//! - [`crowd`]: how agents follow routes and avoid each other and the walls.
//! - [`battle`]: units, orders, squads, melee.
//! - [`world`]: all of it together, a tick at a time.
//! - [`scenario`]: worlds from text files. [`batch`]: the same one many times. [`experiment`]: crowds on trial.
//! - [`record`]: pictures, films, tables. [`scene`]: what is painted, by the processor. `viewer`: the window (feature `viewer`).
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

pub use throng_compare as compare;
pub use throng_grid as grid;
pub use throng_grid::geom::{self, glam};
pub use throng_lab::{batch, experiment};
pub use throng_plan as plan;
pub use throng_plan::graph::petgraph;
pub use throng_record as record;
pub use throng_scenario as scenario;
pub use throng_scene as scene;
pub use throng_sim::{battle, crowd, walk, world};
pub use throng_spatial as spatial;
pub use throng_spatial::{simd, volume};
#[cfg(feature = "viewer")]
pub use throng_viewer as viewer;
