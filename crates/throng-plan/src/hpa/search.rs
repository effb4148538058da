//! The search over doors.

use super::cluster::{Fields, Ways, child, children};
use super::field::{NEVER, Spread};
use super::levels::Level;
use super::tiling::Area;
use crate::memory::SearchMemory;
use crate::open::Heap;
use crate::open::OpenList;
use crate::{Estimate, Octile};
use throng_grid::{Cell, Ground, Lattice};

/// The most levels: clusters of 4 to 4096 cells.
const MAX_LEVELS: usize = 6;

/// One end of a trip, with the costs to the doors of the clusters around it.
#[derive(Debug, Default)]
pub(super) struct End {
    pub(super) cell: Cell,
    pub(super) x: u32,
    pub(super) y: u32,
    /// The cluster on each level.
    pub(super) clusters: [u32; MAX_LEVELS],
    /// Cost to each door of the cluster, one level after the other.
    costs: Vec<u32>,
    first: [usize; MAX_LEVELS + 1],
}

impl End {
    /// Goes to a cell.
    pub(super) fn place(&mut self, lattice: Lattice, cell: Cell) {
        self.cell = cell;
        (self.x, self.y) = lattice.column_row(cell);
    }

    /// Connects the cell to the doors of its clusters (the insertion of start and goal of the paper). On the lowest level
    /// the ways are walked, on those above the best door of the cluster below is chosen for each door.
    pub(super) fn connect(&mut self, levels: &[Level]) {
        let (x, y) = (self.x, self.y);
        self.costs.clear();
        for (number, level) in levels.iter().enumerate() {
            let cluster = level.tiling.number(level.tiling.tile(x, y));
            self.clusters[number] = cluster;
            let start = self.costs.len();
            let count = level.clusters[cluster as usize].doors.len();
            match &level.clusters[cluster as usize].ways {
                Ways::Cells(bytes) => {
                    let fields = Fields::new(level.tiling.area(cluster), bytes);
                    let at = fields.index(x, y);
                    self.costs.extend((0..count).map(|door| fields.cost(door, at)));
                }
                Ways::Doors(hops) => {
                    let child = self.child(levels, number);
                    self.costs.resize(start + count, NEVER);
                    let (known, costs) = self.costs.split_at_mut(start);
                    let rows = hops.costs_of_child(child, count).chunks_exact(count.max(1));
                    for (&first, row) in known[self.first[number - 1]..].iter().zip(rows) {
                        if first == NEVER {
                            continue;
                        }
                        for (cost, &rest) in costs.iter_mut().zip(row) {
                            *cost = (*cost).min(first.saturating_add(rest));
                        }
                    }
                }
            }
            self.first[number] = start;
            self.first[number + 1] = self.costs.len();
        }
    }

    /// Bytes of memory behind it.
    pub(super) fn bytes(&self) -> usize {
        self.costs.capacity() * size_of::<u32>()
    }

    /// The costs to the doors of the cluster on this level.
    pub(super) fn costs(&self, level: usize) -> &[u32] {
        &self.costs[self.first[level]..self.first[level + 1]]
    }

    /// Number of the cluster on the level below, among the children of the one on this level.
    fn child(&self, levels: &[Level], level: usize) -> usize {
        let below = &levels[level - 1];
        let children = children(below, &levels[level].tiling, self.clusters[level]);
        let (column, row) = below.tiling.place(self.clusters[level - 1]);
        child(children, column, row)
    }

    /// The door of the cluster on the level below through which the way to `door` of the one on this level leads.
    pub(super) fn through(&self, levels: &[Level], level: usize, door: usize) -> Option<usize> {
        let cluster = &levels[level].clusters[self.clusters[level] as usize];
        let Ways::Doors(hops) = &cluster.ways else { return None };
        let count = cluster.doors.len();
        let rows = hops.costs_of_child(self.child(levels, level), count).chunks_exact(count);
        let all = self.costs(level - 1).iter().zip(rows).enumerate();
        all.min_by_key(|&(_, (first, row))| first.saturating_add(row[door])).map(|(through, _)| through)
    }
}

/// A door that a search has reached.
#[derive(Clone, Copy, Debug, bytemuck::Zeroable)]
struct Node {
    g: u32,
    /// The door before, or [`NONE`] where the way comes from the start.
    parent: u32,
    /// The cluster that the last part of the way crosses.
    cluster: u32,
    /// Number of this door there.
    door: u16,
    stamp: u16,
}

const NONE: u32 = u32::MAX;

/// The memory of the search.
#[derive(Debug, Default)]
pub(super) struct Doors {
    nodes: Vec<Node>,
    stamp: u16,
    /// The level they are of, once it is searched.
    pub(super) level: Option<usize>,
    queue: Heap,
    /// The best way so far: its cost, and the door of the goal's cluster where it comes in.
    pub(super) best: Option<(u32, u32)>,
    /// The expanded door nearest to the goal by the estimate.
    nearest: Option<(u32, u32)>,
}

/// One search: the level, its part of the map, and the ends of the trip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip<'a> {
    pub(super) level: &'a Level,
    pub(super) number: usize,
    pub(super) window: Area,
    pub(super) from: &'a End,
    pub(super) to: &'a End,
    /// A route of this cost is known already.
    pub(super) known: u32,
}

