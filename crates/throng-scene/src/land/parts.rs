//! The parts of closed cells, each with what is drawn for it.

use super::clumps::clumps;
use super::contour::{contours, corners, rounded, simplified};
use super::kind::{Guess, Kind, Shape};
use super::raster::{Raster, Window};
use super::rectangles::{Cutting, Frame, rectangles};
use super::towers::{Fort, Measures, STAIRS};
use super::{Disc, House, Outline, Tower, Wing};
use crate::noise::lattice;
use throng_grid::geom::{Vec2, direction};

/// What is drawn for a part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Drawn {
    pub walls: Vec<Outline>,
    pub blocks: Vec<Outline>,
    pub towers: Vec<Tower>,
    pub moats: Vec<Outline>,
    pub hedges: Vec<Outline>,
    pub cliffs: Vec<Outline>,
    pub partitions: Vec<Outline>,
    pub houses: Vec<House>,
    pub trees: Vec<Disc>,
    pub rocks: Vec<Disc>,
    pub rubble: Vec<Disc>,
    pub breaches: Vec<Vec2>,
    pub debris: Vec<Disc>,
}

/// A part of closed cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// What holds it.
    pub window: Window,
    /// Its cells; 0 where it is gone.
    pub cells: usize,
    /// Its usual width (cells); 0 where it was not measured.
    pub width: f32,
    /// By its shape alone.
    pub guess: Guess,
    /// By what is around it, too.
    pub kind: Kind,
    /// Its towers and thick parts make it one that encloses.
    pub is_fort: bool,
    /// All its angles are right and along the axes of the map.
    pub is_square: bool,
    pub drawn: Drawn,
}

/// What is around a part.
pub(super) struct Around<'a> {
    /// Cells near a wall with towers.
    pub by_fort: &'a Raster<bool>,
    /// Cells within a few cells of any wall.
    pub by_wall: &'a Raster<bool>,
    /// Cells near a house.
    pub by_house: &'a Raster<bool>,
    /// Cells near a stream or a moat.
    pub by_water: &'a Raster<bool>,
    /// Cells that walls enclose.
    pub inside: &'a Raster<bool>,
    /// Cells of courts.
    pub court: &'a Raster<bool>,
    /// The length of a metre (cells).
    pub metre: f32,
    /// The map is under the ground: no trees there.
    pub is_cave: bool,
    /// The map is a maze or rooms.
    pub is_plan: bool,
    /// The map is the floor plan of a building.
    pub is_building: bool,
}

