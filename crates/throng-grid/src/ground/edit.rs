//! Grounds of a map that was edited, made of those of the map before.

use super::regions::{Passable, Regions, is_wide, regions};
use super::{Ground, GroundError, check_classes, check_links, next_id, weights};
use crate::slope::Slopes;
use crate::{Cell, Corners, Direction, Grid, Lattice, Link, Links, Mobility, Steps};
use std::sync::Arc;

impl Ground {
    /// The same unit's ground after an edit of the map: equal to one that is made anew, in less time.
    ///
    /// `dirty` are the cells that are different on `grid`, in any order. A crowd stays where it was counted.
    ///
    /// The legal steps are copied, and those around the cells made anew. Regions stay as they are where the neighbours of
    /// each cell that is opened or closed are joined beside it; else they are labelled anew, as they are where a cell that
    /// is the first of its region is closed, or one before it opened. Where a route might not fit a node, the longest are
    /// measured anew, O(cells).
    ///
    /// # Errors
    /// As [`Ground::build`]. A link that ends in a wall now is closed until an edit opens it.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_grid::{Edit, Grid, Ground, Lattice};
    /// let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let ground = Ground::new(Arc::new(grid.clone()), 0.4)?;
    /// let mut dirty = Vec::new();
    /// grid.edit(&[Edit::Close(grid.lattice().cell(30, 12))], &mut dirty);
    /// let grid = Arc::new(grid);
    /// assert_eq!(ground.edited(grid.clone(), &dirty)?, Ground::new(grid, 0.4)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edited(&self, grid: Arc<Grid>, dirty: &[Cell]) -> Result<Self, GroundError> {
        let (lattice, mobility) = (self.lattice(), &self.mobility);
        let widest = self.sizes.last().map_or(mobility.radius, |&(radius, _)| radius);
        let side = 2 * reach(lattice, widest) as usize + 1;
        if grid.lattice() != lattice || dirty.len().saturating_mul(side * side) > lattice.len() / 8 {
            let ground = Self::build(grid, mobility.clone())?;
            let same = ground.lattice() == lattice;
            return Ok(match &self.crowding {
                Some(crowding) if same => ground.crowded(Arc::clone(crowding)),
                _ => ground,
            });
        }
        let mut dirty: Vec<Cell> = dirty.iter().copied().filter(|&cell| lattice.contains(cell)).collect();
        dirty.sort_unstable();
        let weights = weights(mobility.terrain.as_ref())?;
        check_classes(&grid, mobility.terrain.as_ref(), dirty.iter().copied())?;
        let edited = |old: &Arc<Regions>, radius: f32| {
            let stands = |cell: Cell| {
                grid.is_open(cell)
                    && (!is_wide(lattice, radius) || grid.clearance()[cell] >= radius)
                    && weights.as_ref().is_none_or(|weights| weights[usize::from(grid.terrain(cell))] != 0)
            };
            let mut near = around(lattice, &dirty, reach(lattice, radius));
            near.retain(|&cell| stands(cell) != (old.labels[cell] != 0));
            let new = if near.is_empty() {
                Arc::clone(old)
            } else {
                let fresh = || regions(&Passable::new(&grid, radius, weights.as_deref()), mobility.steps);
                Arc::new(patched(old, &near, mobility.steps).unwrap_or_else(fresh))
            };
            (new, near)
        };
        let (regions, changed) = edited(&self.regions, mobility.radius);
        let sizes = self.sizes.iter().map(|(radius, old)| (*radius, edited(old, *radius).0)).collect();

