//! A map as a landscape: what its closed cells are, told by their shape, and where its ground is worn.
//!
//! The map knows open, closed and water. All else is guessed, by the same rules on every map:
//!
//! 1. Closed cells that hang together by their sides are a part. Water is a part of its own.
//! 2. A part is measured: area, greatest depth, straightness of its outline, width as a strip, share of thin pieces.
//! 3. Large and deep parts are cliffs, but for straight walls that run into them. Other parts are walls, strips of
//!    water, houses, thickets, lines or single small things.
//! 4. What is around a part decides the rest: a line is a hedge by a house and a wall by other walls; a small thing is
//!    rubble by a wall with towers and a tree elsewhere.
//!
//! Sizes (of trees, houses, towers) are in metres, whatever the size of a cell is. What tells a straight line from a
//! ragged one is in cells, since the stairs of an outline are.

mod bridges;
mod clumps;
mod components;
mod contour;
mod dilation;
mod disc;
mod distance;
mod edit;
mod enclosure;
mod guesses;
mod house;
mod kind;
mod outline;
mod parts;
mod raster;
mod rectangles;
mod relief;
mod roads;
mod tower;
mod towers;
mod wing;

pub use disc::Disc;
pub use house::House;
pub use kind::Kind;
pub use outline::Outline;
pub use tower::Tower;
pub use wing::Wing;

use guesses::Guesses;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, Layer};

/// What the closed cells of a map are, and what its open ground looks like.
///
/// Outlines around closed cells run clockwise as one sees them, those around holes the other way. All outlines of one
/// list are filled together, by the rule of even and odd or of winding numbers: filled one by one, a ring wall would
/// fill its yard.
#[derive(Clone, Debug, PartialEq)]
pub struct Land {
    /// The geometry of the map.
    pub lattice: Lattice,
    /// What each cell is.
    pub kinds: Layer<Kind>,
    /// Thin walls with a walk on top.
    pub walls: Vec<Outline>,
    /// Thick square parts of walls, beside gates; also buildings too large for gables.
    pub blocks: Vec<Outline>,
    /// Towers of walls.
    pub towers: Vec<Tower>,
    /// Ditches with water, a little below the ground; also any water of the map.
    pub moats: Vec<Outline>,
    /// Hedges.
    pub hedges: Vec<Outline>,
    /// High ground that agents do not enter: rock or woodland.
    pub cliffs: Vec<Outline>,
    /// Plain walls of one height, filled up: of rooms, of mazes, of buildings.
    pub partitions: Vec<Outline>,
    /// Height of these walls (m): lower where ways between them are narrow, so that one sees what walks there.
    pub partition_height: f32,
    /// Whether this is the floor plan of a building: a floor for the ground, walls without stones.
    pub is_building: bool,
    /// Houses.
    pub houses: Vec<House>,
    /// Trees, by their crowns.
    pub trees: Vec<Disc>,
    /// Single rocks.
    pub rocks: Vec<Disc>,
    /// What has fallen off walls: closed cells.
    pub rubble: Vec<Disc>,
    /// Where walls end without a tower (m): their heights fall off there.
    pub breaches: Vec<Vec2>,
    /// Stones strewn around breaches; for the eye alone.
    pub debris: Vec<Disc>,
    /// Whether a cell is enclosed by walls.
    pub inside: Layer<bool>,
    /// Whether a cell is in a paved court.
    pub court: Layer<bool>,
    /// How much of a wood a cell is in: squares of the radii of the trees around it (m²), blurred.
    pub wood: Layer<f32>,
    /// How worn by traffic a cell is, 0 to 1: roads from gate to gate.
    pub road: Layer<f32>,
    /// Ways over water (m), along the way.
    pub bridges: Vec<Wing>,
    /// The class of terrain of each open cell, 0 elsewhere; `None` where all of the ground is plain.
    pub terrain: Option<Layer<u8>>,
    /// How bright the slope of each cell is, 1 on the level; `None` where the map has no heights.
    pub relief: Option<Layer<f32>>,
    /// How far from the nearest closed cell a cell is (cells), at most 12.
    pub clearance: Layer<f32>,
    /// What they were made from.
    guesses: Guesses,
}

impl Land {
    /// The land of a map. O(cells), in parallel; equal maps give equal lands.
    ///
    /// ```
    /// use throng_grid::generate::{Kind, generate};
    /// use throng_scene::land::Land;
    /// let land = Land::of(&generate(Kind::Fortress, 256, 256, 7)?);
    /// assert!(land.towers.len() >= 8 && land.houses.len() > 10 && land.trees.len() > 50);
    /// # Ok::<(), throng_grid::generate::GenerateError>(())
    /// ```
    pub fn of(grid: &Grid) -> Self {
        Self::make(grid, false)
    }

    /// The floor plan of a building: all closed cells are plain walls of one height, but for water. Else as [`of`](Self::of).
    pub fn building(grid: &Grid) -> Self {
        Self::make(grid, true)
    }

