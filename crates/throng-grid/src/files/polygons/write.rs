//! The open ground of a map as polygons (m): x to the right, y down, from the corner of the map, as in trajectories.

use crate::files::{check_cell_size, write};
use crate::{Grid, MapError, Outlines, PLAIN};
use std::io::{self, Write};
use std::path::Path;

/// Writes the open ground as well-known text: one polygon, or all its parts.
pub(in crate::files) fn write_wkt(grid: &Grid, out: &mut impl Write) -> io::Result<()> {
    let parts = parts(grid, |cell| grid.is_open(cell).then_some(0));
    let text: Vec<String> = parts.iter().map(|(_, rings)| rings_of(rings, ["(", ")", " ", ", "])).collect();
    match &text[..] {
        [] => writeln!(out, "POLYGON EMPTY"),
        [one] => writeln!(out, "POLYGON {one}"),
        all => writeln!(out, "MULTIPOLYGON ({})", all.join(", ")),
    }
}

/// Writes the open ground as `GeoJSON`, with the bounds of the map, the side of a cell, and the classes of terrain.
pub(in crate::files) fn write_geojson(grid: &Grid, out: &mut impl Write) -> io::Result<()> {
    let lattice = grid.lattice();
    let side = f64::from(lattice.cell_size);
    let (width, height) = (f64::from(lattice.width) * side, f64::from(lattice.height) * side);
    write!(
        out,
        "{{\"type\":\"FeatureCollection\",\"bbox\":[0,0,{width},{height}],\"cell_size\":{},\"features\":[",
        lattice.cell_size
    )?;
    let mut comma = "\n";
    let mut feature = |properties: &str, rings: &str| {
        let start = std::mem::replace(&mut comma, ",\n");
        write!(
            out,
            "{start}{{\"type\":\"Feature\",\"properties\":{{{properties}}},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":{rings}}}}}"
        )
    };
    let brackets = ["[", "]", ",", ","];
    let open = parts(grid, |cell| grid.is_open(cell).then_some(0));
    for (_, rings) in &open {
        feature("\"walkable\":true", &rings_of(rings, brackets))?;
    }
    if open.is_empty() {
        let whole = vec![vec![[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]];
        feature("\"walkable\":false", &rings_of(&whole, brackets))?;
    }
    for (class, rings) in parts(grid, |cell| Some(grid.terrain(cell)).filter(|&class| class != PLAIN)) {
        feature(&format!("\"terrain\":{class}"), &rings_of(&rings, brackets))?;
    }
    writeln!(out, "\n]}}")
}

/// The parts of the map of each kind, and their rings (m).
fn parts(grid: &Grid, kind: impl Fn(crate::Cell) -> Option<u8>) -> Vec<(u8, super::Rings)> {
    let lattice = grid.lattice();
    let outlines = Outlines::of(lattice, kind);
    let mut parts: Vec<(u8, super::Rings)> = outlines.parts().iter().map(|&(kind, _)| (kind, Vec::new())).collect();
    let metres = |corner: u32| f64::from(corner) * f64::from(lattice.cell_size);
    for (part, ring) in outlines.rings(|_| true) {
        parts[part as usize - 1].1.push(ring.into_iter().map(|(x, y)| [metres(x), metres(y)]).collect());
    }
    parts
}

/// Rings with their first corner once more at the end; brackets, and the separators between two numbers and between two
/// corners.
fn rings_of(rings: &super::Rings, [open, close, between, after]: [&str; 4]) -> String {
    // Positions are in brackets in JSON, not in text.
    let (start, end) = if open == "[" { ("[", "]") } else { ("", "") };
    let ring = |ring: &Vec<[f64; 2]>| {
        let corners = ring.iter().chain(ring.first()).map(|[x, y]| format!("{start}{x}{between}{y}{end}"));
        format!("{open}{}{close}", corners.collect::<Vec<_>>().join(after))
    };
    format!("{open}{}{close}", rings.iter().map(ring).collect::<Vec<_>>().join(after))
}

impl Grid {
    /// Writes the open ground as polygons in well-known text (m), as in trajectories: x to the right, y down from the corner of the
    /// map. [`MapFile::load`](crate::MapFile::load) reads the same map again if told the side of a cell, and if all four sides of the map have
    /// an open cell. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_wkt(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_wkt_at(path.as_ref())
    }

    fn save_wkt_at(&self, path: &Path) -> Result<(), MapError> {
        write(path, |out| write_wkt(self, out))
    }

    /// Writes the map as `GeoJSON` (m): open ground, classes of terrain, the bounds and the side of a cell, but no heights.
    /// [`Grid::load`] reads the same map again. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written, or cells are smaller than 1 mm or larger than 1 km.
    pub fn save_geojson(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_geojson_at(path.as_ref())
    }

    fn save_geojson_at(&self, path: &Path) -> Result<(), MapError> {
        check_cell_size(self, "GeoJSON").map_err(|source| MapError::Write { file: path.to_path_buf(), source })?;
        write(path, |out| write_geojson(self, out))
    }
}
