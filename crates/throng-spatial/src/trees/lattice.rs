//! Whole coordinates over a cube, which trees halve.

use crate::Bodies;
use crate::bodies::around;
use crate::volume::Aabb;

/// A cube, cut into 2^`levels` steps along each axis.
///
/// Coordinates become whole numbers that never fall as the coordinate grows, and stop at the borders of the cube. So
/// boxes that share a point have spans that share a step, also after rounding and outside the cube. Trees over the
/// steps are exact, and the deepest cell is one step wide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice<const D: usize> {
    origin: [f32; D],
    /// Side of the cube (m).
    side: f64,
    /// Steps in a metre.
    scale: f32,
    pub(super) levels: u32,
    /// It is as small as it may be.
    tight: bool,
}

/// The steps that a box covers, its borders included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span<const D: usize> {
    pub(super) low: [u32; D],
    pub(super) high: [u32; D],
}

impl<const D: usize> Span<D> {
    /// The bits in which the two ends differ, on any axis: how far up the smallest cell around the span is.
    #[inline]
    pub(super) fn apart(&self) -> u32 {
        (0..D).fold(0, |apart, axis| apart | (self.low[axis] ^ self.high[axis]))
    }

    /// Whether the span lies within the cell of 2^`shift` steps at `corner`.
    #[inline]
    pub(super) fn fits(&self, corner: &[u32; D], shift: u32) -> bool {
        let off = (0..D).fold(0, |off, axis| off | (self.low[axis] ^ corner[axis]) | (self.high[axis] ^ corner[axis]));
        off >> shift == 0
    }

    /// Whether the span shares a step with the cell of 2^`shift` steps at `corner`.
    #[inline]
    pub(super) fn meets(&self, corner: &[u32; D], shift: u32) -> bool {
        let size = (1 << shift) - 1;
        let mut meets = true;
        for ((&low, &high), &corner) in self.low.iter().zip(&self.high).zip(corner) {
            meets &= low <= corner + size && high >= corner;
        }
        meets
    }
}

impl<const D: usize> Default for Lattice<D> {
    fn default() -> Self {
        Self { origin: [0.0; D], side: 1.0, scale: 1.0, levels: 0, tight: false }
    }
}

impl<const D: usize> Lattice<D> {
    /// Over bodies whose centres lie in `hull`, with room for them to move; at most `deepest` levels, and fewer where
    /// the steps would be smaller than `smallest` metres.
    ///
    /// The lower border of the bodies comes to lie at 1/24 of the side. On the levels that follow it is always a third
    /// of a cell from a border, so that bodies in one line along it are not cut by the borders of all large cells.
    pub(super) fn around(hull: &Aabb<D>, smallest: f32, deepest: u32) -> Self {
        let mut side = 0.0_f64;
        let mut furthest = 0.0_f32;
        for axis in 0..D {
            side = side.max(f64::from(hull.high[axis]) - f64::from(hull.low[axis]));
            furthest = furthest.max(hull.low[axis].abs()).max(hull.high[axis].abs());
        }
        let least = (f64::from(furthest) * 1e-5).max(f64::from(smallest)).max(1e-3);
        let tight = side * 1.2 <= least;
        side = (side * 1.2).max(least);
        let origin = hull.low.map(|x| (f64::from(x) - side / 24.0) as f32);
        Self { tight, ..Self::new(origin, side, smallest, deepest) }
    }

    /// [Within](Self::within) the bounds of an index where it has some, else [around](Self::around) the bodies.
    pub(super) fn over(bounds: Option<&Aabb<D>>, hull: &Aabb<D>, smallest: f32, deepest: u32) -> Self {
        match bounds {
            Some(bounds) => Self::within(bounds, smallest, deepest),
            None => Self::around(hull, smallest, deepest),
        }
    }

    /// Over the whole of `bounds`.
    pub(super) fn within(bounds: &Aabb<D>, smallest: f32, deepest: u32) -> Self {
        let side = (0..D).fold(1e-3_f64, |side, axis| {
            let length = f64::from(bounds.high[axis]) - f64::from(bounds.low[axis]);
            if length.is_finite() { side.max(length) } else { side }
        });
        let origin = bounds.low.map(|x| if x.is_finite() { x } else { 0.0 });
        Self::new(origin, side, smallest, deepest)
    }

    fn new(origin: [f32; D], side: f64, smallest: f32, deepest: u32) -> Self {
        let levels = if smallest > 0.0 {
            let steps = (side / f64::from(smallest)).max(1.0);
            // The greatest number of halvings that leaves cells of at least `smallest`.
            (0..deepest).take_while(|&level| f64::from(2_u32 << level) <= steps).count() as u32
        } else {
            deepest
        };
        Self { origin, side, scale: (f64::from(1_u32 << levels) / side) as f32, levels, tight: false }
    }

