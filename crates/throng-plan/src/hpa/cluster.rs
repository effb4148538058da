//! One cluster: its doors, the costs between them, and the ways to them from inside.

use super::doors::Door;
use super::field::{HERE, NEVER, NOWHERE, Spread};
use super::levels::Level;
use super::tiling::{Area, Tiling};
use crate::open::Heap;
use crate::open::OpenList;
use throng_grid::{Cell, DIAGONAL, Ground, Lattice, STRAIGHT};

/// Clusters of one level along the side of one of the level above.
pub(super) const CLUSTERS_PER_SIDE: u32 = 4;

/// The longest side of a cluster.
pub(super) const MAX_SIDE_CELLS: u32 = 4096;

const CHILDREN: usize = (CLUSTERS_PER_SIDE * CLUSTERS_PER_SIDE) as usize;

/// A cluster.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// Sorted by cell.
    pub(super) doors: Box<[Door]>,
    /// First intra edge of each door, and the end.
    pub(super) first: Box<[u32]>,
    /// The intra edges: door and cost. Those are left out that cost as much as two others one after the other.
    pub(super) edges: Box<[Edge]>,
    pub(super) ways: Ways,
}

/// A way inside a cluster to one of its doors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) cost: u32,
}

/// The ways to the doors of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ways {
    /// On the lowest level a field of first steps for each door: half a byte a cell.
    Cells(Box<[u8]>),
    /// Above it the ways lead from door to door of the clusters below.
    Doors(Box<Hops>),
}

/// For each door below and each door of the cluster what the way costs, and its first part.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hops {
    /// Number of the first door of each child, row by row.
    first: [u16; CHILDREN + 1],
    /// Cost, for each door below one after the other.
    costs: Box<[u32]>,
    /// Child and door of the child to go to next.
    next: Box<[Hop]>,
}

/// A way through one child: its number and the door where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hop(u16);

impl Hop {
    const NONE: Hop = Hop(u16::MAX);
    /// Doors that a child may have: one in two cells around it, and [`MAX_SIDE_CELLS`] sees to that there are no more.
    const DOORS: usize = 1 << 12;

    fn new(child: usize, door: usize) -> Self {
        debug_assert!(child < CHILDREN && door < Self::DOORS);
        Self((child << 12 | door) as u16)
    }

    fn child(self) -> usize {
        usize::from(self.0 >> 12)
    }

    fn door(self) -> usize {
        usize::from(self.0) % Self::DOORS
    }
}

/// Memory for making clusters.
#[derive(Debug, Default)]
pub(super) struct Workshop {
    pub(super) spread: Spread,
    queue: Heap,
    costs: Vec<u32>,
    next: Vec<Hop>,
}

impl Cluster {
    /// The door on a cell.
    #[inline]
    pub(super) fn door(&self, cell: Cell) -> Option<usize> {
        self.doors.binary_search_by_key(&cell, |door| door.cell).ok()
    }

    /// The intra edges out of a door.
    #[inline]
    pub(super) fn edges(&self, door: usize) -> &[Edge] {
        &self.edges[self.first[door] as usize..self.first[door + 1] as usize]
    }

    /// Cost of an intra edge, or of two one after the other; [`NEVER`] where there are none.
    pub(super) fn cost(&self, from: usize, to: usize) -> u32 {
        let direct = |from: usize| self.edges(from).iter().find(|edge| edge.to as usize == to).map(|edge| edge.cost);
        let two = |edge: &Edge| Some(edge.cost + direct(edge.to as usize)?);
        direct(from).or_else(|| self.edges(from).iter().filter_map(two).min()).unwrap_or(NEVER)
    }

    fn new(doors: Box<[Door]>, costs: &[u32], ways: Ways) -> Self {
        let count = doors.len();
        let (mut first, mut edges) = (vec![0], Vec::new());
        for row in costs.chunks_exact(count.max(1)) {
            for (to, &cost) in row.iter().enumerate().filter(|&(_, &cost)| cost != 0 && cost != NEVER) {
                // Costs are the same in both directions, so the row of `to` holds the ways that end there.
                let last = &costs[to * count..(to + 1) * count];
                let parts = |(&a, &b): (&u32, &u32)| a != 0 && b != 0 && a.checked_add(b) == Some(cost);
                if !row.iter().zip(last).any(parts) {
                    edges.push(Edge { to: to as u32, cost });
                }
            }
            first.push(edges.len() as u32);
        }
        Self { doors, first: first.into(), edges: edges.into(), ways }
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let ways = match &self.ways {
            Ways::Cells(fields) => size_of_val(&**fields),
            Ways::Doors(hops) => size_of::<Hops>() + size_of_val(&*hops.costs) + size_of_val(&*hops.next),
        };
        // Two counters of the shared pointer.
        size_of::<Self>()
            + 16
            + size_of_val(&*self.doors)
            + size_of_val(&*self.first)
            + size_of_val(&*self.edges)
            + ways
    }