impl Doors {
    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.queue.bytes()
    }

    /// The doors that were seen, by number: cluster, number there, cost, and whether it was expanded.
    pub(super) fn seen(&self) -> Vec<(u32, u16, u32, bool)> {
        let mut open = vec![false; self.nodes.len()];
        for (priority, id) in self.queue.entries() {
            // An older entry of a door to which a better way was found means nothing.
            let g = !(priority as u32);
            if self.nodes[id.index()].g == g {
                open[id.index()] = true;
            }
        }
        let nodes = self.nodes.iter().zip(open).filter(|(node, _)| node.stamp == self.stamp);
        nodes.map(|(node, open)| (node.cluster, node.door, node.g, !open)).collect()
    }

    /// Starts at the doors of the start's cluster.
    pub(super) fn begin(&mut self, trip: &Trip) {
        let count = trip.level.first.last().map_or(0, |&count| count as usize);
        if self.nodes.len() < count || self.stamp == u16::MAX {
            self.nodes = Vec::new();
            self.nodes = bytemuck::zeroed_vec(count);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.level = Some(trip.number);
        self.best = None;
        self.nearest = None;
        self.queue.clear();
        let cluster = trip.from.clusters[trip.number];
        for (door, &cost) in trip.from.costs(trip.number).iter().enumerate() {
            if cost != NEVER {
                self.pass(trip, cluster, door, cost, NONE);
            }
        }
    }

    /// Comes to a door of `cluster`.
    #[inline]
    fn pass(&mut self, trip: &Trip, cluster: u32, number: usize, g: u32, parent: u32) {
        let id = trip.level.owners[trip.level.first[cluster as usize] as usize + number];
        let node = &mut self.nodes[id as usize];
        if node.stamp == self.stamp && node.g <= g {
            return;
        }
        let door = &trip.level.clusters[cluster as usize].doors[number];
        let f = g.saturating_add(Octile::cost(trip.to.x.abs_diff(door.x.into()), trip.to.y.abs_diff(door.y.into())));
        if f >= self.best.map_or(trip.known, |(cost, _)| cost) {
            return;
        }
        *node = Node { stamp: self.stamp, g, cluster, door: number as u16, parent };
        // Of equal f the one further on comes first.
        self.queue.push(u64::from(f) << 32 | u64::from(!g), Cell(id));
    }

    /// Expands up to `expansions` doors, those of the lowest f = g + h first: `true` once no better way is left. Adds to
    /// `expanded` what was done.
    pub(super) fn advance(&mut self, trip: &Trip, expansions: u64, expanded: &mut u64) -> bool {
        let mut left = expansions;
        loop {
            let Some((priority, cell)) = self.queue.pop() else { return true };
            let (f, g) = ((priority >> 32) as u32, !(priority as u32));
            if f >= self.best.map_or(trip.known, |(cost, _)| cost) {
                return true;
            }
            let node = self.nodes[cell.index()];
            if node.g < g {
                continue;
            }
            if left == 0 {
                self.queue.push(priority, cell);
                return false;
            }
            left -= 1;
            *expanded += 1;
            if self.nearest.is_none_or(|(least, _)| f - g < least) {
                self.nearest = Some((f - g, cell.0));
            }
            // The inter edges of the paper cost nothing here: clusters share the cell.
            let (mut number, mut door) = (node.cluster, usize::from(node.door));
            loop {
                let cluster = &trip.level.clusters[number as usize];
                let (column, row) = trip.level.tiling.place(number);
                if trip.window.contains(column, row) {
                    if number == trip.to.clusters[trip.number] {
                        let cost = g.saturating_add(trip.to.costs(trip.number)[door]);
                        if cost < self.best.map_or(trip.known, |(cost, _)| cost) {
                            self.best = Some((cost, cell.0));
                        }
                    }
                    for edge in cluster.edges(door) {
                        self.pass(trip, number, edge.to as usize, g.saturating_add(edge.cost), cell.0);
                    }
                }
                let seen = &cluster.doors[door];
                (number, door) = (seen.twin.0, seen.twin.1.into());
                if number == node.cluster {
                    break;
                }
            }
        }
    }

    /// The door nearest to the goal that was expanded, to which a search leads that gives up; and its cost.
    pub(super) fn nearest(&self) -> Option<(u32, u32)> {
        self.nearest.map(|(_, id)| (self.nodes[id as usize].g, id))
    }

    /// Writes the doors of the way to the door `id`, from the start: for each the cluster that is crossed on the way to
    /// it, and its number there.
    pub(super) fn way(&self, id: u32, doors: &mut Vec<(u32, u32)>) {
        doors.clear();
        let mut id = id;
        while id != NONE {
            let node = &self.nodes[id as usize];
            doors.push((node.cluster, node.door.into()));
            id = node.parent;
        }
        doors.reverse();
    }
}

/// A way inside one cluster of the lowest level, for ends that are both in it: its cost.
pub(super) fn inside(
    ground: &Ground,
    area: Area,
    (from, to): (&End, &End),
    spread: &mut Spread,
    expanded: &mut u64,
) -> Option<u32> {
    let index = |end: &End| area.index(end.x, end.y);
    spread.enter(ground, area);
    *expanded += spread.run(index(to), Some(index(from)));
    Some(spread.costs[index(from)]).filter(|&cost| cost != NEVER)
}
