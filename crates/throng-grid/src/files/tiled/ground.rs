//! The ground of a map: the tiles of all its layers, and shapes that are walls.

use super::cover::{Outline, Window, cover};
use super::meanings::Meanings;
use super::model::{Document, TileLayer};
use super::object::{Object, rectangle};
use super::{data, shapes_of, tile_of};
use crate::files::source::Source;
use crate::files::warnings::Warnings;
use crate::{Grid, Lattice, MapError};
use std::collections::BTreeMap;

/// The most work with shapes: corners that are looked at, and cells that are covered.
const MAX_WORK: u64 = 1 << 31;

/// A map that is being made.
pub(super) struct Maker<'a> {
    pub source: &'a Source<'a>,
    pub document: &'a Document<'a>,
    pub meanings: &'a Meanings,
    /// The column and the row of the first cell.
    pub origin: (i64, i64),
    pub warnings: &'a mut Warnings,
    work: u64,
    /// Cells that the shapes of tiles cover, by the number of the tile and how it is turned.
    covered: BTreeMap<u32, Vec<(i64, i64)>>,
}

/// How many cells a layer was moved, to the nearest one.
pub(super) fn moved(document: &Document, layer: &TileLayer) -> (i64, i64) {
    let cells = |offset: f64, size: f64| if size > 0.0 { (offset / size).round() as i64 } else { 0 };
    let limit = |cells: i64| cells.clamp(-(1 << 40), 1 << 40);
    let (x, y) = (cells(layer.offset[0], document.tile_size.0), cells(layer.offset[1], document.tile_size.1));
    (limit(x), limit(y))
}

impl<'a> Maker<'a> {
    pub fn new(
        source: &'a Source<'a>,
        document: &'a Document<'a>,
        meanings: &'a Meanings,
        origin: (i64, i64),
        warnings: &'a mut Warnings,
    ) -> Self {
        Self { source, document, meanings, origin, warnings, work: MAX_WORK, covered: BTreeMap::new() }
    }

    /// The ground of all layers, the lowest first, and of the objects.
    pub fn grid(mut self, lattice: Lattice) -> Result<Grid, MapError> {
        let mut grid = Grid::open_plain(lattice);
        for layer in &self.document.layers {
            self.layer(layer, &mut grid)?;
        }
        for object in &self.document.objects {
            self.object(object, &mut grid)?;
        }
        Ok(grid)
    }

    fn layer(&mut self, layer: &TileLayer, grid: &mut Grid) -> Result<(), MapError> {
        let (lattice, known) = (grid.lattice(), self.meanings.known());
        let (right, down) = moved(self.document, layer);
        let mut counts = false;
        for chunk in &layer.chunks {
            let (left, top) = (chunk.x + right - self.origin.0, chunk.y + down - self.origin.1);
            let mut too_much = false;
            data::tiles(self.source, chunk, &known, |column, row, bits| {
                let Some(kind) = self.meanings.of(bits & !data::TURNED) else { return false };
                let (x, y) = (left + i64::from(column), top + i64::from(row));
                let is_wall = layer.is_walls || kind.is_solid == Some(true);
                counts |= is_wall || kind.has_shapes || kind.terrain.is_some() || kind.height.is_some();
                if kind.has_shapes && !is_wall && kind.is_solid.is_none() {
                    too_much |= self.shapes(bits, (x, y), grid).is_none();
                }
                let Some(cell) = lattice.checked_cell(x, y) else { return true };
                if is_wall {
                    grid.set_open(cell, false);
                }
                if let Some(class) = kind.terrain {
                    grid.set_terrain(cell, class);
                }
                if let Some(height) = kind.height {
                    grid.set_height(cell, height);
                }
                true
            })?;
            if too_much {
                return Err(self.too_much(chunk.at));
            }
        }
        if counts {
            self.check_offset(layer);
        }
        Ok(())
    }

    /// Warns of a layer whose tiles are not where cells are.
    fn check_offset(&mut self, layer: &TileLayer) {
        let is_whole = |offset: f64, size: f64| size <= 0.0 || ((offset / size).round() * size - offset).abs() < 1e-3;
        let [x, y] = layer.offset;
        let (width, height) = self.document.tile_size;
        if !(is_whole(x, width) && is_whole(y, height)) {
            let message = format!(
                "a layer is moved by {x}, {y} pixels, which are no whole tiles of {width} x {height}; its tiles are read as the cells nearest to them"
            );
            self.warnings.add(self.source, layer.at, message);
        }
    }

