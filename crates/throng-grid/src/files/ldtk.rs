//! Projects of the `LDtk` editor (`.ldtk`), their levels in them or in files of their own (`.ldtkl`).
//!
//! Format: S. Benard, *`LDtk` JSON format*, version 1.5, <https://ldtk.io/json>. `docs/maps.md` says which values are walls.

use super::json::{each, parse, whole};
use super::source::{Source, quoted};
use super::wall_words::{Says, says};
use super::warnings::Warnings;
use super::{MapFile, lattice, text};
use crate::geom::Vec2;
use crate::{Area, Cell, Grid, MapError, PLAIN, SWAMP};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most bytes of a project, and of all its levels in files of their own.
const MAX_BYTES: usize = 256 << 20;

/// The most cells that are filled, those of layers on each other counted each.
const MAX_WORK: u64 = 1 << 31;

/// Entities are nearer (pixels).
const FARTHEST: f64 = 1e12;

/// The most layers and entities of a level.
const MAX_LEVEL_PARTS: usize = 10_000;

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct Project<'a> {
    #[serde(borrow, default)]
    defs: Option<&'a RawValue>,
    #[serde(borrow, default)]
    levels: Option<&'a RawValue>,
    #[serde(borrow, default)]
    worlds: Option<&'a RawValue>,
    #[serde(default, rename = "worldLayout")]
    layout: Option<String>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct World<'a> {
    #[serde(borrow, default)]
    levels: Option<&'a RawValue>,
    #[serde(default, rename = "worldLayout")]
    layout: Option<String>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct Defs<'a> {
    #[serde(borrow, default)]
    layers: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct LayerDef<'a> {
    uid: i64,
    #[serde(borrow, default, rename = "intGridValues")]
    values: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct ValueDef {
    value: u32,
    #[serde(default)]
    identifier: Option<String>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct Level<'a> {
    identifier: String,
    #[serde(rename = "worldX", default)]
    x: i32,
    #[serde(rename = "worldY", default)]
    y: i32,
    #[serde(rename = "worldDepth", default)]
    depth: i64,
    #[serde(rename = "pxWid")]
    width: u32,
    #[serde(rename = "pxHei")]
    height: u32,
    #[serde(rename = "externalRelPath", default)]
    external: Option<String>,
    #[serde(borrow, rename = "layerInstances", default)]
    layers: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct Layer<'a> {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__cWid")]
    width: u32,
    #[serde(rename = "__cHei")]
    height: u32,
    #[serde(rename = "__gridSize")]
    side: u32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    offset_y: i32,
    #[serde(rename = "layerDefUid", default)]
    uid: i64,
    #[serde(borrow, default, rename = "intGridCsv")]
    values: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "entityInstances")]
    entities: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct Entity<'a> {
    #[serde(rename = "__identifier")]
    class: String,
    #[serde(rename = "__pivot", default)]
    pivot: [f64; 2],
    px: [f64; 2],
    width: f64,
    height: f64,
    #[serde(borrow, default, rename = "fieldInstances")]
    fields: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of LDtk")]
struct Field<'a> {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(borrow, rename = "__value", default)]
    value: Option<&'a RawValue>,
}

/// What a value of an `IntGrid` layer is.
#[derive(Clone, Debug)]
struct Meaning {
    name: String,
    says: Says,
    terrain: Option<u8>,
}

/// A level, its values and entities.
struct Room {
    at: usize,
    /// Pixels.
    corner: [i64; 2],
    depth: i64,
    /// Pixels.
    size: [i64; 2],
    /// The topmost first.
    layers: Vec<ValueLayer>,
    entities: Vec<Thing>,
}

/// An `IntGrid` layer.
struct ValueLayer {
    name: String,
    uid: i64,
    /// Columns.
    width: u32,
    /// Of a cell (pixels).
    side: i64,
    /// From the corner of the level (pixels).
    offset: [i64; 2],
    values: Vec<u32>,
}

/// An entity that is a spawn area or a wall.
struct Thing {
    class: String,
    /// From the corner of the level (pixels).
    corner: [f64; 2],
    size: [f64; 2],
    fields: Vec<(String, String)>,
}

