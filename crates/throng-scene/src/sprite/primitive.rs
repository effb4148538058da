//! Round cones and plates: what all models are made of.

use super::material::Material;
use super::pose::{DIRECTIONS, heading_of};
use throng_grid::geom::Vec3;

/// A part of a model. Metres: forward, to the right, up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Primitive {
    /// Its form.
    pub form: Form,
    /// What it is made of.
    pub material: Material,
}

/// The form of a primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// All balls between two: their middles and radii. A ball is a cone whose ends are one.
    Cone {
        /// Middle of the one end.
        a: Vec3,
        /// Middle of the other end.
        b: Vec3,
        /// Radius at `a`.
        radius_a: f32,
        /// Radius at `b`.
        radius_b: f32,
    },
    /// A flat shape.
    Plate {
        /// Its middle.
        centre: Vec3,
        /// Half its extent along its first axis.
        u: Vec3,
        /// Half its extent along its second axis.
        v: Vec3,
        /// Its outline.
        shape: Shape,
    },
}

/// The outline of a plate, in its two axes from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An ellipse, slightly domed.
    Disc,
    /// A rectangle.
    Rectangle,
    /// A shield with its point at `v` = 1, slightly domed.
    Kite,
    /// A flag with a swallow-tail at `u` = 1.
    Flag,
}

/// A model: parts in any order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model(pub Vec<Primitive>);

impl Model {
    /// Adds a round cone from `x, y, z, radius` to `x, y, z, radius`.
    pub fn cone(&mut self, ends: [f32; 8], material: Material) -> &mut Self {
        let [ax, ay, az, radius_a, bx, by, bz, radius_b] = ends;
        self.between(Vec3::new(ax, ay, az), radius_a, Vec3::new(bx, by, bz), radius_b, material)
    }

    /// Adds a round cone between two points with their radii.
    pub fn between(&mut self, a: Vec3, radius_a: f32, b: Vec3, radius_b: f32, material: Material) -> &mut Self {
        self.0.push(Primitive { form: Form::Cone { a, b, radius_a, radius_b }, material });
        self
    }

    /// Adds a ball.
    pub fn ball(&mut self, centre: Vec3, radius: f32, material: Material) -> &mut Self {
        self.between(centre, radius, centre, radius, material)
    }

    /// Adds a flat shape around `centre` with half axes `u` and `v`.
    pub fn plate(&mut self, centre: Vec3, [u, v]: [Vec3; 2], shape: Shape, material: Material) -> &mut Self {
        self.0.push(Primitive { form: Form::Plate { centre, u, v, shape }, material });
        self
    }

    /// Adds all parts of another model.
    pub fn join(&mut self, other: Self) -> &mut Self {
        self.0.extend(other.0);
        self
    }

    /// This model moved.
    #[must_use]
    pub fn moved(self, by: Vec3) -> Self {
        self.mapped(|point| point + by, |axis| axis, 1.0)
    }

    /// This model `times` as large.
    #[must_use]
    pub fn sized(self, times: f32) -> Self {
        self.mapped(|point| point * times, |axis| axis * times, times)
    }

    /// This model turned to a direction.
    #[must_use]
    pub fn turned(self, direction: u8) -> Self {
        let turn = turn_to(direction);
        self.mapped(turn, turn, 1.0)
    }

    fn mapped(mut self, point: impl Fn(Vec3) -> Vec3, axis: impl Fn(Vec3) -> Vec3, radii: f32) -> Self {
        for part in &mut self.0 {
            part.form = part.form.mapped(&point, &axis, radii);
        }
        self
    }
}

impl Form {
    /// This form with all points and axes mapped, and radii as many times as large.
    pub(crate) fn mapped(self, point: impl Fn(Vec3) -> Vec3, axis: impl Fn(Vec3) -> Vec3, radii: f32) -> Self {
        match self {
            Self::Cone { a, b, radius_a, radius_b } => {
                Self::Cone { a: point(a), b: point(b), radius_a: radius_a * radii, radius_b: radius_b * radii }
            }
            Self::Plate { centre, u, v, shape } => Self::Plate { centre: point(centre), u: axis(u), v: axis(v), shape },
        }
    }
}

/// The rotation about the upright axis from forward = east to a direction.
pub(crate) fn turn_to(direction: u8) -> impl Fn(Vec3) -> Vec3 + Copy {
    let heading = heading_of(direction % DIRECTIONS as u8);
    move |p: Vec3| Vec3::new(heading.x * p.x - heading.y * p.y, heading.y * p.x + heading.x * p.y, p.z)
}
