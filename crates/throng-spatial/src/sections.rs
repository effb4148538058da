//! A few sections of the world.

use super::extent::{Extent, cell_side};
use super::raster::{Raster, Window};
use super::runs::{Columns, Runs};
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::Aabb;
use std::ops::{ControlFlow, Range};

/// The world cut into a few sections (4, 9, 16 or any number), a body listed in every section that it touches.
///
/// Two bodies may share several sections. Their pair counts in the one that holds the low corner of the space that
/// their boxes have in common, so it is tested once: in the section where each axis has at least one of the two for the
/// first time. Hence each section keeps those that begin in it apart from those that come in from the left, from above,
/// or both.
///
/// Costs O(n² / sections) for all pairs, a vector of tests at a time; `rebuild` is O(n). The simplest
/// index of all, and good for some thousands of bodies; the more sections, the more bodies are listed twice. Where many
/// are, as with bodies larger than sections, fewer sections are made. Bodies that gather in one section are as slow as with
/// no index. Where bounds are given, bodies outside are an error.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, Sections, SpatialIndex, Tuning};
/// let position = [[0.0, 0.0], [4.9, 5.2], [5.2, 4.9], [10.0, 10.0]];
/// let bodies = Bodies::new(&position, &[0.5; 4], &[0, 1, 2, 3]);
/// let mut index = Sections::new(&Tuning { sections: Some(4), ..Tuning::default() });
/// index.rebuild(bodies)?;
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(1, 2)], "though both are listed in all four");
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sections {
    wanted: Option<usize>,
    bounds: Option<Aabb<2>>,
    raster: Raster,
    spacing: f32,
    /// `start[4 s + e]..start[4 s + e + 1]` are the listings in section s of bodies that [entered](Sections::entry) by e.
    start: Vec<u32>,
    centre: Vec<[f32; 2]>,
    radius: Vec<f32>,
    row: Vec<u32>,
    /// Which bodies rest; empty where none does.
    mark: Vec<u8>,
}

impl Sections {
    /// How many sections there are where nothing is said.
    pub const DEFAULT_SECTIONS: usize = 16;

    /// An empty index with the sections and bounds of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        Self { wanted: tuning.sections, bounds: tuning.bounds, ..Self::default() }
    }

    /// Columns and rows of at most `sections` sections: as square as can be.
    fn split(sides: [f64; 2], sections: usize) -> [u32; 2] {
        let sections = sections.clamp(1, 1 << 20) as u32;
        if sides[0] <= 0.0 {
            return [1, sections];
        }
        let longer = |columns: u32| {
            let rows = sections / columns;
            // The longer side of a section, then the fewer left out.
            let longer = (sides[0] / f64::from(columns)).max(sides[1] / f64::from(rows));
            (longer, sections - columns * rows, columns)
        };
        let by_size = |a: &(f64, u32, u32), b: &(f64, u32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let columns = (1..=sections).map(longer).min_by(by_size).map_or(1, |(.., columns)| columns);
        [columns, sections / columns]
    }

    /// By which side a body came into a section: 0 began here, 1 from the left, 2 from above, 3 both.
    fn entry(window: &Window, column: u32, row: u32) -> u32 {
        u32::from(window.left < column) + 2 * u32::from(window.top < row)
    }

    fn window(&self, bodies: Bodies<2>, row: usize) -> Window {
        self.raster.meeting(&bodies.bounds(row), 0.0)
    }

    /// The listings in a section of those that entered by `from` up to `to`.
    fn listed(&self, section: usize, from: usize, to: usize) -> Range<usize> {
        self.start[4 * section + from] as usize..self.start[4 * section + to + 1] as usize
    }
}