/// The map of a project; levels in files of their own are looked for beside `file`.
pub(super) fn read(bytes: &[u8], file: &Path) -> Result<MapFile, MapError> {
    if bytes.len() > MAX_BYTES {
        return Err(MapError::TooMuch { file: file.to_path_buf(), kind: "LDtk", limit: MAX_BYTES as u64 >> 20 });
    }
    let text = text(bytes, file)?;
    if text.trim().is_empty() {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "an LDtk project" });
    }
    let source = Source { text, file };
    let (at, project): (_, Project) = whole(&source)?;
    if project.defs.is_none() {
        let expected = "an LDtk project, a .ldtk file: it says what the values of a level mean";
        return Err(source.wrong(at, "no \"defs\"", expected));
    }
    let meanings = meanings(&source, project.defs)?;
    let mut reader =
        Reader { source, meanings, rooms: Vec::new(), warnings: Warnings::default(), left: MAX_BYTES, work: MAX_WORK };
    reader.levels(project.levels, project.layout.as_deref())?;
    each(&source, project.worlds, |at, world: World| {
        if reader.rooms.is_empty() {
            return reader.levels(world.levels, world.layout.as_deref());
        }
        reader.warnings.add(&source, at, "all worlds but the first are left out".to_owned());
        Ok(())
    })?;
    reader.map()
}

/// The meanings of the values of each layer.
fn meanings(source: &Source, defs: Option<&RawValue>) -> Result<BTreeMap<(i64, u32), Meaning>, MapError> {
    let mut meanings = BTreeMap::new();
    let Some(defs) = defs else { return Ok(meanings) };
    let defs: Defs = parse(source, defs)?;
    each(source, defs.layers, |_, layer: LayerDef| {
        each(source, layer.values, |_, value: ValueDef| {
            let name = value.identifier.unwrap_or_default();
            let terrain = match name.to_ascii_lowercase().as_str() {
                "plain" => Some(PLAIN),
                "swamp" => Some(SWAMP),
                other => other.strip_prefix("terrain_").and_then(|class| class.parse().ok()),
            };
            meanings.insert((layer.uid, value.value), Meaning { says: says(&name), name, terrain });
            Ok(())
        })
    })?;
    Ok(meanings)
}

/// Where a level is, and how large a cell (pixels).
#[derive(Clone, Copy)]
struct Frame {
    corner: [i64; 2],
    side: i64,
}

struct Reader<'a> {
    source: Source<'a>,
    /// By the number of a layer and a value.
    meanings: BTreeMap<(i64, u32), Meaning>,
    rooms: Vec<Room>,
    warnings: Warnings,
    /// Bytes that files of levels may still have.
    left: usize,
    /// Cells that may still be filled.
    work: u64,
}

