//! The canvas of the generators: true and false, with shapes in cells.

use crate::geom::{Vec2, cross, unit};
use crate::{Grid, Lattice};

/// One truth value a cell. Shapes are in cells from the upper left corner and cut off at the edges; a cell belongs to
/// a shape where its centre does.
#[derive(Clone)]
pub(super) struct Sheet {
    pub(super) width: i32,
    pub(super) height: i32,
    cells: Vec<bool>,
}

impl Sheet {
    pub(super) fn new(lattice: Lattice, value: bool) -> Self {
        let cells = vec![value; lattice.width as usize * lattice.height as usize];
        Self { width: lattice.width as i32, height: lattice.height as i32, cells }
    }

    /// The value at a cell, false off the sheet.
    pub(super) fn at(&self, x: i32, y: i32) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y) && self.cells[(y * self.width + x) as usize]
    }

    pub(super) fn set(&mut self, x: i32, y: i32, value: bool) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.cells[(y * self.width + x) as usize] = value;
        }
    }

    /// Sets the cells of a rectangle whose centres `inside` takes.
    pub(super) fn paint(&mut self, least: Vec2, most: Vec2, value: bool, inside: impl Fn(Vec2) -> bool) {
        for (x, y) in self.span(least, most) {
            if inside(centre(x, y)) {
                self.set(x, y, value);
            }
        }
    }

    /// The cells of a rectangle that lie on the sheet.
    fn span(&self, least: Vec2, most: Vec2) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (least, most) = (least.floor().max(Vec2::ZERO), most.ceil());
        let (right, bottom) = ((most.x as i32).min(self.width), (most.y as i32).min(self.height));
        (least.y as i32..bottom).flat_map(move |y| (least.x as i32..right).map(move |x| (x, y)))
    }

    pub(super) fn disc(&mut self, middle: Vec2, radius: f32, value: bool) {
        let reach = Vec2::splat(radius);
        self.paint(middle - reach, middle + reach, value, |point| point.distance_squared(middle) <= radius * radius);
    }

    /// A line with square ends.
    pub(super) fn line(&mut self, from: Vec2, to: Vec2, thickness: f32, value: bool) {
        self.polygon(&Plot::around(from, to, thickness).corners(), value);
    }

    /// Lines with round joints.
    pub(super) fn lines(&mut self, points: &[Vec2], thickness: f32, value: bool) {
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], thickness, value);
            self.disc(pair[0], thickness * 0.5, value);
            self.disc(pair[1], thickness * 0.5, value);
        }
    }

    /// The outline of a polygon.
    pub(super) fn outline(&mut self, corners: &[Vec2], thickness: f32, value: bool) {
        self.lines(corners, thickness, value);
        if let [first, .., last] = *corners {
            self.lines(&[last, first], thickness, value);
        }
    }

    pub(super) fn polygon(&mut self, corners: &[Vec2], value: bool) {
        let (least, most) = bounds(corners);
        self.paint(least, most, value, |point| contains(corners, point));
    }

    /// True where every cell of a polygon is on the sheet and holds `value`.
    pub(super) fn all(&self, corners: &[Vec2], value: bool) -> bool {
        let (least, most) = bounds(corners);
        if least.x < 0.0 || least.y < 0.0 || most.x > self.width as f32 || most.y > self.height as f32 {
            return false;
        }
        self.span(least, most).all(|(x, y)| self.at(x, y) == value || !contains(corners, centre(x, y)))
    }

    /// How many of the eight neighbours of a cell are true.
    pub(super) fn neighbours(&self, x: i32, y: i32) -> usize {
        let around = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        around.into_iter().filter(|(dx, dy)| self.at(x + dx, y + dy)).count()
    }

    /// Turns every connected patch (by sides) of `value` that is smaller than `least` cells.
    pub(super) fn drop_patches(&mut self, value: bool, least: usize) {
        for patch in self.patches(value) {
            if patch.len() < least {
                for cell in patch {
                    self.cells[cell] = !value;
                }
            }
        }
    }

    /// The map: true is open. Only the largest part that hangs together stays open.
    pub(super) fn into_grid(mut self, lattice: Lattice) -> Grid {
        let largest = self.patches(true).iter().map(Vec::len).max().unwrap_or(0);
        self.drop_patches(true, largest);
        let mut grid = Grid::closed(lattice);
        for (cell, &open) in lattice.cells().zip(&self.cells) {
            grid.set_open(cell, open);
        }
        grid
    }

    /// The connected patches (by sides) of cells that hold `value`, as indices, in the order of their first cells.
    pub(super) fn patches(&self, value: bool) -> Vec<Vec<usize>> {
        let (width, mut patches) = (self.width as usize, Vec::new());
        let mut seen = vec![false; self.cells.len()];
        for start in 0..self.cells.len() {
            if seen[start] || self.cells[start] != value {
                continue;
            }
            seen[start] = true;
            let (mut patch, mut done) = (vec![start], 0);
            while done < patch.len() {
                let cell = patch[done];
                done += 1;
                let beside = [
                    (cell % width > 0).then(|| cell - 1),
                    (cell % width + 1 < width).then(|| cell + 1),
                    cell.checked_sub(width),
                    Some(cell + width).filter(|&below| below < self.cells.len()),
                ];
                for next in beside.into_iter().flatten() {
                    if !seen[next] && self.cells[next] == value {
                        seen[next] = true;
                        patch.push(next);
                    }
                }
            }
            patches.push(patch);
        }
        patches
    }
}

