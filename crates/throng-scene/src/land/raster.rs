//! A rectangle of values without padding, and windows of it.

use throng_grid::Lattice;

/// A rectangle of cells: its first column and row, and those behind its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

impl Window {
    /// One cell.
    pub fn of(x: usize, y: usize) -> Self {
        Self { left: x, top: y, right: x + 1, bottom: y + 1 }
    }

    /// Takes another window in.
    pub fn join(&mut self, other: Self) {
        self.left = self.left.min(other.left);
        self.top = self.top.min(other.top);
        self.right = self.right.max(other.right);
        self.bottom = self.bottom.max(other.bottom);
    }

    /// So many cells more on each side, as far as the map reaches.
    pub fn grown(self, by: usize, width: usize, height: usize) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: (self.right + by).min(width),
            bottom: (self.bottom + by).min(height),
        }
    }

    pub fn width(self) -> usize {
        self.right - self.left
    }

    pub fn height(self) -> usize {
        self.bottom - self.top
    }
}

/// One value a cell, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Raster<T> {
    pub width: usize,
    pub height: usize,
    pub cells: Vec<T>,
}

impl<T: Copy> Raster<T> {
    /// The same value everywhere.
    pub fn new(width: usize, height: usize, value: T) -> Self {
        Self { width, height, cells: vec![value; width * height] }
    }

    /// The value of each place by its column and row.
    pub fn from_fn(width: usize, height: usize, mut value: impl FnMut(usize, usize) -> T) -> Self {
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                cells.push(value(x, y));
            }
        }
        Self { width, height, cells }
    }

    /// A value on the map.
    #[inline]
    pub fn at(&self, x: usize, y: usize) -> T {
        self.cells[y * self.width + x]
    }

    /// Changes a value on the map.
    #[inline]
    pub fn set(&mut self, x: usize, y: usize, value: T) {
        self.cells[y * self.width + x] = value;
    }

    /// A value, or this one off the map.
    #[inline]
    pub fn or(&self, x: i32, y: i32, outside: T) -> T {
        if x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height {
            self.cells[y as usize * self.width + x as usize]
        } else {
            outside
        }
    }

    /// A part of it, each value through `f`.
    pub fn cut<U: Copy>(&self, window: Window, mut f: impl FnMut(T) -> U) -> Raster<U> {
        let mut cells = Vec::with_capacity(window.width() * window.height());
        for y in window.top..window.bottom {
            let row = &self.cells[y * self.width..(y + 1) * self.width];
            cells.extend(row[window.left..window.right].iter().map(|&value| f(value)));
        }
        Raster { width: window.width(), height: window.height(), cells }
    }

    /// Each value through `f`.
    pub fn map<U: Copy>(&self, f: impl FnMut(T) -> U) -> Raster<U> {
        Raster { width: self.width, height: self.height, cells: self.cells.iter().copied().map(f).collect() }
    }

    /// Two rasters of one size, value by value.
    pub fn with<U: Copy, V: Copy>(&self, other: &Raster<U>, mut f: impl FnMut(T, U) -> V) -> Raster<V> {
        let cells = self.cells.iter().zip(&other.cells).map(|(&a, &b)| f(a, b)).collect();
        Raster { width: self.width, height: self.height, cells }
    }

    /// The values as a layer of the map, with this one in the padding.
    pub fn layer(&self, lattice: Lattice, padding: T) -> throng_grid::Layer<T> {
        let mut layer = throng_grid::Layer::new(lattice, padding);
        for y in 0..self.height {
            let start = lattice.cell(0, y as u32).index();
            layer.cells[start..start + self.width].copy_from_slice(&self.cells[y * self.width..(y + 1) * self.width]);
        }
        layer
    }
}

impl Raster<bool> {
    /// How many are set.
    pub fn count(&self) -> usize {
        self.cells.iter().filter(|&&set| set).count()
    }

    /// The smallest window that holds all that are set.
    pub fn bounds(&self) -> Option<Window> {
        let mut all: Option<Window> = None;
        for y in 0..self.height {
            let row = &self.cells[y * self.width..(y + 1) * self.width];
            let Some(left) = row.iter().position(|&set| set) else { continue };
            let right = row.iter().rposition(|&set| set).unwrap_or(left) + 1;
            let span = Window { left, top: y, right, bottom: y + 1 };
            all.get_or_insert(span).join(span);
        }
        all
    }
}
