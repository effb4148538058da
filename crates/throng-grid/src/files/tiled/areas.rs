//! Spawn areas and links: objects of the classes `spawn` and `link`.

use super::meanings::Meanings;
use super::model::{Document, MAX_AREAS};
use super::object::{Form, Object, Role, rectangle};
use super::{data, links, shapes_of, tile_of};
use crate::files::source::{Source, quoted};
use crate::geom::Vec2;
use crate::{Area, Lattice, MapError, MapLink};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Where things on a map are.
pub(super) struct Places<'a> {
    pub source: &'a Source<'a>,
    pub document: &'a Document<'a>,
    pub meanings: &'a Meanings,
    /// The column and the row of the first cell.
    pub origin: (i64, i64),
    /// (m)
    pub cell_size: f32,
}

/// How such an object is drawn.
pub(super) fn shape(role: Role) -> &'static str {
    match role {
        Role::Link => "a polyline of two points as link",
        Role::Area => "a rectangle or a polygon as spawn area",
    }
}

impl Places<'_> {
    pub fn areas_and_links(&self, lattice: Lattice) -> Result<(Vec<Area>, Vec<MapLink>), MapError> {
        let (mut areas, mut links) = (Vec::new(), Vec::new());
        let (mut area_names, mut link_names) = (BTreeSet::new(), BTreeSet::new());
        let mut count = 0;
        for object in &self.document.objects {
            let object = self.with_class(object);
            let Some(role) = Object::role(&object.class) else { continue };
            count += 1;
            if count > MAX_AREAS {
                let expected = format!("at most {MAX_AREAS} spawn areas and links");
                return Err(self.source.wrong(object.at, "one more", expected));
            }
            let corners = self.corners(&object, role)?;
            let names = if role == Role::Link { &mut link_names } else { &mut area_names };
            if !object.name.is_empty() && !names.insert(object.name.clone()) {
                let what = if role == Role::Link { "link" } else { "spawn area" };
                let found = format!("a second {what} {}", quoted(&object.name));
                return Err(self.source.wrong(object.at, found, "another name"));
            }
            match role {
                Role::Link => links.push(links::link(self.source, lattice, &object, &corners)?),
                Role::Area if object.name.is_empty() => {}
                Role::Area => areas.push(self.area(&object, corners)?),
            }
        }
        Ok((areas, links))
    }

    /// An object of a tile has the class of the tile, and its properties, where it does not say them itself.
    fn with_class<'o>(&self, object: &'o Object) -> Cow<'o, Object> {
        let class = object.tile.and_then(|bits| self.meanings.class(bits & !data::TURNED));
        let Some((class, properties)) = class.filter(|(class, _)| object.class.is_empty() || object.class == *class)
        else {
            return Cow::Borrowed(object);
        };
        let mut object = object.clone();
        object.class.clone_from(class);
        let own: BTreeSet<String> = object.properties.0.iter().map(|property| property.name.clone()).collect();
        let others = properties.0.iter().filter(|property| !own.contains(&property.name));
        object.properties.0.extend(others.cloned());
        Cow::Owned(object)
    }

    fn area(&self, object: &Object, corners: Vec<Vec2>) -> Result<Area, MapError> {
        let properties = object.properties.0.iter().map(|property| (property.name.clone(), property.value.clone()));
        let area = Area { name: object.name.clone(), corners, properties: properties.collect() };
        let size = area.size();
        if area.corners.iter().all(|corner| corner.is_finite()) && size.x > 0.0 && size.y > 0.0 {
            return Ok(area);
        }
        let found = format!("the spawn area {} without room", quoted(&object.name));
        Err(self.source.wrong(object.at, found, "one that is broad and high"))
    }

    /// The corners of an object in metres.
    fn corners(&self, object: &Object, role: Role) -> Result<Vec<Vec2>, MapError> {
        let (tile_width, tile_height) = self.document.tile_size;
        if !(tile_width > 0.0 && tile_height > 0.0) {
            let expected = "tiles of at least one pixel, since areas and links are measured in them";
            let found = format!("tiles of {tile_width} x {tile_height} pixels");
            return Err(self.source.wrong(object.at, found, expected));
        }
        let metres = |[x, y]: [f64; 2]| {
            let (x, y) = (x / tile_width - self.origin.0 as f64, y / tile_height - self.origin.1 as f64);
            let cell_size = f64::from(self.cell_size);
            Vec2::new((x * cell_size) as f32, (y * cell_size) as f32)
        };
        let pixels = match (&object.form, object.tile, role) {
            (Form::Rectangle, Some(bits), Role::Area) => {
                tile_of(self.source, self.meanings, object.at, bits)?;
                let (size, place) = shapes_of(object, bits, self.meanings);
                rectangle(size).into_iter().map(place).collect()
            }
            (Form::Rectangle, _, Role::Link) => Vec::new(),
            (Form::Rectangle, None, Role::Area) => turned(object, rectangle(object.size)),
            (Form::Polygon(corners), _, Role::Area) | (Form::Polyline(corners), _, Role::Link) => {
                turned(object, corners.clone())
            }
            _ => {
                let (at, found) = object.form_at;
                return Err(self.source.wrong(at, found, shape(role)));
            }
        };
        Ok(pixels.into_iter().map(metres).collect())
    }
}

fn turned(object: &Object, corners: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    corners.into_iter().map(object.turn()).collect()
}
