//! Where the buckets of a grid lie and how large they are.

use crate::middle;
use crate::simd::CellGrid;
use crate::volume::Aabb;

/// The geometry of the buckets: squares in rows that run along the longer side of the world.
///
/// Coordinates are turned first, so that the one along the rows comes first: see [`Layout::turn`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub cells: CellGrid,
    /// Side of a bucket (m).
    pub side: f32,
    /// How many columns and rows the buckets of two bodies that overlap may be apart.
    pub apart: [u32; 2],
}

/// A rectangle of buckets, its borders included.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub left: u32,
    pub right: u32,
    pub top: u32,
    pub bottom: u32,
}

/// At most this many buckets a body, and [`EXTRA_BUCKETS`] more.
const MAX_BUCKETS_PER_BODY: usize = 4;
const EXTRA_BUCKETS: usize = 64;

/// Bodies a bucket where they are spread evenly.
const BODIES_PER_BUCKET: f64 = 1.0;

/// Where buckets as wide as the largest body would hold more bodies than this, narrower ones are better for questions
/// about places, though not for pairs.
const CROWDED_BUCKET_BODIES: f64 = 32.0;

/// The most columns or rows: their numbers are exact as f32.
const MAX_BUCKETS_PER_AXIS: f64 = (1 << 22) as f64;

impl Layout {
    /// Buckets over `bounds` for `bodies` bodies with sides of `wanted` metres, or larger where they would be too many.
    ///
    /// Without a wish: about one body a bucket, fewer where `crowding` says that most of the world is empty, but not
    /// narrower than the largest body, so that contacts lie in adjacent buckets.
    pub fn new(bounds: Aabb<2>, bodies: usize, wanted: Option<f32>, widest: f32, crowding: f64) -> Self {
        // In f64, where the width of any box of f32 is finite.
        let [width, height] = [0, 1].map(|axis| (f64::from(bounds.high[axis]) - f64::from(bounds.low[axis])).max(0.0));
        let along = usize::from(height > width);
        let (length, depth) = (width.max(height), width.min(height));
        let limit = (MAX_BUCKETS_PER_BODY * bodies + EXTRA_BUCKETS) as f64;
        let diameter = 2.0 * f64::from(widest);
        let mut side = wanted.map_or_else(
            || {
                let (bodies, area) = (bodies.max(1) as f64, length * depth);
                let side = (area * BODIES_PER_BUCKET / (bodies * crowding.sqrt()))
                    .sqrt()
                    .max(length * BODIES_PER_BUCKET / bodies);
                // A little more than the diameter: as much as rounding may move bodies apart.
                let adjacent = diameter * (1.0 + 1e-5 + 5e-7 * (length / diameter.max(side)).min(limit));
                if adjacent * adjacent * bodies < area * CROWDED_BUCKET_BODIES { side.max(adjacent) } else { side }
            },
            f64::from,
        );
        side = side.max(length / limit.min(MAX_BUCKETS_PER_AXIS)).max(1e-6);
        let count = |side: f64| ((length / side).floor() + 1.0, (depth / side).floor() + 1.0);
        while count(side).0 * count(side).1 > limit || count(side).0 > MAX_BUCKETS_PER_AXIS {
            side *= 1.1;
        }
        let (columns, rows) = count(side);
        let scale = (1.0 / side) as f32;
        // The rounded difference of two coordinates in contact is below the rounded sum of the radii, hence so is the
        // true one. A coordinate in buckets is rounded twice: it is off by 2⁻²³ of its size at most. Of one outside only
        // its distance from the border is lost, which brings no two further apart.
        let apart = [columns, rows].map(|count| {
            let apart = diameter * f64::from(scale) * (1.0 + 1e-6) + count * 2.5e-7;
            apart.ceil().clamp(1.0, count) as u32
        });
        Self {
            cells: CellGrid {
                origin: [bounds.low[along], bounds.low[1 - along]],
                scale: [scale; 2],
                count: [columns as u32, rows as u32],
                along,
            },
            side: side as f32,
            apart,
        }
    }

    /// A point with the coordinate along the rows first, or back.
    #[inline]
    pub fn turn<T: Copy>(&self, point: [T; 2]) -> [T; 2] {
        if self.cells.along == 0 { point } else { [point[1], point[0]] }
    }

    pub fn turn_box(&self, region: &Aabb<2>) -> Aabb<2> {
        Aabb { low: self.turn(region.low), high: self.turn(region.high) }
    }

    /// The number of buckets and of those left empty between and after the rows.
    pub fn numbers(&self) -> usize {
        self.cells.pitch() * self.cells.count[1] as usize + 2
    }

    /// The number of a bucket behind all others, which is for those that are left out.
    pub fn nowhere(&self) -> u32 {
        (self.numbers() - 2) as u32
    }

    /// The buckets that can hold points whose coordinates lie between those of two (turned) points: exactly, since
    /// neither rounding nor moving points outside to the border changes the order of numbers.
    #[inline]
    pub fn window(&self, low: [f32; 2], high: [f32; 2]) -> Window {
        Window {
            left: self.cells.step(0, low[0]),
            right: self.cells.step(0, high[0]),
            top: self.cells.step(1, low[1]),
            bottom: self.cells.step(1, high[1]),
        }
    }

    /// The same around a point.
    #[inline]
    pub fn around(&self, point: [f32; 2], reach: f32) -> Window {
        self.window([point[0] - reach, point[1] - reach], [point[0] + reach, point[1] + reach])
    }

    /// A distance (m) that no body outside the buckets up to `ring` around `centre` can come below. Bodies outside all
    /// buckets, which are in those on the border, are still beyond all others.
    pub fn bound(&self, point: [f32; 2], centre: [u32; 2], ring: u32) -> f32 {
        let CellGrid { origin, count, .. } = self.cells;
        let mut bound = f32::INFINITY;
        for axis in 0..2 {
            // Rounding may put a body on the wrong side of a border by a little.
            let magnitude = origin[axis].abs() + point[axis].abs() + self.side * count[axis] as f32;
            let slack = magnitude * 1e-6;
            if centre[axis] > ring {
                let border = origin[axis] + (centre[axis] - ring) as f32 * self.side;
                bound = bound.min(point[axis] - border - slack);
            }
            if centre[axis] + ring + 1 < count[axis] {
                let border = origin[axis] + (centre[axis] + ring + 1) as f32 * self.side;
                bound = bound.min(border - point[axis] - slack);
            }
        }
        bound
    }
}

/// Where buckets are laid: over `hull`, the box of all bodies, unless a few are so far out that it is more than twice as
/// wide as the box of most. Up to there [`MAX_BUCKETS_PER_BODY`] buckets are enough for all; bodies beyond go to those on the border.
pub(super) fn ground(points: &[[f32; 2]], hull: &Aabb<2>) -> Aabb<2> {
    let most = middle::most(points, hull);
    let mut ground = *hull;
    for axis in 0..2 {
        if hull.side(axis) > 2.0 * most.side(axis) {
            (ground.low[axis], ground.high[axis]) = (most.low[axis], most.high[axis]);
        }
    }
    ground
}