impl Reader<'_> {
    /// Levels of one world; those that do not lie on one map are left out.
    fn levels(&mut self, list: Option<&RawValue>, layout: Option<&str>) -> Result<(), MapError> {
        let source = self.source;
        let is_row = layout.is_some_and(|layout| layout.starts_with("Linear"));
        each(&source, list, |at, level: Level| {
            let first = self.rooms.first();
            if first.is_some_and(|first| is_row || first.depth != level.depth) {
                let message =
                    format!("the level {} is left out: it does not lie beside the first", quoted(&level.identifier));
                self.warnings.add(&source, at, message);
                return Ok(());
            }
            self.room(&source, at, level)
        })
    }

    fn room(&mut self, source: &Source, at: usize, level: Level) -> Result<(), MapError> {
        let Some(name) = level.external.filter(|_| level.layers.is_none()) else {
            let mut room = Room {
                at,
                corner: [level.x.into(), level.y.into()],
                depth: level.depth,
                size: [level.width.into(), level.height.into()],
                layers: Vec::new(),
                entities: Vec::new(),
            };
            each(source, level.layers, |at, layer: Layer| read_layer(source, at, layer, &mut room))?;
            self.rooms.push(room);
            return Ok(());
        };
        let path = source.file.parent().unwrap_or(Path::new("")).join(name);
        let bytes = super::read(&path)?;
        self.left = self.left.checked_sub(bytes.len()).ok_or_else(|| MapError::TooMuch {
            file: path.clone(),
            kind: "LDtk",
            limit: MAX_BYTES as u64 >> 20,
        })?;
        let beside = Source { text: text(&bytes, &path)?, file: &path };
        let (_, level): (_, Level) = whole(&beside)?;
        self.room(&beside, at, Level { external: None, ..level })
    }

    fn map(mut self) -> Result<MapFile, MapError> {
        let layers = || self.rooms.iter().flat_map(|room| &room.layers);
        let Some(side) = layers().map(|layer| layer.side).min() else {
            let expected = "at least one IntGrid layer: its values are walls and ground";
            return Err(self.source.wrong(0, "a project without a layer of values", expected));
        };
        let rooms = || self.rooms.iter();
        let least = [0, 1].map(|axis| rooms().map(|room| room.corner[axis]).min().unwrap_or(0));
        let most = [0, 1].map(|axis| rooms().map(|room| room.corner[axis] + room.size[axis]).max().unwrap_or(0));
        let cells = [0, 1].map(|axis| (most[axis] - least[axis]).div_euclid(side).max(0) as u64);
        let mut grid = Grid::closed(lattice(cells[0], cells[1], self.source.file)?);
        let is_named = layers().any(|layer| says(&layer.name) == Says::Wall)
            || self.meanings.values().any(|meaning| meaning.says == Says::Wall);
        let rooms = std::mem::take(&mut self.rooms);
        let source = self.source;
        let mut areas: Vec<Area> = Vec::new();
        for room in &rooms {
            let corner = [room.corner[0] - least[0], room.corner[1] - least[1]];
            let frame = Frame { corner, side };
            let too_much = || {
                source.wrong(room.at, "layers that cover too many cells", "fewer layers on each other, or larger cells")
            };
            fill(&mut grid, corner, room.size, side, &mut self.work, |grid, cell| grid.set_open(cell, true))
                .ok_or_else(too_much)?;
            for layer in room.layers.iter().rev() {
                self.layer(room, layer, frame, is_named, &mut grid).ok_or_else(too_much)?;
            }
            for thing in &room.entities {
                self.thing(room, thing, frame, &mut grid, &mut areas).ok_or_else(too_much)?;
            }
        }
        Ok(MapFile { areas, warnings: self.warnings.into_list(), ..grid.into() })
    }

    /// The values of a layer, each a square of cells.
    fn layer(&mut self, room: &Room, layer: &ValueLayer, frame: Frame, is_named: bool, grid: &mut Grid) -> Option<()> {
        let is_walls = says(&layer.name) == Says::Wall;
        let mut open = BTreeSet::new();
        for (&value, place) in layer.values.iter().zip(0_i64..).filter(|&(&value, _)| value != 0) {
            let meaning = self.meanings.get(&(layer.uid, value));
            let terrain = meaning.and_then(|meaning| meaning.terrain);
            let is_wall = match meaning.map(|meaning| meaning.says) {
                Some(Says::Wall) => true,
                Some(Says::Open) => false,
                _ if terrain.is_some() => false,
                _ => is_walls || !is_named,
            };
            if !is_wall && terrain.is_none() && meaning.is_none_or(|meaning| meaning.says != Says::Open) {
                open.insert(value);
            }
            let width = i64::from(layer.width);
            let at = [place % width, place / width];
            let at = [0, 1].map(|axis| frame.corner[axis] + layer.offset[axis] + at[axis] * layer.side);
            fill(grid, at, [layer.side; 2], frame.side, &mut self.work, |grid, cell| {
                if is_wall {
                    grid.set_open(cell, false);
                }
                if let Some(class) = terrain {
                    grid.set_terrain(cell, class);
                }
            })?;
        }
        if !is_named {
            let message = format!(
                "no layer and no value has the name of a wall, so all values of the layer {} are walls; name them to change that",
                quoted(&layer.name)
            );
            self.warnings.add(&self.source, room.at, message);
        } else if !open.is_empty() {
            let name = |value: u32| {
                let meaning = self.meanings.get(&(layer.uid, value)).filter(|meaning| !meaning.name.is_empty());
                meaning.map_or_else(|| value.to_string(), |meaning| meaning.name.clone())
            };
            let names = open.into_iter().take(8).map(name).collect::<Vec<_>>().join(", ");
            let message = format!(
                "these values of the layer {} are open ground: {names}; call them \"wall\" or \"walkable\" if they are",
                quoted(&layer.name)
            );
            self.warnings.add(&self.source, room.at, message);
        }
        Some(())
    }

    fn thing(
        &mut self,
        room: &Room,
        thing: &Thing,
        Frame { corner, side }: Frame,
        grid: &mut Grid,
        areas: &mut Vec<Area>,
    ) -> Option<()> {
        let at = [0, 1].map(|axis| corner[axis] as f64 + thing.corner[axis]);
        let metre = |pixels: f64| (pixels / side as f64) as f32;
        if !is_spawn(&thing.class) {
            let whole = |pixels: f64| pixels.clamp(-FARTHEST, FARTHEST).round() as i64;
            let (at, size) = (at.map(whole), thing.size.map(whole));
            return fill(grid, at, size, side, &mut self.work, |grid, cell| grid.set_open(cell, false));
        }
        let named = thing.fields.iter().find(|(name, _)| name.eq_ignore_ascii_case("name"));
        let name = named.map_or(&thing.class, |(_, name)| name).clone();
        if areas.iter().any(|area| area.name == name) {
            let message =
                format!("a second spawn area {} is left out; give it a field \"name\" of its own", quoted(&name));
            self.warnings.add(&self.source, room.at, message);
            return Some(());
        }
        let [width, height] = thing.size;
        let corners = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]];
        let corners = corners.map(|[x, y]| Vec2::new(metre(at[0] + x), metre(at[1] + y)));
        let area = Area { name, corners: corners.to_vec(), properties: thing.fields.clone() };
        let size = area.size();
        if area.corners.iter().all(|corner| corner.is_finite()) && size.x > 0.0 && size.y > 0.0 {
            areas.push(area);
        }
        Some(())
    }
}

