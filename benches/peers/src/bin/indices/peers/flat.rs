//! flat_spatial: a grid in a hash map with a vector of bodies a cell.

use super::boxes;
use crate::clock;
use crate::side::{Found, Frames, overlap};
use flat_spatial::aabbgrid::AABBGridHandle;
use flat_spatial::grid::GridHandle;
use flat_spatial::{AABB, AABBGrid, Grid};
use std::error::Error;
use throng::spatial::Bodies;

/// A box.
#[derive(Clone, Copy)]
struct Area {
    low: [f32; 2],
    high: [f32; 2],
}

impl AABB for Area {
    type V2 = [f32; 2];

    fn ll(&self) -> [f32; 2] {
        self.low
    }

    fn ur(&self) -> [f32; 2] {
        self.high
    }
}

/// The grid of boxes: boxes are moved in place; a visitor is asked for each body.
pub struct Flat {
    grid: AABBGrid<u32, Area>,
    handles: Vec<AABBGridHandle>,
}

impl Flat {
    pub fn new(cell: i32) -> Self {
        Self { grid: AABBGrid::new(cell), handles: Vec::new() }
    }
}

fn area(bodies: &Bodies<2>, row: usize) -> Area {
    let (low, high) = boxes::of(bodies, row);
    Area { low, high }
}

impl Frames for Flat {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        if self.handles.is_empty() {
            self.handles = (0..bodies.len()).map(|row| self.grid.insert(area(&bodies, row), row as u32)).collect();
        } else {
            for (row, &handle) in self.handles.iter().enumerate() {
                self.grid.set_aabb(handle, area(&bodies, row));
            }
        }
        let ready = clock::now();
        for row in 0..bodies.len() as u32 {
            self.grid.query_visitor(area(&bodies, row as usize), |_, _, &other| {
                if other > row && overlap(&bodies, row, other) {
                    found.push([row, other]);
                }
            });
        }
        Ok(ready)
    }
}

/// The grid of points, asked for all within the reach of the widest body.
pub struct FlatPoints {
    grid: Grid<u32, [f32; 2]>,
    handles: Vec<GridHandle>,
}

impl FlatPoints {
    pub fn new(cell: i32) -> Self {
        Self { grid: Grid::new(cell), handles: Vec::new() }
    }
}

impl Frames for FlatPoints {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        if self.handles.is_empty() {
            self.handles = (0..bodies.len()).map(|row| self.grid.insert(bodies.position[row], row as u32)).collect();
        } else {
            for (&handle, &position) in self.handles.iter().zip(bodies.position) {
                self.grid.set_position(handle, position);
            }
            self.grid.maintain();
        }
        let widest = bodies.radius.iter().copied().fold(0.0, f32::max);
        let ready = clock::now();
        for row in 0..bodies.len() as u32 {
            let [x, y] = bodies.position[row as usize];
            let reach = (bodies.radius[row as usize] + widest) * 1.000_001;
            self.grid.query_aabb_visitor([x - reach, y - reach], [x + reach, y + reach], |(handle, _)| {
                if let Some((_, &other)) = self.grid.get(handle)
                    && other > row
                    && overlap(&bodies, row, other)
                {
                    found.push([row, other]);
                }
            });
        }
        Ok(ready)
    }
}