        let mut moves = self.moves.as_ref().clone();
        let offsets = lattice.offsets();
        for cell in around(lattice, &changed, 1) {
            moves[cell] =
                if regions.labels[cell] == 0 { 0 } else { mobility.steps.mask(free(&regions, cell, offsets)) };
        }
        let mut classes = self.classes.clone();
        if let Some(classes) = &mut classes {
            dirty.extend(&changed);
            dirty.sort_unstable();
            dirty.dedup();
            for &cell in &dirty {
                classes[usize::from(self.grid.terrain(cell))] -= u32::from(self.regions.labels[cell] != 0);
                classes[usize::from(grid.terrain(cell))] += u32::from(regions.labels[cell] != 0);
            }
        }
        let opened = changed.iter().filter(|&&cell| regions.labels[cell] != 0).count();
        let closed_before = if changed.is_empty() { Arc::clone(&self.closed_before) } else { Arc::default() };
        let raised = dirty.iter().any(|&cell| grid.height(cell) != self.grid.height(cell));
        let slopes = if raised { Slopes::new(&grid).map(Arc::new) } else { self.slopes.clone() };
        let ground = Self {
            passable: self.passable + opened as u64 - (changed.len() - opened) as u64,
            moves: Arc::new(moves),
            sizes,
            classes,
            weights,
            least: 1,
            slopes,
            crowding: self.crowding.clone(),
            toll: self.toll,
            is_uniform: false,
            links: Links::new(&regions.labels, &mobility.links),
            regions,
            closed_before,
            id: next_id(),
            mobility: mobility.clone(),
            grid,
        };
        ground.finish()
    }

    /// This ground with other links: doors that were opened or closed. Equal to one that is made anew; nothing else is
    /// made again.
    ///
    /// # Errors
    /// Where there are too many links, one starts or ends off the map, or with their costs a route might not fit a node.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_grid::{Grid, Ground, Lattice, Link, Mobility};
    /// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
    /// (0..9).for_each(|y| grid.set_open(grid.lattice().cell(4, y), false));
    /// let door = Link::new(grid.lattice().cell(3, 4), grid.lattice().cell(5, 4), 2 * 2378);
    /// let mobility = Mobility { links: vec![door, door.back()], ..Mobility::new(0.4) };
    /// let ground = Ground::build(Arc::new(grid), mobility)?;
    ///
    /// let shut = Link { is_open: false, ..door };
    /// let ground = ground.relinked(vec![shut, shut.back()])?;
    /// assert!(ground.links().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn relinked(&self, links: Vec<Link>) -> Result<Self, GroundError> {
        check_links(self.lattice(), &links)?;
        let ground = Self {
            links: Links::new(&self.regions.labels, &links),
            moves: Arc::clone(&self.moves),
            regions: Arc::clone(&self.regions),
            sizes: self.sizes.clone(),
            classes: self.classes.clone(),
            weights: weights(self.mobility.terrain.as_ref())?,
            slopes: self.slopes.clone(),
            crowding: self.crowding.clone(),
            closed_before: Arc::clone(&self.closed_before),
            id: next_id(),
            mobility: Mobility { links, ..self.mobility.clone() },
            grid: Arc::clone(&self.grid),
            ..*self
        };
        ground.finish()
    }
}

/// So many columns and rows away a wall may make a cell too narrow.
fn reach(lattice: Lattice, radius: f32) -> u32 {
    // A body is never wider than the map where it stands.
    let most = lattice.width.max(lattice.height);
    if is_wide(lattice, radius) { ((radius / lattice.cell_size + 0.5) as u32 + 1).min(most) } else { 0 }
}

/// The cells up to so many columns and rows from `cells`, in order.
fn around(lattice: Lattice, cells: &[Cell], reach: u32) -> Vec<Cell> {
    let mut near = Vec::new();
    for &cell in cells {
        let (x, y) = lattice.column_row(cell);
        let columns = x.saturating_sub(reach)..=(x + reach).min(lattice.width - 1);
        for y in y.saturating_sub(reach)..=(y + reach).min(lattice.height - 1) {
            near.extend(columns.clone().map(|x| lattice.cell(x, y)));
        }
    }
    near.sort_unstable();
    near.dedup();
    near
}

/// The passable ones of a cell's neighbours, in the order of [`Direction`].
fn free(regions: &Regions, cell: Cell, offsets: [i32; 8]) -> u8 {
    let bit = |d: usize| u8::from(regions.labels[Cell(cell.0.wrapping_add_signed(offsets[d]))] != 0) << d;
    (0..8).fold(0, |free, d| free | bit(d))
}

/// The regions after each of the `changed` cells has become passable or ceased to be, one after the other; `None` where
/// one of these steps may join or part regions, or change their order.
fn patched(old: &Regions, changed: &[Cell], steps: Steps) -> Option<Regions> {
    let offsets = old.labels.lattice.offsets();
    // As in `regions`: elsewhere straight steps lead round every corner that a diagonal one cuts.
    let slant = steps == Steps::Eight(Corners::Always);
    // Most edits are of one cell: whether that parts a region is known before all is copied.
    let first = |regions: &Regions, cell: Cell| label_after(regions, cell, offsets, slant);
    first(old, *changed.first()?)?;
    let mut regions = Regions { labels: old.labels.clone(), firsts: old.firsts.clone() };
    for &cell in changed {
        regions.labels[cell] = first(&regions, cell)?;
    }
    Some(regions)
}

