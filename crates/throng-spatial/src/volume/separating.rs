//! Boxes against boxes, by separating axes.

use super::minimum_box::cross;
use super::obb::{dot, upright_axes};
use super::{Aabb, Obb};

/// Cross products of edges that are shorter than this (squared) are of parallel edges. They separate nothing that the axes
/// of the boxes do not.
const PARALLEL: f64 = 1e-14;

/// A box in double precision: the middle of an axis-aligned one need not be an `f32`.
struct Frame<const D: usize> {
    centre: [f64; D],
    half: [f64; D],
    axes: [[f64; D]; D],
}

impl<const D: usize> From<&Obb<D>> for Frame<D> {
    #[inline]
    fn from(obb: &Obb<D>) -> Self {
        Self {
            centre: obb.centre.map(f64::from),
            half: obb.half.map(f64::from),
            axes: obb.axes.map(|axis| axis.map(f64::from)),
        }
    }
}

impl<const D: usize> From<&Aabb<D>> for Frame<D> {
    #[inline]
    fn from(aabb: &Aabb<D>) -> Self {
        let (low, high) = (aabb.low.map(f64::from), aabb.high.map(f64::from));
        Self {
            centre: std::array::from_fn(|i| 0.5 * (low[i] + high[i])),
            half: std::array::from_fn(|i| 0.5 * (high[i] - low[i])),
            axes: upright_axes().map(|axis| axis.map(f64::from)),
        }
    }
}

impl<const D: usize> Obb<D> {
    /// True where the boxes share more than points of their borders; `D` = 2 or 3.
    ///
    /// Looks for an axis along which they lie side by side: those of both boxes and, in space, the 9 at right angles to
    /// an edge of each (Gottschalk, Lin and Manocha, *`OBBTree`*, 1996). Computed in double precision: exact but for
    /// the rounding of the axes, that is to 10⁻⁷ of the size of the boxes.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        mixed(&self.into(), &other.into())
    }

    /// True where the boxes share more than points of their borders; see [`overlaps`](Self::overlaps).
    #[inline]
    pub fn overlaps_aabb(&self, aabb: &Aabb<D>) -> bool {
        mixed(&self.into(), &aabb.into())
    }
}

/// True where no axis separates the boxes. Swapping them changes no bit of the comparisons.
#[inline]
fn mixed<const D: usize>(a: &Frame<D>, b: &Frame<D>) -> bool {
    const { assert!(D <= 3, "more than three dimensions have more axes") }
    let between: [f64; D] = std::array::from_fn(|i| b.centre[i] - a.centre[i]);
    let products: [[f64; D]; D] = std::array::from_fn(|i| std::array::from_fn(|j| dot(&a.axes[i], &b.axes[j])));
    let along_own = (0..D).all(|k| {
        let of_b: f64 = (0..D).map(|j| b.half[j] * products[k][j].abs()).sum();
        let of_a: f64 = (0..D).map(|i| a.half[i] * products[i][k].abs()).sum();
        dot(&between, &a.axes[k]).abs() < a.half[k] + of_b && dot(&between, &b.axes[k]).abs() < b.half[k] + of_a
    });
    along_own && (D < 3 || across_edges(a, b, &between))
}

/// True where no axis at right angles to an edge of each box separates them.
fn across_edges<const D: usize>(a: &Frame<D>, b: &Frame<D>, between: &[f64; D]) -> bool {
    let three = |v: &[f64; D]| [v[0], v[1], v[2]];
    let reach = |frame: &Frame<D>, own: usize, axis: &[f64; 3]| {
        let (i, j) = ((own + 1) % 3, (own + 2) % 3);
        frame.half[i] * dot(&three(&frame.axes[i]), axis).abs()
            + frame.half[j] * dot(&three(&frame.axes[j]), axis).abs()
    };
    let between = three(between);
    (0..3).all(|i| {
        (0..3).all(|j| {
            let axis = cross(three(&a.axes[i]), three(&b.axes[j]));
            dot(&axis, &axis) < PARALLEL || dot(&between, &axis).abs() < reach(a, i, &axis) + reach(b, j, &axis)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn touching_is_not_overlap() {
        let one = Obb::turned([0.0, 0.0], [1.0, 1.0], 0.0);
        assert!(!one.overlaps(&Obb::turned([2.0, 0.5], [1.0, 1.0], 0.0)));
        assert!(one.overlaps(&Obb::turned([1.999, 0.5], [1.0, 1.0], 0.0)));
        assert!(!one.overlaps_aabb(&Aabb { low: [1.0, 0.0], high: [2.0, 3.0] }));
        // A corner towards a side.
        assert!(one.overlaps(&Obb::turned([2.4, 0.0], [1.0, 1.0], 45.0)));
        assert!(!one.overlaps(&Obb::turned([2.42, 0.0], [1.0, 1.0], 45.0)));
    }

    #[test]
    fn edge_across_edge() {
        // Two rods, one along x + y, the other along x - y above it, both standing on an edge: only the axis at right
        // angles to both separates them.
        let rod = |height: f32, turn: f32| {
            let rotation = Quat::from_rotation_z(turn) * Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
            Obb::rotated([0.0, 0.0, height], [5.0, 0.5, 0.5], rotation).unwrap()
        };
        let quarter = std::f32::consts::FRAC_PI_4;
        assert!(!rod(0.0, quarter).overlaps(&rod(1.4143, -quarter)));
        assert!(rod(0.0, quarter).overlaps(&rod(1.4141, -quarter)));
    }

    #[test]
    fn parallel_edges_separate_nothing() {
        for turn in [0.0, 0.1, 1.0, 2.5] {
            let rotation = Quat::from_rotation_z(turn) * Quat::from_rotation_y(0.3);
            let one = Obb::rotated([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], rotation).unwrap();
            assert!(one.overlaps(&one));
            // The same axes, rounded another way.
            let nearly = Obb { axes: one.axes.map(|axis| axis.map(f32::next_up)), ..one };
            assert!(one.overlaps(&nearly) && nearly.overlaps(&one));
        }
    }

    #[test]
    fn no_number_overlaps_nothing() {
        let one = Obb::turned([0.0, 0.0], [1.0, 1.0], 30.0);
        let none = Obb { centre: [f32::NAN, 0.0], ..one };
        assert!(!one.overlaps(&none) && !none.overlaps(&one) && !none.contains([0.0, 0.0]));
    }
}
