//! Lines as walls: each stretch becomes a rectangle of the width of the wall, with a mitred corner to the next one.

use super::Rings;

/// Width of a wall (m) where nothing says more: one between two rooms.
pub(super) const WALL_WIDTH: f64 = 0.2;

/// The widths of walls (m).
pub(super) const WIDTHS: std::ops::RangeInclusive<f64> = 0.001..=1000.0;

/// No corner is farther from the line than this many times half the width.
const MITRE: f64 = 2.0;

/// The polygons of a line; its ends are flat, so a gap between two ends is as wide as it is drawn. O(points).
pub(super) fn thick(points: &[[f64; 2]], width: f64) -> Vec<Rings> {
    let mut line = points.to_vec();
    line.dedup();
    let is_closed = line.len() > 2 && line.first() == line.last();
    let sides: Vec<[f64; 2]> = line.windows(2).map(|ends| side(ends[0], ends[1], width / 2.0)).collect();
    let rings = line.windows(2).enumerate().map(|(i, ends)| {
        let next = sides.get(i + 1).or_else(|| sides.first().filter(|_| is_closed));
        vec![stretch(ends[0], ends[1], sides[i], next.copied())]
    });
    rings.collect()
}

/// Half the width, to one side of a stretch.
fn side(a: [f64; 2], b: [f64; 2], half: f64) -> [f64; 2] {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let scale = half / libm::hypot(x, y);
    [-y * scale, x * scale]
}

/// The rectangle around a stretch, and the corner to the next stretch on the outer side.
fn stretch(a: [f64; 2], b: [f64; 2], side: [f64; 2], next: Option<[f64; 2]>) -> Vec<[f64; 2]> {
    let at = |[x, y]: [f64; 2], [dx, dy]: [f64; 2], sign: f64| [x + sign * dx, y + sign * dy];
    let mut ring = vec![at(a, side, -1.0), at(a, side, 1.0), at(b, side, 1.0)];
    if let Some(next) = next {
        // The outer side is the one from which the next stretch turns away.
        let sign = if side[0] * next[1] - side[1] * next[0] > 0.0 { -1.0 } else { 1.0 };
        let corner = [at(b, mitre(side, next), sign), at(b, next, sign), b];
        if sign < 0.0 {
            ring.extend([b, corner[1], corner[0]]);
        } else {
            ring.extend(corner);
        }
    }
    ring.push(at(b, side, -1.0));
    ring
}

/// From the joint of two stretches to the corner of their outer sides.
fn mitre(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    let half = one[0] * one[0] + one[1] * one[1];
    let sum = [one[0] + other[0], one[1] + other[1]];
    let squared = sum[0] * sum[0] + sum[1] * sum[1];
    // The corner is at sum · 2 half² / sum², as long as that is not too far.
    let scale = if squared * MITRE * MITRE < 4.0 * half { 0.0 } else { 2.0 * half / squared };
    if scale == 0.0 { other } else { [sum[0] * scale, sum[1] * scale] }
}
