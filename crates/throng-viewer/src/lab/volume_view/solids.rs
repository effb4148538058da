//! The kinds of volumes, as they are drawn.

use super::figure::VolumeFigure;
use throng_spatial::Solid;
use throng_spatial::volume::{Shape2, Shape3};

/// A volume that can be drawn.
pub(super) trait Drawn<const D: usize>: Solid<D> {
    fn figure(&self) -> VolumeFigure;
}

impl Drawn<2> for Shape2 {
    fn figure(&self) -> VolumeFigure {
        match self {
            Self::Ball(ball) => VolumeFigure::ball(ball),
            Self::Aabb(bounds) => VolumeFigure::aabb(bounds),
            Self::Obb(obb) => VolumeFigure::obb(obb),
            Self::Tree(tree) => VolumeFigure::tree(tree),
        }
    }
}

impl Drawn<3> for Shape3 {
    fn figure(&self) -> VolumeFigure {
        match self {
            Self::Ball(ball) => VolumeFigure::ball(ball),
            Self::Aabb(bounds) => VolumeFigure::aabb(bounds),
            Self::Obb(obb) => VolumeFigure::obb(obb),
            Self::Cylinder(cylinder) => VolumeFigure::cylinder(cylinder),
            Self::Tree(tree) => VolumeFigure::tree(tree),
        }
    }
}
