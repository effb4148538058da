//! Errors of a comparison.

use std::io;
use std::path::PathBuf;
use throng_grid::MapError;
use throng_plan::PlanError;
use throng_spatial::SpatialError;

/// A comparison that cannot be made or written.
///
/// ```
/// use throng_compare::{CompareError, random_trips};
/// use throng_grid::{Grid, Ground, Lattice};
/// let rock = Ground::new(Grid::closed(Lattice::new(8, 8, 1.0)?).into(), 0.4)?;
/// let error = random_trips(&rock, 10, 1).unwrap_err();
/// assert!(matches!(error, CompareError::NoPair));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The query file cannot be read.
    #[error(transparent)]
    Scen(#[from] MapError),
    /// The query file is that of a map of another size.
    #[error(
        "{}:{line}: the query is for a map of {} x {} cells, this one has {} x {}; name the query file of this map",
        file.display(), found.0, found.1, expected.0, expected.1
    )]
    OtherMap {
        /// The query file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Columns and rows in the query file.
        found: (u32, u32),
        /// Columns and rows of the map.
        expected: (u32, u32),
    },
    /// A query of the file starts or ends off the map.
    #[error("{}:{line}: the {end} {x},{y} is off the map, which is {width} x {height} cells", file.display())]
    OffMap {
        /// The query file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// "start" or "goal".
        end: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// A query of the file starts or ends in a wall.
    #[error("{}:{line}: the {end} {x},{y} is in a wall of this map; name the query file of this map", file.display())]
    InWall {
        /// The query file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// "start" or "goal".
        end: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// A query of the file has no answer.
    #[error(
        "{}:{line}: no route leads from {},{} to {},{} on this map; name the query file of this map",
        file.display(), from.0, from.1, to.0, to.1
    )]
    Apart {
        /// The query file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column and row of the start.
        from: (u32, u32),
        /// Column and row of the goal.
        to: (u32, u32),
    },
    /// The query file has a header and nothing else.
    #[error("{}: there is no query in the file; name another", file.display())]
    NoQuery {
        /// The query file.
        file: PathBuf,
    },
    /// No two cells of the map are joined by a route.
    #[error("no two cells of the map are joined by a route; take another map or a narrower unit")]
    NoPair,
    /// A trip that cannot be made.
    #[error("no route for query {query}: its ends are in different parts of the map")]
    NoRoute {
        /// Number of the query, from 1.
        query: usize,
    },
    /// No planner, trip or round to compare.
    #[error("there is nothing to compare: {contenders} planners, {trips} trips, {rounds} rounds")]
    Nothing {
        /// How many planners.
        contenders: usize,
        /// How many trips.
        trips: usize,
        /// How many rounds.
        rounds: usize,
    },
    /// A planner does not take a query.
    #[error("the planner {planner} does not take query {query}: {source}")]
    Plan {
        /// Name of the planner.
        planner: String,
        /// Number of the query, from 1.
        query: usize,
        /// The error of the planner.
        source: PlanError,
    },
    /// A spatial index refuses the bodies.
    #[error("the index {index} does not take the bodies: {source}")]
    Index {
        /// Name of the index.
        index: String,
        /// The error of the index.
        source: SpatialError,
    },
    /// Two spatial indices have not found the same pairs: one of them is broken.
    #[error("the indices {one} and {other} have not found the same pairs in frame {frame} of the scene {scene}")]
    Disagree {
        /// Name of the scene.
        scene: String,
        /// Number of the frame, from 0.
        frame: usize,
        /// Name of an index.
        one: String,
        /// Name of the other.
        other: String,
    },
    /// The system would not let us write the file.
    #[error("{}: cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// The plotting library would not draw.
    #[error("the plot cannot be drawn: {message}")]
    Plot {
        /// The message of the library.
        message: String,
    },
}