    /// Closes the cells that the shapes of a tile cover; `None` where it is too much work.
    fn shapes(&mut self, bits: u32, (x, y): (i64, i64), grid: &mut Grid) -> Option<()> {
        if !self.covered.contains_key(&bits) {
            let cell = [self.document.tile_size.0, self.document.tile_size.1];
            let is_sized = cell[0] > 0.0 && cell[1] > 0.0;
            let cells = if is_sized { self.meanings.covered(bits, cell, &mut self.work)? } else { Vec::new() };
            if cells.is_empty() {
                self.too_small(bits);
            }
            self.covered.insert(bits, cells);
        }
        let cells = self.covered.get(&bits)?;
        self.work = self.work.checked_sub(cells.len().saturating_sub(1) as u64)?;
        for &(right, down) in cells {
            if let Some(cell) = grid.lattice().checked_cell(x + right, y + down) {
                grid.set_open(cell, false);
            }
        }
        Some(())
    }

    fn too_small(&mut self, bits: u32) {
        let (id, at) = self.meanings.named(bits & !data::TURNED);
        let message = format!(
            "the collision shapes of tile {id} of a tileset close no cell, for they are too small; give the tile the boolean property \"wall\", true or false"
        );
        self.warnings.add(self.source, at, message);
    }

    /// Closes the cells that an object covers, where it is a wall.
    fn object(&mut self, object: &Object, grid: &mut Grid) -> Result<(), MapError> {
        if Object::role(&object.class).is_some() || object.tile.is_some_and(|bits| self.is_area(bits)) {
            return Ok(());
        }
        let outlines = match object.tile {
            Some(bits) => self.tile_object(object, bits)?,
            None => object.outline().into_iter().collect(),
        };
        let is_wall = object.is_solid == Some(true);
        if outlines.is_empty() && is_wall {
            let message = format!(
                "the {} is no wall, since it has no extent; draw a rectangle, a polygon or a line",
                object.shown()
            );
            self.warnings.add(self.source, object.at, message);
        }
        let (mut closes, count) = (false, outlines.len());
        for outline in outlines {
            closes |= self.close(&outline, grid).ok_or_else(|| self.too_much(object.at))?;
        }
        if count > 0 && !closes {
            let message =
                format!("the {} closes no cell: it is off the map, or too small to part two cells", object.shown());
            self.warnings.add(self.source, object.at, message);
        }
        Ok(())
    }

    /// True where objects of a tile are areas or links.
    fn is_area(&self, bits: u32) -> bool {
        self.meanings.class(bits & !data::TURNED).is_some()
    }

    /// The shapes of an object that is a tile, in pixels of the map.
    fn tile_object(&self, object: &Object, bits: u32) -> Result<Vec<Outline>, MapError> {
        let kind = tile_of(self.source, self.meanings, object.at, bits)?;
        let is_wall = object.is_solid.or(kind.is_solid);
        let (size, place) = shapes_of(object, bits, self.meanings);
        if is_wall == Some(false) || (is_wall.is_none() && !kind.has_shapes) {
            return Ok(Vec::new());
        }
        if kind.has_shapes {
            let shapes = self.meanings.shapes(bits);
            return Ok(shapes.iter().map(|shape| shape.map(|[u, v]| place([u * size[0], v * size[1]]))).collect());
        }
        let corners = rectangle(size).into_iter().map(place).collect();
        Ok(vec![Outline { corners, is_filled: true }])
    }

    /// Closes the cells that an outline in pixels covers; `None` where it is too much work.
    fn close(&mut self, outline: &Outline, grid: &mut Grid) -> Option<bool> {
        let (width, height) = self.document.tile_size;
        if !(width > 0.0 && height > 0.0) {
            return Some(false);
        }
        let (left, top) = (self.origin.0 as f64, self.origin.1 as f64);
        let outline = outline.map(|[x, y]| [x / width - left, y / height - top]);
        let lattice = grid.lattice();
        let window = Window { columns: 0..lattice.width.into(), rows: 0..lattice.height.into() };
        let mut closes = false;
        cover(&outline, &window, &mut self.work, |column, row| {
            if let Some(cell) = lattice.checked_cell(column, row) {
                grid.set_open(cell, false);
                closes = true;
            }
        })?;
        Some(closes)
    }

    fn too_much(&self, at: usize) -> MapError {
        let expected = "shapes that are simpler, or fewer; draw walls as tiles";
        self.source.wrong(at, "shapes of walls with too many corners or cells", expected)
    }
}
