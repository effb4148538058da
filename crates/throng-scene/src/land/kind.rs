//! What a part of closed cells is, told by its shape.

use super::contour::{contours, sides, simplified};
use super::distance::{distance, opened};
use super::raster::Raster;
use super::rectangles::Frame;
use throng_grid::geom::Vec2;

/// What a cell is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Open ground.
    #[default]
    Open,
    /// Water: the map's own, moats, rivers.
    Water,
    /// Trees.
    Tree,
    /// Rocks.
    Rock,
    /// What has fallen off walls.
    Rubble,
    /// Hedges.
    Hedge,
    /// Walls, with their towers and blocks.
    Wall,
    /// Houses.
    House,
    /// Buildings too large for roofs of gables.
    Block,
    /// High ground: rock or woodland that one sees but does not enter.
    Cliff,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 10] = [
        Kind::Open,
        Kind::Water,
        Kind::Tree,
        Kind::Rock,
        Kind::Rubble,
        Kind::Hedge,
        Kind::Wall,
        Kind::House,
        Kind::Block,
        Kind::Cliff,
    ];
}

/// The shape of a part.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    /// Its cells.
    pub cells: usize,
    /// The longer side of its box (cells).
    pub length: usize,
    /// Its share of its box.
    pub fill: f32,
    /// The greatest distance of a cell to other cells (cells): 1 for lines of one cell.
    pub depth: f32,
    /// Length of its outlines (cells), straightened.
    pub around: f32,
    /// The mean side of the straightened outlines, by length (cells): how straight it is.
    pub side: f32,
    /// The share of its outlines that is in sides of at least six cells.
    pub straight: f32,
    /// The share of its cells in parts that are at most about five metres wide.
    pub thin: f32,
    /// The sides of its least box (cells), the longer one first.
    pub box_size: Vec2,
}

impl Shape {
    /// Measures the set cells; `depth` is their distance to others, `metre` the length of a metre in cells. O(cells).
    pub fn of(set: &Raster<bool>, depth: &Raster<f32>, metre: f32) -> Self {
        let cells = set.count();
        let bounds = set.bounds();
        let (width, height) = bounds.map_or((1, 1), |bounds| (bounds.width(), bounds.height()));
        let lines = contours(set);
        let (mut around, mut squares, mut straight) = (0.0, 0.0, 0.0);
        for line in &lines {
            for side in sides(&simplified(line, 0.8)) {
                around += side;
                squares += side * side;
                straight += if side >= 6.0 { side } else { 0.0 };
            }
        }
        let around = around.max(1.0);
        let size = Frame::around(lines.iter().flatten().copied()).span.size();
        let thick = opened(set, depth, 2.6 * metre).count();
        Self {
            cells,
            length: width.max(height),
            fill: cells as f32 / (width * height) as f32,
            depth: depth.cells.iter().copied().fold(0.0, f32::max),
            around,
            side: squares / around,
            straight: straight / around,
            thin: 1.0 - thick as f32 / cells.max(1) as f32,
            box_size: Vec2::new(size.max_element(), size.min_element()),
        }
    }

    /// The distance of each cell to those that are not set; what is off the raster does not count.
    pub fn depth(set: &Raster<bool>) -> Raster<f32> {
        distance(&set.map(|set| !set))
    }

    /// Its usual width (cells): that of a strip of this area and outline.
    pub fn width(&self) -> f32 {
        2.0 * self.cells as f32 / self.around
    }

    /// Its length as a strip, as a multiple of its width; about 2 for a square, 1.6 for a disc.
    pub fn slender(&self) -> f32 {
        self.around * 0.5 / self.width()
    }
}

/// A first guess, by the shape alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    /// A map's own water.
    Water,
    /// Few cells: a tree, a rock, rubble, or a piece of a wall.
    Small,
    /// A short line of few cells' width: a hedge, a wall, or a piece of one.
    Line,
    /// A long wall; with towers it encloses.
    Wall,
    /// A strip of even width: a moat, a river, a long hedge.
    Strip,
    /// Straight sides: a house or several.
    House,
    /// A thicket or a heap of rocks.
    Wild,
    /// High ground.
    Cliff,
}

/// The first guess. Sizes are in metres, `metre` cells long; what tells straight from ragged is in cells.
pub(super) fn guess(shape: &Shape, metre: f32) -> Guess {
    let area = shape.cells as f32 / (metre * metre);
    let (depth, width, length) = (shape.depth / metre, shape.width() / metre, shape.length as f32 / metre);
    let is_straight = shape.side >= 5.5 && shape.straight >= 0.5 || shape.side >= 9.0;
    if depth > 8.0 && area > 2000.0 {
        return if shape.side >= 14.0 && shape.straight > 0.75 { Guess::House } else { Guess::Cliff };
    }
    if shape.depth <= 1.6 && shape.length <= 3 {
        return Guess::Small;
    }
    if area <= 22.0 {
        let is_stall = shape.cells >= 6
            && shape.fill > 0.95
            && shape.box_size.y >= 1.9
            && shape.box_size.x >= 1.4 * shape.box_size.y;
        return match () {
            () if is_stall && shape.depth > 1.0 => Guess::House,
            () if shape.depth > 1.1 && shape.slender() < 4.0 => Guess::Small,
            () => Guess::Line,
        };
    }
    let is_thin = shape.slender() >= 5.0 && width <= 6.5;
    if depth <= 1.6 || shape.depth <= 1.6 {
        return match () {
            () if area <= 120.0 => Guess::Line,
            () if shape.side >= 4.0 => Guess::Wall,
            () => Guess::Wild,
        };
    }
    if area > 120.0 && depth < 3.1 && length > 25.0 && is_thin && width > 2.2 && shape.fill < 0.95 {
        return Guess::Strip;
    }
    // Evenly wide, and curved as rivers are.
    if length > 50.0
        && width > 5.0
        && shape.slender() >= 4.0
        && depth < width * 0.75
        && shape.straight < 0.9
        && shape.side > 5.0
        && shape.side < 14.0
    {
        return Guess::Strip;
    }
    let has_bulges = depth > width * 0.75 && shape.thin > 0.12;
    if is_straight
        && area > 120.0
        && width <= 7.0
        && has_bulges
        && (shape.fill < 0.5 || depth > 5.0 || shape.slender() > 8.0)
    {
        return Guess::Wall;
    }
    if is_straight && area > 60.0 && width <= 4.6 && shape.slender() >= 6.0 {
        return Guess::Wall;
    }
    let is_boxy = area / (shape.box_size.element_product() / (metre * metre)) > 0.7;
    if is_straight || area < 150.0 && is_boxy || shape.straight > 0.6 {
        return Guess::House;
    }
    if length > 60.0 || area > 1500.0 { Guess::Cliff } else { Guess::Wild }
}
