//! Square cells that know their neighbours.

/// The plane of 2¹⁶ by 2¹⁶ units, cut into square cells, each a quarter of the square that it was cut from.
///
/// Each cell has four links, two from its first corner and two from its last one: from there all its neighbours on each
/// side are found by the links of these. After J. K. Ousterhout, "Corner stitching: a data-structuring technique for VLSI
/// layout tools", 1984.
#[derive(Clone, Debug)]
pub(super) struct CornerStitching {
    pub cell: Vec<Cell>,
    /// Numbers that are free.
    free: Vec<u32>,
}

/// A cell, from (x, y) to (x, y) + 2 to the power of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub x: u32,
    pub y: u32,
    pub level: u32,
    /// How many bodies it holds.
    pub count: u32,
    /// The cells to the left of the first corner (least x and y) and above it.
    pub left: u32,
    pub up: u32,
    /// The cells to the right of the last corner (greatest x and y) and below it.
    pub right: u32,
    pub down: u32,
}

/// A neighbour of a cell on one of its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    number: u32,
    side: u32,
    neighbour: u32,
}

/// A rectangle of units, its borders included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    pub left: u32,
    pub right: u32,
    pub top: u32,
    pub bottom: u32,
}

impl Units {
    /// The smallest one around both.
    pub fn join(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// No cell: beyond the border.
pub(super) const NO_CELL: u32 = u32::MAX;
/// The level of the one cell that is the whole plane.
pub(super) const ROOT_LEVEL: u32 = 16;
/// The level of numbers that are free.
const FREE_LEVEL: u32 = u32::MAX;

impl Cell {
    pub fn size(&self) -> u32 {
        1 << self.level
    }

    /// The greatest x and y.
    #[inline]
    pub fn last(&self) -> [u32; 2] {
        [self.x + (self.size() - 1), self.y + (self.size() - 1)]
    }

    #[inline]
    pub fn contains(&self, x: u32, y: u32) -> bool {
        x.wrapping_sub(self.x) >> self.level == 0 && y.wrapping_sub(self.y) >> self.level == 0
    }

    #[inline]
    pub fn meets(&self, units: &Units) -> bool {
        let [right, bottom] = self.last();
        self.x <= units.right && units.left <= right && self.y <= units.bottom && units.top <= bottom
    }

    pub fn is_free(&self) -> bool {
        self.level == FREE_LEVEL
    }
}

impl Default for CornerStitching {
    fn default() -> Self {
        let mut stitching = Self { cell: Vec::new(), free: Vec::new() };
        stitching.clear();
        stitching
    }
}

impl CornerStitching {
    /// One cell, number 0.
    pub fn clear(&mut self) {
        let around = NO_CELL;
        self.cell.clear();
        self.free.clear();
        let (left, up, right, down) = (around, around, around, around);
        self.cell.push(Cell { x: 0, y: 0, level: ROOT_LEVEL, count: 0, left, up, right, down });
    }

    #[inline]
    pub fn at(&self, number: u32) -> &Cell {
        &self.cell[number as usize]
    }

    fn at_mut(&mut self, number: u32) -> &mut Cell {
        &mut self.cell[number as usize]
    }

    /// The cell that holds a unit, going from cell to cell: O(cells between).
    #[inline]
    pub fn find(&self, from: u32, x: u32, y: u32) -> u32 {
        let mut number = from;
        loop {
            let cell = self.at(number);
            let [right, bottom] = cell.last();
            number = if y < cell.y {
                cell.up
            } else if y > bottom {
                cell.down
            } else if x < cell.x {
                cell.left
            } else if x > right {
                cell.right
            } else {
                return number;
            };
        }
    }

    /// Calls `visit` with the neighbours on each side of a cell, and with the number of the side: 0 left, 1 above, 2 right,
    /// 3 below.
    pub fn neighbours(&self, number: u32, mut visit: impl FnMut(u32, u32)) {
        let cell = *self.at(number);
        let [right, bottom] = cell.last();
        let mut at = cell.left;
        while at != NO_CELL && self.at(at).y <= bottom {
            visit(0, at);
            at = self.at(at).down;
        }
        at = cell.up;
        while at != NO_CELL && self.at(at).x <= right {
            visit(1, at);
            at = self.at(at).right;
        }
        at = cell.right;
        while at != NO_CELL && self.at(at).last()[1] >= cell.y {
            visit(2, at);
            at = self.at(at).up;
        }
        at = cell.down;
        while at != NO_CELL && self.at(at).last()[0] >= cell.x {
            visit(3, at);
            at = self.at(at).left;
        }
    }

    /// Writes down the neighbours of a cell.
    fn gather(&self, number: u32, room: &mut Vec<Border>) {
        self.neighbours(number, |side, neighbour| room.push(Border { number, side, neighbour }));
    }

    /// Redirects neighbours that point at the cells they were written down for: they point at the cells that `new`
    /// tells for a side and a coordinate along it.
    fn point_anew(&mut self, room: &[Border], new: impl Fn(u32, u32) -> u32) {
        for &Border { number, side, neighbour } in room {
            let cell = self.at_mut(neighbour);
            let [right, bottom] = cell.last();
            let (link, along) = match side {
                0 => (&mut cell.right, bottom),
                1 => (&mut cell.down, right),
                2 => (&mut cell.left, cell.y),
                _ => (&mut cell.up, cell.x),
            };
            if *link == number {
                *link = new(side, along);
            }
        }
    }

    /// Cuts a cell of a level above 0 into four, and returns their numbers: first the upper two. The first one keeps the
    /// number. They hold no body yet.
    pub fn split(&mut self, number: u32, room: &mut Vec<Border>) -> [u32; 4] {
        let whole = *self.at(number);
        let half = whole.size() / 2;
        let (x, y) = (whole.x + half, whole.y + half);
        let empty = Cell { level: whole.level - 1, count: 0, ..whole };
        let mut take = || {
            self.free.pop().unwrap_or_else(|| {
                self.cell.push(empty);
                self.cell.len() as u32 - 1
            })
        };
        let quarters = [number, take(), take(), take()];
        let [a, b, c, d] = quarters;
        // The cells beside the middle of each side, before anything changes.
        let beside = |from: u32, x: u32, y: u32| if from == NO_CELL { NO_CELL } else { self.find(from, x, y) };
        let above = beside(whole.up, x, whole.y.wrapping_sub(1));
        let beyond = beside(whole.right, whole.x + whole.size(), y - 1);
        let before = beside(whole.left, whole.x.wrapping_sub(1), y);
        let below = beside(whole.down, x - 1, whole.y + whole.size());
        room.clear();
        self.gather(number, room);
        self.point_anew(room, |side, along| match side {
            0 => [a, c][usize::from(along >= y)],
            1 => [a, b][usize::from(along >= x)],
            2 => [b, d][usize::from(along >= y)],
            _ => [c, d][usize::from(along >= x)],
        });
        *self.at_mut(a) = Cell { right: b, down: c, ..empty };
        *self.at_mut(b) = Cell { x, left: a, up: above, right: beyond, down: d, ..empty };
        *self.at_mut(c) = Cell { y, left: before, up: a, right: d, down: below, ..empty };
        *self.at_mut(d) = Cell { x, y, left: c, up: b, ..empty };
        quarters
    }

    /// The other three quarters that a cell was cut with, where it is the first of four whole ones.
    pub fn quarters(&self, number: u32) -> Option<[u32; 4]> {
        let cell = self.at(number);
        let size = cell.size();
        if cell.level == ROOT_LEVEL || (cell.x | cell.y) & size != 0 {
            return None;
        }
        let b = self.find(cell.right, cell.x + size, cell.y);
        let c = self.find(cell.down, cell.x, cell.y + size);
        let d = self.find(self.at(b).down, cell.x + size, cell.y + size);
        [b, c, d].iter().all(|&other| self.at(other).level == cell.level).then_some([number, b, c, d])
    }

    /// Makes one cell of four quarters; it has the number of the first.
    pub fn merge(&mut self, quarters: [u32; 4], room: &mut Vec<Border>) {
        let [a, b, c, d] = quarters;
        let count = quarters.iter().map(|&quarter| self.at(quarter).count).sum();
        let (first, last) = (*self.at(a), *self.at(d));
        room.clear();
        for quarter in [b, c, d] {
            self.gather(quarter, room);
        }
        // Those among the four, too: they are lost anyway.
        self.point_anew(room, |_, _| a);
        for quarter in [b, c, d] {
            self.at_mut(quarter).level = FREE_LEVEL;
            self.at_mut(quarter).count = 0;
            self.free.push(quarter);
        }
        *self.at_mut(a) = Cell { level: first.level + 1, count, right: last.right, down: last.down, ..first };
    }

    /// Calls `visit` once with each cell that meets a rectangle, going from neighbour to neighbour from any cell: O(cells
    /// visited) without a stack. `visit` returns whether to go on.
    ///
    /// Each cell is entered from the one to the left of its first corner inside the rectangle, those at the left border
    /// from above: this makes a tree of them.
    #[inline]
    pub fn meeting(&self, from: u32, units: &Units, mut visit: impl FnMut(u32) -> bool) {
        if units.left > units.right || units.top > units.bottom {
            return;
        }
        let mut row = self.find(from, units.left, units.top);
        loop {
            let mut number = row;
            if !visit(number) {
                return;
            }
            'row: loop {
                if let Some(child) = self.first_child(number, units) {
                    number = child;
                } else {
                    loop {
                        if number == row {
                            break 'row;
                        }
                        let cell = self.at(number);
                        let parent = self.parent(cell, units);
                        if let Some(next) = self.next_child(cell, self.at(parent), units) {
                            number = next;
                            break;
                        }
                        number = parent;
                    }
                }
                if !visit(number) {
                    return;
                }
            }
            let [_, bottom] = self.at(row).last();
            if bottom >= units.bottom {
                return;
            }
            row = self.find(self.at(row).down, units.left, bottom + 1);
        }
    }

    /// The lowest cell that is entered from this one.
    #[inline]
    fn first_child(&self, number: u32, units: &Units) -> Option<u32> {
        let cell = self.at(number);
        if cell.last()[0] >= units.right {
            return None;
        }
        let mut child = cell.right;
        while self.at(child).y > units.bottom {
            child = self.at(child).up;
        }
        (self.at(child).y.max(units.top) >= cell.y).then_some(child)
    }

    /// The next higher cell that is entered from `parent`, too.
    #[inline]
    fn next_child(&self, cell: &Cell, parent: &Cell, units: &Units) -> Option<u32> {
        if cell.y <= parent.y.max(units.top) {
            return None;
        }
        let next = cell.up;
        (self.at(next).y.max(units.top) >= parent.y).then_some(next)
    }

    /// The cell from which a cell is entered.
    #[inline]
    fn parent(&self, cell: &Cell, units: &Units) -> u32 {
        let mut parent = cell.left;
        while self.at(parent).last()[1] < units.top {
            parent = self.at(parent).down;
        }
        parent
    }

    pub fn bytes(&self) -> usize {
        self.cell.capacity() * size_of::<Cell>() + self.free.capacity() * size_of::<u32>()
    }

    /// Every unit is in one cell, and every link leads to the cell beside its corner.
    #[cfg(test)]
    pub fn check(&self) {
        let mut area = 0_u64;
        for (number, cell) in self.cell.iter().enumerate().filter(|(_, cell)| !cell.is_free()) {
            area += u64::from(cell.size()).pow(2);
            assert_eq!((cell.x | cell.y) & (cell.size() - 1), 0);
            let [right, bottom] = cell.last();
            let end = (1 << ROOT_LEVEL) - 1;
            let expected = |inside: bool, x: u32, y: u32, found: u32| {
                if inside {
                    assert!(
                        self.at(found).contains(x, y) && !self.at(found).is_free(),
                        "{cell:?} {:?}",
                        self.at(found)
                    );
                } else {
                    assert_eq!(found, NO_CELL);
                }
            };
            expected(cell.x > 0, cell.x.wrapping_sub(1), cell.y, cell.left);
            expected(cell.y > 0, cell.x, cell.y.wrapping_sub(1), cell.up);
            expected(right < end, right + 1, bottom, cell.right);
            expected(bottom < end, right, bottom + 1, cell.down);
            // Neighbours know each other.
            self.neighbours(number as u32, |side, neighbour| {
                let mut known = false;
                self.neighbours(neighbour, |back, other| known |= back == (side + 2) % 4 && other == number as u32);
                assert!(known, "{cell:?} {:?}", self.at(neighbour));
            });
        }
        assert_eq!(area, 1 << (2 * ROOT_LEVEL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn links_survive_splits_and_merges() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(3);
        let (mut stitching, mut room) = (CornerStitching::default(), Vec::new());
        for turn in 0..3000 {
            let number = random.random_range(0..stitching.cell.len() as u32);
            let cell = *stitching.at(number);
            if cell.is_free() {
                continue;
            }
            // Grows for a while, then shrinks.
            if turn % 1000 < 600 {
                if cell.level > 8 || cell.level > 0 && random.random_ratio(1, 3) {
                    stitching.split(number, &mut room);
                }
            } else if let Some(quarters) = stitching.quarters(number) {
                stitching.merge(quarters, &mut room);
            }
            if turn % 50 == 0 {
                stitching.check();
            }
            let mut unit = || random.random_range(0..1_u32 << ROOT_LEVEL);
            let (a, b, c, d) = (unit(), unit(), unit(), unit());
            let units = Units { left: a.min(b), right: a.max(b), top: c.min(d), bottom: c.max(d) };
            let mut found = Vec::new();
            stitching.meeting(0, &units, |number| {
                found.push(number);
                true
            });
            found.sort_unstable();
            let expected: Vec<u32> = (0..stitching.cell.len() as u32)
                .filter(|&number| !stitching.at(number).is_free() && stitching.at(number).meets(&units))
                .collect();
            assert_eq!(found, expected);
        }
        stitching.check();
    }
}