impl Around<'_> {
    /// The kind of a part, by the guess and its surroundings.
    pub fn kind(&self, label: &Raster<u32>, number: u32, part: &Part, shape: Option<&Shape>) -> Kind {
        let kind = self.usual(label, number, part, shape);
        let is_low = kind == Kind::Wall && !part.is_fort && part.is_square && part.width <= 2.6 * self.metre;
        if is_low && !touches_any(label, number, part, self.by_fort) {
            return Kind::Partition;
        }
        let is_plain = match kind {
            Kind::Open | Kind::Water => false,
            Kind::Tree | Kind::Rock | Kind::Cliff => {
                part.is_square && part.cells > 8 || matches!(part.guess, Guess::Small | Guess::Line)
            }
            _ => true,
        };
        if self.is_building && kind != Kind::Water || self.is_plan && is_plain { Kind::Partition } else { kind }
    }

    /// The kind of a part of a landscape.
    fn usual(&self, label: &Raster<u32>, number: u32, part: &Part, shape: Option<&Shape>) -> Kind {
        let touches = |near: &Raster<bool>| touches_any(label, number, part, near);
        let metre = self.metre;
        let area = part.cells as f32 / (metre * metre);
        let (straight, boxed, side) = shape.map_or((0.0, 0.0, 0.0), |shape| (shape.straight, shape.boxed, shape.side));
        let is_shed = area < 100.0 && side >= 4.1 && boxed >= 0.77 || boxed >= 0.72 && straight >= 0.25;
        let wild = match () {
            () if area < 60.0 || self.is_cave && area < 150.0 => Kind::Rock,
            () if self.is_cave => Kind::Cliff,
            () => Kind::Tree,
        };
        match part.guess {
            Guess::Water | Guess::Strip => Kind::Water,
            Guess::Small => match () {
                () if area < 9.0 && touches(self.by_fort) => Kind::Rubble,
                () if part.cells <= 6 && touches(self.by_wall) && !touches(self.by_house) => Kind::Wall,
                () if self.is_cave => Kind::Rock,
                () => Kind::Tree,
            },
            Guess::Line => match () {
                () if area < 9.0 && touches(self.by_fort) => Kind::Rubble,
                () if touches(self.by_fort) && area > 22.0 => Kind::Wall,
                () if touches(self.by_house) && part.cells >= 4 => Kind::Hedge,
                () if touches(self.by_wall) => Kind::Wall,
                () if straight >= 0.75 && part.cells >= 16 => Kind::Wall,
                () if part.cells >= 8 && shape.is_some_and(|shape| shape.fill > 0.99) => Kind::Wall,
                () if self.is_cave => Kind::Rock,
                () if touches(self.inside) && part.cells >= 4 => Kind::Wall,
                () => Kind::Tree,
            },
            Guess::Wall if self.is_cave && straight < 0.6 => wild,
            // Around a farm.
            Guess::Wall
                if !part.is_fort
                    && part.width <= 2.2 * metre
                    && area < 400.0
                    && touches(self.by_house)
                    && !touches(self.by_fort) =>
            {
                Kind::Hedge
            }
            Guess::Wall => Kind::Wall,
            Guess::Bar if touches(self.by_water) => Kind::Water,
            Guess::Bar | Guess::House => match () {
                () if self.is_cave && straight < 0.75 && boxed < 0.92 && area > 22.0 => wild,
                () if area > 40_000.0 => Kind::Block,
                () => Kind::House,
            },
            Guess::Wild if is_shed && !self.is_cave && touches(self.by_house) => Kind::House,
            Guess::Wild => wild,
            Guess::Cliff => Kind::Cliff,
        }
    }

    /// What is drawn for a part of a kind.
    pub fn draw(&self, label: &Raster<u32>, number: u32, part: &Part) -> Drawn {
        let window = part.window.grown(1, label.width, label.height);
        let set = label.cut(window, |label| label == number);
        let corner = Vec2::new(window.left as f32, window.top as f32);
        let size = 1.0 / self.metre;
        let place = |at: Vec2| (at + corner) * size;
        let outline = |line: Vec<Vec2>| line.into_iter().map(place).collect::<Outline>();
        let mut drawn = Drawn::default();
        match part.kind {
            Kind::Open => {}
            Kind::Water => {
                let lines = beyond(&set, window, label, self.metre);
                drawn.moats = lines.iter().map(|line| outline(rounded(simplified(line, 0.5), 2, 3.0))).collect();
            }
            Kind::Hedge => {
                let lines = contours(&set);
                drawn.hedges = lines.iter().map(|line| outline(rounded(simplified(line, 0.45), 1, 3.0))).collect();
            }
            Kind::Cliff => {
                let rounds = u32::from(!part.is_square);
                let lines = beyond(&set, window, label, self.metre);
                drawn.cliffs =
                    lines.iter().map(|line| outline(rounded(simplified(line, STAIRS), rounds, 1.5))).collect();
            }
            Kind::Block => {
                drawn.blocks = plain(&set, part).into_iter().map(outline).collect();
            }
            Kind::Partition => drawn.partitions = plain(&set, part).into_iter().map(outline).collect(),
            Kind::Tree => drawn.trees = self.discs(label, number, part, 2.6),
            Kind::Rock => drawn.rocks = self.discs(label, number, part, 3.2),
            Kind::Rubble => drawn.rubble = self.discs(label, number, part, 1.6),
            Kind::House => {
                // Of its place, not of its number: when another house comes or goes, it stays as it is.
                let number = lattice(part.window.left as i32, part.window.top as i32, 91);
                drawn.houses = houses(&set, self.metre, (number * 7.99) as u8, place);
            }
            Kind::Wall => {
                let measures = Measures::of(part.width, self.metre);
                let fort = if part.is_fort {
                    Fort::of(&set, &Shape::depth(&set), measures)
                } else {
                    Fort { walls: plain(&set, part), ..Fort::default() }
                };
                drawn.walls = fort.walls.into_iter().map(outline).collect();
                drawn.blocks = fort.blocks.into_iter().map(outline).collect();
                for (middle, radius) in fort.towers {
                    let is_roofed = self.share_of_court(middle + corner) > 0.5;
                    drawn.towers.push(Tower { disc: Disc { centre: place(middle), radius: radius * size }, is_roofed });
                }
                let keeps: Vec<Vec2> =
                    drawn.towers.iter().filter(|tower| tower.is_roofed).map(|tower| tower.disc.centre).collect();
                for end in fort.ends.into_iter().map(place) {
                    if keeps.iter().all(|keep| keep.distance(end) > 30.0) {
                        drawn.breaches.push(end);
                        debris(end, &mut drawn.debris);
                    }
                }
            }
        }
        drawn
    }

    /// The part's cells as discs, none larger than `most` (m).
    fn discs(&self, label: &Raster<u32>, number: u32, part: &Part, most: f32) -> Vec<Disc> {
        let Window { left, top, right, bottom } = part.window;
        let mut cells: Vec<(u16, u16)> = (top..bottom)
            .flat_map(|y| (left..right).map(move |x| (x, y)))
            .filter(|&(x, y)| label.at(x, y) == number)
            .map(|(x, y)| (x as u16, y as u16))
            .collect();
        let mut discs = Vec::new();
        clumps(&mut cells, most * self.metre, &mut discs);
        let size = 1.0 / self.metre;
        for disc in &mut discs {
            *disc = Disc { centre: disc.centre * size, radius: disc.radius * size };
        }
        discs
    }

    /// How much of the ground around a place (cells) is a court.
    fn share_of_court(&self, at: Vec2) -> f32 {
        let radius = 13.0 * self.metre;
        let reach = radius.ceil() as i32;
        let (mut all, mut court) = (0, 0);
        for y in at.y as i32 - reach..=at.y as i32 + reach {
            for x in at.x as i32 - reach..=at.x as i32 + reach {
                if Vec2::new(x as f32 + 0.5, y as f32 + 0.5).distance_squared(at) < radius * radius {
                    all += 1;
                    court += i32::from(self.court.or(x, y, false));
                }
            }
        }
        court as f32 / all.max(1) as f32
    }
}

