//! The bodies of an index.

use super::SpatialError;
use crate::volume::{Aabb, Ball};

/// The columns of the bodies, one row a body. A body of any shape is indexed by a ball around it.
///
/// ```
/// use throng_spatial::Bodies;
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 4.0]], &[0.5, 0.5], &[0, 1]);
/// assert_eq!(bodies.len(), 2);
/// assert!(bodies.check().is_ok());
/// let lost = Bodies::new(&[[f32::NAN, 0.0]], &[0.5], &[7]);
/// assert_eq!(
///     lost.check().unwrap_err().to_string(),
///     "body 7 (row 0) is at x = NaN m: positions must be numbers of at most 1e18 m",
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a, const D: usize> {
    /// Centres (m).
    pub position: &'a [[f32; D]],
    /// Radii (m).
    pub radius: &'a [f32],
    /// Identity: breaks ties. No two bodies share one.
    pub id: &'a [u32],
    /// Which bodies rest: two that rest are never tested against each other. Empty where all move.
    pub resting: &'a [bool],
}

impl<'a, const D: usize> Bodies<'a, D> {
    /// The furthest from the origin that a body may be on any axis, and its greatest radius (m). The squares of all
    /// distances are finite then.
    pub const MAX_EXTENT_M: f32 = 1e18;

    /// Bodies that all move.
    pub fn new(position: &'a [[f32; D]], radius: &'a [f32], id: &'a [u32]) -> Self {
        Self { position, radius, id, resting: &[] }
    }

    /// How many bodies there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True where there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// The ball of a row.
    #[inline]
    pub fn ball(&self, row: usize) -> Ball<D> {
        Ball { centre: self.position[row], radius: self.radius[row] }
    }

    /// True where the body of a row rests.
    #[inline]
    pub fn rests(&self, row: usize) -> bool {
        !self.resting.is_empty() && self.resting[row]
    }

    /// The exact test of a pair: whether the balls of two rows overlap (distance < sum of radii).
    #[inline]
    pub fn overlap(&self, i: usize, j: usize) -> bool {
        self.ball(i).overlaps(&self.ball(j))
    }

    /// A box around the body of a row: wider than the ball by what rounding may cost, so that the boxes of two bodies
    /// that overlap always share a point.
    #[inline]
    pub fn bounds(&self, row: usize) -> Aabb<D> {
        around(self.position[row], self.radius[row])
    }

    /// Checks what every index relies on. O(n).
    ///
    /// # Errors
    /// Where the columns are not equally long, or a position or radius is no number, infinite, too large or, for a
    /// radius, negative.
    pub fn check(&self) -> Result<(), SpatialError> {
        let n = self.len();
        for (column, found) in [("radius", self.radius.len()), ("id", self.id.len())] {
            if found != n {
                return Err(SpatialError::Columns { column, found, expected: n });
            }
        }
        if !self.resting.is_empty() && self.resting.len() != n {
            return Err(SpatialError::Columns { column: "resting", found: self.resting.len(), expected: n });
        }
        // One test a number and no way out early, so that the compiler uses vectors.
        let good = |x: f32| x.abs() <= Self::MAX_EXTENT_M;
        let places = self.position.as_flattened().iter().fold(true, |all, &x| all & good(x));
        let radii = self.radius.iter().fold(true, |all, &radius| all & (good(radius) && radius >= 0.0));
        if places && radii { Ok(()) } else { Err(self.complaint()) }
    }

    /// [`check`](Self::check), and [`check_inside`](Self::check_inside) where an index has bounds.
    pub(super) fn check_for(&self, bounds: Option<&Aabb<D>>) -> Result<(), SpatialError> {
        self.check()?;
        bounds.map_or(Ok(()), |bounds| self.check_inside(bounds))
    }

    /// The error of the first bad row.
    #[cold]
    fn complaint(&self) -> SpatialError {
        for row in 0..self.len() {
            let id = self.id[row];
            for axis in 0..D {
                let found = self.position[row][axis];
                if found.is_nan() || found.abs() > Self::MAX_EXTENT_M {
                    return SpatialError::Position { id, row, axis: axis_name(axis), found };
                }
            }
            let found = self.radius[row];
            if found.is_nan() || !(0.0..=Self::MAX_EXTENT_M).contains(&found) {
                return SpatialError::Radius { id, row, found };
            }
        }
        SpatialError::Columns { column: "position", found: self.len(), expected: self.len() }
    }

    /// Checks that all bodies are inside the bounds of an index.
    ///
    /// # Errors
    /// Where the centre of one is outside (its borders belong to the box).
    pub fn check_inside(&self, bounds: &Aabb<D>) -> Result<(), SpatialError> {
        for (row, position) in self.position.iter().enumerate() {
            for (axis, &found) in position.iter().enumerate() {
                let (low, high) = (bounds.low[axis], bounds.high[axis]);
                if !(low..=high).contains(&found) {
                    return Err(SpatialError::Outside {
                        id: self.id[row],
                        row,
                        axis: axis_name(axis),
                        found,
                        low,
                        high,
                    });
                }
            }
        }
        Ok(())
    }
}

pub(super) fn axis_name(axis: usize) -> &'static str {
    ["x", "y", "z"].get(axis).unwrap_or(&"a further axis")
}

/// How much wider the box of a ball is than the ball, as a share of its coordinates and radius.
pub(crate) const ULPS: f32 = 8.0 / (1 << 24) as f32;

/// The box of a ball, wider by some ulps.
///
/// The exact test passes only where the rounded difference of the coordinates is at most the rounded sum of the radii,
/// on each axis, since rounding keeps the order. That is off by 3 ulps of the radii, and the two bounds by 2 ulps of
/// coordinate and radius each: 8 are enough.
#[inline]
pub(crate) fn around<const D: usize>(centre: [f32; D], radius: f32) -> Aabb<D> {
    let (mut low, mut high) = (centre, centre);
    for axis in 0..D {
        let slack = (centre[axis].abs() + radius) * ULPS;
        low[axis] = (centre[axis] - radius) - slack;
        high[axis] = (centre[axis] + radius) + slack;
    }
    Aabb { low, high }
}

/// True where two boxes share a point, be it on the border.
#[inline]
pub(crate) fn meet<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> bool {
    let mut shared = true;
    for axis in 0..D {
        shared &= a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
    }
    shared
}

/// `f32::max` for numbers: one instruction, since it does not look for NaN.
#[inline]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `f32::min` for numbers: one instruction.
#[inline]
pub(crate) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The box around two boxes.
#[inline]
pub(crate) fn union<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> Aabb<D> {
    Aabb {
        low: std::array::from_fn(|axis| smaller(a.low[axis], b.low[axis])),
        high: std::array::from_fn(|axis| larger(a.high[axis], b.high[axis])),
    }
}
