//! The parts of a map with their kinds, and what an edit needs to guess again.

use super::Kind;
use super::components::{components, flood};
use super::distance::{distance, near};
use super::enclosure::{courts, filled, shut};
use super::kind::{Guess, Shape, guess};
use super::parts::{Around, Drawn, Part};
use super::raster::{Raster, Window};
use super::towers::LEAST_RADIUS_M;
use rayon::prelude::*;
use throng_grid::Grid;

/// Closed cells that are no water.
pub(super) const SOLID: u8 = 1;

/// Closed cells that are.
pub(super) const WATER: u8 = 2;

/// Every part of a map, and what is around them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guesses {
    /// The length of a metre (cells).
    pub metre: f32,
    /// For each cell the number of its part, from 1.
    pub label: Raster<u32>,
    /// The parts; the first has the number 1.
    pub parts: Vec<Part>,
    /// What edits broke.
    pub wounds: Drawn,
    pub by_fort: Raster<bool>,
    pub by_wall: Raster<bool>,
    pub by_house: Raster<bool>,
    pub by_water: Raster<bool>,
    pub inside: Raster<bool>,
    pub court: Raster<bool>,
    /// The map is under the ground, or in a building.
    pub is_cave: bool,
    /// The map is a maze or rooms.
    pub is_plan: bool,
    /// The map is the floor plan of a building.
    pub is_building: bool,
}

/// [`SOLID`], [`WATER`], or 0 where a cell is open.
pub(super) fn class(grid: &Grid, x: usize, y: usize) -> u8 {
    let cell = grid.lattice().cell(x as u32, y as u32);
    match () {
        () if grid.is_open(cell) => 0,
        () if grid.is_water(cell) => WATER,
        () => SOLID,
    }
}

/// The open cells, and the distance of each cell to the nearest closed one (cells).
pub(super) fn open(grid: &Grid) -> (Raster<bool>, Raster<f32>) {
    let lattice = grid.lattice();
    let open = Raster::from_fn(lattice.width as usize, lattice.height as usize, |x, y| class(grid, x, y) == 0);
    let clearance = distance(&open.map(|open| !open));
    (open, clearance)
}

/// A part as it is measured first.
struct Measured {
    part: Part,
    shape: Option<Shape>,
}

impl Guesses {
    /// Guesses all parts of a map that is open in `openness` of its cells' surroundings (mean clearance, cells). O(cells), in
    /// parallel.
    pub fn of(grid: &Grid, openness: f32, is_building: bool) -> Self {
        let lattice = grid.lattice();
        let (width, height) = (lattice.width as usize, lattice.height as usize);
        let metre = 1.0 / lattice.cell_size;
        let class = Raster::from_fn(width, height, |x, y| class(grid, x, y));
        let (mut label, found) = components(&class);
        let mut measured: Vec<Measured> = found
            .par_iter()
            .enumerate()
            .map(|(at, found)| {
                let number = at as u32 + 1;
                let is_water = class.cells[first(&label, found.window, number)] == WATER;
                measure(&label, number, found.window, found.cells, is_water, metre)
            })
            .collect();
        split(&mut label, &mut measured, metre);
        let around = |label: &Raster<u32>, measured: &[Measured], wanted: &dyn Fn(&Measured) -> bool| {
            let wanted: Vec<bool> = std::iter::once(false).chain(measured.iter().map(wanted)).collect();
            label.map(|label| wanted[label as usize])
        };
        let houses = around(&label, &measured, &|it| is_home(it, metre));
        let by_house = near_any(&houses, 30.0 * metre);
        let strips = around(&label, &measured, &|it| it.part.guess == Guess::Strip);
        let by_water = near_any(&strips, 30.0 * metre);
        let walls = around(&label, &measured, &|it| {
            it.part.guess == Guess::Wall || it.part.guess == Guess::Line && is_straight_line(it, &by_house)
        });
        let forts = around(&label, &measured, &|it| it.part.is_fort);
        let (by_wall, by_fort) = (near_any(&walls, 9.0), near_any(&forts, 7.0 * metre));
        let is_cave = is_cave(&class, &measured);
        let is_plan = !is_building && openness < PLAN_OPENNESS && is_plan(&class, &measured);
        let inside = if is_plan || is_building {
            walls.map(|_| is_plan)
        } else if walls.cells.contains(&true) {
            filled(&shut(&walls, 9.0 * metre))
        } else {
            walls.clone()
        };
        let court = if !is_plan && !is_building && forts.cells.contains(&true) {
            courts(&inside, &shut(&walls, 6.0 * metre), (1500.0 * metre * metre) as usize)
        } else {
            forts.map(|_| false)
        };
        let mut guesses = Self {
            metre,
            label,
            parts: Vec::new(),
            wounds: Drawn::default(),
            by_fort,
            by_wall,
            by_house,
            by_water,
            inside,
            court,
            is_cave,
            is_plan,
            is_building,
        };
        let parts = measured
            .into_par_iter()
            .enumerate()
            .map(|(at, Measured { mut part, shape })| {
                guesses.finish(at as u32 + 1, &mut part, shape.as_ref());
                part
            })
            .collect();
        guesses.parts = parts;
        guesses
    }

