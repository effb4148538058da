//! A block of cells as rectangles of one direction.

use super::raster::Raster;
use throng_grid::geom::{Vec2, direction};

/// Angles tried for the direction of a block (degrees).
const STEP: f32 = 2.5;

/// A box in the frame of a block (cells).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub low: Vec2,
    pub high: Vec2,
}

impl Span {
    pub fn size(self) -> Vec2 {
        self.high - self.low
    }
}

/// The box of least area around some points, over the angles of a quarter turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// The unit vector along its first axis; the second is a quarter turn clockwise of it.
    pub along: Vec2,
    /// The box along these axes.
    pub span: Span,
}

impl Frame {
    /// Around the points of outlines (cells). O(points) for each of 36 angles.
    pub fn around(points: &(impl Iterator<Item = Vec2> + Clone)) -> Self {
        let box_of = |along: Vec2| {
            let mut span = Span { low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };
            for point in points.clone() {
                let at = Vec2::new(along.dot(point), along.perp().dot(point));
                span = Span { low: span.low.min(at), high: span.high.max(at) };
            }
            Frame { along, span }
        };
        let mut best = box_of(Vec2::X);
        for angle in 1..(90.0 / STEP) as u32 {
            let frame = box_of(direction(angle as f32 * STEP));
            // The straight frame wins unless another one is clearly better.
            if frame.span.size().element_product() < best.span.size().element_product() * 0.995 {
                best = frame;
            }
        }
        best
    }

    /// From the axes of the frame to the map's.
    pub fn place(&self, at: Vec2) -> Vec2 {
        self.along * at.x + self.along.perp() * at.y
    }
}

/// How rectangles are taken out of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutting {
    /// Side of the samples (cells).
    pub step: f32,
    /// The most of them.
    pub most: usize,
    /// The least area of one (cells).
    pub least: f32,
    /// Whether they grow into each other, as the wings of one house; else they lie side by side.
    pub overlap: bool,
}

/// The largest rectangle in a block, then the largest in the rest, and so on. O(samples) each.
pub(super) fn rectangles(set: &Raster<bool>, frame: Frame, cutting: Cutting) -> Vec<Span> {
    let Cutting { step, most, least, overlap } = cutting;
    let size = frame.span.size();
    let columns = ((size.x / step).round() as usize).max(1);
    let rows = ((size.y / step).round() as usize).max(1);
    let whole = Raster::from_fn(columns, rows, |u, v| {
        let at = frame.span.low + (Vec2::new(u as f32, v as f32) + 0.5) * step;
        filled(set, frame.place(at)) > 0.45
    });
    let mut left = whole.clone();
    let mut spans: Vec<Span> = Vec::new();
    while spans.len() < most {
        let Some(mut found) = largest(&left) else { break };
        if (found.area() as f32) * step * step < least {
            break;
        }
        for y in found.top..found.bottom {
            left.cells[y * columns + found.left..y * columns + found.right].fill(false);
        }
        if overlap && !spans.is_empty() {
            found.grow(&whole);
        }
        let corner = |x: usize, y: usize| frame.span.low + Vec2::new(x as f32, y as f32) * step;
        spans.push(Span {
            low: corner(found.left, found.top),
            high: corner(found.right, found.bottom).min(frame.span.high),
        });
    }
    spans
}

/// How much of a place (cells) is set: between the middles of four cells.
fn filled(set: &Raster<bool>, at: Vec2) -> f32 {
    let at = at - 0.5;
    let corner = at.floor();
    let part = at - corner;
    let value = |x: i32, y: i32| f32::from(u8::from(set.or(corner.x as i32 + x, corner.y as i32 + y, false)));
    let upper = value(0, 0) * (1.0 - part.x) + value(1, 0) * part.x;
    let lower = value(0, 1) * (1.0 - part.x) + value(1, 1) * part.x;
    upper * (1.0 - part.y) + lower * part.y
}