    /// A cluster of the lowest level: a search from each door inside the cluster.
    pub(super) fn of_cells(ground: &Ground, area: Area, doors: Box<[Door]>, shop: &mut Workshop) -> Self {
        let count = doors.len();
        let mut costs = vec![NEVER; count * count].into_boxed_slice();
        let stride = stride(area);
        let mut fields = vec![0; stride * count].into_boxed_slice();
        let index = |door: &Door| area.index(door.x.into(), door.y.into());
        if count > 0 {
            shop.spread.enter(ground, area);
        }
        for (to, door) in doors.iter().enumerate() {
            shop.spread.run(index(door), None);
            for (from, door) in doors.iter().enumerate() {
                costs[from * count + to] = shop.spread.costs[index(door)];
            }
            let field = &mut fields[to * stride..(to + 1) * stride];
            for (byte, pair) in field.iter_mut().zip(shop.spread.back.chunks(2)) {
                *byte = pair[0] | pair.get(1).copied().unwrap_or(NOWHERE) << 4;
            }
        }
        Self::new(doors, &costs, Ways::Cells(fields))
    }

    /// A cluster of a level above `below`: a search from each door over the doors below.
    pub(super) fn of_doors(
        below: &Level,
        tiling: &Tiling,
        cluster: u32,
        doors: Box<[Door]>,
        shop: &mut Workshop,
    ) -> Self {
        let count = doors.len();
        let children = children(below, tiling, cluster);
        let mut first = [0; CHILDREN + 1];
        for child in 0..CHILDREN {
            first[child + 1] = first[child] + below_at(below, children, child).map_or(0, |c| c.doors.len() as u16);
        }
        let places = usize::from(first[CHILDREN]);
        let mut hops = Hops {
            first,
            costs: vec![NEVER; places * count].into_boxed_slice(),
            next: vec![Hop::NONE; places * count].into_boxed_slice(),
        };
        for (to, door) in doors.iter().enumerate() {
            shop.reach(below, children, &hops.first, door);
            for place in 0..places {
                hops.costs[place * count + to] = shop.costs[place];
                hops.next[place * count + to] = shop.next[place];
            }
        }
        let mut costs = vec![NEVER; count * count].into_boxed_slice();
        for (from, door) in doors.iter().enumerate() {
            if let Some(place) = hops.place(below, children, door.cell) {
                costs[from * count..(from + 1) * count]
                    .copy_from_slice(&hops.costs[place * count..(place + 1) * count]);
            }
        }
        Self::new(doors, &costs, Ways::Doors(Box::new(hops)))
    }
}

impl Workshop {
    /// Dijkstra's search from a door over the doors of the children.
    fn reach(&mut self, below: &Level, children: Area, first: &[u16; CHILDREN + 1], from: &Door) {
        let places = usize::from(first[CHILDREN]);
        self.costs.clear();
        self.costs.resize(places, NEVER);
        self.next.clear();
        self.next.resize(places, Hop::NONE);
        let sharing = below.tiling.sharing(from.x.into(), from.y.into());
        let mut started = false;
        for row in sharing.top.max(children.top)..=sharing.bottom.min(children.bottom) {
            for column in sharing.left.max(children.left)..=sharing.right.min(children.right) {
                let cluster = &below.clusters[below.tiling.number((column, row)) as usize];
                let Some(door) = cluster.door(from.cell) else { continue };
                let place = usize::from(first[child(children, column, row)]) + door;
                self.costs[place] = 0;
                if started {
                    self.queue.push(0, Cell(place as u32));
                } else {
                    self.queue.restart(0, Cell(place as u32));
                    started = true;
                }
            }
        }
        while let Some((cost, place)) = self.queue.pop().filter(|_| started) {
            let cost = cost as u32;
            if cost > self.costs[place.index()] {
                continue;
            }
            let at = first.partition_point(|&first| usize::from(first) <= place.index()) - 1;
            let Some(cluster) = below_at(below, children, at) else { continue };
            let door = place.index() - usize::from(first[at]);
            let hop = Hop::new(at, door);
            for &Edge { to, cost: step } in cluster.edges(door) {
                let to = to as usize;
                if cost + step >= self.costs[usize::from(first[at]) + to] {
                    continue;
                }
                let cost = cost + step;
                // The cell, as every child sees it.
                let (mut number, mut door) = (below_number(below, children, at), to);
                loop {
                    let (column, row) = below.tiling.place(number);
                    if children.contains(column, row) {
                        let place = usize::from(first[child(children, column, row)]) + door;
                        self.costs[place] = cost;
                        self.next[place] = hop;
                        self.queue.push(cost.into(), Cell(place as u32));
                    }
                    let seen = &below.clusters[number as usize].doors[door];
                    (number, door) = (seen.twin.0, seen.twin.1.into());
                    if number == below_number(below, children, at) {
                        break;
                    }
                }
            }
        }
    }
}

impl Hops {
    /// Number of the door below that lies on a cell.
    pub(super) fn place(&self, below: &Level, children: Area, cell: Cell) -> Option<usize> {
        let (x, y) = below.tiling.lattice.column_row(cell);
        let (column, row) = below.tiling.tile(x, y);
        let (column, row) = (column.min(children.right), row.min(children.bottom));
        let door = below.clusters[below.tiling.number((column, row)) as usize].door(cell)?;
        Some(usize::from(self.first[child(children, column, row)]) + door)
    }

