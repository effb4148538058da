//! All kinds of volumes in one type.

use super::{Aabb, Ball, Cylinder, Obb, PosedTree, Volume};

/// A volume of any kind in the plane.
///
/// ```
/// use throng_spatial::volume::{Ball, Obb, Shape2, Volume};
/// let disc = Shape2::from(Ball { centre: [2.0, 0.0], radius: 1.0 });
/// let gate = Shape2::from(Obb::turned([0.0, 0.0], [3.0, 0.2], 30.0));
/// assert!(disc.overlaps(&gate) && gate.overlaps(&disc));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape2 {
    /// A circle.
    Ball(Ball<2>),
    /// An axis-aligned rectangle.
    Aabb(Aabb<2>),
    /// A rectangle that is turned.
    Obb(Obb<2>),
    /// Many circles that move together.
    Tree(PosedTree<2>),
}

/// A volume of any kind in space.
///
/// ```
/// use throng_spatial::volume::{Aabb, Cylinder, Shape3, Volume};
/// let man = Shape3::from(Cylinder { centre: [0.0, 0.0], radius: 0.4, low: 0.0, high: 1.8 });
/// let beam = Shape3::from(Aabb { low: [-5.0, -0.1, 1.7], high: [5.0, 0.1, 2.0] });
/// assert!(man.overlaps(&beam), "mind your head");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape3 {
    /// A sphere.
    Ball(Ball<3>),
    /// An axis-aligned box.
    Aabb(Aabb<3>),
    /// A box that is turned.
    Obb(Obb<3>),
    /// An upright cylinder.
    Cylinder(Cylinder),
    /// Many spheres that move together.
    Tree(PosedTree<3>),
}

impl Shape2 {
    /// True where the volumes share more than points of their borders.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ball(a), Self::Ball(b)) => a.overlaps(b),
            (Self::Aabb(a), Self::Ball(b)) | (Self::Ball(b), Self::Aabb(a)) => a.overlaps_ball(b),
            (Self::Aabb(a), Self::Aabb(b)) => a.overlaps(b),
            (Self::Obb(a), Self::Ball(b)) | (Self::Ball(b), Self::Obb(a)) => a.overlaps_ball(b),
            (Self::Obb(a), Self::Aabb(b)) | (Self::Aabb(b), Self::Obb(a)) => a.overlaps_aabb(b),
            (Self::Obb(a), Self::Obb(b)) => a.overlaps(b),
            (Self::Tree(a), Self::Ball(b)) | (Self::Ball(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Aabb(b)) | (Self::Aabb(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Obb(b)) | (Self::Obb(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Tree(b)) => a.overlaps(b),
        }
    }
}

impl Shape3 {
    /// True where the volumes share more than points of their borders.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ball(a), Self::Ball(b)) => a.overlaps(b),
            (Self::Aabb(a), Self::Ball(b)) | (Self::Ball(b), Self::Aabb(a)) => a.overlaps_ball(b),
            (Self::Aabb(a), Self::Aabb(b)) => a.overlaps(b),
            (Self::Obb(a), Self::Ball(b)) | (Self::Ball(b), Self::Obb(a)) => a.overlaps_ball(b),
            (Self::Obb(a), Self::Aabb(b)) | (Self::Aabb(b), Self::Obb(a)) => a.overlaps_aabb(b),
            (Self::Obb(a), Self::Obb(b)) => a.overlaps(b),
            (Self::Cylinder(a), Self::Ball(b)) | (Self::Ball(b), Self::Cylinder(a)) => a.overlaps_ball(b),
            (Self::Cylinder(a), Self::Aabb(b)) | (Self::Aabb(b), Self::Cylinder(a)) => a.overlaps_aabb(b),
            (Self::Cylinder(a), Self::Obb(b)) | (Self::Obb(b), Self::Cylinder(a)) => a.overlaps_obb(b),
            (Self::Cylinder(a), Self::Cylinder(b)) => a.overlaps(b),
            (Self::Tree(a), Self::Ball(b)) | (Self::Ball(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Aabb(b)) | (Self::Aabb(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Obb(b)) | (Self::Obb(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Cylinder(b)) | (Self::Cylinder(b), Self::Tree(a)) => a.overlaps_volume(b),
            (Self::Tree(a), Self::Tree(b)) => a.overlaps(b),
        }
    }
}

/// The methods that each kind implements for itself.
macro_rules! any_kind {
    ($shape:ident, $dimensions:literal, $($kind:ident($volume:ty)),+) => {
        impl Volume<$dimensions> for $shape {
            fn bounds(&self) -> Aabb<$dimensions> {
                match self { $(Self::$kind(volume) => volume.bounds()),+ }
            }

            fn bounding_ball(&self) -> Ball<$dimensions> {
                match self { $(Self::$kind(volume) => volume.bounding_ball()),+ }
            }

            fn contains(&self, point: [f32; $dimensions]) -> bool {
                match self { $(Self::$kind(volume) => volume.contains(point)),+ }
            }

            fn distance(&self, point: [f32; $dimensions]) -> f32 {
                match self { $(Self::$kind(volume) => Volume::distance(volume, point)),+ }
            }

            fn overlaps(&self, other: &Self) -> bool {
                Self::overlaps(self, other)
            }

            fn overlaps_ball(&self, ball: &Ball<$dimensions>) -> bool {
                match self { $(Self::$kind(volume) => Volume::overlaps_ball(volume, ball)),+ }
            }
        }

        $(impl From<$volume> for $shape {
            fn from(volume: $volume) -> Self {
                Self::$kind(volume)
            }
        })+
    };
}

any_kind!(Shape2, 2, Ball(Ball<2>), Aabb(Aabb<2>), Obb(Obb<2>), Tree(PosedTree<2>));
any_kind!(Shape3, 3, Ball(Ball<3>), Aabb(Aabb<3>), Obb(Obb<3>), Cylinder(Cylinder), Tree(PosedTree<3>));
