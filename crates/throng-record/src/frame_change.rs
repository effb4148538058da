//! What changes from one frame of an animation to the next.

use super::colour_table::distance_squared;
use super::{ColourTable, Picture};

/// The rectangle of a picture outside of which nothing changes. Within it, the table's index to keep marks pixels that stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FrameChange {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
    /// Row by row.
    pub pixels: Vec<u8>,
    /// Hundredths of a second that the frame is shown.
    pub delay: u16,
    /// Whether it is the first frame, which keeps nothing.
    pub is_first: bool,
}

/// The pixels on the screen while an animation is written.
#[derive(Debug)]
pub(super) struct Screen {
    /// Empty before the first frame.
    shown: Vec<u8>,
    keep: u8,
    /// Of each index, a bit for each that may stay in its place; empty where none may but itself.
    similar: Vec<[u64; 4]>,
}

impl Screen {
    /// A pixel stays where its new colour is within `tolerance` steps of grey of what is shown.
    pub fn new(table: &ColourTable, tolerance: u8) -> Self {
        let mut similar = Vec::new();
        if tolerance > 0 {
            let limit = 10 * u32::from(tolerance).pow(2);
            for index in 0..=u8::MAX {
                let mut row = [0; 4];
                for other in
                    (0..=u8::MAX).filter(|&other| distance_squared(table.rgb(index), table.rgb(other)) <= limit)
                {
                    row[usize::from(other) / 64] |= 1 << (other % 64);
                }
                similar.push(row);
            }
        }
        Self { shown: Vec::new(), keep: table.keep(), similar }
    }

    /// What is to be drawn over what is shown to get a picture, of the size of the first; with `exact`, tolerance or not.
    ///
    /// A pixel is compared with what is shown, not with what the picture before had: errors do not add up.
    pub fn change(&mut self, picture: &Picture, delay: u16, exact: bool) -> FrameChange {
        let row = picture.width as usize;
        if self.shown.is_empty() {
            self.shown.clone_from(&picture.pixels);
            let (width, height, pixels) = (picture.width, picture.height, picture.pixels.clone());
            return FrameChange { left: 0, top: 0, width, height, pixels, delay, is_first: true };
        }
        let is_exact = exact || self.similar.is_empty();
        let similar = &self.similar;
        let stays = |old: u8, new: u8| {
            old == new || !is_exact && similar[usize::from(old)][usize::from(new) / 64] >> (new % 64) & 1 == 1
        };
        let [left, top, right, bottom] = bounds(&self.shown, &picture.pixels, row, stays);
        let mut pixels = Vec::with_capacity((right - left) * (bottom - top));
        for y in top..bottom {
            let span = y * row + left..y * row + right;
            for (&new, old) in picture.pixels[span.clone()].iter().zip(&mut self.shown[span]) {
                if stays(*old, new) {
                    pixels.push(self.keep);
                } else {
                    pixels.push(new);
                    *old = new;
                }
            }
        }
        let [left, top, right, bottom] = [left, top, right, bottom].map(|number| number as u32);
        FrameChange { left, top, width: right - left, height: bottom - top, pixels, delay, is_first: false }
    }
}

/// The smallest rectangle (left, top, right, bottom) outside of which all pixels stay; one pixel where they stay
/// everywhere, because a frame needs one.
fn bounds(old: &[u8], new: &[u8], width: usize, stays: impl Fn(u8, u8) -> bool) -> [usize; 4] {
    let (mut left, mut top, mut right, mut bottom) = (width, usize::MAX, 0, 0);
    for (y, (old, new)) in old.chunks_exact(width).zip(new.chunks_exact(width)).enumerate() {
        if old == new {
            continue;
        }
        let differs = |x: &usize| !stays(old[*x], new[*x]);
        let Some(from) = (0..width).find(differs) else { continue };
        let to = (from..width).rfind(differs).unwrap_or(from);
        (left, right) = (left.min(from), right.max(to + 1));
        (top, bottom) = (top.min(y), y + 1);
    }
    if bottom == 0 { [0, 0, 1, 1] } else { [left, top, right, bottom] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty greys, three steps apart.
    fn greys() -> ColourTable {
        ColourTable::new((0..40).map(|step| [step * 3 + 60; 3]).collect())
    }

    fn draw(screen: &mut [u8], width: usize, change: &FrameChange, keep: u8) {
        for (y, row) in change.pixels.chunks(change.width as usize).enumerate() {
            for (x, &pixel) in row.iter().enumerate().filter(|(_, pixel)| **pixel != keep) {
                screen[(change.top as usize + y) * width + change.left as usize + x] = pixel;
            }
        }
    }

    #[test]
    fn a_tolerance_leaves_no_trails() {
        let (width, table, tolerance) = (90, greys(), 4);
        // Hills of grey with a dark disc whose rim fades into them, on its way to the right.
        let frame = |step: usize| {
            let mut picture = Picture::new(width as u32, 40, 0);
            for (i, pixel) in picture.pixels.iter_mut().enumerate() {
                let (x, y) = (i % width, i / width);
                let ground = 20 + (x * 7 + y * 3) % 9;
                let off = (x.abs_diff(5 + 2 * step).pow(2) + y.abs_diff(20).pow(2)).isqrt();
                *pixel = ground.min(4 + 2 * off) as u8;
            }
            picture
        };
        let mut screen = Screen::new(&table, tolerance);
        let (mut shown, mut saved) = (vec![0; width * 40], 0);
        for step in 0..40 {
            let picture = frame(step);
            let change = screen.change(&picture, 1, step == 39);
            draw(&mut shown, width, &change, table.keep());
            let differs = (0..shown.len()).filter(|&i| shown[i] != picture.pixels[i]);
            saved += differs.clone().count();
            for i in differs {
                let [was, is] = [shown[i], picture.pixels[i]].map(|index| table.rgb(index)[0]);
                assert!(was.abs_diff(is) <= tolerance, "step {step}, pixel {i}: {was} stands for {is}");
            }
        }
        assert!(saved > 100);
        // The last frame is exact.
        assert_eq!(shown, frame(39).pixels);
    }

    #[test]
    fn slow_fades_are_followed() {
        // A step a frame, each within the tolerance of the one before: what is shown must not stay behind.
        let table = greys();
        let mut screen = Screen::new(&table, 4);
        let mut shown = vec![0; 4];
        for index in 0..40 {
            let change = screen.change(&Picture::new(2, 2, index), 1, false);
            draw(&mut shown, 2, &change, table.keep());
            assert!(shown.iter().all(|&shown| index - shown <= 1));
        }
    }

    #[test]
    fn only_the_changed_rectangle_is_drawn() {
        let table = greys();
        let mut screen = Screen::new(&table, 0);
        let mut picture = Picture::new(10, 8, 3);
        assert!(screen.change(&picture, 1, false).is_first);
        picture.pixels[3 * 10 + 4] = 4;
        picture.pixels[5 * 10 + 6] = 5;
        let change = screen.change(&picture, 7, false);
        assert_eq!((change.left, change.top, change.width, change.height), (4, 3, 3, 3));
        let keep = table.keep();
        assert_eq!(change.pixels, [4, keep, keep, keep, keep, keep, keep, keep, 5]);
        let nothing = screen.change(&picture, 7, false);
        assert_eq!((nothing.width, nothing.height, nothing.pixels), (1, 1, vec![keep]));
    }
}