/// Whether a cell of a part is set.
fn touches_any(label: &Raster<u32>, number: u32, part: &Part, near: &Raster<bool>) -> bool {
    let Window { left, top, right, bottom } = part.window;
    (top..bottom).any(|y| (left..right).any(|x| label.at(x, y) == number && near.at(x, y)))
}

/// The outlines of a part that goes on beyond the border of the map, as it is there; by [`BORDER_MARGIN_M`].
fn beyond(set: &Raster<bool>, window: Window, label: &Raster<u32>, metre: f32) -> Vec<Vec<Vec2>> {
    let by = (BORDER_MARGIN_M * metre).ceil() as usize;
    let pad = |is_at_border: bool| if is_at_border { by } else { 0 };
    let (left, top) = (pad(window.left == 0), pad(window.top == 0));
    let (right, bottom) = (pad(window.right == label.width), pad(window.bottom == label.height));
    if left + top + right + bottom == 0 {
        return contours(set);
    }
    let wide = Raster::from_fn(set.width + left + right, set.height + top + bottom, |x, y| {
        set.at(x.saturating_sub(left).min(set.width - 1), y.saturating_sub(top).min(set.height - 1))
    });
    let corner = Vec2::new(left as f32, top as f32);
    let mut lines = contours(&wide);
    lines.iter_mut().flatten().for_each(|point| *point -= corner);
    lines
}

/// How far water and rock go on beyond the border of the map (m): further than what is painted there.
pub(super) const BORDER_MARGIN_M: f32 = 14.0;

