//! The kinds of map file that are written, and what each cannot hold.

use super::output::grouped;
use std::collections::BTreeSet;
use std::path::Path;
use throng::grid::{Grid, MapError, MapFile, PLAIN, SWAMP, WATER};

/// The kinds of file that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    MovingAi,
    Ascii,
    Tiled,
    GeoJson,
    Wkt,
    Png,
}

impl Target {
    /// By the ending of a name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "map" => Some(Self::MovingAi),
            "txt" | "ascii" => Some(Self::Ascii),
            "tmx" | "tmj" => Some(Self::Tiled),
            "geojson" => Some(Self::GeoJson),
            "wkt" => Some(Self::Wkt),
            "png" => Some(Self::Png),
            _ => None,
        }
    }

    pub fn save(self, map: &MapFile, path: &Path) -> Result<(), MapError> {
        match self {
            Self::MovingAi => map.grid.save_map(path),
            Self::Ascii => map.grid.save_ascii(path),
            Self::Tiled => map.save_tiled(path),
            Self::GeoJson => map.grid.save_geojson(path),
            Self::Wkt => map.grid.save_wkt(path),
            Self::Png => map.grid.save_png(path),
        }
    }

    pub fn holds_heights(self) -> bool {
        matches!(self, Self::Ascii | Self::Tiled)
    }

    /// True where the class of an open cell is kept.
    fn holds(self, class: u8) -> bool {
        match self {
            Self::Ascii | Self::Tiled | Self::GeoJson => true,
            Self::MovingAi => class == PLAIN || class == SWAMP,
            Self::Wkt | Self::Png => class == PLAIN,
        }
    }

    /// The side of a cell (m) where the file says nothing about it; `None` where it does.
    fn cell_size(self) -> Option<f32> {
        match self {
            Self::Ascii | Self::Tiled | Self::GeoJson => None,
            Self::MovingAi | Self::Png => Some(1.0),
            Self::Wkt => Some(0.25),
        }
    }

    /// What it cannot hold of a map, a line for each thing.
    pub fn losses(self, map: &MapFile) -> Vec<String> {
        let grid = &map.grid;
        let (lattice, mut losses) = (grid.lattice(), Vec::new());
        if self.cell_size().is_some_and(|side| side != lattice.cell_size) {
            losses.push(format!("cells of {0} m; give cell_size = {0} in the scenario", lattice.cell_size));
        }
        let cells = |count: u64| if count == 1 { "1 cell".to_owned() } else { format!("{} cells", grouped(count)) };
        let (mut classes, mut open, mut walls, mut highest) = (BTreeSet::new(), 0, 0, 0);
        for cell in lattice.cells() {
            let class = grid.terrain(cell);
            if !grid.is_open(cell) {
                walls += u64::from(class != PLAIN && !(self == Self::MovingAi && class == WATER));
            } else if !self.holds(class) {
                classes.insert(class);
                open += 1;
            }
            highest = highest.max(grid.height(cell));
        }
        if !classes.is_empty() {
            let word = if classes.len() == 1 { "class" } else { "classes" };
            let classes: Vec<String> = classes.iter().map(u8::to_string).collect();
            let classes = classes.join(", ");
            losses.push(format!("terrain of {word} {classes}; it becomes plain ground ({})", cells(open)));
        }
        if walls > 0 && !self.holds(u8::MAX) {
            losses.push(format!("terrain under walls; it is left out ({})", cells(walls)));
        }
        if highest > 0 && !self.holds_heights() {
            losses.push(format!("heights, up to {} m; an ASCII map (.txt) does", f32::from(highest) / 100.0));
        }
        if !map.areas.is_empty() && self != Self::Tiled {
            losses.push(format!("spawn areas; a Tiled map (.tmx) does ({})", map.areas.len()));
        }
        if self == Self::Wkt {
            losses.extend(margins(grid));
        }
        losses
    }
}

/// What polygons of the open ground lose: walls all along a side of the map.
fn margins(grid: &Grid) -> Option<String> {
    let lattice = grid.lattice();
    let open = || lattice.cells().filter(|&cell| grid.is_open(cell)).map(|cell| lattice.column_row(cell));
    let (mut least, mut most) = ((u32::MAX, u32::MAX), (0, 0));
    open().for_each(|(x, y)| {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    });
    if least.0 > most.0 {
        return Some("a map without open ground; it cannot be read again".to_owned());
    }
    let (width, height) = (most.0 - least.0 + 1, most.1 - least.1 + 1);
    let is_whole = (width, height) == (lattice.width, lattice.height);
    let (x, y) = least;
    (!is_whole).then(|| {
        format!("walls along the sides of the map; {width} x {height} cells are left, from column {x} and row {y} on")
    })
}
