//! `GeoJSON`. Source: RFC 7946, 2016; the member `crs` is that of the draft before it, by which others still write, and `coordRefSys` that
//! of OGC 21-045, *Features and geometries JSON*.

use super::level::Levels;
use super::system::{System, unit};
use super::{Line, Mark, Plan, Polygons, Rings, lines};
use crate::files::MapOptions;
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
    #[serde(borrow, default, rename = "coordRefSys")]
    coord_ref_sys: Option<&'a RawValue>,
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
    #[serde(borrow, default)]
    level: Option<&'a RawValue>,
    #[serde(borrow, default)]
    width: Option<&'a RawValue>,
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

/// The properties of a feature, or of one that has none.
#[derive(Clone, Copy, Default)]
struct Properties<'a> {
    mark: Mark,
    /// The width of its lines (m): their property `width`.
    width: Option<&'a RawValue>,
}

/// Reads all polygons and lines of the wanted level.
pub(super) fn plan(source: &Source, options: &MapOptions) -> Result<Plan, MapError> {
    let (at, object): (_, Object) = whole(source)?;
    let mut plan = Plan { is_geojson: true, ..Plan::default() };
    if let Some(cell_size) = object.cell_size {
        if !crate::files::ascii::CELL_SIZES.contains(&cell_size) {
            let expected = "a number of metres from 0.001 to 1000";
            return Err(source.wrong(at, format!("cell_size = {cell_size}"), expected));
        }
        plan.cell_size = Some(cell_size);
        plan.is_ours = true;
    }
    if let Some(bbox) = object.bbox.filter(|bbox| bbox.get() != "null") {
        let numbers: Vec<f64> = parse(source, bbox)?;
        plan.bounds = match numbers[..] {
            [x0, y0, x1, y1] | [x0, y0, _, x1, y1, _] => Some([x0, y0, x1, y1]),
            _ => return Err(source.wrong(source.offset(bbox.get()), quoted(bbox.get()), "four or six numbers")),
        };
    }
    let kind = options.polygons.unwrap_or(Polygons::Obstacles);
    let mut reader = Reader { source, kind, plan, levels: Levels::new(options.level.as_deref()) };
    reader.object(at, &object, Properties::default(), 0)?;
    reader.levels.check(source)?;
    Ok(reader.plan)
}

/// The name in a member `crs` or `coordRefSys`: a text, or an object of one of the usual shapes.
fn name_of_system(value: &serde_json::Value) -> Option<String> {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    if let Some(all) = value.as_array() {
        return all.first().and_then(name_of_system);
    }
    let properties = value.get("properties").unwrap_or(value);
    let named = ["name", "urn", "href"].iter().find_map(|key| properties.get(key).and_then(text));
    // The first draft: an authority and a code.
    let code = || Some(format!("{}:{}", value.get("type")?.as_str()?, properties.get("code").and_then(text)?));
    text(value).or(named).or_else(code)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    kind: Polygons,
    plan: Plan,
    levels: Levels<'a>,
}

impl Reader<'_> {
    fn object(&mut self, at: usize, object: &Object, mark: Properties, depth: usize) -> Result<(), MapError> {
        let source = self.source;
        if depth > MAX_DEPTH {
            return Err(source.wrong(at, "one more", "at most 32 collections in each other"));
        }
        for system in [object.crs, object.coord_ref_sys].into_iter().flatten() {
            self.system(system)?;
        }
        match object.kind.as_str() {
            "FeatureCollection" => {
                each(source, object.features, |at, object| self.object(at, &object, mark, depth + 1))
            }
            "GeometryCollection" => {
                each(source, object.geometries, |at, object| self.object(at, &object, mark, depth + 1))
            }
            "Feature" => {
                let Some(mark) = self.properties(object.properties)? else { return Ok(()) };
                match object.geometry.filter(|geometry| geometry.get() != "null") {
                    Some(raw) => {
                        let geometry = parse(source, raw)?;
                        self.object(source.offset(raw.get()), &geometry, mark, depth + 1)
                    }
                    None => Ok(()),
                }
            }
            "Polygon" => self.polygon(object.coordinates, mark.mark),
            "MultiPolygon" => each(source, object.coordinates, |_, polygon| self.polygon(Some(polygon), mark.mark)),
            "LineString" => self.line(object.coordinates, mark),
            "MultiLineString" => each(source, object.coordinates, |_, line| self.line(Some(line), mark)),
            // Labels and the like.
            "Point" | "MultiPoint" => Ok(()),
            found => {
                let expected = "polygons, lines and collections of them: lines are walls";
                Err(source.wrong(at, quoted(found), expected))
            }
        }
    }

    /// Notes the coordinate system, which is one for the whole file.
    fn system(&mut self, value: &RawValue) -> Result<(), MapError> {
        let source = self.source;
        let Some(name) = name_of_system(&parse(source, value)?) else { return Ok(()) };
        let system = System { unit: unit(&name), at: source.offset(value.get()), name };
        match &self.plan.system {
            Some(first) if first.name != system.name => {
                let expected = format!("{}, as before: all of a plan in one coordinate system", quoted(&first.name));
                Err(source.wrong(system.at, format!("the coordinate system {}", quoted(&system.name)), expected))
            }
            _ => {
                self.plan.system.get_or_insert(system);
                Ok(())
            }
        }
    }

    /// What the properties of a feature say; `None` where it is of another level.
    fn properties<'p>(&mut self, properties: Option<&'p RawValue>) -> Result<Option<Properties<'p>>, MapError> {
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
        let level = marks.level.map_or((None, 0), |level| (Some(level.get()), source.offset(level.get())));
        let properties = Properties { mark: Mark { kind, class }, width: marks.width };
        Ok(self.levels.take(level.0, level.1).then_some(properties))
    }

    fn polygon(&mut self, coordinates: Option<&RawValue>, mark: Mark) -> Result<(), MapError> {
        let mut rings = Rings::new();
        each(self.source, coordinates, |_, ring: Vec<Position>| {
            rings.push(ring.iter().map(|&Position(position)| position).collect());
            Ok(())
        })?;
        self.plan.add(mark, self.kind, rings);
        Ok(())
    }

    fn line(&mut self, coordinates: Option<&RawValue>, of: Properties) -> Result<(), MapError> {
        let mut points = Vec::new();
        each(self.source, coordinates, |_, Position(position)| {
            points.push(position);
            Ok(())
        })?;
        let width = of.width.map(|width| self.width(width)).transpose()?.flatten();
        self.plan.lines.push(Line { points, width, mark: of.mark });
        Ok(())
    }

    /// A width (m), a number or the text of one.
    fn width(&self, value: &RawValue) -> Result<Option<f64>, MapError> {
        let text = value.get().trim_matches('"');
        let width = text.trim().parse().ok().filter(|width| lines::WIDTHS.contains(width));
        if width.is_some() || text == "null" {
            return Ok(width);
        }
        let found = format!("width = {}", value.get().chars().take(40).collect::<String>());
        Err(self.source.wrong(self.source.offset(value.get()), found, "a number of metres from 0.001 to 1000"))
    }
}
