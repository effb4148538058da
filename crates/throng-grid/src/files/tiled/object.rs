//! Objects of a Tiled map: what they are, and where Tiled draws them.

use super::cover::Outline;
use super::meaning::{Layer, solid};
use super::model::Properties;
use crate::MapError;
use crate::files::source::{Source, quoted};
use crate::files::wall_words::{Says, says};
use crate::files::warnings::Warnings;

/// Corners of an ellipse.
const ELLIPSE: u32 = 64;

/// An object.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    pub at: usize,
    pub name: String,
    pub class: String,
    /// Its place, with the offsets of its layers (pixels).
    pub origin: [f64; 2],
    /// Pixels.
    pub size: [f64; 2],
    /// Degrees, clockwise around the place.
    pub rotation: f64,
    /// The number of its tile, with the bits that say how it is turned.
    pub tile: Option<u32>,
    pub form: Form,
    /// Where its form is written, and in which words.
    pub form_at: (usize, &'static str),
    pub properties: Properties,
    /// It is made from a template.
    pub is_instance: bool,
    /// It is a wall, or is none; `None` where neither it nor its layer says so.
    pub is_solid: Option<bool>,
}

/// How it is drawn; corners in pixels, from its place.
#[derive(Clone, Debug, Default)]
pub(super) enum Form {
    #[default]
    Rectangle,
    Ellipse,
    Capsule,
    Polygon(Vec<[f64; 2]>),
    Polyline(Vec<[f64; 2]>),
    Point,
    Text,
}

/// What an object may be that is no wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Area,
    Link,
}

impl Object {
    /// By the name of a class.
    pub fn role(class: &str) -> Option<Role> {
        match class {
            _ if class.eq_ignore_ascii_case("spawn") => Some(Role::Area),
            _ if class.eq_ignore_ascii_case("link") => Some(Role::Link),
            _ => None,
        }
    }

    /// Finds out whether it is a wall, and moves it with its layer.
    pub fn settle(&mut self, source: &Source, layer: &Layer, warnings: &mut Warnings) -> Result<(), MapError> {
        self.origin = [self.origin[0] + layer.offset[0], self.origin[1] + layer.offset[1]];
        if self.is_instance {
            let message =
                "objects made from templates are left out, walls and spawn areas too; choose Detach in their menu";
            warnings.add(source, self.at, message.to_owned());
            return Ok(());
        }
        if Self::role(&self.class).is_some() {
            return Ok(());
        }
        let said = solid(source, &self.properties, warnings)?;
        let named = match (says(&self.class), says(&self.name)) {
            (Says::Wall, _) => Some(true),
            (Says::Nothing, Says::Wall) if self.class.is_empty() => Some(true),
            (Says::Open, _) => Some(false),
            (Says::Unclear, _) if said.or(layer.is_solid).is_none() => {
                warnings.unclear(source, self.at, "class of objects", &self.class);
                None
            }
            _ => None,
        };
        self.is_solid = said.or(named).or(layer.is_solid);
        Ok(())
    }

    /// True where it may be a wall, an area or a link.
    pub fn is_of_weight(&self) -> bool {
        let may_be = self.is_solid == Some(true) || Self::role(&self.class).is_some();
        !self.is_instance && (may_be || (self.tile.is_some() && self.is_solid != Some(false)))
    }

    /// Its outline in pixels, turned, where it is no tile; `None` of points, of texts, and where it has no extent.
    pub fn outline(&self) -> Option<Outline> {
        let [width, height] = self.size;
        let has_size = width > 0.0 || height > 0.0;
        let filled = |corners| Some(Outline { corners, is_filled: true });
        let outline = match &self.form {
            Form::Rectangle if has_size => filled(rectangle(self.size)),
            Form::Ellipse if has_size => filled(round(self.size, self.size)),
            Form::Capsule if has_size => {
                let across = width.min(height);
                filled(round(self.size, [across, across]))
            }
            Form::Polygon(corners) if corners.len() > 1 => filled(corners.clone()),
            Form::Polyline(corners) if corners.len() > 1 => {
                Some(Outline { corners: corners.clone(), is_filled: false })
            }
            _ => None,
        }?;
        let turn = self.turn();
        Some(outline.map(turn))
    }

    /// From pixels around its place to pixels of the map.
    pub fn turn(&self) -> impl Fn([f64; 2]) -> [f64; 2] + use<> {
        let turn = self.rotation.to_radians();
        let (sin, cos) = match self.rotation.rem_euclid(360.0) {
            // To the bit.
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            _ => (libm::sin(turn), libm::cos(turn)),
        };
        let [left, top] = self.origin;
        move |[x, y]| [left + x * cos - y * sin, top + x * sin + y * cos]
    }

    /// What it is, for a message.
    pub fn shown(&self) -> String {
        let form = match self.form {
            _ if self.tile.is_some() => "tile object",
            Form::Rectangle => "rectangle",
            Form::Ellipse => "ellipse",
            Form::Capsule => "capsule",
            Form::Polygon(_) => "polygon",
            Form::Polyline(_) => "polyline",
            Form::Point => "point",
            Form::Text => "text",
        };
        if self.name.is_empty() { form.to_owned() } else { format!("{form} {}", quoted(&self.name)) }
    }
}

/// The corners of a rectangle.
pub(super) fn rectangle([width, height]: [f64; 2]) -> Vec<[f64; 2]> {
    vec![[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]
}

/// A rectangle whose corners are rounded by the quarters of an ellipse of this width and height.
fn round([width, height]: [f64; 2], [across, down]: [f64; 2]) -> Vec<[f64; 2]> {
    let corner = |step: u32| {
        let turn = std::f64::consts::TAU * f64::from(step) / f64::from(ELLIPSE);
        let (sin, cos) = (libm::sin(turn), libm::cos(turn));
        let middle = |size: f64, part: f64, towards: f64| {
            if towards < 0.0 { part / 2.0 } else { size - part / 2.0 }
        };
        [middle(width, across, cos) + across / 2.0 * cos, middle(height, down, sin) + down / 2.0 * sin]
    };
    (0..ELLIPSE).map(corner).collect()
}
