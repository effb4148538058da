//! All cells of some kinds at one level of detail, in one picture.

use super::kind::Kind;
use super::level::Level;
use super::model;
use super::pose::{DIRECTIONS, POSES, Pose};
use super::primitive::{Primitive, turn_to};
use super::shade::{Drawing, Scratch};
use super::shelf;
use rayon::prelude::*;

/// Sprites of soldiers, with their outlines and cast shadows, in one picture of at most [`PAGE`](Self::PAGE) pixels in width.
///
/// Cells are packed so that none crosses a multiple of `PAGE` rows: for a graphics card, cut the picture there.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    level: Level,
    width: usize,
    pixels: Vec<[u8; 4]>,
    shares: Vec<u8>,
    cells: Vec<Cell>,
    /// The first cell of each kind.
    first: [Option<usize>; Kind::ALL.len()],
}

/// Where a sprite lies in its atlas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its left side (pixels).
    pub x: u16,
    /// Its upper side (pixels).
    pub y: u16,
    /// Its width (pixels), at least 1.
    pub width: u16,
    /// Its height (pixels), at least 1.
    pub height: u16,
    /// The point between the feet, from its upper left corner (pixels); it may lie outside.
    pub anchor: [i16; 2],
}

/// The cells of a kind in one pose, one below another.
#[derive(Default)]
struct Baked {
    cells: Vec<Cell>,
    pixels: Vec<[u8; 4]>,
    shares: Vec<u8>,
}

impl Baked {
    fn push(&mut self, drawing: &Drawing) {
        let (width, height) = (drawing.width as u16, drawing.height as u16);
        self.cells.push(Cell { x: 0, y: 0, width, height, anchor: drawing.anchor });
        self.pixels.extend_from_slice(drawing.pixels);
        self.shares.extend_from_slice(drawing.shares);
    }
}

impl Atlas {
    /// The greatest width, and the height of a page (pixels).
    pub const PAGE: usize = 4096;

    /// Bakes all directions and poses of these kinds. Poses are baked in parallel; the result does not depend on it.
    ///
    /// O(samples), which are most at [`Level::Near`]: 0.1 to 0.6 million pixels a kind at [`Level::Middle`], six times that near.
    pub fn bake(level: Level, kinds: &[Kind]) -> Self {
        let mut sorted = kinds.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let jobs: Vec<(Kind, Pose)> =
            sorted.iter().flat_map(|&kind| Pose::all().map(move |pose| (kind, pose))).collect();
        let baked: Vec<Baked> = jobs
            .par_iter()
            .with_max_len(1)
            .map_init(Scratch::default, |scratch, &(kind, pose)| bake_pose(scratch, level, kind, pose))
            .collect();

        let mut first = [None; Kind::ALL.len()];
        for (place, kind) in sorted.iter().enumerate() {
            first[kind.index()] = Some(place * POSES * DIRECTIONS);
        }
        let mut cells: Vec<Cell> = baked.iter().flat_map(|baked| baked.cells.iter().copied()).collect();
        let sizes: Vec<_> = cells.iter().map(|cell| (usize::from(cell.width), usize::from(cell.height))).collect();
        let shelves = shelf::pack(&sizes, Self::PAGE, Self::PAGE);
        for (cell, &(x, y)) in cells.iter_mut().zip(&shelves.places) {
            (cell.x, cell.y) = (x as u16, y as u16);
        }
        let size = shelves.width * shelves.height;
        let mut atlas =
            Self { level, width: shelves.width, pixels: vec![[0; 4]; size], shares: vec![0; size], cells, first };
        for (index, baked) in baked.iter().enumerate() {
            let mut from = 0;
            for cell in index * DIRECTIONS..(index + 1) * DIRECTIONS {
                let cell = atlas.cells[cell];
                for row in 0..usize::from(cell.height) {
                    let (to, wide) = (atlas.index(&cell, row), usize::from(cell.width));
                    atlas.pixels[to..to + wide].copy_from_slice(&baked.pixels[from..from + wide]);
                    atlas.shares[to..to + wide].copy_from_slice(&baked.shares[from..from + wide]);
                    from += wide;
                }
            }
        }
        atlas
    }

    /// The cell of a kind that looks in a direction (modulo 16) and does something; `None` where that kind was not baked.
    #[inline]
    pub fn cell(&self, kind: Kind, direction: u8, pose: Pose) -> Option<&Cell> {
        let first = self.first[kind.index()]?;
        self.cells.get(first + pose.index() * DIRECTIONS + usize::from(direction) % DIRECTIONS)
    }

    /// The place in [`pixels`](Self::pixels) where a row of a cell begins.
    #[inline]
    pub fn index(&self, cell: &Cell, row: usize) -> usize {
        (usize::from(cell.y) + row) * self.width + usize::from(cell.x)
    }

    /// Its level of detail.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Its width (pixels): the number of pixels from a row to the next.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Its height (pixels).
    pub fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Premultiplied red, green, blue and opacity, row by row. What takes the army's colour is grey or white here.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The share `m` of each pixel that takes the army's colour, 255 = all: `rgb * (1 + m * (army - 1))`.
    pub fn shares(&self) -> &[u8] {
        &self.shares
    }

    /// The memory that its pixels and shares take (bytes).
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.pixels) + size_of_val(&*self.shares)
    }

    /// All pixels with an army's colour in them, placed as [`pixels`](Self::pixels) are.
    pub fn tinted(&self, army: [u8; 3]) -> Vec<[u8; 4]> {
        let less = army.map(|channel| u32::from(255 - channel));
        let tint = |(&[r, g, b, a], &share): (&[u8; 4], &u8)| {
            let channel =
                |value: u8, less: u32| over_255(u32::from(value) * (255 - over_255(u32::from(share) * less))) as u8;
            [channel(r, less[0]), channel(g, less[1]), channel(b, less[2]), a]
        };
        self.pixels.par_iter().zip(&self.shares).with_min_len(1 << 14).map(tint).collect()
    }
}

fn bake_pose(scratch: &mut Scratch, level: Level, kind: Kind, pose: Pose) -> Baked {
    let mut finish = level.finish();
    if kind == Kind::Giant {
        finish.fat *= 2.0;
    }
    let model = model::soldier(kind, pose);
    let mut baked = Baked::default();
    for direction in 0..DIRECTIONS as u8 {
        let turn = turn_to(direction);
        let turned =
            model.0.iter().map(|part| Primitive { form: part.form.mapped(turn, turn, 1.0), material: part.material });
        baked.push(&scratch.draw(turned, &finish, None));
    }
    baked
}

/// `x / 255`, rounded, for `x` up to 255 * 255.
const fn over_255(x: u32) -> u32 {
    let x = x + 128;
    (x + (x >> 8)) >> 8
}
