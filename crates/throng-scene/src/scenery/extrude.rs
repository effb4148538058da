//! Which spot of the heights is seen at each half pixel of a picture.

use super::frame::Frame;
use super::heights::Heights;
use crate::view::RISE;

/// The spots that are seen, at twice the size of a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The row of the heights that is seen, plus one; 0: the ground.
    pub(super) rows: Vec<u16>,
    /// Which columns of a row of half pixels show something built.
    pub(super) spans: Vec<[i32; 2]>,
    /// From the corner of the heights to that of the picture, in half pixels.
    pub(super) corner: [i32; 2],
    tops: Vec<i32>,
}

impl Seen {
    /// Whether nothing of the ground is seen in a row of whole pixels.
    pub(super) fn is_covered(&self, row: i32) -> bool {
        let pair = [2 * row as usize, 2 * row as usize + 1];
        let width = self.rows.len() / self.spans.len();
        pair.iter().all(|&row| {
            let [start, end] = self.spans[row];
            start == 0 && end as usize == width && !self.rows[row * width..(row + 1) * width].contains(&0)
        })
    }

    /// Looks at the heights through a frame of half pixels.
    ///
    /// Rows are drawn from the south, and each column remembers how far up it is covered: so every half pixel is written
    /// once (Wright 1973's floating horizon). O(spots that are built on, and pixels they cover).
    #[inline(never)]
    pub(super) fn look(&mut self, heights: &Heights, frame: Frame) {
        let corner = [frame.x - heights.frame.x, frame.y - heights.frame.y];
        self.corner = corner;
        self.rows.clear();
        self.rows.resize(frame.len(), 0);
        self.spans.clear();
        self.spans.resize(frame.height as usize, [i32::MAX, 0]);
        self.tops.clear();
        self.tops.resize(frame.width as usize, frame.height);
        let rise = RISE * heights.frame.scale;
        for row in (corner[1].max(0)..heights.frame.height).rev() {
            let [start, end] = heights.spans[row as usize];
            let (start, end) = (start.max(corner[0]), end.min(corner[0] + frame.width));
            if start >= end {
                continue;
            }
            let z = &heights.z[heights.at(start, row)..heights.at(end, row)];
            let tops = &mut self.tops[(start - corner[0]) as usize..];
            // As seen in the frame.
            let foot = row - corner[1];
            for ((column, z), top) in (start - corner[0]..).zip(z).zip(tops) {
                if *z <= 0.0 {
                    continue;
                }
                let upper = (foot - (z * rise + 0.5) as i32).max(0);
                for y in upper..(*top).min(foot) {
                    self.rows[(y * frame.width + column) as usize] = row as u16 + 1;
                    let span = &mut self.spans[y as usize];
                    *span = [span[0].min(column), span[1].max(column + 1)];
                }
                *top = (*top).min(upper);
            }
        }
    }
}