/// The outlines of a part with corners (cells): as they are where its angles are right, else straightened.
fn plain(set: &Raster<bool>, part: &Part) -> Vec<Vec<Vec2>> {
    if part.is_square {
        return corners(set);
    }
    contours(set).iter().map(|line| simplified(line, STAIRS)).collect()
}

/// Stones strewn around a breach (m).
pub(super) fn debris(breach: Vec2, out: &mut Vec<Disc>) {
    let (x, y) = ((breach.x * 8.0) as i32, (breach.y * 8.0) as i32);
    for stone in 0..60 {
        let random = |what: u32| lattice(x, y, 4 * stone + what + 300);
        // Box and Muller's normal numbers, 1958.
        let off = 4.2 * (-2.0 * libm::logf(random(0).max(1e-5))).sqrt();
        let centre = breach + direction(random(1) * 360.0) * off;
        let radius = (0.18 + 0.44 * random(2)) / (0.8 + 0.06 * off);
        out.push(Disc { centre, radius });
    }
}

/// Larger blocks are one building (m²).
const LARGEST_ROW: f32 = 1300.0;

/// A block of straight sides as houses: one of up to four wings, or where it is large a row or several of them.
fn houses(set: &Raster<bool>, metre: f32, roof: u8, place: impl Fn(Vec2) -> Vec2) -> Vec<House> {
    let lines = contours(set);
    let frame = Frame::around(&lines.iter().flatten().copied());
    let cells = set.count() as f32;
    let size = 1.0 / metre;
    let wing = |low: Vec2, high: Vec2| {
        let half = (high - low) * 0.5 * size;
        let along = if half.x >= half.y { frame.along } else { frame.along.perp() };
        let centre = place(frame.place((low + high) * 0.5));
        Wing { centre, along, half_length: half.max_element(), half_width: half.min_element() }
    };
    let box_area = frame.span.size().element_product();
    let is_whole = cells > 0.88 * box_area;
    // Of a house of this width the roof is as high as the house.
    let widest = 15.0 * metre;
    if frame.span.size().min_element() <= widest && cells * size * size < 420.0 {
        if is_whole {
            return vec![House { wings: vec![wing(frame.span.low, frame.span.high)], roof }];
        }
        let cutting = Cutting { step: 0.5, most: 4, least: 6.0, overlap: true };
        let wings: Vec<Wing> = rectangles(set, frame, cutting).iter().map(|span| wing(span.low, span.high)).collect();
        let covered: f32 = wings.iter().map(|wing| wing.half_length * wing.half_width * 4.0).sum();
        if covered * metre * metre > 0.8 * cells {
            return vec![House { wings, roof }];
        }
    }
    let step = if cells > 1500.0 { 1.0 } else { 0.5 };
    let cutting = Cutting { step, most: 40, least: (4.0 * metre * metre).clamp(4.0, 12.0), overlap: false };
    let is_large = cells * size * size >= LARGEST_ROW;
    // No straw there.
    let roof = if is_large { [1, 2, 4, 5, 6][usize::from(roof) * 5 / 8] } else { roof };
    let mut houses = Vec::new();
    for span in rectangles(set, frame, cutting) {
        let extent = span.size() * size;
        let pieces = |length: f32, other: f32| {
            let usual = if other < 15.0 { 17.0 } else { 12.0 };
            if length <= usual * 1.35 { 1.0 } else { (length / usual).round().max(1.0) }
        };
        let (columns, rows) = (pieces(extent.x, extent.y), pieces(extent.y, extent.x));
        let piece = span.size() / Vec2::new(columns, rows);
        for row in 0..rows as u32 {
            for column in 0..columns as u32 {
                let low = span.low + piece * Vec2::new(column as f32, row as f32);
                let wing = wing(low, low + piece);
                // A row of houses has a few other roofs in it.
                let other = lattice((wing.centre.x * 4.0) as i32, (wing.centre.y * 4.0) as i32, 92);
                let is_other = !is_large && other < 0.4;
                let roof = if is_other { (roof + 2 + (other * 10.0) as u8) % 8 } else { roof };
                houses.push(House { wings: vec![wing], roof });
            }
        }
    }
    houses
}
