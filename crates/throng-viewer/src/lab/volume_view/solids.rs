//! The kinds of volumes, as they are drawn.

use super::figure::Figure;
use throng_spatial::Solid;
use throng_spatial::volume::{Shape2, Shape3};

/// A volume that can be drawn.
pub(super) trait Drawn<const D: usize>: Solid<D> {
    fn figure(&self) -> Figure;
}

impl Drawn<2> for Shape2 {
    fn figure(&self) -> Figure {
        match self {
            Self::Ball(ball) => Figure::ball(ball),
            Self::Aabb(bounds) => Figure::aabb(bounds),
            Self::Obb(obb) => Figure::obb(obb),
            Self::Tree(tree) => Figure::tree(tree),
        }
    }
}

impl Drawn<3> for Shape3 {
    fn figure(&self) -> Figure {
        match self {
            Self::Ball(ball) => Figure::ball(ball),
            Self::Aabb(bounds) => Figure::aabb(bounds),
            Self::Obb(obb) => Figure::obb(obb),
            Self::Cylinder(cylinder) => Figure::cylinder(cylinder),
            Self::Tree(tree) => Figure::tree(tree),
        }
    }
}
