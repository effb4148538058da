//! From true colours to the indices of a table.

use super::colour_table::{CHANNEL_WEIGHTS, ColourTable};
use super::{ColourPicture, Picture};

/// Cells of the look-up: 5 bits of red, 6 of green, 5 of blue.
pub(super) const CELLS: usize = 1 << 16;

/// The cell of a colour.
pub(super) const fn cell([red, green, blue]: [u8; 3]) -> usize {
    (red as usize >> 3) << 11 | (green as usize >> 2) << 5 | blue as usize >> 3
}

/// How far a channel is moved at most, up or down, by the dither.
const DITHER: i32 = 5;

/// Finds for each colour an index of a table, with an ordered dither (B. E. Bayer, 1973): what a pixel becomes depends on
/// its colour and its place alone, so that ground which does not change does not flicker.
///
/// Colours that the table must have right (`exact`) are found as they are.
///
/// ```
/// use throng_record::{ColourPicture, ColourTable, Quantiser};
/// let table = ColourTable::new(vec![[255, 79, 18], [90, 106, 70]]);
/// let quantiser = Quantiser::new(table, &[[255, 79, 18]]);
/// let picture = quantiser.quantise(&ColourPicture::new(8, 8, [88, 107, 70]));
/// assert!(picture.pixels.iter().all(|&index| index == 1));
/// ```
#[derive(Clone, Debug)]
pub struct Quantiser {
    table: ColourTable,
    /// The index of each cell.
    indices: Vec<u8>,
    /// A bit a cell: whether an exact colour lies in it.
    has_exact: Vec<u64>,
    exact: Vec<([u8; 3], u8)>,
    /// What is added to all channels, by row and column.
    dither: [[i8; 8]; 8],
}

impl Quantiser {
    /// For a table; of the `exact` colours those count that are in it. Some 20 ms.
    pub fn new(table: ColourTable, exact: &[[u8; 3]]) -> Self {
        let index = |&colour: &[u8; 3]| {
            let at = table.colours().iter().position(|&other| other == colour)?;
            Some((colour, at as u8))
        };
        let exact: Vec<([u8; 3], u8)> = exact.iter().filter_map(index).collect();
        let mut has_exact = vec![0; CELLS / 64];
        for &(colour, _) in &exact {
            let cell = cell(colour);
            has_exact[cell / 64] |= 1 << (cell % 64);
        }
        let indices = indices(table.colours());
        Self { table, indices, has_exact, exact, dither: dither() }
    }

    /// The table that the indices are of.
    pub fn table(&self) -> &ColourTable {
        &self.table
    }

    /// The indices of a picture. O(pixels): about 2 ms for 650,000.
    pub fn quantise(&self, picture: &ColourPicture) -> Picture {
        let mut out = Picture::new(picture.width, picture.height, 0);
        let width = (picture.width as usize).max(1);
        let rows = picture.pixels.chunks(width).zip(out.pixels.chunks_mut(width));
        for ((colours, indices), dither) in rows.zip(self.dither.iter().cycle()) {
            for (colours, indices) in colours.chunks(8).zip(indices.chunks_mut(8)) {
                for ((&colour, index), &more) in colours.iter().zip(indices).zip(dither) {
                    *index = self.indices[cell(colour.map(|channel| channel.saturating_add_signed(more)))];
                    let plain = cell(colour);
                    if self.has_exact[plain / 64] >> (plain % 64) & 1 == 1 {
                        let found = self.exact.iter().find(|(exact, _)| *exact == colour);
                        *index = found.map_or(*index, |&(_, found)| found);
                    }
                }
            }
        }
        out
    }
}

/// The thresholds of Bayer's matrix of 8 x 8, around 0.
fn dither() -> [[i8; 8]; 8] {
    let mut rows = [[0; 8]; 8];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, out) in row.iter_mut().enumerate() {
            let bit = |number: usize, at: usize| number >> at & 1;
            let place = (0..3).fold(0, |place, at| place << 2 | (bit(x, at) ^ bit(y, at)) << 1 | bit(y, at));
            *out = ((2 * place as i32 - 63) * DITHER / 63) as i8;
        }
    }
    rows
}

/// The index that is nearest to the middle of each cell.
fn indices(colours: &[[u8; 3]]) -> Vec<u8> {
    let channels = Channels::new(colours);
    let mut out = Vec::with_capacity(CELLS);
    for red in 0..32_u8 {
        for green in 0..64_u8 {
            // What blue adds is all that differs within a row.
            let base = channels.keys(|colour| {
                CHANNEL_WEIGHTS[0] * square(colour[0], red << 3 | 4)
                    + CHANNEL_WEIGHTS[1] * square(colour[1], green << 2 | 2)
            });
            for blue in 0..32_u8 {
                out.push(channels.least(&base, blue << 3 | 4));
            }
        }
    }
    out
}

