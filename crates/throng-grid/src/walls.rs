//! Keeping round bodies out of the walls.
//!
//! A wall is a closed cell, taken as a square, or the outside of the map. A body that only touches a wall is clear of
//! it.

mod blocks;

use super::{Grid, Lattice, Layer};
use crate::geom::{Vec2, cross};
pub use blocks::{Block, Blocks};
use std::ops::ControlFlow;

/// True where a disc (m) is clear of every wall: no closed cell's square, nor the map's outside, is nearer to the
/// centre than the radius. Looks at the cells under the disc.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, walls::is_clear};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// assert!(is_clear(&grid, Vec2::new(0.5, 4.0), 0.5));
/// assert!(!is_clear(&grid, Vec2::new(0.4, 4.0), 0.5), "over the edge of the map");
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn is_clear(grid: &Grid, centre: Vec2, radius: f32) -> bool {
    centre.is_finite() && nearest_wall(grid, centre, radius).is_none()
}

/// The point of a wall that is nearest to a place (m), where that is nearer than `reach` (m); the place itself where it
/// lies in a wall. `clearance` must be that of `grid` ([`clearance`](super::clearance::clearance)).
///
/// Constant time far from walls; else looks at the cells within reach.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance, walls::wall_near};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let clearance = clearance(&grid);
/// assert_eq!(wall_near(&grid, &clearance, Vec2::new(4.0, 7.0), 2.0), Some(Vec2::new(4.0, 8.0)));
/// assert_eq!(wall_near(&grid, &clearance, Vec2::new(4.0, 4.0), 2.0), None);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn wall_near(grid: &Grid, clearance: &Layer<f32>, place: Vec2, reach: f32) -> Option<Vec2> {
    if free_radius(clearance, place) >= reach {
        return None;
    }
    nearest_wall(grid, place, reach).map(|(wall, _)| wall)
}

/// Moves a disc by a displacement (m), sliding along walls. Returns where it ends.
///
/// The disc is never moved into a wall or across one, at any speed, radius or cell size: where it [is clear](is_clear)
/// at the start, it is clear at the end, and so it was on the way. A disc that starts inside a wall, or too near to one,
/// is moved towards clear space, never deeper. `clearance` must be that of `grid`
/// ([`clearance`](super::clearance::clearance)).
///
/// Constant time where the way is free; else O(displacement / radius) steps at most, fewer away from walls.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance, walls::slide};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let to = slide(&grid, &clearance(&grid), Vec2::new(4.0, 4.0), Vec2::new(1.0, 100.0), 0.5);
/// assert!((to - Vec2::new(5.0, 7.5)).length() < 0.05, "along the lower edge of the map");
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn slide(grid: &Grid, clearance: &Layer<f32>, from: Vec2, displacement: Vec2, radius: f32) -> Vec2 {
    let length = displacement.length();
    if free_radius(clearance, from) > length + radius {
        return from + displacement;
    }
    if !(from.is_finite() && length.is_finite()) {
        return from;
    }
    let mut at = from;
    // All that could be in the way, and a little more, so that rounding leaves the disc clear.
    let reach = (radius + length) * 1.000_01 + (from.x.abs() + from.y.abs()) * 1e-6;
    let Some((_, squared)) = nearest_wall(grid, at, reach) else { return from + displacement };
    if squared < squared_reach(radius) {
        at = withdraw(grid, at, radius);
        if nearest_wall(grid, at, radius).is_some() {
            return at;
        }
    }
    let mut left = length;
    let direction = if length > 0.0 { displacement / length } else { Vec2::ZERO };
    for _ in 0..MARCH {
        let safe = free_radius(clearance, at) - radius;
        let step = left.min(safe.max(radius * 0.5));
        let target = at + direction * step;
        left -= step;
        if safe >= step {
            at = target;
            if left <= 0.0 {
                break;
            }
            continue;
        }
        let (next, clear) = push_out(grid, target, radius);
        // Both ends are clear, so every point between them is nearer to one of them than that one is to a wall.
        if !clear || next.distance_squared(at) > (radius * radius) * 3.6 {
            break;
        }
        // Pressed straight against a wall: more of the same would go nowhere.
        let stuck = next.distance_squared(at) < (step * step) * 1e-4;
        at = next;
        if stuck || left <= 0.0 {
            break;
        }
    }
    at
}

