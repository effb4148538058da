//! The shapes of formations, and the order that a squad keeps.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Skirmishers stand apart by so many spacings.
pub(super) const LOOSE_SPACINGS: f32 = 2.0;

/// The shapes of formations.
///
/// ```
/// use throng_sim::battle::Shape;
/// assert_eq!("wedge".parse::<Shape>()?, Shape::Wedge);
/// assert!("wedgy".parse::<Shape>().unwrap_err().to_string().contains("wedge"));
/// # Ok::<(), throng_sim::battle::UnknownShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Shape {
    /// Broad: three ranks, where nothing else is said.
    Line,
    /// Deep: four abreast, where nothing else is said.
    Column,
    /// As many abreast as behind each other.
    Square,
    /// One member in front, one more in each rank behind it.
    Wedge,
    /// Ring around ring, filled.
    Circle,
    /// Skirmishers: twice the spacing, none straight behind another.
    Loose,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 6] = [Shape::Line, Shape::Column, Shape::Square, Shape::Wedge, Shape::Circle, Shape::Loose];

    /// The name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Column => "column",
            Self::Square => "square",
            Self::Wedge => "wedge",
            Self::Circle => "circle",
            Self::Loose => "loose",
        }
    }

    /// True where one may say how many stand side by side.
    pub fn has_files(self) -> bool {
        matches!(self, Self::Line | Self::Column | Self::Loose)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A formation of an unknown name was asked for.
///
/// ```
/// use throng_sim::battle::{Shape, UnknownShape};
/// assert_eq!("heap".parse::<Shape>(), Err(UnknownShape { found: "heap".into() }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown formation {found:?}; known are {}", Shape::ALL.map(Shape::name).join(", "))]
pub struct UnknownShape {
    /// The name.
    pub found: String,
}

impl FromStr for Shape {
    type Err = UnknownShape;

    fn from_str(name: &str) -> Result<Self, UnknownShape> {
        let found = || UnknownShape { found: name.to_owned() };
        Self::ALL.into_iter().find(|shape| shape.name() == name).ok_or_else(found)
    }
}

/// The order that a squad keeps: its shape, and how far its soldiers stand apart.
///
/// ```
/// use throng_sim::battle::{Formation, Shape};
/// let line = Formation { files: Some(10), ..Formation::new(Shape::Line, 1.0) };
/// let layout = line.layout(20);
/// assert_eq!((layout.places.len(), layout.width(), layout.depth()), (20, 9.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Formation {
    /// The shape.
    pub shape: Shape,
    /// Soldiers side by side, of shapes that [have files](Shape::has_files); `None` = as the shape has it.
    pub files: Option<u32>,
    /// Distance between neighbours (m), from twice their radius to 100.
    pub spacing: f32,
}

impl Formation {
    /// A formation with its usual files.
    pub fn new(shape: Shape, spacing: f32) -> Self {
        Self { shape, files: None, spacing }
    }

    /// The distance between neighbours of a rank (m).
    pub fn file_spacing(&self) -> f32 {
        if self.shape == Shape::Loose { LOOSE_SPACINGS * self.spacing } else { self.spacing }
    }

    /// The permitted spacings of bodies of a radius (m).
    pub fn spacings(radius: f32) -> RangeInclusive<f32> {
        2.0 * radius..=100.0
    }
}
