//! `GeoJSON`. Source: RFC 7946, 2016; coordinates are metres here.

use super::{Plan, Polygons, Rings};
use crate::files::json::{each, parse, whole};
use crate::files::source::{Source, quoted};
use crate::{MapError, PLAIN, SWAMP};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Collections in collections.
const MAX_DEPTH: usize = 32;

#[derive(Deserialize)]
#[serde(expecting = "an object of GeoJSON")]
struct Object<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow, default)]
    features: Option<&'a RawValue>,
    #[serde(borrow, default)]
    geometries: Option<&'a RawValue>,
    #[serde(borrow, default)]
    geometry: Option<&'a RawValue>,
    #[serde(borrow, default)]
    coordinates: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    crs: Option<&'a RawValue>,
    #[serde(borrow, default)]
    bbox: Option<&'a RawValue>,
    #[serde(default)]
    cell_size: Option<f32>,
}

#[derive(Default, Deserialize)]
#[serde(expecting = "an object of GeoJSON")]
struct Marks<'a> {
    #[serde(borrow, default)]
    walkable: Option<&'a RawValue>,
    #[serde(borrow, default)]
    terrain: Option<&'a RawValue>,
}

/// A position: two numbers, and more that do not count.
struct Position([f64; 2]);

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Positions;
        impl<'de> Visitor<'de> for Positions {
            type Value = Position;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position, [x, y]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Position, A::Error> {
                let mut next = || list.next_element()?.ok_or_else(|| A::Error::custom("a position needs two numbers"));
                let position = Position([next()?, next()?]);
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(position)
            }
        }
        deserializer.deserialize_seq(Positions)
    }
}

/// The properties of a feature that concern its polygons.
#[derive(Clone, Copy)]
struct Mark {
    kind: Option<Polygons>,
    class: Option<u8>,
}

/// Reads all polygons; `kind` is the kind of those without one of their own.
pub(super) fn plan(source: &Source, kind: Polygons) -> Result<Plan, MapError> {
    let (at, object): (_, Object) = whole(source)?;
    let is_projected = object.crs.is_some_and(|crs| crs.get() != "null");
    let mut plan = Plan { is_projected, ..Plan::default() };
    if let Some(cell_size) = object.cell_size {
        if !crate::files::ascii::CELL_SIZES.contains(&cell_size) {
            let expected = "a number of metres from 0.001 to 1000";
            return Err(source.wrong(at, format!("cell_size = {cell_size}"), expected));
        }
        plan.cell_size = Some(cell_size);
        // It is one of ours.
        plan.is_projected = true;
    }
    if let Some(bbox) = object.bbox.filter(|bbox| bbox.get() != "null") {
        let numbers: Vec<f64> = parse(source, bbox)?;
        plan.bounds = match numbers[..] {
            [x0, y0, x1, y1] | [x0, y0, _, x1, y1, _] => Some([x0, y0, x1, y1]),
            _ => return Err(source.wrong(source.offset(bbox.get()), quoted(bbox.get()), "four or six numbers")),
        };
    }
    let mut reader = Reader { source, kind, plan };
    reader.object(at, &object, Mark { kind: None, class: None }, 0)?;
    Ok(reader.plan)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    kind: Polygons,
    plan: Plan,
}

impl Reader<'_> {
    fn object(&mut self, at: usize, object: &Object, mark: Mark, depth: usize) -> Result<(), MapError> {
        let source = self.source;
        if depth > MAX_DEPTH {
            return Err(source.wrong(at, "one more", "at most 32 collections in each other"));
        }
        match object.kind.as_str() {
            "FeatureCollection" => {
                each(source, object.features, |at, object| self.object(at, &object, mark, depth + 1))
            }
            "GeometryCollection" => {
                each(source, object.geometries, |at, object| self.object(at, &object, mark, depth + 1))
            }
            "Feature" => {
                let mark = self.mark(object.properties)?;
                match object.geometry.filter(|geometry| geometry.get() != "null") {
                    Some(raw) => {
                        let geometry = parse(source, raw)?;
                        self.object(source.offset(raw.get()), &geometry, mark, depth + 1)
                    }
                    None => Ok(()),
                }
            }
            "Polygon" => self.polygon(object.coordinates, mark),
            "MultiPolygon" => each(source, object.coordinates, |_, polygon| self.polygon(Some(polygon), mark)),
            // Labels and the like.
            "Point" | "MultiPoint" => Ok(()),
            found => {
                let expected = "polygons and collections of them: walls are polygons too, as broad as they are";
                Err(source.wrong(at, quoted(found), expected))
            }
        }
    }

    fn mark(&self, properties: Option<&RawValue>) -> Result<Mark, MapError> {
        let source = self.source;
        let marks = match properties.filter(|properties| properties.get() != "null") {
            Some(properties) => parse(source, properties)?,
            None => Marks::default(),
        };
        let wrong = |found: &RawValue, name: &str, expected: &str| {
            let found_text = format!("{name} = {}", found.get().chars().take(40).collect::<String>());
            Err(source.wrong(source.offset(found.get()), found_text, expected))
        };
        let kind = match marks.walkable.map(|value| (value, value.get())) {
            None | Some((_, "null")) => None,
            Some((_, "true")) => Some(Polygons::Walkable),
            Some((_, "false")) => Some(Polygons::Obstacles),
            Some((value, _)) => return wrong(value, "walkable", "true or false"),
        };
        let class = match marks.terrain.map(|value| (value, value.get())) {
            None | Some((_, "null")) => None,
            Some((_, "\"plain\"")) => Some(PLAIN),
            Some((_, "\"swamp\"")) => Some(SWAMP),
            Some((value, number)) => match number.parse() {
                Ok(class) => Some(class),
                Err(_) => return wrong(value, "terrain", "a class of terrain, 0 to 255, \"plain\" or \"swamp\""),
            },
        };
        Ok(Mark { kind, class })
    }

    fn polygon(&mut self, coordinates: Option<&RawValue>, mark: Mark) -> Result<(), MapError> {
        let mut rings = Rings::new();
        each(self.source, coordinates, |_, ring: Vec<Position>| {
            rings.push(ring.iter().map(|&Position(position)| position).collect());
            Ok(())
        })?;
        match mark {
            Mark { kind: None, class: Some(class) } => self.plan.painted.push((class, rings)),
            Mark { kind, class } => {
                if let Some(class) = class {
                    self.plan.painted.push((class, rings.clone()));
                }
                self.plan.add(kind.unwrap_or(self.kind), rings);
            }
        }
        Ok(())
    }
}