/// True where a disc can go straight from `a` to `b` (m): the strip it sweeps meets no wall.
///
/// Skips ahead through open space by `clearance`, which must be that of `grid`; near walls it looks at the cells along
/// the strip.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance, walls::line_of_sight};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
/// grid.set_open(grid.lattice().cell(4, 4), false);
/// let clearance = clearance(&grid);
/// let (a, b) = (Vec2::new(1.0, 3.5), Vec2::new(8.0, 3.5));
/// assert!(line_of_sight(&grid, &clearance, a, b, 0.4));
/// assert!(!line_of_sight(&grid, &clearance, a, b, 0.6));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn line_of_sight(grid: &Grid, clearance: &Layer<f32>, a: Vec2, b: Vec2, radius: f32) -> bool {
    let length = a.distance(b);
    if !length.is_finite() {
        return false;
    }
    let direction = if length > 0.0 { (b - a) / length } else { Vec2::ZERO };
    let piece = (grid.lattice().cell_size * 4.0).max(radius);
    let mut done = 0.0;
    loop {
        let at = a + direction * done;
        let free = free_radius(clearance, at);
        let chord = half_chord(free, radius);
        if done + chord >= length {
            // At the very end the ball must hold the last disc as well.
            return free > radius + (length - done) || strip_is_clear(grid, at, b, radius);
        }
        if chord > piece * 0.25 {
            done += chord * 0.999;
            continue;
        }
        let end = (done + piece).min(length);
        let last = end >= length;
        let to = if last { b } else { a + direction * end };
        if !strip_is_clear(grid, at, to, radius) {
            return false;
        }
        if last {
            return true;
        }
        done = end;
    }
}

/// How far from its centre a free ball holds a strip that is twice `radius` wide (m): half its chord, or a little less where that
/// takes no square root, on which the next step would wait.
#[inline]
fn half_chord(free: f32, radius: f32) -> f32 {
    match free {
        _ if free >= 2.0 * radius => free - 0.268 * radius,
        _ if free > radius => (free * free - radius * radius).sqrt(),
        _ => 0.0,
    }
}

/// The most steps of one move: the rest of the way is not walked.
const MARCH: usize = 4096;

/// A radius (m) within which there is no wall around a point (m), from the clearance of the cell under it; negative where
/// nothing is known. A little below the truth, so that rounding does not matter. Constant time.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance, walls::free_radius};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let free = free_radius(&clearance(&grid), Vec2::new(3.5, 4.5));
/// assert!(free > 3.4 && free < 3.5);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[inline]
pub fn free_radius(clearance: &Layer<f32>, point: Vec2) -> f32 {
    let lattice = clearance.lattice;
    let scale = 1.0 / lattice.cell_size;
    // As `Lattice::at` and `Lattice::centre`, without the division that takes a cell apart again.
    let x = ((point.x * scale) as u32).min(lattice.width - 1);
    let y = ((point.y * scale) as u32).min(lattice.height - 1);
    let known = clearance[lattice.cell(x, y)];
    let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * lattice.cell_size;
    known - centre.distance(point) - (point.x.abs() + point.y.abs() + known) * 1e-6
}

/// The square of a cell: lower and upper corner (m).
#[inline]
fn square(lattice: Lattice, column: u32, row: u32) -> (Vec2, Vec2) {
    let low = Vec2::new(column as f32, row as f32) * lattice.cell_size;
    let high = Vec2::new((column + 1) as f32, (row + 1) as f32) * lattice.cell_size;
    (low, high)
}

