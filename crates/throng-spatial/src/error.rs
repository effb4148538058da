//! Errors of the bodies of an index.

/// Bodies that cannot be indexed. The index is empty afterwards.
///
/// ```
/// use throng_spatial::{Bodies, Bvh, SpatialError, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [1.0, 0.0]], &[0.5, -0.5], &[8, 9]);
/// let error = Bvh::<2>::default().rebuild(bodies).unwrap_err();
/// assert_eq!(error, SpatialError::Radius { id: 9, row: 1, found: -0.5 });
/// assert_eq!(error.to_string(), "body 9 (row 1) has a radius of -0.5 m: radii must be from 0 to 1e18 m");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpatialError {
    /// A position that is no number, infinite or too far away.
    Position {
        /// Identity of the body.
        id: u32,
        /// Its row.
        row: usize,
        /// The name of the axis.
        axis: &'static str,
        /// The coordinate (m).
        found: f32,
    },
    /// A radius that is no number, negative or too large.
    Radius {
        /// Identity of the body.
        id: u32,
        /// Its row.
        row: usize,
        /// The radius (m).
        found: f32,
    },
    /// A body outside the bounds that the index was made for.
    Outside {
        /// Identity of the body.
        id: u32,
        /// Its row.
        row: usize,
        /// The name of the axis.
        axis: &'static str,
        /// The coordinate (m).
        found: f32,
        /// The least coordinate of the bounds (m).
        low: f32,
        /// The greatest (m).
        high: f32,
    },
    /// An index from outside that breaks what [`SpatialIndex`](crate::SpatialIndex) says.
    Broken {
        /// Its name.
        index: String,
        /// What it did.
        fault: String,
    },
    /// A period of a [`Torus`](crate::Torus) that is no number, not above 0 or too large.
    Period {
        /// The name of the axis.
        axis: &'static str,
        /// The period (m).
        found: f32,
    },
    /// Columns of different lengths.
    Columns {
        /// The name of the column.
        column: &'static str,
        /// How many rows it has.
        found: usize,
        /// How many there are in the column of positions.
        expected: usize,
    },
}

impl std::fmt::Display for SpatialError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Position { id, row, axis, found } => {
                write!(f, "body {id} (row {row}) is at {axis} = {found} m: positions must be numbers of at most 1e18 m")
            }
            Self::Radius { id, row, found } => {
                write!(f, "body {id} (row {row}) has a radius of {found} m: radii must be from 0 to 1e18 m")
            }
            Self::Outside { id, row, axis, found, low, high } => write!(
                f,
                "body {id} (row {row}) is at {axis} = {found} m, outside the index, which spans {low} to {high} m; make its \
         bounds wider, or use one without bounds"
            ),
            Self::Broken { index, fault } => write!(f, "the index {index:?} broke its promise: {fault}"),
            Self::Period { axis, found } => {
                write!(f, "the period along {axis} is {found} m: expected a number above 0 and of at most 1e18 m")
            }
            Self::Columns { column, found, expected } => {
                write!(f, "the column {column:?} has {found} rows, but there are {expected} positions")
            }
        }
    }
}

impl std::error::Error for SpatialError {}
