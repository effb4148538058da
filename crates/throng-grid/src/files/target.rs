//! The kinds of map file that are written, and the losses of each.

use super::MapFile;
use crate::{Area, Grid, MapError, MapLink, PLAIN, SWAMP, WATER};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// A kind of map file that is written.
///
/// ```
/// use throng_grid::{Grid, Lattice, MapFormat, MapLoss};
/// let mut hill = Grid::open_plain(Lattice::new(3, 3, 1.0)?);
/// hill.set_height(hill.lattice().cell(1, 1), 250);
/// assert_eq!(MapFormat::of("hill.map"), Some(MapFormat::MovingAi));
/// assert_eq!(MapFormat::MovingAi.losses(&hill, &[], &[]), [MapLoss::Heights { highest: 250 }]);
/// assert!(MapFormat::Ascii.losses(&hill, &[], &[]).is_empty());
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFormat {
    /// Moving AI (`.map`).
    MovingAi,
    /// Text with a legend (`.txt`, `.ascii`).
    Ascii,
    /// A map for the Tiled editor (`.tmx`, `.tmj`).
    Tiled,
    /// A floor plan (`.geojson`).
    GeoJson,
    /// A floor plan in well-known text (`.wkt`).
    Wkt,
    /// An image in black and white (`.png`).
    Png,
}

/// Something that a kind of map file cannot hold.
///
/// ```
/// let loss = throng_grid::MapLoss::Heights { highest: 250 };
/// assert_eq!(loss.to_string(), "heights, up to 2.5 m; an ASCII map (.txt) does");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MapLoss {
    /// The side of a cell (m).
    CellSize(f32),
    /// Classes of terrain of open cells.
    Terrain {
        /// Which.
        classes: Vec<u8>,
        /// How many cells have one of them.
        cells: u64,
    },
    /// Classes of terrain of closed cells.
    WallTerrain {
        /// How many have another than the plain one.
        cells: u64,
    },
    /// Heights.
    Heights {
        /// The highest (cm).
        highest: u16,
    },
    /// Places that have names.
    Areas {
        /// How many.
        count: usize,
    },
    /// Links.
    Links {
        /// How many.
        count: usize,
    },
    /// All, where no cell is open.
    Ground,
    /// Walls along the sides of the map.
    Sides {
        /// Columns and rows that are left.
        left: [u32; 2],
        /// Column and row of the first cell that is.
        first: [u32; 2],
    },
}

impl MapLoss {
    /// The loss in a few words: `"heights, up to 2.5 m"`.
    pub fn what(&self) -> String {
        match self {
            Self::CellSize(side) => format!("cells of {side} m"),
            Self::Terrain { classes, .. } => {
                let word = if classes.len() == 1 { "class" } else { "classes" };
                let classes: Vec<String> = classes.iter().map(u8::to_string).collect();
                format!("terrain of {word} {}", classes.join(", "))
            }
            Self::WallTerrain { .. } => "terrain under walls".to_owned(),
            Self::Heights { highest } => format!("heights, up to {} m", f32::from(*highest) / 100.0),
            Self::Areas { .. } => "spawn areas".to_owned(),
            Self::Links { .. } => "links".to_owned(),
            Self::Ground => "a map without open ground".to_owned(),
            Self::Sides { .. } => "walls along the sides of the map".to_owned(),
        }
    }
}

/// The loss, and its consequence or remedy.
impl fmt::Display for MapLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let many = |cells: u64| if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") };
        write!(f, "{}; ", self.what())?;
        match self {
            Self::CellSize(side) => write!(f, "give cell_size = {side} in the scenario"),
            Self::Terrain { cells, .. } => write!(f, "it becomes plain ground ({})", many(*cells)),
            Self::WallTerrain { cells } => write!(f, "it is left out ({})", many(*cells)),
            Self::Heights { .. } => f.write_str("an ASCII map (.txt) does"),
            Self::Areas { count } | Self::Links { count } => write!(f, "a Tiled map (.tmx) does ({count})"),
            Self::Ground => f.write_str("it cannot be read again"),
            Self::Sides { left: [width, height], first: [x, y] } => {
                write!(f, "{width} x {height} cells are left, from column {x} and row {y} on")
            }
        }
    }
}

impl MapFormat {
    /// By the ending of a name.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        Self::of_at(path.as_ref())
    }

    fn of_at(path: &Path) -> Option<Self> {
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

    /// The usual ending of names.
    pub fn ending(self) -> &'static str {
        match self {
            Self::MovingAi => "map",
            Self::Ascii => "txt",
            Self::Tiled => "tmx",
            Self::GeoJson => "geojson",
            Self::Wkt => "wkt",
            Self::Png => "png",
        }
    }

    /// Writes a map, the places on it that have names and its links, less [what it cannot hold](MapFormat::losses). Each file is written
    /// whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where a file cannot be written.
    pub fn save(self, grid: &Grid, areas: &[Area], links: &[MapLink], path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_at(grid, areas, links, path.as_ref())
    }

    fn save_at(self, grid: &Grid, areas: &[Area], links: &[MapLink], path: &Path) -> Result<(), MapError> {
        match self {
            Self::MovingAi => grid.save_map(path),
            Self::Ascii => grid.save_ascii(path),
            Self::Tiled => {
                let map = MapFile { areas: areas.to_vec(), links: links.to_vec(), ..grid.clone().into() };
                map.save_tiled(path)
            }
            Self::GeoJson => grid.save_geojson(path),
            Self::Wkt => grid.save_wkt(path),
            Self::Png => grid.save_png(path),
        }
    }

    /// True where heights are kept.
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

    /// The parts of a map, of its named places and of its links that the format cannot hold.
    pub fn losses(self, grid: &Grid, areas: &[Area], links: &[MapLink]) -> Vec<MapLoss> {
        let (lattice, mut losses) = (grid.lattice(), Vec::new());
        if self.cell_size().is_some_and(|side| side != lattice.cell_size) {
            losses.push(MapLoss::CellSize(lattice.cell_size));
        }
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
            losses.push(MapLoss::Terrain { classes: classes.into_iter().collect(), cells: open });
        }
        if walls > 0 && !self.holds(u8::MAX) {
            losses.push(MapLoss::WallTerrain { cells: walls });
        }
        if highest > 0 && !self.holds_heights() {
            losses.push(MapLoss::Heights { highest });
        }
        if !areas.is_empty() && self != Self::Tiled {
            losses.push(MapLoss::Areas { count: areas.len() });
        }
        if !links.is_empty() && self != Self::Tiled {
            losses.push(MapLoss::Links { count: links.len() });
        }
        if self == Self::Wkt {
            losses.extend(margins(grid));
        }
        losses
    }
}

/// The loss of polygons of the open ground: walls all along a side of the map.
fn margins(grid: &Grid) -> Option<MapLoss> {
    let lattice = grid.lattice();
    let open = || lattice.cells().filter(|&cell| grid.is_open(cell)).map(|cell| lattice.column_row(cell));
    let (mut least, mut most) = ((u32::MAX, u32::MAX), (0, 0));
    open().for_each(|(x, y)| {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    });
    if least.0 > most.0 {
        return Some(MapLoss::Ground);
    }
    let (width, height) = (most.0 - least.0 + 1, most.1 - least.1 + 1);
    let is_whole = (width, height) == (lattice.width, lattice.height);
    (!is_whole).then_some(MapLoss::Sides { left: [width, height], first: [least.0, least.1] })
}
