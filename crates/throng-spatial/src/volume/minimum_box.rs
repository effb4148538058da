//! Small oriented boxes around points.

use super::calipers::{convex_hull, least_rectangle, unit_of, whole};
use super::obb::{Obb, dot, upright_axes};
use super::rounding::above;

impl Obb<2> {
    /// The rectangle with the least area around some points (m), by calipers carried around their convex hull (Shamos
    /// 1978; Toussaint 1983): O(n log n). Points with a coordinate that is not finite are left out; `None` where none
    /// remains.
    ///
    /// No point is outside; rounded numbers make it greater than the least one by about 10⁻⁷ of its size and place.
    ///
    /// ```
    /// use throng_spatial::volume::Obb;
    /// let diamond = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]];
    /// let square = Obb::<2>::of(&diamond).ok_or("no points")?;
    /// assert!((square.half[0] - 0.5_f32.sqrt()).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(points: &[[f32; 2]]) -> Option<Self> {
        let points = finite(points);
        let first = *points.first()?;
        let plane: Vec<[f64; 2]> = points.iter().map(|point| [point[0] - first[0], point[1] - first[1]]).collect();
        let [x, y] = least_direction(&plane, &mut Vec::new());
        Some(fitted(&points, [[x, y], [-y, x]].map(|axis| axis.map(|a| a as f32))))
    }
}

/// How often a box is turned about one of its axes at most.
const TURNS: usize = 60;

impl Obb<3> {
    /// A small box around some points (m). Points with a coordinate that is not finite are left out; `None` where none
    /// remains.
    ///
    /// No point is outside. The volume is not the least of all boxes (finding that takes O(n³), O'Rourke 1985). But it
    /// is never above (but for rounding) that of the axis-aligned box nor that of the box along the principal axes. No
    /// turn about an axis of its own makes it smaller by more than 10⁻⁶, unless it is still shrinking after 60 turns.
    /// Points in a plane or on a line get the box that is least in that plane or on that line.
    ///
    /// It starts from the best of these: the axes of the world, the principal axes (Gottschalk, Lin and Manocha,
    /// *`OBBTree`*, 1996), and the edges of a wide triangle and of two tetrahedra upon it, whose corners are farthest
    /// from each other (Larsson and Källberg, *Fast computation of tight-fitting oriented bounding boxes*, 2011). Then,
    /// along each of its axes, the points are seen in the plane and the least rectangle there is taken. O(n log n).
    ///
    /// ```
    /// use glam::Quat;
    /// use throng_spatial::volume::Obb;
    /// let crate_ = Obb::rotated([4.0, 0.0, 1.0], [3.0, 2.0, 1.0], Quat::from_rotation_x(0.5))?;
    /// let corners: Vec<_> = crate_.corners().collect();
    /// let found = Obb::<3>::of(&corners).ok_or("no points")?;
    /// assert!((found.half.iter().product::<f32>() - 6.0).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(points: &[[f32; 3]]) -> Option<Self> {
        let points = finite(points);
        let first = *points.first()?;
        let offsets: Vec<[f64; 3]> = points.iter().map(|point| sub(*point, first)).collect();
        let mut best = upright_axes().map(|axis| axis.map(f64::from));
        let sides = extents(&offsets, &best);
        // A side as flat as rounding leaves it counts as that thick, so that flat boxes are compared by their area.
        let thin = 1e-9 * sides.iter().fold(0.0_f64, |most, &side| most.max(side));
        if thin == 0.0 {
            return Some(fitted(&points, upright_axes()));
        }
        let volume = |sides: [f64; 3]| sides.iter().map(|side| side.max(thin)).product::<f64>();
        let mut least = volume(sides);
        let mut candidates = Vec::with_capacity(16);
        candidates.push(principal_axes(&offsets));
        wide_triangles(&offsets, &mut candidates);
        for axes in candidates {
            let volume = volume(extents(&offsets, &axes));
            if volume < least {
                (best, least) = (axes, volume);
            }
        }
        let (mut plane, mut room) = (Vec::with_capacity(offsets.len()), Vec::new());
        // About one axis after the other, until none of the three gains any more.
        let mut idle = 0;
        for turn in 0..TURNS {
            let (w, u, v) = (best[turn % 3], best[(turn + 1) % 3], best[(turn + 2) % 3]);
            plane.clear();
            plane.extend(offsets.iter().map(|point| [dot(point, &u), dot(point, &v)]));
            let [x, y] = least_direction(&plane, &mut room);
            let turned: [f64; 3] = unit(std::array::from_fn(|i| x * u[i] + y * v[i])).unwrap_or(u);
            let mut axes = best;
            (axes[(turn + 1) % 3], axes[(turn + 2) % 3]) = (turned, unit(cross(w, turned)).unwrap_or(v));
            let volume = volume(extents(&offsets, &axes));
            if volume < least * (1.0 - 1e-6) {
                (best, least, idle) = (axes, volume, 0);
            } else {
                idle += 1;
            }
            if idle == 3 {
                break;
            }
        }
        Some(fitted(&points, best.map(|axis| axis.map(|a| a as f32))))
    }
}