    /// Gives a part its kind and what is drawn for it.
    pub fn finish(&self, number: u32, part: &mut Part, shape: Option<&Shape>) {
        let around = self.around();
        part.kind = around.kind(&self.label, number, part, shape);
        part.drawn = around.draw(&self.label, number, part);
    }

    /// What is around parts.
    pub fn around(&self) -> Around<'_> {
        let Self { by_fort, by_wall, by_house, by_water, inside, court, .. } = self;
        let Self { metre, is_cave, is_plan, is_building, .. } = *self;
        Around { by_fort, by_wall, by_house, by_water, inside, court, metre, is_cave, is_plan, is_building }
    }

    /// What each cell is.
    pub fn kinds(&self) -> Raster<Kind> {
        let kinds: Vec<Kind> = std::iter::once(Kind::Open).chain(self.parts.iter().map(|part| part.kind)).collect();
        self.label.map(|label| kinds[label as usize])
    }

    /// Cells of water.
    pub fn water(&self) -> Raster<bool> {
        let is_water: Vec<bool> =
            std::iter::once(false).chain(self.parts.iter().map(|part| part.kind == Kind::Water)).collect();
        self.label.map(|label| is_water[label as usize])
    }

    /// Walls with towers and water: what roads have to find gates in.
    pub fn barrier(&self) -> Raster<bool> {
        let bars = |part: &Part| part.kind == Kind::Water || part.kind == Kind::Wall && part.is_fort;
        let bars: Vec<bool> = std::iter::once(false).chain(self.parts.iter().map(bars)).collect();
        self.label.map(|label| bars[label as usize])
    }
}

/// Walls with towers are not thinner (m).
const MIN_FORT_WALL_M: f32 = 1.2;

/// The share of steps from which on an outline is no longer right-angled.
const MAX_STAIR_SHARE: f32 = 0.06;

/// Cells of a part at the border of the map.
fn rim(label: &Raster<u32>, number: u32, window: Window) -> usize {
    let Raster { width, height, .. } = *label;
    let row = |y: usize| (window.left..window.right).filter(|&x| label.at(x, y) == number).count();
    let column = |x: usize| (window.top..window.bottom).filter(|&y| label.at(x, y) == number).count();
    let mut rim = 0;
    rim += if window.top == 0 { row(0) } else { 0 };
    rim += if window.bottom == height { row(height - 1) } else { 0 };
    rim += if window.left == 0 { column(0) } else { 0 };
    rim += if window.right == width { column(width - 1) } else { 0 };
    rim
}

/// The first cell of a part.
fn first(label: &Raster<u32>, window: Window, number: u32) -> usize {
    let row = window.top * label.width;
    let found = (row + window.left..row + window.right).find(|&at| label.cells[at] == number);
    found.unwrap_or(row + window.left)
}

/// As [`near`], without the work where nothing is set.
fn near_any(set: &Raster<bool>, radius: f32) -> Raster<bool> {
    if set.cells.contains(&true) { near(set, radius) } else { set.clone() }
}

/// Houses beside which lines are hedges.
fn is_home(it: &Measured, metre: f32) -> bool {
    let area = it.part.cells as f32 / (metre * metre);
    it.part.guess == Guess::House
        && (22.0..2000.0).contains(&area)
        && it.shape.as_ref().is_some_and(|shape| shape.side >= 4.0)
}

/// Whether cliffs are all around the map and most of it, without water.
fn is_cave(class: &Raster<u8>, measured: &[Measured]) -> bool {
    let cliffs = measured.iter().filter(|it| it.part.guess == Guess::Cliff);
    let rim: usize = cliffs.filter_map(|it| it.shape.as_ref()).map(|shape| shape.rim).sum();
    let closed = class.cells.iter().filter(|&&class| class != 0).count();
    rim * 10 >= 2 * (class.width + class.height) * 6
        && closed * 5 > class.cells.len() * 2
        && !class.cells.contains(&WATER)
}

/// In wider maps straight lines are no rooms (cells of mean clearance).
const PLAN_OPENNESS: f32 = 9.0;

/// Whether most of what is closed are right-angled lines, as in mazes and rooms.
fn is_plan(class: &Raster<u8>, measured: &[Measured]) -> bool {
    let solid = class.map(|class| class == SOLID);
    let closed = solid.count();
    let lines = measured.iter().filter(|it| {
        let is_line = matches!(it.part.guess, Guess::Wall | Guess::Line | Guess::Wild | Guess::Cliff);
        is_line
            && it.part.is_square
            && !it.part.is_fort
            && it.shape.as_ref().is_some_and(|s| s.slender() >= 10.0 && s.thin >= 0.3 && s.thin_width <= 2.6)
    });
    let cells: usize = lines.map(|it| it.part.cells).sum();
    cells >= 60 && cells * 10 >= closed * 6
}

