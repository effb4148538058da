//! Planners against each other: the same trips for all, and what each took for them.
//!
//! [`random_trips`] or [`scen_trips`] choose the trips, [`compare`] has every [`Contender`] answer each of them, and the
//! [`Comparison`] holds what came out: times, costs against the optimal ones, memory, and every promise that was broken.
//! It becomes [`Figures`], a table, JSON or a plot.
//!
//! **Fair**: contenders take turns in blocks of [`BLOCK`] trips, whose order is drawn anew for every block, so that a
//! machine that slows down for a while slows all of them down alike; and all trips are asked for in several rounds, of
//! which the quickest counts. Everything but the times depends on the seed alone.
//!
//! ```
//! use std::sync::Arc;
//! use throng::compare::{Contender, Figures, Settings, compare, random_trips};
//! use throng::grid::{Grid, Ground, Lattice};
//!
//! let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?);
//! let trips = random_trips(&ground, 20, 1)?;
//! let mut contenders = Vec::new();
//! for name in ["astar", "weighted-astar:1,1.5"] {
//!     contenders.push(Contender::new(&name.parse()?, &ground)?);
//! }
//! let comparison = compare(&ground, &contenders, &trips, &Settings::default(), &mut |_done, _of| {})?;
//! assert_eq!(comparison.breaches, []);
//! let figures: Vec<Figures> = comparison.scores.iter().map(Figures::of).collect();
//! assert_eq!((figures[0].planner.as_str(), figures[0].queries, figures[0].optimal), ("astar", 20, 20));
//! assert!(figures[1].cost_ratio <= 1.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chart;
mod contender;
mod error;
mod figures;
pub mod indices;
mod measure;
mod plot;
mod promise;
#[cfg(test)]
mod tests;
mod trips;

pub use contender::Contender;
pub use error::CompareError;
pub use figures::{Figures, write_csv, write_json};
pub use measure::{Answer, BLOCK, Comparison, Score, Settings, Timed, compare, timed};
pub use plot::{plot, write_plot};
pub use promise::Breach;
pub use trips::{Trip, random_trips, scen_trips};