    fn make(grid: &Grid, is_building: bool) -> Self {
        let lattice = grid.lattice();
        let (open, clearance) = guesses::open(grid);
        let openness = openness(&open, &clearance);
        let guesses = Guesses::of(grid, openness, is_building);
        let barrier = guesses.barrier();
        let bridges = bridges::bridges(&open, &guesses.water(), guesses.metre);
        let road = roads::roads(&open, &barrier, &clearance);
        let mut land = Self {
            lattice,
            kinds: guesses.kinds().layer(lattice, Kind::Open),
            walls: Vec::new(),
            blocks: Vec::new(),
            towers: Vec::new(),
            moats: Vec::new(),
            hedges: Vec::new(),
            cliffs: Vec::new(),
            partitions: Vec::new(),
            partition_height: (0.9 * openness * lattice.cell_size).clamp(0.9, if is_building { 2.6 } else { 2.0 }),
            is_building,
            houses: Vec::new(),
            trees: Vec::new(),
            rocks: Vec::new(),
            rubble: Vec::new(),
            breaches: Vec::new(),
            debris: Vec::new(),
            inside: guesses.inside.layer(lattice, false),
            court: guesses.court.layer(lattice, false),
            wood: Layer::new(lattice, 0.0),
            road: road.layer(lattice, 0.0),
            clearance: clearance.map(|cells| cells.min(MAX_CLEARANCE_CELLS)).layer(lattice, 0.0),
            bridges,
            terrain: relief::terrain(grid),
            relief: relief::relief(grid),
            guesses,
        };
        land.gather();
        // There the ditch was filled.
        let breaches = &land.breaches;
        land.bridges.retain(|bridge| breaches.iter().all(|breach| breach.distance(bridge.centre) > 16.0));
        land.wood = land.woods();
        land
    }

    /// Puts what is drawn for each part into the lists, in the order of the parts.
    fn gather(&mut self) {
        let all = || self.guesses.parts.iter().map(|part| &part.drawn).chain([&self.guesses.wounds]);
        macro_rules! list {
            ($($name:ident),*) => { $(self.$name = all().flat_map(|drawn| drawn.$name.iter().cloned()).collect();)* };
        }
        list!(walls, blocks, towers, moats, hedges, cliffs, houses, trees, rocks, rubble, breaches, debris, partitions);
        if self.is_building {
            // Nothing leads out of the map: all around it is wall.
            let size = self.lattice.size();
            let ring = |low: Vec2, high: Vec2| vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
            self.partitions.push(ring(-Vec2::splat(parts::BORDER_MARGIN_M), size + parts::BORDER_MARGIN_M));
            self.partitions.push(ring(Vec2::ZERO, size));
        }
    }

    /// The squares of the radii of trees, blurred.
    fn woods(&self) -> Layer<f32> {
        let Lattice { width, height, cell_size, .. } = self.lattice;
        let mut wood = raster::Raster::new(width as usize, height as usize, 0.0_f32);
        if !self.trees.is_empty() {
            for tree in &self.trees {
                let (x, y) = self.lattice.column_row(self.lattice.at(tree.centre));
                // In square metres a cell, so that it does not depend on the size of cells. Bushes darken nothing.
                let crown = (tree.radius - 0.5).max(0.0) * tree.radius * 1.4;
                wood.set(x as usize, y as usize, wood.at(x as usize, y as usize) + crown);
            }
            roads::blur(&mut wood, (3.5 / cell_size).max(0.5));
        }
        wood.map(|wood| wood.max(0.0) / (cell_size * cell_size)).layer(self.lattice, 0.0)
    }
}

/// A layer blurred by about a normal distribution of this deviation (cells).
pub(crate) fn blurred(layer: &Layer<f32>, deviation: f32) -> Layer<f32> {
    let lattice = layer.lattice;
    let (width, height) = (lattice.width as usize, lattice.height as usize);
    let mut raster = raster::Raster::from_fn(width, height, |x, y| layer[lattice.cell(x as u32, y as u32)]);
    roads::blur(&mut raster, deviation);
    raster.layer(lattice, 0.0)
}

/// The mean clearance of open cells (cells), those of more than [`MAX_CLEARANCE_CELLS`] counted as that.
fn openness(open: &raster::Raster<bool>, clearance: &raster::Raster<f32>) -> f32 {
    let cells = open.cells.iter().zip(&clearance.cells).filter(|&(&open, _)| open);
    let (sum, count) = cells.fold((0.0_f64, 0.0), |(sum, count), (_, &clearance)| {
        (sum + f64::from(clearance.min(MAX_CLEARANCE_CELLS)), count + 1.0)
    });
    if count > 0.0 { (sum / count) as f32 } else { MAX_CLEARANCE_CELLS }
}

/// Greater clearances are of no interest (cells).
const MAX_CLEARANCE_CELLS: f32 = 12.0;

#[cfg(test)]
mod tests;