    /// Whether the cube still fits bodies with centres in `hull`: they are inside, and have not drawn together in a part
    /// of it.
    pub(super) fn suits(&self, hull: &Aabb<D>) -> bool {
        self.holds(hull) && (self.share(hull) > 0.2 || self.tight)
    }

    /// Whether all of `hull` is inside.
    fn holds(&self, hull: &Aabb<D>) -> bool {
        (0..D).all(|axis| {
            let low = f64::from(self.origin[axis]);
            f64::from(hull.low[axis]) >= low && f64::from(hull.high[axis]) <= low + self.side
        })
    }

    /// The greatest side of `hull` as a share of the cube's.
    fn share(&self, hull: &Aabb<D>) -> f64 {
        (0..D).map(|axis| f64::from(hull.high[axis]) - f64::from(hull.low[axis])).fold(0.0, f64::max) / self.side
    }

    /// The side of a cube (m) of which one for each body fills leaves of 2^shift steps.
    pub(super) fn spacing(&self, shifts: impl Iterator<Item = u32>, bodies: usize) -> f32 {
        let volume: f64 = shifts.map(|shift| self.side(shift).powi(D as i32)).sum();
        libm::pow(volume / bodies.max(1) as f64, 1.0 / D as f64) as f32
    }

    #[inline]
    pub(super) fn step(&self, point: [f32; D]) -> [u32; D] {
        let last = (1 << self.levels) - 1;
        // `as` saturates, and makes 0 of NaN.
        std::array::from_fn(|axis| (((point[axis] - self.origin[axis]) * self.scale) as u32).min(last))
    }

    #[inline]
    pub(super) fn span(&self, bounds: &Aabb<D>) -> Span<D> {
        Span { low: self.step(bounds.low), high: self.step(bounds.high) }
    }

    /// The span of the box around a ball.
    #[inline]
    pub(super) fn span_of(&self, centre: [f32; D], radius: f32) -> Span<D> {
        self.span(&around(centre, radius))
    }

    /// The shift of the smallest cells of at least `side` metres; the root's, where none is as wide.
    #[inline]
    pub(super) fn shift_for(&self, side: f32) -> u32 {
        // The number of steps, rounded up to a power of two: in the bits of a float, the exponent.
        let steps = side * self.scale;
        let exponent = (steps.to_bits() >> 23) as i32 - 127;
        let exact = steps.to_bits().trailing_zeros() >= 23;
        (exponent + i32::from(!exact)).clamp(0, self.levels as i32) as u32
    }

    /// Side of a cell of 2^`shift` steps (m).
    pub(super) fn side(&self, shift: u32) -> f64 {
        self.side / f64::from(1_u32 << (self.levels - shift))
    }

    /// The cell of 2^`shift` steps at `corner` (m).
    pub(super) fn cell(&self, corner: [u32; D], shift: u32) -> Aabb<D> {
        let unit = self.side / f64::from(1_u32 << self.levels);
        let size = f64::from(1_u32 << shift);
        let at = |axis: usize, step: f64| (f64::from(self.origin[axis]) + step * unit) as f32;
        Aabb {
            low: std::array::from_fn(|axis| at(axis, f64::from(corner[axis]))),
            high: std::array::from_fn(|axis| at(axis, f64::from(corner[axis]) + size)),
        }
    }
}

/// The box of all centres.
pub(super) fn hull<const D: usize>(bodies: Bodies<D>) -> Aabb<D> {
    let Some(&first) = bodies.position.first() else {
        return Aabb { low: [0.0; D], high: [0.0; D] };
    };
    let mut hull = Aabb { low: first, high: first };
    // Positions are numbers, so plain comparisons do, and the compiler uses vectors.
    for position in bodies.position {
        for (axis, &x) in position.iter().enumerate() {
            hull.low[axis] = if x < hull.low[axis] { x } else { hull.low[axis] };
            hull.high[axis] = if x > hull.high[axis] { x } else { hull.high[axis] };
        }
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_suits_bodies_that_are_inside_and_have_not_drawn_together() {
        let square = |low: f32, high: f32| Aabb { low: [low; 2], high: [high; 2] };
        let lattice = Lattice::around(&square(0.0, 12.0), 0.1, 20);
        let suits = |low: f32, high: f32| lattice.suits(&square(low, high));
        assert!(suits(0.0, 12.0) && suits(-0.5, 12.5) && suits(2.0, 6.0));
        assert!(!suits(5.0, 6.0), "drawn together");
        assert!(!suits(5.0, 99.0), "outside");
        // Of one point none can be closer together.
        assert!(Lattice::around(&square(3.0, 3.0), 0.1, 20).suits(&square(3.0, 3.0)));
    }
}
