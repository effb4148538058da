//! What a part of closed cells is, told by its shape.

use super::contour::{contours, corners, sides, simplified, stairs};
use super::distance::{distance, opened};
use super::raster::Raster;
use super::rectangles::{Cutting, Frame, rectangles};
use throng_grid::geom::{Vec2, unit};

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
    /// Plain walls: of rooms, of mazes, of buildings.
    Partition,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 11] = [
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
        Kind::Partition,
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
    /// The share of the turns of its outlines that is in gentle ones: streams bend, buildings have corners.
    pub gentle: f32,
    /// Cells of it at the border of the map.
    pub rim: usize,
    /// The share of its cells that its four largest rectangles cover; 0 where it is large or a line.
    pub boxed: f32,
    /// The share that its largest rectangle covers; 0 where `boxed` is.
    pub largest: f32,
    /// The sides of its least box (cells), the longer one first.
    pub box_size: Vec2,
    /// The width of what is not thick, as that of a strip with so many open sides (cells).
    pub thin_width: f32,
    /// The share of its sides that are steps of stairs: next to 0 where all angles are right.
    pub stairs: f32,
}

impl Shape {
    /// Measures the set cells; `depth` is their distance to others, `metre` the length of a metre in cells. O(cells).
    pub fn of(set: &Raster<bool>, depth: &Raster<f32>, metre: f32) -> Self {
        let cells = set.count();
        let bounds = set.bounds();
        let (width, height) = bounds.map_or((1, 1), |bounds| (bounds.width(), bounds.height()));
        let lines = contours(set);
        let (mut around, mut squares, mut straight) = (0.0, 0.0, 0.0);
        let (mut turns, mut gentle) = (0.0_f32, 0.0);
        for line in &lines {
            let line = simplified(line, 0.8);
            let at_border = |at: usize| {
                let (a, b) = (line[at], line[(at + 1) % line.len()]);
                let (low, high) = (a.min(b), a.max(b));
                high.x < 1.0 || high.y < 1.0 || low.x > set.width as f32 - 1.0 || low.y > set.height as f32 - 1.0
            };
            for (at, side) in sides(&line).enumerate() {
                around += side;
                // The border of the map is straight, whatever ends there.
                if at_border(at) {
                    continue;
                }
                squares += side * side;
                straight += if side >= 6.0 { side } else { 0.0 };
            }
            for at in 0..line.len() {
                let (a, b, c) = (line[at], line[(at + 1) % line.len()], line[(at + 2) % line.len()]);
                let (a, b) = (unit(b - a), unit(c - b));
                // The sine of half the turn: less than that of 25 degrees is gentle.
                let turn = ((1.0 - a.dot(b)).max(0.0) * 0.5).sqrt();
                turns += turn;
                gentle += if turn < 0.42 { turn } else { 0.0 };
            }
        }
        let around = around.max(1.0);
        let frame = Frame::around(&lines.iter().flatten().copied());
        let size = frame.span.size();
        let deepest = depth.cells.iter().copied().fold(0.0, f32::max);
        let area = cells as f32 / (metre * metre);
        let (boxed, largest) = if deepest > 1.6 && area > 22.0 && area < 2500.0 {
            let cutting = Cutting { step: if area < 300.0 { 0.5 } else { 1.0 }, most: 4, least: 4.0, overlap: false };
            let spans = rectangles(set, frame, cutting);
            let areas = || spans.iter().map(|span| span.size().element_product());
            (areas().sum::<f32>() / cells as f32, areas().fold(0.0, f32::max) / cells as f32)
        } else {
            (0.0, 0.0)
        };
        let thick = opened(set, depth, 2.6 * metre);
        let thin_width = thin_width(set, &thick);
        let thick = thick.count();
        Self {
            cells,
            length: width.max(height),
            fill: cells as f32 / (width * height) as f32,
            depth: deepest,
            around,
            side: squares / around,
            straight: straight / around,
            thin: 1.0 - thick as f32 / cells.max(1) as f32,
            boxed,
            largest,
            gentle: gentle / turns.max(1e-3),
            rim: 0,
            box_size: Vec2::new(size.max_element(), size.min_element()),
            thin_width,
            stairs: stairs(&corners(set)),
        }
    }

    /// The distance of each cell to those that are not set, of which there are some beyond the sides of the raster.
    pub fn depth(set: &Raster<bool>) -> Raster<f32> {
        let mut depth = distance(&set.map(|set| !set));
        let Raster { width, height, .. } = depth;
        for (y, row) in depth.cells.chunks_mut(width.max(1)).enumerate() {
            let to_row = (y + 1).min(height - y);
            for (x, depth) in row.iter_mut().enumerate() {
                *depth = depth.min(to_row.min(x + 1).min(width - x) as f32);
            }
        }
        depth
    }

    /// Its usual width (cells): that of a strip of this area and outline.
    pub fn width(&self) -> f32 {
        2.0 * self.cells as f32 / self.around
    }

    /// Whether it has places as wide as towers are on walls.
    pub fn has_bulges(&self) -> bool {
        self.depth > 0.72 * self.width()
    }

    /// Its length as a strip, as a multiple of its width; about 2 for a square, 1.6 for a disc.
    pub fn slender(&self) -> f32 {
        self.around * 0.5 / self.width()
    }
}

/// Twice the cells that are not thick, for each of their sides towards cells that are not set.
fn thin_width(set: &Raster<bool>, thick: &Raster<bool>) -> f32 {
    let (mut cells, mut open) = (0, 0);
    for y in 0..set.height {
        for x in 0..set.width {
            if set.at(x, y) && !thick.at(x, y) {
                cells += 1;
                let (x, y) = (x as i32, y as i32);
                open += OUT.iter().filter(|(dx, dy)| !set.or(x + dx, y + dy, false)).count();
            }
        }
    }
    2.0 * cells as f32 / open.max(1) as f32
}

