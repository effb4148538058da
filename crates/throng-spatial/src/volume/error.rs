//! Errors of a volume.

/// Why a volume cannot be made.
///
/// ```
/// use throng_spatial::volume::{SphereTree, VolumeError};
/// assert_eq!(SphereTree::<2>::new(&[]).unwrap_err(), VolumeError::NoLeaves);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum VolumeError {
    /// Axes that are not of length 1, not at right angles or not numbers.
    Axes {
        /// An axis.
        first: usize,
        /// Another one, or the same.
        second: usize,
        /// Their product.
        found: f64,
        /// 1 for an axis and itself, else 0.
        expected: u8,
    },
    /// A rotation without direction.
    Rotation {
        /// Length of the quaternion.
        found: f64,
    },
    /// A sphere tree of nothing.
    NoLeaves,
    /// A leaf that is no ball.
    Leaf {
        /// Its number.
        leaf: usize,
        /// The first number of it that is wrong.
        found: f32,
    },
}

impl std::fmt::Display for VolumeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Axes { first, second, found, expected } => write!(
                f,
                "axes {first} and {second} have the product {found}, expected {expected} to within {TOLERANCE}: \
         give axes of length 1 at right angles"
            ),
            Self::Rotation { found } => {
                write!(f, "the rotation has length {found}: give a quaternion that is not zero and of finite numbers")
            }
            Self::NoLeaves => write!(f, "a sphere tree of no balls: give one at least"),
            Self::Leaf { leaf, found } => write!(
                f,
                "ball {leaf} has a centre or a radius of {found}, expected finite numbers and no radius below 0"
            ),
        }
    }
}

impl std::error::Error for VolumeError {}

/// How far products of axes may be from 0 and 1: more is a mistake, less is rounding and mended.
pub(super) const TOLERANCE: f64 = 1e-3;
