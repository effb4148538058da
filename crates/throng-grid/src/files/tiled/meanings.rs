//! What every tile of a map means, from its tilesets.

use super::cover::{Outline, Window, cover};
use super::model::{Document, Fit, Kind, Kinds, Properties, Tiles};
use super::{MAX_TILESET_BYTES, external};
use crate::MapError;
use crate::files::source::Source;
use crate::files::warnings::Warnings;
use std::collections::BTreeMap;

/// A tile's picture is mirrored from left to right, from top to bottom, along the diagonal.
const MIRRORED: [u32; 3] = [0x8000_0000, 0x4000_0000, 0x2000_0000];

/// Shapes of a tile reach no more cells than this from it.
const MAX_SHAPE_REACH_CELLS: i64 = 256;

/// The meaning of every tile.
pub(super) struct Meanings {
    /// By number, for small numbers.
    near: Vec<Kind>,
    far: BTreeMap<u32, Kind>,
    /// The numbers that are known.
    first: u32,
    end: Option<u32>,
    /// In the order of their numbers.
    sets: Vec<Set>,
    /// A tileset says something of all its tiles.
    has_solid_sets: bool,
}

/// A tileset on a map.
struct Set {
    first: u32,
    /// Where it is named.
    at: usize,
    kinds: Kinds,
}

impl Meanings {
    /// Numbers below this are looked up at once.
    const DENSE_NUMBERS: u32 = 1 << 16;

    pub fn new(source: &Source, document: &mut Document, warnings: &mut Warnings) -> Result<Self, MapError> {
        let mut sets = sets(source, document)?;
        for set in &sets {
            warnings.extend(&set.kinds.warnings);
        }
        let first = sets.first().map_or(u32::MAX, |set| set.first);
        let end = sets.last().map_or(Some(0), |set| set.kinds.count.map(|count| set.first.saturating_add(count)));
        let has_solid_sets = sets.iter().any(|set| set.kinds.is_solid.is_some());
        let mut meanings =
            Self { near: Vec::new(), far: BTreeMap::new(), first, end, sets: Vec::new(), has_solid_sets };
        let starts: Vec<u32> = sets.iter().skip(1).map(|set| set.first).chain([u32::MAX]).collect();
        for (set, next) in sets.iter_mut().zip(starts) {
            for (id, kind) in std::mem::take(&mut set.kinds.tiles) {
                let Some(number) = set.first.checked_add(id).filter(|&number| number < next) else { continue };
                if number < Self::DENSE_NUMBERS {
                    meanings.near.resize(meanings.near.len().max(number as usize + 1), Kind::default());
                    meanings.near[number as usize] = kind;
                } else {
                    meanings.far.insert(number, kind);
                }
            }
        }
        meanings.sets = sets;
        Ok(meanings)
    }

    #[inline]
    pub fn of(&self, number: u32) -> Option<Kind> {
        if number < self.first || self.end.is_some_and(|end| number >= end) {
            return None;
        }
        let mut kind = match self.near.get(number as usize) {
            Some(&kind) => kind,
            None if number < Self::DENSE_NUMBERS => Kind::default(),
            None => self.far.get(&number).copied().unwrap_or_default(),
        };
        if self.has_solid_sets && kind.is_solid.is_none() {
            kind.is_solid = self.set(number).and_then(|(set, _)| set.kinds.is_solid);
        }
        Some(kind)
    }

    /// The tileset of a tile, and the tile's number there.
    fn set(&self, number: u32) -> Option<(&Set, u32)> {
        let after = self.sets.partition_point(|set| set.first <= number);
        let set = self.sets.get(after.checked_sub(1)?)?;
        Some((set, number - set.first))
    }

    /// The number of a tile in its tileset, and where that is named.
    pub fn named(&self, number: u32) -> (u32, usize) {
        self.set(number).map_or((number, 0), |(set, id)| (id, set.at))
    }

    /// The size of a tile (pixels).
    pub fn size(&self, number: u32) -> [f64; 2] {
        self.set(number).map_or([0.0; 2], |(set, id)| set.size(id))
    }

