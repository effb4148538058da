//! Edges beside the grid's own: doors, jumps, drops, one-way steps, teleporters.

use super::{Cell, Cost, Layer};

/// A way from one cell to another that is no step of the grid: a jump, a drop, a door in a wall, a teleporter. It goes one
/// way; a pair of links goes both.
///
/// ```
/// use throng_grid::{Cell, Link};
/// let door = Link { is_open: false, ..Link::new(Cell(20), Cell(22), 2 * 2378) };
/// assert_eq!(door.back().to, Cell(20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// Where it starts.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// Its cost, in the units of a path: a straight step over plain ground is [`STRAIGHT`](super::STRAIGHT).
    pub cost: u32,
    /// False while it cannot be used, as a closed door.
    pub is_open: bool,
}

impl Link {
    /// An open link.
    pub fn new(from: Cell, to: Cell, cost: u32) -> Self {
        Self { from, to, cost, is_open: true }
    }

    /// The way back.
    #[must_use]
    pub fn back(self) -> Self {
        Self { from: self.to, to: self.from, ..self }
    }
}

/// The open links of a ground, by the cell they start from.
///
/// ```
/// use throng_grid::{Cell, Grid, Ground, Lattice, Link, Mobility};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let (from, to) = (grid.lattice().cell(1, 1), grid.lattice().cell(6, 1));
/// let closed = Link { is_open: false, ..Link::new(to, from, 900) };
/// let mobility = Mobility { links: vec![Link::new(from, to, 900), closed], ..Mobility::new(0.4) };
/// let ground = Ground::build(grid.into(), mobility)?;
/// assert_eq!(ground.links().all(), [Link::new(from, to, 900)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// By start, end and cost.
    open: Vec<Link>,
    /// The same by end: places in `open`.
    by_end: Vec<u32>,
    /// One bit a cell in which a link starts, one in which a link ends; empty without links.
    starts: Vec<u64>,
    ends: Vec<u64>,
}

impl Links {
    /// The most links that a ground may have.
    pub const MAX: usize = (1 << 15) - 32;

    /// Those of `links` that are open, and whose ends are in `regions`: not in a wall, nor too narrow.
    pub(super) fn new(regions: &Layer<u32>, links: &[Link]) -> Self {
        let lattice = regions.lattice;
        let joins = |link: &Link| link.is_open && regions[link.from] != 0 && regions[link.to] != 0;
        let mut open: Vec<Link> = links.iter().copied().filter(joins).collect();
        open.sort_unstable();
        open.dedup();
        let mut by_end: Vec<u32> = (0..open.len() as u32).collect();
        by_end.sort_by_key(|&i| open[i as usize].to);
        let words = if open.is_empty() { 0 } else { lattice.len().div_ceil(64) };
        let (mut starts, mut ends) = (vec![0; words], vec![0; words]);
        for link in &open {
            starts[link.from.index() / 64] |= 1_u64 << (link.from.index() % 64);
            ends[link.to.index() / 64] |= 1_u64 << (link.to.index() % 64);
        }
        Self { open, by_end, starts, ends }
    }

    /// True without links.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// How many links are open.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// All of them, by start, end and cost.
    pub fn all(&self) -> &[Link] {
        &self.open
    }

    /// The links that start in a cell, each with its place in [`Links::all`].
    #[inline]
    pub fn from(&self, cell: Cell) -> impl Iterator<Item = (usize, Link)> {
        let first =
            if has(&self.starts, cell) { self.open.partition_point(|link| link.from < cell) } else { self.open.len() };
        (first..).zip(&self.open[first..]).map_while(move |(i, &link)| (link.from == cell).then_some((i, link)))
    }

    /// The links that end in a cell, each with its place in [`Links::all`].
    #[inline]
    pub fn to(&self, cell: Cell) -> impl Iterator<Item = (usize, Link)> {
        let first = if has(&self.ends, cell) {
            self.by_end.partition_point(|&i| self.open[i as usize].to < cell)
        } else {
            self.by_end.len()
        };
        let open = &self.open;
        self.by_end[first..]
            .iter()
            .map(|&i| (i as usize, open[i as usize]))
            .take_while(move |(_, link)| link.to == cell)
    }

    /// Cost of all links together.
    pub(super) fn cost(&self) -> Cost {
        self.open.iter().map(|link| Cost::from(link.cost)).sum()
    }

    /// Writes the regions that can be reached from a region over any number of links, itself among them, in order.
    pub fn reachable(&self, regions: &Layer<u32>, from: u32, reached: &mut Vec<u32>) {
        reached.clear();
        reached.push(from);
        // As often as links have to be walked one after the other: seldom more than twice.
        loop {
            let before = reached.len();
            for link in &self.open {
                let (a, b) = (regions[link.from], regions[link.to]);
                // Where the end is closed to a wide unit, or the link only leads around in a region, nothing is new.
                if a != b && b != 0 && reached.contains(&a) && !reached.contains(&b) {
                    reached.push(b);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        reached.sort_unstable();
    }
}

#[inline]
fn has(bits: &[u64], cell: Cell) -> bool {
    bits.get(cell.index() / 64).is_some_and(|word| word >> (cell.index() % 64) & 1 == 1)
}
