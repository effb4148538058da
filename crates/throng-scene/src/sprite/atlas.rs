//! All cells of some kinds at one level of detail, in one picture.

use super::level::Level;
use super::model;
use super::pose::{DIRECTIONS, POSES, Pose};
use super::primitive::{Primitive, turn_to};
use super::shade::{Drawing, Finish, Scratch};
use super::shelf;
use rayon::prelude::*;
use throng_sim::battle::Look;

/// Sprites of soldiers, with their outlines and cast shadows, in one picture of at most [`PAGE`](Self::PAGE) pixels in width.
///
/// Cells are packed so that none crosses a multiple of `PAGE` rows: for a graphics card, cut the picture there.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    scale: f32,
    width: usize,
    pixels: Vec<[u8; 4]>,
    shares: Vec<u8>,
    cells: Vec<Cell>,
    /// The first cell of each kind.
    first: [Option<usize>; Look::ALL.len()],
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

    /// Bakes all directions and poses of these looks at so many pixels a metre, finished as their [`Level`] asks for. Poses
    /// are baked in parallel; the result does not depend on it.
    ///
    /// O(samples): 0.1 to 0.6 million pixels a look at 12 pixels a metre, six times that at 30.
    pub fn bake(scale: f32, looks: &[Look]) -> Self {
        let mut sorted = looks.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let jobs: Vec<(Look, Pose)> =
            sorted.iter().flat_map(|&look| Pose::all().map(move |pose| (look, pose))).collect();
        let baked: Vec<Baked> = jobs
            .par_iter()
            .with_max_len(1)
            .map_init(Scratch::default, |scratch, &(look, pose)| bake_pose(scratch, scale, look, pose))
            .collect();

        let mut first = [None; Look::ALL.len()];
        for (place, look) in sorted.iter().enumerate() {
            first[*look as usize] = Some(place * POSES * DIRECTIONS);
        }
        let mut cells: Vec<Cell> = baked.iter().flat_map(|baked| baked.cells.iter().copied()).collect();
        let sizes: Vec<_> = cells.iter().map(|cell| (usize::from(cell.width), usize::from(cell.height))).collect();
        let shelves = shelf::pack(&sizes, Self::PAGE, Self::PAGE);
        for (cell, &(x, y)) in cells.iter_mut().zip(&shelves.places) {
            (cell.x, cell.y) = (x as u16, y as u16);
        }
        let size = shelves.width * shelves.height;
        let mut atlas =
            Self { scale, width: shelves.width, pixels: vec![[0; 4]; size], shares: vec![0; size], cells, first };
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
    pub fn cell(&self, look: Look, direction: u8, pose: Pose) -> Option<&Cell> {
        let first = self.first[look as usize]?;
        self.cells.get(first + pose.index() * DIRECTIONS + usize::from(direction) % DIRECTIONS)
    }

    /// The place in [`pixels`](Self::pixels) where a row of a cell begins.
    #[inline]
    pub fn index(&self, cell: &Cell, row: usize) -> usize {
        (usize::from(cell.y) + row) * self.width + usize::from(cell.x)
    }

    /// Pixels a metre.
    #[inline]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Its width (pixels): the number of pixels from a row to the next.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Its height (pixels).
    pub fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Premultiplied red, green, blue and opacity, row by row. What takes the army's colour is grey or white here.
    #[inline]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The share `m` of each pixel that takes the army's colour, 255 = all: `rgb * (1 + m * (army - 1))`.
    #[inline]
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

fn bake_pose(scratch: &mut Scratch, scale: f32, look: Look, pose: Pose) -> Baked {
    let mut finish = Finish { scale, ..Level::for_scale(scale).finish() };
    if look == Look::Giant {
        finish.fat *= 2.0;
    }
    let model = model::soldier(look, pose);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprite::material::{ARMY, LEATHER};
    use crate::sprite::primitive::Model;
    use throng_grid::geom::Vec3;

    /// The opacity of a cell at an offset from the point between the feet.
    fn opacity(atlas: &Atlas, cell: &Cell, x: i32, y: i32) -> u8 {
        let (x, y) = (x + i32::from(cell.anchor[0]), y + i32::from(cell.anchor[1]));
        let inside = (0..i32::from(cell.width)).contains(&x) && (0..i32::from(cell.height)).contains(&y);
        if inside { atlas.pixels()[atlas.index(cell, y as usize) + x as usize][3] } else { 0 }
    }

    fn bake_with_threads(scale: f32, threads: usize) -> Atlas {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        pool.install(|| Atlas::bake(scale, &Look::ALL))
    }

    #[test]
    fn cells_are_trimmed_and_lie_within_the_atlas() {
        let atlas = Atlas::bake(Level::Splat.scale(), &Look::ALL);
        assert!(atlas.width() <= Atlas::PAGE);
        assert_eq!(atlas.bytes(), atlas.width() * atlas.height() * 5);
        for look in Look::ALL {
            for pose in Pose::all() {
                for direction in 0..DIRECTIONS as u8 {
                    let cell = atlas.cell(look, direction, pose).expect("a look that was baked");
                    let (width, height) = (usize::from(cell.width), usize::from(cell.height));
                    assert!(usize::from(cell.x) + width <= atlas.width());
                    assert!(usize::from(cell.y) + height <= atlas.height());
                    let seen = |x: usize, y: usize| atlas.pixels()[atlas.index(cell, y) + x][3] > 0;
                    let what = format!("{look:?} {pose:?} {direction}");
                    assert!((0..width).any(|x| seen(x, 0)) && (0..width).any(|x| seen(x, height - 1)), "{what}");
                    assert!((0..height).any(|y| seen(0, y)) && (0..height).any(|y| seen(width - 1, y)), "{what}");
                    let solid =
                        (0..height).any(|y| (0..width).any(|x| atlas.pixels()[atlas.index(cell, y) + x][3] == 255));
                    assert!(solid, "{what}");
                }
            }
        }
    }

    #[test]
    fn only_kinds_asked_for_are_there_and_they_are_the_same_in_any_company() {
        let alone = Atlas::bake(Level::Splat.scale(), &[Look::Giant]);
        let pair = Atlas::bake(Level::Splat.scale(), &[Look::Giant, Look::Archer, Look::Giant]);
        assert_eq!(alone.cell(Look::Archer, 0, Pose::STAND), None);
        for direction in 0..DIRECTIONS as u8 {
            let [a, b] = [&alone, &pair].map(|atlas| {
                let cell = atlas.cell(Look::Giant, direction, Pose::STAND).expect("a look that was baked");
                let rows = (0..usize::from(cell.height)).map(|row| atlas.index(cell, row));
                rows.flat_map(|at| atlas.pixels()[at..at + usize::from(cell.width)].to_vec()).collect::<Vec<_>>()
            });
            assert_eq!(a, b);
        }
        assert_eq!(Atlas::bake(Level::Splat.scale(), &[]).cell(Look::Ram, 0, Pose::STAND), None);
    }

    #[test]
    fn threads_do_not_matter() {
        let one = bake_with_threads(Level::Splat.scale(), 1);
        assert!(one == bake_with_threads(Level::Splat.scale(), 7));
    }

    /// The pixels are part of what is promised: equal on any machine. Where a model or the shading changes, so does this.
    #[test]
    fn the_bytes_are_known() {
        let atlas = Atlas::bake(Level::Splat.scale(), &Look::ALL);
        let bytes = atlas.pixels().as_flattened().iter().chain(atlas.shares());
        // FNV-1a.
        let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        assert_eq!(hash, SPLAT_HASH);
    }

    const SPLAT_HASH: u64 = 12_972_854_749_265_147_031;

    #[test]
    fn kinds_differ_in_outline_from_afar() {
        let atlas = Atlas::bake(Level::Far.scale(), &Look::ALL);
        for (i, a) in Look::ALL.into_iter().enumerate() {
            for b in &Look::ALL[i + 1..] {
                // Both, and either, over all directions.
                let (mut both, mut either) = (0, 0);
                for direction in 0..DIRECTIONS as u8 {
                    let [a, b] = [a, *b].map(|look| atlas.cell(look, direction, Pose::STAND).expect("a baked look"));
                    for y in -40..20 {
                        for x in -30..30 {
                            let [a, b] = [a, b].map(|cell| opacity(&atlas, cell, x, y) > 180);
                            both += u32::from(a && b);
                            either += u32::from(a || b);
                        }
                    }
                }
                assert!(both * 10 < either * 9, "{a:?} {b:?}: {both} of {either}");
            }
        }
    }

    #[test]
    fn armies_colour_what_is_theirs_and_nothing_else() {
        let finish = Level::Near.finish();
        let mut scratch = Scratch::default();
        let mut model = Model::default();
        model.ball(Vec3::Z, 0.5, LEATHER);
        let plain = scratch.draw(model.0.iter().copied(), &finish, None);
        assert!(plain.shares.iter().all(|&share| share == 0));
        model.ball(Vec3::new(0.0, 3.0, 1.0), 0.5, ARMY);
        let both = scratch.draw(model.0.iter().copied(), &finish, None);
        // The army's ball stands further south: below a row between the two.
        let between = usize::try_from(both.anchor[1]).expect("inside") + 18;
        let (upper, lower) = both.shares.split_at(between * both.width);
        assert!(upper.iter().all(|&share| share == 0));
        let army: usize = lower.iter().map(|&share| usize::from(share == 255)).sum();
        assert!(army > 500, "{army}");
    }

    #[test]
    fn a_tint_leaves_white_armies_as_they_are() {
        let atlas = Atlas::bake(Level::Splat.scale(), &[Look::Swordsman]);
        assert_eq!(atlas.tinted([255; 3]), atlas.pixels());
        let black = atlas.tinted([0; 3]);
        for ((black, pixel), &share) in black.iter().zip(atlas.pixels()).zip(atlas.shares()) {
            assert_eq!(black[3], pixel[3]);
            assert!(black[0] <= pixel[0]);
            if share == 255 {
                assert_eq!(&black[..3], [0; 3]);
            }
        }
    }

    #[test]
    fn a_product_of_two_bytes_is_divided_exactly() {
        for a in 0..=255_u32 {
            for b in 0..=255 {
                assert_eq!(over_255(a * b), (a * b * 2 + 255) / 510);
            }
        }
    }
}