/// The direction of a side of the least rectangle around points. `room` may be used again.
fn least_direction(points: &[[f64; 2]], room: &mut Vec<[i64; 2]>) -> [f64; 2] {
    let unit = unit_of(points);
    room.clear();
    room.extend(points.iter().map(|&point| whole(point, unit)));
    room.resize(2 * points.len() + 1, [0; 2]);
    let (points, hull) = room.split_at_mut(points.len());
    let corners = convex_hull(points, hull);
    least_rectangle(&hull[..corners]).0
}

/// The least box with given axes around points.
fn fitted<const D: usize>(points: &[[f64; D]], axes: [[f32; D]; D]) -> Obb<D> {
    let mut fitted = Obb { centre: points[0].map(|x| x as f32), half: [0.0; D], axes };
    let (mut low, mut high) = ([0.0_f64; D], [0.0_f64; D]);
    for &point in points {
        for (j, along) in fitted.along(point).into_iter().enumerate() {
            (low[j], high[j]) = (low[j].min(along), high[j].max(along));
        }
    }
    fitted.centre = std::array::from_fn(|i| {
        let offset: f64 = (0..D).map(|j| 0.5 * (low[j] + high[j]) * f64::from(axes[j][i])).sum();
        (points[0][i] + offset) as f32
    });
    // Measured from the rounded centre, just as points are tested.
    for &point in points {
        let along = fitted.along(point);
        for (half, along) in fitted.half.iter_mut().zip(along) {
            *half = half.max(above(along.abs()));
        }
    }
    fitted
}

/// How far points reach along each axis.
fn extents(points: &[[f64; 3]], axes: &[[f64; 3]; 3]) -> [f64; 3] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for (j, axis) in axes.iter().enumerate() {
            let along = dot(point, axis);
            (low[j], high[j]) = (low[j].min(along), high[j].max(along));
        }
    }
    std::array::from_fn(|j| high[j] - low[j])
}

/// The eigenvectors of the covariance of points, by Jacobi's rotations (1846).
fn principal_axes(points: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let n = points.len() as f64;
    let mean: [f64; 3] = std::array::from_fn(|i| points.iter().map(|point| point[i]).sum::<f64>() / n);
    let mut spread = [[0.0; 3]; 3];
    for point in points {
        let offset = sub(*point, mean);
        for i in 0..3 {
            for j in 0..3 {
                spread[i][j] += offset[i] * offset[j];
            }
        }
    }
    let mut axes = upright_axes().map(|axis| axis.map(f64::from));
    for _ in 0..10 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if spread[p][q].abs() <= 1e-15 * (spread[p][p] + spread[q][q]) {
                continue;
            }
            let theta = (spread[q][q] - spread[p][p]) / (2.0 * spread[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut spread {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            for i in 0..3 {
                (spread[p][i], spread[q][i]) =
                    (c * spread[p][i] - s * spread[q][i], s * spread[p][i] + c * spread[q][i]);
                (axes[p][i], axes[q][i]) = (c * axes[p][i] - s * axes[q][i], s * axes[p][i] + c * axes[q][i]);
            }
        }
    }
    axes
}

/// Axes along the edges of a wide triangle and of the tetrahedra to both sides of it.
fn wide_triangles(points: &[[f64; 3]], candidates: &mut Vec<[[f64; 3]; 3]>) {
    let farthest = |far: &dyn Fn(&[f64; 3]) -> f64| {
        let better = |best: [f64; 3], point: &[f64; 3]| if far(point) > far(&best) { *point } else { best };
        points.iter().fold(points[0], better)
    };
    let away = |from: [f64; 3]| move |point: &[f64; 3]| dot(&sub(*point, from), &sub(*point, from));
    let a = farthest(&away(points[0]));
    let b = farthest(&away(a));
    let Some(base) = unit(sub(b, a)) else { return };
    let c = farthest(&|point| {
        let beside = cross(sub(*point, a), base);
        dot(&beside, &beside)
    });
    let mut triangle = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        let normal = unit(cross(sub(b, a), sub(c, a)))?;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = unit(sub(to, from))?;
            candidates.push([normal, edge, cross(normal, edge)]);
        }
        Some(normal)
    };
    let Some(normal) = triangle(a, b, c) else {
        // All on one line: any axes along it will do.
        let least = if base[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        if let Some(side) = unit(cross(base, least)) {
            candidates.push([base, side, cross(base, side)]);
        }
        return;
    };
    for top in [farthest(&|point| dot(point, &normal)), farthest(&|point| -dot(point, &normal))] {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            triangle(from, to, top);
        }
    }
}

fn finite<const D: usize>(points: &[[f32; D]]) -> Vec<[f64; D]> {
    points.iter().filter(|point| point.iter().all(|x| x.is_finite())).map(|point| point.map(f64::from)).collect()
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// A vector at right angles to two.
pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector with length 1, unless it has none.
fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(&v, &v).sqrt();
    (length > 0.0).then(|| v.map(|x| x / length))
}