    /// For the doors of a child, the costs from there to all `count` doors of the cluster.
    pub(super) fn costs_of_child(&self, child: usize, count: usize) -> &[u32] {
        &self.costs[usize::from(self.first[child]) * count..usize::from(self.first[child + 1]) * count]
    }

    /// The first part of the way from the door below with number `place` to a door: the cluster below that it crosses, the
    /// door where it leaves it, and the number of that.
    #[inline]
    pub(super) fn next(
        &self,
        below: &Level,
        children: Area,
        place: usize,
        to: usize,
        count: usize,
    ) -> Option<(u32, usize, usize)> {
        let hop = self.next[place * count + to];
        let (child, door) = (hop.child(), hop.door());
        (hop != Hop::NONE).then(|| (below_number(below, children, child), door, usize::from(self.first[child]) + door))
    }
}

/// The clusters of the level below inside a cluster, as columns and rows from corner to corner.
pub(super) fn children(below: &Level, tiling: &Tiling, cluster: u32) -> Area {
    let (column, row) = tiling.place(cluster);
    let (left, top) = (column * CLUSTERS_PER_SIDE, row * CLUSTERS_PER_SIDE);
    Area {
        left,
        top,
        right: (left + CLUSTERS_PER_SIDE).min(below.tiling.columns) - 1,
        bottom: (top + CLUSTERS_PER_SIDE).min(below.tiling.rows) - 1,
    }
}

/// Number, among the children, of the one in this column and row.
pub(super) fn child(children: Area, column: u32, row: u32) -> usize {
    ((row - children.top) * CLUSTERS_PER_SIDE + column - children.left) as usize
}

fn below_number(below: &Level, children: Area, child: usize) -> u32 {
    let child = child as u32;
    below.tiling.number((children.left + child % CLUSTERS_PER_SIDE, children.top + child / CLUSTERS_PER_SIDE))
}

fn below_at(below: &Level, children: Area, child: usize) -> Option<&Cluster> {
    let (column, row) =
        (children.left + child as u32 % CLUSTERS_PER_SIDE, children.top + child as u32 / CLUSTERS_PER_SIDE);
    children.contains(column, row).then(|| &*below.clusters[below.tiling.number((column, row)) as usize])
}

/// Bytes of one field.
fn stride(area: Area) -> usize {
    area.len().div_ceil(2)
}

/// The fields of a cluster of the lowest level, ready to be walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    area: Area,
    bytes: &'a [u8],
    stride: usize,
    offsets: [i32; 8],
}

impl<'a> Fields<'a> {
    pub(super) fn new(area: Area, bytes: &'a [u8]) -> Self {
        Self { area, bytes, stride: stride(area), offsets: area.offsets() }
    }

    pub(super) fn index(&self, x: u32, y: u32) -> usize {
        self.area.index(x, y)
    }

    /// Calls `visit(direction, steps)` for each straight part of the way from a cell, given by its index, to a door; `false`
    /// where there is none.
    ///
    /// The processor guesses that a part goes on, and need not wait for the field at each cell.
    #[inline]
    fn each(&self, door: usize, mut at: usize, mut visit: impl FnMut(usize, u32)) -> bool {
        let field = &self.bytes[door * self.stride..(door + 1) * self.stride];
        let first_step = |at: usize| field[at / 2] >> (at % 2 * 4) & 15;
        let mut d = first_step(at);
        while d < HERE {
            let offset = self.offsets[usize::from(d)] as isize;
            let mut steps = 0;
            let next = loop {
                at = at.wrapping_add_signed(offset);
                steps += 1;
                let next = first_step(at);
                if next != d {
                    break next;
                }
            };
            visit(d.into(), steps);
            d = next;
        }
        d == HERE
    }

    /// Cost of the way from a cell, given by its index, to a door.
    #[inline]
    pub(super) fn cost(&self, door: usize, at: usize) -> u32 {
        let mut cost = 0;
        let found = self.each(door, at, |d, steps| cost += steps * if d < 4 { STRAIGHT } else { DIAGONAL });
        if found { cost } else { NEVER }
    }

    /// Adds the cells on the way from a cell to a door to a route, without that cell; returns the cost.
    #[inline]
    pub(super) fn walk(&self, lattice: Lattice, door: usize, cell: Cell, at: usize, route: &mut Vec<Cell>) -> u32 {
        let offsets = lattice.offsets();
        let (mut cell, mut cost) = (cell.0, 0);
        self.each(door, at, |d, steps| {
            let offset = offsets[d];
            route.extend((1..=steps as i32).map(|i| Cell(cell.wrapping_add_signed(i * offset))));
            cell = cell.wrapping_add_signed(steps as i32 * offset);
            cost += steps * if d < 4 { STRAIGHT } else { DIAGONAL };
        });
        cost
    }
}