/// Calls `visit(column, row, closed)` for the cells on the map whose squares may come within `radius` of the box from `low` to
/// `high`, row by row, until it breaks: a bit for each closed cell, the lowest for that of the column. Where all of a word are open,
/// as mostly, it is not called.
#[inline]
fn closed_words(
    grid: &Grid,
    low: Vec2,
    high: Vec2,
    radius: f32,
    mut visit: impl FnMut(u32, u32, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (lattice, words) = (grid.lattice(), grid.words());
    let scale = 1.0 / lattice.cell_size;
    // A little more than the radius, so that rounding leaves no cell out.
    let margin = radius + lattice.cell_size * 0.01;
    // `as` saturates and takes NaN for 0.
    let along = |x: f32, count: u32| ((x * scale) as u32).min(count - 1);
    let (left, right) = (along(low.x - margin, lattice.width), along(high.x + margin, lattice.width));
    let (top, bottom) = (along(low.y - margin, lattice.height), along(high.y + margin, lattice.height));
    for row in top..=bottom {
        let mut column = left;
        while column <= right {
            let cell = lattice.cell(column, row).index();
            let count = (right - column + 1).min(64 - cell as u32 % 64);
            let closed = !words[cell / 64] >> (cell % 64) & (u64::MAX >> (64 - count));
            if closed != 0 {
                visit(column, row, closed)?;
            }
            column += count;
        }
    }
    ControlFlow::Continue(())
}

/// Calls `visit(column, row)` for each of those closed cells, until it breaks.
#[inline]
fn closed_near(
    grid: &Grid,
    low: Vec2,
    high: Vec2,
    radius: f32,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    closed_words(grid, low, high, radius, |column, row, mut closed| {
        while closed != 0 {
            visit(column + closed.trailing_zeros(), row)?;
            closed &= closed - 1;
        }
        ControlFlow::Continue(())
    })
}

/// The squared distance below which a wall is in the way of a disc (m²): a point, too, is in the way of what it is in.
#[inline]
fn squared_reach(radius: f32) -> f32 {
    (radius * radius).max(f32::MIN_POSITIVE)
}

/// The point of a wall that is nearest to `centre`, and its squared distance, where that is below the radius.
fn nearest_wall(grid: &Grid, centre: Vec2, radius: f32) -> Option<(Vec2, f32)> {
    let lattice = grid.lattice();
    let size = lattice.size();
    let nearer = |least: (f32, Option<Vec2>), point: Vec2| {
        let squared = point.distance_squared(centre);
        if squared < least.0 { (squared, Some(point)) } else { least }
    };
    let mut least = (squared_reach(radius), None);
    if centre.cmplt(Vec2::splat(radius)).any() || centre.cmpgt(size - radius).any() {
        if centre.cmplt(Vec2::ZERO).any() || centre.cmpgt(size).any() {
            return Some((centre, 0.0));
        }
        let edges = [Vec2::new(0.0, centre.y), Vec2::new(size.x, centre.y)];
        least = edges.into_iter().chain([Vec2::new(centre.x, 0.0), Vec2::new(centre.x, size.y)]).fold(least, nearer);
    }
    let column = (centre.x / lattice.cell_size) as u32;
    let cell_of = |column, row| {
        let (low, high) = square(lattice, column, row);
        centre.max(low).min(high)
    };
    let _ = closed_words(grid, centre, centre, radius, |from, row, closed| {
        // Of those up to its own column the last is nearest, of those after it the first.
        let before = closed & u64::MAX >> (63 - column.saturating_sub(from).min(63));
        if before != 0 {
            least = nearer(least, cell_of(from + 63 - before.leading_zeros(), row));
        }
        if before != closed {
            least = nearer(least, cell_of(from + (closed & !before).trailing_zeros(), row));
        }
        ControlFlow::Continue(())
    });
    least.1.map(|wall| (wall, least.0))
}

/// Moves a disc away from the walls it overlaps, the nearest first, a few times. Returns whether it is clear then.
fn push_out(grid: &Grid, mut centre: Vec2, radius: f32) -> (Vec2, bool) {
    for _ in 0..4 {
        let Some((wall, squared)) = nearest_wall(grid, centre, radius) else { return (centre, true) };
        if squared == 0.0 {
            return (centre, false);
        }
        // A little further than needed, so that rounding leaves the disc clear.
        let distance = squared.sqrt();
        let target = radius * 1.000_01 + (centre.x.abs() + centre.y.abs()) * 2e-7;
        centre += (centre - wall) * ((target - distance) / distance);
    }
    (centre, nearest_wall(grid, centre, radius).is_none())
}

/// Moves a disc that is not clear towards clear space, at most by its radius.
fn withdraw(grid: &Grid, from: Vec2, radius: f32) -> Vec2 {
    let Some((_, squared)) = nearest_wall(grid, from, radius) else { return from };
    if squared == 0.0 {
        // Inside a wall, where there is nothing to cross: on to the nearest open cell.
        let Some(cell) = grid.nearest_open(from) else { return from };
        let way = grid.lattice().centre(cell) - from;
        return from + crate::geom::clamp_length(way, radius);
    }
    let (to, _) = push_out(grid, from, radius);
    let after = nearest_wall(grid, to, radius).map_or(radius * radius, |(_, squared)| squared);
    // Not deeper, and not through a wall: the free balls around both ends meet.
    let step = to.distance(from);
    if after >= squared && step < squared.sqrt() + after.sqrt() { to } else { from }
}

/// True where no wall comes nearer than `radius` to the segment from `a` to `b`.
fn strip_is_clear(grid: &Grid, a: Vec2, b: Vec2, radius: f32) -> bool {
    let lattice = grid.lattice();
    let (low, high) = (a.min(b), a.max(b));
    let inner = lattice.size() - radius;
    if !(low.cmpge(Vec2::splat(radius)).all() && high.cmple(inner).all()) {
        return false;
    }
    let along = b - a;
    // No point of a square is further from its centre than this: a cell whose centre is that far off is passed by.
    let near = (radius * 1.001 + lattice.cell_size * 0.71) * along.length();
    let reach = squared_reach(radius);
    let meets = |column, row| {
        let (low, high) = square(lattice, column, row);
        let passed_by = cross(along, (low + high) * 0.5 - a).abs() > near;
        if !passed_by && segment_to_box_squared(a, b, low, high) < reach {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    closed_near(grid, low, high, radius, meets).is_continue()
}

/// The squared distance between a segment and a box (m²).
fn segment_to_box_squared(a: Vec2, b: Vec2, low: Vec2, high: Vec2) -> f32 {
    if segment_meets_box(a, b, low, high) {
        return 0.0;
    }
    // They are apart, so an end of the segment or a corner of the box is nearest.
    let to_box = |point: Vec2| point.distance_squared(point.max(low).min(high));
    let along = b - a;
    let scale = along.length_squared();
    let to_segment = |corner: Vec2| {
        let t = if scale > 0.0 { ((corner - a).dot(along) / scale).clamp(0.0, 1.0) } else { 0.0 };
        corner.distance_squared(a + along * t)
    };
    to_box(a)
        .min(to_box(b))
        .min(to_segment(low))
        .min(to_segment(high))
        .min(to_segment(Vec2::new(low.x, high.y)))
        .min(to_segment(Vec2::new(high.x, low.y)))
}

/// True where a segment and a box share a point: no axis separates them.
fn segment_meets_box(a: Vec2, b: Vec2, low: Vec2, high: Vec2) -> bool {
    if a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any() {
        return false;
    }
    // The third axis is across the segment.
    let along = b - a;
    let centre = (low + high) * 0.5 - a;
    let half = (high - low) * 0.5;
    cross(along, centre).abs() <= half.x * along.y.abs() + half.y * along.x.abs()
}

#[cfg(test)]
mod tests;