/// The centre of a cell (cells).
pub(super) fn centre(x: i32, y: i32) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}

/// A rectangle at any angle.
#[derive(Clone, Copy)]
pub(super) struct Plot {
    pub(super) middle: Vec2,
    /// Unit vector along the first side.
    pub(super) along: Vec2,
    /// Half of the first and the second side.
    pub(super) half: Vec2,
}

impl Plot {
    /// The rectangle around a line.
    pub(super) fn around(from: Vec2, to: Vec2, thickness: f32) -> Self {
        let half = Vec2::new(from.distance(to) * 0.5, thickness * 0.5);
        Self { middle: (from + to) * 0.5, along: unit(to - from), half }
    }

    /// An upright rectangle.
    pub(super) fn upright(middle: Vec2, half: Vec2) -> Self {
        Self { middle, along: Vec2::X, half }
    }

    /// The same, larger by `margin` on every side.
    pub(super) fn grown(self, margin: f32) -> Self {
        Self { half: self.half + Vec2::splat(margin), ..self }
    }

    /// A point given in halves of the sides from the middle.
    pub(super) fn point(self, u: f32, v: f32) -> Vec2 {
        self.middle + self.along * (self.half.x * u) + self.along.perp() * (self.half.y * v)
    }

    pub(super) fn corners(self) -> [Vec2; 4] {
        [self.point(-1.0, -1.0), self.point(1.0, -1.0), self.point(1.0, 1.0), self.point(-1.0, 1.0)]
    }
}

/// The smallest upright rectangle around some points.
pub(super) fn bounds(points: &[Vec2]) -> (Vec2, Vec2) {
    points.iter().fold((Vec2::MAX, Vec2::MIN), |(least, most), &point| (least.min(point), most.max(point)))
}

/// The mean of the corners.
pub(super) fn middle(corners: &[Vec2]) -> Vec2 {
    corners.iter().copied().sum::<Vec2>() / corners.len().max(1) as f32
}

/// True where a point lies in a polygon (even-odd rule).
pub(super) fn contains(corners: &[Vec2], point: Vec2) -> bool {
    let mut inside = false;
    for (a, b) in edges(corners) {
        if (a.y > point.y) != (b.y > point.y) {
            let x = a.x + (b.x - a.x) * ((point.y - a.y) / (b.y - a.y));
            inside ^= point.x < x;
        }
    }
    inside
}

/// The edges of a polygon.
pub(super) fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]))
}

/// Where a line first meets the outline of a polygon, and the unit vector along the edge there.
pub(super) fn meets(corners: &[Vec2], from: Vec2, to: Vec2) -> Option<(Vec2, Vec2)> {
    let mut first: Option<(f32, Vec2)> = None;
    for (a, b) in edges(corners) {
        let (line, edge) = (to - from, b - a);
        let area = cross(line, edge);
        if area == 0.0 {
            continue;
        }
        let (s, t) = (cross(a - from, edge) / area, cross(a - from, line) / area);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) && first.is_none_or(|(best, _)| s < best) {
            first = Some((s, unit(edge)));
        }
    }
    first.map(|(s, edge)| (from + (to - from) * s, edge))
}