/// The label of a cell that becomes passable or ceases to be.
fn label_after(regions: &Regions, cell: Cell, offsets: [i32; 8], slant: bool) -> Option<u32> {
    let label = regions.labels[cell];
    let first = |label: u32| regions.firsts[label as usize - 1];
    if label != 0 {
        return (first(label) != cell && pieces(free(regions, cell, offsets), slant) == 1).then_some(0);
    }
    let steps = if slant { &offsets[..] } else { &offsets[..4] };
    let mut labels = steps.iter().map(|&offset| regions.labels[Cell(cell.0.wrapping_add_signed(offset))]);
    let label = labels.find(|&label| label != 0)?;
    (first(label) < cell && labels.all(|other| other == 0 || other == label)).then_some(label)
}

/// How many pieces the free neighbours of a cell are in that it can be left to by a step, where they are joined by steps
/// among them alone; diagonal steps count where they are a way on their own.
fn pieces(free: u8, slant: bool) -> u32 {
    let is_free = |direction: usize| free >> (direction % 8) & 1 == 1;
    let mut pieces = 0;
    let mut joined = 0;
    for d in 0..4 {
        // The corner between the straight directions d and d + 1.
        let (next, corner) = ((d + 1) % 4, 4 + d);
        pieces += u32::from(is_free(d));
        joined += u32::from(is_free(d) && is_free(next) && (slant || is_free(corner)));
        pieces += u32::from(slant && is_free(corner) && !is_free(d) && !is_free(next));
    }
    // All four in a ring: the last joint joins parts that are joined already.
    if joined == 4 { 1 } else { pieces - joined }
}

const _: () = assert!(Direction::NorthEast as u8 == 4 && Direction::NorthWest as u8 == 7);

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a fill over the eight cells of the ring.
    #[test]
    fn pieces_are_those_of_a_fill_around_the_cell() {
        let around = Direction::ALL.map(Direction::step);
        for (free, slant) in (0..=u8::MAX).flat_map(|free| [(free, false), (free, true)]) {
            let is_free = |at: (i32, i32)| (0..8).any(|d| around[d] == at && free >> d & 1 == 1);
            let steps = if slant { &around[..] } else { &around[..4] };
            let mut seen = Vec::new();
            let mut expected = 0;
            for &start in steps.iter().filter(|&&step| is_free(step)) {
                let mut open = vec![start];
                expected += u32::from(!seen.contains(&start));
                while let Some((x, y)) = open.pop() {
                    if !seen.contains(&(x, y)) {
                        seen.push((x, y));
                        open.extend(steps.iter().map(|(dx, dy)| (x + dx, y + dy)).filter(|&at| is_free(at)));
                    }
                }
            }
            assert_eq!(pieces(free, slant), expected, "{free:08b}, {slant}");
        }
    }

    #[test]
    fn regions_are_patched_where_no_region_is_joined_or_parted() {
        let steps = Steps::default();
        let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap());
        let at = |x, y| Lattice::new(9, 9, 1.0).unwrap().cell(x, y);
        (0..9).filter(|&y| y != 4).for_each(|y| grid.set_open(at(4, y), false));
        let regions = |grid: &Grid| regions(&Passable::new(grid, 0.4, None), steps);
        let patched = |grid: &Grid, cell: Cell| {
            let mut edited = grid.clone();
            edited.set_open(cell, !grid.is_open(cell));
            let patched = super::patched(&regions(grid), &[cell], steps);
            patched.map(|patched| patched == regions(&edited))
        };
        assert_eq!(patched(&grid, at(7, 7)), Some(true), "a wall on a plain");
        assert_eq!(patched(&grid, at(4, 0)), Some(true), "a gap between what hangs together");
        assert_eq!(patched(&grid, at(4, 4)), None, "the only gap");
        assert_eq!(patched(&grid, at(0, 0)), None, "the first cell of a region");
    }
}
