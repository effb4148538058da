//! Outlines of cells: traced, straightened and rounded.

use super::raster::Raster;
use throng_grid::geom::{Vec2, cross};

/// Outward from the four sides, in clockwise order from the north.
const OUT: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// The closed lines around the set cells, by marching squares: through the middles of the sides between set cells and
/// others (cells). What is off the raster is not set.
///
/// A line around cells runs clockwise as one sees it, one around a hole the other way. Cells that meet at a corner stay
/// apart. Middles on one straight line are left out but for the first and the last. O(cells).
///
/// Source: W. Lorensen, H. Cline, *Marching Cubes*, SIGGRAPH 1987, in the plane.
pub(super) fn contours(set: &Raster<bool>) -> Vec<Vec<Vec2>> {
    traced(set, |cell, side| {
        let (x, y) = OUT[side];
        cell + 0.5 + Vec2::new(x as f32, y as f32) * 0.5
    })
}

/// As [`contours`], through the corners of the cells: right angles stay, stairs too.
pub(super) fn corners(set: &Raster<bool>) -> Vec<Vec<Vec2>> {
    // Clockwise, the northern side begins in the north-west.
    const START: [Vec2; 4] = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let mut loops = traced(set, |cell, side| cell + START[side]);
    for line in &mut loops {
        // The first point may lie amid a side.
        if let [first, second, .., last] = line[..]
            && cross(first - last, second - first) == 0.0
        {
            line.remove(0);
        }
    }
    loops
}

/// The share of the sides of right-angled lines that are steps of stairs: of one cell, between a turn to the right and one
/// to the left, with another such step a side further.
pub(super) fn stairs(loops: &[Vec<Vec2>]) -> f32 {
    let (mut all, mut steps) = (0, 0);
    for line in loops {
        let point = |at: usize| line[at % line.len()];
        let is_bend = |at: usize| {
            let (a, b, c, d) = (point(at), point(at + 1), point(at + 2), point(at + 3));
            cross(b - a, c - b) * cross(c - b, d - c) < 0.0
        };
        let is_short = |at: usize| point(at + 1).distance_squared(point(at + 2)) < 1.5;
        for at in 0..line.len() {
            all += 1;
            let is_step = is_short(at) && is_short(at + 2) && is_bend(at) && is_bend(at + 1) && is_bend(at + 2);
            steps += i32::from(is_step);
        }
    }
    steps as f32 / all.max(1) as f32
}

/// The closed lines around the set cells, through a point for each side of a cell.
fn traced(set: &Raster<bool>, point: impl Fn(Vec2, usize) -> Vec2) -> Vec<Vec<Vec2>> {
    let mut walked = vec![false; set.cells.len()];
    let mut loops = Vec::new();
    for y in 0..set.height as i32 {
        for x in 0..set.width as i32 {
            // Every line has a northern side, of which the cell remembers that it was walked.
            let at = y as usize * set.width + x as usize;
            if !set.cells[at] || walked[at] || set.or(x, y - 1, false) {
                continue;
            }
            let mut line: Vec<Vec2> = Vec::new();
            let (mut cell, mut side) = ((x, y), 0);
            loop {
                if side == 0 {
                    walked[cell.1 as usize * set.width + cell.0 as usize] = true;
                }
                let out = OUT[side];
                let middle = point(Vec2::new(cell.0 as f32, cell.1 as f32), side);
                if let [.., before, last] = line[..]
                    && cross(last - before, middle - last) == 0.0
                {
                    line.pop();
                }
                line.push(middle);
                let ahead = OUT[(side + 1) % 4];
                let next = (cell.0 + ahead.0, cell.1 + ahead.1);
                let beyond = (next.0 + out.0, next.1 + out.1);
                if !set.or(next.0, next.1, false) {
                    side = (side + 1) % 4;
                } else if !set.or(beyond.0, beyond.1, false) {
                    cell = next;
                } else {
                    (cell, side) = (beyond, (side + 3) % 4);
                }
                if (cell, side) == ((x, y), 0) {
                    break;
                }
            }
            loops.push(line);
        }
    }
    loops
}

