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
    /// A jointed tree of nothing.
    NoParts,
    /// A part that hangs on no part before it, or a first part that hangs on any.
    Parent {
        /// Its number.
        part: usize,
        /// Its parent.
        found: Option<usize>,
    },
    /// A joint that is nowhere.
    Pivot {
        /// Number of the part that hangs on it.
        part: usize,
        /// The first number of it that is not finite.
        found: f32,
    },
    /// Poses that are not as many as the parts of a jointed tree.
    Poses {
        /// How many there are.
        found: usize,
        /// How many parts there are.
        expected: usize,
    },
    /// The pose of a part that is nowhere.
    Place {
        /// Number of the part.
        part: usize,
        /// The first number of the place that is not finite.
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
            Self::NoParts => write!(f, "a jointed tree of no parts: give one at least"),
            Self::Parent { part: 0, found: Some(parent) } => {
                write!(f, "part 0 has part {parent} as its parent, expected none: the first part is the root")
            }
            Self::Parent { part, found: Some(parent) } => {
                write!(f, "part {part} has part {parent} as its parent, expected a part before it")
            }
            Self::Parent { part, found: None } => {
                write!(f, "part {part} has no parent, expected a part before it: only part 0 is the root")
            }
            Self::Pivot { part, found } => {
                write!(f, "the joint of part {part} has a pivot at {found} m, expected finite numbers")
            }
            Self::Poses { found, expected } => {
                write!(f, "the number of poses is {found}, expected {expected}: give one for each part")
            }
            Self::Place { part, found } => {
                write!(f, "the pose of part {part} is at {found} m, expected finite numbers")
            }
        }
    }
}

impl std::error::Error for VolumeError {}

/// How far products of axes may be from 0 and 1: more is a mistake, less is rounding and mended.
pub(super) const TOLERANCE: f64 = 1e-3;