/// A rectangle of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Found {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Found {
    fn area(self) -> usize {
        (self.right - self.left) * (self.bottom - self.top)
    }

    /// Grows to each side while nine of ten samples there are set.
    fn grow(&mut self, whole: &Raster<bool>) {
        let column = |x: usize, found: &Self| {
            let set = (found.top..found.bottom).filter(|&y| whole.at(x, y)).count();
            set * 10 > (found.bottom - found.top) * 9
        };
        let row = |y: usize, found: &Self| {
            let set = (found.left..found.right).filter(|&x| whole.at(x, y)).count();
            set * 10 > (found.right - found.left) * 9
        };
        while self.left > 0 && column(self.left - 1, self) {
            self.left -= 1;
        }
        while self.right < whole.width && column(self.right, self) {
            self.right += 1;
        }
        while self.top > 0 && row(self.top - 1, self) {
            self.top -= 1;
        }
        while self.bottom < whole.height && row(self.bottom, self) {
            self.bottom += 1;
        }
    }
}

/// The largest rectangle of set samples; of equal ones the first by its lower side. O(samples): heights of columns and a
/// stack.
fn largest(set: &Raster<bool>) -> Option<Found> {
    let mut run = vec![0_usize; set.width];
    let mut best: Option<Found> = None;
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for y in 0..set.height {
        for (run, &set) in run.iter_mut().zip(&set.cells[y * set.width..]) {
            *run = if set { *run + 1 } else { 0 };
        }
        stack.clear();
        for x in 0..=set.width {
            let height = run.get(x).copied().unwrap_or(0);
            let mut start = x;
            while let Some(&(from, tall)) = stack.last().filter(|&&(_, tall)| tall > height) {
                stack.pop();
                start = from;
                let found = Found { left: from, top: y + 1 - tall, right: x, bottom: y + 1 };
                if best.is_none_or(|best| found.area() > best.area()) {
                    best = Some(found);
                }
            }
            if stack.last().is_none_or(|&(_, tall)| tall < height) {
                stack.push((start, height));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::contour::contours;
    use super::*;

    const WINGS: Cutting = Cutting { step: 0.5, most: 4, least: 6.0, overlap: true };

    fn frame(set: &Raster<bool>) -> Frame {
        let lines = contours(set);
        Frame::around(&lines.iter().flatten().copied())
    }

    fn covered(set: &Raster<bool>, frame: Frame, spans: &[Span]) -> usize {
        let inside = |x: usize, y: usize| {
            let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let at = Vec2::new(frame.along.dot(point), frame.along.perp().dot(point));
            spans.iter().any(|span| at.cmpge(span.low - 0.01).all() && at.cmple(span.high + 0.01).all())
        };
        (0..set.height)
            .flat_map(|y| (0..set.width).map(move |x| (x, y)))
            .filter(|&(x, y)| set.at(x, y) && inside(x, y))
            .count()
    }

    #[test]
    fn two_rectangles_cover_an_l_and_a_t() {
        let l = Raster::from_fn(30, 20, |x, y| {
            (2..28).contains(&x) && (2..9).contains(&y) || (2..9).contains(&x) && (2..18).contains(&y)
        });
        let t = Raster::from_fn(30, 20, |x, y| {
            (2..28).contains(&x) && (2..9).contains(&y) || (11..18).contains(&x) && (2..18).contains(&y)
        });
        for set in [l, t] {
            let frame = frame(&set);
            let spans = rectangles(&set, frame, WINGS);
            assert_eq!(spans.len(), 2, "{spans:?}");
            assert_eq!(covered(&set, frame, &spans), set.count());
        }
    }

    #[test]
    fn a_turned_rectangle_is_found_by_its_angle() {
        let along = direction(30.0);
        let set = Raster::from_fn(40, 40, |x, y| {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - 20.0;
            along.dot(at).abs() < 12.0 && along.perp().dot(at).abs() < 5.0
        });
        let frame = frame(&set);
        assert!((frame.along.dot(along).abs() > 0.99) || (frame.along.perp().dot(along).abs() > 0.99), "{frame:?}");
        assert!((frame.span.size().element_product() - 240.0).abs() < 30.0, "{frame:?}");
    }
}