/// The line without the points that are nearer than `tolerance` to what is left. O(n log n) as a rule.
///
/// Source: U. Ramer, *An Iterative Procedure for the Polygonal Approximation of Plane Curves*, 1972; D. Douglas, T.
/// Peucker, *Algorithms for the Reduction of the Number of Points*, 1973.
pub(super) fn simplified(line: &[Vec2], tolerance: f32) -> Vec<Vec2> {
    let Some(&first) = line.first() else { return Vec::new() };
    let far = furthest(line.iter().map(|&point| point.distance_squared(first)));
    let Some((far, _)) = far.filter(|&(far, _)| far > 0) else { return line.to_vec() };
    let mut kept = vec![false; line.len()];
    (kept[0], kept[far]) = (true, true);
    let point = |at: usize| line[at % line.len()];
    let mut spans = vec![(0, far), (far, line.len())];
    while let Some((from, to)) = spans.pop() {
        if to <= from + 1 {
            continue;
        }
        let (start, way) = (point(from), point(to) - point(from));
        let length = way.length();
        let off = |at: usize| {
            let to = point(at) - start;
            if length > 0.0 { cross(way, to).abs() / length } else { to.length() }
        };
        let Some((step, distance)) = furthest((from + 1..to).map(off)) else { continue };
        if distance >= tolerance {
            let at = from + 1 + step;
            kept[at] = true;
            spans.extend([(from, at), (at, to)]);
        }
    }
    line.iter().zip(kept).filter(|&(_, kept)| kept).map(|(&point, _)| point).collect()
}

/// The first of the greatest values and its place.
fn furthest(values: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
    let mut best: Option<(usize, f32)> = None;
    for (at, value) in values.enumerate() {
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((at, value));
        }
    }
    best
}

/// The line with its corners cut so many times: a quarter off each side, at most `most` at the first time.
///
/// Source: G. Chaikin, *An Algorithm for High-Speed Curve Generation*, 1974.
pub(super) fn rounded(mut line: Vec<Vec2>, rounds: u32, most: f32) -> Vec<Vec2> {
    for round in 0..rounds {
        let most = most / (1 << round) as f32;
        line = (0..line.len())
            .flat_map(|at| {
                let (a, b) = (line[at], line[(at + 1) % line.len()]);
                let cut = (b - a) * 0.25;
                let cut = cut * (most / cut.length().max(1e-6)).min(1.0);
                [a + cut, b - cut]
            })
            .collect();
    }
    line
}

/// Sides of a closed line: their lengths.
pub(super) fn sides(line: &[Vec2]) -> impl Iterator<Item = f32> {
    (0..line.len()).map(|at| line[at].distance(line[(at + 1) % line.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether a point is inside by the rule of even and odd.
    fn is_inside(lines: &[Vec<Vec2>], p: Vec2) -> bool {
        let mut inside = false;
        for line in lines {
            for (at, &a) in line.iter().enumerate() {
                let b = line[(at + 1) % line.len()];
                if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y) {
                    inside = !inside;
                }
            }
        }
        inside
    }

    fn area(line: &[Vec2]) -> f32 {
        (0..line.len()).map(|at| cross(line[at], line[(at + 1) % line.len()]) * 0.5).sum()
    }

    proptest! {
        #[test]
        fn lines_enclose_the_cells_and_no_others(width in 1_usize..20, height in 1_usize..20, seed: u32, share in 1_u32..99) {
            let set = Raster::from_fn(width, height, |x, y| {
                crate::noise::lattice(x as i32, y as i32, seed) * 100.0 < share as f32
            });
            let lines = contours(&set);
            for y in 0..height {
                for x in 0..width {
                    // A little off the middle: no line passes through there.
                    let middle = Vec2::new(x as f32 + 0.501, y as f32 + 0.503);
                    prop_assert_eq!(is_inside(&lines, middle), set.at(x, y));
                }
            }
            // Corners are cut by an eighth of a cell: the more outward ones there are, the less is enclosed.
            let cells = set.count() as f32;
            let enclosed: f32 = lines.iter().map(|line| area(line)).sum();
            prop_assert!((cells - enclosed).abs() <= cells * 0.5 + 1e-3, "{} {}", cells, enclosed);
        }

        #[test]
        fn left_out_points_are_near_the_line(seed: u32, tolerance in 0.1_f32..3.0) {
            let set = Raster::from_fn(24, 24, |x, y| crate::noise::Noise::new(9.0, seed, 2).at(x as f32, y as f32) > 0.0);
            for line in contours(&set) {
                let left = simplified(&line, tolerance);
                for &point in &line {
                    let nearest = (0..left.len()).map(|at| {
                        let (a, b) = (left[at], left[(at + 1) % left.len()]);
                        let t = if a == b { 0.0 } else { ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0) };
                        point.distance(a + (b - a) * t)
                    });
                    // Off the infinite line less than that; off the span a little more where it turns back.
                    prop_assert!(nearest.fold(f32::INFINITY, f32::min) < tolerance * 1.5 + 0.8);
                }
            }
        }
    }

    #[test]
    fn a_ring_has_two_lines_that_run_against_each_other() {
        let set = Raster::from_fn(7, 7, |x, y| (1..6).contains(&x) && (1..6).contains(&y) && !(x == 3 && y == 3));
        let lines = contours(&set);
        assert_eq!(lines.len(), 2);
        assert_eq!(area(&lines[0]), 24.5);
        assert_eq!(area(&lines[1]), -0.5);
    }
}