/// To the four sides.
const OUT: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// A first guess, by the shape alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    /// A map's own water.
    Water,
    /// Few cells: a tree, a rock, rubble, or a piece of a wall.
    Small,
    /// A line of few cells' width: a hedge, a wall, or a piece of one.
    Line,
    /// A long wall; with towers it encloses.
    Wall,
    /// A strip of even width that bends: a moat, a river.
    Strip,
    /// One that does not: a piece of a moat by others, else a long house.
    Bar,
    /// Straight sides: a house or several.
    House,
    /// A thicket or a heap of rocks.
    Wild,
    /// High ground.
    Cliff,
}

/// The first guess. Sizes are in metres, `metre` cells long; what tells straight from ragged is in cells. `rim` is the
/// number of cells at the border of the whole map.
pub(super) fn guess(shape: &Shape, metre: f32, rim: usize) -> Guess {
    let area = shape.cells as f32 / (metre * metre);
    let length = shape.length as f32 / metre;
    if area > 2000.0 && shape.rim * 8 > rim && shape.depth > 6.0 * metre {
        return Guess::Cliff;
    }
    if shape.depth <= 1.6 && shape.length <= 3 {
        return Guess::Small;
    }
    if area <= 22.0 {
        return few(shape);
    }
    if shape.depth <= 1.6 || shape.depth / metre <= 1.6 {
        return match () {
            () if area <= 120.0 => Guess::Line,
            () if shape.side >= 4.0 => Guess::Wall,
            () => Guess::Wild,
        };
    }
    if let Some(guess) = strip(shape, metre) {
        return guess;
    }
    if is_wall(shape, metre) {
        return Guess::Wall;
    }
    if is_house(shape, metre) {
        return Guess::House;
    }
    if length > 60.0 || area > 1500.0 { Guess::Cliff } else { Guess::Wild }
}

/// A part of the size of a tree.
fn few(shape: &Shape) -> Guess {
    let (long, short) = (shape.box_size.x, shape.box_size.y);
    let is_full = shape.cells as f32 > 0.95 * long * short;
    match () {
        // A stall, a shed.
        () if shape.cells >= 6 && is_full && short >= 1.9 && long >= 1.4 * short && long <= 3.2 * short => Guess::House,
        () if shape.depth > 1.1 && shape.slender() < 4.2 => Guess::Small,
        () if shape.cells <= 4 && shape.length <= 3 => Guess::Small,
        () => Guess::Line,
    }
}

/// A stream, a moat, or something long and straight of their width.
fn strip(shape: &Shape, metre: f32) -> Option<Guess> {
    let (depth, width, length) = (shape.depth / metre, shape.width() / metre, shape.length as f32 / metre);
    let is_even = shape.depth <= 0.5 * shape.width() + 0.9;
    if depth <= 3.2 && length > 25.0 && width > 2.2 && width <= 6.0 && is_even && shape.side >= 8.0 {
        return match () {
            () if shape.slender() >= 7.0 && shape.fill < 0.75 => Some(Guess::Strip),
            () if shape.slender() >= 7.0 => Some(Guess::Bar),
            () => None,
        };
    }
    let is_band = shape.slender() >= 5.0
        && shape.thin < 0.16
        && shape.depth < 1.2 * shape.width()
        && shape.rim as f32 <= 3.0 * shape.width()
        && shape.side >= 10.0
        && shape.straight > 0.7
        && length > 30.0
        && (4.0..30.0).contains(&width);
    match () {
        () if is_band && shape.gentle >= 0.25 && shape.side >= 15.0 && shape.box_size.x >= 70.0 * metre => {
            Some(Guess::Strip)
        }
        () if is_band && shape.gentle >= 0.14 => Some(Guess::Bar),
        () => None,
    }
}

/// Long, with thin stretches between thick places, or thin all along; or long and wide and straight.
fn is_wall(shape: &Shape, metre: f32) -> bool {
    let area = shape.cells as f32 / (metre * metre);
    let width = shape.width() / metre;
    let has_stretches = shape.thin >= 0.2 && shape.slender() >= 7.5 && width <= 6.5;
    let is_straight = shape.straight >= 0.3 || shape.side >= 3.9 && shape.slender() >= 9.5;
    area > 100.0
        && has_stretches
        && shape.has_bulges()
        && is_straight
        && shape.boxed < 0.93
        && shape.depth <= 9.0 * metre
        || area > 60.0 && width <= 4.0 && shape.slender() >= 10.0 && shape.straight >= 0.5
        || shape.slender() >= 12.0
            && width <= 14.0
            && shape.side >= 6.0
            && shape.straight >= 0.57
            && shape.has_bulges()
            && shape.boxed < 0.2
}

/// Made of rectangles, or of straight sides at least.
fn is_house(shape: &Shape, metre: f32) -> bool {
    let area = shape.cells as f32 / (metre * metre);
    if area > 2500.0 {
        return shape.side >= 9.0 && shape.straight >= 0.6;
    }
    let is_straight = shape.side >= 5.5 && shape.straight >= 0.5;
    is_straight && (shape.boxed >= 0.6 || shape.side >= 9.0)
        || shape.side >= 4.3 && shape.boxed >= 0.9
        || shape.side >= 5.0 && shape.boxed >= 0.8 && area < 400.0
        || shape.side >= 4.0 && shape.boxed >= 0.75 && area < 100.0 && shape.straight > 0.4
        || shape.largest >= 0.74 && shape.box_size.y >= 3.5 && area < 150.0
}