/// Lines that are walls on their own.
fn is_straight_line(it: &Measured, by_house: &Raster<bool>) -> bool {
    let Window { left, top, .. } = it.part.window;
    let is_straight = it.shape.as_ref().is_some_and(|shape| shape.side >= 6.0 && shape.straight > 0.75);
    is_straight && it.part.cells >= 16 && !by_house.at(left, top)
}

/// Measures a part and guesses it by its shape.
fn measure(label: &Raster<u32>, number: u32, window: Window, cells: usize, is_water: bool, metre: f32) -> Measured {
    let mut part = Part {
        window,
        cells,
        width: 0.0,
        guess: Guess::Small,
        kind: Kind::Open,
        is_fort: false,
        is_square: true,
        drawn: Drawn::default(),
    };
    if is_water {
        part.guess = Guess::Water;
        return Measured { part, shape: None };
    }
    if cells <= 2 {
        return Measured { part, shape: None };
    }
    let set = label.cut(window.grown(1, label.width, label.height), |label| label == number);
    let depth = Shape::depth(&set);
    let mut shape = Shape::of(&set, &depth, metre);
    shape.rim = rim(label, number, window);
    part.guess = guess(&shape, metre, 2 * (label.width + label.height));
    part.width = shape.width();
    part.is_square = shape.stairs < MAX_STAIR_SHARE;
    part.is_fort = part.guess == Guess::Wall
        && shape.depth > LEAST_RADIUS_M * metre
        && shape.rim * 10 < cells
        // Of thick walls only the fringe is thin.
        && (shape.thin < 0.5 || shape.thin_width >= MIN_FORT_WALL_M * metre);
    Measured { part, shape: Some(shape) }
}

/// Guesses a part again, after an edit.
pub(super) fn measured_again(
    label: &Raster<u32>,
    number: u32,
    window: Window,
    cells: usize,
    metre: f32,
) -> (Part, Option<Shape>) {
    let Measured { part, shape } = measure(label, number, window, cells, false, metre);
    (part, shape)
}

/// Takes straight walls out of the cliffs that they run into: they become parts of their own.
fn split(label: &mut Raster<u32>, measured: &mut Vec<Measured>, metre: f32) {
    for at in 0..measured.len() {
        if measured[at].part.guess != Guess::Cliff {
            continue;
        }
        let number = at as u32 + 1;
        let window = measured[at].part.window.grown(1, label.width, label.height);
        let set = label.cut(window, |label| label == number);
        let depth = Shape::depth(&set);
        let core = depth.map(|depth| depth > 8.0 * metre);
        if !core.cells.contains(&true) {
            continue;
        }
        let rest = near(&core, 10.5 * metre).with(&set, |core, set| u8::from(set && !core));
        let mut rest_label = Raster::new(rest.width, rest.height, 0_u32);
        let mut stack = Vec::new();
        let mut count = 0;
        for start in 0..rest.cells.len() {
            if rest.cells[start] == 0 || rest_label.cells[start] != 0 {
                continue;
            }
            count += 1;
            let found = flood(&rest, &mut rest_label, start, count, &mut stack);
            let (long, area) = (found.window.width().max(found.window.height()), found.cells as f32);
            if (long as f32) < 20.0 * metre || area < 60.0 * metre * metre {
                continue;
            }
            let Measured { mut part, shape } = measure(&rest_label, count, found.window, found.cells, false, metre);
            let is_wall = shape.as_ref().is_some_and(|shape| {
                shape.side >= 6.0 && shape.straight > 0.5 && shape.slender() >= 5.0 && shape.width() <= 13.0 * metre
            });
            let Window { left, top, right, bottom } = found.window;
            let is_at_border = left + window.left == 0
                || top + window.top == 0
                || right + window.left == label.width
                || bottom + window.top == label.height;
            if !is_wall || is_at_border {
                continue;
            }
            part.guess = Guess::Wall;
            part.is_fort =
                shape.as_ref().is_some_and(|shape| shape.depth > LEAST_RADIUS_M * metre && shape.has_bulges());
            let own = measured.len() as u32 + 1;
            for y in found.window.top..found.window.bottom {
                for x in found.window.left..found.window.right {
                    if rest_label.at(x, y) == count {
                        label.set(x + window.left, y + window.top, own);
                    }
                }
            }
            let Window { left, top, right, bottom } = found.window;
            part.window = Window {
                left: left + window.left,
                top: top + window.top,
                right: right + window.left,
                bottom: bottom + window.top,
            };
            measured[at].part.cells -= found.cells;
            measured.push(Measured { part, shape });
        }
    }
}
