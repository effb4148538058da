//! Obstacles of flying things: the ground and the walls on it.

use super::{Cell, Grid, Layer, walls};
use crate::geom::{Vec2, Vec3};

/// The ground with its walls, as obstacles of flying things: each cell is a block as high as its ground, a closed one
/// higher by the walls. Beyond the map there is nothing.
///
/// ```
/// use throng_grid::geom::Vec3;
/// use throng_grid::{Grid, Lattice, HeightField};
/// let mut grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// grid.set_open(grid.lattice().cell(4, 2), false);
/// let clearance = throng_grid::clearance::clearance(&grid);
/// let height_field = HeightField { grid: &grid, clearance: &clearance, wall_height: 3.0 };
/// let low = height_field.raycast(Vec3::new(1.0, 2.5, 2.0), Vec3::new(7.0, 2.5, 2.0)).unwrap();
/// assert_eq!((low.time, low.cell), (0.5, Some(grid.lattice().cell(4, 2))));
/// assert!(height_field.raycast(Vec3::new(1.0, 2.5, 3.5), Vec3::new(7.0, 2.5, 3.5)).is_none(), "over the wall");
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m), of that map.
    pub clearance: &'a Layer<f32>,
    /// Height of walls above the ground they stand on (m).
    pub wall_height: f32,
}

/// Where something that flies comes down.
///
/// See [`HeightField::raycast`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Landing {
    /// When, as a share of the way.
    pub time: f64,
    /// On or against which cell; `None` where it leaves the map.
    pub cell: Option<Cell>,
}

impl HeightField<'_> {
    /// Height of the ground under a point (m): that of its cell.
    pub fn ground(&self, at: Vec2) -> f32 {
        match self.grid.height_layer() {
            Some(heights) => f32::from(heights[self.grid.lattice().at(at)]) * 0.01,
            None => 0.0,
        }
    }

    /// Where the straight way from one point to another (m) first goes under the skyline or leaves the map: a way that
    /// only touches it goes on. O(cells crossed); constant high in the air, and away from walls where the ground is
    /// level.
    pub fn raycast(&self, from: Vec3, to: Vec3) -> Option<Landing> {
        let lattice = self.grid.lattice();
        let (a, b) = (from.truncate(), to.truncate());
        let is_level = self.grid.height_layer().is_none();
        if is_level && lattice.covers(a) && lattice.covers(b) {
            let lowest = from.z.min(to.z);
            if lowest >= self.wall_height.max(0.0) {
                return None;
            }
            if lowest >= 0.0 && walls::free_radius(self.clearance, a) > a.distance(b) {
                return None;
            }
        }
        self.walk(from.as_dvec3().to_array(), (to.as_dvec3() - from.as_dvec3()).to_array())
    }

    /// From cell to cell (Amanatides and Woo 1987).
    fn walk(&self, from: [f64; 3], along: [f64; 3]) -> Option<Landing> {
        let lattice = self.grid.lattice();
        let side = f64::from(lattice.cell_size);
        let mut place = [from[0], from[1]].map(|x| (x / side).floor() as i64);
        // When the next line between columns, and between rows, is crossed.
        let mut next = [f64::INFINITY; 2];
        let line = |axis: usize, place: i64| (place + i64::from(along[axis] > 0.0)) as f64 * side;
        for axis in 0..2 {
            if along[axis] != 0.0 {
                next[axis] = (line(axis, place[axis]) - from[axis]) / along[axis];
            }
        }
        let height = |time: f64| from[2] + along[2] * time;
        let mut time = 0.0_f64;
        loop {
            let axis = usize::from(next[1] < next[0]);
            let end = next[axis].min(1.0);
            // A cell of which only a corner is touched is passed by.
            if end > time {
                let Some(cell) = lattice.checked_cell(place[0], place[1]) else {
                    return Some(Landing { time, cell: None });
                };
                let top = self.top(cell);
                if height(time) < top {
                    return Some(Landing { time, cell: Some(cell) });
                }
                if height(end) < top {
                    let time = ((top - from[2]) / along[2]).clamp(time, end);
                    return Some(Landing { time, cell: Some(cell) });
                }
            }
            if next[axis] >= 1.0 {
                return None;
            }
            time = time.max(end);
            place[axis] += if along[axis] > 0.0 { 1 } else { -1 };
            next[axis] = (line(axis, place[axis]) - from[axis]) / along[axis];
        }
    }

    /// How high a cell is (m).
    fn top(&self, cell: Cell) -> f64 {
        let ground = self.grid.height_layer().map_or(0.0, |heights| f64::from(heights[cell]) * 0.01);
        if self.grid.is_open(cell) { ground } else { ground + f64::from(self.wall_height) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lattice, clearance::clearance};
    use proptest::prelude::*;

    fn hill() -> Grid {
        let mut grid = Grid::open_plain(Lattice::new(12, 10, 1.5).unwrap());
        for cell in grid.lattice().cells() {
            let (x, y) = grid.lattice().column_row(cell);
            grid.set_height(cell, ((x * 37 + y * 53) % 400) as u16);
            grid.set_open(cell, (x * 7 + y * 11) % 13 != 0);
        }
        grid
    }

    #[test]
    fn from_above_and_from_the_side_and_off_the_map() {
        let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
        let clearance = clearance(&grid);
        let height_field = HeightField { grid: &grid, clearance: &clearance, wall_height: 4.0 };
        let down = height_field.raycast(Vec3::new(1.0, 1.0, 1.0), Vec3::new(3.0, 1.0, -1.0)).unwrap();
        assert_eq!((down.time, down.cell), (0.5, Some(grid.lattice().cell(2, 1))));
        let out = height_field.raycast(Vec3::new(6.0, 1.0, 9.0), Vec3::new(10.0, 1.0, 9.0)).unwrap();
        assert_eq!(out, Landing { time: 0.5, cell: None });
        assert_eq!(height_field.raycast(Vec3::new(1.0, 1.0, 1.0), Vec3::new(3.0, 1.0, 0.0)), None, "it touches");
    }

    proptest! {
        /// Sampled finely, the way is never under the skyline before it comes down, and is there just after.
        #[test]
        fn as_sampled(a in prop::array::uniform3(0.0_f32..1.0), b in prop::array::uniform3(-0.1_f32..1.1), level: bool) {
            let mut grid = hill();
            if level {
                for cell in grid.lattice().cells() {
                    grid.set_height(cell, 0);
                }
            }
            let clearance = clearance(&grid);
            let height_field = HeightField { grid: &grid, clearance: &clearance, wall_height: 3.0 };
            let size = grid.lattice().size();
            let point = |[x, y, z]: [f32; 3]| Vec3::new(x * size.x, y * size.y, z * 8.0);
            let (from, to) = (point(a), point(b));
            let landing = height_field.raycast(from, to);
            let end = landing.map_or(1.0, |landing| landing.time);
            let under = |time: f64| {
                let at = from.as_dvec3() + (to.as_dvec3() - from.as_dvec3()) * time;
                let [x, y] = [at.x, at.y].map(|x| (x / 1.5).floor() as i64);
                grid.lattice().checked_cell(x, y).is_none_or(|cell| at.z < height_field.top(cell) - 1e-9)
            };
            for i in 0..if end > 0.0 { 400 } else { 0 } {
                prop_assert!(!under(end * 0.999_999 * f64::from(i) / 400.0));
            }
            if let Some(landing) = landing {
                let after = (1..200).map(|i| landing.time + f64::from(i) * 1e-7);
                prop_assert!(landing.time >= 1.0 - 1e-5 || after.into_iter().any(under));
            }
        }
    }
}