impl SpatialIndex<2> for Sections {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.start.clear();
        self.row.clear();
        bodies.check_for(self.bounds.as_ref())?;
        let n = bodies.len();
        let mut extent = Extent::of(bodies);
        self.spacing = cell_side(extent.sides(), n.max(1) as f64).max(2.0 * f64::from(extent.widest)) as f32;
        extent.hull = self.bounds.unwrap_or(extent.hull);
        let mut sections = self.wanted.unwrap_or(Self::DEFAULT_SECTIONS).clamp(1, 4 * n + 64);
        // Fewer sections, until bodies are listed some three times at most on the average.
        let listings = loop {
            self.raster = Raster::split(&extent.hull, Self::split(extent.sides(), sections));
            self.start.clear();
            self.start.resize(4 * self.raster.cells() + 1, 0);
            let mut listings = 0;
            for row in 0..n {
                let window = self.window(bodies, row);
                let (columns, rows) = (window.right - window.left + 1, window.bottom - window.top + 1);
                listings += columns as usize * rows as usize;
                if listings > 3 * n + 64 {
                    break;
                }
                for (column, row) in window.cells() {
                    self.start[(4 * self.raster.number(column, row) + Self::entry(&window, column, row)) as usize] += 1;
                }
            }
            if listings <= 3 * n + 64 || sections == 1 {
                break listings;
            }
            sections = (sections / 2).max(1);
        };
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.centre.resize(listings, [0.0; 2]);
        self.radius.resize(listings, 0.0);
        self.row.resize(listings, 0);
        // From the end of each list backwards: keeps the order, and leaves the starts behind.
        for body in (0..n).rev() {
            let window = self.window(bodies, body);
            for (column, row) in window.cells() {
                let list = 4 * self.raster.number(column, row) + Self::entry(&window, column, row);
                let start = &mut self.start[list as usize];
                *start -= 1;
                let place = *start as usize;
                self.centre[place] = bodies.position[body];
                self.radius[place] = bodies.radius[body];
                self.row[place] = body as u32;
            }
        }
        self.mark.clear();
        if !bodies.resting.is_empty() {
            self.mark.extend(self.row.iter().map(|&row| u8::from(bodies.resting[row as usize])));
        }
        Ok(())
    }

    fn pairs(&self, _: Bodies<2>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        if self.row.is_empty() {
            return 0;
        }
        let Self { centre, radius, row, mark, .. } = self;
        let mut runs = Runs::new(Columns { centre, radius, mark, row, low: &[], high: &[] }, visit);
        for section in 0..self.start.len() / 4 {
            // Bodies that begin here, with all others; those from the left, with those from above.
            let (all, above) = (self.listed(section, 0, 3), self.listed(section, 2, 2));
            let begin = self.listed(section, 0, 0).map(|one| (one, one + 1..all.end));
            let left = self.listed(section, 1, 1).map(|one| (one, above.clone()));
            for (one, others) in begin.chain(left) {
                if runs.push(one, others.start, others.end).is_break() {
                    return runs.tests();
                }
            }
        }
        runs.finish()
    }

    fn touching(
        &self,
        _: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.row.is_empty() {
            return ControlFlow::Continue(());
        }
        let window = self.raster.meeting(region, 0.0);
        for (column, row) in window.cells() {
            let section = self.raster.number(column, row) as usize;
            // Once each, where body and region first meet.
            for (entry, first) in
                [true, column == window.left, row == window.top, column == window.left && row == window.top]
                    .into_iter()
                    .enumerate()
            {
                if first {
                    self.row[self.listed(section, entry, entry)].iter().try_for_each(|&row| visit(row))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.row.is_empty() {
            return ControlFlow::Continue(());
        }
        for (column, row) in self.raster.meeting(region, 0.0).cells() {
            let held = self.listed(self.raster.number(column, row) as usize, 0, 3).len();
            if held > 0 {
                visit(&self.raster.cell(column, row), held)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    fn bytes(&self) -> usize {
        (self.start.capacity() + self.row.capacity() + self.radius.capacity()) * size_of::<u32>()
            + self.centre.capacity() * size_of::<[f32; 2]>()
            + self.mark.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::suite;

    #[test]
    fn agrees_with_brute_force() {
        let mut numbers = [None, Some(4), Some(9), Some(16), Some(7), Some(1), Some(300), Some(0)].iter().cycle();
        suite::<2, _>("sections", || {
            Sections::new(&Tuning { sections: *numbers.next().unwrap(), ..Tuning::default() })
        });
    }

    #[test]
    fn sections_are_square() {
        assert_eq!(Sections::split([10.0, 10.0], 16), [4, 4]);
        assert_eq!(Sections::split([10.0, 10.0], 9), [3, 3]);
        assert_eq!(Sections::split([1e6, 2.0], 16), [16, 1]);
        assert_eq!(Sections::split([0.0, 2.0], 4), [1, 4]);
        assert_eq!(Sections::split([20.0, 10.0], 8), [4, 2]);
        assert_eq!(Sections::split([10.0, 10.0], 5), [2, 2]);
    }

    #[test]
    fn giants_make_fewer_sections() {
        let position: Vec<[f32; 2]> = (0..200_u16).map(|i| [f32::from(i % 20), f32::from(i / 20)]).collect();
        let id: Vec<u32> = (0..200).collect();
        let mut index = Sections::new(&Tuning { sections: Some(100), ..Tuning::default() });
        index.rebuild(Bodies::new(&position, &[0.1; 200], &id)).unwrap();
        assert_eq!(index.raster.cells(), 98);
        index.rebuild(Bodies::new(&position, &[30.0; 200], &id)).unwrap();
        assert!(index.row.len() <= 3 * 200 + 64);
    }
}