fn is_spawn(class: &str) -> bool {
    class.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("spawn"))
}

/// The cells whose centres are in a rectangle of pixels; `None` where that is too much work.
fn fill(
    grid: &mut Grid,
    at: [i64; 2],
    size: [i64; 2],
    side: i64,
    left: &mut u64,
    mut put: impl FnMut(&mut Grid, Cell),
) -> Option<()> {
    let lattice = grid.lattice();
    // Centres are at half a side: the first whose centre is not before the corner.
    let first = |pixel: i64| (2 * pixel + side - 1).div_euclid(2 * side);
    let range = |axis: usize, count: u32| {
        let end = at[axis].saturating_add(size[axis]);
        first(at[axis]).clamp(0, count.into())..first(end).clamp(0, count.into())
    };
    let (columns, rows) = (range(0, lattice.width), range(1, lattice.height));
    let cells = (columns.end - columns.start).max(0) * (rows.end - rows.start).max(0);
    *left = left.checked_sub(cells as u64 + 1)?;
    for y in rows {
        for x in columns.clone() {
            if let Some(cell) = lattice.checked_cell(x, y) {
                put(grid, cell);
            }
        }
    }
    Some(())
}

fn read_layer(source: &Source, at: usize, layer: Layer, room: &mut Room) -> Result<(), MapError> {
    let offset: [i64; 2] = [layer.offset_x.into(), layer.offset_y.into()];
    if room.layers.len() + room.entities.len() > MAX_LEVEL_PARTS {
        return Err(source.wrong(
            at,
            "one more",
            format!("at most {MAX_LEVEL_PARTS} layers and entities of one level"),
        ));
    }
    match layer.kind.as_str() {
        "IntGrid" => {
            let (width, height, side) = (layer.width, layer.height, layer.side);
            let mut values = Vec::new();
            each(source, layer.values, |_, value: u32| {
                values.push(value);
                Ok(())
            })?;
            let expected = u64::from(width) * u64::from(height);
            if side == 0 || values.len() as u64 != expected {
                let found = format!("{} values of {side} pixels", values.len());
                return Err(source.wrong(at, found, format!("{width} x {height} of at least one pixel")));
            }
            let side = side.into();
            room.layers.push(ValueLayer { name: layer.name, uid: layer.uid, width, side, offset, values });
            Ok(())
        }
        "Entities" => each(source, layer.entities, |at, entity: Entity| {
            if !is_spawn(&entity.class) && says(&entity.class) != Says::Wall {
                return Ok(());
            }
            if room.entities.len() == MAX_LEVEL_PARTS {
                return Err(source.wrong(
                    at,
                    "one more",
                    format!("at most {MAX_LEVEL_PARTS} spawn areas and walls of one level"),
                ));
            }
            let size = [entity.width, entity.height];
            let corner = [0, 1].map(|axis| entity.px[axis] - entity.pivot[axis] * size[axis] + offset[axis] as f64);
            let mut fields = Vec::new();
            each(source, entity.fields, |_, field: Field| {
                let value = field.value.map_or("null", RawValue::get);
                let is_scalar = !value.starts_with(['[', '{']) && value != "null";
                if is_scalar && fields.len() < 1000 {
                    let value = serde_json::from_str(value).unwrap_or_else(|_| value.chars().take(100).collect());
                    fields.push((field.name, value));
                }
                Ok(())
            })?;
            room.entities.push(Thing { class: entity.class, corner, size, fields });
            Ok(())
        }),
        _ => Ok(()),
    }
}