    /// The point of a tile, of width and height 1, that is at the place of its object, and how far it is drawn from there, in
    /// parts of its size.
    pub fn alignment(&self, number: u32) -> ([f64; 2], [f64; 2]) {
        let Some((set, id)) = self.set(number) else { return ([0.0, 1.0], [0.0; 2]) };
        let [width, height] = set.size(id);
        let part = |offset: f64, size: f64| if size > 0.0 { offset / size } else { 0.0 };
        let [x, y] = set.kinds.offset;
        (set.kinds.alignment.0, [part(x, width), part(y, height)])
    }

    /// Class and properties of a tile whose objects are areas or links.
    pub fn class(&self, number: u32) -> Option<&(String, Properties)> {
        self.set(number).and_then(|(set, id)| set.kinds.classes.get(&id))
    }

    /// The collision shapes of a tile as it is turned, in a picture of the width and height 1.
    pub fn shapes(&self, bits: u32) -> Vec<Outline> {
        let number = bits & !super::data::TURNED;
        let Some((set, id)) = self.set(number) else { return Vec::new() };
        let size = set.size(id);
        if !(size[0] > 0.0 && size[1] > 0.0) {
            return Vec::new();
        }
        let [left, up, across] = MIRRORED.map(|flag| bits & flag != 0);
        let place = |[x, y]: [f64; 2]| {
            let (x, y) = (x / size[0], y / size[1]);
            let (x, y) = if across { (y, x) } else { (x, y) };
            [if left { 1.0 - x } else { x }, if up { 1.0 - y } else { y }]
        };
        set.kinds.shapes.get(&id).into_iter().flatten().map(|shape| shape.map(place)).collect()
    }

    /// The cells that the collision shapes of a tile in a layer cover, as it is turned, from its own cell; `None` where they
    /// are too many.
    pub fn covered(&self, bits: u32, cell: [f64; 2], left: &mut u64) -> Option<Vec<(i64, i64)>> {
        let Some((set, id)) = self.set(bits & !super::data::TURNED) else { return Some(Vec::new()) };
        let [mut width, mut height] = set.size(id);
        if bits & MIRRORED[2] != 0 {
            (width, height) = (height, width);
        }
        let (mut x, mut y) = (set.kinds.offset[0], cell[1] - height + set.kinds.offset[1]);
        match set.kinds.fitted {
            Some(Fit::Stretched) => [x, y, width, height] = [0.0, 0.0, cell[0], cell[1]],
            Some(Fit::InProportion) => {
                let scale = (cell[0] / width).min(cell[1] / height);
                (width, height) = (width * scale, height * scale);
                (x, y) = ((cell[0] - width) / 2.0, (cell[1] - height) / 2.0);
            }
            None => {}
        }
        let mut cells = Vec::new();
        let window = Window {
            columns: -MAX_SHAPE_REACH_CELLS..MAX_SHAPE_REACH_CELLS,
            rows: -MAX_SHAPE_REACH_CELLS..MAX_SHAPE_REACH_CELLS,
        };
        for shape in self.shapes(bits) {
            let shape = shape.map(|[u, v]| [(x + u * width) / cell[0], (y + v * height) / cell[1]]);
            cover(&shape, &window, left, |column, row| cells.push((column, row)))?;
        }
        cells.sort_unstable();
        cells.dedup();
        Some(cells)
    }

    pub fn known(&self) -> String {
        match self.end {
            Some(0) => "no tile: the map has no tilesets".to_owned(),
            Some(end) => format!("tiles {} to {}, those of its tilesets", self.first, end.saturating_sub(1)),
            None => format!("tiles from {} on, those of its tilesets", self.first),
        }
    }
}

impl Set {
    fn size(&self, id: u32) -> [f64; 2] {
        self.kinds.sizes.get(&id).copied().unwrap_or(self.kinds.size)
    }
}

/// All tilesets of a map, in the order of their numbers.
fn sets(source: &Source, document: &mut Document) -> Result<Vec<Set>, MapError> {
    let mut left = MAX_TILESET_BYTES;
    let mut all = BTreeMap::new();
    for set in std::mem::take(&mut document.tilesets) {
        let (first, at) = (set.first, set.at);
        let kinds = match set.tiles {
            Tiles::Here(kinds) => *kinds,
            Tiles::External(name) => external(source, at, &name, &mut left)?,
        };
        if all.insert(first, Set { first, at, kinds }).is_some() {
            let found = format!("a second tileset with firstgid = {first}");
            return Err(source.wrong(at, found, "other numbers for its tiles"));
        }
    }
    Ok(all.into_values().collect())
}