fn square(a: u8, b: u8) -> u32 {
    u32::from(a.abs_diff(b)).pow(2)
}

/// The colours of a table for the search of the nearest.
pub(super) struct Channels<'a> {
    colours: &'a [[u8; 3]],
    /// Of each value of blue, what each colour's blue adds to the key.
    blue: Vec<Vec<u32>>,
}

impl<'a> Channels<'a> {
    pub fn new(colours: &'a [[u8; 3]]) -> Self {
        let key = |value: u8, colour: &[u8; 3]| (CHANNEL_WEIGHTS[2] * square(colour[2], value)) << 8;
        let blue = (0..=255).map(|value| colours.iter().map(|colour| key(value, colour)).collect()).collect();
        Self { colours, blue }
    }

    /// A distance of each colour, with its index in the lowest eight bits: the least is the nearest, of equally near ones the
    /// first.
    fn keys(&self, distance: impl Fn(&[u8; 3]) -> u32) -> Vec<u32> {
        self.colours.iter().zip(0..).map(|(colour, index)| distance(colour) << 8 | index).collect()
    }

    fn least(&self, base: &[u32], blue: u8) -> u8 {
        let keys = base.iter().zip(&self.blue[usize::from(blue)]).map(|(base, more)| base + more);
        keys.fold(u32::MAX, u32::min) as u8
    }

    /// The index of the nearest colour.
    pub fn nearest(&self, [red, green, blue]: [u8; 3]) -> u8 {
        let [reds, greens, _] = CHANNEL_WEIGHTS;
        let distance = |colour: &[u8; 3]| reds * square(colour[0], red) + greens * square(colour[1], green);
        let keys = self.colours.iter().zip(&self.blue[usize::from(blue)]).zip(0..);
        keys.map(|((colour, blue), index)| (distance(colour) << 8 | index) + blue).fold(u32::MAX, u32::min) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour_table::distance_squared;

    #[test]
    fn the_dither_has_every_threshold_and_no_bias() {
        let all: Vec<i32> = dither().into_iter().flatten().map(i32::from).collect();
        assert_eq!(all.iter().sum::<i32>(), 0);
        assert_eq!((all.iter().min(), all.iter().max()), (Some(&-DITHER), Some(&DITHER)));
    }

    #[test]
    fn the_nearest_colour_is_found() {
        let colours: Vec<[u8; 3]> =
            (0..255_u32).map(|i| [i * 37, i * 91 + 5, i * 53].map(|channel| channel as u8)).collect();
        let table = indices(&colours);
        let channels = Channels::new(&colours);
        for number in (0..CELLS).step_by(7) {
            let middle = [(number >> 11) << 3 | 4, (number >> 5 & 63) << 2 | 2, (number & 31) << 3 | 4];
            let middle = middle.map(|channel| channel as u8);
            assert_eq!(cell(middle), number);
            let nearest = (0..colours.len()).min_by_key(|&i| distance_squared(colours[i], middle)).unwrap() as u8;
            assert_eq!([table[number], channels.nearest(middle)], [nearest; 2]);
        }
    }

    #[test]
    fn exact_colours_stay_and_others_keep_their_index_while_they_stay() {
        let exact = [[255, 79, 18], [238, 234, 224]];
        let table =
            ColourTable::new(vec![[255, 79, 18], [238, 234, 224], [236, 232, 222], [90, 100, 70], [110, 120, 90]]);
        let quantiser = Quantiser::new(table, &exact);
        let mut picture = ColourPicture::new(64, 32, [100, 110, 80]);
        picture.pixels[..64].fill(exact[0]);
        picture.pixels[64..128].fill(exact[1]);
        let first = quantiser.quantise(&picture);
        assert!(first.pixels[..64].iter().all(|&index| index == 0));
        assert!(first.pixels[64..128].iter().all(|&index| index == 1));
        // A mixture of two colours, in equal parts.
        let dark: usize = first.pixels[128..].iter().map(|&index| usize::from(index == 3)).sum();
        assert!((700..=1280).contains(&dark), "{dark}");
        // A part changes, and nothing else does.
        for pixel in &mut picture.pixels[1000..1030] {
            *pixel = exact[0];
        }
        let second = quantiser.quantise(&picture);
        let changed = (0..second.pixels.len()).filter(|&i| second.pixels[i] != first.pixels[i]);
        assert!(changed.eq(1000..1030));
        let empty = quantiser.quantise(&ColourPicture::default());
        assert!(empty.pixels.is_empty());
    }
}
